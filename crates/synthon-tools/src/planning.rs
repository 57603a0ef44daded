//! What the planning tools share: how their arguments become a request, and how routes look.

use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_mol::Element;

use crate::arguments::{MAX_TEXT_CHARS, choices};
use crate::check::shorten;
use crate::context::CallContext;
use crate::envelope::milliseconds;
use crate::error::ToolError;
use crate::molecule::MAX_ATOMS;
use crate::output::{
    boolean, count, described, list, nullable, object, object_with, one_of, real, status, string,
};
use crate::registry::MAX_RESULT_BYTES;

/// Longest list given as text, in characters.
pub(crate) const MAX_LIST_CHARS: usize = 4_096;

/// Left of a call's time for everything but the search.
const RESERVE: Duration = Duration::from_millis(500);

choices! {
    /// How much a planning result tells.
    pub enum Detail {
        /// Steps without conditions, precedents, checks and reaction centre.
        Brief = "brief",
        /// Everything.
        Full = "full",
    }
}

/// Elements out of a comma-separated list of symbols, each once.
pub(crate) fn elements(argument: &str, text: &str) -> Result<Vec<Element>, ToolError> {
    let mut out = Vec::new();
    for symbol in text.split(',').map(str::trim).filter(|symbol| !symbol.is_empty()) {
        let element = Element::from_symbol(symbol).filter(|element| !element.is_wildcard());
        let Some(element) = element else {
            return Err(ToolError::argument(
                "element.unknown",
                format!("{argument} names an unknown element"),
            )
            .about(argument)
            .found(shorten(symbol))
            .accepting("element symbols with commas between, such as Br,I"));
        };
        if !out.contains(&element) {
            out.push(element);
        }
    }
    Ok(out)
}

/// The time of a search: what was asked for, but not more than the call has left.
pub(crate) fn search_time(wanted: Duration, context: &CallContext<'_>) -> Duration {
    match context.budget().remaining() {
        Some(left) => wanted.min(left.saturating_sub(RESERVE)),
        None => wanted,
    }
}

/// The limits that hold for every planning tool.
pub(crate) fn limits() -> Value {
    json!({
        "max_text_chars": MAX_TEXT_CHARS,
        "max_atoms": MAX_ATOMS,
        "max_result_bytes": MAX_RESULT_BYTES,
    })
}

pub(crate) fn limits_schema() -> Value {
    object([("max_text_chars", count()), ("max_atoms", count()), ("max_result_bytes", count())])
}

/// The budget of a planning call.
pub(crate) fn budget(timeout_secs: i64, node_limit: i64, context: &CallContext<'_>) -> Value {
    json!({
        "timeout_secs": timeout_secs,
        "node_limit": node_limit,
        "call_timeout_secs": context.call_timeout().as_secs(),
    })
}

pub(crate) fn budget_schema() -> Value {
    object([
        ("timeout_secs", count()),
        ("node_limit", count()),
        ("call_timeout_secs", described(count(), "The server's cap on the whole call.")),
    ])
}

/// Time of the whole call and of the search in it.
pub(crate) fn timings(search: Duration, context: &CallContext<'_>) -> Value {
    json!({
        "wall_elapsed_ms": milliseconds(context.budget().elapsed()),
        "search_ms": milliseconds(search),
    })
}

pub(crate) fn timings_schema() -> Value {
    object([("wall_elapsed_ms", real()), ("search_ms", real())])
}

/// Takes out of each step what [`Detail::Brief`] leaves out.
pub(crate) fn make_brief(routes: &mut Value) {
    const LEFT_OUT: [&str; 6] = [
        "precedents",
        "conditions",
        "atom_economy",
        "atom_economy_status",
        "forward_check",
        "changed_atoms",
    ];
    for route in routes.as_array_mut().into_iter().flatten() {
        for step in route["steps"].as_array_mut().into_iter().flatten() {
            if let Some(step) = step.as_object_mut() {
                // `remove` would put the last key into the place of the one taken out.
                let kept: Map<String, Value> = std::mem::take(step)
                    .into_iter()
                    .filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()))
                    .collect();
                *step = kept;
            }
        }
    }
}

/// Schema of the proof block.
pub(crate) fn proof_schema() -> Value {
    object_with(
        [
            ("scope", one_of(&["planning"])),
            ("complete", boolean()),
            ("library", string()),
            ("stock", string()),
            ("depth", count()),
            ("constraints", json!({"type": "object"})),
        ],
        [("cutoff", described(string(), "What left templates untried."))],
    )
}

/// Schema of the work done by a search.
pub(crate) fn search_schema() -> Value {
    object([
        ("nodes_expanded", count()),
        ("molecules_seen", count()),
        ("templates_tried", count()),
        ("templates_matched", count()),
        ("stock_hits", count()),
        ("steps_refused", count()),
        ("deepest_level", count()),
    ])
}

/// Schema of one precursor set of the candidate trace.
pub(crate) fn candidate_schema() -> Value {
    object([
        ("target", string()),
        ("rank", count()),
        ("template_id", string()),
        ("rule", string()),
        ("reaction_family", string()),
        ("precursors", list(string())),
        ("step_confidence", real()),
        ("cost", real()),
    ])
}

/// Schema of a stock state.
pub(crate) fn in_stock_schema() -> Value {
    one_of(&["yes", "probable", "no"])
}

/// Schema of the end of a search.
pub(crate) fn status_schema() -> Value {
    status()
}

fn step_schema() -> Value {
    let conditions = object([("text", string()), ("metadata_source", string())]);
    let precedents = object_with([("count", count())], [("examples", list(string()))]);
    let forward = object_with(
        [("reproduces_target", boolean()), ("distinct_products", count())],
        [("truncated", boolean()), ("selectivity_warning", string())],
    );
    let centre = object([
        ("mapped", string()),
        ("target", list(count())),
        ("precursors", list(list(count()))),
    ]);
    object_with(
        [
            ("target", string()),
            ("precursors", list(string())),
            ("template_id", string()),
            ("rule", string()),
            ("reaction_family", string()),
            ("step_confidence", real()),
            ("balanced", boolean()),
        ],
        [
            ("precedents", precedents),
            ("conditions", described(conditions, "Typical forward conditions.")),
            ("atom_economy", nullable(real())),
            ("atom_economy_status", string()),
            ("forward_check", forward),
            ("changed_atoms", centre),
            ("alarms", list(string())),
        ],
    )
}

/// Schema of a route.
pub(crate) fn route_schema() -> Value {
    let leaf = object_with(
        [("smiles", string()), ("in_stock", in_stock_schema())],
        [("source", string()), ("price", real()), ("sold_as", string())],
    );
    let failing = object([("step", count()), ("tier", count()), ("reason", string())]);
    object([
        ("route_id", string()),
        ("steps", described(list(step_schema()), "The step that makes the target first.")),
        ("leaves", list(leaf)),
        ("tier", described(count(), "0 to 3, see the documentation.")),
        ("first_failing_step", nullable(failing)),
        ("depth", count()),
        ("score", described(real(), "Lower is better.")),
        ("building_blocks", list(string())),
        ("confidence", real()),
        ("success_probability", real()),
        ("convergency", real()),
        ("route_cost", real()),
        ("cost_basis", string()),
        ("atom_economy", nullable(real())),
        ("warnings", list(string())),
    ])
}
