//! Networks give what onnxruntime gives, and choose and refuse as AiZynthFinder does. The files are
//! made by `fixtures/make.py`.
#![cfg(feature = "onnx")]

use std::fs;
use std::path::{Path, PathBuf};

use synthon_budget::Budget;
use synthon_foreign::Configuration;
use synthon_library::{Library, LibraryLimits, ProposeOptions, Scratch};
use synthon_mol::Molecule;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn library(settings: &str, filter: Option<f32>) -> Library {
    let path = |name: &str| fixture(name).display().to_string();
    let mut text = format!(
        "expansion:\n  theirs:\n    type: template-based\n    model: {}\n    template: {}\n{settings}",
        path("policy.onnx"),
        path("templates.csv")
    );
    if let Some(cutoff) = filter {
        let model = path("filter.onnx");
        text += &format!("filter:\n  f:\n    model: {model}\n    filter_cutoff: {cutoff}\n");
    }
    let configuration = Configuration::from_yaml("config.yml", &text).expect("reads");
    configuration.library("theirs", &LibraryLimits::default()).expect("fits together")
}

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).expect(smiles)
}

/// Shares that onnxruntime gives for a molecule, or a probability for a step.
fn expected(key: &str) -> Vec<f32> {
    let table = fs::read_to_string(fixture("expected.tsv")).expect("the table is there");
    let line = table.lines().find(|line| line.split('\t').next() == Some(key)).expect(key);
    line.split('\t').skip(1).map(|number| number.parse().expect("a number")).collect()
}

/// Positions and confidences of what a library proposes.
fn proposals(library: &Library, smiles: &str) -> Vec<(usize, f64)> {
    let (mut scratch, mut budget) = (Scratch::new(), Budget::unlimited());
    let options = ProposeOptions::default();
    let expansion =
        library.propose(&molecule(smiles), |_| true, &options, &mut scratch, &mut budget);
    assert!(expansion.cut);
    expansion.proposals.iter().map(|p| (p.template, p.confidence)).collect()
}

#[test]
fn shares_are_those_of_onnxruntime() {
    let library = library("    cutoff_cumulative: 2\n", None);
    let extracted = library.extracted().expect("templates");
    // The fourth row repeats the first, the fifth is no template.
    assert_eq!(extracted.len(), 3);
    assert_eq!(extracted.statistics().rejected["library.template"], 1);
    assert_eq!((extracted.get(0).count(), extracted.get(0).class()), (9, Some(2)));
    let model = extracted.model().expect("a network");
    for smiles in ["CC(=O)Nc1ccc(O)cc1", "CC(=O)NCc1ccccc1", "Oc1ccccc1", "CCO"] {
        let wanted = expected(smiles);
        let mut chosen = model.choose(&molecule(smiles));
        chosen.sort_by_key(|&(position, _)| position);
        let shares = [wanted[0].max(wanted[3]), wanted[1], wanted[2]];
        assert_eq!(chosen.len(), 3, "{smiles}");
        for (&(position, share), wanted) in chosen.iter().zip(shares) {
            assert!((share - wanted).abs() < 1e-5, "{smiles} {position}: {share} {wanted}");
        }
    }
}

#[test]
fn proposals_come_in_the_order_of_the_network() {
    let wanted = expected("CC(=O)Nc1ccc(O)cc1");
    let found = proposals(&library("    cutoff_cumulative: 2\n", None), "CC(=O)Nc1ccc(O)cc1");
    assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [1, 2, 0]);
    assert!((found[0].1 - f64::from(wanted[1])).abs() < 1e-5);
    // The first two shares sum to more than 0.995: the second is the one that passes the limit.
    let found = proposals(&library("", None), "CC(=O)Nc1ccc(O)cc1");
    assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [1]);
    let found = proposals(
        &library("    cutoff_number: 1\n    rescale_prior: true\n", None),
        "CC(=O)NCc1ccccc1",
    );
    assert_eq!(found, [(1, 1.0)]);
}

#[test]
fn a_filter_refuses_what_is_below_its_cutoff() {
    let all = "    cutoff_cumulative: 2\n";
    let [probability] = expected("COc1ccccc1>>Oc1ccccc1")[..] else { panic!("one number") };
    let found = |cutoff: f32| proposals(&library(all, Some(cutoff)), "Oc1ccccc1").len();
    assert_eq!(found(probability - 1e-4), 1);
    assert_eq!(found(probability + 1e-4), 0);
}

#[test]
fn networks_that_do_not_fit_are_refused() {
    let path = |name: &str| fixture(name).display().to_string();
    let folder = std::env::temp_dir().join(format!("synthon-foreign-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, content: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, content).expect("written");
        file.display().to_string()
    };
    let good = fs::read(fixture("policy.onnx")).expect("there");
    let short = write("short.onnx", &good[..good.len() / 2]);
    let other = write("other.onnx", b"no network at all");
    let two = write("two.csv", b"\tretro_template\n0\t[C:1]-[OH:2]>>[C:1]-Cl.[OH2:2]\n");
    let (policy, templates, filter) =
        (path("policy.onnx"), path("templates.csv"), path("filter.onnx"));
    let open = |model: &str, templates: &str, filter: &str| {
        let text = format!("expansion:\n  a: [{model}, {templates}]\nfilter:\n  f: {filter}\n");
        let configuration = Configuration::from_yaml("config.yml", &text).expect("reads");
        configuration.library("a", &LibraryLimits::default())
    };
    assert!(open(&policy, &templates, &filter).is_ok());
    for (model, templates, judge, reason) in [
        (&short, &templates, &filter, "short.onnx"),
        (&other, &templates, &filter, "other.onnx"),
        (&policy, &two, &filter, "5 outputs for 1 templates"),
        (&filter, &templates, &filter, "2 inputs, 1 are asked for"),
        (&policy, &templates, &policy, "1 inputs, 2 are asked for"),
    ] {
        let error = open(model, templates, judge).expect_err(reason);
        assert_eq!(error.code(), "foreign.network", "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    fs::remove_dir_all(&folder).expect("removed");
}
