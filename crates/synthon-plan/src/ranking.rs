//! In which order routes are returned.
//!
//! The score of a route, lower is better, is the sum of
//!
//! - for each step [`STEP_WEIGHT`] plus `-ln(confidence)`: short routes of trusted steps;
//! - [`ALARM_WEIGHT`] for each selectivity alarm;
//! - [`BLOCK_WEIGHT`] times the cost of the building blocks (stock prices are brought to the
//!   scale of the estimate by their logarithm);
//! - minus [`CONVERGENCY_WEIGHT`] times (1 - longest chain / number of steps): of two routes of
//!   equal length the branched one is shorter to run.
//!
//! The list is then kept varied. What a route does to the atoms of the target, step by step, is
//! its idea. A route that changes the same groups of atoms as a better one, in whatever order,
//! with perhaps more steps besides, is a variant of it: acid chloride for acid, ethyl ester for
//! methyl ester, two independent steps exchanged. Variants are returned only when there is room
//! after the routes that bring an idea of their own, those apart whose score is far behind (more
//! than [`FAR_FACTOR`] times that of the best, plus [`STEP_WEIGHT`]); the order is by score in any
//! case.

use std::collections::BTreeSet;

use crate::route::Route;

/// Weight of one step, in nats.
pub const STEP_WEIGHT: f64 = 1.0;
/// Weight of one selectivity alarm.
pub const ALARM_WEIGHT: f64 = 1.2;
/// Weight of one unit of building-block cost.
pub const BLOCK_WEIGHT: f64 = 0.1;
/// Weight of convergence.
pub const CONVERGENCY_WEIGHT: f64 = 0.5;

/// How many times the score of the best a route with an idea of its own may have and still go
/// before variants of better ones.
pub const FAR_FACTOR: f64 = 2.0;

/// The score of a route whose other fields are filled in; `block_cost` is on the scale of
/// [`crate::accessibility::estimated_block_cost`].
pub(crate) fn score(route: &Route, block_cost: f64) -> f64 {
    let steps: f64 = route
        .steps
        .iter()
        .map(|step| {
            STEP_WEIGHT - step.step_confidence.max(1e-6).ln()
                + ALARM_WEIGHT * step.alarms.len() as f64
        })
        .sum();
    let chain = route.depth as f64 / route.steps.len().max(1) as f64;
    steps + BLOCK_WEIGHT * block_cost - CONVERGENCY_WEIGHT * (1.0 - chain)
}

/// What a route does to the atoms of its target: for each step those that it changes, by index
/// in the target's text. Steps that change none of them (the making of a reagent) are left out.
pub(crate) type Idea = BTreeSet<Vec<u32>>;

/// Whether a route with this idea is a variant of one whose idea is known.
pub(crate) fn is_variant(idea: &Idea, known: &[Idea]) -> bool {
    known.iter().any(|known| known.is_subset(idea))
}

/// Orders routes, keeps the list varied and cuts it to `limit`. Routes with `preferred` come
/// first.
pub(crate) fn select(
    mut routes: Vec<(Route, Idea)>,
    limit: usize,
    preferred: impl Fn(&Route) -> bool,
) -> Vec<Route> {
    let order = |a: &Route, b: &Route| {
        (!preferred(a), a.score, &a.route_id)
            .partial_cmp(&(!preferred(b), b.score, &b.route_id))
            .expect("scores are finite")
    };
    routes.sort_by(|a, b| order(&a.0, &b.0));
    if routes.len() <= limit {
        return routes.into_iter().map(|(route, _)| route).collect();
    }
    let far = FAR_FACTOR * routes[0].0.score.max(0.0) + STEP_WEIGHT;
    let mut ideas: Vec<Idea> = Vec::new();
    let (mut chosen, mut variants, mut distant) = (Vec::new(), Vec::new(), Vec::new());
    for (route, own) in routes {
        if is_variant(&own, &ideas) {
            variants.push(route);
            continue;
        }
        ideas.push(own);
        if route.score > far && !preferred(&route) {
            distant.push(route);
        } else {
            chosen.push(route);
        }
    }
    chosen.extend(variants);
    chosen.extend(distant);
    chosen.truncate(limit);
    chosen.sort_by(order);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Step;

    fn route(id: &str, score: f64, steps: &[&[u32]]) -> (Route, Idea) {
        let route = Route {
            route_id: id.to_owned(),
            score,
            steps: vec![Step { step_confidence: 0.9, ..Step::default() }; steps.len()],
            depth: steps.len(),
            ..Route::default()
        };
        (route, steps.iter().map(|atoms| atoms.to_vec()).collect())
    }

    #[test]
    fn variants_wait_until_every_idea_had_its_turn() {
        let routes = vec![
            route("acid", 1.0, &[&[1, 2]]),
            route("chloride", 1.1, &[&[1, 2]]),
            route("chloride from acid", 2.1, &[&[1, 2], &[1]]),
            route("coupling", 3.0, &[&[5, 6]]),
        ];
        let ids = |limit| {
            select(routes.clone(), limit, |_| false)
                .into_iter()
                .map(|route| route.route_id)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(2), ["acid", "coupling"]);
        assert_eq!(ids(3), ["acid", "chloride", "coupling"]);
        assert_eq!(ids(4), ["acid", "chloride", "chloride from acid", "coupling"]);
    }

    #[test]
    fn preferred_routes_come_first_whatever_their_score() {
        let routes = vec![route("a", 1.0, &[&[1]]), route("b", 2.0, &[&[2]])];
        let chosen = select(routes, 1, |route| route.route_id == "b");
        assert_eq!(chosen[0].route_id, "b");
    }

    #[test]
    fn length_distrust_and_alarms_all_count_against_a_route() {
        let one = route("a", 0.0, &[&[1]]).0;
        let two = route("b", 0.0, &[&[1], &[2]]).0;
        let mut doubtful = one.clone();
        doubtful.steps[0].step_confidence = 0.3;
        let mut alarmed = one.clone();
        alarmed.steps[0].alarms.push("competing amines".to_owned());
        let base = score(&one, 2.0);
        assert!(score(&two, 2.0) > base);
        assert!(score(&doubtful, 2.0) > base);
        assert!(score(&alarmed, 2.0) > base);
        assert!(score(&one, 5.0) > base);
    }
}
