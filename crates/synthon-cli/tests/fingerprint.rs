//! `synthon fingerprint` and `similarity`, as a user runs them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn synthon(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("synthon runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn stdout(arguments: &[&str]) -> String {
    let output = synthon(arguments, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_line_of_positions_for_each_molecule() {
    assert_eq!(stdout(&["fingerprint", "OCCO", "--fp-size", "64"]), "16 25 30 39 45\n");
    assert_eq!(
        stdout(&["fingerprint", "OCCO", "--fp-size", "64", "--counts"]),
        "16:2 25:2 30:2 39:2 45:1\n"
    );
    let json = stdout(&["fingerprint", "CCO", "--kind", "torsion", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&result["kind"], &result["values"]), (&"torsion".into(), &serde_json::json!([])));
}

#[test]
fn a_bad_line_is_told_and_the_others_go_on() {
    let output = synthon(&["fingerprint", "-", "--fp-size", "64"], "OCCO\nC1CC\n\nOCCO\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "16 25 30 39 45\n16 25 30 39 45\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: Unclosed ring(s): 1"));
}

#[test]
fn a_score_between_two_molecules() {
    let score = |more: &[&str]| -> f64 {
        let arguments = [&["similarity", "Oc1ccccc1", "Cc1ccccc1O"], more].concat();
        stdout(&arguments).trim().parse().expect("a number")
    };
    assert_eq!(score(&[]), 7.0 / 19.0);
    assert!((score(&["--metric", "dice"]) - 14.0 / 26.0).abs() < 1e-12);
    assert!(score(&["--kind", "mcs"]) > 0.5);
    let refused = synthon(&["similarity", "CCO", "CCN", "--fp-size", "0"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("fp_size"));
}
