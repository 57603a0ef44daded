//! A fingerprint as a row of bits.

use crate::kernel;

/// A fixed number of bits, packed into 64-bit words: bit `i` is bit `i % 64` of word `i / 64`.
/// The bits past the end of the last word are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    size: usize,
    words: Box<[u64]>,
}

impl Fingerprint {
    /// Words that hold `size` bits.
    pub const fn words_for(size: usize) -> usize {
        size.div_ceil(64)
    }

    /// `size` bits, all zero.
    pub fn new(size: usize) -> Self {
        Fingerprint { size, words: vec![0; Self::words_for(size)].into() }
    }

    /// A fingerprint of `size` bits out of its words. `None` when their number is wrong or bits
    /// past the end are set.
    pub fn from_words(size: usize, words: Box<[u64]>) -> Option<Self> {
        let spare = words.len().checked_mul(64)?.checked_sub(size)?;
        if spare >= 64 {
            return None;
        }
        let clean = spare == 0 || words.last().is_none_or(|last| last >> (64 - spare) == 0);
        clean.then_some(Fingerprint { size, words })
    }

    /// A fingerprint of `size` bits with these set.
    ///
    /// # Panics
    /// When one is not below `size`.
    pub fn from_on_bits(size: usize, on: impl IntoIterator<Item = usize>) -> Self {
        let mut out = Fingerprint::new(size);
        for bit in on {
            out.set(bit);
        }
        out
    }

    /// Number of bits, set or not.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The packed words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Sets a bit.
    ///
    /// # Panics
    /// When it is not below [`size`](Self::size).
    pub fn set(&mut self, bit: usize) {
        assert!(bit < self.size, "bit {bit} of {}", self.size);
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a bit is set; bits past the end are not.
    pub fn get(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    /// How many bits are set.
    pub fn popcount(&self) -> u32 {
        kernel::popcount(&self.words)
    }

    /// The positions of the set bits, ascending.
    pub fn on_bits(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// Whether every bit of `self` is set in `other` too.
    pub fn is_subset_of(&self, other: &Fingerprint) -> bool {
        self.size == other.size && kernel::is_subset(&self.words, &other.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_words_agree() {
        let fingerprint = Fingerprint::from_on_bits(130, [0, 63, 64, 129]);
        assert_eq!(fingerprint.words(), [1 | 1 << 63, 1, 2]);
        assert_eq!(fingerprint.on_bits().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(fingerprint.popcount(), 4);
        assert!(fingerprint.get(129) && !fingerprint.get(128) && !fingerprint.get(5000));
        let again = Fingerprint::from_words(130, fingerprint.words().into());
        assert_eq!(again.as_ref(), Some(&fingerprint));
    }

    #[test]
    fn words_that_do_not_fit_are_refused() {
        assert_eq!(Fingerprint::from_words(130, Box::new([0, 0, 4])), None);
        assert_eq!(Fingerprint::from_words(130, Box::new([0, 0])), None);
        assert_eq!(Fingerprint::from_words(128, Box::new([0, 0, 0])), None);
        assert!(Fingerprint::from_words(128, Box::new([u64::MAX; 2])).is_some());
        assert!(Fingerprint::from_words(0, Box::new([])).is_some());
    }

    #[test]
    fn subsets() {
        let small = Fingerprint::from_on_bits(100, [3, 70]);
        let large = Fingerprint::from_on_bits(100, [3, 70, 99]);
        assert!(small.is_subset_of(&large) && !large.is_subset_of(&small));
        assert!(!small.is_subset_of(&Fingerprint::from_on_bits(101, [3, 70])));
    }
}
