//! `synthon routes`: plan one molecule, or hand many over to the batch.

use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_budget::{Budget, CancelFlag};
use synthon_report::{RouteForm, render};
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{ConstraintFlags, RouteFormat, RoutesArgs, SearchFlags};
use crate::commands::call::stopped_without_answer;
use crate::commands::{read_stdin, routes_batch};
use crate::failure::Failure;
use crate::output::{Output, written};
use crate::sources;
use crate::status;

/// Nobody's client gives up here, so only the search's own time limit counts.
const CALL_TIMEOUT: Duration = Duration::from_secs(3_700);
/// Time for the drawings of a report.
const DRAWING_TIME: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &RoutesArgs, out: &mut Output) -> Result<u8, Failure> {
    if let Some(input) = &args.input {
        return routes_batch::run(args, input, out);
    }
    for (flag, given) in [
        ("--from", args.file.from.is_some()),
        ("--column", args.file.column.is_some()),
        ("--name-column", args.file.name_column.is_some()),
        ("--jobs", args.file.jobs.is_some()),
    ] {
        if given {
            return Err(Failure::input(format!("{flag} goes with --input FILE")));
        }
    }
    let smiles = target(args.smiles.as_deref().unwrap_or("-"))?;
    let catalogue = catalogue(&args.search)?;
    let threads = args.threads.map_or(1, usize::from);
    let context = context(&catalogue, CancelFlag::new()).with_threads(threads);
    let (tool, arguments) = call(args);
    let reply = call_tool(tool, &with_smiles(arguments, &smiles), &context)
        .map_err(|error| Failure::tool(&error, Some(&smiles)))?;
    let empty = reply.structured.get("routes_found").and_then(Value::as_u64) == Some(0);
    let stopped = stopped_without_answer(&reply.structured);
    let format = if args.json { RouteFormat::Json } else { args.format };
    let (text, result) = (reply.text, Value::Object(reply.structured));
    let form = match format {
        RouteFormat::Tree | RouteFormat::Json => None,
        RouteFormat::Svg => Some(RouteForm::Svg),
        RouteFormat::Html => Some(RouteForm::Html),
        RouteFormat::Mermaid => Some(RouteForm::Mermaid),
        RouteFormat::Aizynthfinder => Some(RouteForm::Aizynthfinder),
    };
    let rendered = match form {
        Some(form) => {
            let mut budget = Budget::unlimited().with_time_limit(DRAWING_TIME);
            let rendered = render(form, &result, &mut budget);
            Some(rendered.map_err(|error| Failure::input(error.to_string()))?)
        }
        None => None,
    };
    written(args.output.as_deref(), out, |out| {
        match &rendered {
            Some(rendered) => out.text(rendered)?,
            None if format == RouteFormat::Json => out.json(&result)?,
            None => out.text(&text)?,
        }
        Ok(if stopped {
            status::STOPPED
        } else if empty && args.exit_status {
            status::EMPTY
        } else {
            status::ANSWER
        })
    })
}

/// What a planning call of a command runs in; no list of its answer is cut.
pub(crate) fn context(catalogue: &Catalogue, cancel: CancelFlag) -> CallContext<'_> {
    CallContext::limited(catalogue, CALL_TIMEOUT, cancel).with_whole_lists()
}

/// The molecule that an argument names, or that standard input holds.
pub(crate) fn target(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let text = read_stdin()?;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some(line), None) => Ok(line.to_owned()),
        (None, _) => Err(Failure::input("standard input holds no SMILES")),
        (Some(_), Some(_)) => Err(Failure::input(
            "standard input holds more than one line; one SMILES is wanted (--input - takes many)",
        )),
    }
}

/// The shipped libraries and stocks, and those of the flags.
pub(crate) fn catalogue(flags: &SearchFlags) -> Result<Catalogue, Failure> {
    let mut catalogue = Catalogue::shipped();
    if let Some(stock) = &flags.stock {
        sources::add_stock_file(&mut catalogue, "--stock", stock)?;
    }
    if let Some(library) = &flags.library {
        sources::add_library_path(&mut catalogue, "--library", library)?;
    }
    Ok(catalogue)
}

/// The tool that answers, and its arguments but for the target.
pub(crate) fn call(args: &RoutesArgs) -> (&'static str, Map<String, Value>) {
    let mut out = search_arguments(&args.search);
    insert(&mut out, "max_routes", args.max_routes);
    let ConstraintFlags {
        avoid_elements,
        require_elements,
        avoid_building_blocks,
        require_building_blocks,
        max_steps,
        max_route_cost,
        min_confidence,
        min_success_probability,
        avoid_reaction_families,
        avoid_reagents,
        require_reaction_families,
        prefer_reaction_families,
        break_bonds,
        freeze_bonds,
        start_from,
    } = &args.constraints;
    insert(&mut out, "avoid_elements", avoid_elements.as_deref());
    insert(&mut out, "require_elements", require_elements.as_deref());
    // Elements are constraints that find_routes knows as well.
    let plain = out.len();
    insert(&mut out, "avoid_building_blocks", avoid_building_blocks.as_deref());
    insert(&mut out, "require_building_blocks", require_building_blocks.as_deref());
    insert(&mut out, "max_steps", *max_steps);
    insert(&mut out, "max_route_cost", *max_route_cost);
    insert(&mut out, "min_confidence", *min_confidence);
    insert(&mut out, "min_success_probability", *min_success_probability);
    insert(&mut out, "avoid_reaction_families", avoid_reaction_families.as_deref());
    insert(&mut out, "avoid_reagents", avoid_reagents.as_deref());
    insert(&mut out, "require_reaction_families", require_reaction_families.as_deref());
    insert(&mut out, "prefer_reaction_families", prefer_reaction_families.as_deref());
    insert(&mut out, "break_bonds", break_bonds.as_ref().map(|bonds| json!(bonds.0)));
    insert(&mut out, "freeze_bonds", freeze_bonds.as_ref().map(|bonds| json!(bonds.0)));
    insert(&mut out, "start_from", start_from.as_deref());
    let tool = if out.len() > plain { "plan_with_constraints" } else { "find_routes" };
    (tool, out)
}

/// The arguments that every planning tool has.
pub(crate) fn search_arguments(flags: &SearchFlags) -> Map<String, Value> {
    let mut out = Map::new();
    insert(&mut out, "depth", flags.depth);
    insert(&mut out, "timeout_secs", flags.timeout);
    insert(&mut out, "node_limit", flags.node_limit);
    insert(&mut out, "library", flags.library.as_deref());
    insert(&mut out, "stock", flags.stock.as_deref());
    out
}

pub(crate) fn insert(out: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        out.insert(key.to_owned(), value.into());
    }
}

/// The arguments with the target before them.
pub(crate) fn with_smiles(arguments: Map<String, Value>, smiles: &str) -> Value {
    let mut out = Map::new();
    out.insert("smiles".into(), smiles.into());
    out.extend(arguments);
    Value::Object(out)
}
