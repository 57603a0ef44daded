//! When to go on, and when enough has been seen.

use synthon_budget::{Budget, Stop};

use crate::cost::Cost;
use crate::search::graph::{Advance, Graph};
use crate::world::World;

/// What a search is to find before it may end by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// Distinct acceptable routes.
    pub routes: usize,
    /// Once enough are found, the search goes on for this many steps, since estimates may
    /// overrate ...
    pub least_settling: u64,
    /// ... and then until enough of the routes differ in more than details and no cheaper one is
    /// possible by estimate, but at most for this share of the steps taken so far ...
    pub settling_share: f64,
    /// ... or this many steps, whichever is more.
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

/// What is known of the finished routes in a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Appraisal {
    /// Acceptable routes, counted up to the goal.
    pub routes: usize,
    /// Of those looked at, how many differ in more than details, counted up to the goal.
    pub ideas: usize,
    /// Cost of the route with which the goal is reached.
    pub goal_cost: Option<Cost>,
}

/// Searches until the goal is reached, nothing is left, or the budget stops it. `observe` is
/// called after each step with the number of acceptable routes known, counted up to the goal.
pub(crate) fn search<W: World>(
    graph: &mut Graph<W>,
    world: &mut W,
    budget: &mut Budget,
    goal: Goal,
    appraise: impl Fn(&Graph<W>) -> Appraisal,
    mut observe: impl FnMut(&Graph<W>, usize),
) -> End {
    let mut steps: u64 = 0;
    let mut found = 0;
    let mut ways_counted = 0;
    let mut next_count: u64 = 0;
    let mut fruitless: u64 = 0;
    let mut settling: Option<(u64, u64)> = None;
    loop {
        match graph.advance(world, budget) {
            Ok(Advance::Went) => steps += 1,
            Ok(Advance::Exhausted) => return End::Exhausted,
            Err(stop) => return End::Stopped(stop),
        }
        // What was built takes time to take down, and that is the caller's time too.
        if budget.remaining().is_some_and(|left| left < graph.time_to_drop()) {
            return End::Stopped(Stop::Deadline);
        }
        let least_passed = settling.is_some_and(|(least, _)| steps == least);
        let news = graph.ways() > 0 && graph.ways() != ways_counted && steps >= next_count;
        if news || least_passed {
            ways_counted = graph.ways();
            let known = appraise(graph);
            found = known.routes;
            // Counting costs as much as some steps, so it is done ever more rarely; the first
            // route is waited for, so it is told at once.
            let pause = if found == 0 { fruitless } else { steps / 4 };
            fruitless += u64::from(found == 0);
            next_count = steps + 1 + pause;
            if let Some(cost) = known.goal_cost.filter(|_| known.routes >= goal.routes) {
                let (least, most) = *settling.get_or_insert_with(|| {
                    let share = (steps as f64 * goal.settling_share) as u64;
                    (steps + goal.least_settling, steps + share.max(goal.settling_steps))
                });
                let settled = graph.open() >= cost && known.ideas >= goal.routes;
                if steps >= most || settled && steps >= least {
                    observe(graph, found);
                    return End::Enough;
                }
            }
        }
        observe(graph, found);
        if settling.is_some_and(|(_, most)| steps >= most) {
            return End::Enough;
        }
    }
}
