//! `synthon mcs`, `substructure` and `smarts`, as a user runs them.

use std::process::{Command, Output};

fn synthon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_synthon")).args(arguments).output().expect("synthon runs")
}

fn stdout(arguments: &[&str]) -> String {
    let output = synthon(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_common_part_is_marked_in_both_texts() {
    assert_eq!(
        stdout(&["mcs", "CC(=O)NC", "CCC(=O)N"]),
        "query   CC(=O)NC\n        \
                 ^^  ^ ^\n\
         target  CCC(=O)N\n         \
                  ^^  ^ ^\n\
         atoms   0-1 1-2 2-3 3-4\n\
         size    4 atoms, 3 bonds\n\
         Proved: no common substructure under these options has more than 4 atoms.\n"
    );
}

#[test]
fn json_is_the_result_of_the_tool() {
    let text = stdout(&["mcs", "C1CCCCC1", "CCCCCC", "--objective", "mces", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(result["score"], 5.0);
    assert_eq!(result["matches"][0]["atom_count"], 6);
    let text = stdout(&["mcs", "CCOCC", "CCNCC", "--connected", "false", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(result["matches"][0]["fragments"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_miss_is_explained_on_request() {
    let text = stdout(&["smarts", "[OX2H]", "COC", "--explain"]);
    assert!(text.contains("Proved: the pattern does not match"), "{text}");
    assert!(text.contains("H1") && text.contains("atom 0"), "{text}");
    let hits = stdout(&["smarts", "[OX2H]", "OCC(O)CO"]);
    assert!(hits.contains("match 3 of 3") && hits.contains("all the embeddings"), "{hits}");
}

#[test]
fn a_molecule_query_is_asked_for() {
    let found =
        stdout(&["substructure", "Oc1ccccc1", "CC(C)(C)c1ccc(O)cc1", "--query-format", "smiles"]);
    assert!(found.contains("Proved: the molecule contains the query"), "{found}");
}

#[test]
fn exit_status_tells_bad_input_from_stops_and_empty_answers() {
    let bad = synthon(&["mcs", "C1CC", "CCN"]);
    assert_eq!(bad.status.code(), Some(2));
    let message = String::from_utf8_lossy(&bad.stderr);
    assert!(message.contains("Unclosed ring(s): 1") && message.contains('^'), "{message}");
    assert!(bad.stdout.is_empty());
    let stopped = synthon(&["mcs", "CCO", "CCN", "--timeout-ms", "0"]);
    assert_eq!(stopped.status.code(), Some(3));
    let absent = ["substructure", "[N]", "CCO"];
    assert_eq!(synthon(&absent).status.code(), Some(0));
    assert_eq!(synthon(&[&absent[..], &["--exit-status"]].concat()).status.code(), Some(1));
}
