//! A fingerprint that tells how often.

use crate::Fingerprint;

/// How often each position was hit: sorted by position, counts above zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CountFingerprint {
    size: Option<usize>,
    entries: Box<[(u64, u32)]>,
}

impl CountFingerprint {
    pub(crate) fn from_entries(size: Option<usize>, entries: Box<[(u64, u32)]>) -> Self {
        CountFingerprint { size, entries }
    }

    /// Counts the hits of a list of positions, repeats and all; `size` is the number of
    /// positions when they were folded. The list is sorted in place.
    pub fn from_hits(size: Option<usize>, hits: &mut [u64]) -> Self {
        hits.sort_unstable();
        let entries = hits.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        CountFingerprint { size, entries }
    }

    /// Number of positions; `None` when they are whole hashes, not folded to any size.
    pub fn size(&self) -> Option<usize> {
        self.size
    }

    /// Position and count, ascending.
    pub fn entries(&self) -> &[(u64, u32)] {
        &self.entries
    }

    /// The count at a position, 0 where nothing hit.
    pub fn get(&self, position: u64) -> u32 {
        self.entries
            .binary_search_by_key(&position, |entry| entry.0)
            .map_or(0, |index| self.entries[index].1)
    }

    /// Sum of all counts.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.1)).sum()
    }

    /// The positions that were hit, as bits; `None` when they are not folded.
    pub fn to_bits(&self) -> Option<Fingerprint> {
        let positions = self.entries.iter().map(|entry| entry.0 as usize);
        Some(Fingerprint::from_on_bits(self.size?, positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted() {
        let counts = CountFingerprint::from_hits(Some(16), &mut [7, 3, 7, 7]);
        assert_eq!(counts.entries(), [(3, 1), (7, 3)]);
        assert_eq!((counts.get(7), counts.get(4), counts.total()), (3, 0, 4));
        let bits = counts.to_bits().expect("folded");
        assert_eq!(bits.on_bits().collect::<Vec<_>>(), [3, 7]);
        assert_eq!(CountFingerprint::from_hits(None, &mut [u64::MAX]).to_bits(), None);
    }
}
