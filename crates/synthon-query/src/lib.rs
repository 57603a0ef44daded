//! Does a pattern match a molecule, where, and if not, which primitive failed.
//!
//! A [`Pattern`] is SMARTS compiled once. The dialect is Daylight's with RDKit's extensions
//! (`h`, `k`, `d`, `z`, `Z`, `^n`, ranges such as `{2-3}`, `->`) and component grouping, `@?`
//! and `/?` from Daylight, which RDKit does not read. Stereo marks are always enforced.
//!
//! ```
//! use synthon_mol::Molecule;
//! use synthon_query::{Matcher, Pattern, Target};
//!
//! let phenol = Pattern::from_smarts("[OX2H]c")?;
//! let molecule = Molecule::from_smiles("CC(C)(C)c1ccc(O)cc1")?;
//! assert_eq!(phenol.find_first(&molecule), Some(vec![8, 7]));
//!
//! // Many patterns, many molecules: prepare once, keep the matcher.
//! let target = Target::new(&molecule);
//! let mut matcher = Matcher::new();
//! assert!(matcher.matches(&phenol, &target));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod atom_test;
mod atom_word;
mod bond_test;
mod domains;
mod error;
mod explain;
mod expression;
mod features;
mod hybridisation;
mod matcher;
mod molecule_query;
mod parse;
mod pattern;
mod plan;
mod program;
mod requirements;
mod screen;
mod search;
mod show;
mod stated;
mod stereo_check;
mod target;

pub use error::{QueryError, QueryErrorKind};
pub use explain::{
    Explanation, FailedPart, Miss, MissReason, NeighbourFault, NeighbourMiss, explain,
};
pub use expression::{
    AtomPrimitive, BondPrimitive, Count, Expression, Join, Literal, alternatives, clauses, evaluate,
};
pub use features::{FEATURE_BITS, FEATURES_VERSION, Features};
pub use hybridisation::hybridisations;
pub use matcher::{Embeddings, MatchOptions, Matcher};
pub use molecule_query::{BondOrderMatch, ChemistryOptions};
pub use pattern::{Pattern, QueryAtom, QueryBond, QueryGraph, QueryNeighbour, SmartsLimits};
pub use requirements::Requirements;
pub use screen::{AtomScreen, BondScreen};
pub use stated::Stated;
pub use target::{Target, TargetProfile};
