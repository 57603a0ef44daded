//! Canonical SMILES of a file, and proof that they do not depend on the spelling.
//!
//! `canonical write < in.smi` prints input, canonical text, canonical text without atom maps and
//! a random spelling per line; `canonical check [spellings] < in.smi` reads random spellings back
//! and counts molecules with more than one text or key; `canonical time < in.smi` measures.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{BufRead, Write};
use std::time::Instant;

use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let number = arguments.next().and_then(|n| n.parse().ok());
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    let texts: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split([' ', '\t']).next())
        .filter(|t| !t.is_empty())
        .collect();
    match mode.as_str() {
        "write" => write(&texts),
        "check" => {
            check(&texts, number.unwrap_or(10));
            Ok(())
        }
        "time" => {
            time(&texts);
            Ok(())
        }
        _ => {
            eprintln!("usage: canonical write | check [spellings] | time  < file.smi");
            std::process::exit(2);
        }
    }
}

fn random(molecule: &Molecule, seed: u64) -> String {
    let options = WriteOptions { order: AtomOrder::Random(seed), ..WriteOptions::default() };
    write_smiles(molecule, &options).text
}

fn write(texts: &[&str]) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (i, text) in texts.iter().enumerate() {
        match Molecule::from_smiles(text) {
            Ok(molecule) => {
                let canonical = molecule.to_smiles();
                let unmapped = molecule.to_unmapped_smiles();
                let random = random(&molecule, i as u64);
                writeln!(out, "{text}\t{canonical}\t{unmapped}\t{random}")?;
            }
            Err(_) => writeln!(out, "{text}\t\t\t")?,
        }
    }
    out.flush()
}

fn check(texts: &[&str], spellings: u64) {
    let (mut read, mut faults, mut uncertain) = (0, 0, 0);
    for text in texts {
        let Ok(molecule) = Molecule::from_smiles(text) else { continue };
        read += 1;
        let written = write_smiles(&molecule, &WriteOptions::default());
        uncertain += u32::from(!written.certain);
        let (expected, key) = (written.text, molecule.canonical_key());
        let mut fault = |kind: &str, spelling: &str, got: &str| {
            faults += 1;
            println!("{kind}\t{text}\t{spelling}\t{expected}\t{got}");
        };
        let orders = (0..spellings).map(AtomOrder::Random);
        for order in orders.chain([AtomOrder::Canonical, AtomOrder::Input]) {
            let options = WriteOptions { order, ..WriteOptions::default() };
            let spelling = write_smiles(&molecule, &options).text;
            match Molecule::from_smiles(&spelling) {
                Err(error) => fault("refused", &spelling, &error.to_string()),
                Ok(again) => {
                    let got = again.to_smiles();
                    if got != expected {
                        fault("text", &spelling, &got);
                        break;
                    }
                    if again.canonical_key() != key {
                        fault("key", &spelling, &got);
                        break;
                    }
                }
            }
        }
    }
    println!("read {read}, faults {faults}, uncertain {uncertain}");
}

fn time(texts: &[&str]) {
    let molecules: Vec<Molecule> =
        texts.iter().filter_map(|t| Molecule::from_smiles(t).ok()).collect();
    let atoms: usize = molecules.iter().map(Molecule::atom_count).sum();
    let count = molecules.len() as f64;
    println!("{} molecules, {:.1} atoms each", molecules.len(), atoms as f64 / count);
    for _ in 0..3 {
        let start = Instant::now();
        let mut bytes = 0;
        for molecule in &molecules {
            bytes += molecule.to_smiles().len();
        }
        let smiles = start.elapsed().as_secs_f64() * 1e6 / count;
        let start = Instant::now();
        let mut digest = 0;
        for molecule in &molecules {
            digest ^= molecule.canonical_key();
        }
        let key = start.elapsed().as_secs_f64() * 1e6 / count;
        println!("smiles {smiles:.2} us, key {key:.2} us ({bytes} bytes, {digest:x})");
    }
}
