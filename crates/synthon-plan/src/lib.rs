//! Synthesis routes for a target: search, validation, ranking and rendering.
#![deny(missing_docs)]

pub mod accessibility;
mod assemble;
mod chemistry;
mod cost;
mod planner;
mod protection;
pub mod ranking;
mod render;
mod request;
mod result;
mod route;
mod search;
mod step;
pub mod tiers;
mod world;

pub use cost::Cost;
pub use planner::{Progress, plan, plan_with_progress};
pub use render::{DEFAULT_WIDTH, render_result, render_route};
pub use request::{
    ConstraintValue, Constraints, DEFAULT_DEPTH, DEFAULT_MAX_ROUTES, DEFAULT_NODE_LIMIT, MAX_DEPTH,
    NamedMolecule, PlanRequest,
};
pub use result::{CandidateRecord, PlanProof, PlanResult, SearchStatistics};
pub use route::{
    ChangedAtoms, Conditions, FailingStep, ForwardReport, InStock, Leaf, Precedents, Route, Step,
};
