//! Reads SMILES, one a line, and prints descriptors and scaffolds as JSON lines, for comparison
//! with another program; with `--read` their canonical SMILES.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::{Map, json};
use synthon_descriptors::{Describer, Descriptors, Value, generic_scaffold, murcko_scaffold};
use synthon_mol::Molecule;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let only_read = std::env::args().any(|argument| argument == "--read");
    let mut describer = Describer::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("readable input");
        let answer = match Molecule::from_smiles(&line) {
            Err(error) => json!({"ok": false, "error": error.to_string()}),
            Ok(molecule) if only_read => json!({"ok": true, "smiles": molecule.to_smiles()}),
            Ok(molecule) => {
                let values = describer.describe(&molecule).values();
                let number = |value| match value {
                    Value::Count(count) => json!(count),
                    Value::Measure(measure) => json!(measure),
                };
                let names = Descriptors::NAMES.iter().map(|name| (*name).to_owned());
                let mut answer: Map<_, _> = names.zip(values.into_iter().map(number)).collect();
                let text = |m: Option<Molecule>| m.map(|m| m.to_smiles());
                answer.insert("ok".into(), json!(true));
                answer
                    .insert("murcko_scaffold".into(), json!(text(murcko_scaffold(&molecule).ok())));
                answer.insert("generic_scaffold".into(), json!(text(generic_scaffold(&molecule))));
                answer.into()
            }
        };
        writeln!(out, "{answer}").expect("writable output");
    }
}
