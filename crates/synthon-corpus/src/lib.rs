//! Which of these millions are like this one, or hold it: packed corpora on disk.
//!
//! [`build`] makes of a stream of records one file with their fingerprints and texts;
//! [`Corpus::open`] maps it into memory. [`Corpus::similar`] gives the most similar molecules, or
//! all above a threshold, exactly; [`Corpus::containing`] those that a pattern matches. Results
//! are in a fixed order, whatever the number of threads. A corpus is never changed: molecules are
//! added and taken away by building it again.
//!
//! Fingerprints are sorted by the number of their bits, so that those whose number alone rules
//! out the wanted similarity are not looked at (Swamidass and Baldi 2007).
#![deny(missing_docs)]

mod build;
mod corpus;
mod error;
mod kernel;
mod layout;
mod mapped;
mod scheme;
mod similarity;
mod substructure;
#[cfg(test)]
mod tests;
mod top;
mod write;

pub use build::{BuildOptions, BuildReport, build, check_target};
pub use corpus::{Corpus, CorpusInfo, Entry};
pub use error::{CorpusError, CorpusErrorKind};
pub use similarity::{Coefficient, Hit, SimilarityHits, SimilaritySearch};
pub use substructure::{SubstructureHits, SubstructureSearch};
