//! Why is there no route, and how near did the search come?

use std::collections::HashSet;
use std::time::Duration;

use synthon_budget::{Budget, Status};
use synthon_library::Library;
use synthon_mol::Molecule;
use synthon_stock::{StereoMatch, Stock};

use crate::assemble::{Block, assemble};
use crate::chemistry::{Chemistry, block_of};
use crate::cost::Cost;
use crate::disconnect::{Disconnection, disconnect};
use crate::marks::Kept;
use crate::planner::{Progress, Searched, run};
use crate::request::{MAX_DEPTH, PlanRequest};
use crate::result::PlanResult;
use crate::route::{InStock, Route};
use crate::search::graph::{Graph, MoleculeId, ReactionId, TARGET};

/// Near misses returned.
pub const NEAR_MISSES: usize = 3;
/// Near misses looked at a second time; some may not hold.
const LOOKED_AT: usize = 50;
/// Most time for all that follows the search, of the time for both ...
const AFTERTHOUGHT: Duration = Duration::from_secs(4);
/// ... of which it takes no more than one in so many parts.
const AFTERTHOUGHT_PARTS: u32 = 3;
/// Nodes of the budget for the same, so that without a clock it is bounded too.
const AFTERTHOUGHT_NODES: u64 = 1_000_000;
/// Molecules expanded for each change that is tried.
const REMEDY_NODES: u64 = 500;
/// How many more steps in a row are tried.
const DEEPER: u8 = 2;
/// How many times the limit on molecules is tried.
const MORE_NODES: u64 = 4;

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
    /// What is known of the leaves that the near misses lack, in their order, each once.
    pub missing: Vec<MissingLeaf>,
    /// The first change of the question that was tried and gave a route.
    pub remedy: Option<Remedy>,
}

/// A molecule that a near miss lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingLeaf {
    /// SMILES.
    pub smiles: String,
    /// What is in stock that differs from it in stereo alone.
    pub stereoisomer: Option<String>,
    /// Precursors in stock from which one step makes it.
    pub one_step_from: Option<Vec<String>>,
}

/// A change of the question that gives a route.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// This many steps in a row.
    Depth(u8),
    /// Building blocks of any stereochemistry.
    AnyStereo,
    /// This many molecules expanded, in place of the limit that was reached.
    Nodes(u64),
}

/// Plans, and looks at what is left when no route is found. A third of the time, 4 s at most, is
/// kept for that.
pub fn diagnose(
    request: &PlanRequest,
    library: &Library,
    stock: &Stock,
    budget: &Budget,
    listen: impl FnMut(Progress),
) -> Diagnosis {
    let mut searching = budget.child().with_node_limit(budget.node_limit());
    if let Some(left) = budget.remaining() {
        let kept = (left / AFTERTHOUGHT_PARTS).min(AFTERTHOUGHT);
        searching = searching.with_time_limit(left.saturating_sub(kept));
    }
    let Searched { result, graph, mut world } =
        run(request, library, stock, &mut searching, listen);
    let target_has_steps = !graph.reactions_of(TARGET).is_empty();
    let mut found = Diagnosis {
        result,
        near_misses: Vec::new(),
        target_has_steps,
        missing: Vec::new(),
        remedy: None,
    };
    if found.result.routes.is_empty() && request.target.components().0 == 1 {
        let mut after =
            budget.child().with_node_limit(AFTERTHOUGHT_NODES).with_time_limit(AFTERTHOUGHT);
        found.near_misses = near_misses(&graph, &mut world, request, stock, &mut after);
        found.missing = missing_leaves(&found.near_misses, library, stock, &mut after);
        if target_has_steps {
            found.remedy = remedy(request, &found, library, stock, budget, &after);
        }
    }
    found
}

/// The leaves that near misses lack, and how near they are to what can be bought.
fn missing_leaves(
    near_misses: &[Route],
    library: &Library,
    stock: &Stock,
    budget: &mut Budget,
) -> Vec<MissingLeaf> {
    let mut known: HashSet<&str> = HashSet::new();
    let leaves = near_misses.iter().flat_map(|route| &route.leaves);
    let absent = leaves.filter(|leaf| leaf.in_stock == InStock::No);
    absent
        .filter(|leaf| known.insert(&leaf.smiles))
        .filter_map(|leaf| {
            let molecule = Molecule::from_smiles(&leaf.smiles).ok()?;
            let likely = stock.contains_any_stereo(&molecule);
            let mut budget = budget.child();
            let steps = disconnect(&molecule, library, stock, LOOKED_AT, &mut budget).list;
            let stocked = steps.into_iter().find(Disconnection::is_stocked);
            Some(MissingLeaf {
                smiles: leaf.smiles.clone(),
                stereoisomer: likely.entry().map(|entry| entry.smiles.to_owned()),
                one_step_from: stocked.map(|found| found.step.precursors),
            })
        })
        .collect()
}

/// Tries what most often helps, one change at a time, with a small part of the work.
fn remedy(
    request: &PlanRequest,
    found: &Diagnosis,
    library: &Library,
    stock: &Stock,
    spent: &Budget,
    budget: &Budget,
) -> Option<Remedy> {
    let gives_route = |request: &PlanRequest, stock: &Stock, nodes: u64| {
        let mut budget = budget.child().with_node_limit(nodes);
        let request = request.clone().max_routes(1);
        !run(&request, library, stock, &mut budget, |_| {}).result.routes.is_empty()
    };
    let result = &found.result;
    if stock.stereo() == StereoMatch::Exact
        && found.missing.iter().any(|leaf| leaf.stereoisomer.is_some())
    {
        let loose = stock.clone().with_stereo(StereoMatch::Ignore);
        if gives_route(request, &loose, REMEDY_NODES) {
            return Some(Remedy::AnyStereo);
        }
    }
    let deeper = request.depth.saturating_add(DEEPER).min(MAX_DEPTH);
    if deeper > request.depth && result.search.deepest_level >= request.depth {
        let request = request.clone().depth(deeper);
        if gives_route(&request, stock, REMEDY_NODES) {
            return Some(Remedy::Depth(deeper));
        }
    }
    if result.status == Status::LimitReached && spent.node_limit() < REMEDY_NODES {
        let more = (spent.node_limit() * MORE_NODES).min(REMEDY_NODES);
        if gives_route(request, stock, more) {
            return Some(Remedy::Nodes(more));
        }
    }
    None
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
        let kept = |molecule: MoleculeId| &graph.molecule(molecule).molecule;
        let precursors: Vec<&Kept> = node.precursors.iter().map(|&p| kept(p)).collect();
        let held = world.second_look(kept(molecule), &precursors, &node.reaction, budget)?;
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
