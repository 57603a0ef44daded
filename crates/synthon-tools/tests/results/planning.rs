//! The planning tools around find_routes.

use serde_json::{Value, json};

use super::call;

const PARACETAMOL: &str = "CC(=O)Nc1ccc(O)cc1";
/// Nothing of the shipped stock and library makes it.
const FAR: &str = "C1CC2(C1)CC1(CC3(C1)CC1(CCC1)C3)C2";

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn refused(tool: &str, arguments: Value) -> String {
    call(tool, arguments).expect_err("refused").code().to_owned()
}

/// The first step of the best route as somebody else would write it.
fn hydrolysis() -> Value {
    json!({"steps": [{"target": PARACETAMOL, "precursors": ["Nc1ccc(O)cc1", "CC(=O)OC(C)=O"]}]})
}

mod validate_route {
    use super::*;

    #[test]
    fn the_best_route_passes() {
        let result = call("validate_route", json!({"smiles": PARACETAMOL})).expect("runs");
        assert_eq!((&result["verdict"], &result["reasons"]), (&json!("pass"), &json!([])));
        assert_eq!(
            (&result["routes_found"], &result["all_atom_balanced"]),
            (&json!(1), &json!(true))
        );
        assert!(result["search"]["nodes_expanded"].as_u64() > Some(0));
        for step in list(&result["steps"]) {
            assert_eq!(step["recognised"], true);
            assert_eq!(step["forward_check"]["reproduces_target"], true);
        }
    }

    #[test]
    fn a_route_of_ones_own_is_looked_at_step_by_step() {
        let arguments = json!({"smiles": "Oc1ccc(NC(C)=O)cc1", "route": hydrolysis()});
        let result = call("validate_route", arguments).expect("runs");
        assert_eq!(result["verdict"], "pass", "{result:#}");
        let step = &result["steps"][0];
        assert_eq!(step["reaction_family"], "amide_formation");
        assert!(list(&step["precursors"]).iter().all(|leaf| leaf["in_stock"] == "yes"));
        assert!(result["confidence"].as_f64() > Some(0.0));
        assert!(result.get("search").is_none(), "nothing was searched");
    }

    #[test]
    fn a_planned_route_can_be_brought_back() {
        let arguments = json!({"smiles": PARACETAMOL, "max_routes": 1});
        let found = call("find_routes", arguments).expect("runs");
        let arguments = json!({"smiles": PARACETAMOL, "route": found["routes"][0]});
        let result = call("validate_route", arguments).expect("runs");
        assert_eq!(result["verdict"], "pass");
        assert_eq!(result["confidence"], found["routes"][0]["confidence"]);
        assert_eq!(result["tier"], found["routes"][0]["tier"]);
    }

    #[test]
    fn what_is_wrong_fails_and_what_is_unknown_is_open() {
        let verdict = |steps: Value| {
            let route = json!({ "steps": steps });
            let arguments = json!({"smiles": PARACETAMOL, "route": route});
            let result = call("validate_route", arguments).expect("runs");
            (text(&result["verdict"]).to_owned(), result)
        };
        let (missing_atoms, result) =
            verdict(json!([{"target": PARACETAMOL, "precursors": ["Oc1ccccc1", "CC(=O)O"]}]));
        assert_eq!(missing_atoms, "fail");
        assert_eq!(result["all_atom_balanced"], false);
        assert!(text(&result["reasons"][0]).contains("1 N"), "{}", result["reasons"]);
        let (unknown, result) = verdict(json!([
            {"target": PARACETAMOL, "precursors": ["Nc1ccc(O)cc1", "CC(=O)OCc1ccccc1", "CO"]},
        ]));
        assert_eq!(result["steps"][0]["recognised"], false);
        assert!(unknown == "partial" || unknown == "fail");
        let (not_sold, _) = verdict(json!([
            {"target": PARACETAMOL, "precursors": ["Nc1ccc(O[Si](C)(C)CCCCCCCCl)cc1", "CC(=O)Cl"]},
        ]));
        assert_eq!(not_sold, "fail");
        let (stray, result) = verdict(json!([
            {"target": PARACETAMOL, "precursors": ["Nc1ccc(O)cc1", "CC(=O)OC(C)=O"]},
            {"target": "CCOC(C)=O", "precursors": ["CCO", "CC(=O)O"]},
        ]));
        assert_eq!(stray, "fail");
        assert!(text(&result["reasons"][0]).contains("lead to nothing"));
        let (looping, _) = verdict(json!([
            {"target": PARACETAMOL, "precursors": ["Nc1ccc(O)cc1", "CC(=O)OC(C)=O"]},
            {"target": "Nc1ccc(O)cc1", "precursors": [PARACETAMOL]},
        ]));
        assert_eq!(looping, "fail");
    }

    #[test]
    fn another_root_and_no_route_are_refused() {
        let arguments = json!({"smiles": "CCO", "route": hydrolysis()});
        assert_eq!(refused("validate_route", arguments), "route.root");
        assert_eq!(refused("validate_route", json!({"smiles": "C", "route": {}})), "route.form");
        assert_eq!(refused("validate_route", json!({"smiles": "C", "route": []})), "argument.type");
    }

    #[test]
    fn no_route_at_all_does_not_pass() {
        let result =
            call("validate_route", json!({"smiles": FAR, "node_limit": 20})).expect("runs");
        assert_eq!(result["routes_found"], 0);
        assert_ne!(result["verdict"], "pass");
        assert_eq!(result["steps"], json!([]));
    }
}

mod explain_route {
    use super::*;

    #[test]
    fn every_sentence_names_a_field_of_the_route() {
        let found =
            call("find_routes", json!({"smiles": PARACETAMOL, "max_routes": 1})).expect("runs");
        let route = &found["routes"][0];
        let result = call("explain_route", json!({"smiles": PARACETAMOL})).expect("runs");
        let explanation = &result["explanations"][0];
        assert_eq!(explanation["route_id"], route["route_id"]);
        for step in 0..list(&route["steps"]).len() {
            let own = format!("steps[{step}].");
            let said = list(&explanation["steps"]);
            assert!(said.iter().any(|remark| text(&remark["field"]).starts_with(&own)), "{own}");
        }
        let remarks =
            list(&explanation["strengths"]).iter().chain(list(&explanation["weaknesses"]));
        let mut count = 0;
        for remark in remarks {
            let field = text(&remark["field"]);
            let root = field.split(['[', '.']).next().expect("a field");
            assert!(route.get(root).is_some(), "{field}");
            assert!(text(&remark["text"]).ends_with('.'));
            count += 1;
        }
        assert!(count >= 3);
    }

    #[test]
    fn a_route_that_is_brought_is_explained_and_an_unknown_one_is_not_invented() {
        let arguments = json!({"smiles": PARACETAMOL, "route": hydrolysis()});
        let known = call("explain_route", arguments).expect("runs");
        assert!(known["explanations"][0]["route_id"].is_string());
        let odd = json!({"steps": [{"target": PARACETAMOL, "precursors": ["CCCCCCCC"]}]});
        let arguments = json!({"smiles": PARACETAMOL, "route": odd});
        let unknown = call("explain_route", arguments).expect("runs");
        let explanation = &unknown["explanations"][0];
        assert_eq!(
            (&explanation["route_id"], &explanation["strengths"]),
            (&Value::Null, &json!([]))
        );
        assert!(!list(&explanation["weaknesses"]).is_empty());
    }
}

mod find_pareto_routes {
    use super::*;

    #[test]
    fn no_route_on_the_front_beats_another() {
        let arguments = json!({"smiles": "CC(=O)Oc1ccccc1C(=O)O", "node_limit": 200});
        let result = call("find_pareto_routes", arguments).expect("runs");
        let routes = list(&result["routes"]);
        assert!(!routes.is_empty());
        assert!(result["routes_compared"].as_u64() >= Some(routes.len() as u64));
        let worth = |route: &Value| {
            let value = |name: &str| route["objectives"][name].as_f64().expect("a value");
            [-value("cost"), value("success_probability"), -value("steps")]
        };
        for a in routes {
            for b in routes {
                let (a, b) = (worth(a), worth(b));
                let beats = (0..3).all(|i| a[i] >= b[i]) && (0..3).any(|i| a[i] > b[i]);
                assert!(!beats, "{a:?} beats {b:?}");
            }
        }
        assert!(routes.iter().any(|route| !list(&route["best_at"]).is_empty()));
    }

    #[test]
    fn unknown_objectives_are_refused() {
        for objectives in ["price:min", "cost", "cost:low", "", "cost:min,cost:max"] {
            let arguments = json!({"smiles": "CCO", "objectives": objectives});
            let code = refused("find_pareto_routes", arguments);
            assert!(
                ["objective.unknown", "objective.twice", "argument.blank"].contains(&code.as_str()),
                "{objectives}: {code}"
            );
        }
        let arguments = json!({"smiles": PARACETAMOL, "objectives": "success:max"});
        let result = call("find_pareto_routes", arguments).expect("runs");
        assert!(result["routes"][0]["objectives"]["success_probability"].is_number());
    }
}

mod plan_with_constraints {
    use super::*;

    fn plan(more: Value) -> Value {
        let mut arguments = json!({"smiles": PARACETAMOL, "node_limit": 300});
        for (key, value) in more.as_object().expect("an object") {
            arguments[key] = value.clone();
        }
        call("plan_with_constraints", arguments).expect("runs")
    }

    fn blocks(result: &Value) -> Vec<&str> {
        list(&result["routes"])
            .iter()
            .flat_map(|route| list(&route["building_blocks"]))
            .map(text)
            .collect()
    }

    #[test]
    fn avoided_and_required_blocks() {
        let anhydride = "CC(=O)OC(C)=O";
        let without = plan(json!({"avoid_building_blocks": "O=C(C)OC(=O)C"}));
        assert!(without["routes_found"].as_u64() > Some(0));
        assert!(!blocks(&without).contains(&anhydride));
        assert_eq!(without["proof"]["constraints"]["avoid_building_blocks"], json!([anhydride]));
        let ruled_out = list(&without["removed"]);
        assert!(ruled_out.iter().any(|r| r["constraint"] == "avoid_building_blocks"));
        let with = plan(json!({"require_building_blocks": anhydride}));
        for route in list(&with["routes"]) {
            assert!(list(&route["building_blocks"]).contains(&json!(anhydride)));
        }
    }

    #[test]
    fn families_steps_and_figures() {
        let result = plan(json!({"avoid_reaction_families": "amide_formation", "max_steps": 3}));
        for route in list(&result["routes"]) {
            let steps = list(&route["steps"]);
            assert!(steps.len() <= 3);
            assert!(steps.iter().all(|step| step["reaction_family"] != "amide_formation"));
        }
        let strict = plan(json!({"min_confidence": 1.0}));
        assert_eq!(strict["routes_found"], 0);
        let removed = &strict["removed"][0];
        assert_eq!(
            (&removed["constraint"], &removed["what"]),
            (&json!("min_confidence"), &json!("routes"))
        );
    }

    #[test]
    fn bonds_are_made_or_kept() {
        // The amide bond of CC(=O)Nc1ccc(O)cc1 is that of atoms 1 and 3.
        let made = plan(json!({"break_bonds": [[1, 3]]}));
        assert!(made["routes_found"].as_u64() > Some(0));
        for route in list(&made["routes"]) {
            assert!(no_block_holds_the_amide(route), "{route:#}");
        }
        let kept = plan(json!({"freeze_bonds": [[1, 3]]}));
        for route in list(&kept["routes"]) {
            assert!(!no_block_holds_the_amide(route), "{route:#}");
        }
        assert_eq!(
            refused("plan_with_constraints", json!({"smiles": "CCO", "break_bonds": [[0, 2]]})),
            "bond.unknown"
        );
        assert_eq!(
            refused("plan_with_constraints", json!({"smiles": "CCO", "break_bonds": [[0]]})),
            "argument.pair"
        );
    }

    fn no_block_holds_the_amide(route: &Value) -> bool {
        list(&route["building_blocks"]).iter().all(|block| {
            let arguments = json!({"query": "CC(=O)[#7]", "target_smiles": block});
            call("find_substructure", arguments).expect("runs")["found"] == false
        })
    }

    #[test]
    fn a_molecule_at_hand_counts_as_stocked() {
        let result = plan(json!({"start_from": "Nc1ccc(O)cc1"}));
        assert!(result["routes_found"].as_u64() > Some(0));
        for route in list(&result["routes"]) {
            assert!(list(&route["building_blocks"]).contains(&json!("Nc1ccc(O)cc1")));
        }
    }

    #[test]
    fn no_step_needs_a_reagent_to_avoid() {
        let biaryl = |extra: Value| {
            let mut arguments = json!({"smiles": "Cc1ccc(-c2ccccn2)cc1C#N", "depth": 3});
            let into = arguments.as_object_mut().expect("object");
            into.extend(extra.as_object().expect("object").clone());
            call("plan_with_constraints", arguments).expect("runs")
        };
        let names = |result: &Value, word: &str| {
            let steps = list(&result["routes"]).iter().flat_map(|route| list(&route["steps"]));
            let texts = steps.filter_map(|step| step["conditions"]["text"].as_str());
            texts.filter(|text| text.contains(word)).count()
        };
        assert!(names(&biaryl(json!({"max_steps": 9})), "Pd") > 0);
        let without = biaryl(json!({"avoid_reagents": "Pd"}));
        assert_eq!(without["proof"]["constraints"]["avoid_reagents"], json!(["Pd"]));
        let removed = list(&without["removed"]);
        assert!(removed.iter().any(|r| r["constraint"] == "avoid_reagents"), "{removed:?}");
        for route in list(&without["routes"]) {
            for (place, step) in list(&route["steps"]).iter().enumerate() {
                let family = step["reaction_family"].as_str().expect("a family");
                assert!(!["suzuki_coupling", "stille_coupling"].contains(&family), "{step}");
                let told = format!("step {}: its conditions are not known", place + 1);
                let is_told = list(&route["warnings"])
                    .iter()
                    .any(|w| w.as_str().is_some_and(|w| w.starts_with(&told)));
                assert_eq!(is_told, step.get("conditions").is_none(), "{route}");
            }
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        for (key, value, code) in [
            ("avoid_reaction_families", "amide", "family.unknown"),
            ("avoid_reagents", "Pd, HMPA", "reagent.unknown"),
            ("avoid_elements", "Xx", "element.unknown"),
            ("library", "nope", "library.unknown"),
            ("require_building_blocks", "C1CC", "smiles.unclosed_ring"),
        ] {
            let arguments = json!({"smiles": "CCO", key: value});
            assert_eq!(refused("plan_with_constraints", arguments), code);
        }
    }
}

mod estimate_diversity {
    use super::*;

    #[test]
    fn one_route_has_no_diversity() {
        let one = call("estimate_diversity", json!({"smiles": PARACETAMOL, "max_routes": 1}))
            .expect("runs");
        assert_eq!((&one["diversity"], &one["chemical_idea_cds"]), (&json!(0.0), &json!(1.0)));
        let more = call("estimate_diversity", json!({"smiles": PARACETAMOL})).expect("runs");
        let diversity = more["diversity"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&diversity));
        assert_eq!(more["routes_found"], list(&more["building_block_sets"]).len());
    }
}

mod diagnose_failure {
    use super::*;

    #[test]
    fn a_search_that_succeeds_is_no_failure() {
        let result = call("diagnose_failure", json!({"smiles": PARACETAMOL})).expect("runs");
        assert_eq!(result["cause_details"][0]["code"], "routes_found");
        assert_eq!(result["near_misses"], json!([]));
    }

    #[test]
    fn a_failed_one_says_what_is_missing() {
        // An amide of an acid that no stock has.
        let smiles = format!("CCNC(=O){FAR}");
        let arguments = json!({"smiles": smiles, "depth": 2, "node_limit": 200});
        let result = call("diagnose_failure", arguments).expect("runs");
        assert_eq!(result["routes_found"], 0);
        let codes: Vec<&str> =
            list(&result["cause_details"]).iter().map(|cause| text(&cause["code"])).collect();
        assert!(codes.contains(&"leaves_not_in_stock"), "{codes:?}");
        assert_eq!(list(&result["causes"]).len(), codes.len());
        let misses = list(&result["near_misses"]);
        assert!(!misses.is_empty() && misses.len() <= 3);
        for miss in misses {
            assert!(!list(&miss["missing"]).is_empty());
            assert_eq!(miss["tier"], 0);
            for step in list(&miss["steps"]) {
                assert_eq!(step["forward_check"]["reproduces_target"], true);
            }
        }
    }

    #[test]
    fn a_mixture_and_a_limit_are_told() {
        let codes = |arguments: Value| {
            let result = call("diagnose_failure", arguments).expect("runs");
            result["cause_details"].to_string()
        };
        assert!(codes(json!({"smiles": "CCO.CCN"})).contains("mixture"));
        let limited = format!("CCNC(=O){FAR}");
        assert!(codes(json!({"smiles": limited, "node_limit": 1})).contains("node_limit"));
    }
}

mod suggest_disconnections {
    use super::*;

    #[test]
    fn steps_are_ranked_and_hold() {
        let arguments = json!({"smiles": PARACETAMOL, "max_results": 4});
        let result = call("suggest_disconnections", arguments).expect("runs");
        let found = list(&result["disconnections"]);
        assert_eq!(found.len(), 4);
        let confidence = |one: &Value| one["step_confidence"].as_f64().expect("a number");
        assert!(found.windows(2).all(|pair| confidence(&pair[0]) >= confidence(&pair[1])));
        for (at, one) in found.iter().enumerate() {
            assert_eq!(one["rank"], at + 1);
            assert_eq!(
                (&one["balanced"], &one["forward_check"]["reproduces_target"]),
                (&json!(true), &json!(true))
            );
            assert!(list(&one["precursors"]).iter().all(|leaf| leaf["in_stock"].is_string()));
        }
        assert_eq!((&result["truncated"], &result["complete"]), (&json!(true), &json!(false)));
    }

    #[test]
    fn nothing_known_is_no_error() {
        let result = call("suggest_disconnections", json!({"smiles": "C"})).expect("runs");
        assert_eq!((&result["disconnections"], &result["complete"]), (&json!([]), &json!(true)));
    }
}

mod depict_route {
    use super::*;

    #[test]
    fn each_step_is_a_row_with_what_is_in_stock() {
        let arguments = json!({"smiles": PARACETAMOL, "width": 700});
        let result = call("depict_route", arguments).expect("runs");
        let svg = text(&result["svg"]);
        assert!(svg.starts_with("<svg") && svg.contains("in stock"), "{svg}");
        assert!(svg.len() < 30_000, "{} bytes", svg.len());
        assert!(text(&result["route_id"]).starts_with("route-"));
        assert_eq!((&result["width"], &result["routes_found"]), (&json!(700), &json!(1)));
    }

    #[test]
    fn no_route_no_drawing() {
        let result = call("depict_route", json!({"smiles": FAR, "node_limit": 5})).expect("runs");
        assert_eq!((&result["svg"], &result["tier"]), (&Value::Null, &Value::Null));
    }
}
