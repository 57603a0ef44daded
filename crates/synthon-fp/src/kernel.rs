//! The inner loops of similarity search, over packed words.
//!
//! Compiled twice for x86-64, once with its wider instructions, and chosen when the program
//! runs; the answers are the same.

/// Number of set bits.
pub fn popcount(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Number of bits set in both; of the shorter length.
pub fn and_popcount(a: &[u64], b: &[u64]) -> u32 {
    let mut out = [0];
    and_popcounts(a, &b[..a.len().min(b.len())], &mut out);
    out[0]
}

/// Whether every bit of `a` is set in `b`, which is as long.
pub fn is_subset(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// Bits that `query` has in common with each row; `rows` are rows of the same length, one after
/// another, and `out` gets one number for each whole row that it has room for.
pub fn and_popcounts(query: &[u64], rows: &[u64], out: &mut [u32]) {
    wide::and_popcounts(query, rows, out);
}

#[inline(always)]
fn and_popcounts_plain(query: &[u64], rows: &[u64], out: &mut [u32]) {
    if query.is_empty() {
        out.fill(0);
        return;
    }
    for (row, out) in rows.chunks(query.len()).zip(out) {
        *out = query.iter().zip(row).map(|(a, b)| (a & b).count_ones()).sum();
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    pub(super) use super::and_popcounts_plain as and_popcounts;
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the wider instructions are used only where they were found")]
mod wide {
    pub(super) fn and_popcounts(query: &[u64], rows: &[u64], out: &mut [u32]) {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has just been asked for both features.
            unsafe { with_avx2(query, rows, out) }
        } else {
            super::and_popcounts_plain(query, rows, out);
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn with_avx2(query: &[u64], rows: &[u64], out: &mut [u32]) {
        super::and_popcounts_plain(query, rows, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize) -> Vec<u64> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn rows_are_counted_as_bit_by_bit() {
        for width in [1, 2, 3, 7, 32, 33] {
            let (query, rows) = (noise(width), noise(width * 9).split_off(3));
            let mut out = vec![0; rows.len().div_ceil(width)];
            and_popcounts(&query, &rows, &mut out);
            for (row, &found) in rows.chunks(width).zip(&out) {
                let pairs = query.iter().zip(row);
                let slow: u32 = pairs
                    .map(|(a, b)| (0..64).filter(|i| a >> i & b >> i & 1 == 1).count() as u32)
                    .sum();
                assert_eq!(found, slow);
                assert_eq!(and_popcount(&query, row), slow);
            }
        }
        let mut none = [7];
        and_popcounts(&[], &[], &mut none);
        assert_eq!(none, [0]);
    }
}
