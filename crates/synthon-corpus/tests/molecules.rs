//! Corpora of molecules, on disk.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use synthon_budget::{Budget, Status};
use synthon_corpus::{
    BuildOptions, BuildReport, Corpus, CorpusError, CorpusErrorKind, SimilaritySearch,
    SubstructureSearch, build,
};
use synthon_fp::{Fingerprinter, Scheme};
use synthon_mol::Molecule;
use synthon_query::{Matcher, Pattern, Target};
use synthon_records::{RecordOptions, RecordReader};
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

/// A folder of its own, empty at first and gone at last.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("synthon-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn build_text(text: &str, path: &Path, options: &BuildOptions) -> Result<BuildReport, CorpusError> {
    let file = Cursor::new(text.as_bytes().to_vec());
    let reader = RecordReader::new(file, &RecordOptions::default()).unwrap();
    build(reader, path, options, |_| true)
}

fn random_library(count: usize, random: &mut Random) -> Vec<String> {
    let mut library = Vec::new();
    while library.len() < count {
        let shape = MoleculeShape {
            atoms: random.between(1, 22),
            aromatic_rings: random.below(3),
            ..MoleculeShape::default()
        };
        let text = RandomMolecule::new(&shape, random).spell(random);
        if Molecule::from_smiles(&text).is_ok() {
            library.push(text);
        }
    }
    library
}

#[test]
fn similarity_is_that_of_the_fingerprints() {
    let folder = Folder::new("similarity");
    let path = folder.0.join("library.corpus");
    let library = random_library(600, &mut Random::new(8));
    let text: String = library.iter().map(|smiles| format!("{smiles}\n")).collect();
    for (scheme, size) in [(Scheme::ECFP4, 2_048), (Scheme::Torsion, 1_000), (Scheme::PATH, 256)] {
        let mut options = BuildOptions::default();
        (options.scheme, options.size, options.substructures) = (scheme, size, false);
        build_text(&text, &path, &options).unwrap();
        let corpus = Corpus::open(&path).unwrap();
        assert_eq!((corpus.info().scheme, corpus.info().size), (scheme, size));
        corpus.verify().unwrap();
        let mut printer = Fingerprinter::new(scheme, size).unwrap();
        let prints: Vec<_> = library
            .iter()
            .map(|smiles| printer.bits(&Molecule::from_smiles(smiles).unwrap()).unwrap())
            .collect();
        for query in prints.iter().step_by(50) {
            let mut all: Vec<(f64, u64)> = prints
                .iter()
                .zip(0..)
                .map(|(print, index)| (synthon_fp::similarity::tanimoto(query, print), index))
                .collect();
            all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let search = SimilaritySearch { limit: 20, ..Default::default() };
            let found = corpus.similar(query, &search, &mut Budget::unlimited()).unwrap();
            let found: Vec<_> = found.hits.iter().map(|hit| (hit.score, hit.index)).collect();
            assert_eq!(found, all[..20]);
        }
    }
}

#[test]
fn substructures_are_those_of_the_matcher() {
    let folder = Folder::new("substructures");
    let path = folder.0.join("library.corpus");
    let mut random = Random::new(9);
    let library = random_library(1_500, &mut random);
    let text: String = library.iter().map(|smiles| format!("{smiles}\n")).collect();
    build_text(&text, &path, &BuildOptions::default()).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    let molecules: Vec<Molecule> =
        library.iter().map(|smiles| Molecule::from_smiles(smiles).unwrap()).collect();
    let mut matcher = Matcher::new();
    let mut saved = 0;
    for smarts in [
        "*",
        "C",
        "[#7]",
        "c1ccccc1",
        "C=O",
        "C(=O)[N,O]",
        "[$(C=O)]N",
        "C1CC1",
        "N#C",
        "[Xe]",
        "cc-c",
        "C.N.O",
        "[#6]~[#7]~[#6]",
        "[R]",
        "FC(F)F",
    ] {
        let pattern = Pattern::from_smarts(smarts).unwrap();
        let matching: Vec<u64> = molecules
            .iter()
            .zip(0..)
            .filter(|(molecule, _)| matcher.matches(&pattern, &Target::new(molecule)))
            .map(|(_, index)| index)
            .collect();
        let ask = |offset: u64, limit: usize, count: bool| {
            let search = SubstructureSearch { offset, limit, count, ..Default::default() };
            corpus.containing(&pattern, &search, &mut Budget::unlimited()).unwrap()
        };
        let all = ask(0, usize::MAX, true);
        assert_eq!(all.hits, matching, "{smarts}");
        assert_eq!(all.total, Some(matching.len() as u64));
        assert_eq!((all.status, all.searched), (Status::Completed, 1_500));
        saved += 1_500 - all.matched;
        let page = ask(3, 4, false);
        let expected: Vec<u64> = matching.iter().copied().skip(3).take(4).collect();
        assert_eq!((page.hits, page.total), (expected, None), "{smarts}");
    }
    assert!(saved > 8_000, "the screen saves {saved} of {}", 15 * 1_500);
    let pattern = Pattern::from_smarts("C").unwrap();
    let mut budget = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    let stopped = corpus.containing(&pattern, &SubstructureSearch::default(), &mut budget).unwrap();
    assert_eq!((stopped.status, stopped.hits.len(), stopped.total), (Status::TimedOut, 0, None));
}

#[test]
fn bad_records_are_reported_and_lines_kept() {
    let folder = Folder::new("lines");
    let path = folder.0.join("x.corpus");
    let report =
        build_text("# a note\nCCO ethanol\nC1CC\n\nOC methanol\n", &path, &BuildOptions::default())
            .unwrap();
    assert_eq!((report.records.good, report.records.bad), (2, 1));
    assert_eq!(report.records.faults[0].line(), 3);
    assert_eq!(report.file_length, fs::metadata(&path).unwrap().len());
    let corpus = Corpus::open(&path).unwrap();
    let second = corpus.entry(1).unwrap().unwrap();
    assert_eq!((second.line, second.smiles, second.name), (5, "OC", "methanol"));
}

#[test]
fn a_failed_build_leaves_nothing_and_spoils_nothing() {
    let folder = Folder::new("atomic");
    let path = folder.0.join("x.corpus");
    build_text("CCO\n", &path, &BuildOptions::default()).unwrap();
    let open = Corpus::open(&path).unwrap();
    let before = fs::read(&path).unwrap();
    // No molecule; stopped; an impossible size.
    let error = build_text("C1CC\n", &path, &BuildOptions::default()).unwrap_err();
    assert_eq!(error.kind(), CorpusErrorKind::Records);
    assert!(error.hint().unwrap().contains("line 1"), "{error}");
    let many = "C\n".repeat(5_000);
    let reader = RecordReader::new(Cursor::new(many.clone().into_bytes()), &Default::default());
    assert!(build(reader.unwrap(), &path, &BuildOptions::default(), |_| false).is_err());
    let mut options = BuildOptions::default();
    options.size = 0;
    assert!(build_text("C\n", &path, &options).is_err());
    assert!(build_text("C\n", &folder.0.join("no/such/folder"), &BuildOptions::default()).is_err());
    assert_eq!(folder.files(), ["x.corpus"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    // A build that is killed leaves a draft without header, which is no corpus under any name.
    let reader = RecordReader::new(Cursor::new(many.into_bytes()), &Default::default()).unwrap();
    let mut copy = None;
    let _ = build(reader, &path, &BuildOptions::default(), |_| {
        let draft = folder.files().into_iter().find(|name| name.ends_with(".building")).unwrap();
        copy = Some(fs::read(folder.0.join(draft)).unwrap());
        false
    });
    assert_eq!(Corpus::from_bytes(&copy.unwrap()).unwrap_err().kind(), CorpusErrorKind::NotACorpus);
    // Building anew while the old one is open.
    build_text("CCN\nCCC\n", &path, &BuildOptions::default()).unwrap();
    assert_eq!(open.entry(0).unwrap().unwrap().smiles, "CCO");
    assert_eq!(Corpus::open(&path).unwrap().len(), 2);
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let folder = Folder::new("threads");
    let text: String = random_library(3_000, &mut Random::new(4))
        .iter()
        .enumerate()
        .map(|(i, smiles)| format!("{smiles} m{i}\n"))
        .collect();
    let files: Vec<Vec<u8>> = [1, 2, 5]
        .iter()
        .map(|&threads| {
            let path = folder.0.join("x.corpus");
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build_text(&text, &path, &BuildOptions::default())).unwrap();
            fs::read(&path).unwrap()
        })
        .collect();
    assert!(files.iter().all(|file| *file == files[0]));
}
