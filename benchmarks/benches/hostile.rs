//! How far searches on hostile inputs run past their deadlines, and what memory they take.
//!
//! `cargo bench -p benchmarks --bench hostile` prints one line for each search that ended more
//! than a millisecond after its deadline of 50 ms, or with `-- all` for every search, and fails
//! when one was more than 50 ms late.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use synthon_budget::Budget;
use synthon_mcs::{
    Core, DecompositionOptions, McsOptions, Objective, SeriesOptions, decompose, find_all_mcs,
    find_mcs, find_series_mcs,
};
use synthon_mol::Molecule;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target, explain};
use synthon_testkit::{hostile_pairs, hostile_patterns};

/// What a search is given.
const LIMIT: Duration = Duration::from_millis(50);

/// The most that it may be late.
const MOST: Duration = Duration::from_millis(50);

struct Log {
    show_all: bool,
    searches: usize,
    latest: (Duration, String),
}

impl Log {
    fn time(&mut self, label: String, search: impl FnOnce(&mut Budget) -> String) {
        let begun = Instant::now();
        let status = search(&mut Budget::unlimited().with_time_limit(LIMIT));
        let late = begun.elapsed().saturating_sub(LIMIT);
        self.searches += 1;
        if self.show_all || late > Duration::from_millis(1) {
            println!("{:8.2} ms late\t{status}\t{label}", late.as_secs_f64() * 1e3);
        }
        if late > self.latest.0 {
            self.latest = (late, label);
        }
    }
}

fn pairs(log: &mut Log) -> Result<()> {
    let whole = ChemistryOptions {
        complete_rings_only: true,
        match_stereo: true,
        ..ChemistryOptions::default()
    };
    for (name, a, b) in hostile_pairs() {
        let (a, b) = (Molecule::from_smiles(&a)?, Molecule::from_smiles(&b)?);
        for objective in [Objective::Mcis, Objective::Mces] {
            for connected in [true, false] {
                for chemistry in [ChemistryOptions::default(), whole] {
                    let options =
                        McsOptions { objective, connected, chemistry, ..McsOptions::default() };
                    let rules = if chemistry == whole { "whole rings, stereo" } else { "default" };
                    let pieces = if connected { "connected" } else { "in pieces" };
                    log.time(format!("{name}, {objective:?} {pieces}, {rules}"), |budget| {
                        find_mcs(&a, &b, &options, budget)
                            .map_or_else(|e| e.to_string(), |found| found.status.as_str().into())
                    });
                    log.time(format!("{name}, all {objective:?} {pieces}, {rules}"), |budget| {
                        find_all_mcs(&a, &b, &options, 1_000, budget)
                            .map_or_else(|e| e.to_string(), |found| found.2.status.as_str().into())
                    });
                }
            }
            let mcs = McsOptions { objective, ..McsOptions::default() };
            let options = SeriesOptions { mcs, support: 0.6 };
            let series = [a.clone(), b.clone(), a.clone()];
            log.time(format!("{name}, series by {objective:?}"), |budget| {
                find_series_mcs(&series, &options, budget)
                    .map_or_else(|e| e.to_string(), |found| found.status.as_str().into())
            });
        }
        let core = Core::from_molecule(&a, &ChemistryOptions::default())?;
        log.time(format!("{name}, decomposition"), |budget| {
            decompose(&core, std::slice::from_ref(&b), &DecompositionOptions::default(), budget)
                .map_or_else(|e| e.to_string(), |table| table.status.as_str().into())
        });
        let pattern = Pattern::from_molecule(&a, &ChemistryOptions::default());
        find(log, name, &pattern, &b);
    }
    Ok(())
}

fn find(log: &mut Log, name: &str, pattern: &Pattern, molecule: &Molecule) {
    let target = Target::new(molecule);
    let mut matcher = Matcher::new();
    for options in [
        MatchOptions::default(),
        MatchOptions { induced: true, ..MatchOptions::default() },
        MatchOptions { complete_rings_only: true, ..MatchOptions::default() },
    ] {
        let rules = match options {
            MatchOptions { induced: true, .. } => "induced",
            MatchOptions { complete_rings_only: true, .. } => "whole rings",
            _ => "default",
        };
        log.time(format!("{name}, first match, {rules}"), |budget| {
            let first = matcher.first_within(pattern, &target, &options, budget);
            first.map_or_else(|stop| format!("{stop:?}"), |_| "COMPLETED".into())
        });
        log.time(format!("{name}, all matches, {rules}"), |budget| {
            matcher.all_within(pattern, &target, &options, 1_000, budget).status().as_str().into()
        });
        log.time(format!("{name}, explanation, {rules}"), |budget| {
            let told = explain(pattern, &target, &options, budget);
            told.map_or_else(|stop| format!("{stop:?}"), |_| "COMPLETED".into())
        });
    }
}

/// The most memory that the process has had, as Linux counts it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_string())
}

fn main() -> Result<()> {
    let mut log = Log {
        show_all: std::env::args().any(|word| word == "all"),
        searches: 0,
        latest: (Duration::ZERO, String::new()),
    };
    pairs(&mut log)?;
    for (name, pattern, target) in hostile_patterns() {
        find(&mut log, name, &Pattern::from_smarts(&pattern)?, &Molecule::from_smiles(&target)?);
    }
    let (late, label) = &log.latest;
    println!(
        "{} searches; the latest was {:.2} ms late: {label}; peak memory {}",
        log.searches,
        late.as_secs_f64() * 1e3,
        peak_memory().unwrap_or_else(|| "unknown".into())
    );
    ensure!(*late <= MOST, "more than {} ms late", MOST.as_millis());
    Ok(())
}
