//! Named sets of retro templates, and what they propose for a molecule.
//!
//! A [`Library`] is read from TOML: templates with a name, a reaction family of the closed list
//! ([`families`]), typical forward conditions and a sentence about them. [`Library::curated`] is
//! the shipped one, written from general chemical knowledge; [`Library::from_toml`] and
//! [`Library::from_path`] read a user's, which may use the same families, functional groups and
//! pattern abbreviations.
//!
//! [`Library::expand`] proposes precursors: the templates that can match are found by an index,
//! applied, and their outcomes filtered. What a template asks of its precursors holds, no group
//! that would not survive (`forbids`) stands elsewhere in the molecule, and groups that compete
//! are named as [`Alarm`]s.
//!
//! An [`ExtractedLibrary`] holds templates that a [`LibraryBuilder`] extracted from mapped
//! reactions, by the ten thousand, with counts and precedents; its policy, trained by a
//! [`PolicyTrainer`], ranks what they give. [`Library::uspto`] is the shipped one, with the named
//! templates beside it, and [`Library::propose`] asks both.
#![deny(missing_docs)]

mod build;
mod build_naming;
mod change;
mod combined;
mod conditions;
mod coverage;
mod curated;
mod error;
mod expand;
mod extracted;
mod extracted_files;
mod extracted_table;
mod family;
mod group;
mod library;
mod macros;
mod model;
mod policy;
mod precursor_side;
mod reactions;
mod review;
mod ring_positions;
mod selectivity;
mod sense;
mod shipped;
mod source;
#[cfg(test)]
mod trial;

pub use build::{BuildOptions, BuildStatistics, LibraryBuilder, Rejected};
pub use combined::{Rule, UNASSIGNED};
pub use conditions::{Needing, Reagent};
pub use coverage::{Coverage, RANKS};
pub use curated::{TemplateExamples, curated_examples};
pub use error::{LibraryError, LibraryErrorKind};
pub use expand::{Alarm, Expansion, Proposal, Scratch};
pub use extracted::{ExtractedLibrary, ExtractedTemplate, Precedent};
pub use family::{Family, families, is_family};
pub use group::FunctionalGroup;
pub use library::{Library, LibraryLimits, NamedTemplate};
pub use model::{GivenTemplate, TemplateModel};
pub use policy::{
    Accuracy, ExtractedExpansion, ExtractedProposal, Hits, PolicyTrainer, ProposeOptions,
    TrainOptions, TrainReport,
};
pub use reactions::{BadLine, ReactionColumns, ReactionReader, ReactionRecord};
pub use review::Review;
