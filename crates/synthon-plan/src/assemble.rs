//! From steps to a route: order, leaves, and the figures of the whole.

use std::collections::{BTreeMap, HashMap};

use crate::ranking;
use crate::route::{Leaf, Route, Step, rounded};
use crate::tiers::tier_of;

/// What is known of a building block beside its stock entry.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub leaf: Leaf,
    /// Average mass in g/mol.
    pub mass: f64,
    /// On the scale of [`crate::accessibility::estimated_block_cost`].
    pub estimated_cost: f64,
}

/// Part of `route_cost` that each step adds.
const COST_PER_STEP: f64 = 0.5;

/// Puts a route together from its steps (any order, one for each molecule made) and its leaves.
/// `target_mass` is the average mass of the target in g/mol.
pub(crate) fn assemble(
    target: &str,
    target_mass: f64,
    steps: Vec<Step>,
    blocks: &[&Block],
) -> Route {
    let steps = in_order(target, steps);
    let distances = distances(target, &steps);
    let leaf_depths: Vec<(usize, usize)> =
        blocks.iter().map(|block| distances[block.leaf.smiles.as_str()]).collect();
    let depth = leaf_depths.iter().map(|depths| depths.1).max().unwrap_or(0);
    let shallowest = leaf_depths.iter().map(|depths| depths.0).min().unwrap_or(0);

    let mut leaves: Vec<Leaf> = blocks.iter().map(|block| block.leaf.clone()).collect();
    leaves.sort_by(|a, b| a.smiles.cmp(&b.smiles));
    let (tier, first_failing_step) = tier_of(&steps, &leaves);

    let confidences: Vec<f64> = steps.iter().map(|step| step.step_confidence).collect();
    let confidence = confidences.iter().sum::<f64>() / confidences.len().max(1) as f64;
    let estimated: f64 = blocks.iter().map(|block| block.estimated_cost).sum();
    let priced: Option<f64> = blocks.iter().map(|block| block.leaf.price).sum();
    let (block_cost, cost_basis) = match priced {
        Some(price) => (price, "stock_prices"),
        None => (estimated, "synthetic_accessibility"),
    };

    let mut route = Route {
        route_id: route_id(&steps),
        building_blocks: leaves.iter().map(|leaf| leaf.smiles.clone()).collect(),
        tier,
        first_failing_step,
        depth,
        confidence: rounded(confidence),
        success_probability: rounded(confidences.iter().product()),
        convergency: rounded(shallowest as f64 / depth.max(1) as f64),
        route_cost: rounded(block_cost + COST_PER_STEP * steps.len() as f64),
        cost_basis: cost_basis.to_owned(),
        atom_economy: atom_economy(target, target_mass, &steps, blocks),
        warnings: warnings(&steps, &leaves),
        steps,
        leaves,
        score: 0.0,
    };
    let ranked_cost = match priced {
        Some(price) => blocks.len() as f64 + price.max(0.0).ln_1p(),
        None => estimated,
    };
    route.score = rounded(ranking::score(&route, ranked_cost));
    route
}

/// The step that makes the target first, then those that make its precursors, branch by branch.
fn in_order(target: &str, steps: Vec<Step>) -> Vec<Step> {
    let mut by_target: HashMap<String, Step> =
        steps.into_iter().map(|step| (step.target.clone(), step)).collect();
    let mut ordered = Vec::with_capacity(by_target.len());
    let mut waiting = vec![target.to_owned()];
    while let Some(molecule) = waiting.pop() {
        if let Some(step) = by_target.remove(&molecule) {
            waiting.extend(step.precursors.iter().rev().cloned());
            ordered.push(step);
        }
    }
    ordered
}

/// Shortest and longest distance of each molecule of the route from the target, in steps.
fn distances<'s>(target: &'s str, steps: &'s [Step]) -> HashMap<&'s str, (usize, usize)> {
    let mut distances = HashMap::from([(target, (0, 0))]);
    // A route has no loops, so after as many rounds as steps nothing changes any more.
    for _ in 0..steps.len() {
        let mut changed = false;
        for step in steps {
            let Some(&(near, far)) = distances.get(step.target.as_str()) else { continue };
            for precursor in &step.precursors {
                let entry = distances.entry(precursor.as_str()).or_insert((near + 1, far + 1));
                let new = (entry.0.min(near + 1), entry.1.max(far + 1));
                changed |= *entry != new;
                *entry = new;
            }
        }
        if !changed {
            break;
        }
    }
    distances
}

/// Mass of the target over the mass of all building blocks that go into one molecule of it.
fn atom_economy(target: &str, target_mass: f64, steps: &[Step], blocks: &[&Block]) -> Option<f64> {
    if steps.iter().any(|step| step.atom_economy.is_none()) {
        return None;
    }
    let far = distances(target, steps);
    let mut order: Vec<&Step> = steps.iter().collect();
    // Farthest distance orders the steps so that a molecule's uses come before its making.
    order.sort_by_key(|step| far.get(step.target.as_str()).map_or(0, |depths| depths.1));
    let mut uses: BTreeMap<&str, f64> = BTreeMap::from([(target, 1.0)]);
    for step in order {
        let count = uses.get(step.target.as_str()).copied().unwrap_or(0.0);
        for precursor in &step.precursors {
            *uses.entry(precursor.as_str()).or_insert(0.0) += count;
        }
    }
    let mass: f64 = blocks
        .iter()
        .map(|block| block.mass * uses.get(block.leaf.smiles.as_str()).copied().unwrap_or(0.0))
        .sum();
    (mass > 0.0).then(|| rounded((target_mass / mass).min(1.0)))
}

fn warnings(steps: &[Step], leaves: &[Leaf]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        for alarm in &step.alarms {
            warnings.push(format!("step {}: {alarm}", place + 1));
        }
    }
    for leaf in leaves {
        if let Some(form) = &leaf.sold_as {
            warnings.push(format!("{} is sold as {form}", leaf.smiles));
        }
    }
    warnings
}

/// An id that depends on the steps alone: FNV-1a over their sorted lines.
fn route_id(steps: &[Step]) -> String {
    let mut lines: Vec<String> = steps
        .iter()
        .map(|step| format!("{}<{}|{}\n", step.target, step.precursors.join("."), step.template_id))
        .collect();
    lines.sort();
    let hash = lines.concat().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("route-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::InStock;

    fn step(target: &str, precursors: &[&str], confidence: f64) -> Step {
        Step {
            target: target.to_owned(),
            precursors: precursors.iter().map(|&p| p.to_owned()).collect(),
            step_confidence: confidence,
            atom_economy: Some(0.9),
            ..Step::default()
        }
    }

    fn block(smiles: &str, price: Option<f64>) -> Block {
        Block {
            leaf: Leaf {
                smiles: smiles.to_owned(),
                in_stock: InStock::Yes,
                price,
                ..Leaf::default()
            },
            mass: 50.0,
            estimated_cost: 1.5,
        }
    }

    /// T <- A + B; A <- C + C; B is bought.
    fn steps() -> Vec<Step> {
        vec![step("A", &["C", "C"], 0.5), step("T", &["A", "B"], 0.8)]
    }

    #[test]
    fn the_figures_follow_their_definitions() {
        let (b, c) = (block("B", None), block("C", None));
        let route = assemble("T", 120.0, steps(), &[&c, &b]);
        assert_eq!(route.steps[0].target, "T");
        assert_eq!(route.building_blocks, ["B", "C"]);
        assert_eq!((route.depth, route.convergency), (2, 0.5));
        assert_eq!((route.confidence, route.success_probability), (0.65, 0.4));
        assert_eq!(route.route_cost, 1.5 + 1.5 + 0.5 + 0.5);
        assert_eq!(route.cost_basis, "synthetic_accessibility");
        // B once and C twice go in.
        assert_eq!(route.atom_economy, Some(0.8));
    }

    #[test]
    fn prices_count_only_when_every_leaf_has_one() {
        let (b, c) = (block("B", Some(2.0)), block("C", Some(3.5)));
        let route = assemble("T", 120.0, steps(), &[&b, &c]);
        assert_eq!((route.route_cost, route.cost_basis.as_str()), (6.5, "stock_prices"));
        let unpriced = block("C", None);
        let route = assemble("T", 120.0, steps(), &[&b, &unpriced]);
        assert_eq!(route.cost_basis, "synthetic_accessibility");
    }

    #[test]
    fn a_route_id_depends_on_the_steps_and_not_on_their_order() {
        let (b, c) = (block("B", None), block("C", None));
        let mut turned = steps();
        turned.reverse();
        let first = assemble("T", 120.0, steps(), &[&b, &c]);
        let second = assemble("T", 120.0, turned, &[&c, &b]);
        assert_eq!(first, second);
        let other = assemble("T", 120.0, vec![step("T", &["B", "C"], 0.8)], &[&b, &c]);
        assert_ne!(first.route_id, other.route_id);
    }

    #[test]
    fn one_step_that_cannot_be_evaluated_leaves_the_route_without_atom_economy() {
        let (b, c) = (block("B", None), block("C", None));
        let mut steps = steps();
        steps[0].atom_economy = None;
        assert_eq!(assemble("T", 120.0, steps, &[&b, &c]).atom_economy, None);
    }
}
