//! Real results against the declared schemas, and what they must say.

use serde_json::{Value, json};
use synthon_tools::{CallContext, Registry, ToolError, call_tool};

fn call(tool: &str, arguments: Value) -> Result<Value, ToolError> {
    let reply = call_tool(tool, &arguments, &CallContext::default())?;
    let result = Value::Object(reply.structured);
    let declared = Registry::standard().find(tool).expect("a tool").output_schema;
    let validator = jsonschema::validator_for(&declared()).expect("a valid schema");
    let faults: Vec<String> = validator
        .iter_errors(&result)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{tool} {arguments}:\n{}\n{result:#}", faults.join("\n"));
    assert!(!reply.text.is_empty());
    Ok(result)
}

mod standardise_molecule {
    use super::*;

    #[test]
    fn the_default_changes_the_writing_only() {
        let result = call("standardise_molecule", json!({"smiles": "[Na+].[O-]C(=O)c1ccccc1"}))
            .expect("runs");
        let smiles = result["smiles"].as_str().expect("text");
        assert!(smiles.contains('.') && smiles.contains("[Na+]") && smiles.contains("[O-]"));
        assert_eq!(result["operations"], json!(["canonical_smiles"]));
        assert_eq!(result["backend"], "synthon");
        assert_eq!(result["chemical_transformations"], false);
        assert_eq!(result["changes"][0]["before"], "[Na+].[O-]C(=O)c1ccccc1");
        assert_eq!(result["changes"][0]["after"], smiles);
        assert_eq!(
            result["proof"],
            json!({"scope": "standardisation", "optimal": null, "search_proof_applicable": false})
        );
        assert_eq!((&result["status"], &result["complete"]), (&json!("COMPLETED"), &json!(true)));
    }

    #[test]
    fn maps_go_only_when_asked() {
        let mapped = json!({"smiles": "[CH3:1][OH:2]"});
        let kept = call("standardise_molecule", mapped).expect("runs");
        assert!(kept["smiles"].as_str().expect("text").contains(":1]"));
        let removed = call(
            "standardise_molecule",
            json!({"smiles": "[CH3:1][OH:2]", "remove_atom_maps": true}),
        )
        .expect("runs");
        assert_eq!(removed["smiles"], "CO");
        assert_eq!(removed["operations"], json!(["remove_atom_maps", "canonical_smiles"]));
        assert_eq!(removed["changes"][0]["before"], "[CH3:1][OH:2]");
        assert_eq!(removed["changes"][1]["before"], removed["changes"][0]["after"]);
    }

    #[test]
    fn spellings_give_one_text() {
        for spellings in [
            ["OCC", "C(O)C"],
            ["c1ccccc1C", "CC1=CC=CC=C1"],
            ["CC(=O)Nc1ccc(O)cc1", "Oc1ccc(NC(C)=O)cc1"],
        ] {
            let texts = spellings.map(|s| {
                call("standardise_molecule", json!({"smiles": s})).expect("runs")["smiles"].clone()
            });
            assert_eq!(texts[0], texts[1]);
        }
    }

    #[test]
    fn a_bad_smiles_is_told_with_place_and_reason() {
        let error = call("standardise_molecule", json!({"smiles": "C1CC"})).expect_err("refused");
        assert_eq!(error.kind(), synthon_tools::ToolErrorKind::Tool);
        assert_eq!(error.sentence(), "Unclosed ring(s): 1");
        assert!(error.to_string().starts_with("Unclosed ring(s): 1 at position 1"), "{error}");
        assert_eq!(error.code(), "smiles.unclosed_ring");
        assert_eq!(error.argument_name(), Some("smiles"));
    }

    #[test]
    fn too_many_atoms_are_refused() {
        call("standardise_molecule", json!({"smiles": "C".repeat(128)})).expect("at the cap");
        let error = call("standardise_molecule", json!({"smiles": "C".repeat(129)}))
            .expect_err("over the cap");
        assert_eq!(error.code(), "molecule.too_large");
        assert_eq!(error.to_string(), "smiles has too many atoms: 129 (at most 128)");
    }
}
