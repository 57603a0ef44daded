//! Prints the template of each mapped reaction of standard input, one JSON object a line; with
//! `quiet` only counts and times. `radius=N` and `groups=false` change what is shown.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::time::Instant;

use serde_json::json;
use synthon_budget::Budget;
use synthon_reaction::{ExtractOptions, MappedReaction, Scratch};

fn main() -> std::io::Result<()> {
    let mut options = ExtractOptions::default();
    let mut quiet = false;
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("radius", n)) => options = options.radius(n.parse().expect("a number")),
            Some(("groups", b)) => options = options.whole_groups(b == "true"),
            _ => quiet |= word == "quiet",
        }
    }
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    let mut scratch = Scratch::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut seconds = [0.0; 3];
    for line in &lines {
        let start = Instant::now();
        let reaction = MappedReaction::from_smiles(line);
        seconds[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let template =
            reaction.and_then(|r| r.extract(&options, &mut scratch, &mut Budget::unlimited()));
        seconds[1] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        if let Ok(template) = &template {
            template.id();
        }
        seconds[2] += start.elapsed().as_secs_f64();
        *counts.entry(template.as_ref().map_or_else(|e| e.code(), |_| "kept")).or_default() += 1;
        if !quiet {
            let answer = match template {
                Ok(template) => json!({ "smarts": template.smarts(), "id": template.id() }),
                Err(error) => json!({ "error": error.code(), "message": error.to_string() }),
            };
            writeln!(out, "{answer}")?;
        }
    }
    if quiet {
        let each = seconds.map(|s| s / lines.len() as f64 * 1e6);
        writeln!(
            out,
            "{}",
            json!({ "reactions": lines.len(), "counts": counts, "us_read": each[0],
                "us_extract": each[1], "us_canonical": each[2] })
        )?;
    }
    out.flush()
}
