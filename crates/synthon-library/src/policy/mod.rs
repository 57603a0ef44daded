//! The policy: which of all the ways that the templates of a library allow was most likely taken.
//!
//! A policy belongs to one library. It is trained on reactions ([`PolicyTrainer`]) and kept as a
//! file of the library's folder. Its candidates are what the templates give that were most often
//! right where they applied; a small network ranks them (see `network.rs`), by the surroundings of
//! the reaction centre before and after, the molecules that come out, and what is known of the
//! templates.

mod accuracy;
mod candidates;
mod counts;
mod environment;
mod features;
mod learning;
mod network;
mod propose;
mod rows;
mod training;
mod weights;

pub use accuracy::{Accuracy, Hits};
pub(crate) use candidates::Memory;
pub(crate) use network::Policy;
pub use propose::{ExtractedExpansion, ExtractedProposal, ProposeOptions};
pub use training::{PolicyTrainer, TrainOptions, TrainReport};

pub(crate) use weights::with_calibration;

/// Name of the file in the folder of a library.
pub(crate) const FILE: &str = "policy.safetensors";
/// Applicable templates that are looked at for one molecule.
pub(crate) const TEMPLATES: usize = 80;
