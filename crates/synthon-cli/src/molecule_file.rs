//! Files of molecules, or standard input, as the argument of a command.

use std::io::{self, Write};
use std::path::Path;

use synthon_records::{Format, RecordOptions, RecordReader, RecordReport};

use crate::args::MoleculeFile;
use crate::failure::Failure;

/// Faults of a file that are shown.
const SHOWN: usize = 5;

/// Whether the argument names a file, or standard input, rather than being a molecule itself.
pub(crate) fn is_file(argument: &str) -> bool {
    // No SMILES ends like the name of a file; one that is not there is told when it is opened.
    argument == "-" || Path::new(argument).is_file() || Format::from_name(argument).is_some()
}

/// Opens a file of molecules, or standard input for `-`.
pub(crate) fn open(argument: &str, flags: &MoleculeFile) -> Result<RecordReader, Failure> {
    let mut options = RecordOptions::default();
    options.column = flags.column.clone();
    options.name_column = flags.name_column.clone();
    let opened = match argument {
        "-" => RecordReader::new(io::stdin(), &options),
        path => RecordReader::open(Path::new(path), &options),
    };
    opened.map_err(|error| Failure::input(format!("{}: {error}", title(argument))))
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
    // That a warning cannot be printed is nothing to report.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn title(argument: &str) -> &str {
    if argument == "-" { "standard input" } else { argument }
}
