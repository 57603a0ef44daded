//! Reads texts, one a line as a JSON string, and prints what they are as JSON lines: canonical
//! SMILES, or the refusal. Texts of several lines are molfiles, others SMILES.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::json;
use synthon_mol::{MolError, Molecule, ReadOptions, read_molfile};

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("readable input");
        let text: String = serde_json::from_str(&line).expect("a JSON string");
        let answer = match read(&text) {
            Ok(molecule) => json!({
                "ok": true,
                "smiles": molecule.to_smiles(),
                "warnings": molecule.warnings(),
            }),
            Err(error) => json!({"ok": false, "code": error.code(), "error": error.to_string()}),
        };
        writeln!(out, "{answer}").expect("writable output");
    }
}

fn read(text: &str) -> Result<Molecule, MolError> {
    if text.contains('\n') {
        read_molfile(text, &ReadOptions::default()).map(|record| record.molecule)
    } else {
        Molecule::from_smiles(text)
    }
}
