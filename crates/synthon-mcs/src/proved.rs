//! What is left to do after different beginnings is often the same: a ring laid on a ring in
//! twelve ways leaves the same atoms open. Searches that fall into pieces remember, for what was
//! left, the most that was proved to come of it.

use crate::bits::Bits;

/// Slots of the table, a power of two: 8 MB.
const SLOTS: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 18 };

/// Nodes after which a search begins to remember. Most searches are over by then; debug builds
/// remember from the start, so that the small pairs of tests get there.
const FIRST_NODES: u64 = if cfg!(debug_assertions) { 0 } else { 2_000 };

/// A fingerprint of what is left to do, word by word.
#[derive(Clone, Copy)]
pub(crate) struct Digest(u64, u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Digest(0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03)
    }

    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.0 ^= self.0 >> 32;
        self.1 = (self.1.rotate_left(23) ^ word).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        self.1 ^= self.1 >> 29;
    }

    #[inline(always)]
    pub(crate) fn bits<const W: usize>(&mut self, bits: &Bits<W>) {
        for word in bits.0 {
            self.word(word);
        }
    }

    fn finish(self) -> (u64, u64) {
        let mut end = self;
        end.word(self.1);
        end.word(self.0);
        (end.0, end.1)
    }
}

/// Sizes in the order of the objective; the second may be negative in a difference.
pub(crate) type Sizes = (i64, i64);

/// A state that is being worked on: what is left, and the sizes it began with.
struct Open {
    key: (u64, u64),
    from: Sizes,
}

/// The most that can still come of states that were worked through.
pub(crate) struct Proved {
    /// Fingerprint and the most that was proved to be added.
    slots: Vec<((u64, u64), Sizes)>,
    open: Vec<Open>,
    enabled: bool,
}

impl Proved {
    /// A memory that stays empty unless `enabled`: where rules look back at how a state came
    /// about, equal remainders are not equal.
    pub(crate) fn new(enabled: bool) -> Self {
        Proved { slots: Vec::new(), open: Vec::new(), enabled }
    }

    /// Whether a search that is at this node remembers.
    #[inline(always)]
    pub(crate) fn is_on(&self, nodes: u64) -> bool {
        self.enabled && nodes > FIRST_NODES
    }

    /// The number of states being worked on.
    #[inline(always)]
    pub(crate) fn mark(&self) -> usize {
        self.open.len()
    }

    /// Whether it is proved that a state reached with the sizes `from` cannot beat `best`. If it
    /// is not, the state counts as being worked on until [`close`](Self::close).
    pub(crate) fn is_hopeless(&mut self, state: Digest, from: Sizes, best: Sizes) -> bool {
        if self.slots.is_empty() {
            self.slots = vec![((0, 0), (i64::MAX, 0)); SLOTS];
        }
        let key = state.finish();
        let (known, most) = self.slots[key.0 as usize % SLOTS];
        if known == key && (from.0 + most.0, from.1 + most.1) <= best {
            return true;
        }
        self.open.push(Open { key, from });
        false
    }

    /// Remembers that no state opened since `mark` can lead to more than `best`.
    #[inline(always)]
    pub(crate) fn close(&mut self, mark: usize, best: Sizes) {
        while self.open.len() > mark {
            let Some(state) = self.open.pop() else { return };
            let most = (best.0 - state.from.0, best.1 - state.from.1);
            self.slots[state.key.0 as usize % SLOTS] = (state.key, most);
        }
    }
}
