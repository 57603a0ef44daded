//! `synthon standardise`: canonical SMILES, one a line.

use std::io::{self, BufRead};

use serde_json::{Value, json};
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::StandardiseArgs;
use crate::failure::{Failure, complain, explain};
use crate::output::Output;
use crate::status;

pub(crate) fn run(args: &StandardiseArgs, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::shipped();
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
    args: &StandardiseArgs,
    catalogue: &Catalogue,
    text: &str,
    place: &str,
    out: &mut Output,
) -> Result<u8, Failure> {
    let arguments = json!({"smiles": text, "remove_atom_maps": args.remove_atom_maps});
    match call_tool("standardise_molecule", &arguments, &CallContext::new(catalogue)) {
        Ok(reply) if args.json => out.line(&Value::Object(reply.structured).to_string())?,
        Ok(reply) => {
            let smiles = reply.structured.get("smiles").and_then(Value::as_str);
            out.line(smiles.expect("the result has a SMILES"))?;
        }
        Err(error) => {
            out.flush()?;
            complain(&format!("{place}{}", explain(&error, Some(text))));
            return Ok(status::BAD_INPUT);
        }
    }
    Ok(status::ANSWER)
}
