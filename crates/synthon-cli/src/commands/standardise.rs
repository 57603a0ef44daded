//! `synthon standardise`: canonical SMILES, one a line, of single molecules and of files.

use std::ffi::OsStr;
use std::time::Duration;

use serde_json::{Value, json};
use synthon_budget::{Budget, Status};
use synthon_standardise::{Change, StandardiseOptions, Standardised, TautomerLimits, standardise};
use synthon_tools::{CallContext, Catalogue, DEFAULT_CALL_TIMEOUT, call_tool};

use crate::args::StandardiseArgs;
use crate::failure::{Failure, complain, explain};
use crate::molecule_file::{Place, each_molecule, is_file, tell_warnings, text_of, title};
use crate::one_line::one_line;
use crate::output::Output;
use crate::status;

/// Time for one molecule of a file.
const TIME_EACH: Duration = DEFAULT_CALL_TIMEOUT;

pub(crate) fn run(args: &StandardiseArgs, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::default();
    let mut code = status::ANSWER;
    for text in &args.smiles {
        code = code.max(if is_file(text) {
            file(args, text, out)?
        } else {
            one(args, &catalogue, text_of(text)?, out)?
        });
    }
    Ok(code)
}

/// One molecule of the command line: what the tool says.
fn one(
    args: &StandardiseArgs,
    catalogue: &Catalogue,
    text: &str,
    out: &mut Output,
) -> Result<u8, Failure> {
    let arguments = json!({
        "smiles": text,
        "remove_atom_maps": args.remove_atom_maps,
        "cleanup": args.cleanup,
        "largest_fragment": args.largest_fragment,
        "neutralise": args.neutralise,
        "canonical_tautomer": args.canonical_tautomer,
    });
    match call_tool("standardise_molecule", &arguments, &CallContext::new(catalogue)) {
        Ok(reply) if args.json => {
            tell_warnings(&reply.structured);
            out.line(&Value::Object(reply.structured).to_string())?;
        }
        Ok(reply) => {
            tell_warnings(&reply.structured);
            let smiles = reply.structured.get("smiles").and_then(Value::as_str);
            out.line(smiles.expect("the result has a SMILES"))?;
        }
        Err(error) => {
            out.flush()?;
            complain(&explain(&error, Some(text)));
            return Ok(status::BAD_INPUT);
        }
    }
    Ok(status::ANSWER)
}

/// A file of molecules. What stopped at a limit is counted and told.
fn file(args: &StandardiseArgs, name: &OsStr, out: &mut Output) -> Result<u8, Failure> {
    let options = StandardiseOptions {
        remove_atom_maps: args.remove_atom_maps,
        cleanup: args.cleanup,
        largest_fragment: args.largest_fragment,
        neutralise: args.neutralise,
        canonical_tautomer: args.canonical_tautomer,
        tautomer_limits: TautomerLimits::default(),
    };
    let mut limited = 0u64;
    let code = each_molecule(
        name,
        &args.file,
        args.json,
        out,
        || (),
        |(), _, molecule| {
            let mut budget = Budget::unlimited().with_time_limit(TIME_EACH);
            Ok(standardise(molecule, &options, &mut budget))
        },
        |place, done, out| {
            limited += u64::from(done.status != Status::Completed);
            let smiles = done.molecule.to_smiles();
            if args.json {
                out.line(&described(place, &done, &smiles).to_string())
            } else if place.name.is_empty() {
                out.line(&smiles)
            } else {
                out.line(&format!("{smiles} {}", one_line(&place.name)))
            }
        },
    )?;
    if limited > 0 {
        complain(&format!(
            "{}: {limited} molecules hit a limit before all was done (--json tells which)",
            title(name)
        ));
    }
    Ok(code)
}

fn described(place: &Place, done: &Standardised, smiles: &str) -> Value {
    let changes: Vec<Value> = done.changes.iter().map(change).collect();
    json!({
        "line": place.line,
        "name": place.name,
        "smiles": smiles,
        "changes": changes,
        "warnings": place.warnings,
        "status": done.status.as_str(),
        "complete": done.status == Status::Completed,
    })
}

fn change(change: &Change) -> Value {
    let mut entry = json!({
        "operation": change.operation.name(),
        "before": change.before,
        "after": change.after,
    });
    if let Some(removed) = &change.removed {
        entry["removed"] = removed.as_str().into();
    }
    entry
}
