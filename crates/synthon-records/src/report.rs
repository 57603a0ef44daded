//! What became of the records of a file.

use crate::error::RecordError;

/// Counts of records, and the first faults.
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
}

impl RecordReport {
    /// Most faults that are kept; all are counted.
    pub const MAX_FAULTS: usize = 100;

    /// Counts a record that gave a molecule.
    pub fn take_good(&mut self) {
        self.good += 1;
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
