//! The whole way from a request to an answer.

use std::collections::HashMap;

use synthon_budget::{Budget, Status};
use synthon_library::Library;
use synthon_stock::Stock;

use crate::assemble::{Block, assemble};
use crate::chemistry::{Chemistry, block_of, stock_state};
use crate::cost::Cost;
use crate::protection::freed_for_nothing;
use crate::ranking::{Idea, is_variant, select};
use crate::request::{Constraints, PlanRequest};
use crate::result::{PlanProof, PlanResult, SearchStatistics};
use crate::route::{InStock, Route, Step};
use crate::search::driver::{Appraisal, End, Goal, search};
use crate::search::enumerate::{Derivation, Enumerator};
use crate::search::graph::{Graph, MoleculeId, TARGET};

/// Routes read off the graph for each one asked for, so that the best by score and the most
/// varied can be chosen among the cheapest ...
const POOL_FACTOR: usize = 2;
/// ... and at least this many.
const POOL_LEAST: usize = 20;
/// Most routes looked at for their ideas when the answer is put together, and on the way.
const LOOKED_AT: usize = 1_000;
const LOOKED_AT_ON_THE_WAY: usize = 60;
/// Steps that the search takes in any case after enough routes are found, ...
const LEAST_SETTLING: u64 = 100;
/// ... and for how much longer it looks for cheaper and more varied ones: this share of the steps
/// until then ...
const SETTLING_SHARE: f64 = 0.5;
/// ... or this many.
const SETTLING_STEPS: u64 = 150;
/// Combinations of partial routes looked at when the routes are read off the graph.
const ENUMERATION_EFFORT: u64 = 100_000;

/// The alarm of a step that takes off a group which nothing needed.
const NEEDLESS_PROTECTION: &str =
    "the protecting group taken off here was put on for none of the steps between";

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Molecules expanded.
    pub nodes_expanded: u64,
    /// Most molecules that may be expanded.
    pub node_limit: u64,
    /// Distinct routes known, counted up to the number asked for.
    pub routes_found: usize,
    /// Longest chain of steps looked at.
    pub deepest_level: u8,
}

/// Plans how to make a molecule.
///
/// One node of the budget is one molecule expanded. Whatever stops the search, the routes found
/// so far are returned, each step replayed and balanced. With a budget of nodes alone the answer
/// is the same each time, byte for byte.
pub fn plan(
    request: &PlanRequest,
    library: &Library,
    stock: &Stock,
    budget: &mut Budget,
) -> PlanResult {
    plan_with_progress(request, library, stock, budget, |_| {})
}

/// As [`plan`]; `listen` is called after each step of the search.
pub fn plan_with_progress(
    request: &PlanRequest,
    library: &Library,
    stock: &Stock,
    budget: &mut Budget,
    mut listen: impl FnMut(Progress),
) -> PlanResult {
    let target = request.target.to_unmapped_smiles();
    let mut world = Chemistry::new(library, stock, request);
    let judge = Judge { request, library, stock, target: &target };
    let mut graph = Graph::new(&world, request.target.clone(), request.depth);
    let goal = Goal {
        routes: request.max_routes,
        least_settling: LEAST_SETTLING,
        settling_share: SETTLING_SHARE,
        settling_steps: SETTLING_STEPS,
    };
    let node_limit = budget.node_limit();
    let end = search(
        &mut graph,
        &mut world,
        budget,
        goal,
        |graph| judge.appraise(graph),
        |graph, routes_found| {
            let work = graph.work();
            listen(Progress {
                nodes_expanded: work.expanded,
                node_limit,
                routes_found,
                deepest_level: work.deepest,
            });
        },
    );

    let pool = (request.max_routes.saturating_mul(POOL_FACTOR)).max(POOL_LEAST);
    let gathered = judge.gather(&graph, pool, LOOKED_AT);
    let routes: Vec<(Route, Idea)> = gathered
        .routes
        .iter()
        .map(|(route, idea)| (judge.route(&graph, route), idea.clone()))
        .collect();
    let preferred = &request.constraints.prefer_reaction_families;
    let routes = select(routes, request.max_routes, |route| {
        route.steps.iter().any(|step| preferred.contains(&step.reaction_family))
    });

    let work = graph.work();
    let exhausted = end == End::Exhausted && gathered.all;
    let complete = exhausted && !work.cut && gathered.accepted <= request.max_routes;
    let status = match end {
        End::Exhausted | End::Enough => Status::Completed,
        End::Stopped(stop) => stop.into(),
    };
    let search = SearchStatistics {
        nodes_expanded: work.expanded,
        molecules_seen: graph.molecule_count() as u64,
        templates_tried: world.templates_tried,
        templates_matched: world.templates_matched,
        stock_hits: work.terminals,
        steps_refused: work.refused,
        deepest_level: work.deepest,
    };
    let proof = PlanProof {
        scope: "planning",
        complete,
        library: library.name().to_owned(),
        stock: stock.name().to_owned(),
        depth: request.depth,
        constraints: request.constraints.clone(),
        cutoff: work.cut.then(Chemistry::cutoff),
    };
    let (candidates, candidates_truncated) = world.take_trace();
    let mut result = PlanResult {
        target_in_stock: stock_state(stock, &request.target),
        target,
        status,
        complete,
        truncated: !complete,
        proof,
        claim: String::new(),
        routes_found: routes.len(),
        routes,
        search,
        candidates,
        candidates_truncated,
    };
    result.claim = claim(&result, request);
    result
}

/// Turns derivations into routes and says which of them meet the constraints.
struct Judge<'a> {
    request: &'a PlanRequest,
    library: &'a Library,
    stock: &'a Stock,
    target: &'a str,
}

/// Routes read off a graph, cheapest first.
struct Gathered {
    /// Those with an idea of their own, and the first of their variants.
    routes: Vec<(Derivation, Idea)>,
    /// Acceptable routes looked at.
    accepted: usize,
    /// Whether all routes of the graph were looked at.
    all: bool,
    ideas: usize,
    goal_cost: Option<Cost>,
}

impl Judge<'_> {
    fn accepts(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> bool {
        !asks_of_routes(&self.request.constraints) || self.meets(&self.route(graph, route))
    }

    /// Reads routes until there are `pool` different ideas among them or `looked_at` have been
    /// looked at; of mere variants the first `pool` are kept too.
    fn gather(&self, graph: &Graph<Chemistry<'_>>, pool: usize, looked_at: usize) -> Gathered {
        let mut gathered =
            Gathered { routes: Vec::new(), accepted: 0, all: false, ideas: 0, goal_cost: None };
        let mut known: Vec<Idea> = Vec::new();
        let mut variants = 0;
        let mut enumerator = Enumerator::new(graph, ENUMERATION_EFFORT);
        for _ in 0..looked_at {
            if known.len() >= pool {
                break;
            }
            let Some(route) = enumerator.next_route() else {
                gathered.all = enumerator.is_exhausted();
                break;
            };
            if !self.accepts(graph, route) {
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
        gathered
    }

    fn appraise(&self, graph: &Graph<Chemistry<'_>>) -> Appraisal {
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

    fn route(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Route {
        let mut steps: Vec<Step> = Vec::new();
        let mut blocks: Vec<Block> = Vec::new();
        let for_nothing = freed_for_nothing(graph, route, self.library);
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
                None => blocks.push(block_of(self.stock, &graph.molecule(molecule).molecule)),
            }
        }
        let blocks: Vec<&Block> = blocks.iter().collect();
        assemble(self.target, self.request.target.average_mass(), steps, &blocks)
    }

    fn meets(&self, route: &Route) -> bool {
        let asked = &self.request.constraints;
        let at_least = |least: Option<f64>, value: f64| least.is_none_or(|least| value >= least);
        let at_most = |most: Option<f64>, value: f64| most.is_none_or(|most| value <= most);
        at_most(asked.max_steps.map(|steps| steps as f64), route.steps.len() as f64)
            && at_most(asked.max_route_cost, route.route_cost)
            && at_least(asked.min_confidence, route.confidence)
            && at_least(asked.min_success_probability, route.success_probability)
            && (asked.require_reaction_families.is_empty()
                || route
                    .steps
                    .iter()
                    .any(|step| asked.require_reaction_families.contains(&step.reaction_family)))
            && (asked.require_building_blocks.is_empty()
                || asked
                    .require_building_blocks
                    .iter()
                    .any(|block| route.leaf(&block.smiles).is_some()))
            && asked.require_elements.iter().all(|&element| {
                route.building_blocks.iter().any(|smiles| crate::chemistry::has(smiles, element))
            })
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
        || !asked.require_elements.is_empty()
}

/// What may be concluded, in one sentence.
fn claim(result: &PlanResult, request: &PlanRequest) -> String {
    let library = &result.proof.library;
    let stock = &result.proof.stock;
    let depth = result.proof.depth;
    let steps = if depth == 1 { "step" } else { "steps" };
    let bounds = format!("library {library}, stock {stock} and at most {depth} {steps} in a row");
    let under = if request.constraints.is_empty() { "" } else { " under these constraints" };
    let stop = match result.status {
        Status::TimedOut => "the time was up",
        Status::LimitReached => "the node limit was reached",
        Status::Cancelled => "the call was cancelled",
        Status::Completed => "",
    };
    let found = result.routes_found;
    let routes = if found == 1 { "route" } else { "routes" };
    let components = request.target.components().0;
    let mut claim = match (found, result.complete) {
        (0, _) if components > 1 => format!(
            "No route was looked for, since the target is a mixture of {components} molecules \
             and templates make one: ask for each of them alone"
        ),
        (0, true) => format!("No route exists with {bounds}{under}"),
        (0, false) if stop.is_empty() => {
            format!("No route was found with {bounds}{under}, but not everything was tried")
        }
        (0, false) => {
            format!("No route was found before {stop}; one may exist with {bounds}{under}")
        }
        (_, true) => {
            let these = if found == 1 { "This is the only" } else { "These are all" };
            let number = if found == 1 { String::new() } else { format!(" {found}") };
            format!("{these}{number} {routes} with {bounds}{under}")
        }
        (_, false) if stop.is_empty() => {
            format!("{found} {routes} found with {bounds}{under}; more may exist")
        }
        (_, false) => {
            format!("{found} {routes} found with {bounds}{under} before {stop}; more may exist")
        }
    };
    match result.target_in_stock {
        InStock::Yes => claim.push_str("; the target itself is in stock"),
        InStock::Probable => claim.push_str("; the target itself is probably in stock"),
        InStock::No => {}
    }
    if result.routes.iter().any(|r| r.leaves.iter().any(|l| l.in_stock == InStock::Probable)) {
        claim.push_str("; leaves marked probable rest on a filter with false positives");
    }
    claim.push('.');
    claim
}
