//! `synthon fingerprint` and `synthon similarity`.

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_fp::{Fingerprinter, FpError, Scheme};
use synthon_mol::Molecule;
use synthon_records::RecordError;
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{FingerprintArgs, FingerprintSwitches, SimilarityArgs};
use crate::failure::{Failure, complain, explain};
use crate::molecule_file::{each_molecule, is_file};
use crate::one_line::one_line;
use crate::output::Output;
use crate::status;

pub(crate) fn fingerprint(args: &FingerprintArgs, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::default();
    let mut code = status::ANSWER;
    for text in &args.smiles {
        code = code.max(if is_file(text) {
            file(args, &catalogue, text, out)?
        } else {
            one(args, &catalogue, text, out)?
        });
    }
    Ok(code)
}

/// A bad molecule is told of, and the others go on.
fn one(
    args: &FingerprintArgs,
    catalogue: &Catalogue,
    text: &str,
    out: &mut Output,
) -> Result<u8, Failure> {
    let mut arguments = json!({"smiles": text});
    add_switches(&mut arguments, &args.switches);
    match call_tool("molecular_fingerprint", &arguments, &CallContext::new(catalogue)) {
        Ok(reply) if args.switches.json => {
            out.line(&Value::Object(reply.structured).to_string())?;
        }
        Ok(reply) => out.line(&positions(&reply.structured["values"], ""))?,
        Err(error) => {
            out.flush()?;
            complain(&explain(&error, Some(text)));
            return Ok(status::BAD_INPUT);
        }
    }
    Ok(status::ANSWER)
}

/// A file of molecules, with their names where they have some.
fn file(
    args: &FingerprintArgs,
    catalogue: &Catalogue,
    name: &str,
    out: &mut Output,
) -> Result<u8, Failure> {
    let switches = &args.switches;
    // What the tool says of any molecule shows whether the flags go together, and which scheme
    // it is.
    let mut arguments = json!({"smiles": "C"});
    add_switches(&mut arguments, switches);
    let mut fields = call_tool("molecular_fingerprint", &arguments, &CallContext::new(catalogue))
        .map_err(|error| Failure::tool(&error, None))?
        .structured;
    let kept = ["kind", "fp_size", "radius", "path_length", "counts", "scheme", "scheme_version"];
    fields.retain(|key, _| kept.contains(&key.as_str()));
    let scheme = Scheme::from_name(&switches.kind)
        .expect("the flag takes names of schemes only")
        .with_radius(switches.radius.unsigned_abs() as u32)
        .with_max_path(switches.path_length.unsigned_abs() as usize);
    let maker = Fingerprinter::new(scheme, switches.fp_size.unsigned_abs() as usize)
        .map_err(|error| Failure::input(error.to_string()))?;
    each_molecule(
        name,
        &args.file,
        switches.json,
        out,
        || maker.clone(),
        |maker, line, molecule| {
            values(maker, molecule, switches.counts)
                .map_err(|error| RecordError::unfit(line, error.code(), error.to_string()))
        },
        |place, values, out| {
            if !switches.json {
                return out.line(&positions(&values, &one_line(&place.name)));
            }
            let mut object = json!({"line": place.line, "name": place.name, "values": values});
            for (key, value) in &fields {
                object[key] = value.clone();
            }
            out.line(&object.to_string())
        },
    )
}

fn values(maker: &mut Fingerprinter, molecule: &Molecule, counts: bool) -> Result<Value, FpError> {
    if counts {
        let counts = maker.counts_within(molecule, &mut Budget::unlimited())?;
        Ok(counts.entries().iter().map(|entry| json!(entry)).collect())
    } else {
        Ok(maker.bits(molecule)?.on_bits().collect())
    }
}

/// `4 27 62`, with counts `4:2 27:1 62:3`; then the name, if there is one, after a tab.
fn positions(values: &Value, name: &str) -> String {
    let values = values.as_array().into_iter().flatten();
    let texts: Vec<String> = values
        .map(|value| match value.as_array() {
            Some(pair) => pair.iter().map(Value::to_string).collect::<Vec<_>>().join(":"),
            None => value.to_string(),
        })
        .collect();
    let separator = if name.is_empty() { "" } else { "\t" };
    format!("{}{separator}{name}", texts.join(" "))
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
