//! Prints what templates give: for each line `template<TAB>molecule` of standard input one JSON
//! object. With `lenient`, stereo that the template does not mention is no obstacle. Read by
//! `cargo xtask parity reactions`.
#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::io::{BufRead, Write};

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{ApplyOptions, Scratch, StereoRule, Template};

fn main() -> std::io::Result<()> {
    let lenient = std::env::args().any(|a| a == "lenient");
    let rule = if lenient { StereoRule::Lenient } else { StereoRule::Strict };
    let options = ApplyOptions::default().stereo(rule).max_matches(20_000);
    let mut templates: HashMap<String, Result<Template, String>> = HashMap::new();
    let mut scratch = Scratch::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (smarts, smiles) = line.split_once('\t').unwrap_or((&line, ""));
        let template = templates.entry(smarts.to_owned()).or_insert_with(|| {
            Template::from_smarts(smarts).map_err(|e| format!("{}: {e}", e.code()))
        });
        let answer = match (template, Molecule::from_smiles(smiles)) {
            (Err(error), _) => json!({ "accepted": false, "error": error }),
            (_, Err(error)) => json!({ "accepted": false, "error": error.to_string() }),
            (Ok(template), Ok(molecule)) => answer(template, &molecule, &options, &mut scratch),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn answer(
    template: &Template,
    molecule: &Molecule,
    options: &ApplyOptions,
    scratch: &mut Scratch,
) -> Value {
    let applied = template.apply_with(molecule, options, scratch, &mut Budget::unlimited());
    let outcomes: Vec<Vec<String>> = applied
        .outcomes
        .iter()
        .map(|o| o.precursors.iter().map(Molecule::to_smiles).collect())
        .collect();
    let notes: Vec<Vec<String>> = applied
        .outcomes
        .iter()
        .map(|o| o.notes.iter().map(ToString::to_string).collect())
        .collect();
    json!({
        "accepted": true,
        "outcomes": outcomes,
        "notes": notes,
        "changed": applied.outcomes.iter().map(|o| &o.changed_atoms).collect::<Vec<_>>(),
        "invalid": applied.invalid,
        "truncated": applied.truncated,
    })
}
