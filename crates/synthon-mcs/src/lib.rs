//! The largest common part of two molecules, proved or best so far.
//!
//! [`find_mcs`] looks for the maximum common induced subgraph (MCIS: the most atoms, then the
//! most bonds) or the maximum common edge subgraph (MCES: the most bonds, then the most atoms),
//! in one piece or in several. A search that ends by itself has proved its answer; one that is
//! stopped returns the best map that it has, which is always a valid one.
//!
//! ```
//! use synthon_budget::Budget;
//! use synthon_mcs::{McsOptions, find_mcs};
//! use synthon_mol::Molecule;
//!
//! let query = Molecule::from_smiles("CC(=O)NC")?;
//! let target = Molecule::from_smiles("CCC(=O)N")?;
//! let answer = find_mcs(&query, &target, &McsOptions::default(), &mut Budget::unlimited())?;
//! let common = answer.common.expect("they share atoms");
//! assert_eq!(common.atoms, [(0, 1), (1, 2), (2, 3), (3, 4)]);
//! assert!(answer.optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod alignment;
mod answer;
mod bits;
mod check;
mod connected_atoms;
mod connected_bonds;
mod constrained;
mod cut;
mod cycles;
mod decompose;
mod ends;
mod fragments_atoms;
mod fragments_bonds;
mod incumbent;
mod many;
mod measure;
mod options;
mod peel;
mod pieces;
mod placement;
mod problem;
mod proved;
mod regions;
mod rings;
mod rules;
mod series;
mod series_search;
mod similarity;
mod smarts;
mod stereo;
mod strategy;

pub use answer::{CommonBond, CommonSubgraph, Engine, McsAnswer, McsError};
pub use check::check_common_subgraph;
pub use constrained::{MAX_ATOM_WEIGHT, McsConstraints, find_constrained_mcs};
pub use decompose::{
    Core, Decomposition, DecompositionOptions, RGroup, RGroupLabel, RGroupRow, decompose,
};
pub use many::find_mcs_many;
pub use options::{McsOptions, Objective};
pub use series::{SeriesMcs, SeriesOptions, find_series_mcs};
pub use smarts::CommonSmarts;
pub use strategy::{find_all_mcs, find_mcs};
