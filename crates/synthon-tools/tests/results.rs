//! Real results against the declared schemas, and what they must say.

#[path = "results/fingerprints.rs"]
mod fingerprints;
#[path = "results/planning.rs"]
mod planning;

use std::sync::LazyLock;

use serde_json::{Value, json};
use synthon_tools::{CallContext, Catalogue, Registry, ToolError, call_tool};

fn call(tool: &str, arguments: Value) -> Result<Value, ToolError> {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::default);
    let reply = call_tool(tool, &arguments, &CallContext::new(&CATALOGUE))?;
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
    fn options_run_in_their_order_and_say_what_they_did() {
        let result = call(
            "standardise_molecule",
            json!({
                "smiles": "[Na]OC(=O)c1ccc(O)[n:1]c1.Cl",
                "canonical_tautomer": true,
                "neutralise": true,
                "largest_fragment": true,
                "cleanup": true,
                "remove_atom_maps": true,
            }),
        )
        .expect("runs");
        assert_eq!(result["smiles"], "O=C(O)c1ccc(=O)[nH]c1");
        let names = json!([
            "remove_atom_maps",
            "cleanup",
            "largest_fragment",
            "neutralise",
            "canonical_tautomer",
            "canonical_smiles"
        ]);
        assert_eq!(result["operations"], names);
        assert_eq!(result["chemical_transformations"], true);
        let changes = result["changes"].as_array().expect("a list");
        assert!(changes.windows(2).all(|pair| pair[0]["after"] == pair[1]["before"]));
        assert_eq!(changes[2]["removed"], "Cl.[Na+]");
        assert_eq!((&result["status"], &result["complete"]), (&json!("COMPLETED"), &json!(true)));
    }

    #[test]
    fn an_operation_without_work_has_not_changed_the_writing() {
        let arguments = json!({
            "smiles": "OCC", "cleanup": true, "largest_fragment": true, "neutralise": true,
        });
        let result = call("standardise_molecule", arguments).expect("runs");
        let changed =
            |change: &Value| (change["before"] != change["after"]).then(|| change.clone());
        let changes: Vec<Value> =
            result["changes"].as_array().expect("a list").iter().filter_map(changed).collect();
        let order = json!({"operation": "canonical_smiles", "before": "OCC", "after": "CCO"});
        assert_eq!(changes, [order]);
    }

    #[test]
    fn a_tautomer_chosen_among_some_says_so() {
        let peptide = format!("{}O", "NCC(=O)".repeat(20));
        let result =
            call("standardise_molecule", json!({"smiles": peptide, "canonical_tautomer": true}))
                .expect("runs");
        assert_eq!(
            (&result["status"], &result["complete"]),
            (&json!("LIMIT_REACHED"), &json!(false))
        );
        assert_eq!(result["limits"]["max_tautomers"], 128);
        assert_eq!(result["limits"]["max_transforms"], 256);
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
        assert!(
            error.to_string().starts_with("Unclosed ring(s): 1 at position 1 of smiles; write"),
            "{error}"
        );
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

/// The values of the reference document's examples, and the proof fields around them.
mod search {
    use super::*;

    const ANTHRACENE: &str = "c1ccc2cc3ccccc3cc2c1";

    #[test]
    fn the_common_part_of_two_amides() {
        let result =
            call("find_mcs", json!({"query_smiles": "CC(=O)NC", "target_smiles": "CCC(=O)N"}))
                .expect("runs");
        assert_eq!(result["found"], true);
        assert_eq!((&result["status"], &result["optimal"]), (&json!("COMPLETED"), &json!(true)));
        let found = &result["matches"][0];
        assert_eq!(found["atom_mapping"], json!([[0, 1], [1, 2], [2, 3], [3, 4]]));
        assert_eq!(found["bond_mapping"], json!([[0, 1, 1, 2], [1, 2, 2, 3], [1, 3, 2, 4]]));
        assert_eq!(found["fragments"], json!([[0, 1, 2, 3]]));
        assert_eq!((&found["atom_count"], &found["bond_count"]), (&json!(4), &json!(3)));
        assert_eq!(result["score"], 4.0);
        assert_eq!(
            result["proof"],
            json!({"scope": "native_search", "optimal": true, "complete": true})
        );
        assert_eq!(result["budget"]["timeout_ms"], 1000);
        assert_eq!(result["claim"].as_str().expect("text").split(':').next(), Some("Proved"));
    }

    #[test]
    fn one_embedding_of_a_pattern_or_a_molecule() {
        let target = "CC(C)(C)c1ccc(O)cc1";
        let hit = call("find_substructure", json!({"query": "[OX2H]c", "target_smiles": target}))
            .expect("runs");
        assert_eq!(hit["matches"][0]["atom_mapping"], json!([[0, 8], [1, 7]]));
        let phenol = json!({
            "query": "Oc1ccccc1", "target_smiles": target, "query_format": "smiles",
        });
        let phenol = call("find_substructure", phenol).expect("runs");
        assert_eq!(phenol["matches"][0]["atom_count"], 7);
    }

    #[test]
    fn every_embedding_up_to_the_cap() {
        let glycerol = json!({"query_smarts": "[OX2H]", "target_smiles": "OCC(O)CO"});
        let all = call("search_smarts", glycerol).expect("runs");
        let maps: Vec<&Value> = all["matches"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|found| &found["atom_mapping"])
            .collect();
        assert_eq!(json!(maps), json!([[[0, 0]], [[0, 3]], [[0, 5]]]));
        assert_eq!((&all["complete"], &all["truncated"]), (&json!(true), &json!(false)));
        let capped = json!({
            "query_smarts": "[OX2H]", "target_smiles": "OCC(O)CO", "max_matches": 2,
        });
        let capped = call("search_smarts", capped).expect("runs");
        assert_eq!(capped["matches"].as_array().map(Vec::len), Some(2));
        assert_eq!(capped["status"], "LIMIT_REACHED");
        assert_eq!((&capped["complete"], &capped["truncated"]), (&json!(false), &json!(true)));
        assert_eq!(capped["optimal"], true);
    }

    #[test]
    fn absence_is_proved_only_by_a_finished_search() {
        let absent =
            call("find_substructure", json!({"query": "[N]", "target_smiles": ANTHRACENE}))
                .expect("runs");
        assert_eq!(
            (&absent["found"], &absent["status"], &absent["optimal"]),
            (&json!(false), &json!("COMPLETED"), &json!(true))
        );
        for (tool, query) in [
            ("find_substructure", "query"),
            ("search_smarts", "query_smarts"),
            ("find_mcs", "query_smiles"),
        ] {
            let arguments =
                json!({query: "c1ccccc1", "target_smiles": ANTHRACENE, "timeout_ms": 0});
            let stopped = call(tool, arguments).expect("runs");
            assert_eq!(
                (&stopped["found"], &stopped["status"], &stopped["optimal"], &stopped["complete"]),
                (&json!(false), &json!("TIMED_OUT"), &json!(false), &json!(false)),
                "{tool}"
            );
            assert_eq!(stopped["nodes_visited"], 0, "{tool}");
            assert_eq!(stopped["score"], 0.0);
        }
    }

    #[test]
    fn a_node_limit_keeps_what_was_found() {
        let arguments = json!({
            "query_smiles": "CCOC(=O)c1ccc(NC(=O)C2CCN(C)CC2)cc1",
            "target_smiles": "COC(=O)c1cccc(CNC(=O)C2CCOCC2)c1",
            "node_limit": 5,
        });
        let result = call("find_mcs", arguments).expect("runs");
        assert_eq!(result["status"], "LIMIT_REACHED");
        assert_eq!(
            (&result["found"], &result["optimal"], &result["complete"]),
            (&json!(true), &json!(false), &json!(false))
        );
    }

    #[test]
    fn switches_act_by_kind_of_query() {
        let found =
            |tool: &str, arguments: Value| call(tool, arguments).expect("runs")["found"].clone();
        let ring = json!({
            "query": "CC", "target_smiles": "C1CCCCC1", "query_format": "smiles",
            "ring_matches_ring_only": true,
        });
        assert_eq!(found("find_substructure", ring), false);
        let pattern = json!({
            "query": "CC", "target_smiles": "C1CCCCC1", "ring_matches_ring_only": true,
        });
        assert_eq!(found("find_substructure", pattern), true);
        let whole = json!({
            "query_smarts": "CCCC", "target_smiles": "C1CCC1", "complete_rings_only": true,
        });
        assert_eq!(found("search_smarts", whole), false);
        let stereo = json!({
            "query": "C[C@H](N)O", "target_smiles": "CC(N)O", "query_format": "smiles",
            "match_stereo": true,
        });
        assert_eq!(found("find_substructure", stereo), false);
        let induced = json!({"query": "CCC", "target_smiles": "C1CC1", "induced": true});
        assert_eq!(found("find_substructure", induced), false);
    }

    #[test]
    fn bad_input_is_told_with_its_place() {
        let pair = |query: &str| json!({"query_smiles": query, "target_smiles": "CCN"});
        let error = call("find_mcs", pair("C1CC")).expect_err("refused");
        assert_eq!(
            (error.sentence(), error.argument_name()),
            ("Unclosed ring(s): 1", Some("query_smiles"))
        );
        let error = call("find_mcs", pair(&"C".repeat(1025))).expect_err("refused");
        assert_eq!(error.code(), "molecule.too_large");
        let smarts = json!({"query_smarts": " C;;N", "target_smiles": "CCN"});
        let error = call("search_smarts", smarts).expect_err("refused");
        assert_eq!(error.kind(), synthon_tools::ToolErrorKind::Tool);
        assert!(error.code().starts_with("smarts."), "{}", error.code());
        assert!(error.position().is_some());
    }
}

mod find_routes {
    use super::*;

    const PARACETAMOL: &str = "CC(=O)Nc1ccc(O)cc1";

    #[test]
    fn routes_end_in_stock_and_say_what_they_prove() {
        let result = call("find_routes", json!({"smiles": "Oc1ccc(NC(C)=O)cc1"})).expect("runs");
        assert_eq!(result["target"], PARACETAMOL);
        let routes = result["routes"].as_array().expect("a list");
        assert!(!routes.is_empty() && routes.len() <= 5);
        assert_eq!(result["routes_found"], routes.len());
        for route in routes {
            assert!(
                route["leaves"].as_array().expect("leaves").iter().all(|l| l["in_stock"] == "yes")
            );
            for step in route["steps"].as_array().expect("steps") {
                assert_eq!(step["balanced"], true);
                assert_eq!(step["forward_check"]["reproduces_target"], true);
            }
        }
        assert_eq!(result["proof"]["scope"], "planning");
        assert_eq!(result["proof"]["complete"], result["complete"]);
        assert_eq!(
            result["budget"],
            json!({"timeout_secs": 20, "node_limit": 20_000, "call_timeout_secs": 55})
        );
    }

    #[test]
    fn the_same_call_gives_the_same_bytes() {
        let run = || {
            let arguments = json!({"smiles": "CC(=O)Oc1ccccc1C(=O)O", "node_limit": 50});
            let mut result = call("find_routes", arguments).expect("runs");
            result.as_object_mut().expect("an object").remove("timings");
            result.to_string()
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn brief_leaves_out_and_full_tells_all() {
        let step = |detail: &str| {
            let arguments = json!({"smiles": PARACETAMOL, "max_routes": 1, "detail": detail});
            call("find_routes", arguments).expect("runs")["routes"][0]["steps"][0].clone()
        };
        let (brief, full) = (step("brief"), step("full"));
        for key in ["conditions", "forward_check", "changed_atoms", "atom_economy"] {
            assert!(full.get(key).is_some() && brief.get(key).is_none(), "{key}");
        }
        let kept: Vec<_> = brief.as_object().expect("an object").keys().collect();
        let same: Vec<_> =
            full.as_object().expect("an object").keys().filter(|key| kept.contains(key)).collect();
        assert_eq!(kept, same, "the order of the keys stays");
    }

    #[test]
    fn the_trace_is_given_when_asked_for() {
        let arguments = json!({"smiles": PARACETAMOL, "candidate_trace_limit": 3});
        let result = call("find_routes", arguments).expect("runs");
        assert_eq!(result["candidates"].as_array().expect("a list").len(), 3);
        let without = call("find_routes", json!({"smiles": PARACETAMOL})).expect("runs");
        assert!(without.get("candidates").is_none());
    }

    #[test]
    fn avoided_elements_are_in_no_building_block() {
        let arguments = json!({"smiles": PARACETAMOL, "avoid_elements": "I, Br,Br"});
        let result = call("find_routes", arguments).expect("runs");
        assert_eq!(result["proof"]["constraints"]["avoid_elements"], json!(["I", "Br"]));
        let routes = result["routes"].to_string();
        assert!(!routes.contains("Oc1ccc(I)cc1") && !routes.contains("Oc1ccc(Br)cc1"));
    }

    #[test]
    fn what_does_not_go_together_is_refused_by_name() {
        let rows = [
            (
                json!({"coverage_timeout_secs": 60}),
                "argument.combination",
                "coverage_timeout_secs does not go with search_mode standard",
            ),
            (
                json!({"coverage_templates": "curated"}),
                "argument.combination",
                "coverage_templates does not go with search_mode standard",
            ),
            (
                json!({"search_mode": "coverage", "coverage_templates": "curated", "timeout_secs": 5}),
                "argument.combination",
                "timeout_secs does not go with search_mode coverage",
            ),
            (
                json!({"search_mode": "coverage"}),
                "argument.combination",
                "search_mode coverage needs coverage_templates",
            ),
            (json!({"library": "nope"}), "library.unknown", "library names no configured library"),
            (json!({"stock": "nope"}), "stock.unknown", "stock names no configured stock"),
            (
                json!({"search_mode": "coverage", "coverage_templates": "x"}),
                "library.unknown",
                "coverage_templates names no configured library",
            ),
            (
                json!({"avoid_elements": "Br,Xx"}),
                "element.unknown",
                "avoid_elements names an unknown element",
            ),
            (
                json!({"require_elements": "*"}),
                "element.unknown",
                "require_elements names an unknown element",
            ),
        ];
        for (mut arguments, code, sentence) in rows {
            // The arguments alone decide, so the molecule is never looked at.
            arguments["smiles"] = "C1CC".into();
            let error = call("find_routes", arguments.clone()).expect_err("refused");
            assert_eq!(error.kind(), synthon_tools::ToolErrorKind::Argument, "{arguments}");
            assert_eq!((error.code(), error.sentence()), (code, sentence));
        }
    }

    #[test]
    fn coverage_runs_when_the_standard_library_gives_nothing() {
        let arguments = json!({
            "smiles": PARACETAMOL, "search_mode": "coverage", "coverage_templates": "curated",
        });
        let result = call("find_routes", arguments).expect("runs");
        assert!(result["routes_found"].as_u64().expect("a number") > 0);
        // Ethanol cannot be made from molecules without carbon, so both searches end empty.
        let arguments = json!({
            "smiles": "CCO", "avoid_elements": "C", "depth": 1,
            "search_mode": "coverage", "coverage_templates": "curated",
        });
        let result = call("find_routes", arguments).expect("runs");
        assert_eq!(result["routes_found"], 0);
        assert_eq!(result["budget"]["timeout_secs"], 60);
    }

    #[test]
    fn a_bad_target_is_a_failure_of_the_tool() {
        let error = call("find_routes", json!({"smiles": "c1cccn1"})).expect_err("refused");
        assert_eq!(error.kind(), synthon_tools::ToolErrorKind::Tool);
        assert!(error.hint().is_some(), "{error}");
    }
}

mod depict_mcs {
    use super::*;

    #[test]
    fn phenol_and_aniline_share_a_drawn_ring() {
        let arguments = json!({
            "query_smiles": "Oc1ccccc1", "target_smiles": "Nc1ccccc1", "width": 600, "height": 300,
        });
        let result = call("depict_mcs", arguments).expect("runs");
        assert_eq!((&result["status"], &result["optimal"]), (&json!("COMPLETED"), &json!(true)));
        assert_eq!(result["matches"][0]["atom_count"], 6);
        assert_eq!(result["mime_type"], "image/svg+xml");
        assert_eq!((&result["width"], &result["height"]), (&json!(600), &json!(300)));
        assert_eq!(result["limits"]["max_atoms"], 256);
        let svg = result["svg"].as_str().expect("a drawing");
        assert!(svg.starts_with("<svg") && svg.contains("width=\"600\" height=\"300\""));
    }

    #[test]
    fn without_a_match_there_is_no_drawing() {
        let result =
            call("depict_mcs", json!({"query_smiles": "O", "target_smiles": "N"})).expect("runs");
        assert_eq!((&result["found"], &result["svg"]), (&json!(false), &json!(null)));
        assert_eq!((&result["width"], &result["height"]), (&json!(800), &json!(360)));
    }

    #[test]
    fn it_is_find_mcs_with_a_drawing() {
        let pair = json!({"query_smiles": "CC(=O)Nc1ccc(O)cc1", "target_smiles": "CC(=O)Oc1ccccc1",
                          "objective": "mces", "connected": false});
        let drawn = call("depict_mcs", pair.clone()).expect("runs");
        let found = call("find_mcs", pair).expect("runs");
        for (key, value) in found.as_object().expect("an object") {
            if !matches!(key.as_str(), "elapsed_ms" | "timings" | "limits") {
                assert_eq!(&drawn[key], value, "{key}");
            }
        }
    }

    #[test]
    fn the_bounds_are_those_of_drawings() {
        let atoms = |count: usize| json!({"query_smiles": "C".repeat(count), "target_smiles": "C", "timeout_ms": 30_000});
        assert!(call("depict_mcs", atoms(256)).expect("at the cap")["svg"].is_string());
        let error = call("depict_mcs", atoms(257)).expect_err("over the cap");
        assert_eq!(error.code(), "molecule.too_large");
        for (key, value) in [("width", 199), ("width", 1_601), ("height", 149), ("height", 1_201)] {
            let mut arguments = json!({"query_smiles": "C", "target_smiles": "C"});
            arguments[key] = value.into();
            assert_eq!(
                call("depict_mcs", arguments).expect_err("out of bounds").kind(),
                synthon_tools::ToolErrorKind::Argument
            );
        }
    }

    #[test]
    fn a_stopped_search_stays_stopped() {
        let arguments = json!({"query_smiles": "CCO", "target_smiles": "CCN", "timeout_ms": 0});
        let result = call("depict_mcs", arguments).expect("runs");
        assert_eq!((&result["status"], &result["optimal"]), (&json!("TIMED_OUT"), &json!(false)));
        assert!(result["svg"].is_null() || result["found"] == true);
    }
}

#[test]
fn every_molecular_tool_tells_what_was_dropped_on_reading() {
    // An extension, and stereo where there is none.
    let (extended, flat) = ("CCO |$a;b;c$| ethanol", "C[C@H](C)O");
    let pair = json!({"query_smiles": extended, "target_smiles": flat});
    let rows = [
        ("find_mcs", pair.clone(), ["query_smiles: ", "target_smiles: "]),
        ("depict_mcs", pair.clone(), ["query_smiles: ", "target_smiles: "]),
        ("molecular_similarity", pair, ["query_smiles: ", "target_smiles: "]),
        (
            "find_substructure",
            json!({"query": extended, "query_format": "smiles", "target_smiles": flat}),
            ["query: ", "target_smiles: "],
        ),
        (
            "screen_molecules",
            json!({"query_smiles": extended, "targets_smiles": ["C", flat]}),
            ["query_smiles: ", "targets_smiles[1]: "],
        ),
    ];
    for (tool, arguments, places) in rows {
        let told = call(tool, arguments).expect("runs")["warnings"].clone();
        let told: Vec<&str> =
            told.as_array().expect(tool).iter().filter_map(Value::as_str).collect();
        assert_eq!(told.len(), 2, "{tool}: {told:?}");
        assert!(told[0].starts_with(places[0]) && told[0].contains("CXSMILES"), "{tool}: {told:?}");
        assert!(told[1].starts_with(places[1]) && told[1].contains("Stereo"), "{tool}: {told:?}");
    }
    for (tool, arguments) in [
        ("standardise_molecule", json!({"smiles": extended})),
        ("molecular_fingerprint", json!({"smiles": extended})),
        ("search_smarts", json!({"query_smarts": "C", "target_smiles": extended})),
    ] {
        let told = call(tool, arguments).expect("runs")["warnings"].clone();
        assert_eq!(told.as_array().map(Vec::len), Some(1), "{tool}: {told}");
        assert!(told[0].as_str().is_some_and(|told| told.starts_with("The CXSMILES")), "{told}");
    }
    // Many are counted.
    let many = format!("C{}", "[C@@H](C)".repeat(120));
    let told =
        call("molecular_fingerprint", json!({"smiles": many})).expect("runs")["warnings"].clone();
    let told = told.as_array().expect("a list");
    assert!(told.len() <= 20, "{told:?}");
}

#[test]
fn a_control_character_is_refused_with_its_place() {
    for (smiles, at) in [("CCO\u{1b}[2J", 3), ("CCO\u{7}", 3), ("CC\u{0}O", 2), ("CCO a\u{8}b", 5)]
    {
        for (tool, argument) in
            [("standardise_molecule", "smiles"), ("molecular_fingerprint", "smiles")]
        {
            let error = call(tool, json!({"smiles": smiles})).expect_err("refused");
            assert_eq!((error.code(), error.position()), ("smiles.syntax", Some(at)), "{smiles:?}");
            assert_eq!(error.argument_name(), Some(argument));
            assert!(!error.to_string().contains(char::is_control));
        }
    }
}
