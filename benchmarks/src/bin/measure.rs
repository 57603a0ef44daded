//! Our side of `cargo xtask bench-peers`: `measure WORK` prints one JSON object.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use benchmarks::{DRUGS, drug_like, find_routes, median, patterns};
use serde_json::json;
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};
use synthon_tools::Catalogue;

/// Times over all molecules; the median counts.
const ROUNDS: usize = 15;

/// More than any pattern has in any of the molecules.
const MOST_MATCHES: usize = 10_000;

fn main() -> Result<()> {
    let work = std::env::args().nth(1).context("name the work")?;
    let texts: Vec<&str> = drug_like().collect();
    let molecules: Vec<Molecule> =
        texts.iter().map(|text| Molecule::from_smiles(text)).collect::<Result<_, _>>()?;
    let value = match work.as_str() {
        "parse" => microseconds(&texts, |text| drop(black_box(Molecule::from_smiles(text)))),
        "canonical" => microseconds(&molecules, |molecule| drop(black_box(molecule.to_smiles()))),
        "smarts compile" => {
            let texts: Vec<&str> = patterns().collect();
            microseconds(&texts, |text| drop(black_box(Pattern::from_smarts(text))))
        }
        "smarts first" => per_pair(&molecules, |matcher, pattern, target| {
            matcher.matches(pattern, target) as usize
        })?,
        "smarts all" => per_pair(&molecules, |matcher, pattern, target| {
            let options = MatchOptions::default();
            let mut budget = Budget::unlimited();
            matcher.all_within(pattern, target, &options, MOST_MATCHES, &mut budget).len()
        })?,
        "memory" => bytes_per_molecule(&texts)?,
        "routes" => routes_milliseconds()?,
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

/// Time for one pattern in one molecule, both prepared, the median of all rounds.
fn per_pair(
    molecules: &[Molecule],
    mut work: impl FnMut(&mut Matcher, &Pattern, &Target<'_>) -> usize,
) -> Result<f64> {
    let patterns = patterns().map(Pattern::from_smarts).collect::<Result<Vec<_>, _>>()?;
    let targets: Vec<Target<'_>> = molecules.iter().map(Target::new).collect();
    let mut matcher = Matcher::new();
    let per_pattern = microseconds(&patterns, |pattern| {
        for target in &targets {
            black_box(work(&mut matcher, pattern, target));
        }
    });
    Ok(per_pattern / targets.len() as f64)
}

/// The default node limit of the tool.
const NODE_LIMIT: u64 = 20_000;

/// The median `find_routes` call with default options over the twelve drugs, five times each,
/// templates and stock loaded. The time of each drug goes to standard error.
#[allow(clippy::print_stderr)]
fn routes_milliseconds() -> Result<f64> {
    let catalogue = Catalogue::shipped();
    find_routes(&catalogue, DRUGS[0].1, 1)?;
    let mut all = Vec::new();
    for (name, smiles) in DRUGS {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..5 {
            let start = Instant::now();
            found = find_routes(&catalogue, smiles, NODE_LIMIT)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        eprintln!("{name:<28} {:>9.1} ms, {found} routes", median(times.clone()));
        all.extend(times);
    }
    Ok(median(all))
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
