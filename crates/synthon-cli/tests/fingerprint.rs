//! `synthon fingerprint`, `similarity` and `standardise`, as a user runs them.

mod support;

use support::synthon;

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
    let lines = "OCCO glycol\nC1CC\n\nOCCO\n";
    let output = synthon(&["fingerprint", "-", "--fp-size", "64"], lines);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "16 25 30 39 45\tglycol\n16 25 30 39 45\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: Unclosed ring(s): 1"));

    let output = synthon(&["fingerprint", "-", "--counts", "--json"], lines);
    let rows: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0]["name"], &rows[2]["line"]), (&"glycol".into(), &4.into()));
    assert_eq!(rows[0]["scheme"], "ecfp(radius=2)");
    assert_eq!(rows[0]["scheme_version"], "rdkit-2026.09");
    assert_eq!(rows[0]["values"].as_array().map(Vec::len), Some(5));
    assert_eq!(rows[1]["code"], "smiles.unclosed_ring");

    // Where nothing could be read, and where a single molecule is wrong, the status says so.
    for (arguments, input) in [(["fingerprint", "-"], "C1CC\n"), (["fingerprint", "C1CC"], "")] {
        assert_eq!(synthon(&arguments, input).status.code(), Some(2));
    }
}

#[test]
fn files_and_molecules_and_flags_in_any_order() {
    let folder = std::env::temp_dir().join(format!("synthon-fingerprint-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("molecules.csv");
    std::fs::write(&path, "id,text\na,OCCO\na,CC(=O)O[Na]\n").expect("written");
    let table = path.to_str().expect("UTF-8");

    let columns = ["--column", "text", "--name-column", "id"];
    let first = "16 25 30 39 45";
    for arguments in [
        [&["fingerprint", table, "OCCO", "--fp-size", "64"], &columns[..]].concat(),
        [&["fingerprint", "--fp-size=64"], &columns[..], &[table, "OCCO"]].concat(),
    ] {
        let text = stdout(&arguments);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[2]), (3, "16 25 30 39 45\ta", first));
    }
    let clean = [&["standardise", table, "--cleanup", "OCC"], &columns[..]].concat();
    assert_eq!(stdout(&clean), "OCCO a\nCC(=O)[O-].[Na+] a\nCCO\n");
    let missing = synthon(&["fingerprint", "none.smi"], "");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("none.smi"));
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// What the flags get wrong is told once, not for each molecule of a file.
#[test]
fn flags_that_do_not_fit_are_refused() {
    for (more, word) in [
        (&["--fp-size", "0"][..], "fp_size"),
        (&["--fp-size", "99999999999"], "fp_size"),
        (&["--fp-size", "-5"], "fp_size"),
        (&["--radius", "9"], "radius"),
        (&["--kind", "path", "--path-length", "0"], "path_length"),
        (&["--kind", "torsion", "--fp-size", "4"], "fp_size is too small for torsion"),
        (&["--kind", "mcs", "--counts"], "counts are not available for mcs"),
        (&["--kind", "morgan"], "morgan"),
    ] {
        for molecules in ["CCCC", "-"] {
            let arguments = [&["fingerprint", molecules], more].concat();
            let output = synthon(&arguments, "CCCC\nCCO\n");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
            assert!(output.stdout.is_empty() && errors.contains(word), "{arguments:?}: {errors}");
            assert_eq!(errors.matches("error:").count(), 1, "{errors}");
        }
    }
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
