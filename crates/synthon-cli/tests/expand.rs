//! `synthon expand`, as a user runs it.

mod support;

use serde_json::Value;

use support::synthon;

fn lines(arguments: &[&str], input: &str) -> (Vec<Value>, String) {
    let output = synthon(arguments, input);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (text.lines().map(|line| serde_json::from_str(line).expect(line)).collect(), errors)
}

#[test]
fn ways_are_ranked_and_say_where_they_come_from() {
    let (values, errors) = lines(&["expand", "CC(=O)Nc1ccc(O)cc1", "--top", "5", "--json"], "");
    assert_eq!((values.len(), errors.as_str()), (1, ""));
    let ways = values[0]["expansions"].as_array().expect("a list");
    assert_eq!(ways.len(), 5);
    let mut last = 1.0;
    for (rank, way) in (1..).zip(ways) {
        assert_eq!(way["rank"], rank);
        let score = way["score"].as_f64().expect("a number");
        assert!((0.0..=last).contains(&score), "{way}");
        last = score;
        assert!(way["template_id"].as_str().expect("an id").starts_with("smarts-sha256:"));
        assert!(!way["reaction_family"].as_str().expect("a family").is_empty());
        assert!(way["precedents"]["count"].is_u64());
    }
    assert!(ways.iter().any(|way| {
        let precursors = way["precursors"].as_array().expect("a list");
        precursors.iter().any(|p| p == "Nc1ccc(O)cc1")
    }));
    let sets: Vec<String> = ways.iter().map(|way| way["precursors"].to_string()).collect();
    assert!((1..sets.len()).all(|i| !sets[..i].contains(&sets[i])), "each set once: {sets:?}");
    let again = lines(&["expand", "Oc1ccc(NC(C)=O)cc1", "--top", "5", "--json"], "").0;
    assert_eq!(again[0]["expansions"], values[0]["expansions"], "spelling does not matter");
}

#[test]
fn a_file_gives_a_line_for_each_molecule_and_bad_ones_are_told() {
    let (values, errors) =
        lines(&["expand", "--input", "-", "--top", "1"], "CCOC(C)=O x\nC1CC\n\nC\n");
    assert_eq!(values.len(), 3, "{values:?}");
    assert_eq!(values[0]["expansions"].as_array().map(Vec::len), Some(1));
    assert!(values[1]["error"].as_str().expect("an error").contains("ring"));
    assert!(errors.contains("line 2"), "{errors}");
    assert_eq!(values[2]["smiles"], "C");
}

#[test]
fn nothing_found_and_bad_input_have_their_exit_codes() {
    let run = |arguments: &[&str]| {
        let output = synthon(arguments, "");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    assert_eq!(run(&["expand", "[Xe]", "--exit-status"]), (Some(1), String::new()));
    assert_eq!(run(&["expand", "[Xe]"]).0, Some(0));
    let (code, error) = run(&["expand", "C1CC"]);
    assert!(code == Some(2) && error.contains("ring"), "{error}");
    for name in ["uspto", "curated"] {
        assert_eq!(run(&["expand", "CCO", "--library", name]), (Some(0), String::new()));
    }
    let (code, error) = run(&["expand", "CCO", "--library", "no-such-folder"]);
    assert!(code == Some(2) && error.contains("no-such-folder"), "{error}");
    let (code, error) = run(&["expand", "--input", "no-such-file.smi"]);
    assert!(code == Some(2) && error.contains("no-such-file.smi"), "{error}");
    let long = format!("{}\n", "C".repeat(100_000));
    let output = synthon(&["expand", "--input", "-"], &long);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.code() == Some(2) && error.contains("line 1"), "{error}");
}
