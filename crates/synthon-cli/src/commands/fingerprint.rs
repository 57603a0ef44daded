//! `synthon fingerprint` and `synthon similarity`.

use std::io::{self, BufRead};

use serde_json::{Value, json};
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{FingerprintArgs, FingerprintSwitches, SimilarityArgs};
use crate::failure::{Failure, complain, explain};
use crate::output::Output;
use crate::status;

pub(crate) fn fingerprint(args: &FingerprintArgs, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::default();
    let mut code = status::ANSWER;
    for text in &args.smiles {
        if text == "-" {
            for (index, line) in io::stdin().lock().lines().enumerate() {
                let line = line.map_err(|error| Failure::file("standard input", &error))?;
                if !line.trim().is_empty() {
                    let place = format!("line {}: ", index + 1);
                    code = code.max(one(args, &catalogue, &line, &place, out)?);
                }
            }
        } else {
            code = code.max(one(args, &catalogue, text, "", out)?);
        }
    }
    Ok(code)
}

/// A bad molecule is told of, and the others go on.
fn one(
    args: &FingerprintArgs,
    catalogue: &Catalogue,
    text: &str,
    place: &str,
    out: &mut Output,
) -> Result<u8, Failure> {
    let mut arguments = json!({"smiles": text});
    add_switches(&mut arguments, &args.switches);
    match call_tool("molecular_fingerprint", &arguments, &CallContext::new(catalogue)) {
        Ok(reply) if args.switches.json => {
            out.line(&Value::Object(reply.structured).to_string())?;
        }
        Ok(reply) => out.line(&positions(&reply.structured["values"]))?,
        Err(error) => {
            out.flush()?;
            complain(&format!("{place}{}", explain(&error, Some(text))));
            return Ok(status::BAD_INPUT);
        }
    }
    Ok(status::ANSWER)
}

/// `4 27 62`, with counts `4:2 27:1 62:3`.
fn positions(values: &Value) -> String {
    let values = values.as_array().into_iter().flatten();
    let texts: Vec<String> = values
        .map(|value| match value.as_array() {
            Some(pair) => pair.iter().map(Value::to_string).collect::<Vec<_>>().join(":"),
            None => value.to_string(),
        })
        .collect();
    texts.join(" ")
}

pub(crate) fn similarity(args: &SimilarityArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut arguments = json!({
        "query_smiles": args.query,
        "target_smiles": args.target,
        "metric": args.metric,
    });
    add_switches(&mut arguments, &args.switches);
    let catalogue = Catalogue::default();
    let reply = call_tool("molecular_similarity", &arguments, &CallContext::new(&catalogue))
        .map_err(|error| {
            let text = match error.argument_name() {
                Some("target_smiles") => &args.target,
                _ => &args.query,
            };
            Failure::tool(&error, Some(text))
        })?;
    if args.switches.json {
        out.json(&Value::Object(reply.structured))?;
    } else {
        out.line(&reply.structured["score"].to_string())?;
    }
    Ok(status::ANSWER)
}

fn add_switches(arguments: &mut Value, switches: &FingerprintSwitches) {
    arguments["kind"] = switches.kind.as_str().into();
    arguments["fp_size"] = switches.fp_size.into();
    arguments["radius"] = switches.radius.into();
    arguments["path_length"] = switches.path_length.into();
    arguments["counts"] = switches.counts.into();
}
