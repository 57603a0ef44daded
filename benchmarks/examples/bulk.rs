//! Bulk work as a Rust program does it: what `benchmarks/package.py` holds the Python package
//! beside.
//!
//! `bulk FILE COUNT TURNS` reads SMILES, one a line, repeats them until there are COUNT, does each
//! work TURNS times on all cores and prints one JSON line a work with the least time.
#![allow(clippy::print_stdout)]

use std::time::Instant;
use std::{env, fs};

use anyhow::{Context, Result};
use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_fp::{Fingerprinter, Scheme};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};
use synthon_standardise::{StandardiseOptions, standardise};

/// What is timed: a name, and the work on all molecules, which gives a number that depends on all
/// of it.
type Work = (&'static str, Box<dyn Fn(&[String]) -> usize>);

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, count, turns] = &arguments[..] else { anyhow::bail!("bulk FILE COUNT TURNS") };
    let (count, turns): (usize, usize) = (count.parse()?, turns.parse()?);
    let text = fs::read_to_string(file).with_context(|| file.clone())?;
    let read: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let smiles: Vec<String> = read.iter().cycle().take(count).map(|&s| s.to_owned()).collect();
    for (name, work) in works()? {
        let mut best = f64::INFINITY;
        let mut made = 0;
        for _ in 0..turns {
            let start = Instant::now();
            made = work(&smiles);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{}", serde_json::json!({"work": name, "s": best, "made": made}));
    }
    Ok(())
}

fn works() -> Result<Vec<Work>> {
    let printer = Fingerprinter::new(Scheme::Ecfp { radius: 2 }, 2_048)?;
    let pattern = Pattern::from_smarts("[OX2H]c")?;
    let options = StandardiseOptions {
        largest_fragment: true,
        neutralise: true,
        ..StandardiseOptions::default()
    };
    Ok(vec![
        (
            "canonical_smiles",
            Box::new(|smiles| {
                let texts: Vec<Option<String>> =
                    on_all(smiles, || (), |(), molecule| molecule.to_smiles());
                texts.iter().flatten().map(String::len).sum()
            }),
        ),
        (
            "fingerprints",
            Box::new(move |smiles| {
                let rows = on_all(
                    smiles,
                    || printer.clone(),
                    |printer, molecule| printer.bits(molecule).expect("a fingerprint"),
                );
                let mut words = Vec::with_capacity(rows.len() * 32);
                for row in &rows {
                    match row {
                        Some(bits) => words.extend_from_slice(bits.words()),
                        None => words.resize(words.len() + 32, 0),
                    }
                }
                words.len()
            }),
        ),
        (
            "matches_many",
            Box::new(move |smiles| {
                let found = on_all(smiles, Matcher::new, |matcher, molecule| {
                    let target = Target::new(molecule);
                    let mut budget = Budget::unlimited();
                    matcher
                        .matches_within(&pattern, &target, &MatchOptions::default(), &mut budget)
                        .unwrap_or_default()
                });
                found.into_iter().filter(|found| *found == Some(true)).count()
            }),
        ),
        (
            "standardise_many",
            Box::new(move |smiles| {
                let texts = on_all(
                    smiles,
                    || (),
                    |(), molecule| {
                        let done = standardise(molecule, &options, &mut Budget::unlimited());
                        done.molecule.to_smiles()
                    },
                );
                texts.iter().flatten().map(String::len).sum()
            }),
        ),
    ])
}

/// Reads each molecule and works on it; `None` where it cannot be read.
fn on_all<S, T: Send>(
    smiles: &[String],
    start: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, &Molecule) -> T + Send + Sync,
) -> Vec<Option<T>> {
    smiles
        .par_iter()
        .with_min_len(16)
        .map_init(start, |state, text| {
            Molecule::from_smiles(text).ok().map(|molecule| work(state, &molecule))
        })
        .collect()
}
