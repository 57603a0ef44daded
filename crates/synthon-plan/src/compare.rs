//! Routes beside each other: which are best at something, and how unlike they are.

use std::collections::BTreeSet;

use crate::route::{Route, rounded};

/// A figure of a route that may be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// `route_cost`.
    Cost,
    /// `success_probability`.
    SuccessProbability,
    /// Number of steps.
    Steps,
    /// Longest chain of steps.
    Depth,
    /// `confidence`.
    Confidence,
    /// `convergency`.
    Convergency,
    /// `atom_economy`; some routes have none.
    AtomEconomy,
}

impl Figure {
    /// Every figure with its name.
    pub const ALL: [(&'static str, Figure); 7] = [
        ("cost", Figure::Cost),
        ("success_probability", Figure::SuccessProbability),
        ("steps", Figure::Steps),
        ("depth", Figure::Depth),
        ("confidence", Figure::Confidence),
        ("convergency", Figure::Convergency),
        ("atom_economy", Figure::AtomEconomy),
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find_map(|(name, figure)| (figure == self).then_some(name))
            .expect("every figure is in the list")
    }

    /// The figure of a route, `None` where it cannot be evaluated.
    pub fn of(self, route: &Route) -> Option<f64> {
        match self {
            Figure::Cost => Some(route.route_cost),
            Figure::SuccessProbability => Some(route.success_probability),
            Figure::Steps => Some(route.steps.len() as f64),
            Figure::Depth => Some(route.depth as f64),
            Figure::Confidence => Some(route.confidence),
            Figure::Convergency => Some(route.convergency),
            Figure::AtomEconomy => route.atom_economy,
        }
    }
}

/// A figure and which way it is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The figure.
    pub figure: Figure,
    /// Whether more is better.
    pub maximise: bool,
}

impl Aim {
    /// The figure of a route, turned so that more is better; what cannot be evaluated is worse
    /// than any value.
    fn worth(self, route: &Route) -> f64 {
        let sign = if self.maximise { 1.0 } else { -1.0 };
        self.figure.of(route).map_or(f64::NEG_INFINITY, |value| sign * value)
    }
}

/// A route that no other beats.
#[derive(Clone, Debug)]
pub struct FrontRoute {
    /// Position in the list that was given.
    pub position: usize,
    /// The value for each aim, in their order.
    pub values: Vec<Option<f64>>,
    /// The aims at which no other route is better, by position.
    pub best_at: Vec<usize>,
}

/// The routes that no other route beats: none is at least as good at every aim and better at one.
pub fn pareto_front(routes: &[Route], aims: &[Aim]) -> Vec<FrontRoute> {
    let worth: Vec<Vec<f64>> =
        routes.iter().map(|route| aims.iter().map(|aim| aim.worth(route)).collect()).collect();
    let beats = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b)
    };
    let best: Vec<f64> = (0..aims.len())
        .map(|aim| worth.iter().map(|w| w[aim]).fold(f64::NEG_INFINITY, f64::max))
        .collect();
    (0..routes.len())
        .filter(|&at| !worth.iter().any(|other| beats(other, &worth[at])))
        .map(|position| {
            let values: Vec<Option<f64>> =
                aims.iter().map(|aim| aim.figure.of(&routes[position])).collect();
            let best_at = (0..aims.len())
                .filter(|&aim| values[aim].is_some() && worth[position][aim] == best[aim])
                .collect();
            FrontRoute { position, values, best_at }
        })
        .collect()
}

/// How unlike routes are.
#[derive(Clone, Debug, PartialEq)]
pub struct Diversity {
    /// 1 minus the mean pairwise Jaccard similarity of the sets of building blocks; 0 for fewer
    /// than two routes.
    pub building_blocks: f64,
    /// Mean pairwise Jaccard distance of the distinct sets of templates, strict supersets left
    /// out; 1 for none or one.
    pub chemical_ideas: f64,
    /// The sets of templates that `chemical_ideas` compares.
    pub template_sets: usize,
}

/// Compares routes pair by pair.
pub fn diversity(routes: &[Route]) -> Diversity {
    let blocks: Vec<BTreeSet<&str>> = routes
        .iter()
        .map(|route| route.building_blocks.iter().map(String::as_str).collect())
        .collect();
    let ideas: BTreeSet<BTreeSet<&str>> = routes
        .iter()
        .map(|route| route.steps.iter().map(|step| step.template_id.as_str()).collect())
        .collect();
    let ideas: Vec<&BTreeSet<&str>> = ideas
        .iter()
        .filter(|idea| !ideas.iter().any(|other| other != *idea && other.is_subset(idea)))
        .collect();
    Diversity {
        building_blocks: mean_distance(&blocks.iter().collect::<Vec<_>>()).unwrap_or(0.0),
        chemical_ideas: mean_distance(&ideas).unwrap_or(1.0),
        template_sets: ideas.len(),
    }
}

/// Mean pairwise Jaccard distance; `None` for fewer than two sets.
fn mean_distance(sets: &[&BTreeSet<&str>]) -> Option<f64> {
    let mut sum = 0.0;
    let mut pairs = 0usize;
    for (at, a) in sets.iter().enumerate() {
        for b in &sets[at + 1..] {
            let common = a.intersection(b).count() as f64;
            let all = a.union(b).count() as f64;
            sum += if all > 0.0 { 1.0 - common / all } else { 0.0 };
            pairs += 1;
        }
    }
    (pairs > 0).then(|| rounded(sum / pairs as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Step;

    fn route(cost: f64, success: f64, economy: Option<f64>) -> Route {
        Route {
            route_cost: cost,
            success_probability: success,
            atom_economy: economy,
            ..Route::default()
        }
    }

    const CHEAP: Aim = Aim { figure: Figure::Cost, maximise: false };
    const SURE: Aim = Aim { figure: Figure::SuccessProbability, maximise: true };
    const LEAN: Aim = Aim { figure: Figure::AtomEconomy, maximise: true };

    #[test]
    fn only_routes_that_no_other_beats_are_on_the_front() {
        let routes = [route(1.0, 0.5, None), route(2.0, 0.9, None), route(2.0, 0.5, None)];
        let front = pareto_front(&routes, &[CHEAP, SURE]);
        let found: Vec<_> = front.iter().map(|f| (f.position, f.best_at.clone())).collect();
        assert_eq!(found, [(0, vec![0]), (1, vec![1])]);
    }

    #[test]
    fn what_cannot_be_evaluated_never_wins() {
        let routes = [route(1.0, 0.5, None), route(1.0, 0.5, Some(0.1))];
        let front = pareto_front(&routes, &[CHEAP, LEAN]);
        assert_eq!(front.len(), 1);
        assert_eq!((front[0].position, front[0].best_at.as_slice()), (1, &[0, 1][..]));
        let alone = pareto_front(&routes[..1], &[LEAN]);
        assert_eq!((alone[0].values[0], alone[0].best_at.len()), (None, 0));
    }

    fn made(templates: &[&str], blocks: &[&str]) -> Route {
        Route {
            steps: templates
                .iter()
                .map(|id| Step { template_id: (*id).to_owned(), ..Step::default() })
                .collect(),
            building_blocks: blocks.iter().map(|b| (*b).to_owned()).collect(),
            ..Route::default()
        }
    }

    #[test]
    fn unlike_routes_are_far_apart_and_supersets_bring_no_idea() {
        assert_eq!(diversity(&[]).building_blocks, 0.0);
        assert_eq!(diversity(&[made(&["a"], &["A"])]).chemical_ideas, 1.0);
        let two = diversity(&[made(&["a"], &["A", "B"]), made(&["a", "b"], &["B", "C"])]);
        assert_eq!(two.building_blocks, 0.6667);
        assert_eq!((two.chemical_ideas, two.template_sets), (1.0, 1));
        let apart = diversity(&[made(&["a", "c"], &["A"]), made(&["b", "c"], &["B"])]);
        assert_eq!((apart.building_blocks, apart.chemical_ideas), (1.0, 0.6667));
    }
}
