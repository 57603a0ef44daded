//! Reads SMILES, one a line, and prints as JSON lines how each would be drawn: places of the atoms
//! (bonds are 1 long), wedges (`[bond, centre, up]`), double bonds drawn crossed, faults found, and
//! the microseconds that the layout took.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};
use std::time::Instant;

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_depict::{Layout, open_double_bonds};
use synthon_mol::Molecule;

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let answer = match Molecule::from_smiles(&line?) {
            Ok(molecule) => describe(&molecule),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn describe(molecule: &Molecule) -> Value {
    let started = Instant::now();
    let layout = match Layout::new(molecule, &mut Budget::unlimited()) {
        Ok(layout) => layout,
        Err(error) => return json!({ "error": error.to_string() }),
    };
    let micros = started.elapsed().as_micros() as u64;
    let crowding = layout.crowding(molecule);
    let bonds: Vec<[usize; 2]> =
        molecule.bonds().iter().map(|bond| [bond.begin(), bond.end()]).collect();
    let wedges: Vec<Value> = molecule
        .wedges(layout.places())
        .wedges
        .iter()
        .map(|wedge| json!([wedge.bond, wedge.centre, wedge.towards_viewer]))
        .collect();
    json!({
        "places": layout.places(),
        "bonds": bonds,
        "wedges": wedges,
        "open": open_double_bonds(molecule),
        "close_atoms": crowding.close_atoms.len(),
        "atoms_on_bonds": crowding.atoms_on_bonds.len(),
        "micros": micros,
    })
}
