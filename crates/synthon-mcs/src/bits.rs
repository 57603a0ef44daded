//! Fixed-width sets of atom or bond indices.

/// A set of the numbers below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Self = Bits([0; W]);

    /// The numbers `0..n`.
    pub(crate) fn first(n: usize) -> Self {
        let mut bits = Self::EMPTY;
        for i in 0..n {
            bits.insert(i);
        }
        bits
    }

    #[inline(always)]
    pub(crate) fn single(i: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(i);
        bits
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    #[inline(always)]
    pub(crate) fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    pub(crate) fn and(&self, other: &Self) -> Self {
        Bits(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }

    #[inline(always)]
    pub(crate) fn or(&self, other: &Self) -> Self {
        Bits(std::array::from_fn(|w| self.0[w] | other.0[w]))
    }

    #[inline(always)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Bits(std::array::from_fn(|w| self.0[w] & !other.0[w]))
    }

    #[inline(always)]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..W).fold(0, |all, w| all | (self.0[w] & other.0[w])) != 0
    }

    /// Size of the intersection.
    #[inline(always)]
    pub(crate) fn common(&self, other: &Self) -> usize {
        (0..W).map(|w| (self.0[w] & other.0[w]).count_ones() as usize).sum()
    }

    /// The smallest member.
    #[inline(always)]
    pub(crate) fn lowest(&self) -> Option<usize> {
        (0..W).find(|&w| self.0[w] != 0).map(|w| w * 64 + self.0[w].trailing_zeros() as usize)
    }

    /// Removes and returns the smallest member.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        let lowest = self.lowest()?;
        self.0[lowest / 64] &= self.0[lowest / 64] - 1;
        Some(lowest)
    }

    /// The members in ascending order.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || rest.pop())
    }
}
