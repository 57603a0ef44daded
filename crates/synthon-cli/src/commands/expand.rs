//! `synthon expand`: one retrosynthetic step, ranked.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_library::{Expansion, Library, ProposeOptions, Scratch};
use synthon_mol::Molecule;

use crate::args::ExpandArgs;
use crate::commands::read_stdin;
use crate::failure::{Failure, complain};
use crate::output::{Output, written};
use crate::sources;
use crate::status;

/// Matches that one molecule may cost.
const MAX_NODES: u64 = 10_000_000;
/// Longest line of an input.
const MAX_LINE: u64 = 1 << 16;

struct Expander {
    library: Library,
    options: ProposeOptions,
    top: usize,
    scratch: Scratch,
}

pub(crate) fn run(args: &ExpandArgs, out: &mut Output) -> Result<u8, Failure> {
    let library = match args.library.as_deref() {
        None => Library::uspto(),
        Some(given) if !given.exists() && given == Path::new(Library::USPTO_NAME) => {
            Library::uspto()
        }
        Some(given) if !given.exists() && given == Path::new(Library::CURATED_NAME) => {
            Library::curated()
        }
        Some(given) => sources::read_library(&given.display().to_string(), given)
            .map_err(|reason| Failure::input(format!("--library: {reason}")))?,
    };
    let top = usize::from(args.top);
    let options = ProposeOptions::default();
    let options = options.max_proposals(options.max_proposals.max(top));
    let mut expander = Expander { library, options, top, scratch: Scratch::new() };
    written(args.output.as_deref(), out, |out| {
        let smiles = match (&args.input, args.smiles.as_deref()) {
            (Some(input), _) => return many(&mut expander, input, out),
            (None, Some("-") | None) => read_stdin()?.trim().to_owned(),
            (None, Some(smiles)) => smiles.to_owned(),
        };
        let empty = one(&mut expander, &smiles, args.json || args.output.is_some(), out)?;
        Ok(if empty && args.exit_status { status::EMPTY } else { status::ANSWER })
    })
}

/// Whether nothing is proposed.
fn one(
    expander: &mut Expander,
    smiles: &str,
    json: bool,
    out: &mut Output,
) -> Result<bool, Failure> {
    let molecule = Molecule::from_smiles(smiles)
        .map_err(|error| Failure::input(format!("{smiles}: {error}")))?;
    let expansion = expander.expand(&molecule);
    if json {
        out.json(&expander.value(smiles, &expansion))?;
    } else if expansion.proposals.is_empty() {
        out.line("nothing is proposed")?;
    } else {
        for (place, proposal) in expansion.proposals.iter().enumerate().take(expander.top) {
            let rule = expander.library.rule(proposal.template);
            out.line(&format!(
                "{:>3}  {:.4}  {}\n             {} ({}), {} precedents",
                place + 1,
                proposal.confidence,
                texts(&proposal.outcome.precursors).join("  +  "),
                rule.name(),
                rule.family(),
                rule.use_count()
            ))?;
        }
    }
    Ok(expansion.proposals.is_empty())
}

/// A line for each molecule of a file; bad ones are told and do not end the work.
fn many(expander: &mut Expander, input: &Path, out: &mut Output) -> Result<u8, Failure> {
    let shown = input.display().to_string();
    let reader: Box<dyn BufRead> = if input == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(input).map_err(|error| Failure::file(&shown, &error))?;
        Box::new(BufReader::new(file))
    };
    let mut reader = io::Read::take(reader, MAX_LINE);
    let (mut line, mut number) = (Vec::new(), 0u64);
    loop {
        line.clear();
        reader.set_limit(MAX_LINE);
        let read = reader.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::file(&shown, &error))? == 0 {
            return Ok(status::ANSWER);
        }
        number += 1;
        if line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE {
            return Err(Failure::input(format!(
                "{shown}, line {number}: more than {MAX_LINE} bytes"
            )));
        }
        let text = String::from_utf8_lossy(&line);
        let Some(smiles) = text.split_whitespace().next() else { continue };
        let value = match Molecule::from_smiles(smiles) {
            Ok(molecule) => {
                let expansion = expander.expand(&molecule);
                expander.value(smiles, &expansion)
            }
            Err(error) => {
                complain(&format!("{shown}, line {number}: {error}"));
                json!({"smiles": smiles, "error": error.to_string()})
            }
        };
        out.line(&value.to_string())?;
    }
}

impl Expander {
    fn expand(&mut self, molecule: &Molecule) -> Expansion {
        let mut budget = Budget::unlimited().with_node_limit(MAX_NODES);
        self.library.propose(molecule, |_| true, &self.options, &mut self.scratch, &mut budget)
    }

    fn value(&self, smiles: &str, expansion: &Expansion) -> Value {
        let expansions: Vec<Value> = (1..)
            .zip(&expansion.proposals)
            .take(self.top)
            .map(|(rank, proposal)| {
                let rule = self.library.rule(proposal.template);
                json!({
                    "rank": rank,
                    "precursors": texts(&proposal.outcome.precursors),
                    "template_id": rule.template().map(|template| template.id()),
                    "rule": rule.name(),
                    "reaction_family": rule.family(),
                    "score": (proposal.confidence * 1e6).round() / 1e6,
                    "precedents": {"count": rule.use_count(), "examples": rule.precedents()},
                })
            })
            .collect();
        json!({"smiles": smiles, "expansions": expansions})
    }
}

fn texts(molecules: &[Molecule]) -> Vec<String> {
    molecules.iter().map(Molecule::to_unmapped_smiles).collect()
}
