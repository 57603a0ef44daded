//! `synthon standardise`: canonical SMILES, one a line, of single molecules and of files.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use synthon_budget::{Budget, Status};
use synthon_mol::{Molecule, ReadOptions};
use synthon_records::{
    Chunking, RawRecord, RecordError, RecordOptions, RecordReader, RecordReport, process_in_order,
};
use synthon_standardise::{StandardiseOptions, Standardised, TautomerLimits, standardise};
use synthon_tools::{CallContext, Catalogue, DEFAULT_CALL_TIMEOUT, call_tool};

use crate::args::StandardiseArgs;
use crate::failure::{Failure, complain, explain};
use crate::output::Output;
use crate::status;

/// Most atoms of a molecule in a file; the tool's smaller cap is for assistants.
const MAX_ATOMS: usize = 100_000;

/// Time for one molecule of a file.
const TIME_EACH: Duration = DEFAULT_CALL_TIMEOUT;

pub(crate) fn run(args: &StandardiseArgs, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::shipped();
    let mut code = status::ANSWER;
    for text in &args.smiles {
        code = code.max(if text == "-" {
            let reader = RecordReader::new(io::stdin(), &record_options(args));
            file(args, "standard input", reader, out)?
        } else if Path::new(text).is_file() && Molecule::from_smiles(text).is_err() {
            // A file whose name is a SMILES is written `./CO`.
            let reader = RecordReader::open(Path::new(text), &record_options(args));
            file(args, text, reader, out)?
        } else {
            one(args, &catalogue, text, out)?
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
        Ok(reply) if args.json => out.line(&Value::Object(reply.structured).to_string())?,
        Ok(reply) => {
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

fn record_options(args: &StandardiseArgs) -> RecordOptions {
    let mut options = RecordOptions::default();
    options.column.clone_from(&args.column);
    options
}

fn standardise_options(args: &StandardiseArgs) -> StandardiseOptions {
    StandardiseOptions {
        remove_atom_maps: args.remove_atom_maps,
        cleanup: args.cleanup,
        largest_fragment: args.largest_fragment,
        neutralise: args.neutralise,
        canonical_tautomer: args.canonical_tautomer,
        tautomer_limits: TautomerLimits::default(),
    }
}

/// What became of a record.
struct Done {
    line: u64,
    name: String,
    result: Result<Standardised, RecordError>,
}

/// A file of molecules, in order, on all threads. Bad records are told of and counted, and the
/// others go on.
fn file(
    args: &StandardiseArgs,
    name: &str,
    reader: Result<RecordReader, impl std::fmt::Display>,
    out: &mut Output,
) -> Result<u8, Failure> {
    let reader = reader.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let options = standardise_options(args);
    let read = ReadOptions { max_atoms: MAX_ATOMS, ..ReadOptions::default() };
    let work = |record: RawRecord| {
        let record = record.read_with(&read);
        let result = record.molecule.map(|molecule| {
            let mut budget = Budget::unlimited().with_time_limit(TIME_EACH);
            standardise(&molecule, &options, &mut budget)
        });
        Done { line: record.line, name: record.name, result }
    };
    let mut report = RecordReport::default();
    let mut limited = 0u64;
    let mut write = |done: Done| match put(args, &done, out) {
        Err(failure) => ControlFlow::Break(failure),
        Ok(()) => {
            match done.result {
                Ok(standardised) => {
                    report.take_good();
                    limited += u64::from(standardised.status != Status::Completed);
                }
                Err(error) => {
                    if report.faults.len() < RecordReport::MAX_FAULTS {
                        complain(&error.to_string());
                    }
                    report.take_fault(error);
                }
            }
            ControlFlow::Continue(())
        }
    };
    if let Some(failure) = process_in_order(reader, Chunking::default(), work, &mut write) {
        return Err(failure);
    }
    out.flush()?;
    if limited > 0 {
        complain(&format!(
            "{name}: {limited} of {} molecules hit a limit before all was done (--json tells which)",
            report.good
        ));
    }
    if report.bad > 0 {
        complain(&format!("{name}: {} records skipped, {} standardised", report.bad, report.good));
        return Ok(status::BAD_INPUT);
    }
    Ok(status::ANSWER)
}

fn put(args: &StandardiseArgs, done: &Done, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        let line = match &done.result {
            Ok(standardised) => described(done, standardised),
            Err(error) => {
                json!({"line": done.line, "name": done.name, "error": error.reason()})
            }
        };
        return out.line(&line.to_string());
    }
    let Ok(standardised) = &done.result else { return Ok(()) };
    let smiles = standardised.molecule.to_smiles();
    if done.name.is_empty() {
        out.line(&smiles)
    } else {
        out.line(&format!("{smiles} {}", done.name))
    }
}

fn described(done: &Done, standardised: &Standardised) -> Value {
    let changes: Vec<Value> = standardised
        .changes
        .iter()
        .map(|change| {
            let mut entry = json!({
                "operation": change.operation.name(),
                "before": change.before,
                "after": change.after,
            });
            if let Some(removed) = &change.removed {
                entry["removed"] = removed.as_str().into();
            }
            entry
        })
        .collect();
    json!({
        "line": done.line,
        "name": done.name,
        "smiles": standardised.molecule.to_smiles(),
        "changes": changes,
        "status": standardised.status.as_str(),
        "complete": standardised.status == Status::Completed,
    })
}
