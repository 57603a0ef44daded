//! What may be concluded from an answer, in one sentence.

use synthon_budget::Status;

use crate::request::PlanRequest;
use crate::result::PlanResult;
use crate::route::InStock;

/// What may be concluded.
pub(crate) fn claim(result: &PlanResult, request: &PlanRequest) -> String {
    let library = &result.proof.library;
    let stock = &result.proof.stock;
    let depth = result.proof.depth;
    let steps = if depth == 1 { "step" } else { "steps" };
    let bounds = format!("library {library}, stock {stock} and at most {depth} {steps} in a row");
    let under = if request.constraints.is_empty() { "" } else { " under these constraints" };
    let stop = match result.status {
        Status::TimedOut => "the time was up",
        Status::LimitReached => "the node limit was reached",
        Status::Cancelled => "the call was cancelled",
        Status::Completed => "",
    };
    let found = result.routes_found;
    let routes = if found == 1 { "route" } else { "routes" };
    let components = request.target.components().0;
    let mut claim = match (found, result.complete) {
        (0, _) if components > 1 => format!(
            "No route was looked for, since the target is a mixture of {components} molecules \
             and templates make one: ask for each of them alone"
        ),
        (0, true) => format!("No route exists with {bounds}{under}"),
        (0, false) if stop.is_empty() => {
            format!("No route was found with {bounds}{under}, but not everything was tried")
        }
        (0, false) => {
            format!("No route was found before {stop}; one may exist with {bounds}{under}")
        }
        (_, true) => {
            let these = if found == 1 { "This is the only" } else { "These are all" };
            let number = if found == 1 { String::new() } else { format!(" {found}") };
            format!("{these}{number} {routes} with {bounds}{under}")
        }
        (_, false) if stop.is_empty() => {
            format!("{found} {routes} found with {bounds}{under}; more may exist")
        }
        (_, false) => {
            format!("{found} {routes} found with {bounds}{under} before {stop}; more may exist")
        }
    };
    match result.target_in_stock {
        InStock::Yes => claim.push_str("; the target itself is in stock"),
        InStock::Probable => claim.push_str("; the target itself is probably in stock"),
        InStock::No => {}
    }
    if result.routes.iter().any(|r| r.leaves.iter().any(|l| l.in_stock == InStock::Probable)) {
        claim.push_str("; leaves marked probable rest on a filter with false positives");
    }
    claim.push('.');
    claim
}
