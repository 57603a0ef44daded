//! `synthon mcs`, `substructure` and `smarts`: the search tools, with a picture of the result.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Pattern, Target, explain};
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{McsArgs, SearchSwitches, SmartsArgs, SubstructureArgs};
use crate::commands::call::stopped_without_answer;
use crate::failure::Failure;
use crate::output::Output;
use crate::picture::marked;
use crate::status;

pub(crate) fn mcs(args: &McsArgs, out: &mut Output) -> Result<u8, Failure> {
    let arguments = json!({
        "query_smiles": args.query,
        "target_smiles": args.target,
        "objective": args.objective,
        "connected": args.connected,
    });
    let texts = Texts { query: ("query_smiles", &args.query), target: &args.target };
    answer("find_mcs", arguments, &args.switches, &texts, out)
}

pub(crate) fn substructure(args: &SubstructureArgs, out: &mut Output) -> Result<u8, Failure> {
    let arguments = json!({
        "query": args.query,
        "target_smiles": args.target,
        "query_format": args.query_format,
        "induced": args.induced,
    });
    let texts = Texts { query: ("query", &args.query), target: &args.target };
    answer("find_substructure", arguments, &args.switches, &texts, out)
}

pub(crate) fn smarts(args: &SmartsArgs, out: &mut Output) -> Result<u8, Failure> {
    let arguments = json!({
        "query_smarts": args.pattern,
        "target_smiles": args.target,
        "max_matches": args.max_matches,
    });
    let texts = Texts { query: ("query_smarts", &args.pattern), target: &args.target };
    let code = answer("search_smarts", arguments, &args.switches, &texts, out)?;
    if args.explain && !args.switches.json {
        explain_miss(args, out)?;
    }
    Ok(code)
}

/// The two inputs, and the argument that the first is given as.
struct Texts<'a> {
    query: (&'static str, &'a str),
    target: &'a str,
}

fn answer(
    tool: &str,
    arguments: Value,
    switches: &SearchSwitches,
    texts: &Texts<'_>,
    out: &mut Output,
) -> Result<u8, Failure> {
    let mut arguments = match arguments {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    for (key, number) in [("timeout_ms", switches.timeout_ms), ("node_limit", switches.node_limit)]
    {
        if let Some(number) = number {
            arguments.insert(key.into(), number.into());
        }
    }
    for (key, flag) in [
        ("match_stereo", switches.match_stereo),
        ("complete_rings_only", switches.complete_rings_only),
        ("ring_matches_ring_only", switches.ring_matches_ring_only),
    ] {
        arguments.insert(key.into(), flag.into());
    }
    let reply =
        call_tool(tool, &Value::Object(arguments), &CallContext::new(&Catalogue::shipped()))
            .map_err(|error| {
                let text = match error.argument_name() {
                    Some("target_smiles") => texts.target,
                    _ => texts.query.1,
                };
                Failure::tool(&error, Some(text))
            })?;
    let result = Value::Object(reply.structured);
    if switches.json {
        out.json(&result)?;
    } else {
        out.text(&describe(&result, texts))?;
    }
    out.flush()?;
    let empty = result["found"] == false;
    Ok(if result.as_object().is_some_and(stopped_without_answer) {
        status::STOPPED
    } else if empty && switches.exit_status {
        status::EMPTY
    } else {
        status::ANSWER
    })
}

/// The result in words, with the matched atoms marked under both texts.
fn describe(result: &Value, texts: &Texts<'_>) -> String {
    let mut text = String::new();
    let matches = result["matches"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, found) in matches.iter().enumerate() {
        let pairs: Vec<(usize, usize)> = found["atom_mapping"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|pair| Some((index_of(&pair[0])?, index_of(&pair[1])?)))
            .collect();
        if matches.len() > 1 {
            let _ = writeln!(text, "match {} of {}", index + 1, matches.len());
        }
        let query: Vec<usize> = pairs.iter().map(|&(q, _)| q).collect();
        let target: Vec<usize> = pairs.iter().map(|&(_, t)| t).collect();
        text.push_str(&marked("query ", texts.query.1, &query));
        text.push_str(&marked("target", texts.target, &target));
        let map: Vec<String> = pairs.iter().map(|(q, t)| format!("{q}-{t}")).collect();
        let _ = writeln!(text, "atoms   {}", map.join(" "));
        let _ =
            writeln!(text, "size    {} atoms, {} bonds", found["atom_count"], found["bond_count"]);
    }
    if let Some(claim) = result["claim"].as_str() {
        let _ = writeln!(text, "{claim}");
    }
    text
}

fn index_of(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok())
}

/// Tells which query atoms could not be placed, and on which primitive.
fn explain_miss(args: &SmartsArgs, out: &mut Output) -> Result<(), Failure> {
    // Both texts were read a moment ago by the tool.
    let (Ok(pattern), Ok(molecule)) =
        (Pattern::from_smarts(args.pattern.trim()), Molecule::from_smiles(args.target.trim()))
    else {
        return Ok(());
    };
    let options =
        MatchOptions { induced: false, complete_rings_only: args.switches.complete_rings_only };
    let catalogue = Catalogue::shipped();
    let context = CallContext::new(&catalogue);
    let mut budget = context.budget().child();
    match explain(&pattern, &Target::new(&molecule), &options, &mut budget) {
        Ok(explanation) if explanation.matches => Ok(()),
        Ok(explanation) => out.line(&explanation.to_string()),
        Err(_) => out.line("The explanation was stopped by its time limit."),
    }
}
