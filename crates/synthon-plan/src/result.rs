//! What the planner answers, and what that proves.

use serde::Serialize;
use serde::ser::Serializer;
use synthon_budget::Status;

use crate::request::Constraints;
use crate::route::{InStock, Route};

/// What an answer holds for.
#[derive(Clone, Debug, Serialize)]
pub struct PlanProof {
    /// Always `planning`.
    pub scope: &'static str,
    /// As in [`PlanResult::complete`].
    pub complete: bool,
    /// Name of the template library.
    pub library: String,
    /// Name of the stock.
    pub stock: String,
    /// Depth limit.
    pub depth: u8,
    /// The constraints that asked for something.
    pub constraints: Constraints,
    /// What left templates or matches untried, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<String>,
}

/// Work done by a search. Everything in it is the same for the same input and node limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchStatistics {
    /// Molecules expanded.
    pub nodes_expanded: u64,
    /// Different molecules met.
    pub molecules_seen: u64,
    /// Templates tried on the expanded molecules.
    pub templates_tried: u64,
    /// Of those, how many gave precursors.
    pub templates_matched: u64,
    /// Different molecules met that are in stock.
    pub stock_hits: u64,
    /// Steps that did not replay forwards or did not balance, and were left out.
    pub steps_refused: u64,
    /// Longest chain of steps looked at.
    pub deepest_level: u8,
}

/// One precursor set that an expansion proposed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateRecord {
    /// The molecule expanded.
    pub target: String,
    /// Place of the proposal among those for this molecule, from 1.
    pub rank: usize,
    /// `smarts-sha256:<hex>` of the template.
    pub template_id: String,
    /// Name of the template.
    pub rule: String,
    /// Reaction family.
    pub reaction_family: String,
    /// The precursors.
    pub precursors: Vec<String>,
    /// Confidence of the step.
    pub step_confidence: f64,
    /// Search cost of the step, in nats.
    pub cost: f64,
}

/// How much a constraint ruled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Name of the constraint.
    pub constraint: &'static str,
    /// What it ruled out: `routes`, `partial_routes`, `building_blocks` (molecules in stock),
    /// `templates` (that would have been tried), `steps`, or `molecules` (that would have been
    /// taken apart further).
    pub what: &'static str,
    /// How many.
    pub count: u64,
}

impl Removed {
    /// Counts one more.
    pub(crate) fn count(list: &mut Vec<Removed>, constraint: &'static str, what: &'static str) {
        Removed::add(list, constraint, what, 1);
    }

    /// Counts some more, or none.
    pub(crate) fn add(
        list: &mut Vec<Removed>,
        constraint: &'static str,
        what: &'static str,
        count: u64,
    ) {
        match list.iter_mut().find(|removed| removed.constraint == constraint) {
            Some(removed) => removed.count += count,
            None if count == 0 => {}
            None => list.push(Removed { constraint, what, count }),
        }
    }
}

/// Everything that a planning call found out.
#[derive(Clone, Debug, Serialize)]
pub struct PlanResult {
    /// Canonical SMILES of the target.
    pub target: String,
    /// Whether the target itself is in stock.
    pub target_in_stock: InStock,
    /// How the search ended.
    #[serde(serialize_with = "status_name")]
    pub status: Status,
    /// Whether every expansion that the library allows within the depth was made, as far as it
    /// could matter to a route: then "no route" is a fact about this library, stock and depth.
    pub complete: bool,
    /// Whether there may be more routes than those returned.
    pub truncated: bool,
    /// What the answer holds for.
    pub proof: PlanProof,
    /// What may be concluded, in one sentence.
    pub claim: String,
    /// Number of routes returned.
    pub routes_found: usize,
    /// The routes, best first.
    pub routes: Vec<Route>,
    /// Work done.
    pub search: SearchStatistics,
    /// What the constraints ruled out, as far as the search came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Removed>,
    /// The precursor sets looked at, in the order of the search, when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateRecord>,
    /// Whether there were more candidates than the limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub candidates_truncated: bool,
}

fn status_name<S: Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.as_str())
}
