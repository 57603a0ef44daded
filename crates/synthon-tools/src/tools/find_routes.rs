//! `find_routes`: how could this be made.

use std::time::Duration;

use serde_json::{Map, Value};
use synthon_library::Library;
use synthon_plan::{
    Constraints, DEFAULT_WIDTH, PlanRequest, PlanResult, plan_with_progress, render_result,
};
use synthon_stock::Stock;

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, choices, integer, optional_text, text, text_or,
};
use crate::context::{CallContext, Progress};
use crate::envelope::ENGINE_VERSION;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule};
use crate::output::{boolean, count, described, list, object_with, string};
use crate::planning::{self, Detail, MAX_LIST_CHARS};
use crate::registry::{Tool, ToolReply, Toolset};

const MAX_NAME_CHARS: usize = 200;

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
        depth: i64 = integer(1, 20, 5),
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
        coverage_timeout_secs: i64 = integer(1, 3_600, 60),
        /// Seconds for the search; with search_mode standard only.
        timeout_secs: i64 = integer(1, 3_600, 20),
        /// Most candidate precursor sets to return, for finding out what was considered.
        candidate_trace_limit: i64 = integer(0, 1_000_000, 0),
        /// Name of the template library.
        library: String = text_or(Library::CURATED_NAME, MAX_NAME_CHARS),
        /// Name of the stock that routes may start from.
        stock: String = text_or(Stock::EMBEDDED_NAME, MAX_NAME_CHARS),
        /// Most molecules to expand.
        node_limit: i64 = integer(1, 10_000_000, 20_000),
        /// brief leaves out conditions, precedents and checks of the steps.
        detail: Detail = choice("full"),
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
    let catalogue = context.catalogue();
    catalogue.check_library("library", &arguments.library)?;
    catalogue.check_stock("stock", &arguments.stock)?;
    if let Some(larger) = &arguments.coverage_templates {
        catalogue.check_library("coverage_templates", larger)?;
    }

    let target = read_molecule("smiles", arguments.smiles.trim(), MAX_ATOMS)?;
    let request = PlanRequest::new(target)
        .depth(bounded(arguments.depth))
        .max_routes(bounded(arguments.max_routes))
        .constraints(constraints)
        .candidate_trace_limit(bounded(arguments.candidate_trace_limit));
    let search = Search { context, request: &request, arguments: &arguments };

    let mut timeout_secs = arguments.timeout_secs;
    let mut found = search.run("library", &arguments.library, timeout_secs)?;
    if let Some(larger) = &arguments.coverage_templates
        && found.result.routes.is_empty()
    {
        timeout_secs = arguments.coverage_timeout_secs;
        let standard = found.time;
        found = search.run("coverage_templates", larger, timeout_secs)?;
        found.time += standard;
    }
    Ok(shape(found, &arguments, timeout_secs, context))
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

/// A checked whole number that fits where it goes.
fn bounded<T: TryFrom<i64>>(number: i64) -> T {
    T::try_from(number).ok().expect("the bounds of the argument fit its use")
}

struct Search<'a> {
    context: &'a CallContext<'a>,
    request: &'a PlanRequest,
    arguments: &'a FindRoutes,
}

struct Found {
    result: PlanResult,
    time: Duration,
}

impl Search<'_> {
    fn run(&self, argument: &str, library: &str, timeout_secs: i64) -> Result<Found, ToolError> {
        let library = self.context.catalogue().library(argument, library)?;
        let stock = self.context.catalogue().stock("stock", &self.arguments.stock)?;
        let time = Duration::from_secs(bounded(timeout_secs));
        let mut budget = self
            .context
            .budget()
            .child()
            .with_time_limit(planning::search_time(time, self.context))
            .with_node_limit(bounded(self.arguments.node_limit));
        let result = plan_with_progress(self.request, &library, &stock, &mut budget, |search| {
            self.context.report(|| Progress {
                done: search.nodes_expanded as f64,
                total: None,
                message: format!(
                    "{} molecules expanded, {} routes found, deepest level {}",
                    search.nodes_expanded, search.routes_found, search.deepest_level
                ),
            });
        });
        Ok(Found { result, time: budget.elapsed() })
    }
}

fn shape(
    found: Found,
    arguments: &FindRoutes,
    timeout_secs: i64,
    context: &CallContext<'_>,
) -> ToolReply {
    let text = render_result(&found.result, DEFAULT_WIDTH);
    let result = serde_json::to_value(&found.result).expect("a planning result serialises");
    let Value::Object(mut out) = result else { unreachable!("a struct becomes an object") };
    if arguments.detail == Detail::Brief
        && let Some(routes) = out.get_mut("routes")
    {
        planning::make_brief(routes);
    }
    let mut more = Map::new();
    more.insert("budget".into(), planning::budget(timeout_secs, arguments.node_limit, context));
    more.insert("limits".into(), planning::limits());
    more.insert("timings".into(), planning::timings(found.time, context));
    more.insert("engine_version".into(), ENGINE_VERSION.into());
    out.append(&mut more);
    ToolReply { structured: out, text }
}

fn output_schema() -> Value {
    object_with(
        [
            ("target", described(string(), "Canonical SMILES of the target.")),
            ("target_in_stock", planning::in_stock_schema()),
            ("status", planning::status_schema()),
            ("complete", described(boolean(), "Whether every allowed expansion was made.")),
            ("truncated", described(boolean(), "Whether there may be more routes.")),
            ("proof", planning::proof_schema()),
            ("claim", described(string(), "What may be concluded.")),
            ("routes_found", count()),
            ("routes", described(list(planning::route_schema()), "Best first.")),
            ("search", planning::search_schema()),
            ("budget", planning::budget_schema()),
            ("limits", planning::limits_schema()),
            ("timings", planning::timings_schema()),
            ("engine_version", string()),
        ],
        [("candidates", list(planning::candidate_schema())), ("candidates_truncated", boolean())],
    )
}
