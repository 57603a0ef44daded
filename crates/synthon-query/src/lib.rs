//! Does a pattern match a molecule, where, and if not, which primitive failed.
//!
//! A [`Pattern`] is SMARTS compiled once. The dialect is Daylight's with RDKit's extensions
//! (`h`, `k`, `d`, `z`, `Z`, `^n`, ranges such as `{2-3}`, `->`) and component grouping, `@?`
//! and `/?` from Daylight, which RDKit does not read. Stereo marks are always enforced.
#![deny(missing_docs)]

mod error;
mod expression;
mod parse;
mod pattern;
mod stated;

pub use error::{QueryError, QueryErrorKind};
pub use expression::{
    AtomPrimitive, BondPrimitive, Count, Expression, Join, Literal, alternatives, clauses, evaluate,
};
pub use pattern::{Pattern, QueryAtom, QueryBond, QueryGraph, QueryNeighbour, SmartsLimits};
pub use stated::Stated;
