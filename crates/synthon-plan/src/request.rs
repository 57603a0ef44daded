//! What is asked of the planner.

use serde::ser::{Serialize, SerializeMap, Serializer};
use synthon_library::Reagent;
use synthon_mol::{Element, Molecule};

/// Depth limit when none is given.
pub const DEFAULT_DEPTH: u8 = 5;
/// Greatest depth limit.
pub const MAX_DEPTH: u8 = 20;
/// Routes returned when no number is given.
pub const DEFAULT_MAX_ROUTES: usize = 5;
/// Molecules expanded when no limit is given.
pub const DEFAULT_NODE_LIMIT: u64 = 20_000;

/// A molecule named in a constraint.
#[derive(Clone, Debug)]
pub struct NamedMolecule {
    /// As it shall be shown, canonical SMILES as a rule.
    pub smiles: String,
    /// The molecule.
    pub molecule: Molecule,
}

/// What routes must and must not have. An empty list or `None` asks for nothing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Constraints {
    /// A molecule with any of these elements is no building block.
    pub avoid_elements: Vec<Element>,
    /// Each of these elements occurs in at least one building block.
    pub require_elements: Vec<Element>,
    /// None of these is a building block.
    pub avoid_building_blocks: Vec<NamedMolecule>,
    /// At least one of these is a building block.
    pub require_building_blocks: Vec<NamedMolecule>,
    /// Most steps in a route.
    pub max_steps: Option<usize>,
    /// Greatest `route_cost`.
    pub max_route_cost: Option<f64>,
    /// Least `confidence`.
    pub min_confidence: Option<f64>,
    /// Least `success_probability`.
    pub min_success_probability: Option<f64>,
    /// Templates of these families are never applied.
    pub avoid_reaction_families: Vec<String>,
    /// Templates whose conditions cannot do without these are never applied; those of which no
    /// conditions are known are, and the route says so.
    pub avoid_reagents: Vec<Reagent>,
    /// At least one of these families occurs.
    pub require_reaction_families: Vec<String>,
    /// Routes with these families come first.
    pub prefer_reaction_families: Vec<String>,
    /// A molecule that is at hand, in stock or not, and must be a building block.
    pub start_from: Option<NamedMolecule>,
    /// Bonds of the target, as pairs of its atoms, each of which some step must make.
    pub break_bonds: Vec<[u32; 2]>,
    /// Bonds of the target that no step may make.
    pub freeze_bonds: Vec<[u32; 2]>,
}

impl Constraints {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// Name and value of each constraint that asks for something, in a fixed order.
    pub fn entries(&self) -> Vec<(&'static str, ConstraintValue)> {
        use ConstraintValue::{Number, Pairs, Word, Words};
        let symbols = |elements: &[Element]| {
            Words(elements.iter().map(|element| element.symbol().to_owned()).collect())
        };
        let molecules = |blocks: &[NamedMolecule]| {
            Words(blocks.iter().map(|block| block.smiles.clone()).collect())
        };
        let lists = [
            ("avoid_elements", symbols(&self.avoid_elements)),
            ("require_elements", symbols(&self.require_elements)),
            ("avoid_building_blocks", molecules(&self.avoid_building_blocks)),
            ("require_building_blocks", molecules(&self.require_building_blocks)),
            ("avoid_reaction_families", Words(self.avoid_reaction_families.clone())),
            (
                "avoid_reagents",
                Words(self.avoid_reagents.iter().map(|r| r.as_str().to_owned()).collect()),
            ),
            ("require_reaction_families", Words(self.require_reaction_families.clone())),
            ("prefer_reaction_families", Words(self.prefer_reaction_families.clone())),
        ];
        let numbers = [
            ("max_steps", self.max_steps.map(|steps| steps as f64)),
            ("max_route_cost", self.max_route_cost),
            ("min_confidence", self.min_confidence),
            ("min_success_probability", self.min_success_probability),
        ];
        let bonds = [("break_bonds", &self.break_bonds), ("freeze_bonds", &self.freeze_bonds)];
        lists
            .into_iter()
            .filter(|(_, value)| !matches!(value, Words(words) if words.is_empty()))
            .chain(self.start_from.iter().map(|block| ("start_from", Word(block.smiles.clone()))))
            .chain(
                bonds
                    .into_iter()
                    .filter(|(_, pairs)| !pairs.is_empty())
                    .map(|(name, pairs)| (name, Pairs(pairs.clone()))),
            )
            .chain(numbers.into_iter().filter_map(|(name, value)| Some((name, Number(value?)))))
            .collect()
    }
}

/// Value of a constraint, as shown in a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintValue {
    /// Symbols, SMILES or family names.
    Words(Vec<String>),
    /// One SMILES.
    Word(String),
    /// Bonds.
    Pairs(Vec<[u32; 2]>),
    /// A bound.
    Number(f64),
}

impl Serialize for Constraints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.entries();
        let mut map = serializer.serialize_map(Some(entries.len()))?;
        for (name, value) in entries {
            match value {
                ConstraintValue::Word(word) => map.serialize_entry(name, &word)?,
                ConstraintValue::Pairs(pairs) => map.serialize_entry(name, &pairs)?,
                ConstraintValue::Words(words) => map.serialize_entry(name, &words)?,
                ConstraintValue::Number(number) => map.serialize_entry(name, &number)?,
            }
        }
        map.end()
    }
}

/// A question to the planner.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanRequest {
    /// The molecule to make.
    pub target: Molecule,
    /// Longest chain of steps allowed, 1 to [`MAX_DEPTH`].
    pub depth: u8,
    /// Most routes returned.
    pub max_routes: usize,
    /// What routes must and must not have.
    pub constraints: Constraints,
    /// Most candidate records returned; 0 keeps none.
    pub candidate_trace_limit: usize,
    /// Threads that work on the target, at least 1. The answer does not depend on it.
    pub threads: usize,
}

impl PlanRequest {
    /// A request with the defaults: depth 5, five routes, no constraints, no trace, one thread.
    pub fn new(target: Molecule) -> Self {
        PlanRequest {
            target,
            depth: DEFAULT_DEPTH,
            max_routes: DEFAULT_MAX_ROUTES,
            constraints: Constraints::default(),
            candidate_trace_limit: 0,
            threads: 1,
        }
    }

    /// Sets [`depth`](Self::depth), brought into 1 to [`MAX_DEPTH`].
    pub fn depth(mut self, depth: u8) -> Self {
        self.depth = depth.clamp(1, MAX_DEPTH);
        self
    }

    /// Sets [`max_routes`](Self::max_routes), at least 1.
    pub fn max_routes(mut self, routes: usize) -> Self {
        self.max_routes = routes.max(1);
        self
    }

    /// Sets [`constraints`](Self::constraints).
    pub fn constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self
    }

    /// Sets [`threads`](Self::threads), at least 1.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets [`candidate_trace_limit`](Self::candidate_trace_limit).
    pub fn candidate_trace_limit(mut self, records: usize) -> Self {
        self.candidate_trace_limit = records;
        self
    }
}
