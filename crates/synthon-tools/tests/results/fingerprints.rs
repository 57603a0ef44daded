//! The fingerprint tools: the reference document's examples with RDKit's bits, limits, errors.

use serde_json::{Value, json};
use synthon_tools::ToolErrorKind;

use super::call;

fn refused(tool: &str, arguments: Value) -> (ToolErrorKind, String, String) {
    let error = call(tool, arguments).expect_err("refused");
    (error.kind(), error.code().to_owned(), error.sentence().to_owned())
}

#[test]
fn set_bits_or_positions_with_counts() {
    let bits =
        call("molecular_fingerprint", json!({"smiles": "OCCO", "fp_size": 64})).expect("runs");
    assert_eq!(bits["values"], json!([16, 25, 30, 39, 45]));
    assert_eq!(
        bits["proof"],
        json!({"scope": "fingerprint_generation", "optimal": null, "search_proof_applicable": false})
    );
    assert_eq!(bits["status"], "COMPLETED");
    assert_eq!((&bits["scheme"], &bits["radius"]), (&json!("ecfp(radius=2)"), &json!(2)));
    assert_eq!(bits["scheme_version"], "rdkit-2026.09");
    assert_eq!(bits["path_length"], Value::Null);
    let counts = json!({"smiles": "OCCO", "fp_size": 64, "counts": true});
    let counts = call("molecular_fingerprint", counts).expect("runs");
    assert_eq!(counts["values"], json!([[16, 2], [25, 2], [30, 2], [39, 2], [45, 1]]));
}

#[test]
fn every_kind_runs() {
    for kind in ["ecfp", "fcfp", "circular", "path", "torsion", "mcs"] {
        let arguments = json!({"smiles": "CC(=O)Nc1ccc(O)cc1", "kind": kind});
        let result = call("molecular_fingerprint", arguments).expect("runs");
        assert_eq!(result["kind"], kind);
        assert!(result["values"].as_array().is_some_and(|values| values.len() > 4), "{kind}");
    }
    let ask = |kind| {
        let arguments = json!({"smiles": "CC(=O)Nc1ccc(O)cc1", "kind": kind});
        call("molecular_fingerprint", arguments).expect("runs")["values"].clone()
    };
    assert_eq!(ask("ecfp"), ask("circular"));
}

#[test]
fn each_coefficient_scores_a_pair() {
    for (metric, expected) in [("tanimoto", "0.368"), ("dice", "0.538"), ("cosine", "0.545")] {
        let arguments = json!({
            "query_smiles": "Oc1ccccc1", "target_smiles": "Cc1ccccc1O", "metric": metric,
        });
        let result = call("molecular_similarity", arguments).expect("runs");
        let score = result["score"].as_f64().expect("a number");
        assert_eq!(format!("{score:.3}"), expected, "{metric}");
        assert_eq!(result["metric"], metric);
    }
    let counted = json!({
        "query_smiles": "CCCC", "target_smiles": "CCCCCCCC", "radius": 0, "counts": true,
    });
    // Two ends each, and two against six atoms in the chain.
    assert_eq!(call("molecular_similarity", counted).expect("runs")["score"], 0.5);
}

#[test]
fn a_screen_goes_page_by_page() {
    let list = ["Oc1ccccc1", "Cc1ccccc1O", "Nc1ccccc1", "CCO", "Oc1ccccc1", "c1ccccc1"];
    let page = |offset: u64| {
        let arguments = json!({
            "query_smiles": "Oc1ccccc1", "targets_smiles": list, "threshold": 0.3,
            "max_hits": 2, "offset": offset,
        });
        call("screen_molecules", arguments).expect("runs")
    };
    let hits = |page: &Value| -> Vec<(u64, String)> {
        let hits = page["hits"].as_array().expect("a list").iter();
        hits.map(|hit| {
            let score = hit["score"].as_f64().expect("a number");
            (hit["target_index"].as_u64().expect("an index"), format!("{score:.3}"))
        })
        .collect()
    };
    let first = page(0);
    assert_eq!(hits(&first), [(0, "1.000".to_owned()), (4, "1.000".to_owned())]);
    assert_eq!((&first["total_hits"], &first["total_targets"]), (&json!(4), &json!(6)));
    assert_eq!((&first["next_offset"], &first["truncated"]), (&json!(2), &json!(true)));
    let second = page(2);
    assert_eq!(hits(&second), [(2, "0.375".to_owned()), (1, "0.368".to_owned())]);
    assert_eq!((&second["next_offset"], &second["truncated"]), (&Value::Null, &json!(true)));
    let beyond = page(64);
    assert_eq!((hits(&beyond).len(), &beyond["next_offset"]), (0, &Value::Null));
}

#[test]
fn a_threshold_is_met_by_an_equal_score() {
    let arguments = json!({
        "query_smiles": "CCO", "targets_smiles": ["OCC", "CCN"], "threshold": 1,
    });
    let result = call("screen_molecules", arguments).expect("runs");
    assert_eq!(result["hits"], json!([{"target_index": 0, "score": 1.0}]));
    assert_eq!(result["truncated"], false);
}

/// `rdkit_5198`: fingerprints of a mapped molecule differed from those of the plain one.
#[test]
fn atom_maps_do_not_count() {
    let spellings = [
        "C[C@@H]1CC[C@H](c2ccccc2)C[C@H]1O",
        "[CH3:1][C@@H:2]1[CH2:3][CH2:4][C@H:5]([c:6]2[cH:7][cH:8][cH:9][cH:10][cH:11]2)[CH2:12][C@H:13]1[OH:14]",
        "[CH3:9][C@@H:2]1[CH2:7][CH2:4][C@H:1]([c:6]2[cH:3][cH:8][cH:5][cH:10][cH:13]2)[CH2:12][C@H:11]1[OH:14]",
    ];
    for kind in ["ecfp", "fcfp", "path", "torsion", "mcs"] {
        let values = spellings.map(|smiles| {
            call("molecular_fingerprint", json!({"smiles": smiles, "kind": kind})).expect("runs")
                ["values"]
                .clone()
        });
        assert!(values[0] == values[1] && values[0] == values[2], "{kind}");
    }
}

#[test]
fn bad_arguments_are_refused() {
    use ToolErrorKind::{Argument, Tool};
    let fingerprint = |more: Value| {
        let mut arguments = json!({"smiles": "CCO"});
        for (key, value) in more.as_object().expect("an object") {
            arguments[key.as_str()] = value.clone();
        }
        refused("molecular_fingerprint", arguments)
    };
    let fault = |kind, code: &str, sentence: &str| (kind, code.to_owned(), sentence.to_owned());
    for (more, expected) in [
        (json!({"smiles": " "}), fault(Argument, "argument.blank", "smiles must not be blank")),
        (json!({"smiles": ""}), fault(Argument, "argument.blank", "smiles must not be blank")),
        (
            json!({"fp_size": 0}),
            fault(Argument, "argument.range", "fp_size is outside its supported range"),
        ),
        (
            json!({"fp_size": 65_537}),
            fault(Argument, "argument.range", "fp_size is outside its supported range"),
        ),
        (
            json!({"radius": 9}),
            fault(Argument, "argument.range", "radius is outside its supported range"),
        ),
        (
            json!({"path_length": 0}),
            fault(Argument, "argument.range", "path_length is outside its supported range"),
        ),
        (
            json!({"kind": "maccs"}),
            fault(Argument, "argument.choice", "kind is not a supported value"),
        ),
        (
            json!({"kind": "mcs", "counts": true}),
            fault(Argument, "argument.combination", "counts are not available for mcs"),
        ),
        (
            json!({"kind": "torsion", "fp_size": 4}),
            fault(Argument, "argument.combination", "fp_size is too small for torsion"),
        ),
        (json!({"smiles": "C1CC"}), fault(Tool, "smiles.unclosed_ring", "Unclosed ring(s): 1")),
        (
            json!({"smiles": "C".repeat(1_025)}),
            fault(Tool, "molecule.too_large", "smiles has too many atoms"),
        ),
    ] {
        assert_eq!(fingerprint(more.clone()), expected, "{more}");
    }
    let small = json!({"smiles": "CCCC", "kind": "torsion", "fp_size": 4, "counts": true});
    assert_eq!(call("molecular_fingerprint", small).expect("runs")["values"], json!([[3, 1]]));
    let screen = |targets: Value, threshold: Value| {
        let arguments =
            json!({"query_smiles": "CCO", "targets_smiles": targets, "threshold": threshold});
        refused("screen_molecules", arguments)
    };
    for (targets, threshold, code) in [
        (json!([]), json!(0.5), "argument.range"),
        (json!(vec!["C"; 65]), json!(0.5), "argument.range"),
        (json!(["C", " "]), json!(0.5), "argument.blank"),
        (json!(["C", 5]), json!(0.5), "argument.type"),
        (json!("C"), json!(0.5), "argument.type"),
        (json!(["C"]), json!(1.01), "argument.range"),
        (json!(["C"]), json!(-0.01), "argument.range"),
        // What is no number in JSON cannot be written but as one of these.
        (json!(["C"]), Value::Null, "argument.type"),
        (json!(["C"]), json!("NaN"), "argument.type"),
        (json!(vec!["C".repeat(2_000); 40]), json!(0.5), "argument.range"),
        (json!(vec!["C".repeat(600); 8]), json!(0.5), "molecule.too_large"),
        (json!(["C", "C(C"]), json!(0.5), "smiles.unclosed_branch"),
    ] {
        assert_eq!(screen(targets.clone(), threshold).1, code, "{targets}");
    }
}

#[test]
fn the_bad_one_of_a_list_is_named() {
    let arguments = json!({"query_smiles": "CCO", "targets_smiles": ["C", "C1CC"]});
    let error = call("screen_molecules", arguments).expect_err("refused");
    assert_eq!(error.argument_name(), Some("targets_smiles[1]"));
    assert_eq!(error.position(), Some(1));
}
