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
//! The list is then kept varied: a route that makes the same molecules by changing the same atoms
//! as a better one, with perhaps more steps besides, is a variant of it (acid chloride for acid,
//! ethyl ester for methyl ester). Variants are returned only when there is room after the routes
//! that bring an idea of their own; the order is by score in any case.

use std::collections::BTreeSet;

use crate::route::Route;

/// Weight of one step, in nats.
pub const STEP_WEIGHT: f64 = 1.0;
/// Weight of one selectivity alarm.
pub const ALARM_WEIGHT: f64 = 0.7;
/// Weight of one unit of building-block cost.
pub const BLOCK_WEIGHT: f64 = 0.1;
/// Weight of convergence.
pub const CONVERGENCY_WEIGHT: f64 = 0.5;

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

/// What a route does, reagents and activating groups apart: the molecules it makes, each with
/// the atoms that change.
pub(crate) type Idea = BTreeSet<(String, Vec<u32>)>;

/// The idea of a route.
pub(crate) fn idea(route: &Route) -> Idea {
    route
        .steps
        .iter()
        .map(|step| {
            let atoms = step.changed_atoms.as_ref().map(|changed| changed.target.clone());
            (step.target.clone(), atoms.unwrap_or_default())
        })
        .collect()
}

/// Orders routes, keeps the list varied and cuts it to `limit`. Routes with `preferred` come
/// first.
pub(crate) fn select(
    mut routes: Vec<Route>,
    limit: usize,
    preferred: impl Fn(&Route) -> bool,
) -> Vec<Route> {
    let order = |a: &Route, b: &Route| {
        (!preferred(a), a.score, &a.route_id)
            .partial_cmp(&(!preferred(b), b.score, &b.route_id))
            .expect("scores are finite")
    };
    routes.sort_by(order);
    if routes.len() <= limit {
        return routes;
    }
    let mut ideas: Vec<Idea> = Vec::new();
    let (mut chosen, mut variants) = (Vec::new(), Vec::new());
    for route in routes {
        let own = idea(&route);
        if ideas.iter().any(|known| known.is_subset(&own)) {
            variants.push(route);
        } else {
            ideas.push(own);
            chosen.push(route);
        }
    }
    chosen.truncate(limit);
    let room = limit - chosen.len();
    chosen.extend(variants.into_iter().take(room));
    chosen.sort_by(order);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{ChangedAtoms, Step};

    fn route(id: &str, score: f64, steps: &[(&str, &[u32])]) -> Route {
        Route {
            route_id: id.to_owned(),
            score,
            steps: steps
                .iter()
                .map(|(target, atoms)| Step {
                    target: (*target).to_owned(),
                    step_confidence: 0.9,
                    changed_atoms: Some(ChangedAtoms {
                        target: atoms.to_vec(),
                        ..ChangedAtoms::default()
                    }),
                    ..Step::default()
                })
                .collect(),
            depth: steps.len(),
            ..Route::default()
        }
    }

    #[test]
    fn variants_wait_until_every_idea_had_its_turn() {
        let routes = vec![
            route("acid", 1.0, &[("T", &[1, 2])]),
            route("chloride", 1.1, &[("T", &[1, 2])]),
            route("chloride from acid", 2.1, &[("T", &[1, 2]), ("X", &[0])]),
            route("coupling", 3.0, &[("T", &[5, 6])]),
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
        let routes = vec![route("a", 1.0, &[("T", &[1])]), route("b", 2.0, &[("T", &[2])])];
        let chosen = select(routes, 1, |route| route.route_id == "b");
        assert_eq!(chosen[0].route_id, "b");
    }

    #[test]
    fn length_distrust_and_alarms_all_count_against_a_route() {
        let one = route("a", 0.0, &[("T", &[1])]);
        let two = route("b", 0.0, &[("T", &[1]), ("X", &[1])]);
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
