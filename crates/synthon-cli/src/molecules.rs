//! Molecules out of files, standard input, or the command line itself, and what is wrong with
//! single ones.

use std::io::{self, Cursor, Write};
use std::path::Path;

use synthon_records::{Format, RecordOptions, RecordReader};

use crate::args::MoleculeSource;
use crate::failure::Failure;
use crate::status;

/// Faults and warnings that are shown; all are counted.
const SHOWN: usize = 20;

/// Opens what a command was given: a file, `-` for standard input, or one SMILES.
pub(crate) fn open(source: &MoleculeSource) -> Result<RecordReader, Failure> {
    let mut options = RecordOptions::default();
    options.format = source.from.as_deref().map(format_named).transpose()?;
    options.column.clone_from(&source.column);
    options.name_column.clone_from(&source.name_column);
    let input = source.input.as_str();
    let told = |error: &dyn std::fmt::Display| Failure::input(format!("{input}: {error}"));
    if input == "-" {
        return RecordReader::new(io::stdin(), &options).map_err(|e| told(&e));
    }
    let path = Path::new(input);
    if path.exists() {
        return RecordReader::open(path, &options).map_err(|e| told(&e));
    }
    if Format::from_name(path).is_some() {
        return Err(Failure::input(format!("{input}: there is no such file")));
    }
    options.format = Some(Format::Smiles);
    RecordReader::new(Cursor::new(input.to_owned()), &options).map_err(|e| told(&e))
}

/// Whether the command was given one molecule, not a file of them.
pub(crate) fn is_text(source: &MoleculeSource) -> bool {
    source.input != "-" && !Path::new(&source.input).exists()
}

fn format_named(name: &str) -> Result<Format, Failure> {
    Ok(match name {
        "smiles" => Format::Smiles,
        "csv" => Format::Csv,
        "tsv" => Format::Tsv,
        "mol" | "sdf" => Format::Sdf,
        "parquet" => Format::Parquet,
        _ => return Err(Failure::input(format!("--from: no format {name:?}"))),
    })
}

/// Counts records, and tells of bad ones on standard error.
#[derive(Default)]
pub(crate) struct Report {
    good: u64,
    bad: u64,
    warnings: u64,
}

impl Report {
    pub(crate) fn good(&mut self) {
        self.good += 1;
    }

    /// A record that gave nothing.
    pub(crate) fn bad(&mut self, line: u64, reason: &str) {
        self.bad += 1;
        if self.bad <= SHOWN as u64 {
            tell(&format!("line {line}: {reason}"));
        }
    }

    /// Something of a record that was left out.
    pub(crate) fn warn(&mut self, line: u64, warnings: &[String]) {
        for warning in warnings {
            self.warnings += 1;
            if self.warnings <= SHOWN as u64 {
                tell(&format!("warning: line {line}: {warning}"));
            }
        }
    }

    /// Tells the numbers, and gives the exit status: an error where no record was good.
    pub(crate) fn finish(&self) -> u8 {
        if self.warnings > SHOWN as u64 {
            tell(&format!("{} warnings, the first {SHOWN} of which are shown", self.warnings));
        }
        if self.bad > 0 {
            tell(&format!("{} of {} records gave no molecule", self.bad, self.good + self.bad));
        }
        if self.good == 0 && self.bad > 0 { status::BAD_INPUT } else { status::ANSWER }
    }
}

/// That it cannot be printed is nothing to report.
fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
