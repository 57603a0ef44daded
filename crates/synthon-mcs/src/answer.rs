//! What a search gives back.

use std::fmt;

use synthon_budget::Status;
use synthon_mol::Molecule;

use crate::options::Objective;

/// A matched bond: its ends in the query and, in the same order, in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommonBond {
    /// Query atoms, the lower first.
    pub query: (u32, u32),
    /// Their images.
    pub target: (u32, u32),
}

/// A common part of two molecules.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommonSubgraph {
    /// Query atom and target atom, sorted by query atom; zero-based in input order.
    pub atoms: Vec<(u32, u32)>,
    /// The matched bonds, sorted.
    pub bonds: Vec<CommonBond>,
    /// The query atoms of each connected piece, sorted, in the order of their first atoms.
    pub fragments: Vec<Vec<u32>>,
}

impl CommonSubgraph {
    /// Puts a map together from atom pairs and matched query bonds; pieces follow from them.
    pub(crate) fn new(
        query: &Molecule,
        mut atoms: Vec<(u32, u32)>,
        bonds: impl IntoIterator<Item = usize>,
    ) -> Self {
        atoms.sort_unstable();
        let image = |q: u32| atoms.binary_search_by_key(&q, |&(q, _)| q).map(|i| atoms[i].1);
        let mut common: Vec<CommonBond> = bonds
            .into_iter()
            .filter_map(|index| {
                let bond = query.bond(index);
                let (a, b) = (bond.begin() as u32, bond.end() as u32);
                let (a, b) = (a.min(b), a.max(b));
                Some(CommonBond { query: (a, b), target: (image(a).ok()?, image(b).ok()?) })
            })
            .collect();
        common.sort_unstable();
        let mut fragments: Vec<Vec<u32>> = Vec::new();
        let mut seen: Vec<u32> = Vec::new();
        for &(start, _) in &atoms {
            if seen.contains(&start) {
                continue;
            }
            let mut piece = vec![start];
            let mut next = 0;
            while let Some(&atom) = piece.get(next) {
                next += 1;
                for bond in &common {
                    let other = match bond.query {
                        (a, b) if a == atom => b,
                        (a, b) if b == atom => a,
                        _ => continue,
                    };
                    if !piece.contains(&other) {
                        piece.push(other);
                    }
                }
            }
            piece.sort_unstable();
            seen.extend(&piece);
            fragments.push(piece);
        }
        CommonSubgraph { atoms, bonds: common, fragments }
    }

    /// The same part seen from the other molecule.
    pub(crate) fn swapped(self, query: &Molecule) -> Self {
        let bonds: Vec<usize> = self
            .bonds
            .iter()
            .filter_map(|bond| query.bond_between(bond.target.0 as usize, bond.target.1 as usize))
            .collect();
        let atoms = self.atoms.iter().map(|&(q, t)| (t, q)).collect();
        CommonSubgraph::new(query, atoms, bonds)
    }

    /// The first size of the objective: atoms (MCIS) or bonds (MCES).
    pub fn score(&self, objective: Objective) -> usize {
        match objective {
            Objective::Mcis => self.atoms.len(),
            Objective::Mces => self.bonds.len(),
        }
    }
}

/// The method that gave the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Quick first answers whose size equals the upper bound.
    Greedy,
    /// Rooted growth with peeling.
    Connected,
    /// Branch and bound over pieces.
    Fragments,
}

/// The answer of a search for one common subgraph.
#[derive(Clone, Debug)]
pub struct McsAnswer {
    /// The best common subgraph found; `None` when there is none or none was found yet.
    pub common: Option<CommonSubgraph>,
    /// How the search ended.
    pub status: Status,
    /// Whether `common` is proved to be of the greatest size on both levels of the objective
    /// (or, when `None`, that nothing is common).
    pub optimal: bool,
    /// Search nodes visited: pairs of atoms that were mapped in some partial answer.
    pub nodes: u64,
    /// The method that answered.
    pub engine: Engine,
}

/// Input that the search does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum McsError {
    /// More atoms or bonds in one molecule than the search can hold.
    TooLarge {
        /// Atoms or bonds found.
        found: usize,
        /// The most that is accepted.
        limit: usize,
    },
    /// `min_fragment_atoms`, `max_fragments` or a match limit is 0.
    ZeroLimit(&'static str),
    /// A constraint names an atom that does not exist.
    NoSuchAtom {
        /// `query` or `target`.
        molecule: &'static str,
        /// The atom.
        atom: u32,
    },
    /// Weights that do not fit the query or the objective; says why.
    Weights(&'static str),
    /// The share of a series is not above 0 and at most 1.
    Support,
    /// Options that are not for a series; says why.
    Series(&'static str),
}

impl McsError {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            McsError::TooLarge { .. } => "mcs.too_large",
            McsError::ZeroLimit(_) => "mcs.zero_limit",
            McsError::NoSuchAtom { .. } => "mcs.no_such_atom",
            McsError::Weights(_) => "mcs.weights",
            McsError::Support => "mcs.support",
            McsError::Series(_) => "mcs.series",
        }
    }
}

impl fmt::Display for McsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            McsError::TooLarge { found, limit } => {
                write!(f, "a molecule has {found} atoms or bonds; at most {limit} are accepted")
            }
            McsError::ZeroLimit(name) => write!(f, "{name} is 0; it must be at least 1"),
            McsError::NoSuchAtom { molecule, atom } => {
                write!(f, "a constraint names {molecule} atom {atom}, which does not exist")
            }
            McsError::Support => f.write_str("support must be above 0 and at most 1"),
            McsError::Weights(reason) | McsError::Series(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for McsError {}
