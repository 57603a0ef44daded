//! Are we right: cases as data, seeded random molecules, and the reference data.
//!
//! For tests only. Nothing here depends on the engine, so that every crate may use it in its
//! tests, and so that what it generates is judged by nothing that it tests.
#![deny(missing_docs)]

mod cases;
mod hostile;
mod mutation;
mod random;
mod random_molecule;
mod shared;

pub use cases::{Case, CaseReport, Door, read_cases, run_cases};
pub use hostile::{
    FULLERENE_60, FULLERENE_70, dendrimer, hostile_pairs, hostile_patterns, pieces, prism, sheet,
};
pub use mutation::mutate;
pub use random::Random;
pub use random_molecule::{MoleculeShape, RandomMolecule};
pub use shared::{SMILES_CORPORA, read_shared_lines, shared_dir, smiles_corpora, workspace_root};
