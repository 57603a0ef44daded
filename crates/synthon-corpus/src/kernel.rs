//! The inner loop: how many bits a query shares with each of many rows.
//!
//! Compiled for the instruction sets below and chosen when the program runs; the answers are the
//! same. Rows are padded to whole cache lines, so that every variant sees full vectors only.
#![allow(unsafe_code, reason = "vector instructions, used only where the processor has them")]

/// Words of a cache line; the length of a row is a multiple of it.
pub(crate) const LINE: usize = 8;

/// A row that shares enough bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Number of the row among those given.
    pub(crate) row: u32,
    /// Bits shared.
    pub(crate) common: u32,
}

/// Which variant runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// For any processor.
    Portable,
    /// x86-64 with POPCNT.
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512 and VPOPCNTDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Variant {
    /// All that this processor can run, fastest last.
    pub(crate) fn available() -> Vec<Variant> {
        #[allow(unused_mut, reason = "other processors have one variant")]
        let mut all = vec![Variant::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("popcnt") {
                all.push(Variant::Popcnt);
            }
            if is_x86_feature_detected!("avx2") {
                all.push(Variant::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                all.push(Variant::Avx512);
            }
        }
        all
    }

    /// The fastest that this processor can run.
    pub(crate) fn best() -> Variant {
        Self::available().pop().unwrap_or(Variant::Portable)
    }
}

/// Appends to `found` every row that shares at least `least` bits with `query`, in order.
///
/// # Panics
/// When `query` is no multiple of [`LINE`] words, or `rows` none of `query`.
pub(crate) fn scan(
    variant: Variant,
    query: &[u64],
    rows: &[u64],
    least: u32,
    found: &mut Vec<Shared>,
) {
    assert!(!query.is_empty() && query.len().is_multiple_of(LINE));
    assert!(rows.len().is_multiple_of(query.len()));
    match variant {
        Variant::Portable => scan_words(query, rows, least, found),
        // SAFETY: `Variant::available` names these only where the processor has the feature, and
        // the lengths were checked above.
        #[cfg(target_arch = "x86_64")]
        Variant::Popcnt => unsafe { x86::popcnt(query, rows, least, found) },
        #[cfg(target_arch = "x86_64")]
        Variant::Avx2 => unsafe { x86::avx2(query, rows, least, found) },
        #[cfg(target_arch = "x86_64")]
        Variant::Avx512 => unsafe { x86::avx512(query, rows, least, found) },
    }
}

#[inline(always)]
fn scan_words(query: &[u64], rows: &[u64], least: u32, found: &mut Vec<Shared>) {
    for (row, words) in rows.chunks_exact(query.len()).enumerate() {
        let common = query.iter().zip(words).map(|(a, b)| (a & b).count_ones()).sum();
        if common >= least {
            found.push(Shared { row: row as u32, common });
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LINE, Shared, scan_words};
    use std::arch::x86_64::*;

    #[target_feature(enable = "popcnt")]
    pub(super) fn popcnt(query: &[u64], rows: &[u64], least: u32, found: &mut Vec<Shared>) {
        scan_words(query, rows, least, found);
    }

    /// Counts by looking up half bytes (Muła, Kurz and Lemire 2018).
    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(query: &[u64], rows: &[u64], least: u32, found: &mut Vec<Shared>) {
        #[rustfmt::skip]
        let table = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let low = _mm256_set1_epi8(0x0f);
        let zero = _mm256_setzero_si256();
        for (row, words) in rows.chunks_exact(query.len()).enumerate() {
            let mut total = zero;
            // Bytes hold the sums of a cache line: at most 8 bits a byte from each of two vectors.
            for (q, w) in query.chunks_exact(LINE).zip(words.chunks_exact(LINE)) {
                let mut bytes = zero;
                for half in [0, LINE / 2] {
                    // SAFETY: a chunk has `LINE` words, so that four can be read at both places;
                    // unaligned reads are allowed.
                    let (q, w) = unsafe {
                        (
                            _mm256_loadu_si256(q.as_ptr().add(half).cast()),
                            _mm256_loadu_si256(w.as_ptr().add(half).cast()),
                        )
                    };
                    let both = _mm256_and_si256(q, w);
                    let high_half = _mm256_and_si256(_mm256_srli_epi16::<4>(both), low);
                    let low_half = _mm256_and_si256(both, low);
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(table, low_half));
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(table, high_half));
                }
                total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes, zero));
            }
            let halves =
                _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
            let common = (_mm_cvtsi128_si64(halves) + _mm_extract_epi64::<1>(halves)) as u32;
            if common >= least {
                found.push(Shared { row: row as u32, common });
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub(super) fn avx512(query: &[u64], rows: &[u64], least: u32, found: &mut Vec<Shared>) {
        match query.len() / LINE {
            1 => avx512_lines::<1>(query, rows, least, found),
            2 => avx512_lines::<2>(query, rows, least, found),
            4 => avx512_lines::<4>(query, rows, least, found),
            _ => avx512_any(query, rows, least, found),
        }
    }

    /// For rows of `N` cache lines: the query stays in registers.
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn avx512_lines<const N: usize>(
        query: &[u64],
        rows: &[u64],
        least: u32,
        found: &mut Vec<Shared>,
    ) {
        let mut q = [_mm512_setzero_si512(); N];
        for (q, line) in q.iter_mut().zip(query.chunks_exact(LINE)) {
            *q = load(line);
        }
        for (row, words) in rows.chunks_exact(N * LINE).enumerate() {
            let mut total = _mm512_setzero_si512();
            for (q, line) in q.iter().zip(words.chunks_exact(LINE)) {
                let both = _mm512_and_si512(*q, load(line));
                total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
            }
            let common = _mm512_reduce_add_epi64(total) as u32;
            if common >= least {
                found.push(Shared { row: row as u32, common });
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn avx512_any(query: &[u64], rows: &[u64], least: u32, found: &mut Vec<Shared>) {
        for (row, words) in rows.chunks_exact(query.len()).enumerate() {
            let mut total = _mm512_setzero_si512();
            for (q, line) in query.chunks_exact(LINE).zip(words.chunks_exact(LINE)) {
                let both = _mm512_and_si512(load(q), load(line));
                total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
            }
            let common = _mm512_reduce_add_epi64(total) as u32;
            if common >= least {
                found.push(Shared { row: row as u32, common });
            }
        }
    }

    /// One cache line.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(line: &[u64]) -> __m512i {
        assert!(line.len() == LINE);
        // SAFETY: there are eight words; unaligned reads are allowed.
        unsafe { _mm512_loadu_si512(line.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use synthon_testkit::Random;

    #[test]
    fn all_variants_count_alike() {
        let mut random = Random::new(5);
        for lines in [1, 2, 3, 4, 5, 16, 128] {
            let width = lines * LINE;
            let mut word = |mode: u64| match mode {
                0 => 0,
                1 => u64::MAX,
                _ => random.bits() & random.bits(),
            };
            let query: Vec<u64> = (0..width).map(|i| word(i as u64 % 7)).collect();
            let rows: Vec<u64> = (0..width * 33).map(|i| word(i as u64 % 5)).collect();
            let ones: u32 = query.iter().map(|w| w.count_ones()).sum();
            for least in [0, 1, ones / 3, ones / 2, ones, u32::MAX] {
                let mut expected = Vec::new();
                scan(Variant::Portable, &query, &rows, least, &mut expected);
                for variant in Variant::available() {
                    let mut found = Vec::new();
                    scan(variant, &query, &rows, least, &mut found);
                    assert_eq!(found, expected, "{variant:?}, {lines} lines, {least}");
                }
            }
        }
    }
}
