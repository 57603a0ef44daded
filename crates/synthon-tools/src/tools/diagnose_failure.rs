//! `diagnose_failure`: why is there no route, and what would help.

use serde_json::{Value, json};
use synthon_plan::{Diagnosis, InStock, PlanRequest, diagnose};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, list, object_with, string};
use crate::planning::Detail;
use crate::planning::causes::{Cause, causes};
use crate::planning::page::{next_offset, offset};
use crate::planning::schema::{result_schema, route_schema, searched};
use crate::planning::search::{
    Question, Setting, bounded, depth, frame, library, node_limit, routes, seconds, stock,
};
use crate::registry::{Tool, ToolReply, Toolset};

arguments! {
    /// What `diagnose_failure` takes.
    pub struct DiagnoseFailure {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves out conditions, precedents and checks of the steps.
        detail: Detail = choice("full"),
        /// First place of the list to return, where an earlier reply was cut.
        offset: i64 = offset(),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "diagnose_failure",
    title: "Diagnose a failed plan",
    description: "Use it when find_routes gives no route: says what stopped the search, what \
                  would help, and gives the nearest misses, partial routes with the fewest \
                  leaves out of stock and which leaves those are. Their steps were replayed \
                  forwards. It repeats the search with its own limits, so give the same ones. \
                  Causes are those that the search itself shows; that no template fits does not \
                  mean that no chemistry does.",
    toolset: Toolset::Planning,
    arguments: DiagnoseFailure::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = DiagnoseFailure::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let request = PlanRequest::new(question.target.clone()).depth(bounded(arguments.depth));
    let (library, stock) = (question.library()?, question.stock()?);
    let budget = question.budget();
    let found = diagnose(&request, &library, &stock, &budget, |at| question.report(at));
    question.spent += budget.elapsed();
    let causes = causes(&found, &question.target, context.catalogue());

    let (mut out, after) = frame(&found.result);
    let sentences = |pick: fn(&Cause) -> Option<&String>| {
        causes.iter().filter_map(pick).cloned().collect::<Vec<String>>()
    };
    out.insert("causes".into(), sentences(|cause| Some(&cause.text)).into());
    out.insert("suggestions".into(), sentences(|cause| cause.suggestion.as_ref()).into());
    let details = serde_json::to_value(&causes).expect("causes serialise");
    out.insert("cause_details".into(), details);
    let search = &found.result.search;
    out.insert("matched_templates".into(), search.templates_matched.into());
    out.insert("nodes_expanded".into(), search.nodes_expanded.into());
    out.insert("stock_hits".into(), search.stock_hits.into());
    let heading = |at: usize| {
        let missing: Vec<&str> = missing(&found.near_misses[at]).collect();
        format!("Near miss {}: out of stock {}", at + 1, missing.join(", "))
    };
    let mut misses = routes(&found.near_misses, arguments.detail, heading);
    misses.name = "Near misses";
    for (value, route) in misses.values.iter_mut().zip(&found.near_misses) {
        let missing: Vec<&str> = missing(route).collect();
        value["missing"] = missing.into();
    }
    out.insert("near_misses".into(), json!([]));
    out.extend(after.into_iter().filter(|(key, _)| key == "search"));
    let mut out = question.finish(out);
    let head = head_of(&found, &causes);
    let text = misses.put("near_misses", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn missing(route: &synthon_plan::Route) -> impl Iterator<Item = &str> {
    let absent = route.leaves.iter().filter(|leaf| leaf.in_stock == InStock::No);
    absent.map(|leaf| leaf.smiles.as_str())
}

fn head_of(found: &Diagnosis, causes: &[Cause]) -> String {
    let mut text = format!("{}\n", found.result.claim);
    for cause in causes {
        text.push_str(&format!("- {}\n", cause.text));
        if let Some(suggestion) = &cause.suggestion {
            text.push_str(&format!("  {suggestion}\n"));
        }
    }
    text
}

fn output_schema() -> Value {
    let missing = [("missing", described(list(string()), "Its leaves out of stock."))];
    let miss = route_schema(missing);
    let detail = object_with([("code", string()), ("text", string())], [("suggestion", string())]);
    result_schema(
        searched().into_iter().chain([
            ("causes", list(string())),
            ("suggestions", list(string())),
            ("cause_details", list(detail)),
            ("matched_templates", count()),
            ("nodes_expanded", count()),
            ("stock_hits", count()),
            ("near_misses", described(list(miss), "Fewest missing leaves first; at most three.")),
            next_offset(),
        ]),
        [],
    )
}
