//! Looks at a route that somebody else proposes: is it sound, step by step?
//!
//! A step is held against the library: the template that gives these precursors is found, run
//! forwards, and described as the planner would. A step that no template gives can still be
//! balanced by element, but whether it works stays open; the verdict says so.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use synthon_budget::{Budget, Stop};
use synthon_library::Library;
use synthon_mol::{Element, Molecule};
use synthon_reaction::balance;
use synthon_stock::Stock;

use crate::assemble::{Block, assemble};
use crate::chemistry::{Chemistry, block_of};
use crate::marks::{Kept, Marked};
use crate::request::PlanRequest;
use crate::route::{InStock, Leaf, Route, Step};

/// A step as it was given.
#[derive(Clone, Debug)]
pub struct GivenStep {
    /// What it makes.
    pub target: Molecule,
    /// What it starts from; at least one.
    pub precursors: Vec<Molecule>,
}

/// What an audit concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every step replays and is balanced, every leaf is in stock.
    Pass,
    /// Something is wrong.
    Fail,
    /// Nothing is known to be wrong, but not everything could be looked at.
    Partial,
}

impl Verdict {
    /// `pass`, `fail` or `partial`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Partial => "partial",
        }
    }
}

/// What was found out about a step.
#[derive(Clone, Debug, Serialize)]
pub struct AuditedStep {
    /// What it makes.
    pub target: String,
    /// What it starts from, in canonical order; those in which the route ends with their stock
    /// state.
    pub precursors: Vec<String>,
    /// For every element but hydrogen the target has no more atoms than the precursors.
    pub atom_balanced: bool,
    /// The step as the library knows it; `None` when no template gives it, or when the one that
    /// does fails to give the target forwards.
    #[serde(skip)]
    pub known: Option<Step>,
    /// What is wrong or open, in sentences.
    pub reasons: Vec<String>,
}

/// What was found out about a route.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The steps, the one that makes the target first.
    pub steps: Vec<AuditedStep>,
    /// The molecules in which the route ends.
    pub leaves: Vec<Leaf>,
    /// The conclusion.
    pub verdict: Verdict,
    /// What the verdict rests on, when it is not `pass`.
    pub reasons: Vec<String>,
    /// The route with all its figures; only when every step is known and each molecule is made
    /// in one way.
    pub route: Option<Route>,
    /// Set when the budget ended the audit before its end.
    pub stopped: Option<Stop>,
}

impl Audit {
    /// Whether all steps are balanced.
    pub fn all_atom_balanced(&self) -> bool {
        self.steps.iter().all(|step| step.atom_balanced)
    }
}

/// Audits a route to `target`. Steps that lead nowhere near the target are named in the reasons.
pub fn audit(
    target: &Molecule,
    given: &[GivenStep],
    library: &Library,
    stock: &Stock,
    budget: &mut Budget,
) -> Audit {
    let request = PlanRequest::new(target.clone());
    let mut world = Chemistry::new(library, stock, &request);
    let root = target.to_unmapped_smiles();
    let mut doubts = Doubts::default();
    let order = in_order(&root, given, &mut doubts);

    let mut steps = Vec::with_capacity(order.len());
    let mut stopped = None;
    for (place, &at) in order.iter().enumerate() {
        if let Err(stop) = budget.check() {
            stopped = Some(stop);
            doubts.open(format!("the time was up after {place} of {} steps", order.len()));
            break;
        }
        let step = look_at(&mut world, &given[at], budget, &mut doubts, place + 1);
        steps.push(step);
    }

    let blocks = leaves(given, &order, stock, &mut doubts);
    let all_known: Option<Vec<Step>> = if stopped.is_none() {
        steps.iter().map(|step| step.known.clone()).collect()
    } else {
        None
    };
    let route = all_known.filter(|_| !doubts.is_tangled && !steps.is_empty()).map(|known| {
        let blocks: Vec<&Block> = blocks.iter().collect();
        assemble(&root, target.average_mass(), known, &blocks)
    });
    let verdict = match (doubts.wrong.is_empty(), doubts.open.is_empty()) {
        (false, _) => Verdict::Fail,
        (true, false) => Verdict::Partial,
        (true, true) => Verdict::Pass,
    };
    let leaves = blocks.into_iter().map(|block| block.leaf).collect();
    let reasons = doubts.wrong.into_iter().chain(doubts.open).collect();
    Audit { steps, leaves, verdict, reasons, route, stopped }
}

/// What is wrong with a route, and what is open.
#[derive(Default)]
struct Doubts {
    wrong: Vec<String>,
    open: Vec<String>,
    /// A molecule is its own ancestor or made in two ways: no figures can be given.
    is_tangled: bool,
}

impl Doubts {
    fn wrong(&mut self, reason: String) -> String {
        self.wrong.push(reason.clone());
        reason
    }

    fn open(&mut self, reason: String) -> String {
        self.open.push(reason.clone());
        reason
    }
}

/// Positions of the steps from the target down, each once.
fn in_order(root: &str, given: &[GivenStep], doubts: &mut Doubts) -> Vec<usize> {
    let mut making: HashMap<String, Vec<usize>> = HashMap::new();
    let mut seen: HashSet<(String, Vec<String>)> = HashSet::new();
    for (at, step) in given.iter().enumerate() {
        let target = step.target.to_unmapped_smiles();
        // Trees repeat what is used twice.
        if seen.insert((target.clone(), sorted_texts(&step.precursors))) {
            making.entry(target).or_default().push(at);
        }
    }
    let mut order = Vec::new();
    let mut path_free: HashSet<String> = HashSet::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(molecule) = waiting.pop() {
        if !path_free.insert(molecule.clone()) {
            continue;
        }
        let Some(steps) = making.remove(&molecule) else { continue };
        if steps.len() > 1 {
            doubts.is_tangled = true;
            doubts.open(format!("{molecule} is made in {} different ways", steps.len()));
        }
        for &at in &steps {
            let precursors = &given[at].precursors;
            waiting.extend(precursors.iter().rev().map(Molecule::to_unmapped_smiles));
            order.push(at);
        }
    }
    if !making.is_empty() {
        let mut stray: Vec<String> = making.into_keys().collect();
        stray.sort();
        doubts.wrong(format!("the steps that make {} lead to nothing", stray.join(" and ")));
    }
    if has_loop(given, &order) {
        doubts.is_tangled = true;
        doubts.wrong("a molecule of the route is made from itself".to_owned());
    }
    order
}

fn sorted_texts(molecules: &[Molecule]) -> Vec<String> {
    let mut texts: Vec<String> = molecules.iter().map(Molecule::to_unmapped_smiles).collect();
    texts.sort();
    texts
}

/// Whether some molecule is its own ancestor: whether steps are left when those whose precursors
/// are all makeable or leaves are taken away from below.
fn has_loop(given: &[GivenStep], order: &[usize]) -> bool {
    let mut open: Vec<(String, Vec<String>)> = order
        .iter()
        .map(|&at| (given[at].target.to_unmapped_smiles(), sorted_texts(&given[at].precursors)))
        .collect();
    loop {
        let before = open.len();
        let made: HashSet<String> = open.iter().map(|(target, _)| target.clone()).collect();
        open.retain(|(_, precursors)| precursors.iter().any(|p| made.contains(p)));
        if open.is_empty() || open.len() == before {
            return !open.is_empty();
        }
    }
}

fn look_at(
    world: &mut Chemistry<'_>,
    given: &GivenStep,
    budget: &mut Budget,
    doubts: &mut Doubts,
    number: usize,
) -> AuditedStep {
    let target = given.target.to_unmapped_smiles();
    let wanted = sorted_texts(&given.precursors);
    let balance = balance(&given.precursors, &given.target);
    let mut reasons = Vec::new();
    if !balance.is_balanced() {
        reasons.push(doubts.wrong(format!(
            "step {number}: the target has atoms that no precursor brings: {}",
            missing(&given.target, &given.precursors).join(", ")
        )));
    }
    let (proposals, cut) = world.proposals(&given.target, budget);
    let found = proposals.into_iter().find(|found| {
        let mut texts: Vec<&str> = found.precursors.iter().map(|kept| &**kept).collect();
        texts.sort_unstable();
        texts == wanted
    });
    let mut precursors = wanted;
    let mut known = None;
    match found {
        Some(found) => {
            let precursors_kept: Vec<&Kept> = found.precursors.iter().collect();
            let kept = Marked::plain(given.target.clone()).keep();
            let held = world.second_look(&kept, &precursors_kept, &found.known, budget);
            known = held.map(|held| held.step);
            match &known {
                Some(step) => precursors.clone_from(&step.precursors),
                None if budget.stopped().is_some() => {
                    reasons.push(doubts.open(format!("step {number}: there was no time to replay it")));
                }
                None => reasons.push(doubts.wrong(format!(
                    "step {number}: the forward reaction does not give the target"
                ))),
            }
        }
        None if cut => reasons.push(doubts.open(format!(
            "step {number}: not all that the library proposes for {target} could be looked at"
        ))),
        None => reasons.push(doubts.open(format!(
            "step {number}: no template of the library gives these precursors, so it was not replayed"
        ))),
    }
    AuditedStep { target, precursors, atom_balanced: balance.is_balanced(), known, reasons }
}

/// The elements of which the target has more atoms, as `2 N`.
fn missing(target: &Molecule, precursors: &[Molecule]) -> Vec<String> {
    let count = |molecule: &Molecule, element: Element| {
        molecule.atoms().iter().filter(|atom| atom.element() == element).count()
    };
    let mut elements: Vec<Element> = target.atoms().iter().map(|atom| atom.element()).collect();
    elements.sort_unstable();
    elements.dedup();
    elements
        .into_iter()
        .filter(|&element| element != Element::H)
        .filter_map(|element| {
            let brought: usize = precursors.iter().map(|m| count(m, element)).sum();
            let lacking = count(target, element).saturating_sub(brought);
            (lacking > 0).then(|| format!("{lacking} {}", element.symbol()))
        })
        .collect()
}

fn leaves(given: &[GivenStep], order: &[usize], stock: &Stock, doubts: &mut Doubts) -> Vec<Block> {
    let made: HashSet<String> =
        order.iter().map(|&at| given[at].target.to_unmapped_smiles()).collect();
    let mut texts: Vec<String> = order
        .iter()
        .flat_map(|&at| sorted_texts(&given[at].precursors))
        .filter(|text| !made.contains(text))
        .collect();
    texts.sort();
    texts.dedup();
    let blocks: Vec<Block> = texts.iter().map(|text| block_of(stock, text)).collect();
    for block in &blocks {
        match block.leaf.in_stock {
            InStock::Yes => {}
            InStock::Probable => {
                doubts.open(format!("{} is only probably in stock", block.leaf.smiles));
            }
            InStock::No => {
                doubts.wrong(format!("{} is not in stock", block.leaf.smiles));
            }
        }
    }
    blocks
}
