//! Many targets together: which intermediates do their routes share, and what does that save?

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::route::Route;

/// Times that the choice of routes is gone through again; it settles in two or three.
const ROUNDS: usize = 20;

/// A target of a series and the routes found for it, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesTarget {
    /// Canonical SMILES of the target.
    pub target: String,
    /// Its routes; none if none was found.
    pub routes: Vec<SeriesRoute>,
}

/// What a series needs to know of a route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesRoute {
    /// Target and precursors of each step.
    pub steps: Vec<(String, Vec<String>)>,
}

impl From<&Route> for SeriesRoute {
    fn from(route: &Route) -> Self {
        let steps = route.steps.iter().map(|s| (s.target.clone(), s.precursors.clone())).collect();
        SeriesRoute { steps }
    }
}

impl SeriesRoute {
    /// Steps below and including the one that makes a molecule.
    fn steps_to(&self, molecule: &str) -> usize {
        let making: BTreeMap<&str, &[String]> =
            self.steps.iter().map(|(target, from)| (target.as_str(), from.as_slice())).collect();
        let (mut made, mut waiting) = (BTreeSet::new(), vec![molecule]);
        while let Some(molecule) = waiting.pop() {
            if let Some(from) = making.get(molecule)
                && made.insert(molecule)
            {
                waiting.extend(from.iter().map(String::as_str));
            }
        }
        made.len()
    }
}

/// A molecule that routes of several targets make on their way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedIntermediate {
    /// Canonical SMILES.
    pub smiles: String,
    /// Positions of the targets that have a route through it, zero-based, in order; a target that
    /// is the molecule itself counts.
    pub targets: Vec<usize>,
    /// Of those, how many have it in their best route.
    pub in_best_routes: usize,
    /// Fewest steps in which a route makes it.
    pub steps: usize,
    /// Steps that need not be repeated when it is made once for all these targets. Intermediates
    /// that lie on the same way share their savings: the figures do not add up.
    pub steps_saved: usize,
}

/// What the routes of many targets have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Series {
    /// Targets asked about.
    pub targets: usize,
    /// Of those, how many have a route.
    pub solved: usize,
    /// Shared intermediates, those that save most first.
    pub shared: Vec<SharedIntermediate>,
    /// Steps of all best routes, each target made on its own.
    pub steps_apart: usize,
    /// Distinct steps of the best routes: one that several routes have is run once.
    pub steps_together: usize,
    /// For each target the position of the route to take so that the whole series needs few
    /// steps; `None` without a route.
    pub chosen: Vec<Option<usize>>,
    /// Distinct steps of the chosen routes.
    pub steps_chosen: usize,
}

/// Finds what the routes of a series share.
///
/// Routes are chosen by going through the targets again and again, taking for each the route
/// that adds the fewest steps to those of the others (of equal ones the better ranked), until
/// nothing changes: a good choice, not always the best one.
///
/// ```
/// use synthon_plan::{SeriesRoute, SeriesTarget, series};
///
/// let route = |steps: &[(&str, &[&str])]| SeriesRoute {
///     steps: steps
///         .iter()
///         .map(|(made, from)| (made.to_string(), from.iter().map(|f| f.to_string()).collect()))
///         .collect(),
/// };
/// let target = |name: &str| SeriesTarget {
///     target: name.into(),
///     routes: vec![route(&[(name, &["I", "a"]), ("I", &["b"])])],
/// };
/// let found = series(&[target("T"), target("U")]);
/// assert_eq!(found.shared[0].smiles, "I");
/// assert_eq!((found.steps_apart, found.steps_together), (4, 3));
/// ```
pub fn series(targets: &[SeriesTarget]) -> Series {
    let mut out = Series { targets: targets.len(), ..Series::default() };
    out.shared = shared(targets);
    let best = |target: &SeriesTarget| (!target.routes.is_empty()).then_some(0);
    let mut chosen: Vec<Option<usize>> = targets.iter().map(best).collect();
    out.solved = chosen.iter().flatten().count();
    out.steps_apart = targets.iter().filter_map(|t| t.routes.first()).map(|r| r.steps.len()).sum();
    let mut used = Used::default();
    for target in targets {
        if let Some(route) = target.routes.first() {
            used.add(route);
        }
    }
    out.steps_together = used.0.len();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (target, chosen) in targets.iter().zip(&mut chosen) {
            let Some(now) = *chosen else { continue };
            used.take(&target.routes[now]);
            let fewest = (0..target.routes.len())
                .min_by_key(|&at| (used.new_steps(&target.routes[at]), at))
                .unwrap_or(now);
            // A change has to save something, so that this comes to an end.
            let better =
                used.new_steps(&target.routes[fewest]) < used.new_steps(&target.routes[now]);
            let route = if better { fewest } else { now };
            changed |= better;
            *chosen = Some(route);
            used.add(&target.routes[route]);
        }
        if !changed {
            break;
        }
    }
    out.steps_chosen = used.0.len();
    out.chosen = chosen;
    out
}

/// How many of the routes use a step.
#[derive(Default)]
struct Used<'t>(BTreeMap<&'t (String, Vec<String>), usize>);

impl<'t> Used<'t> {
    fn add(&mut self, route: &'t SeriesRoute) {
        for step in &route.steps {
            *self.0.entry(step).or_insert(0) += 1;
        }
    }

    fn take(&mut self, route: &SeriesRoute) {
        for step in &route.steps {
            if let Some(count) = self.0.get_mut(step) {
                *count -= 1;
                if *count == 0 {
                    self.0.remove(step);
                }
            }
        }
    }

    fn new_steps(&self, route: &SeriesRoute) -> usize {
        route.steps.iter().filter(|step| !self.0.contains_key(step)).count()
    }
}

fn shared(targets: &[SeriesTarget]) -> Vec<SharedIntermediate> {
    #[derive(Default)]
    struct Seen {
        targets: BTreeSet<usize>,
        best: BTreeSet<usize>,
        steps: Option<usize>,
    }
    let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
    for (at, target) in targets.iter().enumerate() {
        for (place, route) in target.routes.iter().enumerate() {
            for (made, _) in &route.steps {
                let entry = seen.entry(made).or_default();
                entry.targets.insert(at);
                if place == 0 {
                    entry.best.insert(at);
                }
                let steps = route.steps_to(made);
                entry.steps = Some(entry.steps.map_or(steps, |fewest| fewest.min(steps)));
            }
        }
    }
    let mut shared: Vec<SharedIntermediate> = seen
        .into_iter()
        .filter(|(_, seen)| seen.targets.len() > 1)
        .map(|(smiles, seen)| {
            let steps = seen.steps.unwrap_or(0);
            SharedIntermediate {
                smiles: smiles.to_owned(),
                steps,
                steps_saved: (seen.targets.len() - 1) * steps,
                targets: seen.targets.into_iter().collect(),
                in_best_routes: seen.best.len(),
            }
        })
        // The same target asked twice shares nothing with itself.
        .filter(|found| found.targets.iter().any(|&at| targets[at].target != found.smiles))
        .collect();
    shared.sort_by(|a, b| {
        (b.steps_saved, b.targets.len(), &a.smiles).cmp(&(
            a.steps_saved,
            a.targets.len(),
            &b.smiles,
        ))
    });
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(steps: &[(&str, &[&str])]) -> SeriesRoute {
        let steps = steps
            .iter()
            .map(|(made, from)| ((*made).to_owned(), from.iter().map(|&f| f.to_owned()).collect()))
            .collect();
        SeriesRoute { steps }
    }

    fn target(name: &str, routes: Vec<SeriesRoute>) -> SeriesTarget {
        SeriesTarget { target: name.to_owned(), routes }
    }

    /// T and U go by I (two steps), V is I itself, W has nothing to do with them.
    fn targets() -> Vec<SeriesTarget> {
        let way: [(&str, &[&str]); 2] = [("I", &["J"]), ("J", &["a", "b"])];
        vec![
            target("T", vec![route(&[("T", &["I", "c"]), way[0], way[1]])]),
            target("U", vec![route(&[("U", &["d"])]), route(&[("U", &["I"]), way[0], way[1]])]),
            target("I", vec![route(&way)]),
            target("W", vec![route(&[("W", &["e"])])]),
            target("X", vec![]),
        ]
    }

    #[test]
    fn intermediates_of_several_targets_are_found_and_counted() {
        let found = series(&targets());
        assert_eq!((found.targets, found.solved), (5, 4));
        let names: Vec<&str> = found.shared.iter().map(|s| s.smiles.as_str()).collect();
        assert_eq!(names, ["I", "J"]);
        let first = &found.shared[0];
        assert_eq!((first.targets.as_slice(), first.in_best_routes), ([0, 1, 2].as_slice(), 2));
        assert_eq!((first.steps, first.steps_saved), (2, 4));
        assert_eq!((found.steps_apart, found.steps_together), (3 + 1 + 2 + 1, 3 + 1 + 1));
    }

    #[test]
    fn a_route_is_chosen_for_what_it_shares() {
        let mut targets = targets();
        // Alone both routes of U cost three steps; beside T the second costs one.
        targets[1].routes[0] = route(&[("U", &["K"]), ("K", &["L"]), ("L", &["e"])]);
        let found = series(&targets);
        assert_eq!(found.chosen, [Some(0), Some(1), Some(0), Some(0), None]);
        assert!(found.steps_chosen < found.steps_together);
    }

    #[test]
    fn the_same_target_twice_shares_no_intermediate_with_itself() {
        let twice = vec![targets()[3].clone(), targets()[3].clone()];
        let found = series(&twice);
        assert!(found.shared.is_empty());
        assert_eq!((found.steps_apart, found.steps_together), (2, 1));
        assert_eq!(series(&[]), Series::default());
    }
}
