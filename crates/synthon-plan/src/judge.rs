//! Which derivations are routes, and which of the routes meet the constraints.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use synthon_library::Library;
use synthon_stock::Stock;

use crate::assemble::{Block, assemble};
use crate::bonds::BondRule;
use crate::chemistry::{Chemistry, block_of};
use crate::cost::Cost;
use crate::protection::freed_for_nothing;
use crate::ranking::{Idea, is_variant};
use crate::request::{Constraints, PlanRequest};
use crate::result::Removed;
use crate::route::{InStock, Route, Step};
use crate::search::driver::Appraisal;
use crate::search::enumerate::{Derivation, Enumerator};
use crate::search::graph::{Graph, MoleculeId, TARGET};

/// Most routes looked at for their ideas when the answer is put together, and on the way.
pub(crate) const LOOKED_AT: usize = 1_000;
const LOOKED_AT_ON_THE_WAY: usize = 60;
/// Combinations of partial routes looked at when the routes are read off the graph.
const ENUMERATION_EFFORT: u64 = 100_000;

/// What rounding the figures of a route may add to its chances.
const ROUNDING: f64 = 1.001;

/// The alarm of a step that takes off a group which nothing needed.
const NEEDLESS_PROTECTION: &str =
    "the protecting group taken off here was put on for none of the steps between";

/// Turns derivations into routes and says which of them meet the constraints.
pub(crate) struct Judge<'a> {
    request: &'a PlanRequest,
    library: &'a Library,
    stock: &'a Stock,
    target: &'a str,
    bonds: BondRule,
}

/// Routes read off a graph, cheapest first.
pub(crate) struct Gathered {
    /// Those with an idea of their own, and the first of their variants.
    pub routes: Vec<(Derivation, Idea)>,
    /// Acceptable routes looked at.
    pub accepted: usize,
    /// Whether all routes of the graph were looked at.
    pub all: bool,
    /// Routes that a constraint ruled out, by the first one that each fails.
    pub removed: Vec<Removed>,
    ideas: usize,
    goal_cost: Option<Cost>,
}

impl<'a> Judge<'a> {
    /// `target` is the text of the request's target.
    pub fn new(
        request: &'a PlanRequest,
        library: &'a Library,
        stock: &'a Stock,
        target: &'a str,
    ) -> Self {
        let bonds = BondRule::new(request);
        Judge { request, library, stock, target, bonds }
    }

    /// The first constraint that a derivation fails, by name.
    fn refusal(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Option<&'static str> {
        if let Some(name) = self.bonds.fails(graph, route) {
            return Some(name);
        }
        if !asks_of_routes(&self.request.constraints) {
            return None;
        }
        self.fails(&self.route(graph, route))
    }

    /// Reads routes until there are `pool` different ideas among them or `looked_at` have been
    /// looked at; of mere variants the first `pool` are kept too.
    pub fn gather(&self, graph: &Graph<Chemistry<'_>>, pool: usize, looked_at: usize) -> Gathered {
        let mut gathered = Gathered {
            routes: Vec::new(),
            accepted: 0,
            all: false,
            removed: Vec::new(),
            ideas: 0,
            goal_cost: None,
        };
        let mut known: Vec<Idea> = Vec::new();
        let mut variants = 0;
        let dropped = RefCell::new(Vec::new());
        let admits = |route: &Derivation| match self.outgrown(graph, route) {
            None => true,
            Some(constraint) => {
                Removed::count(&mut dropped.borrow_mut(), constraint, "partial_routes");
                false
            }
        };
        let mut enumerator = Enumerator::new(graph, ENUMERATION_EFFORT, &admits);
        let is_plain = graph.molecule(TARGET).molecule.is_plain();
        let mut seen: HashSet<Vec<(&str, Vec<&str>)>> = HashSet::new();
        for _ in 0..looked_at {
            if known.len() >= pool {
                break;
            }
            let Some(route) = enumerator.next_route() else {
                gathered.all = enumerator.is_exhausted();
                break;
            };
            // Molecules that the search tells apart may be the same, and so may routes.
            if !is_plain
                && (!one_way_each(graph, route, self.request.depth)
                    || !seen.insert(ways_of(graph, route)))
            {
                continue;
            }
            if let Some(constraint) = self.refusal(graph, route) {
                Removed::count(&mut gathered.removed, constraint, "routes");
                continue;
            }
            gathered.accepted += 1;
            if gathered.accepted == self.request.max_routes {
                gathered.goal_cost = Some(route.cost);
            }
            let idea = self.idea(graph, route);
            if !is_variant(&idea, &known) {
                known.push(idea.clone());
            } else if variants < pool {
                variants += 1;
            } else {
                continue;
            }
            gathered.routes.push((route.clone(), idea));
        }
        gathered.ideas = known.len();
        gathered.removed.append(&mut dropped.borrow_mut());
        gathered
    }

    /// The bound on whole routes that a part of one is already beyond, by name; further steps only
    /// lead farther.
    fn outgrown(&self, graph: &Graph<Chemistry<'_>>, part: &Derivation) -> Option<&'static str> {
        let asked = &self.request.constraints;
        let most_steps = asked.max_steps.unwrap_or(usize::MAX);
        let least = asked.min_success_probability.unwrap_or(0.0);
        if most_steps == usize::MAX && least <= 0.0 {
            return None;
        }
        // Molecules that the search tells apart may share a step.
        let mut steps: Vec<(&str, f64)> = part
            .made_by
            .iter()
            .filter_map(|&(molecule, reaction)| {
                let confidence = graph.reaction(reaction?).reaction.confidence();
                Some((&*graph.molecule(molecule).molecule, confidence))
            })
            .collect();
        steps.sort_unstable_by(|a, b| a.0.cmp(b.0));
        steps.dedup_by_key(|step| step.0);
        let success: f64 = steps.iter().map(|step| step.1).product();
        if steps.len() > most_steps {
            return Some("max_steps");
        }
        (success * ROUNDING < least).then_some("min_success_probability")
    }

    pub fn appraise(&self, graph: &Graph<Chemistry<'_>>) -> Appraisal {
        let wanted = self.request.max_routes;
        let gathered = self.gather(graph, wanted, wanted.max(LOOKED_AT_ON_THE_WAY));
        Appraisal {
            routes: gathered.accepted.min(wanted),
            ideas: gathered.ideas.min(wanted),
            goal_cost: gathered.goal_cost,
        }
    }

    /// Follows the atoms of the target down the route.
    fn idea(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Idea {
        let mut idea = Idea::new();
        let mut traced: HashMap<MoleculeId, Vec<Option<u32>>> = HashMap::new();
        let atoms = self.request.target.atom_count() as u32;
        traced.insert(TARGET, (0..atoms).map(Some).collect());
        let mut waiting = vec![TARGET];
        while let Some(molecule) = waiting.pop() {
            let Some(Some(reaction)) = route.reaction_of(molecule) else { continue };
            let node = graph.reaction(reaction);
            let Some(replayed) = &node.reaction.replayed else { continue };
            let atoms = traced[&molecule].clone();
            let of_target = |atom: u32| atoms.get(atom as usize).copied().flatten();
            if let Some(changed) = &replayed.step.changed_atoms {
                let mut changed: Vec<u32> =
                    changed.target.iter().copied().filter_map(of_target).collect();
                changed.sort_unstable();
                if !changed.is_empty() {
                    idea.insert(changed);
                }
            }
            for (which, &precursor) in node.precursors.iter().enumerate() {
                if traced.contains_key(&precursor) {
                    continue;
                }
                let mut below = Vec::new();
                for (atom, source) in replayed.sources.iter().enumerate() {
                    if let Some((_, place)) = source.filter(|source| source.0 as usize == which) {
                        let place = place as usize;
                        below.resize(below.len().max(place + 1), None);
                        below[place] = of_target(atom as u32);
                    }
                }
                traced.insert(precursor, below);
                waiting.push(precursor);
            }
        }
        idea
    }

    pub fn route(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Route {
        let mut steps: Vec<Step> = Vec::new();
        let mut blocks: Vec<Block> = Vec::new();
        let for_nothing = freed_for_nothing(graph, route, self.library);
        let made = made_texts(graph, route);
        for &(molecule, reaction) in &route.made_by {
            match reaction {
                Some(reaction) => {
                    let replayed = graph.reaction(reaction).reaction.replayed.as_deref();
                    let replayed = replayed.expect("a finished step has been replayed");
                    let mut step = replayed.step.clone();
                    if for_nothing.contains(&molecule) {
                        step.alarms.push(NEEDLESS_PROTECTION.to_owned());
                    }
                    steps.push(step);
                }
                // Under constraints a molecule may be made here and at hand there.
                None if made.contains(&*graph.molecule(molecule).molecule) => {}
                None => blocks.push(self.block(&graph.molecule(molecule).molecule)),
            }
        }
        let blocks: Vec<&Block> = blocks.iter().collect();
        let mass = self.request.target.average_mass();
        let mut route = assemble(self.target, mass, steps, &blocks);
        if !self.request.constraints.avoid_reagents.is_empty() {
            let unknown = route.steps.iter().enumerate().filter(|(_, s)| s.conditions.is_none());
            let warnings = unknown.map(|(place, _)| {
                format!("step {}: its conditions are not known, nor its reagents", place + 1)
            });
            route.warnings.extend(warnings);
        }
        route
    }

    /// A building block; the one that the caller has counts as stocked.
    fn block(&self, smiles: &str) -> Block {
        let mut block = block_of(self.stock, smiles);
        let at_hand = self.request.constraints.start_from.as_ref();
        if block.leaf.in_stock == InStock::No && at_hand.is_some_and(|own| own.smiles == smiles) {
            block.leaf.in_stock = InStock::Yes;
            block.leaf.source = Some("start_from".to_owned());
        }
        block
    }

    /// The first constraint that a route fails, by name.
    fn fails(&self, route: &Route) -> Option<&'static str> {
        let asked = &self.request.constraints;
        let below = |least: Option<f64>, value: f64| least.is_some_and(|least| value < least);
        let above = |most: Option<f64>, value: f64| most.is_some_and(|most| value > most);
        let families = &asked.require_reaction_families;
        let blocks = &asked.require_building_blocks;
        let has_leaf = |smiles: &str| route.leaf(smiles).is_some();
        let rules: [(&'static str, bool); 8] = [
            (
                "max_steps",
                above(asked.max_steps.map(|steps| steps as f64), route.steps.len() as f64),
            ),
            ("max_route_cost", above(asked.max_route_cost, route.route_cost)),
            ("min_confidence", below(asked.min_confidence, route.confidence)),
            (
                "min_success_probability",
                below(asked.min_success_probability, route.success_probability),
            ),
            (
                "require_reaction_families",
                !families.is_empty()
                    && !route.steps.iter().any(|step| families.contains(&step.reaction_family)),
            ),
            (
                "require_building_blocks",
                !blocks.is_empty() && !blocks.iter().any(|block| has_leaf(&block.smiles)),
            ),
            ("start_from", asked.start_from.as_ref().is_some_and(|block| !has_leaf(&block.smiles))),
            (
                "require_elements",
                !asked.require_elements.iter().all(|&element| {
                    let blocks = &route.building_blocks;
                    blocks.iter().any(|smiles| crate::chemistry::has(smiles, element))
                }),
            ),
        ];
        rules.into_iter().find_map(|(name, fails)| fails.then_some(name))
    }
}

/// Whether any constraint can only be judged on a whole route.
fn asks_of_routes(asked: &Constraints) -> bool {
    asked.max_steps.is_some()
        || asked.max_route_cost.is_some()
        || asked.min_confidence.is_some()
        || asked.min_success_probability.is_some()
        || !asked.require_reaction_families.is_empty()
        || !asked.require_building_blocks.is_empty()
        || asked.start_from.is_some()
        || !asked.require_elements.is_empty()
}

/// The molecules that a derivation makes, by text.
fn made_texts<'g>(graph: &'g Graph<Chemistry<'_>>, route: &Derivation) -> HashSet<&'g str> {
    let made = route.made_by.iter().filter(|(_, reaction)| reaction.is_some());
    made.map(|&(molecule, _)| &*graph.molecule(molecule).molecule).collect()
}

/// For each molecule that a derivation makes, by text, what of.
fn ways_of<'g>(
    graph: &'g Graph<Chemistry<'_>>,
    route: &Derivation,
) -> Vec<(&'g str, Vec<&'g str>)> {
    let text = |molecule: MoleculeId| -> &'g str { &graph.molecule(molecule).molecule };
    let made = route.made_by.iter().filter_map(|&(molecule, reaction)| {
        let precursors = &graph.reaction(reaction?).precursors;
        Some((text(molecule), precursors.iter().map(|&id| text(id)).collect()))
    });
    let mut ways: Vec<(&str, Vec<&str>)> = made.collect();
    ways.sort_unstable();
    ways.dedup();
    ways
}

/// Whether each molecule is made in one way, and none of itself. That is so for molecules as the
/// search tells them apart; under constraints several of these may have the same text.
fn one_way_each(graph: &Graph<Chemistry<'_>>, route: &Derivation, depth: u8) -> bool {
    let text = |molecule: MoleculeId| -> &str { &graph.molecule(molecule).molecule };
    let mut ways: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut repeats = false;
    for &(molecule, reaction) in &route.made_by {
        let Some(reaction) = reaction else { continue };
        let precursors: Vec<&str> =
            graph.reaction(reaction).precursors.iter().map(|&id| text(id)).collect();
        match ways.get(text(molecule)) {
            Some(other) if *other != precursors => return false,
            Some(_) => repeats = true,
            None => {
                ways.insert(text(molecule), precursors);
            }
        }
    }
    repeats |=
        route.made_by.iter().any(|&(id, made)| made.is_none() && ways.contains_key(text(id)));
    if !repeats {
        return true;
    }
    // The steps could now go round in a circle, or down too far.
    let mut waiting = vec![vec![text(TARGET)]];
    while let Some(path) = waiting.pop() {
        for &precursor in ways.get(path[path.len() - 1]).into_iter().flatten() {
            if path.contains(&precursor) || path.len() > usize::from(depth) {
                return false;
            }
            waiting.push([&path[..], &[precursor]].concat());
        }
    }
    true
}
