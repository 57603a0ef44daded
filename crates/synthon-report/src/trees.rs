//! Routes as AiZynthFinder writes them: a tree of molecules and reactions by turns.
//!
//! The form is that of `ReactionTree.to_dict` in AiZynthFinder 4 (Genheden et al.,
//! *J. Cheminform.* 2020, 12, 70), which PaRoutes and several viewers read as well. A reaction's
//! `smiles` is written as there: target, `>>`, precursors.

use serde_json::{Map, Value, json};
use synthon_plan::{InStock, Route, Step};

/// Molecules of one tree at most: a molecule that is used twice is written out twice.
const MAX_NODES: usize = 10_000;

/// A tree for each route, in their order. A molecule that is only probably in stock is marked as
/// in stock, as a filter's stock is there; `metadata` of the root says so.
///
/// What AiZynthFinder has no field for (tier, confidence, checks) stands in the `metadata` of
/// reactions and of the root.
pub fn aizynthfinder_trees(routes: &[Route]) -> Vec<Value> {
    routes.iter().map(tree).collect()
}

fn tree(route: &Route) -> Value {
    let Some(first) = route.steps.first() else { return Value::Null };
    let mut count = 0;
    let mut root = molecule(route, &first.target, route.steps.len(), &mut count);
    let probable = route.leaves.iter().any(|leaf| leaf.in_stock == InStock::Probable);
    let missing = route.leaves.iter().any(|leaf| leaf.in_stock == InStock::No);
    root.insert(
        "scores".into(),
        json!({
            "score": route.score,
            "confidence": route.confidence,
            "success probability": route.success_probability,
            "number of reactions": route.steps.len(),
            "number of pre-cursors": route.leaves.len(),
        }),
    );
    root.insert(
        "metadata".into(),
        json!({
            "is_solved": !missing,
            "stock_is_probable": probable,
            "route_id": route.route_id,
            "tier": route.tier,
            "depth": route.depth,
            "route_cost": route.route_cost,
            "cost_basis": route.cost_basis,
            "warnings": route.warnings,
        }),
    );
    Value::Object(root)
}

/// The node of a molecule and what lies below it. `depth` bounds how far down it may go: a route
/// holds no loop, so its steps are enough.
fn molecule(route: &Route, smiles: &str, depth: usize, count: &mut usize) -> Map<String, Value> {
    *count += 1;
    let step = route.step_making(smiles).filter(|_| depth > 0 && *count < MAX_NODES);
    let in_stock =
        step.is_none() && route.leaf(smiles).is_some_and(|leaf| leaf.in_stock != InStock::No);
    let mut node = Map::new();
    node.insert("type".into(), "mol".into());
    node.insert("hide".into(), false.into());
    node.insert("smiles".into(), smiles.into());
    node.insert("is_chemical".into(), true.into());
    node.insert("in_stock".into(), in_stock.into());
    if let Some(step) = step {
        let children: Vec<Value> = step
            .precursors
            .iter()
            .map(|precursor| Value::Object(molecule(route, precursor, depth - 1, count)))
            .collect();
        let reaction = json!({
            "type": "reaction",
            "hide": false,
            "smiles": format!("{}>>{}", step.target, step.precursors.join(".")),
            "is_reaction": true,
            "metadata": metadata(step),
            "children": children,
        });
        node.insert("children".into(), vec![reaction].into());
    }
    node
}

fn metadata(step: &Step) -> Value {
    let mut out = Map::new();
    let hash = step.template_id.rsplit(':').next().unwrap_or(&step.template_id);
    out.insert("template_hash".into(), hash.into());
    out.insert("template_id".into(), step.template_id.as_str().into());
    out.insert("classification".into(), step.rule.as_str().into());
    out.insert("reaction_family".into(), step.reaction_family.as_str().into());
    out.insert("policy_probability".into(), step.step_confidence.into());
    if let Some(known) = &step.precedents {
        out.insert("library_occurence".into(), known.count.into());
        out.insert("precedents".into(), known.examples.clone().into());
    }
    if let Some(changed) = &step.changed_atoms {
        // Target first, as all reactions of such a tree.
        if let Some((precursors, target)) = changed.mapped.split_once(">>") {
            out.insert("mapped_reaction_smiles".into(), format!("{target}>>{precursors}").into());
        }
    }
    if let Some(conditions) = &step.conditions {
        out.insert("conditions".into(), conditions.text.as_str().into());
    }
    if !step.alarms.is_empty() {
        out.insert("alarms".into(), step.alarms.clone().into());
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use synthon_plan::Leaf;

    use super::*;

    fn step(target: &str, precursors: &[&str]) -> Step {
        Step {
            target: target.to_owned(),
            precursors: precursors.iter().map(|&p| p.to_owned()).collect(),
            template_id: "smarts-sha256:abc".to_owned(),
            ..Step::default()
        }
    }

    #[test]
    fn molecules_and_reactions_take_turns() {
        let leaf =
            |smiles: &str, in_stock| Leaf { smiles: smiles.into(), in_stock, ..Leaf::default() };
        let route = Route {
            steps: vec![step("CNC", &["CN", "CN"]), step("CN", &["C", "N"])],
            leaves: vec![leaf("C", InStock::Yes), leaf("N", InStock::Probable)],
            ..Route::default()
        };
        let tree = &aizynthfinder_trees(&[route])[0];
        assert_eq!(tree["children"][0]["smiles"], "CNC>>CN.CN");
        assert_eq!(tree["metadata"]["stock_is_probable"], true);
        // What is used twice is written out twice.
        for branch in 0..2 {
            let made = &tree["children"][0]["children"][branch];
            assert_eq!((&made["in_stock"], &made["smiles"]), (&json!(false), &json!("CN")));
            let below = made["children"][0]["children"].as_array().expect("precursors");
            assert!(below.iter().all(|node| node["in_stock"] == true));
            assert_eq!(made["children"][0]["metadata"]["template_hash"], "abc");
        }
    }

    #[test]
    fn a_loop_comes_to_an_end() {
        let route = Route { steps: vec![step("A", &["B"]), step("B", &["A"])], ..Route::default() };
        let text = aizynthfinder_trees(&[route])[0].to_string();
        assert!(text.len() < 2_000, "{text}");
    }
}
