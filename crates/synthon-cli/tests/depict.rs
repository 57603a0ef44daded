//! `synthon depict`, as a user runs it.

mod support;

use std::path::Path;
use std::process::Output;

fn depict(arguments: &[&str], input: &str) -> Output {
    support::synthon(&[&["depict"], arguments].concat(), input)
}

fn svg(arguments: &[&str], input: &str) -> String {
    let output = depict(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
    text
}

fn refused(arguments: &[&str], words: &str) {
    let output = depict(arguments, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty());
    assert!(errors.contains(words), "{arguments:?}: {errors}");
}

#[test]
fn molecules_pairs_and_reactions_are_drawn() {
    assert!(svg(&["c1ccncc1"], "").contains(">N</text>"));
    assert!(svg(&["Oc1ccccc1", "Nc1ccccc1"], "").contains("width=\"800\" height=\"360\""));
    assert!(svg(&["CCO", "CCN", "--width", "600", "--timeout-ms", "50"], "").contains("opacity"));
    let mapped = "[CH3:1][OH:2]>CCl>[CH3:1][Cl:3]";
    assert!(svg(&[mapped], "").contains(">3</text>"));
    assert!(!svg(&[mapped, "--hide-atom-maps"], "").contains(">3</text>"));
    // The `>` of a dative bond makes no reaction.
    assert!(svg(&["[NH3]->[Cu]"], "").contains(">Cu</text>"));
}

#[test]
fn files_and_standard_input_are_drawn_as_grids() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("depict-two.smi");
    std::fs::write(&path, "CCO ethanol\nCC( broken\nCCN ethylamine\n").expect("written");
    let path = path.to_str().expect("UTF-8");
    for arguments in [vec![path], vec!["--file", path]] {
        let output = depict(&arguments, "");
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(">ethanol</text>") && text.contains(">ethylamine</text>"));
        assert!(String::from_utf8_lossy(&output.stderr).contains("line 2"));
    }
    let table = "id,smiles\nA-1,CCO\nA-2,CCN\n";
    let text = svg(&["-", "--name-column", "id", "--columns", "1"], table);
    assert!(text.contains(">A-2</text>") && text.contains("width=\"250\" height=\"400\""));
    assert!(!svg(&["-", "--name-column", "id", "--limit", "1"], table).contains("A-2"));
}

#[test]
fn the_name_of_the_output_tells_svg_from_png() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("depict-ethanol.PNG");
    let name = path.to_str().expect("UTF-8");
    let output = depict(&["CCO", "-o", name, "--width", "120", "--height", "80"], "");
    assert!(output.status.success() && output.stdout.is_empty());
    let png = std::fs::read(&path).expect("the picture");
    assert_eq!(&png[1..4], b"PNG");
    // Width and height stand behind the first chunk's name: twice the sheet's.
    assert_eq!((&png[16..20], &png[20..24]), (&[0, 0, 0, 240][..], &[0, 0, 0, 160][..]));
    refused(&["CCO", "-o", "ethanol.jpg"], ".svg or .png");
}

#[test]
fn what_cannot_be_drawn_is_told_with_its_place_and_repair() {
    refused(&[], "give one SMILES");
    refused(&["CC(C"], "add 1 ')'");
    refused(&["CCO", "C1CC"], "position 1");
    refused(&["CC>>C1CC"], "position 1");
    refused(&["CC>C"], "reactants>>products");
    refused(&["C>>>C"], "has two `>`, this has 3");
    refused(&[">>"], "no molecules");
    refused(&["  "], "must not be empty");
    refused(&["missing.smi"], "missing.smi");
    refused(&["CCO", "--file", "a.smi"], "not both");
    refused(&["CCO", "--width", "-5"], "20..=8000");
    refused(&["CCO", "CCN", "--timeout-ms", "-5"], "0 to 30000");
    refused(&["CCO", "CCN", "--node-limit", "0"], "1 to 1000000");
    refused(&["CCO", "-o", "a.png", "--zoom", "-1"], "at least 1");
    refused(&["CCO", "-o", "a.png", "--zoom", "1000"], "at most 8192");
}
