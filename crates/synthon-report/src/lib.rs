//! How do I show it to others: routes as drawings, pages, graphs and foreign trees, and many
//! targets summed up.
//!
//! [`render`] writes a planning result in any of these forms; each has a function of its own:
//!
//! | what | by |
//! | --- | --- |
//! | a drawn scheme, one step a row | [`scheme_figure`] |
//! | one HTML page that needs nothing else | [`routes_page`] |
//! | a Mermaid graph | [`mermaid`] |
//! | trees that AiZynthFinder reads | [`aizynthfinder_trees`] |
//! | figures of a batch of targets, as values, text or a page | [`BatchSummary`] |
//!
//! Nothing is judged here: what is shown was found out by the planner and stands in its routes.
#![deny(missing_docs)]

mod batch;
mod mermaid;
mod page;
mod render;
mod scheme;
mod trees;

pub use batch::{BatchSummary, TargetOutcome};
pub use mermaid::mermaid;
pub use page::{PageHead, batch_page, routes_page};
pub use render::{ReportError, RouteForm, render};
pub use scheme::{DEFAULT_WIDTH, Scheme, SchemeStep, scheme_figure, stock_of};
pub use trees::aizynthfinder_trees;
