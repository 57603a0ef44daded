//! Files of molecules, or standard input, as the argument of a command.

use std::io::{self, Cursor, Write};
use std::ops::ControlFlow;
use std::path::Path;

use synthon_records::{
    Chunking, Format, RawRecord, RecordError, RecordOptions, RecordReader, RecordReport,
    process_in_order,
};

use crate::args::MoleculeFile;
use crate::failure::Failure;
use crate::status;

/// Faults and warnings of a file that are shown; all are counted.
const SHOWN: usize = 20;

/// Whether the argument names a file, or standard input, rather than being a molecule itself.
pub(crate) fn is_file(argument: &str) -> bool {
    // No SMILES ends like the name of a file; one that is not there is told when it is opened.
    argument == "-" || Path::new(argument).is_file() || Format::from_name(argument).is_some()
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
    if !is_text(argument) {
        return open(argument, flags);
    }
    let mut options = options(flags);
    options.format = Some(Format::Smiles);
    RecordReader::new(Cursor::new(argument.to_owned()), &options)
        .map_err(|error| Failure::input(error.to_string()))
}

/// Whether the argument is one molecule, not a file of them.
pub(crate) fn is_text(argument: &str) -> bool {
    !is_file(argument) && !Path::new(argument).exists()
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
        text.push_str(&format!("  {fault}\n"));
    }
    if report.bad > SHOWN as u64 {
        text.push_str(&format!("  and {} more\n", report.bad - SHOWN as u64));
    }
    tell(&text);
}

/// Makes something of each record and hands it on, in the order of the file, and tells the faults
/// at the end. The exit status is that of bad input where the file broke off or gave nothing but
/// faults.
pub(crate) fn each_molecule<T: Send>(
    records: RecordReader,
    argument: &str,
    flags: &MoleculeFile,
    work: impl Fn(RawRecord) -> Result<T, RecordError> + Sync + Send,
    mut hand_on: impl FnMut(T) -> Result<(), Failure> + Send,
) -> Result<u8, Failure> {
    let mut report = RecordReport::default();
    let take = |made: Result<T, RecordError>| {
        match made {
            Ok(made) => {
                report.take_good();
                if let Err(failure) = hand_on(made) {
                    return ControlFlow::Break(failure);
                }
            }
            Err(error) => report.take_fault(error),
        }
        ControlFlow::Continue(())
    };
    let failure = on_threads(flags, || process_in_order(records, Chunking::default(), work, take))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if is_text(argument) && report.good == 0 {
        let fault = report.faults.first().map(RecordError::reason);
        return Err(Failure::input(fault.unwrap_or_else(|| "there is no molecule".to_owned())));
    }
    tell_faults(argument, &report);
    let nothing = report.good == 0 && report.bad > 0;
    let is_bad = nothing || report.broken_off.is_some();
    Ok(if is_bad { status::BAD_INPUT } else { status::ANSWER })
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
