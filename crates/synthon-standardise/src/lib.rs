//! Which of the many ways to draw a substance do we keep: atom maps removed, functional groups in
//! one form, the largest fragment alone, charges taken away where protons can pay for them, and
//! one tautomer for all.
//!
//! The operations and their rules are those of RDKit's MolStandardize (2026.09), which follow
//! MolVS and the FDA's substance registration guide; see the modules for the source of each table.
//! Results do not depend on the spelling of the input: wherever rules leave a choice, it is made
//! in canonical order.
//!
//! ```
//! use synthon_budget::Budget;
//! use synthon_mol::Molecule;
//! use synthon_standardise::{Operation, StandardiseOptions, standardise};
//!
//! let salt = Molecule::from_smiles("[Na+].[O-]C(=O)c1ccccc1")?;
//! let options = StandardiseOptions {
//!     largest_fragment: true,
//!     neutralise: true,
//!     ..StandardiseOptions::default()
//! };
//! let done = standardise(&salt, &options, &mut Budget::unlimited());
//! assert_eq!(done.molecule.to_smiles(), "O=C(O)c1ccccc1");
//! assert_eq!(done.changes[0].operation, Operation::LargestFragment);
//! assert_eq!(done.changes[0].after, "O=C([O-])c1ccccc1");
//! # Ok::<(), synthon_mol::MolError>(())
//! ```
#![deny(missing_docs)]

mod cleanup;
mod edit;
mod fragment;
mod metals;
mod neutralise;
mod normalise;
mod order;
mod reionise;
mod search;
mod standardise;
mod tautomer;

pub use standardise::{Change, Operation, StandardiseOptions, Standardised, standardise};
pub use tautomer::TautomerLimits;
