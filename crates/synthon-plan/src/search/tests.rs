//! The search in toy worlds, against an enumerator that follows the definition of a route.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use synthon_budget::{Budget, Stop};

use super::driver::{Appraisal, End, Goal, search};
use super::enumerate::{Derivation, Enumerator};
use super::graph::Graph;
use crate::cost::Cost;
use crate::world::{Expansion, Proposal, World};

/// Molecules are numbers, 0 is the target.
#[derive(Clone, Default)]
struct Toy {
    /// For each molecule its reactions: precursors, cost, and whether it stands the second look.
    reactions: BTreeMap<u32, Vec<(Vec<u32>, Cost, bool)>>,
    stock: BTreeSet<u32>,
    estimates: BTreeMap<u32, Cost>,
    expanded: Vec<u32>,
    pause: Duration,
}

impl World for Toy {
    type Molecule = u32;
    type Kept = u32;
    type Reaction = bool;

    fn key(&self, molecule: &u32) -> u128 {
        u128::from(*molecule) + 1_000
    }

    fn keep(&self, molecule: u32) -> u32 {
        molecule
    }

    fn is_terminal(&mut self, molecule: &u32) -> bool {
        self.stock.contains(molecule)
    }

    fn estimate(&self, molecule: &u32) -> Cost {
        self.estimates.get(molecule).copied().unwrap_or(Cost::ZERO)
    }

    fn expand(&mut self, molecule: &u32, _: &mut Budget) -> Result<Expansion<u32, bool>, Stop> {
        self.expanded.push(*molecule);
        std::thread::sleep(self.pause);
        let proposals = self
            .reactions
            .get(molecule)
            .into_iter()
            .flatten()
            .map(|(precursors, cost, sound)| Proposal {
                precursors: precursors.clone(),
                cost: *cost,
                reaction: *sound,
            })
            .collect();
        Ok(Expansion { proposals, cut: false })
    }

    fn confirm(
        &mut self,
        product: &u32,
        _: &[&u32],
        sound: &mut bool,
        _: &mut Budget,
    ) -> Result<Option<Cost>, Stop> {
        // Some of the sound ones turn out dearer.
        let extra = Cost::from_nats(f64::from(product % 3) / 2.0);
        Ok(sound.then_some(extra))
    }
}

/// A small generator (xorshift), so that worlds are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }
}

fn random_world(seed: u64) -> Toy {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let size = 6 + numbers.below(8) as u32;
    let mut toy = Toy::default();
    for molecule in 0..size {
        if numbers.below(10) < 4 {
            toy.stock.insert(molecule);
        }
        toy.estimates.insert(molecule, Cost::from_nats(numbers.below(3) as f64));
        let mut reactions = Vec::new();
        for _ in 0..1 + numbers.below(4) {
            let precursors = (0..1 + numbers.below(5) / 2)
                .map(|_| numbers.below(u64::from(size)) as u32)
                .collect();
            let cost = Cost::from_nats(0.5 + numbers.below(20) as f64 / 10.0);
            reactions.push((precursors, cost, numbers.below(8) > 0));
        }
        toy.reactions.insert(molecule, reactions);
    }
    toy
}

/// A route by its definition: how each molecule of it is made, as precursor sets.
type RouteMap = BTreeMap<u32, Option<BTreeSet<u32>>>;

/// All routes within `depth`, by trying every reaction for every molecule that is not made yet.
fn brute_force(toy: &Toy, depth: u8) -> BTreeSet<RouteMap> {
    let mut routes = BTreeSet::new();
    let mut unfinished = vec![RouteMap::new()];
    while let Some(route) = unfinished.pop() {
        let missing = std::iter::once(0)
            .chain(route.values().flatten().flatten().copied())
            .find(|molecule| !route.contains_key(molecule));
        let Some(molecule) = missing else {
            if longest(&route, 0, &mut Vec::new()).is_some_and(|steps| steps <= usize::from(depth))
            {
                routes.insert(route);
            }
            continue;
        };
        if molecule != 0 && toy.stock.contains(&molecule) {
            let mut next = route;
            next.insert(molecule, None);
            unfinished.push(next);
            continue;
        }
        let mut tried = BTreeSet::new();
        for (precursors, _, sound) in toy.reactions.get(&molecule).into_iter().flatten() {
            let set: BTreeSet<u32> = precursors.iter().copied().collect();
            // Of two reactions with one precursor set the first counts.
            if !set.is_empty() && tried.insert(set.clone()) && *sound && !set.contains(&0) {
                let mut next = route.clone();
                next.insert(molecule, Some(set));
                unfinished.push(next);
            }
        }
    }
    routes
}

/// Longest chain of steps below a molecule; `None` if a molecule is its own ancestor.
fn longest(route: &RouteMap, molecule: u32, above: &mut Vec<u32>) -> Option<usize> {
    if above.contains(&molecule) {
        return None;
    }
    let Some(precursors) = &route[&molecule] else { return Some(0) };
    above.push(molecule);
    let mut deepest = 0;
    for &precursor in precursors {
        deepest = deepest.max(longest(route, precursor, above)?);
    }
    above.pop();
    Some(deepest + 1)
}

fn as_map(graph: &Graph<Toy>, route: &Derivation) -> RouteMap {
    route
        .made_by
        .iter()
        .map(|&(molecule, reaction)| {
            let precursors = reaction.map(|reaction| {
                let node = graph.reaction(reaction);
                assert_eq!(node.product, molecule);
                node.precursors.iter().map(|&id| graph.molecule(id).molecule).collect()
            });
            (graph.molecule(molecule).molecule, precursors)
        })
        .collect()
}

fn goal(routes: usize) -> Goal {
    Goal { routes, least_settling: 0, settling_share: 0.0, settling_steps: 0 }
}

/// Every route counts, and every two differ.
fn appraise(graph: &Graph<Toy>, goal: usize) -> Appraisal {
    let (routes, _) = take(graph, goal, 1_000_000);
    let goal_cost = routes.get(goal - 1).map(|route| route.cost);
    Appraisal { routes: routes.len(), ideas: routes.len(), goal_cost }
}

/// Up to `wanted` routes, and whether these are all.
fn take(graph: &Graph<Toy>, wanted: usize, effort: u64) -> (Vec<Derivation>, bool) {
    let mut enumerator = Enumerator::new(graph, effort, &|_| true);
    let mut routes = Vec::new();
    while routes.len() < wanted {
        let Some(route) = enumerator.next_route() else { break };
        routes.push(route.clone());
    }
    let all = routes.len() < wanted && enumerator.is_exhausted();
    (routes, all)
}

fn run(toy: &mut Toy, depth: u8, routes: usize, budget: &mut Budget) -> (Graph<Toy>, End) {
    let mut graph = Graph::new(toy, 0, depth);
    let end = search(&mut graph, toy, budget, goal(routes), |g| appraise(g, routes), |_, _| {});
    (graph, end)
}

#[test]
fn an_exhausted_search_holds_exactly_the_routes_of_the_definition() {
    let mut solved = 0;
    for seed in 1..=3_000 {
        let mut toy = random_world(seed);
        let depth = 1 + (seed % 6) as u8;
        let expected = brute_force(&toy, depth);
        let (graph, end) = run(&mut toy, depth, usize::MAX, &mut Budget::unlimited());
        assert_eq!(end, End::Exhausted, "seed {seed}");
        let (routes, all) = take(&graph, usize::MAX, 1_000_000);
        assert!(all, "seed {seed}");
        let found: BTreeSet<RouteMap> = routes.iter().map(|route| as_map(&graph, route)).collect();
        assert_eq!(found.len(), routes.len(), "seed {seed}: a route came twice");
        assert_eq!(found, expected, "seed {seed}");
        assert!(routes.is_sorted_by_key(|route| route.cost), "seed {seed}");
        assert_eq!(graph.solved().is_finite(), !expected.is_empty(), "seed {seed}");
        if let Some(best) = routes.first() {
            assert!(best.cost >= graph.solved(), "seed {seed}");
        }
        let mut expanded = toy.expanded.clone();
        expanded.sort_unstable();
        expanded.dedup();
        assert_eq!(expanded.len(), toy.expanded.len(), "seed {seed}: a molecule expanded twice");
        solved += usize::from(expected.len() > 1);
    }
    assert!(solved > 500, "the worlds are too easy to fail in: {solved}");
}

#[test]
fn a_search_that_has_enough_holds_the_cheapest_routes() {
    for seed in 1..=1_000 {
        let mut toy = random_world(seed);
        // Estimates of zero never overrate, so the cheapest are proved.
        toy.estimates.clear();
        let (all, _) = run(&mut toy.clone(), 5, usize::MAX, &mut Budget::unlimited());
        let (expected, _) = take(&all, 3, 1_000_000);
        let (graph, end) = run(&mut toy, 5, 3, &mut Budget::unlimited());
        let (routes, _) = take(&graph, 3, 1_000_000);
        assert_eq!(end == End::Enough, expected.len() == 3 && end != End::Exhausted);
        let costs = |routes: &[Derivation]| routes.iter().map(|r| r.cost).collect::<Vec<_>>();
        assert!(costs(&routes) == costs(&expected) || end == End::Enough, "seed {seed}");
        if end == End::Enough {
            let goal_reached = routes.last().expect("three routes").cost <= graph.open();
            assert!(!goal_reached || costs(&routes) == costs(&expected), "seed {seed}");
        }
    }
}

#[test]
fn loops_are_not_routes() {
    let cost = Cost::from_nats(1.0);
    let mut toy = Toy::default();
    toy.reactions.insert(0, vec![(vec![1], cost, true)]);
    toy.reactions.insert(1, vec![(vec![2], cost, true), (vec![0], cost, true)]);
    toy.reactions.insert(2, vec![(vec![1], cost, true), (vec![1, 3], cost, true)]);
    toy.stock.insert(3);
    let (graph, end) = run(&mut toy, 20, 10, &mut Budget::unlimited());
    assert_eq!(end, End::Exhausted);
    assert_eq!(graph.ways(), 0);
    assert_eq!(toy.expanded, [0, 1, 2]);
}

#[test]
fn depth_counts_steps_from_the_target() {
    let cost = Cost::from_nats(1.0);
    let mut toy = Toy::default();
    // A chain of four steps, and molecule 3 also one step below the target beside the dead 9.
    toy.reactions.insert(0, vec![(vec![3, 9], cost, true), (vec![1], cost, true)]);
    toy.reactions.insert(1, vec![(vec![2], cost, true)]);
    toy.reactions.insert(2, vec![(vec![3], cost, true)]);
    toy.reactions.insert(3, vec![(vec![4], cost, true)]);
    toy.stock.insert(4);
    for (depth, routes) in [(3, 0), (4, 1), (5, 1)] {
        let (graph, end) = run(&mut toy.clone(), depth, 10, &mut Budget::unlimited());
        assert_eq!(end, End::Exhausted);
        let (found, _) = take(&graph, 10, 1_000);
        assert_eq!(found.len(), routes, "depth {depth}");
    }
}

#[test]
fn a_target_in_stock_is_still_planned_for() {
    let mut toy = Toy::default();
    toy.stock.extend([0, 1]);
    toy.reactions.insert(0, vec![(vec![1, 1], Cost::from_nats(1.0), true)]);
    let (graph, _) = run(&mut toy, 5, 10, &mut Budget::unlimited());
    let (found, _) = take(&graph, 10, 1_000);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].made_by.len(), 2);
}

#[test]
fn a_node_limit_allows_that_many_expansions_and_gives_the_same_graph_each_time() {
    for seed in 1..=200 {
        for limit in 0..6 {
            let runs: Vec<_> = (0..2)
                .map(|_| {
                    let mut toy = random_world(seed);
                    let mut budget = Budget::unlimited().with_node_limit(limit);
                    let (graph, end) = run(&mut toy, 5, usize::MAX, &mut budget);
                    let (routes, _) = take(&graph, 50, 100_000);
                    (toy.expanded, end, routes)
                })
                .collect();
            assert_eq!(runs[0], runs[1]);
            assert!(runs[0].0.len() <= limit as usize);
            assert!(matches!(runs[0].1, End::Exhausted | End::Stopped(Stop::Nodes)));
        }
    }
}

#[test]
fn a_deadline_is_kept() {
    let mut toy = Toy { pause: Duration::from_millis(2), ..Toy::default() };
    for molecule in 0..5_000 {
        let next = vec![(vec![molecule + 1], Cost::from_nats(1.0), true); 1];
        toy.reactions.insert(molecule, next);
        let aside = (vec![molecule + 10_000, molecule + 1], Cost::from_nats(1.0), true);
        toy.reactions.entry(molecule).or_default().push(aside);
    }
    let started = Instant::now();
    let mut budget = Budget::unlimited().with_time_limit(Duration::from_millis(100));
    let mut graph = Graph::new(&toy, 0, 250);
    let end = search(&mut graph, &mut toy, &mut budget, goal(1), |g| appraise(g, 1), |_, _| {});
    assert_eq!(end, End::Stopped(Stop::Deadline));
    assert!(started.elapsed() < Duration::from_millis(600), "{:?}", started.elapsed());
}

#[test]
fn combinations_are_bounded_by_the_effort() {
    // Twelve molecules, each made in two ways at each of many places: 2^12 routes.
    let cost = Cost::from_nats(1.0);
    let mut toy = Toy::default();
    toy.reactions.insert(0, vec![((1..=12).collect(), cost, true)]);
    for molecule in 1..=12 {
        let ways = vec![(vec![100 + molecule], cost, true), (vec![200 + molecule], cost, true)];
        toy.reactions.insert(molecule, ways);
        toy.stock.extend([100 + molecule, 200 + molecule]);
    }
    let (graph, end) = run(&mut toy, 3, usize::MAX, &mut Budget::unlimited());
    assert_eq!((end, graph.ways()), (End::Exhausted, 4_096));
    let (few, is_all) = take(&graph, usize::MAX, 50);
    assert!(!is_all && few.len() <= 50);
    let (all, is_all) = take(&graph, usize::MAX, 1_000_000);
    assert!(is_all && all.len() == 4_096);
}

/// Prints what the graph itself costs, beside the chemistry: `cargo test --release -p
/// synthon-plan -- --ignored --nocapture graph_overhead`.
#[test]
#[ignore = "a measurement, not a check"]
fn graph_overhead() {
    for (fresh, stock_percent) in [(3_u64, 0), (3, 20), (1_000_000, 0), (1_000_000, 20)] {
        let mut numbers = Numbers(0x1234_5678_9ABC_DEF1);
        let mut toy = Toy::default();
        // Molecules of a pool turn up again and again, as in chemistry.
        let pool = 20_000 * fresh.min(20);
        for molecule in 0..60_000_u32 {
            let mut reactions = Vec::new();
            for _ in 0..30 {
                let precursors =
                    (0..1 + numbers.below(2)).map(|_| 1 + numbers.below(pool) as u32).collect();
                let cost = Cost::from_nats(1.0 + numbers.below(30) as f64 / 10.0);
                reactions.push((precursors, cost, true));
            }
            toy.reactions.insert(molecule, reactions);
            toy.estimates.insert(molecule, Cost::from_nats(1.0 + numbers.below(4) as f64));
        }
        for molecule in 1..pool as u32 {
            if numbers.below(100) < stock_percent {
                toy.stock.insert(molecule);
            }
        }
        for depth in [5, 10, 20] {
            let mut budget = Budget::unlimited().with_node_limit(20_000);
            let started = Instant::now();
            let (graph, end) = run(&mut toy.clone(), depth, 1_000_000, &mut budget);
            eprintln!(
                "depth {depth}: {end:?}, {} molecules, {} states, {:?}",
                graph.molecule_count(),
                graph.state_count(),
                started.elapsed()
            );
        }
    }
}
