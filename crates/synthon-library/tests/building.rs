//! Libraries that are built from reactions: what is in them, and that they survive a folder.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::OnceLock;

use synthon_budget::Budget;
use synthon_library::{
    BuildOptions, ExtractedLibrary, Library, LibraryBuilder, LibraryError, LibraryLimits,
    ReactionColumns, ReactionReader, Rejected,
};
use synthon_mol::Molecule;
use synthon_query::Target;
use synthon_reaction::{MappedReaction, Scratch};

/// Reactions of US patents (D. M. Lowe's extraction, CC0), every 157th of the training file.
const REACTIONS: &str = include_str!("../../../testdata/mapped_reactions.tsv");

fn reader(text: &str) -> ReactionReader {
    let columns = ReactionColumns::default();
    ReactionReader::new("test", Cursor::new(text.as_bytes().to_vec()), &columns).expect("a table")
}

fn build(text: &str, options: BuildOptions) -> (ExtractedLibrary, Vec<Rejected>) {
    let mut builder = LibraryBuilder::new(options);
    builder.add("test", reader(text)).expect("reads");
    let rejected = builder.rejected().to_vec();
    (builder.finish("test", &Library::curated()).expect("some templates"), rejected)
}

/// The library of all reactions of the file.
fn all() -> &'static ExtractedLibrary {
    static ALL: OnceLock<ExtractedLibrary> = OnceLock::new();
    ALL.get_or_init(|| build(REACTIONS, BuildOptions::default()).0)
}

fn bytes(library: &ExtractedLibrary) -> Vec<(&str, &[u8])> {
    library.files().collect()
}

fn opened(files: &[(&str, &[u8])]) -> Result<ExtractedLibrary, LibraryError> {
    ExtractedLibrary::from_bytes(files, &LibraryLimits::default())
}

#[test]
fn threads_do_not_matter() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| build(REACTIONS, BuildOptions::default()).0)
    };
    let three = on(3);
    assert_eq!(bytes(all()), bytes(&three));
    assert_eq!(all().hash(), three.hash());
}

#[test]
fn a_library_survives_its_files() {
    let library = all();
    let back = opened(&bytes(library)).expect("its own files");
    assert_eq!((back.hash(), back.len()), (library.hash(), library.len()));
    assert_eq!(back.statistics(), library.statistics());
    for (a, b) in library.iter().zip(back.iter()) {
        assert_eq!(a.smarts(), b.smarts());
        assert_eq!((a.count(), a.class(), a.family()), (b.count(), b.class(), b.family()));
        assert_eq!((a.named(), a.core(), a.precedents()), (b.named(), b.core(), b.precedents()));
        assert!(!a.precedents().is_empty());
    }
    let folder: PathBuf =
        std::env::temp_dir().join(format!("synthon-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, content) in library.files() {
        std::fs::write(folder.join(name), content).expect("a file");
    }
    assert!(ExtractedLibrary::is_folder_of_one(&folder));
    let back = ExtractedLibrary::open(&folder, &LibraryLimits::default()).expect("its own folder");
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(back.hash(), library.hash());
}

#[test]
fn what_is_kept_gives_its_precedents_again() {
    let library = all();
    assert!(library.len() > 100, "{} templates", library.len());
    let mut scratch = Scratch::new();
    for extracted in library.iter() {
        let template = extracted.template().expect("a template");
        assert_eq!(template.smarts(), extracted.smarts());
        for precedent in extracted.precedents() {
            let (reactants, product) = precedent.reaction.split_once(">>").expect("a reaction");
            let product = Molecule::from_smiles(product).expect("a molecule");
            let applied = template.apply(&product, &mut scratch, &mut Budget::unlimited());
            let found = applied.outcomes.iter().any(|outcome| {
                let mut parts: Vec<String> =
                    outcome.precursors.iter().map(Molecule::to_smiles).collect();
                parts.sort();
                parts.join(".") == reactants
            });
            assert!(found, "{precedent:?}");
            let candidates = library.candidates_for(&Target::new(&product));
            assert!(candidates.contains(&(extracted.position() as u32)));
        }
    }
}

#[test]
fn the_index_leaves_nothing_out() {
    let library = all();
    let mut scratch = Scratch::new();
    for line in REACTIONS.lines().skip(1).step_by(20) {
        let reaction = MappedReaction::from_smiles(line.split('\t').nth(2).expect("a column"));
        let Ok(reaction) = reaction else { continue };
        let candidates = library.candidates_for(&Target::new(reaction.product()));
        for extracted in library.iter() {
            let template = extracted.template().expect("a template");
            let applied =
                template.apply(reaction.product(), &mut scratch, &mut Budget::unlimited());
            let candidate = candidates.contains(&(extracted.position() as u32));
            assert!(candidate || applied.matches == 0, "{}", extracted.smarts());
        }
        assert!(candidates.len() < library.len() / 2, "{} candidates", candidates.len());
    }
}

const AMIDES: &str = "reaction\tclass\tpatent
[CH3:1][CH2:2][C:3](=[O:4])O.[NH2:5][CH2:6][CH3:7]>>[CH3:1][CH2:2][C:3](=[O:4])[NH:5][CH2:6][CH3:7]\t2\tUS1
[CH3:1][CH2:2][C:3](=[O:4])O.[NH2:5][CH2:6][CH2:7][CH3:8]>>[CH3:1][CH2:2][C:3](=[O:4])[NH:5][CH2:6][CH2:7][CH3:8]\t2\tUS1
[NH2:5][CH2:6][CH3:7].O[C:3]([CH2:2][CH3:1])=[O:4]>>[CH3:1][CH2:2][C:3](=[O:4])[NH:5][CH2:6][CH3:7]\t2\tUS2
[CH3:1][CH2:2][CH2:9][C:3](=[O:4])O.[NH2:5][CH2:6][CH3:7]>>[CH3:1][CH2:2][CH2:9][C:3](=[O:4])[NH:5][CH2:6][CH3:7]\t2\tUS3
[CH3:1][I:2]>>[CH3:1]I\t9\tUS4
nonsense\t\t
\t2\t
[CH3:1][CH2:2][Cl:3]>>[CH3:1][CH:2]=[Xx:3]\t9\tUS5
";

#[test]
fn steps_count_once_and_rejects_are_counted_by_reason() {
    let (library, rejected) = build(AMIDES, BuildOptions::default());
    let statistics = library.statistics();
    assert_eq!((statistics.lines, statistics.reactions), (8, 3));
    let reasons: Vec<(&str, u64)> =
        statistics.rejected.iter().map(|(code, count)| (code.as_str(), *count)).collect();
    assert_eq!(
        reasons,
        [
            ("extract.arrow", 1),
            ("extract.molecule", 1),
            ("extract.unmapped_product", 1),
            ("reactions.duplicate", 1),
            ("reactions.no_reaction", 1),
        ]
    );
    let places: Vec<u64> = rejected.iter().map(|r| r.line).collect();
    assert_eq!(places, [4, 6, 7, 8, 9]);
    assert_eq!(library.len(), 1);
    let amide = library.get(0);
    assert_eq!((amide.count(), amide.class()), (3, Some(2)));
    assert_eq!(amide.family(), Some("amide_formation"));
    assert!(amide.named().is_some());
    let sources: Vec<Option<&str>> =
        amide.precedents().iter().map(|p| p.source.as_deref()).collect();
    assert_eq!(sources, [Some("US1"), Some("US3")], "a patent is one precedent");
    assert_eq!(amide.precedents()[0].reaction, "CCC(=O)O.CCN>>CCNC(=O)CC");
}

#[test]
fn rare_templates_stay_when_a_named_one_does_what_they_do() {
    let (twice, _) = build(REACTIONS, BuildOptions::default().min_precedents(2));
    assert!(twice.len() < all().len());
    assert!(twice.iter().all(|t| t.count() > 1 || t.named().is_some()));
    assert_eq!(all().iter().filter(|t| t.count() > 1 || t.named().is_some()).count(), twice.len());
    let sure = BuildOptions::default().min_confidence(0.9);
    let (sure, _) = build(REACTIONS, sure);
    assert!(sure.statistics().rejected["reactions.low_confidence"] > 10);
}

#[test]
fn every_reaction_of_the_library_is_covered() {
    let library = all();
    let coverage = library.coverage(reader(REACTIONS), 1, 1_000_000);
    let rejected: u64 = library.statistics().rejected.values().sum();
    assert!(coverage.covered >= coverage.reactions - rejected);
    assert!(coverage.covered_repeated < coverage.covered);
    assert_eq!(coverage.by_class.values().map(|c| c.0).sum::<u64>(), coverage.reactions);
}

#[test]
fn damage_is_refused_with_the_file() {
    let (library, _) = build(AMIDES, BuildOptions::default());
    let files: Vec<(String, Vec<u8>)> =
        library.files().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    let open = |files: &[(String, Vec<u8>)]| {
        let given: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        opened(&given)
    };
    assert!(open(&files).is_ok());
    for at in 0..files.len() {
        let name = files[at].0.clone();
        let mut cut = files.clone();
        cut[at].1.pop();
        let mut flipped = files.clone();
        let middle = flipped[at].1.len() / 2;
        flipped[at].1[middle] ^= 1;
        let mut gone = files.clone();
        gone.remove(at);
        if name != "library.toml" {
            for damaged in [cut, flipped] {
                let error = open(&damaged).expect_err(&name);
                assert_eq!((error.code(), error.file()), ("library.damaged", Some(name.as_str())));
            }
        }
        assert_eq!(open(&gone).expect_err(&name).code(), "library.read");
    }
    let manifest = files.iter().position(|(name, _)| name == "library.toml").expect("there");
    let text = String::from_utf8(files[manifest].1.clone()).expect("text");
    for (from, to, code) in [
        ("format = 1", "format = 2", "library.damaged"),
        ("templates = 1", "templates = 2", "library.damaged"),
        ("templates = 1", "templates = 4000000000", "library.too_large"),
        ("unpacked = ", "unpacked = 9", "library.damaged"),
        ("unpacked = ", "unpacked = 999999999", "library.too_large"),
        ("radius", "diameter", "library.damaged"),
    ] {
        let mut other = files.clone();
        other[manifest].1 = text.replacen(from, to, 9).into_bytes();
        assert_eq!(open(&other).expect_err(to).code(), code, "{to}");
    }
}

/// A pipe without a writer would be waited for without end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_in_a_folder_are_refused() {
    let (library, _) = build(AMIDES, BuildOptions::default());
    let folder = std::env::temp_dir().join(format!("synthon-pipes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, content) in library.files() {
        std::fs::write(folder.join(name), content).expect("written");
    }
    let limits = LibraryLimits::default();
    assert!(ExtractedLibrary::open(&folder, &limits).is_ok());
    let file = folder.join("templates.tsv.gz");
    std::fs::remove_file(&file).expect("there");
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.expect("mkfifo runs").success());
    let error = ExtractedLibrary::open(&folder, &limits).expect_err("a pipe");
    assert_eq!(error.code(), "library.read");
    std::fs::remove_file(&file).expect("there");
    std::os::unix::fs::symlink("/dev/zero", &file).expect("linked");
    let error = ExtractedLibrary::open(&folder, &limits).expect_err("a device");
    assert_eq!(error.code(), "library.read");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn nothing_in_gives_no_library() {
    let mut builder = LibraryBuilder::new(BuildOptions::default());
    builder.add("test", reader("reaction\nCC>>CC\n")).expect("reads");
    let error = builder.finish("empty", &Library::curated()).expect_err("no template");
    assert_eq!(error.code(), "library.empty");
}
