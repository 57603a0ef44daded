//! `synthon describe`: descriptors of one molecule as a list, of a file as a table.

use serde_json::{Map, Value as Json, json};
use synthon_descriptors::{Describer, Descriptors, Value, murcko_scaffold};
use synthon_mol::Molecule;
use synthon_records::{RawRecord, Record, RecordError};

use crate::args::DescribeArgs;
use crate::failure::Failure;
use crate::molecule_file::{Made, each_record, is_file, open_or_text};
use crate::one_line::one_line;
use crate::output::{Output, written};

/// How the answer is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    List,
    Table,
    Json,
}

pub(crate) fn run(args: &DescribeArgs, out: &mut Output) -> Result<u8, Failure> {
    let records = open_or_text(&args.input, &args.flags)?;
    let form = match (args.json, !is_file(&args.input) && args.output.is_none()) {
        (true, _) => Form::Json,
        (false, true) => Form::List,
        (false, false) => Form::Table,
    };
    let work = |record: RawRecord| describe(record.read(), form);
    written(args.output.as_deref(), out, |out| {
        if form == Form::Table {
            let names = ["smiles", "name", "formula"].iter().chain(&Descriptors::NAMES);
            let header: Vec<&str> = names.copied().chain(["murcko_scaffold"]).collect();
            out.line(&header.join(","))?;
        }
        each_record(records, &args.input, &args.flags, work, |described| out.line(described))
    })
}

fn describe(record: Record, form: Form) -> Result<Made, RecordError> {
    let molecule = record.molecule?;
    let values = Describer::new().describe(&molecule).values();
    let scaffold = murcko_scaffold(&molecule).map(|m| m.to_smiles()).unwrap_or_default();
    let text = match form {
        Form::List => list(&molecule, &values, &scaffold),
        Form::Table => {
            let mut fields = vec![
                quoted(&molecule.to_smiles()),
                quoted(&one_line(&record.name)),
                molecule.formula(),
            ];
            fields.extend(values.iter().map(Value::to_string));
            fields.push(quoted(&scaffold));
            fields.join(",")
        }
        Form::Json => {
            let mut object = Map::new();
            object.insert("smiles".into(), json!(molecule.to_smiles()));
            if !record.name.is_empty() {
                object.insert("name".into(), json!(record.name));
            }
            object.insert("formula".into(), json!(molecule.formula()));
            for (name, value) in Descriptors::NAMES.iter().zip(values) {
                object.insert((*name).to_owned(), number(value));
            }
            object.insert("murcko_scaffold".into(), json!(scaffold));
            object.insert("warnings".into(), json!(molecule.warnings()));
            Json::Object(object).to_string()
        }
    };
    Ok(Made { line: record.line, text, warnings: molecule.warnings().to_vec() })
}

fn number(value: Value) -> Json {
    match value {
        Value::Count(count) => json!(count),
        Value::Measure(measure) => json!(measure),
    }
}

fn list(molecule: &Molecule, values: &[Value], scaffold: &str) -> String {
    let mut rows = vec![
        ("smiles".to_owned(), molecule.to_smiles()),
        ("formula".to_owned(), molecule.formula()),
    ];
    let names = Descriptors::NAMES.iter();
    rows.extend(names.zip(values).map(|(name, value)| ((*name).to_owned(), value.to_string())));
    let scaffold = if scaffold.is_empty() { "none" } else { scaffold };
    rows.push(("murcko_scaffold".to_owned(), scaffold.to_owned()));
    let lines = rows.iter().map(|(name, value)| format!("{:<24} {value}", name.replace('_', " ")));
    lines.collect::<Vec<_>>().join("\n")
}

/// A field of a CSV table.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
