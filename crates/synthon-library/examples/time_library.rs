//! How long the shipped library takes to read and to expand molecules: `cargo run --release
//! --example time_library -p synthon-library -- SMILES ...`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use synthon_budget::Budget;
use synthon_library::{Library, Scratch};
use synthon_mol::Molecule;

fn main() {
    let start = Instant::now();
    let library = Library::curated();
    let read = start.elapsed();
    library.index();
    println!("{} templates: read {read:?}, with index {:?}", library.len(), start.elapsed());
    let mut scratch = Scratch::new();
    for smiles in std::env::args().skip(1) {
        let molecule = Molecule::from_smiles(&smiles).expect("a SMILES");
        let start = Instant::now();
        let expansion = library.expand(&molecule, &mut scratch, &mut Budget::unlimited());
        let elapsed = start.elapsed();
        println!(
            "{smiles}: {elapsed:?}, tried {}, matched {}, proposals {}",
            expansion.tried,
            expansion.matched,
            expansion.proposals.len()
        );
        for p in expansion.proposals.iter().take(60) {
            let precursors: Vec<String> =
                p.outcome.precursors.iter().map(Molecule::to_smiles).collect();
            let alarms: Vec<&str> =
                p.alarms.iter().map(|a| library.groups()[a.group].id()).collect();
            println!(
                "  {:.3} {:32} {}{}",
                p.confidence,
                library.templates()[p.template].id(),
                precursors.join(" + "),
                if alarms.is_empty() {
                    String::new()
                } else {
                    format!("   ! {}", alarms.join(", "))
                }
            );
        }
    }
}
