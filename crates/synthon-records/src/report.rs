//! What became of the records of a file.

use std::fmt;

use crate::error::RecordError;

/// What was dropped on reading a record, which gave a molecule nonetheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordWarning {
    /// Line of the file in which the record begins, from 1; in Parquet the row.
    pub line: u64,
    /// What was dropped, and why.
    pub message: String,
}

impl fmt::Display for RecordWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Counts of records, the first faults and the first warnings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordReport {
    /// Records that gave a molecule.
    pub good: u64,
    /// Records that did not.
    pub bad: u64,
    /// The first of the faults.
    pub faults: Vec<RecordError>,
    /// Why the file could not be read to its end, if so. The fault counts as a bad record too.
    pub broken_off: Option<RecordError>,
    /// How often something was dropped from a molecule on reading.
    pub dropped: u64,
    /// The first of what was dropped.
    pub warnings: Vec<RecordWarning>,
}

impl RecordReport {
    /// Most faults that are kept, and most warnings; all are counted.
    pub const MAX_FAULTS: usize = 100;

    /// Counts a record that gave a molecule, and what was dropped from it on reading: the
    /// [`warnings`](synthon_mol::Molecule::warnings) of the molecule.
    pub fn take_good(&mut self, line: u64, warnings: &[String]) {
        self.good += 1;
        self.dropped += warnings.len() as u64;
        let room = Self::MAX_FAULTS.saturating_sub(self.warnings.len());
        self.warnings
            .extend(warnings.iter().take(room).map(|w| RecordWarning { line, message: w.clone() }));
    }

    /// Counts a record that did not.
    pub fn take_fault(&mut self, error: RecordError) {
        self.bad += 1;
        if error.ends_input() {
            self.broken_off = Some(error.clone());
        }
        if self.faults.len() < Self::MAX_FAULTS {
            self.faults.push(error);
        }
    }
}
