//! Reads SMARTS, one a line, and prints for each, as a JSON line, whether it is accepted and which
//! molecules of the file named on the command line (SMILES, one a line) it matches, with the
//! number of matches on different sets of atoms.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};

use serde_json::json;
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of SMILES")?;
    let mut molecules = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        molecules.push(Molecule::from_smiles(line)?);
    }
    let targets: Vec<Target<'_>> = molecules.iter().map(Target::new).collect();
    let mut matcher = Matcher::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let answer = match Pattern::from_smarts(&line?) {
            Ok(pattern) => describe(&pattern, &targets, &mut matcher),
            Err(error) => json!({ "ok": false, "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()?;
    Ok(())
}

fn describe(pattern: &Pattern, targets: &[Target<'_>], matcher: &mut Matcher) -> serde_json::Value {
    let (mut hits, mut unique) = (Vec::new(), Vec::new());
    for (i, target) in targets.iter().enumerate() {
        let options = MatchOptions::default();
        let mut budget = Budget::unlimited();
        let all = matcher.all_within(pattern, target, &options, usize::MAX, &mut budget);
        if !all.is_empty() {
            hits.push(i);
            unique.push(all.unique().len());
        }
    }
    json!({ "ok": true, "hits": hits, "unique": unique })
}
