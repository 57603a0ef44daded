//! The hash that RDKit's fingerprints are made of: the combiner of the Boost library, on 32 bits
//! whatever the machine.

/// Mixes one more value into a hash.
#[inline]
pub(crate) fn combine(seed: u32, value: u32) -> u32 {
    let mixed = value.wrapping_add(0x9e37_79b9).wrapping_add(seed << 6).wrapping_add(seed >> 2);
    seed ^ mixed
}

/// The hash of a sequence.
#[inline]
pub(crate) fn sequence(values: &[u32]) -> u32 {
    values.iter().fold(0, |seed, &value| combine(seed, value))
}

/// The first number that RDKit's small Mersenne Twister (four words of state, middle word 2)
/// draws after this seed, from 0 to 2^31 - 1.
#[inline]
pub(crate) fn first_random(seed: u32) -> u32 {
    let step = |before: u32, index: u32| {
        (before ^ before >> 30).wrapping_mul(1_812_433_253).wrapping_add(index)
    };
    let one = step(seed, 1);
    let two = step(one, 2);
    let mixed = seed & 0x8000_0000 | one & 0x7fff_ffff;
    let twist = (mixed & 1) * 0x9908_b0df;
    let mut word = two ^ mixed >> 1 ^ twist;
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c_5680;
    word ^= word << 15 & 0xefc6_0000;
    word ^= word >> 18;
    word >> 1
}
