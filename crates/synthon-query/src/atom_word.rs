//! An atom's properties as one word of bits, so that most atom expressions are a single AND.
//!
//! The word is divided into fields, one for each property; of each field exactly one bit is set,
//! that of the bucket which holds the atom's value. An expression that restricts fields
//! independently of each other becomes a mask of forbidden bits.

use crate::expression::Count;
use synthon_mol::Element;

/// A property with its place in the word. Bucket `k` stands for the value `values[k]`, the last
/// bucket for that value and all above.
pub(crate) struct Field {
    pub(crate) shift: u32,
    pub(crate) values: &'static [u16],
    /// How often a value occurs in drug-like molecules, in percent, for the order of the search.
    prior: &'static [f32],
    /// The place in the word of every small value; larger ones are where the last of these is.
    places: [u8; SMALL],
}

/// Number of values that have a place of their own in [`Field::places`].
const SMALL: usize = 16;

const fn places(shift: u32, values: &[u16]) -> [u8; SMALL] {
    let mut places = [0; SMALL];
    let (mut value, mut bucket) = (0, 0);
    while value < SMALL {
        while bucket + 1 < values.len() && values[bucket + 1] as usize <= value {
            bucket += 1;
        }
        places[value] = (shift as usize + bucket) as u8;
        value += 1;
    }
    places
}

macro_rules! fields {
    ($($name:ident @ $shift:literal = $values:expr, $prior:expr;)*) => {
        $(pub(crate) const $name: Field = Field {
            shift: $shift,
            values: &$values,
            prior: &$prior,
            places: places($shift, &$values),
        };)*
        /// All counted fields.
        pub(crate) const COUNTED_FIELDS: [&Field; [$(stringify!($name)),*].len()] = [$(&$name),*];
    };
}

fields! {
    DEGREE @ 24 = [0, 1, 2, 3, 4, 5, 6], [0.3, 24.0, 44.0, 27.0, 4.0, 0.1, 0.1];
    HYDROGENS @ 31 = [0, 1, 2, 3, 4], [49.0, 30.0, 14.0, 6.5, 0.1];
    CONNECTIVITY @ 36 = [0, 1, 2, 3, 4, 5, 6, 7], [0.3, 9.0, 11.0, 47.0, 31.0, 0.1, 0.1, 0.1];
    VALENCE @ 44 = [0, 1, 2, 3, 4, 5, 6, 7], [0.4, 4.0, 12.0, 11.0, 71.0, 0.3, 1.0, 0.1];
    RING_BONDS @ 57 = [0, 2, 3, 4], [41.0, 49.0, 9.0, 0.3];
    RING_COUNT @ 61 = [0, 1, 2, 3, 4], [41.0, 49.0, 9.0, 0.6, 0.1];
    SMALLEST_RING @ 66 = [0, 3, 4, 5, 6, 7, 8, 9], [41.0, 0.6, 0.6, 13.0, 44.0, 0.6, 0.2, 0.3];
    HEAVY_DEGREE @ 74 = [0, 1, 2, 3, 4, 5], [0.3, 24.0, 44.0, 27.0, 4.0, 0.1];
    IMPLICIT_HYDROGENS @ 80 = [0, 1, 2, 3, 4], [49.0, 30.0, 14.0, 6.5, 0.1];
    HETERO_NEIGHBOURS @ 85 = [0, 1, 2, 3, 4], [55.0, 32.0, 11.0, 2.0, 0.1];
    ALIPHATIC_HETERO_NEIGHBOURS @ 90 = [0, 1, 2, 3, 4], [68.0, 24.0, 6.0, 2.0, 0.1];
}

impl Field {
    /// All bits of the field.
    pub(crate) const fn mask(&self) -> u128 {
        ((1u128 << self.values.len()) - 1) << self.shift
    }

    /// The place in the word of a value.
    #[inline]
    pub(crate) fn place(&self, value: u16) -> u8 {
        self.places[(value as usize).min(SMALL - 1)]
    }

    /// The bits of the buckets that have values in the range, and whether all their values are.
    pub(crate) fn bits(&self, range: Count) -> (u128, bool) {
        let (mut bits, mut exact) = (0, true);
        for (bucket, &low) in self.values.iter().enumerate() {
            let last = bucket + 1 == self.values.len();
            let high = if last { Count::NO_LIMIT } else { low };
            if range.min <= high && low <= range.max {
                bits |= 1u128 << (self.shift as usize + bucket);
                exact &= range.min <= low && high <= range.max;
            }
        }
        (bits, exact)
    }
}

/// Elements with a bucket of their own among aliphatic atoms; the next bucket takes the rest.
const ALIPHATIC: [u8; 14] = [0, 1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 34, 35, 53];
/// The same for aromatic atoms.
const AROMATIC: [u8; 8] = [5, 6, 7, 8, 14, 15, 16, 34];
/// Number of element buckets, aliphatic and aromatic.
pub(crate) const ELEMENT_BUCKETS: usize = 24;
/// Bits of the element field.
pub(crate) const ELEMENTS: u128 = (1 << ELEMENT_BUCKETS) - 1;
/// Bits of the element field that stand for aliphatic atoms.
pub(crate) const ALIPHATIC_ELEMENTS: u128 = (1 << 15) - 1;
/// Bits of the element field that stand for aromatic atoms.
pub(crate) const AROMATIC_ELEMENTS: u128 = ELEMENTS & !ALIPHATIC_ELEMENTS;
const ELEMENT_PRIOR: [f32; ELEMENT_BUCKETS] = [
    0.05, 0.05, 0.1, 36.0, 7.5, 12.0, 1.7, 0.1, 0.2, 0.9, 1.0, 0.05, 0.4, 0.1, 0.2, 0.01, 33.0,
    5.0, 0.6, 0.01, 0.01, 0.9, 0.01, 0.01,
];

/// Aliphatic and aromatic bucket of every element.
static BUCKETS: [(u8, u8); 119] = {
    let mut buckets = [(14u8, 23u8); 119];
    let mut i = 0;
    while i < ALIPHATIC.len() {
        buckets[ALIPHATIC[i] as usize].0 = i as u8;
        i += 1;
    }
    i = 0;
    while i < AROMATIC.len() {
        buckets[AROMATIC[i] as usize].1 = 15 + i as u8;
        i += 1;
    }
    buckets
};

/// The bit of an element, and whether no other element shares it.
#[inline]
pub(crate) fn element_bit(element: Element, aromatic: bool) -> (u128, bool) {
    let (aliphatic_bucket, aromatic_bucket) = BUCKETS[element.atomic_number() as usize];
    if aromatic {
        (1 << aromatic_bucket, aromatic_bucket != 23)
    } else {
        (1 << aliphatic_bucket, aliphatic_bucket != 14)
    }
}

/// The place in the word of an element.
#[inline]
pub(crate) fn element_place(element: Element, aromatic: bool) -> u8 {
    let buckets = BUCKETS[element.atomic_number() as usize];
    if aromatic { buckets.1 } else { buckets.0 }
}

/// A word in the making, in halves because that is how the machine sets bits fast.
#[derive(Default)]
pub(crate) struct Builder([u64; 2]);

impl Builder {
    /// Sets the bit at a place, which must be below 128.
    #[inline]
    pub(crate) fn set(&mut self, place: u8) {
        self.0[(place >> 6) as usize & 1] |= 1 << (place & 63);
    }

    /// The word.
    #[inline]
    pub(crate) fn finish(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }
}

/// The bits of an element, aromatic or not, and whether no other element shares them.
pub(crate) fn element_bits(element: Element) -> (u128, bool) {
    let (aliphatic, exact) = element_bit(element, false);
    // Monovalent elements are never aromatic.
    if matches!(element.atomic_number(), 1 | 9 | 17 | 35 | 53) {
        return (aliphatic, exact);
    }
    let (aromatic, aromatic_exact) = element_bit(element, true);
    (aliphatic | aromatic, exact && aromatic_exact)
}

const CHARGE_SHIFT: u32 = 52;
/// Bits of the charge field.
pub(crate) const CHARGES: u128 = 0b11111 << CHARGE_SHIFT;
const CHARGE_PRIOR: [f32; 5] = [0.05, 1.0, 97.5, 1.4, 0.05];

/// The place in the word of a charge: -2 and below, -1, 0, 1, 2 and above.
#[inline]
pub(crate) fn charge_place(charge: i16) -> u8 {
    (CHARGE_SHIFT as i16 + charge.clamp(-2, 2) + 2) as u8
}

/// The bits of a range of charges, and whether the range holds all charges of their buckets.
pub(crate) fn charge_bits(low: i16, high: i16) -> (u128, bool) {
    if low > high {
        return (0, true);
    }
    let mut bits = 0;
    for charge in low.clamp(-2, 2)..=high.clamp(-2, 2) {
        bits |= 1 << charge_place(charge);
    }
    // The outer buckets are open: no range of parsed charges fills them.
    let touches_end = low <= -2 || high >= 2;
    (bits, !touches_end)
}

/// Mass number not stated, stated.
pub(crate) const ISOTOPE_UNSTATED: u128 = 1 << 103;
pub(crate) const ISOTOPE_STATED: u128 = 1 << 104;
/// No tetrahedral mark, a mark.
pub(crate) const CHIRALITY_UNSTATED: u128 = 1 << 105;
pub(crate) const CHIRALITY_STATED: u128 = 1 << 106;

/// Fields that are not counted ones: all bits, and the prior of each.
const OTHER_FIELDS: [(u128, &[f32]); 4] = [
    (ELEMENTS, &ELEMENT_PRIOR),
    (CHARGES, &CHARGE_PRIOR),
    (ISOTOPE_UNSTATED | ISOTOPE_STATED, &[99.9, 0.1]),
    (CHIRALITY_UNSTATED | CHIRALITY_STATED, &[95.0, 5.0]),
];

/// The field masks of the word.
pub(crate) static FIELD_MASKS: [u128; FIELDS] = {
    let mut masks = [0; FIELDS];
    let mut i = 0;
    while i < COUNTED_FIELDS.len() {
        masks[i] = COUNTED_FIELDS[i].mask();
        i += 1;
    }
    while i < FIELDS {
        masks[i] = OTHER_FIELDS[i - COUNTED_FIELDS.len()].0;
        i += 1;
    }
    masks
};
const FIELDS: usize = COUNTED_FIELDS.len() + OTHER_FIELDS.len();

/// Field and prior share of every bit.
pub(crate) static BITS: [(u8, f32); 128] = {
    let mut bits = [(0u8, 0.0f32); 128];
    let mut i = 0;
    while i < FIELDS {
        let (shift, prior) = if i < COUNTED_FIELDS.len() {
            (COUNTED_FIELDS[i].shift, COUNTED_FIELDS[i].prior)
        } else {
            let other = &OTHER_FIELDS[i - COUNTED_FIELDS.len()];
            (other.0.trailing_zeros(), other.1)
        };
        let mut k = 0;
        while k < prior.len() {
            bits[shift as usize + k] = (i as u8, prior[k] / 100.0);
            k += 1;
        }
        i += 1;
    }
    bits
};

/// The most common bit of every field but the element's: an expression that forbids it asks for
/// something that many molecules do not have.
pub(crate) const COMMON: u128 = {
    let mut common = 0;
    let mut i = 0;
    while i < FIELDS {
        let (shift, prior) = if i < COUNTED_FIELDS.len() {
            (COUNTED_FIELDS[i].shift, COUNTED_FIELDS[i].prior)
        } else {
            let other = &OTHER_FIELDS[i - COUNTED_FIELDS.len()];
            (other.0.trailing_zeros(), other.1)
        };
        let (mut best, mut k) = (0, 1);
        while k < prior.len() {
            if prior[k] > prior[best] {
                best = k;
            }
            k += 1;
        }
        if shift != 0 {
            common |= 1u128 << (shift as usize + best);
        }
        i += 1;
    }
    common
};

/// Rough share of the atoms of drug-like molecules that a mask of forbidden bits lets through.
pub(crate) fn selectivity(forbidden: u128) -> f32 {
    let mut lost = [0.0f32; FIELDS];
    let mut rest = forbidden;
    while rest != 0 {
        let (field, prior) = BITS[rest.trailing_zeros() as usize];
        lost[field as usize] += prior;
        rest &= rest - 1;
    }
    lost.iter().fold(1.0, |share, l| share * (1.0 - l).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        let mut seen = 0u128;
        for mask in FIELD_MASKS {
            assert_eq!(seen & mask, 0);
            seen |= mask;
        }
    }

    #[test]
    fn ranges_cover_their_buckets() {
        assert_eq!(DEGREE.bits(Count::exactly(2)), (1 << DEGREE.place(2), true));
        assert_eq!(DEGREE.bits(Count::exactly(6)), (1 << DEGREE.place(6), false));
        assert_eq!(DEGREE.bits(Count::at_least(6)), (1 << DEGREE.place(9), true));
        assert_eq!(RING_BONDS.bits(Count::exactly(1)), (0, true));
        assert_eq!(
            RING_BONDS.bits(Count::at_least(1)).0,
            RING_BONDS.mask() & !(1 << RING_BONDS.place(0))
        );
        assert_eq!(SMALLEST_RING.bits(Count { min: 1, max: 2 }), (0, true));
        assert_eq!(charge_bits(1, 1), (1 << charge_place(1), true));
        assert_eq!(charge_bits(2, 2), (1 << charge_place(5), false));
        assert_eq!(charge_bits(-1, 1), (0b111 << charge_place(-1), true));
    }
}
