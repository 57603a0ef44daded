//! Our side of `cargo xtask bench-peers`: `measure WORK` prints one JSON object.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use benchmarks::{drug_like, median};
use serde_json::json;
use synthon_mol::Molecule;

/// Times over all molecules; the median counts.
const ROUNDS: usize = 15;

fn main() -> Result<()> {
    let work = std::env::args().nth(1).context("name the work")?;
    let texts: Vec<&str> = drug_like().collect();
    let molecules: Vec<Molecule> =
        texts.iter().map(|text| Molecule::from_smiles(text)).collect::<Result<_, _>>()?;
    let value = match work.as_str() {
        "parse" => microseconds(&texts, |text| drop(black_box(Molecule::from_smiles(text)))),
        "canonical" => microseconds(&molecules, |molecule| drop(black_box(molecule.to_smiles()))),
        "memory" => bytes_per_molecule(&texts)?,
        other => bail!("no work `{other}`"),
    };
    println!("{}", json!({ "work": work, "value": value }));
    Ok(())
}

/// Time for one item, the median of all rounds.
fn microseconds<T>(items: &[T], mut work: impl FnMut(&T)) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        items.iter().for_each(&mut work);
        start.elapsed().as_secs_f64() * 1e6 / items.len() as f64
    });
    median(rounds.collect())
}

/// Growth of the resident set while 40,000 molecules are read and kept.
fn bytes_per_molecule(texts: &[&str]) -> Result<f64> {
    let mut kept = Vec::with_capacity(40_000);
    let before = resident_bytes()?;
    while kept.len() < 40_000 {
        kept.push(Molecule::from_smiles(texts[kept.len() % texts.len()])?);
    }
    let grown = resident_bytes()? - before;
    Ok(grown / black_box(kept).len() as f64)
}

fn resident_bytes() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("needs Linux's /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024.0)
}
