//! Files of molecules, or standard input, as the argument of a command.

use std::io::{self, Cursor, Write};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::json;
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
pub(crate) fn is_file(argument: &str) -> bool {
    // No SMILES ends like the name of a file; one that is not there is told when it is opened.
    argument == "-"
        || Format::from_name(argument).is_some()
        // A file whose name is a SMILES is written `./CO`.
        || (Path::new(argument).exists() && Molecule::from_smiles(argument).is_err())
}

/// Opens a file of molecules, or standard input for `-`.
pub(crate) fn open(argument: &str, flags: &MoleculeFile) -> Result<RecordReader, Failure> {
    let options = options(flags);
    let opened = match argument {
        "-" => RecordReader::new(io::stdin(), &options),
        path => RecordReader::open(Path::new(path), &options),
    };
    opened.map_err(|error| Failure::input(format!("{}: {error}", title(argument))))
}

/// Opens a file of molecules, standard input for `-`, or a molecule that is the argument itself.
pub(crate) fn open_or_text(argument: &str, flags: &MoleculeFile) -> Result<RecordReader, Failure> {
    if is_file(argument) {
        return open(argument, flags);
    }
    let mut options = options(flags);
    options.format = Some(Format::Smiles);
    RecordReader::new(Cursor::new(argument.to_owned()), &options)
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

/// Where a molecule stands in a file.
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) name: String,
}

/// Does `work` on each molecule of a file, on as many threads as the flags ask for, and hands
/// what comes of it to `write`, in the order of the file. Bad records are counted and told of;
/// with `json` each gives an object in its place.
pub(crate) fn each_molecule<S, T: Send>(
    argument: &str,
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
        let done = record.molecule.and_then(|molecule| work(scratch, record.line, &molecule));
        (Place { line: record.line, name: record.name }, done)
    };
    let mut take = |(place, done): (Place, Result<T, RecordError>)| match done {
        Ok(value) => {
            report.take_good();
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

/// Tells the faults of a file. The status is that of bad input where the file broke off or gave
/// nothing but faults.
fn told(argument: &str, report: &RecordReport) -> u8 {
    tell_faults(argument, report);
    let nothing = report.good == 0 && report.bad > 0;
    if nothing || report.broken_off.is_some() { status::BAD_INPUT } else { status::ANSWER }
}

/// What could not be read, on standard error: the count and the first faults.
pub(crate) fn tell_faults(argument: &str, report: &RecordReport) {
    if report.bad == 0 {
        return;
    }
    let mut text = format!(
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
    tell(&text);
}

/// Makes something of each record and hands it on, in the order of the file, and tells the faults
/// at the end. The exit status is that of [`each_molecule`]; a molecule that is the argument
/// itself is refused as such.
pub(crate) fn each_record<T: Send>(
    records: RecordReader,
    argument: &str,
    flags: &MoleculeFile,
    work: impl Fn(RawRecord) -> Result<T, RecordError> + Sync + Send,
    mut hand_on: impl FnMut(T) -> Result<(), Failure> + Send,
) -> Result<u8, Failure> {
    let mut report = RecordReport::default();
    let take = |made: Result<T, RecordError>| match made {
        Ok(made) => {
            report.take_good();
            hand_on(made)
        }
        Err(error) => {
            report.take_fault(error);
            Ok(())
        }
    };
    in_order(records, flags, || (), |(), raw| work(raw), take)?;
    if !is_file(argument) && report.good == 0 {
        let fault = report.faults.first().map(RecordError::reason);
        return Err(Failure::input(fault.unwrap_or_else(|| "there is no molecule".to_owned())));
    }
    Ok(told(argument, &report))
}

/// What was left out of molecules: tells the first of it, and counts.
#[derive(Default)]
pub(crate) struct Warnings(usize);

impl Warnings {
    pub(crate) fn take(&mut self, line: u64, warnings: &[String]) {
        for warning in warnings {
            self.0 += 1;
            if self.0 <= SHOWN {
                tell(&format!("warning: line {line}: {warning}\n"));
            }
        }
    }

    pub(crate) fn finish(&self) {
        if self.0 > SHOWN {
            tell(&format!("warning: {} more like these\n", self.0 - SHOWN));
        }
    }
}

/// That it cannot be printed is nothing to report.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn title(argument: &str) -> &str {
    if argument == "-" { "standard input" } else { argument }
}
