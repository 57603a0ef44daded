//! The largest common part, pair by pair, beside the peers' searches.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Sides, columns, median, write_lines};

/// Objective, peer, and the share of the peer's time that we mean to need at most.
type Search = (&'static str, &'static str, f64);

const CONNECTED: &[Search] =
    &[("mces", "smsd", 0.5), ("mces", "rdkit", 0.02), ("mcis", "smsd", 0.25)];

/// Of these every pair is to be proved within a second.
const IN_PIECES: &[Search] = &[("mces pieces", "smsd", 1.0), ("mcis pieces", "smsd", 1.0)];

const TABLES: [(&str, &[Search]); 3] =
    [("default_nn", CONNECTED), ("default_random", CONNECTED), ("disconnected", IN_PIECES)];

/// One answer to one pair.
struct Answer {
    milliseconds: f64,
    proved: bool,
    size: (u64, u64),
}

/// Prints a row for each table and search. A pair that a side did not finish counts with the time
/// at which it was stopped (`peers.py` and `measure.rs` name the limits).
pub fn run(sides: &Sides, data: &Path, pairs: Option<usize>) -> Result<()> {
    println!("common part of two molecules, both read; the best of three runs of a pair");
    println!(
        "{:<32} {:>10} {:>10} {:>7} {:>6} {:>9} {:>9} {:>10} {:>10} {:>8} {:>7}",
        "table, objective, peer",
        "ours s",
        "peer s",
        "share",
        "goal",
        "median ms",
        "peer's",
        "open 1 s",
        "peer's",
        ">2x slow",
        "sizes"
    );
    for (table, searches) in TABLES {
        let mut rows = columns(&data.join(format!("mcs/{table}.tsv")), &["smiles_a", "smiles_b"])?;
        if let Some(limit) = pairs.filter(|&limit| limit < rows.len()) {
            rows = (0..limit).map(|i| rows[i * rows.len() / limit].clone()).collect();
        }
        let lines: Vec<String> = rows.iter().map(|row| row.join("\t")).collect();
        let lines = std::iter::once("a\tb").chain(lines.iter().map(String::as_str));
        let files = [write_lines(&format!("{table}.tsv"), lines)?];
        for (objective, peer, goal) in searches {
            let ours = answers(&sides.ours(objective, &files)?)?;
            let theirs = answers(&sides.peers(objective, peer, &files)?)?;
            print_row(&format!("{table}, {objective}, {peer}"), &ours, &theirs, *goal);
        }
    }
    Ok(())
}

fn answers(value: &Value) -> Result<Vec<Answer>> {
    let rows = value.as_array().with_context(|| format!("{value} is no list"))?;
    let answer = |row: &Value| {
        Some(Answer {
            milliseconds: row[0].as_f64()?,
            proved: row[1].as_bool()?,
            size: (row[2].as_u64()?, row[3].as_u64()?),
        })
    };
    rows.iter().map(|row| answer(row).with_context(|| format!("{row} is no answer"))).collect()
}

fn print_row(title: &str, ours: &[Answer], theirs: &[Answer], goal: f64) {
    let total = |side: &[Answer]| side.iter().map(|a| a.milliseconds).sum::<f64>() / 1e3;
    let middle = |side: &[Answer]| median(side.iter().map(|a| a.milliseconds).collect());
    let late = |a: &&Answer| !a.proved || a.milliseconds > 1_000.0;
    let open = |side: &[Answer]| side.iter().filter(late).count();
    let pairs = || ours.iter().zip(theirs);
    let slower = pairs().filter(|(a, b)| a.milliseconds > 2.0 * b.milliseconds).count();
    let same = pairs().filter(|(a, b)| a.size == b.size).count();
    println!(
        "{title:<32} {:>10.2} {:>10.2} {:>7.3} {goal:>6.2} {:>9.3} {:>9.3} {:>10} {:>10} {:>6.1} % {same:>3}/{}",
        total(ours),
        total(theirs),
        total(ours) / total(theirs),
        middle(ours),
        middle(theirs),
        open(ours),
        open(theirs),
        100.0 * slower as f64 / ours.len() as f64,
        ours.len()
    );
}
