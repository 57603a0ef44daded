//! Reaction templates: what a molecule can be made from, and whether that holds.
//!
//! A [`Template`] is one retro reaction SMARTS, product side first:
//! `[C:1](=[O:2])-[N:3]>>[C:1](=[O:2])O.[N:3]`. Its product side is searched in a molecule; each
//! match is rewritten by an edit script that was compiled when the template was loaded, and the
//! pieces that result are the precursors.
//!
//! The reading follows the Daylight theory manual (SMARTS and SMIRKS) where RDKit's
//! `RunReactants` does, and RDKit where the two differ, because templates in the wild are written
//! against it. Stereo follows the rules of rdchiral (C. W. Coley, W. H. Green, K. F. Jensen,
//! *J. Chem. Inf. Model.* 2019, 59, 2529), see [`StereoRule`].
#![deny(missing_docs)]

mod apply;
mod canonical;
mod changes;
mod distinct;
mod error;
mod extract;
mod geometry;
mod index;
mod index_file;
mod outcome;
mod replay;
mod rewrite;
mod script;
mod search;
mod stereo;
mod template;
mod text;

pub use apply::Scratch;
pub use error::{ReactionError, ReactionErrorKind, Side};
pub use extract::{ExtractError, ExtractErrorKind, ExtractOptions, MappedReaction};
pub use index::{IndexScratch, TemplateIndex};
pub use outcome::{
    Applied, ApplyOptions, Components, Note, Origin, Outcome, Spectators, StereoRule,
};
pub use replay::{
    AtomEconomy, AtomEconomyStatus, Balance, ForwardCheck, atom_economy, balance, combine,
    forward_check,
};
pub use template::Template;
