//! `synthon explain`, `pareto`, `diversity` and `diagnose`: what a planning tool says of a target.

use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_tools::call_tool;

use super::routes::{catalogue, context, insert, search_arguments, target, with_smiles};
use crate::args::{ExplainArgs, ParetoArgs, QuestionArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

pub(crate) fn explain(args: &ExplainArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut arguments = search_arguments(&args.question.search);
    insert(&mut arguments, "max_routes", args.max_routes);
    ask("explain_route", &args.question, arguments, out)
}

pub(crate) fn pareto(args: &ParetoArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut arguments = search_arguments(&args.question.search);
    insert(&mut arguments, "max_routes", args.max_routes);
    insert(&mut arguments, "objectives", args.objectives.as_deref());
    ask("find_pareto_routes", &args.question, arguments, out)
}

pub(crate) fn diversity(args: &ExplainArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut arguments = search_arguments(&args.question.search);
    insert(&mut arguments, "max_routes", args.max_routes);
    ask("estimate_diversity", &args.question, arguments, out)
}

pub(crate) fn diagnose(args: &QuestionArgs, out: &mut Output) -> Result<u8, Failure> {
    ask("diagnose_failure", args, search_arguments(&args.search), out)
}

fn ask(
    tool: &str,
    args: &QuestionArgs,
    arguments: Map<String, Value>,
    out: &mut Output,
) -> Result<u8, Failure> {
    let smiles = target(&args.smiles)?;
    let catalogue = catalogue(&args.search)?;
    let context = context(&catalogue, CancelFlag::new());
    let reply = call_tool(tool, &with_smiles(arguments, &smiles), &context)
        .map_err(|error| Failure::tool(&error, Some(&smiles)))?;
    let found = reply.structured.get("routes_found").and_then(Value::as_u64);
    let completed = reply.structured.get("status").is_some_and(|status| status == "COMPLETED");
    if args.json {
        out.json(&Value::Object(reply.structured))?;
    } else {
        out.text(&reply.text)?;
        if !reply.text.ends_with('\n') {
            out.text("\n")?;
        }
    }
    // Why there is no route is an answer of its own.
    Ok(match found {
        Some(0) if tool != "diagnose_failure" && !completed => status::STOPPED,
        Some(0) if args.exit_status => status::EMPTY,
        _ => status::ANSWER,
    })
}
