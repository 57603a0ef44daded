//! What the planning tools share: how their arguments become a request, and how routes look.

pub(crate) mod audited;
pub(crate) mod causes;
pub(crate) mod given_route;
pub(crate) mod page;
pub(crate) mod schema;
pub(crate) mod search;

use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_mol::Element;

use crate::arguments::{MAX_TEXT_CHARS, choices};
use crate::check::shorten;
use crate::context::CallContext;
use crate::envelope::milliseconds;
use crate::error::ToolError;
use crate::molecule::MAX_ATOMS;
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

/// The budget of a planning call.
pub(crate) fn budget(timeout_secs: i64, node_limit: i64, context: &CallContext<'_>) -> Value {
    json!({
        "timeout_secs": timeout_secs,
        "node_limit": node_limit,
        "call_timeout_secs": context.call_timeout().as_secs(),
    })
}

/// Time of the whole call and of the search in it.
pub(crate) fn timings(search: Duration, context: &CallContext<'_>) -> Value {
    json!({
        "wall_elapsed_ms": milliseconds(context.budget().elapsed()),
        "search_ms": milliseconds(search),
    })
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
