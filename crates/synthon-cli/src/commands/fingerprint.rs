//! `synthon fingerprint` and `synthon similarity`.

use std::ffi::OsStr;

use serde_json::{Map, Value, json};
use synthon_budget::Budget;
use synthon_fp::similarity::{Comparable, Overlap};
use synthon_fp::{Fingerprinter, FpError, Scheme};
use synthon_mol::Molecule;
use synthon_records::RecordError;
use synthon_tools::{
    CallContext, Catalogue, MAX_ATOMS, ToolError, ToolErrorKind, call_tool, read_molecule,
};

use crate::args::{FingerprintArgs, FingerprintSwitches, SimilarityArgs};
use crate::failure::{Failure, complain, explain};
use crate::molecule_file::{each_molecule, is_file, tell_warnings, text_of};
use crate::one_line::one_line;
use crate::output::Output;
use crate::status;

/// Kinds that the tools do not offer, since the reference does not.
const BEYOND_TOOLS: [&str; 2] = ["atom_pair", "maccs"];

pub(crate) fn fingerprint(args: &FingerprintArgs, out: &mut Output) -> Result<u8, Failure> {
    let maker = Maker::new(&args.switches)?;
    let mut code = status::ANSWER;
    for text in &args.smiles {
        code = code.max(if is_file(text) {
            file(args, &maker, text, out)?
        } else {
            one(args, &maker, text_of(text)?, out)?
        });
    }
    Ok(code)
}

/// Makes the fingerprints that the flags ask for.
struct Maker {
    printer: Fingerprinter,
    counts: bool,
    /// Which fingerprint it is, as in the results of the tools.
    fields: Map<String, Value>,
}

impl Maker {
    /// Refuses flags that do not go together.
    fn new(switches: &FingerprintSwitches) -> Result<Self, Failure> {
        let is_tools = !BEYOND_TOOLS.contains(&switches.kind.as_str());
        let scheme = Scheme::from_name(&switches.kind).expect("the flag takes names of schemes");
        // What the tool says of any molecule shows whether the flags are within their bounds and
        // go together, and which scheme it is.
        let mut arguments = json!({"smiles": "C"});
        add_switches(&mut arguments, switches);
        if !is_tools {
            arguments["kind"] = "ecfp".into();
        }
        let catalogue = Catalogue::default();
        let mut fields =
            call_tool("molecular_fingerprint", &arguments, &CallContext::new(&catalogue))
                .map_err(|error| Failure::tool(&error, None))?
                .structured;
        let kept =
            ["kind", "fp_size", "radius", "path_length", "counts", "scheme", "scheme_version"];
        fields.retain(|key, _| kept.contains(&key.as_str()));
        let size =
            switches.fp_size.map_or(default_size(scheme), |size| size.unsigned_abs() as usize);
        let scheme = scheme
            .with_radius(switches.radius.unsigned_abs() as u32)
            .with_max_path(switches.path_length.unsigned_abs() as usize);
        if !is_tools {
            if switches.counts && !scheme.has_counts() {
                return Err(Failure::input(format!("counts are not available for {scheme}")));
            }
            if !switches.counts && size < scheme.min_size() {
                let least = scheme.min_size();
                return Err(Failure::input(format!(
                    "fp_size is too small for {scheme}: {size} (at least {least})"
                )));
            }
            for (key, value) in [
                ("kind", Value::from(switches.kind.as_str())),
                ("fp_size", size.into()),
                ("radius", Value::Null),
                ("path_length", Value::Null),
                ("scheme", scheme.to_string().into()),
                ("scheme_version", scheme.version().into()),
            ] {
                fields.insert(key.to_owned(), value);
            }
        }
        let printer = Fingerprinter::new(scheme, size)
            .map_err(|error| Failure::input(format!("--fp-size: {error}")))?;
        Ok(Maker { printer, counts: switches.counts, fields })
    }

    /// Whether a tool makes the same.
    fn is_tools(&self) -> bool {
        !BEYOND_TOOLS.contains(&self.printer.scheme().name())
    }

    /// Two molecules, compared by the coefficient.
    fn score(&self, metric: &str, [a, b]: [&Molecule; 2]) -> Result<f64, FpError> {
        let mut printer = self.printer.clone();
        let overlap: Overlap = if self.counts {
            printer.counts(a)?.overlap(&printer.counts(b)?)
        } else {
            printer.bits(a)?.overlap(&printer.bits(b)?)
        };
        Ok(match metric {
            "dice" => overlap.dice(),
            "cosine" => overlap.cosine(),
            _ => overlap.tanimoto(),
        })
    }
}

/// Positions where the flags ask for none.
fn default_size(scheme: Scheme) -> usize {
    scheme.fixed_size().unwrap_or(2_048)
}

/// A bad molecule is told of, and the others go on.
fn one(args: &FingerprintArgs, maker: &Maker, text: &str, out: &mut Output) -> Result<u8, Failure> {
    let catalogue = Catalogue::default();
    let made = if maker.is_tools() {
        let mut arguments = json!({"smiles": text});
        add_switches(&mut arguments, &args.switches);
        call_tool("molecular_fingerprint", &arguments, &CallContext::new(&catalogue))
            .map(|reply| reply.structured)
    } else {
        read_molecule("smiles", text, MAX_ATOMS).and_then(|molecule| {
            let values = values(&mut maker.printer.clone(), &molecule, maker.counts)
                .map_err(|error| ToolError::tool(error.code(), error.message()))?;
            let mut object = Map::new();
            object.insert("values".into(), values);
            object.extend(maker.fields.clone());
            object.insert("warnings".into(), molecule.warnings().into());
            Ok(object)
        })
    };
    match made {
        Ok(result) => {
            tell_warnings(&result);
            if args.switches.json {
                out.line(&Value::Object(result).to_string())?;
            } else {
                out.line(&positions(&result["values"], ""))?;
            }
            Ok(status::ANSWER)
        }
        Err(error) if error.kind() == ToolErrorKind::Internal => Err(Failure::tool(&error, None)),
        Err(error) => {
            out.flush()?;
            complain(&explain(&error, Some(text)));
            Ok(status::BAD_INPUT)
        }
    }
}

/// A file of molecules, with their names where they have some.
fn file(
    args: &FingerprintArgs,
    maker: &Maker,
    name: &OsStr,
    out: &mut Output,
) -> Result<u8, Failure> {
    let switches = &args.switches;
    each_molecule(
        name,
        &args.file,
        switches.json,
        out,
        || maker.printer.clone(),
        |printer, line, molecule| {
            values(printer, molecule, switches.counts)
                .map_err(|error| RecordError::unfit(line, error.code(), error.to_string()))
        },
        |place, values, out| {
            if !switches.json {
                return out.line(&positions(&values, &one_line(&place.name)));
            }
            let mut object = json!({"line": place.line, "name": place.name, "values": values});
            for (key, value) in &maker.fields {
                object[key] = value.clone();
            }
            object["warnings"] = place.warnings.as_slice().into();
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
    let maker = Maker::new(&args.switches)?;
    let failed = |error: ToolError| {
        let text = match error.argument_name() {
            Some("target_smiles") => &args.target,
            _ => &args.query,
        };
        Failure::tool(&error, Some(text))
    };
    let result = if maker.is_tools() {
        let mut arguments = json!({
            "query_smiles": args.query,
            "target_smiles": args.target,
            "metric": args.metric,
        });
        add_switches(&mut arguments, &args.switches);
        let catalogue = Catalogue::default();
        let reply = call_tool("molecular_similarity", &arguments, &CallContext::new(&catalogue))
            .map_err(failed)?;
        tell_warnings(&reply.structured);
        reply.structured
    } else {
        let query = read_molecule("query_smiles", &args.query, MAX_ATOMS).map_err(failed)?;
        let target = read_molecule("target_smiles", &args.target, MAX_ATOMS).map_err(failed)?;
        let score = maker
            .score(&args.metric, [&query, &target])
            .map_err(|error| Failure::input(error.to_string()))?;
        let mut object = Map::new();
        object.insert("score".into(), score.into());
        object.insert("metric".into(), args.metric.as_str().into());
        object.extend(maker.fields);
        let named = [("query_smiles", &query), ("target_smiles", &target)];
        let warnings = named.iter().flat_map(|(argument, molecule)| {
            molecule.warnings().iter().map(move |warning| format!("{argument}: {warning}"))
        });
        object.insert("warnings".into(), warnings.collect());
        tell_warnings(&object);
        object
    };
    if args.switches.json {
        out.json(&Value::Object(result))?;
    } else {
        out.line(&result["score"].to_string())?;
    }
    Ok(status::ANSWER)
}

fn add_switches(arguments: &mut Value, switches: &FingerprintSwitches) {
    arguments["kind"] = switches.kind.as_str().into();
    if let Some(size) = switches.fp_size {
        arguments["fp_size"] = size.into();
    }
    arguments["radius"] = switches.radius.into();
    arguments["path_length"] = switches.path_length.into();
    arguments["counts"] = switches.counts.into();
}
