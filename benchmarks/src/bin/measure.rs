//! Our side of `cargo xtask bench-peers`: `measure WORK [FILE ..]` prints one JSON object.
//!
//! `measure "smarts first" MOLECULES PATTERNS` takes texts, one a line, in place of our own;
//! `measure mcis PAIRS` (`"mcis pieces"` for common parts in pieces) a table with the columns `a`
//! and `b`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use benchmarks::{DRUGS, drug_like, find_routes, median, patterns};
use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_fp::{Fingerprinter, Scheme};
use synthon_mcs::{McsOptions, Objective, find_mcs};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};
use synthon_standardise::{StandardiseOptions, standardise};
use synthon_tools::Catalogue;

/// Times over all molecules; the median counts.
const ROUNDS: usize = 15;

/// The same over the inputs of the reference data, of which there are more.
const REFERENCE_ROUNDS: usize = 3;

/// A pair is timed this often, and the least time counts, unless one time is longer than
/// [`LONG`].
const PAIR_ROUNDS: usize = 3;

/// See [`PAIR_ROUNDS`].
const LONG: Duration = Duration::from_millis(250);

/// Longest search for a common part.
const MCS_LIMIT: Duration = Duration::from_secs(30);

/// More than any pattern has in any of the molecules.
const MOST_MATCHES: usize = 10_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (work, files) = arguments.split_first().context("name the work")?;
    let files = files.iter().map(std::fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    let value = match work.as_str() {
        "mcis" | "mces" | "mcis pieces" | "mces pieces" => {
            let mces = work.starts_with("mces");
            let options = McsOptions {
                objective: if mces { Objective::Mces } else { Objective::Mcis },
                connected: !work.ends_with("pieces"),
                ..McsOptions::default()
            };
            each_pair(files.first().context("name a table of pairs")?, &options)?
        }
        "memory" => bytes_per_molecule(&drug_like().collect::<Vec<_>>())?.into(),
        "routes" => routes_milliseconds()?.into(),
        work => match files.as_slice() {
            [] => on_texts(work, &drug_like().collect::<Vec<_>>(), patterns(), ROUNDS)?.into(),
            [molecules, patterns] => {
                let molecules: Vec<&str> = molecules.lines().collect();
                on_texts(work, &molecules, patterns.lines(), REFERENCE_ROUNDS)?.into()
            }
            _ => bail!("name a file of molecules and one of patterns"),
        },
    };
    println!("{}", json!({ "work": work, "value": value }));
    Ok(())
}

/// Microseconds for one molecule, one pattern, or one pattern in one molecule.
fn on_texts<'a>(
    work: &str,
    texts: &[&str],
    patterns: impl Iterator<Item = &'a str>,
    rounds: usize,
) -> Result<f64> {
    let molecules: Vec<Molecule> =
        texts.iter().map(|text| Molecule::from_smiles(text)).collect::<Result<_, _>>()?;
    let patterns: Vec<&str> = patterns.collect();
    match work {
        "parse" => {
            Ok(microseconds(texts, rounds, |text| drop(black_box(Molecule::from_smiles(text)))))
        }
        "canonical" => Ok(microseconds(&molecules, rounds, |molecule| {
            drop(black_box(molecule.to_smiles()));
        })),
        "smarts compile" => Ok(microseconds(&patterns, rounds, |text| {
            drop(black_box(Pattern::from_smarts(text)));
        })),
        "smarts first" => per_pair(&molecules, &patterns, rounds, |matcher, pattern, target| {
            matcher.matches(pattern, target) as usize
        }),
        "smarts all" => per_pair(&molecules, &patterns, rounds, |matcher, pattern, target| {
            let options = MatchOptions::default();
            let mut budget = Budget::unlimited();
            matcher.all_within(pattern, target, &options, MOST_MATCHES, &mut budget).len()
        }),
        work => match work.strip_prefix("standard ") {
            Some(operations) => standard_forms(operations, &molecules),
            None => fingerprints(work, &molecules, rounds),
        },
    }
}

/// Microseconds for one fingerprint of 2048 bits, of a molecule read before.
fn fingerprints(work: &str, molecules: &[Molecule], rounds: usize) -> Result<f64> {
    let scheme = work.strip_suffix(" bits").and_then(Scheme::from_name);
    let scheme = scheme.with_context(|| format!("no work `{work}`"))?;
    let mut maker = Fingerprinter::new(scheme, scheme.fixed_size().unwrap_or(2048))?;
    Ok(microseconds(molecules, rounds, |molecule| drop(black_box(maker.bits(molecule)))))
}

/// Microseconds for one standard form; the peer takes its time over tautomers, so that there are
/// fewer rounds.
fn standard_forms(operations: &str, molecules: &[Molecule]) -> Result<f64> {
    let none = StandardiseOptions::default();
    let parent =
        StandardiseOptions { cleanup: true, largest_fragment: true, neutralise: true, ..none };
    let options = match operations {
        "cleanup" => StandardiseOptions { cleanup: true, ..none },
        "parent" => parent,
        "tautomer" => StandardiseOptions { canonical_tautomer: true, ..none },
        _ => bail!("no operations `{operations}`"),
    };
    Ok(microseconds(molecules, REFERENCE_ROUNDS, |molecule| {
        drop(black_box(standardise(molecule, &options, &mut Budget::unlimited())));
    }))
}

/// Time for one item, the median of all rounds.
fn microseconds<T>(items: &[T], rounds: usize, mut work: impl FnMut(&T)) -> f64 {
    let rounds = (0..rounds).map(|_| {
        let start = Instant::now();
        items.iter().for_each(&mut work);
        start.elapsed().as_secs_f64() * 1e6 / items.len() as f64
    });
    median(rounds.collect())
}

/// Time for one pattern in one molecule, both prepared, the median of all rounds.
fn per_pair(
    molecules: &[Molecule],
    patterns: &[&str],
    rounds: usize,
    mut work: impl FnMut(&mut Matcher, &Pattern, &Target<'_>) -> usize,
) -> Result<f64> {
    let patterns: Vec<Pattern> =
        patterns.iter().map(|text| Pattern::from_smarts(text)).collect::<Result<_, _>>()?;
    let targets: Vec<Target<'_>> = molecules.iter().map(Target::new).collect();
    let mut matcher = Matcher::new();
    let per_pattern = microseconds(&patterns, rounds, |pattern| {
        for target in &targets {
            black_box(work(&mut matcher, pattern, target));
        }
    });
    Ok(per_pattern / targets.len() as f64)
}

/// For each pair of molecules, read beforehand: milliseconds, whether the answer is proved, and
/// its atoms and bonds.
fn each_pair(table: &str, options: &McsOptions) -> Result<Value> {
    let mut answers = Vec::new();
    for line in table.lines().skip(1) {
        let (query, target) = line.split_once('\t').context("a pair needs a tab")?;
        let (query, target) = (Molecule::from_smiles(query)?, Molecule::from_smiles(target)?);
        let mut times: Vec<Duration> = Vec::new();
        let mut last = None;
        while times.len() < PAIR_ROUNDS && times.iter().all(|time| *time < LONG) {
            let mut budget = Budget::unlimited().with_time_limit(MCS_LIMIT);
            let start = Instant::now();
            let answer = find_mcs(&query, &target, options, &mut budget)?;
            times.push(start.elapsed());
            last = Some(answer);
        }
        let answer = last.context("no round")?;
        let (atoms, bonds) = answer
            .common
            .as_ref()
            .map_or((0, 0), |common| (common.atoms.len(), common.bonds.len()));
        let least = times.iter().min().context("no round")?.as_secs_f64() * 1e3;
        answers.push(json!([least, answer.optimal, atoms, bonds]));
    }
    Ok(answers.into())
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
