//! How do I get there: synthesis routes from a target back to molecules in stock.
//!
//! [`plan`] takes a [`PlanRequest`], a library of retro templates, a stock and a budget, and
//! returns a [`PlanResult`]: routes, best first, and what the answer proves.
//! [`render_result`] shows it as text.
//!
//! # Method
//!
//! The search is best-first over the AND/OR graph of the target (molecules are made by any one of
//! their reactions, a reaction needs all of its precursors), after Retro* (Chen, Li, Dai, Song,
//! *ICML* 2020). A step costs one nat plus the negative logarithm of its confidence; a molecule
//! that is not yet expanded counts with an estimate from its size and complexity
//! ([`accessibility`]). A molecule is expanded once, however many routes pass through it. Values
//! are kept for each molecule *at each distance from the target*, which makes the depth limit
//! exact and the graph free of loops; each value is a pair, the cheapest finished way and the
//! cheapest way still open, so that the search knows where to go on after routes have been found
//! and when nothing is left that could become one.
//!
//! A branch ends in a molecule in stock that the constraints allow, and is not followed beyond
//! it; the target alone is planned for even if it is in stock. When a step could first become
//! part of a finished route it is looked at a second time: the template is run forwards on the
//! precursors and must give the target, stereo included, and for no element but hydrogen may the
//! target have more atoms than the precursors. A step that fails is no step.
//!
//! Routes are read off the graph cheapest first by lazy k-best enumeration (Huang and Chiang,
//! *IWPT* 2005). In a route no molecule is its own ancestor, and each molecule is made in one way
//! only. The routes returned are chosen from those by score and variety ([`ranking`]), and each
//! states how far it has been checked ([`tiers`]).
//!
//! # When a search ends
//!
//! - Nothing is left: every expansion that could be part of a route within the depth was made.
//!   If moreover no expansion was cut and the routes found are all returned, the answer is
//!   *complete*.
//! - Enough: `max_routes` routes are known, and the search has settled, that is, looked for
//!   cheaper and more varied ones for a bounded number of further steps. Not complete.
//! - The budget stops it: deadline, node limit (a node is one molecule expanded) or cancellation.
//!   The routes found so far are returned. Not complete.
//!
//! With a node limit alone the same request gives the same answer, byte for byte; the time is
//! looked at only to stop, and further threads ([`PlanRequest::threads`]) only work out beforehand
//! what the search will probably ask for.
#![deny(missing_docs)]

pub mod accessibility;
mod ahead;
mod assemble;
mod audit;
mod bond_changes;
mod bonds;
mod chemistry;
mod claim;
mod compare;
mod cost;
mod diagnose;
mod disconnect;
mod duties;
mod explain;
mod judge;
mod marks;
mod planner;
mod protection;
pub mod ranking;
mod render;
mod request;
mod result;
mod route;
mod search;
mod series;
mod step;
pub mod tiers;
mod world;

pub use audit::{Audit, AuditedStep, GivenStep, Verdict, audit};
pub use bond_changes::{AtomPair, BondChanges, bond_changes};
pub use compare::{Aim, Diversity, Figure, FrontRoute, diversity, pareto_front};
pub use cost::Cost;
pub use diagnose::{Diagnosis, MissingLeaf, NEAR_MISSES, Remedy, diagnose};
pub use disconnect::{Disconnection, Disconnections, disconnect};
pub use explain::{Explanation, Remark, explain};
pub use planner::{Progress, plan, plan_with_progress};
pub use render::{DEFAULT_WIDTH, render_head, render_result, render_route};
pub use request::{
    ConstraintValue, Constraints, DEFAULT_DEPTH, DEFAULT_MAX_ROUTES, DEFAULT_NODE_LIMIT, MAX_DEPTH,
    NamedMolecule, PlanRequest,
};
pub use result::{CandidateRecord, PlanProof, PlanResult, Removed, SearchStatistics};
pub use route::{
    ChangedAtoms, Conditions, FailingStep, ForwardReport, InStock, Leaf, Precedents, Route, Step,
};
pub use series::{Series, SeriesRoute, SeriesTarget, SharedIntermediate, series};
