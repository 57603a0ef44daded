//! The part that all planning calls have in common: library, stock, budget, progress, proof.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use synthon_budget::Budget;
use synthon_library::Library;
use synthon_mol::Molecule;
use synthon_plan::{DEFAULT_WIDTH, PlanRequest, PlanResult, plan_with_progress, render_route};
use synthon_stock::Stock;

use super::page::Items;
use super::schema::ROUTE_SCHEMA_VERSION;
use super::{Detail, budget, limits, make_brief, search_time, timings};
use crate::arguments::{Typed, integer, text_or};
use crate::context::{CallContext, Progress};
use crate::envelope::ENGINE_VERSION;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule};

/// Longest name of a library or stock, in characters.
pub(crate) const MAX_NAME_CHARS: usize = 200;

// Arguments that mean the same in every planning tool.

/// The longest chain of steps.
pub(crate) const fn depth() -> Typed<i64> {
    integer(1, 20, 5)
}

/// The seconds of a search.
pub(crate) const fn seconds(default: i64) -> Typed<i64> {
    integer(1, 3_600, default)
}

/// The most molecules to expand.
pub(crate) const fn node_limit() -> Typed<i64> {
    integer(1, 10_000_000, 20_000)
}

/// The name of the library.
pub(crate) const fn library() -> Typed<String> {
    text_or(Library::USPTO_NAME, MAX_NAME_CHARS)
}

/// The name of the stock.
pub(crate) const fn stock() -> Typed<String> {
    text_or(Stock::EMBEDDED_NAME, MAX_NAME_CHARS)
}

/// A checked whole number that fits where it goes.
pub(crate) fn bounded<T: TryFrom<i64>>(number: i64) -> T {
    T::try_from(number).ok().expect("the bounds of the argument fit its use")
}

/// What every planning call names.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub library: &'a str,
    pub stock: &'a str,
    pub timeout_secs: i64,
    pub node_limit: i64,
}

/// A call whose names are known and whose target has been read.
pub(crate) struct Question<'a> {
    context: &'a CallContext<'a>,
    setting: Setting<'a>,
    pub target: Molecule,
    /// Time that searches have taken.
    pub spent: Duration,
}

impl<'a> Question<'a> {
    /// Checks the names before the target is looked at.
    pub fn new(
        context: &'a CallContext<'a>,
        setting: Setting<'a>,
        smiles: &str,
    ) -> Result<Self, ToolError> {
        context.catalogue().check_library("library", setting.library)?;
        context.catalogue().check_stock("stock", setting.stock)?;
        let target = read_molecule("smiles", smiles.trim(), MAX_ATOMS)?;
        Ok(Question { context, setting, target, spent: Duration::ZERO })
    }

    pub fn library(&self) -> Result<Arc<Library>, ToolError> {
        self.context.catalogue().library("library", self.setting.library)
    }

    pub fn stock(&self) -> Result<Arc<Stock>, ToolError> {
        self.context.catalogue().stock("stock", self.setting.stock)
    }

    /// A budget for a search: the time asked for, but not more than the call has left.
    pub fn budget(&self) -> Budget {
        let time = Duration::from_secs(bounded(self.setting.timeout_secs));
        self.context
            .budget()
            .child()
            .with_time_limit(search_time(time, self.context))
            .with_node_limit(bounded(self.setting.node_limit))
    }

    /// Has the same question answered with another library.
    pub fn ask_again(&mut self, library: &'a str, timeout_secs: i64) {
        self.setting.library = library;
        self.setting.timeout_secs = timeout_secs;
    }

    /// Passes on how far a search has come.
    pub fn report(&self, search: synthon_plan::Progress) {
        self.context.report(|| Progress {
            done: search.nodes_expanded as f64,
            total: None,
            message: format!(
                "{} molecules expanded, {} routes found, deepest level {}",
                search.nodes_expanded, search.routes_found, search.deepest_level
            ),
        });
    }

    /// Searches with the library and stock asked for.
    pub fn plan(&mut self, request: &PlanRequest) -> Result<PlanResult, ToolError> {
        let (library, stock) = (self.library()?, self.stock()?);
        let mut budget = self.budget();
        let request = request.clone().threads(self.context.threads());
        let result =
            plan_with_progress(&request, &library, &stock, &mut budget, |at| self.report(at));
        self.spent += budget.elapsed();
        Ok(result)
    }

    /// The fields that end every planning result.
    pub fn finish(&self, mut out: Map<String, Value>) -> Map<String, Value> {
        let Setting { timeout_secs, node_limit, .. } = self.setting;
        out.insert("budget".into(), budget(timeout_secs, node_limit, self.context));
        out.insert("limits".into(), limits());
        out.insert("timings".into(), timings(self.spent, self.context));
        out.insert("schema_version".into(), ROUTE_SCHEMA_VERSION.into());
        out.insert("engine_version".into(), ENGINE_VERSION.into());
        out
    }
}

/// The fields of a search result without its routes, in two parts: what goes before the tool's
/// own fields and what comes after.
pub(crate) fn frame(result: &PlanResult) -> (Map<String, Value>, Map<String, Value>) {
    let value = serde_json::to_value(result).expect("a planning result serialises");
    let Value::Object(all) = value else { unreachable!("a struct becomes an object") };
    let (mut before, mut after) = (Map::new(), Map::new());
    for (key, value) in all {
        match key.as_str() {
            "routes" | "candidates" | "candidates_truncated" => {}
            "search" | "removed" => {
                after.insert(key, value);
            }
            _ => {
                before.insert(key, value);
            }
        }
    }
    (before, after)
}

/// Routes with as much detail as was asked for, each with its tree under its heading.
pub(crate) fn routes(
    routes: &[synthon_plan::Route],
    detail: Detail,
    heading: impl Fn(usize) -> String,
) -> Items {
    let mut values = serde_json::to_value(routes).expect("routes serialise");
    if detail == Detail::Brief {
        make_brief(&mut values);
    }
    let Value::Array(values) = values else { unreachable!("a slice becomes an array") };
    let text = |(at, route)| format!("\n{}\n{}", heading(at), render_route(route, DEFAULT_WIDTH));
    Items { values, texts: routes.iter().enumerate().map(text).collect(), name: "Routes" }
}

/// The heading of a route that bears its place alone.
pub(crate) fn place_of(routes: usize) -> impl Fn(usize) -> String {
    move |at| format!("Route {} of {routes}", at + 1)
}

/// The proof of work that is no search for routes.
pub(crate) fn proof(complete: bool, setting: &Setting<'_>, depth: i64) -> Value {
    serde_json::json!({
        "scope": "planning",
        "complete": complete,
        "library": setting.library,
        "stock": setting.stock,
        "depth": depth,
        "constraints": {},
    })
}
