//! Reads and writes molfiles for comparison with another program. Each line of the input is a
//! JSON value, each line of the output the answer:
//!
//! - a text: a molfile where it has several lines, SMILES otherwise; the answer is its canonical
//!   SMILES, or the refusal;
//! - `[smiles, [[x, y, z], ...]]`: the answer are the molfiles of both forms, what they read back
//!   to, and the warnings of writing.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::{Value, json};
use synthon_mol::{
    MolError, Molecule, MolfileForm, MolfileOptions, ReadOptions, read_molfile, write_molfile,
};

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("readable input");
        let answer = match serde_json::from_str(&line).expect("JSON") {
            Value::String(text) => read(&text).map(|molecule| {
                json!({
                    "ok": true,
                    "smiles": molecule.to_smiles(),
                    "warnings": molecule.warnings(),
                })
            }),
            value => write(&value),
        };
        let answer = answer.unwrap_or_else(
            |error| json!({"ok": false, "code": error.code(), "error": error.to_string()}),
        );
        writeln!(out, "{answer}").expect("writable output");
    }
}

fn read(text: &str) -> Result<Molecule, MolError> {
    if text.contains(['\n', '\r']) {
        read_molfile(text, &ReadOptions::default()).map(|record| record.molecule)
    } else {
        Molecule::from_smiles(text)
    }
}

fn write(value: &Value) -> Result<Value, MolError> {
    let molecule = read(value[0].as_str().expect("a text"))?;
    let number = |x: &Value| x.as_f64().expect("a number");
    let place = |p: &Value| [number(&p[0]), number(&p[1]), number(&p[2])];
    let places: Vec<[f64; 3]> = value[1].as_array().expect("a list").iter().map(place).collect();
    let form = |form| {
        let options = MolfileOptions { form, ..MolfileOptions::default() };
        let written = write_molfile(&molecule, &places, &options)?;
        let again = read(&written.text)?;
        Ok::<_, MolError>(json!({
            "text": written.text,
            "warnings": written.warnings,
            "again": again.to_smiles(),
            "same": again.canonical_key() == molecule.canonical_key(),
        }))
    };
    Ok(json!({
        "ok": true,
        "smiles": molecule.to_unmapped_smiles(),
        "fitting": form(MolfileForm::Fitting)?,
        "v3000": form(MolfileForm::V3000)?,
    }))
}
