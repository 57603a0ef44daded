//! Files of molecules, or standard input, as the argument of a command.

use std::ffi::OsStr;
use std::io::{self, Cursor, Write};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value, json};
use synthon_mol::{Molecule, ReadOptions};
use synthon_records::{
    Chunking, Format, RawRecord, RecordError, RecordOptions, RecordReader, RecordReport,
    process_in_order_with,
};

use crate::args::MoleculeFile;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::output::Output;
use crate::status;

/// Faults and warnings of a file that are shown; all are counted.
const SHOWN: usize = 20;

/// Most atoms of a molecule; the tools' smaller caps are for assistants.
const MAX_ATOMS: usize = 100_000;

/// Whether the argument names a file, a pipe or standard input, rather than being a molecule
/// itself; all commands ask here.
pub(crate) fn is_file(argument: &OsStr) -> bool {
    // No SMILES ends like the name of a file; one that is not there is told when it is opened.
    argument == "-"
        || Format::from_name(Path::new(argument)).is_some()
        // A file whose name is a SMILES is written `./CO`.
        || (Path::new(argument).exists()
            && argument.to_str().is_none_or(|text| Molecule::from_smiles(text).is_err()))
}

/// The text of an argument that is no file.
pub(crate) fn text_of(argument: &OsStr) -> Result<&str, Failure> {
    argument.to_str().ok_or_else(|| {
        Failure::input(format!(
            "{}: neither a file that is there nor text in UTF-8",
            one_line(&argument.to_string_lossy())
        ))
    })
}

/// Opens a file of molecules, or standard input for `-`.
pub(crate) fn open(argument: &OsStr, flags: &MoleculeFile) -> Result<RecordReader, Failure> {
    let options = options(flags);
    let opened = if argument == "-" {
        RecordReader::new(io::stdin(), &options)
    } else {
        RecordReader::open(Path::new(argument), &options)
    };
    opened.map_err(|error| Failure::input(format!("{}: {error}", title(argument))))
}

/// Opens a file of molecules, standard input for `-`, or a molecule that is the argument itself.
pub(crate) fn open_or_text(
    argument: &OsStr,
    flags: &MoleculeFile,
) -> Result<RecordReader, Failure> {
    if is_file(argument) {
        return open(argument, flags);
    }
    let text = text_of(argument)?.to_owned();
    let mut options = options(flags);
    options.format = Some(Format::Smiles);
    RecordReader::new(Cursor::new(text), &options)
        .map_err(|error| Failure::input(error.to_string()))
}

fn options(flags: &MoleculeFile) -> RecordOptions {
    let mut options = RecordOptions::default();
    options.format = flags.from.as_deref().map(|name| match name {
        "csv" => Format::Csv,
        "tsv" => Format::Tsv,
        "mol" | "sdf" => Format::Sdf,
        "parquet" => Format::Parquet,
        _ => Format::Smiles,
    });
    options.column = flags.column.clone();
    options.name_column = flags.name_column.clone();
    options
}

/// Runs `work` on as many threads as the flags ask for.
pub(crate) fn on_threads<T: Send>(
    flags: &MoleculeFile,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(flags.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::input(format!("--jobs: {error}")))?;
    Ok(pool.install(work))
}

/// Does `work` on each record, on as many threads as the flags ask for, and hands what comes of it
/// to `take`, in the order of the file, until that fails. `scratch` makes working memory.
pub(crate) fn in_order<S, T: Send>(
    records: RecordReader,
    flags: &MoleculeFile,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, RawRecord) -> T + Sync + Send,
    mut take: impl FnMut(T) -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    let failed = on_threads(flags, || {
        process_in_order_with(records, Chunking::default(), scratch, work, |done| {
            match take(done) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        })
    })?;
    failed.map_or(Ok(()), Err)
}

/// Where a molecule stands in a file, and what was dropped when it was read.
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) name: String,
    pub(crate) warnings: Vec<String>,
}

/// Does `work` on each molecule of a file, on as many threads as the flags ask for, and hands
/// what comes of it to `write`, in the order of the file. Bad records are counted and told of;
/// with `json` each gives an object in its place.
pub(crate) fn each_molecule<S, T: Send>(
    argument: &OsStr,
    flags: &MoleculeFile,
    json: bool,
    out: &mut Output,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, u64, &Molecule) -> Result<T, RecordError> + Sync + Send,
    mut write: impl FnMut(&Place, T, &mut Output) -> Result<(), Failure> + Send,
) -> Result<u8, Failure> {
    let records = open(argument, flags)?;
    let options = ReadOptions { max_atoms: MAX_ATOMS, ..ReadOptions::default() };
    let mut report = RecordReport::default();
    let work = |scratch: &mut S, raw: RawRecord| {
        let record = raw.read_with(&options);
        let mut place = Place { line: record.line, name: record.name, warnings: Vec::new() };
        let done = record.molecule.and_then(|molecule| {
            place.warnings = molecule.warnings().to_vec();
            work(scratch, record.line, &molecule)
        });
        (place, done)
    };
    let mut take = |(place, done): (Place, Result<T, RecordError>)| match done {
        Ok(value) => {
            report.take_good(place.line, &place.warnings);
            write(&place, value, out)
        }
        Err(error) => {
            let told = json!({"line": place.line, "name": place.name,
                              "error": error.reason(), "code": error.code()});
            report.take_fault(error);
            if json { out.line(&told.to_string()) } else { Ok(()) }
        }
    };
    in_order(records, flags, scratch, work, &mut take)?;
    out.flush()?;
    Ok(told(argument, &report))
}

/// Tells the faults and warnings of a file. The status is that of bad input where the file broke
/// off or gave nothing but faults.
fn told(argument: &OsStr, report: &RecordReport) -> u8 {
    tell_report(argument, report);
    let nothing = report.good == 0 && report.bad > 0;
    if nothing || report.broken_off.is_some() { status::BAD_INPUT } else { status::ANSWER }
}

/// What could not be read, and what was dropped on reading, on standard error: the counts and the
/// first of each.
pub(crate) fn tell_report(argument: &OsStr, report: &RecordReport) {
    let mut text = String::new();
    if report.bad > 0 {
        text = format!(
            "warning: {}: {} of {} records gave no molecule\n",
            title(argument),
            report.bad,
            report.good + report.bad
        );
        for fault in report.faults.iter().take(SHOWN) {
            text.push_str(&format!("  {}\n", one_line(&fault.to_string())));
        }
        if report.bad > SHOWN as u64 {
            text.push_str(&format!("  and {} more\n", report.bad - SHOWN as u64));
        }
    }
    for warning in report.warnings.iter().take(SHOWN) {
        // A molecule that is the argument itself has no lines.
        let place =
            if is_file(argument) { format!("line {}: ", warning.line) } else { String::new() };
        text.push_str(&format!("warning: {place}{}\n", one_line(&warning.message)));
    }
    if report.dropped > SHOWN as u64 {
        text.push_str(&format!("warning: {} more like these\n", report.dropped - SHOWN as u64));
    }
    tell(&text);
}

/// What was dropped on reading the molecules of a tool's arguments, on standard error.
pub(crate) fn tell_warnings(result: &Map<String, Value>) {
    let warnings = result.get("warnings").and_then(Value::as_array).into_iter().flatten();
    let lines = warnings.filter_map(Value::as_str).map(|w| format!("warning: {}\n", one_line(w)));
    tell(&lines.collect::<String>());
}

/// The same of one molecule that was read here as `argument`.
pub(crate) fn tell_dropped(argument: &str, molecule: &Molecule) {
    let lines = molecule.warnings().iter();
    tell(&lines.map(|w| format!("warning: {argument}: {}\n", one_line(w))).collect::<String>());
}

/// What was made of a record.
pub(crate) struct Made {
    pub(crate) line: u64,
    pub(crate) text: String,
    /// What was dropped on the way.
    pub(crate) warnings: Vec<String>,
}

/// Makes text of each record and hands it on, in the order of the file, and tells faults and
/// warnings at the end. The exit status is that of [`each_molecule`]; a molecule that is the
/// argument itself is refused as such.
pub(crate) fn each_record(
    records: RecordReader,
    argument: &OsStr,
    flags: &MoleculeFile,
    work: impl Fn(RawRecord) -> Result<Made, RecordError> + Sync + Send,
    mut hand_on: impl FnMut(&str) -> Result<(), Failure> + Send,
) -> Result<u8, Failure> {
    let mut report = RecordReport::default();
    let take = |made: Result<Made, RecordError>| match made {
        Ok(made) => {
            report.take_good(made.line, &made.warnings);
            hand_on(&made.text)
        }
        Err(error) => {
            report.take_fault(error);
            Ok(())
        }
    };
    in_order(records, flags, || (), |(), raw| work(raw), take)?;
    if !is_file(argument) && report.good == 0 {
        let fault = report.faults.first().map(RecordError::reason);
        return Err(Failure::input(
            fault.unwrap_or_else(|| "the text is empty; write a molecule, such as CCO".to_owned()),
        ));
    }
    Ok(told(argument, &report))
}

/// One sentence on standard error.
pub(crate) fn warn(message: &str) {
    tell(&format!("warning: {message}\n"));
}

/// That it cannot be printed is nothing to report.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The name of a file for people.
pub(crate) fn title(argument: &OsStr) -> String {
    if argument == "-" {
        "standard input".to_owned()
    } else {
        one_line(&argument.to_string_lossy()).into_owned()
    }
}
