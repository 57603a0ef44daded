//! Reads SMILES, one a line, and prints as JSON lines what the toolkit says of each: InChIKey and,
//! with `--tautomers`, the canonical tautomer.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_toolkit::{TautomerLimits, canonical_tautomer, inchi_key};

fn main() -> std::io::Result<()> {
    let tautomers = std::env::args().any(|argument| argument == "--tautomers");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let answer = match Molecule::from_smiles(&line?) {
            Ok(molecule) => describe(&molecule, tautomers),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn describe(molecule: &Molecule, tautomers: bool) -> Value {
    let mut answer = match inchi_key(molecule) {
        Ok(key) => json!({ "key": key }),
        Err(error) => json!({ "key": null, "why": error.to_string() }),
    };
    if tautomers {
        let limits = TautomerLimits::default();
        match canonical_tautomer(molecule, limits, &mut Budget::unlimited()) {
            Ok(found) => {
                answer["tautomer"] = found.molecule.to_smiles().into();
                answer["limit"] = found.limit.is_some().into();
            }
            Err(error) => answer["why"] = error.to_string().into(),
        }
    }
    answer
}
