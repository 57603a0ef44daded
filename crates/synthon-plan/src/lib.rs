//! Synthesis routes for a target: search, validation, ranking and rendering.
#![deny(missing_docs)]

mod cost;
mod search;
mod world;

pub use cost::Cost;
