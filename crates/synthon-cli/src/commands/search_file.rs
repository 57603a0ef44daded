//! `synthon substructure` and `smarts` over a file: which of its molecules match, and where.

use std::ffi::OsStr;
use std::time::Duration;

use serde_json::{Value, json};
use synthon_budget::{Budget, Status};
use synthon_mol::Molecule;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target};
use synthon_records::{Notation, RawRecord, RecordError, RecordReport};
use synthon_tools::ToolError;

use crate::args::{MoleculeFile, SearchSwitches};
use crate::failure::{Failure, complain};
use crate::molecule_file::{in_order, open, tell_dropped, tell_report};
use crate::one_line::one_line;
use crate::output::Output;
use crate::picture::AtomText;
use crate::status;

/// Time and nodes for one molecule, where the flags set none; those of the tools.
const TIMEOUT_MS: i64 = 1_000;
const NODE_LIMIT: i64 = 100_000;

/// One query for all molecules of a file.
pub(crate) struct FileSearch<'a> {
    pub(crate) pattern: Pattern,
    pub(crate) options: MatchOptions,
    /// Embeddings wanted of each molecule.
    pub(crate) most: usize,
    pub(crate) file: &'a OsStr,
    pub(crate) flags: &'a MoleculeFile,
    pub(crate) switches: &'a SearchSwitches,
}

/// The SMARTS of an argument.
pub(crate) fn smarts_query(argument: &str, text: &str) -> Result<Pattern, Failure> {
    Pattern::from_smarts(text.trim()).map_err(|error| {
        let fault = ToolError::tool(error.code(), error.message()).about(argument);
        let fault = fault.at(error.span().start);
        let fault = error.hint().into_iter().fold(fault, ToolError::with_hint);
        Failure::tool(&fault, Some(text.trim()))
    })
}

/// The molecule of an argument, as a query with these chemistry options.
pub(crate) fn smiles_query(
    argument: &str,
    text: &str,
    chemistry: &ChemistryOptions,
) -> Result<Pattern, Failure> {
    let molecule = Molecule::from_smiles(text.trim()).map_err(|error| {
        let fault = ToolError::tool(error.code(), error.message()).about(argument);
        let fault = error.span().into_iter().fold(fault, |fault, span| fault.at(span.start));
        let fault = error.hint().into_iter().fold(fault, ToolError::with_hint);
        Failure::tool(&fault, Some(text.trim()))
    })?;
    tell_dropped(argument, &molecule);
    Ok(Pattern::from_molecule(&molecule, chemistry))
}

/// What came of one record.
enum Found {
    /// No molecule.
    Fault(u64, RecordError),
    /// Proved not to match.
    Miss(Read),
    /// Embeddings, or none because a limit stopped the search.
    Places(Read, Places),
}

/// Where a molecule was read, and what was dropped then.
struct Read {
    line: u64,
    warnings: Vec<String>,
}

struct Places {
    number: u64,
    line: u64,
    name: String,
    smiles: String,
    /// Whether atoms are numbered as in `smiles`.
    is_as_written: bool,
    embeddings: Vec<Vec<u32>>,
    status: Status,
    is_truncated: bool,
}

#[derive(Default)]
struct Counts {
    hits: u64,
    open: u64,
    report: RecordReport,
}

impl FileSearch<'_> {
    /// Prints the molecules that match, one a line, in the order of the file.
    pub(crate) fn run(&self, out: &mut Output) -> Result<u8, Failure> {
        let timeout = limit("--timeout-ms", self.switches.timeout_ms, TIMEOUT_MS, 0)?;
        let nodes = limit("--node-limit", self.switches.node_limit, NODE_LIMIT, 1)?;
        let records = open(self.file, self.flags)?;
        let mut counts = Counts::default();
        let work = |(): &mut (), raw| self.search(raw, Duration::from_millis(timeout), nodes);
        in_order(records, self.flags, || (), work, |found| self.take(found, &mut counts, out))?;
        out.flush()?;
        tell_report(self.file, &counts.report);
        if counts.open > 0 {
            complain(&format!(
                "for {} molecules a limit stopped the search before it found anything; \
                 raise --timeout-ms or --node-limit",
                counts.open
            ));
        }
        Ok(match (counts.hits, counts.open) {
            _ if counts.report.good == 0 && counts.report.bad > 0 => status::BAD_INPUT,
            _ if counts.report.broken_off.is_some() => status::BAD_INPUT,
            (0, 1..) => status::STOPPED,
            (0, 0) if self.switches.exit_status => status::EMPTY,
            _ => status::ANSWER,
        })
    }

    fn search(&self, raw: RawRecord, timeout: Duration, nodes: u64) -> Found {
        let record = raw.read();
        let molecule = match record.molecule {
            Ok(molecule) => molecule,
            Err(error) => return Found::Fault(record.number, error),
        };
        let read = Read { line: record.line, warnings: molecule.warnings().to_vec() };
        let mut budget = Budget::unlimited().with_time_limit(timeout).with_node_limit(nodes);
        let target = Target::new(&molecule);
        let mut matcher = Matcher::new();
        let (embeddings, status, is_truncated) = if self.most == 1 {
            let first = budget.check().and_then(|()| {
                matcher.first_within(&self.pattern, &target, &self.options, &mut budget)
            });
            match first {
                Ok(first) => (first.into_iter().collect(), Status::Completed, false),
                Err(stop) => (Vec::new(), stop.into(), false),
            }
        } else {
            match budget.check() {
                Err(stop) => (Vec::new(), stop.into(), false),
                Ok(()) => {
                    let found = matcher.all_within(
                        &self.pattern,
                        &target,
                        &self.options,
                        self.most,
                        &mut budget,
                    );
                    let embeddings: Vec<Vec<u32>> = found.iter().map(<[u32]>::to_vec).collect();
                    (embeddings, found.status(), found.is_truncated())
                }
            }
        };
        if embeddings.is_empty() && status == Status::Completed {
            return Found::Miss(read);
        }
        let is_as_written = record.notation == Notation::Smiles;
        let smiles = if is_as_written { record.text } else { molecule.to_smiles() };
        let places = Places {
            number: record.number,
            line: record.line,
            name: record.name,
            smiles,
            is_as_written,
            embeddings,
            status,
            is_truncated,
        };
        Found::Places(read, places)
    }

    fn take(&self, found: Found, counts: &mut Counts, out: &mut Output) -> Result<(), Failure> {
        match found {
            Found::Fault(number, error) => {
                if self.switches.json {
                    out.json(&json!({
                        "number": number,
                        "line": error.line(),
                        "error": error.reason(),
                        "code": error.code(),
                    }))?;
                }
                counts.report.take_fault(error);
            }
            Found::Miss(read) => counts.report.take_good(read.line, &read.warnings),
            Found::Places(read, places) => {
                counts.report.take_good(read.line, &read.warnings);
                let is_hit = !places.embeddings.is_empty();
                counts.hits += u64::from(is_hit);
                counts.open += u64::from(!is_hit);
                if self.switches.json {
                    out.json(&places.json())?;
                } else if is_hit {
                    out.line(&places.line(out.is_coloured()))?;
                }
            }
        }
        Ok(())
    }
}

impl Places {
    /// The molecule and its name, as a line of a SMILES file.
    fn line(&self, coloured: bool) -> String {
        let mut line = one_line(&self.smiles).into_owned();
        if coloured && self.is_as_written {
            let atoms: Vec<usize> = self.embeddings.iter().flatten().map(|&a| a as usize).collect();
            line = AtomText::smiles(&self.smiles).coloured(&atoms);
        }
        if !self.name.is_empty() {
            line.push('\t');
            line.push_str(&one_line(&self.name));
        }
        line
    }

    fn json(&self) -> Value {
        let matches: Vec<Value> = self
            .embeddings
            .iter()
            .map(|image| {
                let pairs: Vec<(usize, u32)> = image.iter().copied().enumerate().collect();
                json!({ "atom_mapping": pairs })
            })
            .collect();
        json!({
            "number": self.number,
            "line": self.line,
            "name": self.name,
            "smiles": self.smiles,
            "found": !self.embeddings.is_empty(),
            "status": self.status.as_str(),
            "matches": matches,
            "truncated": self.is_truncated,
        })
    }
}

/// A limit for each molecule. The caps of the tools do not hold here.
fn limit(flag: &str, given: Option<i64>, default: i64, least: i64) -> Result<u64, Failure> {
    let given = given.unwrap_or(default);
    if given < least {
        return Err(Failure::input(format!("{flag} is {given}; at least {least} is wanted")));
    }
    Ok(given.unsigned_abs())
}
