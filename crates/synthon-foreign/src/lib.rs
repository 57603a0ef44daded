//! How do I use what other planners know: a configuration of AiZynthFinder 4 as a library.
//!
//! A [`Configuration`] names networks, templates, filters and stocks. [`Configuration::library`]
//! makes a library of the first expansion policy and all filters, which is what AiZynthFinder
//! takes when nothing is chosen: for a molecule the network says which templates to try, and a
//! filter which steps to leave out. Stocks are named only; whoever reads files reads them.
//!
//! Networks run in the feature `onnx`. A network is computed as its file says, with the memory that
//! its tables ask for: load those of people you trust.
#![deny(missing_docs)]

mod configuration;
mod error;
mod network;
mod policy;
mod templates;
mod yaml;

pub use configuration::{Configuration, Expansion, Filter};
pub use error::{ForeignError, ForeignErrorKind};
