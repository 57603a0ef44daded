//! Common subgraphs under constraints: pairs that must match, pairs and atoms that must not, and
//! a weight for every query atom.

use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;

use crate::answer::{CommonSubgraph, Engine, McsAnswer, McsError};
use crate::bits::Bits;
use crate::connected_atoms::AtomSearch;
use crate::connected_bonds::BondSearch;
use crate::fragments_atoms::FragmentAtomSearch;
use crate::fragments_bonds::FragmentBondSearch;
use crate::incumbent::Incumbent;
use crate::measure::{Count, Measure, Weights};
use crate::options::{McsOptions, Objective};
use crate::peel;
use crate::pieces::PieceLimits;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::similarity::similarity;
use crate::strategy::{LARGEST, build, check_limits, is_swapped, largest_size};

/// The greatest weight of one atom, so that no sum can overflow.
pub const MAX_ATOM_WEIGHT: u32 = 1_000_000;

/// What a common subgraph must and must not hold, and what its atoms are worth. Atoms are
/// counted from zero in input order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McsConstraints {
    /// Pairs (query atom, target atom) that every map holds. Where they cannot all be held,
    /// nothing is common.
    pub required_pairs: Vec<(u32, u32)>,
    /// Pairs (query atom, target atom) that no map holds.
    pub forbidden_pairs: Vec<(u32, u32)>,
    /// Query atoms that are left out.
    pub excluded_query_atoms: Vec<u32>,
    /// Target atoms that are left out.
    pub excluded_target_atoms: Vec<u32>,
    /// The weight of every query atom, at most [`MAX_ATOM_WEIGHT`]; induced objective only. The
    /// answer is then the map of the greatest sum of weights, and of these one with the most
    /// bonds. `None`: every atom counts one.
    pub query_weights: Option<Vec<u32>>,
}

impl McsConstraints {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        *self == McsConstraints::default()
    }

    /// The sum of the weights of the query atoms in `common`.
    pub fn weight(&self, common: &CommonSubgraph) -> u64 {
        match &self.query_weights {
            None => common.atoms.len() as u64,
            Some(weights) => {
                common.atoms.iter().map(|&(q, _)| u64::from(weights[q as usize])).sum()
            }
        }
    }

    /// What about `common` breaks these constraints; empty when nothing does.
    pub fn faults(&self, common: &CommonSubgraph) -> Vec<String> {
        let mut faults = Vec::new();
        for pair in &self.required_pairs {
            if !common.atoms.contains(pair) {
                faults.push(format!("the required pair {pair:?} is missing"));
            }
        }
        for pair in &common.atoms {
            if self.forbidden_pairs.contains(pair) {
                faults.push(format!("the forbidden pair {pair:?} is matched"));
            }
            if self.excluded_query_atoms.contains(&pair.0) {
                faults.push(format!("the excluded query atom {} is matched", pair.0));
            }
            if self.excluded_target_atoms.contains(&pair.1) {
                faults.push(format!("the excluded target atom {} is matched", pair.1));
            }
        }
        faults
    }

    /// The same constraints with query and target exchanged; not for weights.
    fn swapped(&self) -> Self {
        let turn = |pairs: &[(u32, u32)]| pairs.iter().map(|&(q, t)| (t, q)).collect();
        McsConstraints {
            required_pairs: turn(&self.required_pairs),
            forbidden_pairs: turn(&self.forbidden_pairs),
            excluded_query_atoms: self.excluded_target_atoms.clone(),
            excluded_target_atoms: self.excluded_query_atoms.clone(),
            query_weights: None,
        }
    }

    fn allows(&self, q: u32, t: u32) -> bool {
        !self.forbidden_pairs.contains(&(q, t))
            && !self.excluded_query_atoms.contains(&q)
            && !self.excluded_target_atoms.contains(&t)
            && self.required_pairs.iter().all(|&(a, b)| (a == q) == (b == t))
    }

    fn check(
        &self,
        query: &Molecule,
        target: &Molecule,
        options: &McsOptions,
    ) -> Result<(), McsError> {
        let pairs = || self.required_pairs.iter().chain(&self.forbidden_pairs);
        let query_atoms = pairs().map(|pair| pair.0).chain(self.excluded_query_atoms.clone());
        let target_atoms = pairs().map(|pair| pair.1).chain(self.excluded_target_atoms.clone());
        if let Some(atom) = query_atoms.into_iter().find(|&q| q as usize >= query.atom_count()) {
            return Err(McsError::NoSuchAtom { molecule: "query", atom });
        }
        if let Some(atom) = target_atoms.into_iter().find(|&t| t as usize >= target.atom_count()) {
            return Err(McsError::NoSuchAtom { molecule: "target", atom });
        }
        if let Some(weights) = &self.query_weights {
            if options.objective != Objective::Mcis {
                return Err(McsError::Weights("weights are for the induced objective (MCIS)"));
            }
            if weights.len() != query.atom_count() {
                return Err(McsError::Weights("there must be one weight for each query atom"));
            }
            if weights.iter().any(|&weight| weight > MAX_ATOM_WEIGHT) {
                return Err(McsError::Weights("a weight is above 1,000,000"));
            }
        }
        Ok(())
    }
}

/// Finds one largest common subgraph that keeps to the constraints: the largest of those that
/// hold every required pair and nothing that is forbidden, or the heaviest where atoms have
/// weights. Proof and stops are as in [`find_mcs`](crate::find_mcs).
///
/// # Errors
/// As [`find_mcs`](crate::find_mcs); [`McsError::NoSuchAtom`] for a constraint on an atom that
/// does not exist, [`McsError::Weights`] for weights that do not fit the query or the objective.
pub fn find_constrained_mcs(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    constraints: &McsConstraints,
    budget: &mut Budget,
) -> Result<McsAnswer, McsError> {
    check_limits(options)?;
    constraints.check(query, target, options)?;
    let swapped = constraints.query_weights.is_none() && is_swapped(query, target);
    let turned = swapped.then(|| constraints.swapped());
    let (first, second) = if swapped { (target, query) } else { (query, target) };
    let ask = Ask {
        query: first,
        target: second,
        options,
        constraints: turned.as_ref().unwrap_or(constraints),
    };
    let mut best = Incumbent::default();
    let engine = match largest_size(query, target) {
        0..=64 => ask.run::<1>(&mut best, budget),
        65..=128 => ask.run::<2>(&mut best, budget),
        129..=256 => ask.run::<4>(&mut best, budget),
        257..=LARGEST => ask.run::<32>(&mut best, budget),
        found => return Err(McsError::TooLarge { found, limit: LARGEST }),
    };
    // A stop only ends the search: what was found by then is in `best`.
    let engine =
        engine.unwrap_or(if options.connected { Engine::Connected } else { Engine::Fragments });
    let map = &best.map;
    let common = (!map.pairs.is_empty()).then(|| build(first, swapped.then_some(query), map));
    let status = budget.status();
    Ok(McsAnswer {
        common,
        status,
        optimal: status == Status::Completed,
        nodes: budget.nodes(),
        engine,
    })
}

/// One question, its molecules in the order in which they are searched.
struct Ask<'a> {
    query: &'a Molecule,
    target: &'a Molecule,
    options: &'a McsOptions,
    constraints: &'a McsConstraints,
}

impl Ask<'_> {
    fn run<const W: usize>(
        &self,
        best: &mut Incumbent,
        budget: &mut Budget,
    ) -> Result<Engine, Stop> {
        budget.check()?;
        let constraints = self.constraints;
        let rules =
            Rules { query: self.query, target: self.target, options: &self.options.chemistry };
        let mut problem = Problem::<W>::new(&rules);
        let weights = constraints.query_weights.as_deref();
        problem.restrict(
            &rules,
            |q, t| constraints.allows(q as u32, t as u32),
            |q| weights.map_or(0, |weights| weights[q]),
        );
        let required: Vec<u32> = constraints.required_pairs.iter().map(|pair| pair.0).collect();
        if !required.is_empty() {
            problem.required = Some(required.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &q| {
                all.insert(q as usize);
                all
            }));
            best.required = required;
            let can_be_held = constraints
                .required_pairs
                .iter()
                .all(|&(q, t)| problem.domain[q as usize].contains(t as usize));
            if !can_be_held {
                return Ok(Engine::Greedy);
            }
        }
        let similarity = similarity(&problem, budget)?;
        match weights {
            None => self.run_with(&problem, &similarity, Count, best, budget),
            Some(weights) => {
                let mut by_weight: Vec<u32> = (0..weights.len() as u32).collect();
                by_weight.sort_by_key(|&q| std::cmp::Reverse(weights[q as usize]));
                let measure = Weights::new(weights, &by_weight);
                self.run_with(&problem, &similarity, measure, best, budget)
            }
        }
    }

    fn run_with<const W: usize>(
        &self,
        problem: &Problem<W>,
        similarity: &[u32],
        measure: impl Measure<W> + Copy,
        best: &mut Incumbent,
        budget: &mut Budget,
    ) -> Result<Engine, Stop> {
        // Every connected map that holds a required pair is found from that pair.
        let root = self.constraints.required_pairs.first();
        let root = root.map(|&(q, t)| (q as usize, t as usize));
        let proved_by_dives = match self.options.objective {
            Objective::Mcis => {
                let mut search = AtomSearch::new(problem, similarity, measure);
                peel::run_from(root, &mut search, similarity, best, budget)?
            }
            Objective::Mces => {
                let mut search = BondSearch::new(problem, similarity);
                peel::run_from(root, &mut search, similarity, best, budget)?
            }
        };
        if self.options.connected {
            return Ok(if proved_by_dives { Engine::Greedy } else { Engine::Connected });
        }
        let limits = PieceLimits {
            least_atoms: self.options.min_fragment_atoms,
            most_pieces: self.options.max_fragments,
        };
        if best.map.pairs.len() < limits.least_atoms {
            best.forget();
        }
        match self.options.objective {
            Objective::Mcis => {
                FragmentAtomSearch::new(problem, similarity, measure, limits).run(best, budget)?;
            }
            Objective::Mces => {
                FragmentBondSearch::new(problem, similarity, limits).run(best, budget)?;
            }
        }
        Ok(Engine::Fragments)
    }
}
