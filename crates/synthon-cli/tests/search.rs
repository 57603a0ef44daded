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
    let text = stdout(&["smarts", "[OX2H]", "COC", "--explain", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(result["explanation"].as_str().expect("text").contains("H1"), "{text}");
}

#[test]
fn each_place_is_marked_once() {
    assert_eq!(
        stdout(&["smarts", "CO", "OCC(O)CO"]),
        "query   CO\n\
         target  OCC(O)CO\n\
         1       ^^\n\
         2         ^ ^\n\
         3             ^^\n\
         3 embeddings in 3 places, atom by atom:\n\
         1       0-1 1-0\n\
         2       0-2 1-3\n\
         3       0-4 1-5\n\
         Proved: these 3 are all the embeddings there are.\n"
    );
    let ring = stdout(&["smarts", "c1ccccc1", "Cc1ccccc1"]);
    assert!(ring.contains("1        ^ ^^^^^\n12 embeddings in 1 place"), "{ring}");
}

#[test]
fn pieces_are_set_apart() {
    let text = stdout(&["mcs", "CCOCC", "CCNCC", "--connected", "false"]);
    assert!(text.contains("atoms   0-0 1-1 | 3-3 4-4\nsize    4 atoms, 2 bonds\n"), "{text}");
}

fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

#[test]
fn a_file_is_searched_molecule_by_molecule() {
    let smiles = file("some.smi", "OCC ethanol\nC1CC broken\nCC ethane\nCO\nOCCO glycol\n");
    let output = synthon(&["smarts", "[OX2H]", &smiles]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "OCC\tethanol\nCO\nOCCO\tglycol\n");
    assert_eq!(output.status.code(), Some(0));
    let warning = String::from_utf8_lossy(&output.stderr);
    assert!(warning.contains("1 of 5 records gave no molecule"), "{warning}");
    assert!(warning.contains("line 2: Unclosed ring(s): 1"), "{warning}");

    let text = stdout(&["smarts", "[OX2H]", &smiles, "--json", "--max-matches", "100"]);
    let rows: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0]["name"], &rows[0]["line"]), (&"ethanol".into(), &1.into()));
    assert_eq!(rows[1]["code"], "smiles.unclosed_ring");
    assert_eq!(rows[3]["matches"].as_array().map(Vec::len), Some(2));
    assert_eq!(rows[3]["matches"][1]["atom_mapping"], serde_json::json!([[0, 3]]));

    let none = ["smarts", "[Xe]", &smiles];
    assert_eq!(synthon(&none).status.code(), Some(0));
    assert_eq!(synthon(&[&none[..], &["--exit-status"]].concat()).status.code(), Some(1));
    let stopped = synthon(&["smarts", "C", &smiles, "--timeout-ms", "0"]);
    assert_eq!(stopped.status.code(), Some(3));
    let absent = synthon(&["smarts", "C", "absent.smi"]);
    assert_eq!((absent.status.code(), absent.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&absent.stderr).starts_with("error: absent.smi: "));
}

#[test]
fn a_table_is_searched_by_its_column() {
    let table =
        file("some.csv", "id,structure,amount\nA1,C1CCCCC1,3\nA2,c1ccccc1,4\nA3,CCCCCC,5\n");
    let search =
        |more: &[&str]| stdout(&[&["substructure", "C1CCCCC1", table.as_str()], more].concat());
    assert_eq!(search(&[]), "C1CCCCC1\tA1\n");
    let as_molecule = ["--query-format", "smiles", "--column", "structure"];
    assert_eq!(search(&as_molecule), "C1CCCCC1\tA1\nc1ccccc1\tA2\n");
    for jobs in ["1", "4"] {
        assert_eq!(search(&["--name-column", "amount", "--jobs", jobs]), "C1CCCCC1\t3\n");
    }
    let refused = synthon(&["substructure", "C", &table, "--column", "smile"]);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0));
    let refused = synthon(&["smarts", "C((", &table]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(in query_smarts)"));
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
