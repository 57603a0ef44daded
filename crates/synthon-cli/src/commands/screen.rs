//! `synthon screen`: which molecules of a file, or of a corpus, are like the query or hold it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_budget::{Budget, Status};
use synthon_corpus::{Corpus, SimilaritySearch, SubstructureSearch};
use synthon_fp::{CountFingerprint, Fingerprint, Fingerprinter, FpError, FpErrorKind, similarity};
use synthon_mol::Molecule;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target};
use synthon_records::{
    Chunking, Notation, RawRecord, RecordError, RecordReport, process_in_order_with,
};

use crate::args::ScreenArgs;
use crate::commands::corpus::{corpus_in, fingerprint, refused};
use crate::commands::search_file::{smarts_query, smiles_query};
use crate::failure::Failure;
use crate::molecule_file::{on_threads, open, tell_dropped, tell_report, title};
use crate::one_line::one_line;
use crate::output::Output;
use crate::progress::Progress;
use crate::status;

/// Nodes for one molecule: of its fingerprint, or of matching it.
const NODES_EACH: u64 = 50_000_000;

pub(crate) fn run(args: &ScreenArgs, out: &mut Output) -> Result<u8, Failure> {
    if let Some(threshold) = args.threshold
        && !(0.0..=1.0).contains(&threshold)
    {
        return Err(Failure::input(format!(
            "--threshold is {threshold}; a number from 0 to 1 is wanted"
        )));
    }
    let corpus = corpus_in(&args.file)?;
    let page = on_threads(&args.flags, || match (&corpus, args.substructure) {
        (Some(corpus), false) => similar_in_corpus(args, corpus),
        (Some(corpus), true) => containing_in_corpus(args, corpus),
        (None, false) => similar_in_file(args),
        (None, true) => containing_in_file(args),
    })??;
    page.print(args, out)
}

/// One hit.
struct Hit {
    /// Place among the molecules that were read, from 0.
    index: u64,
    line: u64,
    smiles: String,
    name: String,
    /// How alike it is; none for substructures.
    score: Option<f64>,
}

/// What is printed.
struct Page {
    hits: Vec<Hit>,
    /// How many there are in all, where they were counted.
    total: Option<u64>,
    /// Molecules that were searched.
    targets: u64,
    /// Whether there are hits after the page.
    more: bool,
    status: Status,
    undecided: u64,
    /// Scheme and size, for similarity.
    fingerprint: Option<(String, usize)>,
    report: Option<RecordReport>,
    /// What was dropped on reading the query.
    warnings: Vec<String>,
}

impl Page {
    fn print(&self, args: &ScreenArgs, out: &mut Output) -> Result<u8, Failure> {
        if args.json {
            out.json(&self.json(args))?;
        } else {
            for hit in &self.hits {
                let score = hit.score.map_or(String::new(), |score| format!("{score:.4}\t"));
                let (smiles, name) = (one_line(&hit.smiles), one_line(&hit.name));
                out.line(&format!("{score}{}\t{smiles}\t{name}", hit.line))?;
            }
        }
        out.flush()?;
        if let Some(report) = &self.report {
            tell_report(&args.file, report);
        }
        self.tell(args);
        let is_bad = self.report.as_ref().is_some_and(|report| {
            report.broken_off.is_some() || (report.good == 0 && report.bad > 0)
        });
        Ok(if self.hits.is_empty() && self.status != Status::Completed {
            status::STOPPED
        } else if is_bad {
            status::BAD_INPUT
        } else if self.hits.is_empty() && args.exit_status {
            status::EMPTY
        } else {
            status::ANSWER
        })
    }

    /// What the list does not show, on standard error.
    fn tell(&self, args: &ScreenArgs) {
        let mut text = String::new();
        if self.status != Status::Completed {
            text = format!("The search was not finished ({}); ", self.status.as_str());
        }
        if self.undecided > 0 {
            text.push_str(&format!("{} molecules took too long to match; ", self.undecided));
        }
        match self.total {
            Some(total) => {
                text.push_str(&format!("{total} hits among {} molecules", self.targets));
            }
            None => text.push_str(&format!("{} molecules", self.targets)),
        }
        if self.more {
            let next = args.offset + self.hits.len();
            text.push_str(&format!("; --offset {next} shows the next"));
        }
        // A note that cannot be printed is nothing to report.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{text}\n").as_bytes());
    }

    fn json(&self, args: &ScreenArgs) -> Value {
        let hits: Vec<Value> = self
            .hits
            .iter()
            .map(|hit| {
                let mut object = Map::new();
                object.insert("target_index".into(), hit.index.into());
                if let Some(score) = hit.score {
                    object.insert("score".into(), score.into());
                }
                object.insert("line".into(), hit.line.into());
                object.insert("smiles".into(), hit.smiles.as_str().into());
                object.insert("name".into(), hit.name.as_str().into());
                Value::Object(object)
            })
            .collect();
        let next = self.more.then_some(args.offset + self.hits.len());
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("hits", hits.into());
        put("total_hits", self.total.into());
        put("total_targets", self.targets.into());
        put("next_offset", next.into());
        put("truncated", (self.more || args.offset > 0).into());
        put("status", self.status.as_str().into());
        match &self.fingerprint {
            Some((kind, size)) => {
                put("threshold", threshold(args).into());
                put("fingerprint", json!({ "kind": kind, "fp_size": size, "counts": args.counts }));
            }
            None => drop(put("undecided", self.undecided.into())),
        }
        let query = self.warnings.iter().map(|warning| format!("query: {warning}"));
        let records = self.report.iter().flat_map(|report| &report.warnings);
        put("warnings", query.chain(records.map(ToString::to_string)).collect());
        if let Some(report) = &self.report {
            let faults: Vec<Value> = report
                .faults
                .iter()
                .map(|fault| {
                    json!({ "line": fault.line(), "code": fault.code(), "error": fault.reason() })
                })
                .collect();
            put("bad_records", report.bad.into());
            put("faults", faults.into());
        }
        Value::Object(object)
    }
}

/// The best so many have no threshold.
fn threshold(args: &ScreenArgs) -> f64 {
    args.threshold.unwrap_or(if args.top.is_some() { 0.0 } else { 0.7 })
}

fn limit(args: &ScreenArgs) -> usize {
    args.top.unwrap_or(args.max_hits)
}

fn budget(args: &ScreenArgs) -> Budget {
    match args.timeout {
        Some(seconds) => Budget::unlimited().with_time_limit(Duration::from_secs(seconds)),
        None => Budget::unlimited(),
    }
}

/// The molecule of the query.
fn query_molecule(args: &ScreenArgs) -> Result<Molecule, Failure> {
    let text = args.query.trim();
    let molecule = synthon_tools::read_molecule("query", text, usize::MAX)
        .map_err(|error| Failure::tool(&error, Some(text)))?;
    tell_dropped("query", &molecule);
    Ok(molecule)
}

fn no_fingerprint(error: &FpError) -> Failure {
    Failure::input(error.to_string())
}

fn similar_in_corpus(args: &ScreenArgs, corpus: &Corpus) -> Result<Page, Failure> {
    let info = corpus.info();
    let given = &args.fingerprint;
    if args.counts {
        return Err(Failure::input(format!(
            "--counts: {} holds bits, no counts",
            title(&args.file)
        )));
    }
    let any = given.kind.is_some() || given.radius.is_some() || given.path_length.is_some();
    let (scheme, size) = fingerprint(given)?;
    if any && scheme != info.scheme || given.fp_size.is_some() && size != info.size {
        return Err(Failure::input(format!(
            "{} has fingerprints {} of {} bits; leave the flags out, or build it anew",
            title(&args.file),
            info.scheme,
            info.size
        )));
    }
    let molecule = query_molecule(args)?;
    let mut printer =
        Fingerprinter::new(info.scheme, info.size).map_err(|error| no_fingerprint(&error))?;
    let query = printer.bits(&molecule).map_err(|error| no_fingerprint(&error))?;
    let search = SimilaritySearch {
        threshold: threshold(args),
        offset: args.offset,
        limit: limit(args),
        count: args.top.is_none(),
        ..SimilaritySearch::default()
    };
    let found = corpus
        .similar(&query, &search, &mut budget(args))
        .map_err(|error| refused(&args.file, &error))?;
    let mut hits = Vec::with_capacity(found.hits.len());
    for hit in &found.hits {
        hits.push(entry(args, corpus, hit.index, Some(hit.score))?);
    }
    let shown = (args.offset + hits.len()) as u64;
    Ok(Page {
        more: found.total.is_some_and(|total| total > shown),
        total: found.total,
        targets: info.molecules,
        status: found.status,
        undecided: 0,
        fingerprint: Some((info.scheme.to_string(), info.size)),
        report: None,
        warnings: molecule.warnings().to_vec(),
        hits,
    })
}

fn entry(
    args: &ScreenArgs,
    corpus: &Corpus,
    index: u64,
    score: Option<f64>,
) -> Result<Hit, Failure> {
    let entry = corpus.entry(index).map_err(|error| refused(&args.file, &error))?;
    let entry = entry.expect("a hit is a molecule of the corpus");
    let (smiles, name) = (entry.smiles.to_owned(), entry.name.to_owned());
    Ok(Hit { index, line: entry.line, smiles, name, score })
}

/// The pattern of a substructure query, and how it lies on a molecule.
fn query_pattern(args: &ScreenArgs) -> Result<(Pattern, MatchOptions), Failure> {
    if args.query_format == "smiles" {
        let chemistry = ChemistryOptions {
            match_stereo: args.match_stereo,
            ring_matches_ring_only: args.ring_matches_ring_only,
            complete_rings_only: args.complete_rings_only,
            ..ChemistryOptions::default()
        };
        let pattern = smiles_query("query", &args.query, &chemistry)?;
        return Ok((pattern, chemistry.match_options(args.induced)));
    }
    let options =
        MatchOptions { induced: args.induced, complete_rings_only: args.complete_rings_only };
    Ok((smarts_query("query", &args.query)?, options))
}

fn containing_in_corpus(args: &ScreenArgs, corpus: &Corpus) -> Result<Page, Failure> {
    let (pattern, options) = query_pattern(args)?;
    let search = SubstructureSearch {
        options,
        offset: args.offset as u64,
        limit: limit(args),
        count: args.top.is_none(),
        ..SubstructureSearch::default()
    };
    let found = corpus
        .containing(&pattern, &search, &mut budget(args))
        .map_err(|error| refused(&args.file, &error))?;
    let mut hits = Vec::with_capacity(found.hits.len());
    for &index in &found.hits {
        hits.push(entry(args, corpus, index, None)?);
    }
    let shown = (args.offset + hits.len()) as u64;
    Ok(Page {
        more: found.total.is_some_and(|total| total > shown),
        total: found.total,
        targets: corpus.len(),
        status: found.status,
        undecided: found.undecided.len() as u64,
        fingerprint: None,
        report: None,
        warnings: Vec::new(),
        hits,
    })
}

/// What became of a record of a file.
enum Verdict {
    Fault(RecordError),
    Miss,
    Undecided,
    Hit(Hit),
}

/// Reads a file, asks `judge` about each molecule, and keeps a page of the hits: the best ones
/// where they have scores, the first ones else.
fn file_page<S>(
    args: &ScreenArgs,
    scratch: impl Fn() -> S + Sync,
    judge: impl Fn(&mut S, &Molecule, u64, &mut Budget) -> Result<Option<Option<f64>>, RecordError>
    + Sync,
) -> Result<Page, Failure> {
    let records = open(&args.file, &args.flags)?;
    let progress = Progress::of_file(&args.file, records.bytes_read());
    let mut whole = budget(args);
    let each = whole.child();
    let no_time = whole.check().err().map(Status::from);
    let work = |scratch: &mut S, raw: RawRecord| {
        let record = raw.read();
        let molecule = match record.molecule {
            Ok(molecule) => molecule,
            Err(error) => return (record.line, Vec::new(), Verdict::Fault(error)),
        };
        let warnings = molecule.warnings().to_vec();
        let mut own = each.child().with_node_limit(NODES_EACH);
        let verdict = match judge(scratch, &molecule, record.line, &mut own) {
            Err(error) => Verdict::Fault(error),
            Ok(None) if own.status() != Status::Completed => Verdict::Undecided,
            Ok(None) => Verdict::Miss,
            Ok(Some(score)) => {
                let is_smiles = record.notation == Notation::Smiles;
                let smiles = if is_smiles { record.text } else { molecule.to_smiles() };
                Verdict::Hit(Hit { index: 0, line: record.line, smiles, name: record.name, score })
            }
        };
        (record.line, warnings, verdict)
    };
    let mut report = RecordReport::default();
    let mut kept: BinaryHeap<Kept> = BinaryHeap::new();
    let most = args.offset.saturating_add(limit(args));
    let (mut total, mut undecided) = (0u64, 0u64);
    let records = records.take_while(|_| no_time.is_none());
    let stopped = process_in_order_with(records, Chunking::default(), scratch, work, |judged| {
        let (line, warnings, verdict) = judged;
        let index = report.good;
        match verdict {
            Verdict::Fault(error) => report.take_fault(error),
            Verdict::Miss => report.take_good(line, &warnings),
            Verdict::Undecided => {
                // It was not the molecule's fault where all time is over.
                if let Err(stop) = whole.check() {
                    return ControlFlow::Break(Status::from(stop));
                }
                report.take_good(line, &warnings);
                undecided += 1;
            }
            Verdict::Hit(hit) => {
                report.take_good(line, &warnings);
                total += 1;
                kept.push(Kept(Hit { index, ..hit }));
                if kept.len() > most {
                    kept.pop();
                }
            }
        }
        if (report.good + report.bad).is_multiple_of(256) {
            progress.show(&report);
            if let Err(stop) = whole.check() {
                return ControlFlow::Break(Status::from(stop));
            }
        }
        ControlFlow::Continue(())
    });
    drop(progress);
    let status = match no_time.or(stopped) {
        Some(status) => status,
        None if undecided > 0 => Status::LimitReached,
        None => Status::Completed,
    };
    let sorted = kept.into_sorted_vec();
    let hits: Vec<Hit> = sorted.into_iter().skip(args.offset).map(|kept| kept.0).collect();
    Ok(Page {
        more: total > (args.offset + hits.len()) as u64,
        total: (status == Status::Completed).then_some(total),
        targets: report.good,
        hits,
        status,
        undecided,
        fingerprint: None,
        report: Some(report),
        warnings: Vec::new(),
    })
}

/// A hit that may be on the page; the last one is the greatest.
struct Kept(Hit);

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        let score = |kept: &Kept| kept.0.score.unwrap_or_default();
        score(other).total_cmp(&score(self)).then(self.0.index.cmp(&other.0.index))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Kept {}

/// A fingerprint of either sort.
enum Print {
    Bits(Fingerprint),
    Counts(CountFingerprint),
}

fn print_of(
    printer: &mut Fingerprinter,
    molecule: &Molecule,
    counts: bool,
    budget: &mut Budget,
) -> Result<Print, FpError> {
    Ok(if counts {
        Print::Counts(printer.counts_within(molecule, budget)?)
    } else {
        Print::Bits(printer.bits_within(molecule, budget)?)
    })
}

fn tanimoto(a: &Print, b: &Print) -> f64 {
    match (a, b) {
        (Print::Bits(a), Print::Bits(b)) => similarity::tanimoto(a, b),
        (Print::Counts(a), Print::Counts(b)) => similarity::tanimoto(a, b),
        _ => 0.0,
    }
}

fn similar_in_file(args: &ScreenArgs) -> Result<Page, Failure> {
    let (scheme, size) = fingerprint(&args.fingerprint)?;
    let mut printer = Fingerprinter::new(scheme, size).map_err(|error| no_fingerprint(&error))?;
    let molecule = query_molecule(args)?;
    let query = print_of(&mut printer, &molecule, args.counts, &mut Budget::unlimited())
        .map_err(|error| no_fingerprint(&error))?;
    let threshold = threshold(args);
    let mut page = file_page(
        args,
        || printer.clone(),
        |printer, molecule, line, budget| {
            let print = match print_of(printer, molecule, args.counts, budget) {
                Ok(print) => print,
                // What stopped it stands in the budget.
                Err(error) if matches!(error.kind(), FpErrorKind::Stopped(_)) => return Ok(None),
                Err(error) => {
                    return Err(RecordError::unfit(line, error.code(), error.to_string()));
                }
            };
            let score = tanimoto(&query, &print);
            Ok((score >= threshold).then_some(Some(score)))
        },
    )?;
    page.fingerprint = Some((scheme.to_string(), size));
    page.warnings = molecule.warnings().to_vec();
    Ok(page)
}

fn containing_in_file(args: &ScreenArgs) -> Result<Page, Failure> {
    let (pattern, options) = query_pattern(args)?;
    pattern.prepare();
    file_page(args, Matcher::new, |matcher, molecule, _, budget| {
        let target = Target::new(molecule);
        let found = matcher.matches_within(&pattern, &target, &options, budget);
        // What stopped the search stands in the budget.
        Ok(found.unwrap_or(false).then_some(None))
    })
}
