//! Reads SMILES, one a line, and prints as JSON lines: the canonical text, a random spelling, a
//! kekulé spelling, and every canonical text found after reading ten random and two ordered
//! spellings back (one, if all is well).
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::json;
use synthon_mol::{AtomOrder, MolError, Molecule, WriteOptions, write_smiles};

const SPELLINGS: u64 = 10;

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (seed, line) in std::io::stdin().lock().lines().enumerate() {
        let answer = match Molecule::from_smiles(&line?) {
            Ok(molecule) => describe(&molecule, seed as u64),
            Err(error) => json!({ "ok": false, "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn describe(molecule: &Molecule, seed: u64) -> serde_json::Value {
    let defaults = WriteOptions::default();
    let canonical = write_smiles(molecule, &defaults);
    let key = molecule.canonical_key();
    let spell =
        |order, kekule| write_smiles(molecule, &WriteOptions { order, kekule, ..defaults }).text;
    let random = spell(AtomOrder::Random(seed), false);
    let kekule = spell(AtomOrder::Random(seed), true);
    let mut texts = vec![canonical.text.clone()];
    let mut read_back = |spelling: &str| -> Result<(), MolError> {
        let again = Molecule::from_smiles(spelling)?;
        let mut text = again.to_smiles();
        if again.canonical_key() != key {
            text.push_str(" with another key");
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
        Ok(())
    };
    let orders = (0..SPELLINGS).map(|k| AtomOrder::Random(seed.wrapping_mul(SPELLINGS) + k));
    let mut faults = Vec::new();
    for order in orders.chain([AtomOrder::Canonical, AtomOrder::Input]) {
        let spelling = spell(order, false);
        if let Err(error) = read_back(&spelling) {
            faults.push(format!("{spelling}: {error}"));
        }
    }
    if let Err(error) = read_back(&kekule) {
        faults.push(format!("{kekule}: {error}"));
    }
    texts.append(&mut faults);
    json!({
        "ok": true,
        "text": canonical.text,
        "certain": canonical.certain,
        "random": random,
        "kekule": kekule,
        "texts": texts,
    })
}
