//! `synthon routes`: plan one molecule.

use std::time::Duration;

use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{RouteFormat, RoutesArgs};
use crate::commands::call::stopped_without_answer;
use crate::commands::read_stdin;
use crate::failure::Failure;
use crate::output::{Output, written};
use crate::sources;
use crate::status;

/// Nobody's client gives up here, so only the search's own time limit counts.
const CALL_TIMEOUT: Duration = Duration::from_secs(3_700);

pub(crate) fn run(args: &RoutesArgs, out: &mut Output) -> Result<u8, Failure> {
    let smiles = target(&args.smiles)?;
    let mut catalogue = Catalogue::shipped();
    if let Some(stock) = &args.stock {
        sources::add_stock_file(&mut catalogue, "--stock", stock)?;
    }
    if let Some(library) = &args.library {
        sources::add_library_path(&mut catalogue, "--library", library)?;
    }
    let context =
        CallContext::limited(&catalogue, CALL_TIMEOUT, CancelFlag::new()).with_whole_lists();
    let reply = call_tool("find_routes", &arguments(args, &smiles), &context)
        .map_err(|error| Failure::tool(&error, Some(&smiles)))?;
    let empty = reply.structured.get("routes_found").and_then(Value::as_u64) == Some(0);
    let stopped = stopped_without_answer(&reply.structured);
    written(args.output.as_deref(), out, |out| {
        if args.json || args.format == RouteFormat::Json {
            out.json(&Value::Object(reply.structured))?;
        } else {
            out.text(&reply.text)?;
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

fn target(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let text = read_stdin()?;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some(line), None) => Ok(line.to_owned()),
        (None, _) => Err(Failure::input("standard input holds no SMILES")),
        (Some(_), Some(_)) => {
            Err(Failure::input("standard input holds more than one line; one SMILES is wanted"))
        }
    }
}

fn arguments(args: &RoutesArgs, smiles: &str) -> Value {
    let mut out = Map::new();
    out.insert("smiles".into(), smiles.into());
    let numbers = [
        ("depth", args.depth),
        ("max_routes", args.max_routes),
        ("timeout_secs", args.timeout),
        ("node_limit", args.node_limit),
    ];
    let texts = [
        ("avoid_elements", &args.avoid_elements),
        ("require_elements", &args.require_elements),
        ("library", &args.library),
        ("stock", &args.stock),
    ];
    for (key, number) in numbers {
        if let Some(number) = number {
            out.insert(key.into(), number.into());
        }
    }
    for (key, text) in texts {
        if let Some(text) = text {
            out.insert(key.into(), text.as_str().into());
        }
    }
    Value::Object(out)
}
