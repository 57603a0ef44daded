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
#![deny(missing_docs)]

mod curated;
mod error;
mod expand;
mod family;
mod group;
mod library;
mod macros;
mod precursor_side;
mod source;

pub use curated::{TemplateExamples, curated_examples};
pub use error::{LibraryError, LibraryErrorKind};
pub use expand::{Alarm, Expansion, Proposal, Scratch};
pub use family::{Family, families, is_family};
pub use group::FunctionalGroup;
pub use library::{Library, LibraryLimits, NamedTemplate};
