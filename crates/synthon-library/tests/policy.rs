//! Training a policy, keeping it, and what it proposes.

use std::io::Cursor;

use synthon_budget::Budget;
use synthon_library::{
    BuildOptions, ExtractedLibrary, Library, LibraryBuilder, LibraryLimits, PolicyTrainer,
    ProposeOptions, ReactionColumns, ReactionReader, Scratch, TrainOptions,
};
use synthon_mol::Molecule;

/// Amines with an alcohol at the far end are acetylated by the acid, others by the chloride: no
/// template shows the far end, so only a policy can tell.
fn reactions() -> String {
    let mut text = String::new();
    for length in 4..33usize {
        let chain: String = (0..length).map(|i| format!("[CH2:{}]", 20 + i)).collect();
        for (end, leaves) in [("[CH3:60]", "Cl"), ("[OH:60]", "O")] {
            text.push_str(&format!(
                "[CH3:1][C:2](=[O:3]){leaves}.[NH2:4]{chain}{end}>>\
                 [CH3:1][C:2](=[O:3])[NH:4]{chain}{end}\n"
            ));
        }
    }
    text
}

fn reader(text: &str) -> ReactionReader {
    let input = Cursor::new(text.as_bytes().to_vec());
    ReactionReader::new("test", input, &ReactionColumns::default()).expect("reactions")
}

fn library() -> ExtractedLibrary {
    let mut builder = LibraryBuilder::new(BuildOptions::default());
    builder.add("test", reader(&reactions())).expect("reads");
    builder.finish("test", &Library::curated()).expect("templates")
}

fn trained(library: &ExtractedLibrary, seed: u64) -> ExtractedLibrary {
    let mut trainer = PolicyTrainer::new(library, TrainOptions::default().seed(seed).epochs(10));
    trainer.add(reader(&reactions()), true).expect("reads");
    let (library, report) = trainer.finish().expect("trains");
    assert_eq!((report.reactions, report.unreadable), (58, 0));
    assert!(report.examples > 50, "{report:?}");
    assert!(report.losses.last() < report.losses.first(), "{report:?}");
    library
}

fn best(library: &ExtractedLibrary, smiles: &str) -> (Vec<String>, f64) {
    let molecule = Molecule::from_smiles(smiles).expect(smiles);
    let options = ProposeOptions::default();
    let found = library.expand(&molecule, &options, &mut Scratch::new(), &mut Budget::unlimited());
    let sum: f64 = found.proposals.iter().map(|p| p.score).sum();
    assert!(found.proposals.is_empty() || (sum - 1.0).abs() < 1e-5, "{smiles}: {sum}");
    let first = &found.proposals[0];
    (first.outcome.precursors.iter().map(Molecule::to_smiles).collect(), first.confidence)
}

#[test]
fn it_learns_which_reagent_belongs_to_which_amine() {
    let plain = library();
    assert!(!plain.has_policy());
    let library = trained(&plain, 1);
    assert!(library.has_policy());
    let (amide, confidence) = best(&library, "CC(=O)NCCCCCCCC");
    assert!(amide.contains(&"CC(=O)Cl".to_owned()), "{amide:?}");
    assert!(confidence > 0.5, "{confidence}");
    let (amide, _) = best(&library, "CC(=O)NCCCCCCCO");
    assert!(amide.contains(&"CC(=O)O".to_owned()), "{amide:?}");
}

#[test]
fn the_same_seed_gives_the_same_files_and_they_read_back() {
    let plain = library();
    let (one, two) = (trained(&plain, 3), trained(&plain, 3));
    assert_eq!(one.hash(), two.hash());
    assert_ne!(one.hash(), trained(&plain, 4).hash());
    let files: Vec<(&str, &[u8])> = one.files().collect();
    let read = ExtractedLibrary::from_bytes(&files, &LibraryLimits::default()).expect("reads");
    let smiles = "CC(=O)NCCCCCO";
    assert_eq!(best(&read, smiles), best(&one, smiles));
}

#[test]
fn probabilities_are_calibrated_on_other_reactions() {
    let library = trained(&library(), 1);
    let before = library.accuracy(reader(&reactions()), 1, 100_000);
    assert_eq!(before.all.reactions, 58);
    assert!(before.all.top[0] > 50, "{:?}", before.all);
    let (calibrated, error) = library.calibrated(&before).expect("has a policy");
    assert!(error < 0.5);
    let after = calibrated.accuracy(reader(&reactions()), 1, 100_000);
    assert_eq!(after.all.top, before.all.top, "calibration does not change the order");
    assert!(after.calibration_error <= before.calibration_error + 0.05);
}

#[test]
fn spoilt_policies_are_refused() {
    let library = trained(&library(), 1);
    let files: Vec<(&str, &[u8])> = library.files().collect();
    let policy = files.iter().find(|(name, _)| *name == "policy.safetensors").expect("there").1;
    for (case, bytes) in [
        ("empty", Vec::new()),
        ("cut", policy[..policy.len() - 1].to_vec()),
        ("header too long", [&[0xff; 8], &policy[8..]].concat()),
        ("flipped", policy.iter().map(|b| !b).collect()),
    ] {
        let spoilt: Vec<(&str, &[u8])> = files
            .iter()
            .map(|&(name, old)| (name, if name == "policy.safetensors" { &bytes } else { old }))
            .collect();
        let error = ExtractedLibrary::from_bytes(&spoilt, &LibraryLimits::default())
            .err()
            .unwrap_or_else(|| panic!("{case} is read"));
        assert_eq!(error.code(), "library.damaged", "{case}: {error}");
        assert!(error.to_string().contains("policy.safetensors"), "{error}");
    }
}
