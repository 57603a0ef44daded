//! The whole way from a request to an answer.

use std::sync::Arc;

use synthon_budget::{Budget, Status};
use synthon_library::Library;
use synthon_stock::Stock;

use crate::ahead::Ahead;
use crate::chemistry::{Chemistry, stock_state};
use crate::claim::claim;
use crate::judge::{Judge, LOOKED_AT};
use crate::ranking::{Idea, select};
use crate::request::{MAX_DEPTH, PlanRequest};
use crate::result::{PlanProof, PlanResult, Removed, SearchStatistics};
use crate::route::Route;
use crate::search::driver::{End, Goal, search};
use crate::search::graph::Graph;

/// Routes read off the graph for each one asked for, so that the best by score and the most
/// varied can be chosen among the cheapest ...
const POOL_FACTOR: usize = 2;
/// ... and at least this many.
const POOL_LEAST: usize = 20;
/// Steps that the search takes in any case after enough routes are found, ...
const LEAST_SETTLING: u64 = 100;
/// ... and for how much longer it looks for cheaper and more varied ones: this share of the steps
/// until then ...
const SETTLING_SHARE: f64 = 0.5;
/// ... or this many.
const SETTLING_STEPS: u64 = 150;
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
    listen: impl FnMut(Progress),
) -> PlanResult {
    run(request, library, stock, budget, listen).result
}

/// An answer, and what it was read from.
pub(crate) struct Searched<'a> {
    pub result: PlanResult,
    pub graph: Graph<Chemistry<'a>>,
    pub world: Chemistry<'a>,
}

/// The search behind every question.
pub(crate) fn run<'a>(
    request: &'a PlanRequest,
    library: &'a Library,
    stock: &'a Stock,
    budget: &mut Budget,
    listen: impl FnMut(Progress),
) -> Searched<'a> {
    if request.threads == 1 {
        return search_alone(request, library, stock, budget, listen, None);
    }
    let ahead = Arc::new(Ahead::new(request.threads - 1));
    let outer = budget.child();
    std::thread::scope(|scope| {
        // Even a panic sends the threads home, or the scope would wait for them for ever.
        let close = Closing(&ahead);
        for _ in 1..request.threads {
            scope.spawn(|| ahead.help(library, request, &outer));
        }
        let helped = Some(Arc::clone(&ahead));
        let searched = search_alone(request, library, stock, budget, listen, helped);
        drop(close);
        searched
    })
}

struct Closing<'a>(&'a Ahead);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The search on this thread, helped or not.
fn search_alone<'a>(
    request: &'a PlanRequest,
    library: &'a Library,
    stock: &'a Stock,
    budget: &mut Budget,
    mut listen: impl FnMut(Progress),
    ahead: Option<Arc<Ahead>>,
) -> Searched<'a> {
    let target = request.target.to_unmapped_smiles();
    let mut world = Chemistry::new(library, stock, request);
    if let Some(ahead) = ahead {
        world.work_ahead(ahead);
    }
    let judge = Judge::new(request, library, stock, &target);
    // A chain of steps is no longer than all steps together.
    let most_steps = request.constraints.max_steps.and_then(|most| u8::try_from(most).ok());
    let depth = request.depth.min(most_steps.unwrap_or(MAX_DEPTH));
    let mut graph = Graph::new(&world, world.target(), depth);
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
        cutoff: work.cut.then(|| Chemistry::cutoff(library)),
    };
    if depth < request.depth {
        let count = graph.left_at_the_limit();
        let (constraint, what) = ("max_steps", "molecules");
        world.removed.extend((count > 0).then_some(Removed { constraint, what, count }));
    }
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
        removed: world.removed.iter().chain(&gathered.removed).cloned().collect(),
        candidates,
        candidates_truncated,
    };
    result.claim = claim(&result, request);
    Searched { result, graph, world }
}
