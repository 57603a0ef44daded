//! When to go on, and when enough has been seen.

use synthon_budget::{Budget, Stop};

use crate::search::enumerate::{Derivation, Enumerator};
use crate::search::graph::{Advance, Graph};
use crate::world::World;

/// Combinations looked at when the routes found so far are counted.
const COUNTING_EFFORT: u64 = 20_000;

/// What a search is to find before it may end by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// Distinct acceptable routes.
    pub routes: usize,
    /// Once they are found, the search goes on while a cheaper one is still possible by
    /// estimate, for at most this share of the work done so far ...
    pub settling_share: f64,
    /// ... and at least this many steps.
    pub settling_steps: u64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Every expansion that could be part of a route within the depth was made.
    Exhausted,
    /// The goal was reached.
    Enough,
    /// The budget stopped it.
    Stopped(Stop),
}

/// Searches until the goal is reached, nothing is left, or the budget stops it.
///
/// `accept` says which finished routes count; `observe` is called after each step with the
/// number of acceptable routes known, and may look at the graph.
pub(crate) fn search<W: World>(
    graph: &mut Graph<W>,
    world: &mut W,
    budget: &mut Budget,
    goal: Goal,
    mut accept: impl FnMut(&Graph<W>, &Derivation) -> bool,
    mut observe: impl FnMut(&Graph<W>, usize),
) -> End {
    let mut steps: u64 = 0;
    let mut found = 0;
    let mut ways_counted = 0;
    let mut next_count: u64 = 0;
    let mut settle_until: Option<u64> = None;
    loop {
        match graph.advance(world, budget) {
            Ok(Advance::Went) => steps += 1,
            Ok(Advance::Exhausted) => return End::Exhausted,
            Err(stop) => return End::Stopped(stop),
        }
        let ways = graph.ways();
        let worth_counting = ways as usize >= goal.routes.min(found + 1) && ways != ways_counted;
        if worth_counting && steps >= next_count {
            ways_counted = ways;
            // Counting costs more the larger the graph; it is done ever more rarely.
            next_count = steps + 1 + steps / 16;
            let (routes, _) = Enumerator::new(graph, COUNTING_EFFORT)
                .take(goal.routes, |route| accept(graph, route));
            found = routes.len();
            if found >= goal.routes {
                let last = routes.last().expect("a goal of no routes is not set").cost;
                if graph.open() >= last {
                    observe(graph, found);
                    return End::Enough;
                }
                settle_until.get_or_insert_with(|| {
                    let share = (steps as f64 * goal.settling_share) as u64;
                    steps + share.max(goal.settling_steps)
                });
            }
        }
        observe(graph, found);
        if settle_until.is_some_and(|until| steps >= until) {
            return End::Enough;
        }
    }
}
