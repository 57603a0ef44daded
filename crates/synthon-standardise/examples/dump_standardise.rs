//! Reads SMILES, one a line, and prints as JSON lines what the operations make of each, and
//! whether all of a few random spellings give the same.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::{Map, Value, json};
use synthon_budget::Budget;
use synthon_mol::{AtomOrder, Molecule, ReadOptions, WriteOptions, read_smiles, write_smiles};
use synthon_standardise::{StandardiseOptions, standardise};

/// Columns of the comparison: name and operations.
fn columns() -> [(&'static str, StandardiseOptions); 5] {
    let none = StandardiseOptions::default();
    let (cleanup, largest, neutral) = (true, true, true);
    [
        ("cleanup", StandardiseOptions { cleanup, ..none }),
        ("largest_fragment", StandardiseOptions { largest_fragment: largest, ..none }),
        ("neutralise", StandardiseOptions { neutralise: neutral, ..none }),
        (
            "cleanup_largest_neutralise",
            StandardiseOptions { cleanup, largest_fragment: largest, neutralise: neutral, ..none },
        ),
        ("canonical_tautomer", StandardiseOptions { canonical_tautomer: true, ..none }),
    ]
}

fn main() -> std::io::Result<()> {
    let spellings: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", describe(&line?, spellings))?;
    }
    out.flush()
}

fn describe(line: &str, spellings: u64) -> Value {
    let options = ReadOptions { max_atoms: 100_000, ..ReadOptions::default() };
    let molecule = match read_smiles(line, &options) {
        Ok(molecule) => molecule,
        Err(error) => return json!({ "ok": false, "error": error.to_string() }),
    };
    let mut answer = Map::new();
    answer.insert("ok".into(), true.into());
    let mut differing = Vec::new();
    for (name, operations) in columns() {
        let ask = |molecule: &Molecule| {
            let done = standardise(molecule, &operations, &mut Budget::unlimited());
            (done.molecule.to_smiles(), done.status)
        };
        let (text, status) = ask(&molecule);
        for seed in 0..spellings {
            let order = AtomOrder::Random(seed);
            let spelled = write_smiles(&molecule, &WriteOptions { order, ..Default::default() });
            let same = read_smiles(&spelled.text, &options)
                .is_ok_and(|again| ask(&again) == (text.clone(), status));
            if !same {
                differing.push(format!("{name}: {}", spelled.text));
            }
        }
        answer.insert(name.into(), text.into());
        answer.insert(format!("{name}_status"), status.as_str().into());
    }
    answer.insert("differing".into(), differing.into());
    answer.into()
}
