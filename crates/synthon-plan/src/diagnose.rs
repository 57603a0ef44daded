//! Why is there no route, and how near did the search come?

use std::collections::HashSet;

use synthon_budget::Budget;
use synthon_library::Library;
use synthon_stock::Stock;

use crate::assemble::{Block, assemble};
use crate::chemistry::{Chemistry, block_of};
use crate::cost::Cost;
use crate::planner::{Progress, Searched, run};
use crate::request::PlanRequest;
use crate::result::PlanResult;
use crate::route::{InStock, Route};
use crate::search::graph::{Graph, MoleculeId, ReactionId, TARGET};

/// Near misses returned.
pub const NEAR_MISSES: usize = 3;
/// Near misses looked at a second time; some may not hold.
const LOOKED_AT: usize = 50;

/// An answer, and the routes that only just failed to be one.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// What the search found.
    pub result: PlanResult,
    /// Routes with leaves out of stock, the ones with the fewest first, each with a set of
    /// missing leaves of its own. Every step was replayed forwards and balanced. Empty when
    /// routes were found.
    pub near_misses: Vec<Route>,
    /// Whether any template gives precursors for the target itself.
    pub target_has_steps: bool,
}

/// Plans, and looks at what is left when no route is found.
pub fn diagnose(
    request: &PlanRequest,
    library: &Library,
    stock: &Stock,
    budget: &mut Budget,
    listen: impl FnMut(Progress),
) -> Diagnosis {
    let Searched { result, graph, mut world } = run(request, library, stock, budget, listen);
    let target_has_steps = !graph.reactions_of(TARGET).is_empty();
    let near_misses = if result.routes.is_empty() {
        // The search has had its time; the second look at a few steps gets its own little.
        let mut budget = Budget::unlimited()
            .with_node_limit(1_000_000)
            .with_cancel_flag(budget.cancel_flag().clone());
        near_misses(&graph, &mut world, request, stock, &mut budget)
    } else {
        Vec::new()
    };
    Diagnosis { result, near_misses, target_has_steps }
}

/// What is missing below a molecule: how many leaves, and how hard they are to come by.
type Lack = (u32, Cost);

/// For each molecule the least that is missing when it may take so many more steps.
struct Lacks {
    /// By steps left, then molecule.
    levels: Vec<Vec<(Lack, Option<ReactionId>)>>,
}

impl Lacks {
    fn new(graph: &Graph<Chemistry<'_>>, depth: u8) -> Self {
        let count = graph.molecule_count() as MoleculeId;
        let leaf = |molecule: MoleculeId| {
            let node = graph.molecule(molecule);
            if node.terminal { (0, Cost::ZERO) } else { (1, node.estimate) }
        };
        let mut levels: Vec<Vec<(Lack, Option<ReactionId>)>> =
            vec![(0..count).map(|molecule| (leaf(molecule), None)).collect()];
        for _ in 1..depth {
            let below = &levels[levels.len() - 1];
            let level = (0..count)
                .map(|molecule| {
                    let mut best = (leaf(molecule), None);
                    if best.0.0 > 0 {
                        for reaction in graph.reactions_of(molecule) {
                            let lack = sum(graph, reaction, below);
                            if lack < best.0 && !graph.is_refused(reaction) {
                                best = (lack, Some(reaction));
                            }
                        }
                    }
                    best
                })
                .collect();
            levels.push(level);
        }
        Lacks { levels }
    }
}

fn sum(
    graph: &Graph<Chemistry<'_>>,
    reaction: ReactionId,
    below: &[(Lack, Option<ReactionId>)],
) -> Lack {
    let mut precursors = graph.reaction(reaction).precursors.clone();
    precursors.sort_unstable();
    precursors.dedup();
    precursors.into_iter().fold((0, Cost::ZERO), |(count, cost), precursor| {
        let lack = below[precursor as usize].0;
        (count + lack.0, cost + lack.1)
    })
}

fn near_misses(
    graph: &Graph<Chemistry<'_>>,
    world: &mut Chemistry<'_>,
    request: &PlanRequest,
    stock: &Stock,
    budget: &mut Budget,
) -> Vec<Route> {
    let lacks = Lacks::new(graph, request.depth);
    let below = &lacks.levels[lacks.levels.len() - 1];
    let mut starts: Vec<(Lack, ReactionId)> = graph
        .reactions_of(TARGET)
        .filter(|&reaction| !graph.is_refused(reaction))
        .map(|reaction| (sum(graph, reaction, below), reaction))
        .filter(|(lack, _)| lack.0 > 0)
        .collect();
    starts.sort();
    let mut known: HashSet<Vec<String>> = HashSet::new();
    let mut found = Vec::new();
    for (_, start) in starts.into_iter().take(LOOKED_AT) {
        let Some(route) = read_off(graph, world, request, stock, &lacks, start, budget) else {
            continue;
        };
        let missing: Vec<String> = route
            .leaves
            .iter()
            .filter(|leaf| leaf.in_stock == InStock::No)
            .map(|leaf| leaf.smiles.clone())
            .collect();
        if known.insert(missing) {
            found.push(route);
        }
        if found.len() == NEAR_MISSES || budget.stopped().is_some() {
            break;
        }
    }
    found
}

/// Puts a partial route together; `None` when a step does not hold or a molecule would be its
/// own ancestor.
fn read_off(
    graph: &Graph<Chemistry<'_>>,
    world: &mut Chemistry<'_>,
    request: &PlanRequest,
    stock: &Stock,
    lacks: &Lacks,
    start: ReactionId,
    budget: &mut Budget,
) -> Option<Route> {
    let text = |molecule: MoleculeId| &*graph.molecule(molecule).molecule;
    let mut steps = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let mut made: HashSet<MoleculeId> = HashSet::new();
    let mut leaves: HashSet<MoleculeId> = HashSet::new();
    let mut waiting = vec![(TARGET, Some(start), lacks.levels.len() - 1, vec![TARGET])];
    while let Some((molecule, reaction, left, path)) = waiting.pop() {
        let Some(reaction) = reaction else {
            if leaves.insert(molecule) {
                blocks.push(block_of(stock, text(molecule)));
            }
            continue;
        };
        if !made.insert(molecule) {
            continue;
        }
        let node = graph.reaction(reaction);
        let precursors: Vec<&str> = node.precursors.iter().map(|&p| text(p)).collect();
        let held = world.second_look(text(molecule), &precursors, &node.reaction, budget)?;
        steps.push(held.step);
        for &precursor in &node.precursors {
            if path.contains(&precursor) {
                return None;
            }
            let below = lacks.levels[left][precursor as usize].1;
            let mut path = path.clone();
            path.push(precursor);
            waiting.push((precursor, below, left.saturating_sub(1), path));
        }
    }
    // Made on one branch and a leaf on another, nearer to the depth limit.
    if leaves.iter().any(|leaf| made.contains(leaf)) {
        return None;
    }
    let target = request.target.to_unmapped_smiles();
    let blocks: Vec<&Block> = blocks.iter().collect();
    Some(assemble(&target, request.target.average_mass(), steps, &blocks))
}
