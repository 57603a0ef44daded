//! `find_routes`: how could this be made.

use serde_json::Value;
use synthon_plan::{Constraints, DEFAULT_WIDTH, PlanRequest, render_head};

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, choices, integer, optional_text, text, text_or,
};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{boolean, described, list};
use crate::planning::page::{next_offset, offset};
use crate::planning::schema::{self, result_schema_under, searched};
use crate::planning::search::{
    MAX_NAME_CHARS, Question, Setting, bounded, depth, library, node_limit, place_of, routes,
    seconds, stock,
};
use crate::planning::{self, Detail, MAX_LIST_CHARS};
use crate::registry::{MAX_RESULT_BYTES, Tool, ToolReply, Toolset};

choices! {
    /// Which templates are tried.
    pub enum SearchMode {
        /// Those of `library`.
        Standard = "standard",
        /// Those of `library` first; those of `coverage_templates` when they give no route.
        Coverage = "coverage",
    }
}

arguments! {
    /// What `find_routes` takes.
    pub struct FindRoutes {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Most routes to return.
        max_routes: i64 = integer(1, 100, 5),
        /// Element symbols with commas between: no building block may contain any of them.
        avoid_elements: String = text_or("", MAX_LIST_CHARS),
        /// Element symbols with commas between: each must occur in a building block of a route.
        require_elements: String = text_or("", MAX_LIST_CHARS),
        /// standard, or coverage: try a larger library when the first one gives no route.
        search_mode: SearchMode = choice("standard"),
        /// Name of the larger library; with search_mode coverage only, and needed there.
        coverage_templates: Option<String> = optional_text(MAX_NAME_CHARS),
        /// Seconds for the larger library; with search_mode coverage only.
        coverage_timeout_secs: i64 = seconds(60),
        /// Seconds for the search; with search_mode standard only.
        timeout_secs: i64 = seconds(20),
        /// Most candidate precursor sets to return, for finding out what was considered.
        candidate_trace_limit: i64 = integer(0, 1_000_000, 0),
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
    name: "find_routes",
    title: "Find synthesis routes",
    description: "Plan how to make a molecule: routes from the target back to molecules in \
                  stock, best first, each step with its reaction, confidence and checks. Read \
                  status and complete: only a complete search without routes shows that none \
                  exists for this library, stock and depth. Every step was replayed forwards and \
                  balanced, but routes are proposals from templates, not tested procedures.",
    toolset: Toolset::Planning,
    arguments: FindRoutes::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = FindRoutes::read(checked);
    check_modes(checked, &arguments)?;
    let mut constraints = Constraints::default();
    constraints.avoid_elements = planning::elements("avoid_elements", &arguments.avoid_elements)?;
    constraints.require_elements =
        planning::elements("require_elements", &arguments.require_elements)?;
    if let Some(larger) = &arguments.coverage_templates {
        context.catalogue().check_library("coverage_templates", larger)?;
    }
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let request = PlanRequest::new(question.target.clone())
        .depth(bounded(arguments.depth))
        .max_routes(bounded(arguments.max_routes))
        .constraints(constraints)
        .candidate_trace_limit(bounded(arguments.candidate_trace_limit));
    let mut result = question.plan(&request)?;
    if let Some(larger) = &arguments.coverage_templates
        && result.routes.is_empty()
    {
        question.ask_again(larger, arguments.coverage_timeout_secs);
        result = question.plan(&request)?;
    }

    let found = std::mem::take(&mut result.routes);
    let listed = routes(&found, arguments.detail, place_of(found.len()));
    let head = render_head(&result, DEFAULT_WIDTH);
    let value = serde_json::to_value(&result).expect("a planning result serialises");
    let Value::Object(mut out) = value else { unreachable!("a struct becomes an object") };
    if let Some(Value::Array(candidates)) = out.get_mut("candidates")
        && cut_to_size(candidates)
    {
        out.insert("candidates_truncated".into(), true.into());
    }
    let mut out = question.finish(out);
    // A trace is as long as was asked for, and must not push the routes out.
    let candidates = out.get_mut("candidates").map(Value::take);
    let text = listed.put("routes", bounded(arguments.offset), head, &mut out, context);
    if let Some(candidates) = candidates {
        out.insert("candidates".into(), candidates);
    }
    Ok(ToolReply { structured: out, text })
}

/// Keeps as many candidates as leave room for the rest of the result; whether any had to go.
fn cut_to_size(candidates: &mut Vec<Value>) -> bool {
    let mut size = 0;
    let fitting = candidates
        .iter()
        .take_while(|candidate| {
            size += candidate.to_string().len() + 1;
            size <= MAX_RESULT_BYTES / 2
        })
        .count();
    let cut = fitting < candidates.len();
    candidates.truncate(fitting);
    cut
}

/// Checks which arguments go together.
fn check_modes(checked: &Checked, arguments: &FindRoutes) -> Result<(), ToolError> {
    let (mode, other, strangers): (_, _, &[&str]) = match arguments.search_mode {
        SearchMode::Standard => {
            ("standard", "coverage", &["coverage_templates", "coverage_timeout_secs"])
        }
        SearchMode::Coverage => ("coverage", "standard", &["timeout_secs"]),
    };
    if let Some(stranger) = strangers.iter().find(|name| checked.was_given(name)) {
        return Err(ToolError::argument(
            "argument.combination",
            format!("{stranger} does not go with search_mode {mode}"),
        )
        .about(*stranger)
        .with_hint(format!("it goes with search_mode {other}")));
    }
    if arguments.search_mode == SearchMode::Coverage && arguments.coverage_templates.is_none() {
        return Err(ToolError::argument(
            "argument.combination",
            "search_mode coverage needs coverage_templates",
        )
        .about("coverage_templates")
        .with_hint("name a configured library"));
    }
    Ok(())
}

fn output_schema() -> Value {
    result_schema_under(
        &["avoid_elements", "require_elements"],
        searched().into_iter().chain([
            ("routes", described(list(schema::route_schema([])), "Best first.")),
            next_offset(),
        ]),
        [
            ("removed", schema::removed_schema()),
            ("candidates", list(schema::candidate_schema())),
            ("candidates_truncated", boolean()),
        ],
    )
}
