//! Where the codes of a molecule's parts go: into bits or into counts.

use std::collections::BTreeMap;

/// Takes the codes of the parts of a molecule, one by one.
pub(crate) trait Sink {
    fn take(&mut self, code: u64);
}

/// Folds codes to positions below a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold {
    size: u64,
    /// `size - 1` where that does the same as the remainder.
    mask: Option<u64>,
}

impl Fold {
    pub(crate) fn new(size: usize) -> Self {
        let size = size as u64;
        Fold { size, mask: size.is_power_of_two().then(|| size - 1) }
    }

    #[inline]
    fn position(self, code: u64) -> u64 {
        match self.mask {
            Some(mask) => code & mask,
            None => code % self.size,
        }
    }
}

/// Sets bits.
pub(crate) struct Bits<'a> {
    pub(crate) fold: Fold,
    pub(crate) words: &'a mut [u64],
}

impl Sink for Bits<'_> {
    #[inline]
    fn take(&mut self, code: u64) {
        let position = self.fold.position(code);
        self.words[(position / 64) as usize] |= 1 << (position % 64);
    }
}

/// The largest size whose counts are kept in a plain array.
const DENSE: usize = 1 << 16;

/// Counts, in memory that is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter {
    fold: Option<Fold>,
    dense: Vec<u32>,
    sparse: BTreeMap<u64, u32>,
}

impl Counter {
    /// Starts anew, for codes folded to a size or, without one, as they are.
    pub(crate) fn start(&mut self, size: Option<usize>) {
        self.fold = size.map(Fold::new);
        self.dense.clear();
        self.sparse.clear();
        if let Some(size) = size.filter(|&size| size <= DENSE) {
            self.dense.resize(size, 0);
        }
    }

    /// Position and count, ascending.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let dense = self.dense.iter().enumerate();
        let dense = dense.filter(|entry| *entry.1 > 0).map(|(index, &count)| (index as u64, count));
        dense.chain(self.sparse.iter().map(|(&position, &count)| (position, count)))
    }
}

impl Sink for Counter {
    #[inline]
    fn take(&mut self, code: u64) {
        let position = self.fold.map_or(code, |fold| fold.position(code));
        let count = match self.dense.get_mut(position as usize) {
            Some(count) => count,
            None => self.sparse.entry(position).or_default(),
        };
        *count = count.saturating_add(1);
    }
}
