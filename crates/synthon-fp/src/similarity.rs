//! Coefficients between two fingerprints, from 0 (nothing in common) to 1 (the same).
//!
//! Two empty fingerprints have similarity 0 by every coefficient, as in RDKit; so has a pair of
//! different sizes, which have no position in common.
//!
//! Every coefficient takes bits and counts alike:
//!
//! ```
//! use synthon_fp::similarity::{cosine, dice, tanimoto, tversky};
//! use synthon_fp::{Fingerprinter, Scheme};
//! use synthon_mol::Molecule;
//!
//! let mut maker = Fingerprinter::new(Scheme::ECFP4, 2048)?;
//! let phenol = Molecule::from_smiles("Oc1ccccc1")?;
//! let cresol = Molecule::from_smiles("Cc1ccccc1O")?;
//!
//! let (a, b) = (maker.bits(&phenol)?, maker.bits(&cresol)?);
//! assert_eq!((a.popcount(), b.popcount()), (11, 15));
//! assert_eq!(tanimoto(&a, &b), 7.0 / 19.0);
//! assert_eq!(dice(&a, &b), 14.0 / 26.0);
//! assert_eq!(cosine(&a, &b), 7.0 / (11.0f64 * 15.0).sqrt());
//!
//! let (a, b) = (maker.counts(&phenol)?, maker.counts(&cresol)?);
//! assert_eq!((a.total(), b.total()), (20, 22));
//! assert_eq!(tanimoto(&a, &b), 13.0 / 29.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{CountFingerprint, Fingerprint, kernel};

/// A fingerprint that can be compared with others of its kind.
pub trait Comparable {
    /// What the two have in common, and what each holds.
    fn overlap(&self, other: &Self) -> Overlap;
}

/// What a coefficient is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Bits set in both; for counts, the sum of the smaller counts.
    pub common: f64,
    /// Bits set in the first; for counts, their sum.
    pub first: f64,
    /// Bits set in the second; for counts, their sum.
    pub second: f64,
    /// For cosine: sum of the products, and of the squares of each. With bits, the same as
    /// above.
    pub products: [f64; 3],
}

impl Overlap {
    /// Of bits: set in both, in the first, in the second.
    pub fn of_bits(common: u32, first: u32, second: u32) -> Self {
        let [common, first, second] = [common, first, second].map(f64::from);
        Overlap { common, first, second, products: [common, first, second] }
    }

    /// Common over the union.
    pub fn tanimoto(&self) -> f64 {
        ratio(self.common, self.first + self.second - self.common)
    }

    /// Twice common over the sum of both.
    pub fn dice(&self) -> f64 {
        ratio(2.0 * self.common, self.first + self.second)
    }

    /// Product over the root of the product of both squares.
    pub fn cosine(&self) -> f64 {
        let [product, first, second] = self.products;
        ratio(product, (first * second).sqrt())
    }

    /// Common over common plus `alpha` times what only the first has and `beta` times what only
    /// the second has.
    pub fn tversky(&self, alpha: f64, beta: f64) -> f64 {
        let first = alpha * (self.first - self.common);
        let second = beta * (self.second - self.common);
        ratio(self.common, self.common + first + second)
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

impl Comparable for Fingerprint {
    fn overlap(&self, other: &Self) -> Overlap {
        let common = if self.size() == other.size() {
            kernel::and_popcount(self.words(), other.words())
        } else {
            0
        };
        Overlap::of_bits(common, self.popcount(), other.popcount())
    }
}

impl Comparable for CountFingerprint {
    fn overlap(&self, other: &Self) -> Overlap {
        let sum = |of: &Self| of.total() as f64;
        let square = |of: &Self| -> f64 {
            of.entries().iter().map(|entry| f64::from(entry.1) * f64::from(entry.1)).sum()
        };
        let (mut common, mut product) = (0.0, 0.0);
        let (mut first, mut second) = (self.entries(), other.entries());
        if self.size() != other.size() {
            second = &[];
        }
        while let (Some(a), Some(b)) = (first.first(), second.first()) {
            if a.0 == b.0 {
                common += f64::from(a.1.min(b.1));
                product += f64::from(a.1) * f64::from(b.1);
            }
            if a.0 <= b.0 {
                first = &first[1..];
            }
            if b.0 <= a.0 {
                second = &second[1..];
            }
        }
        Overlap {
            common,
            first: sum(self),
            second: sum(other),
            products: [product, square(self), square(other)],
        }
    }
}

/// Tanimoto (Jaccard) coefficient.
pub fn tanimoto<F: Comparable>(a: &F, b: &F) -> f64 {
    a.overlap(b).tanimoto()
}

/// Dice coefficient.
pub fn dice<F: Comparable>(a: &F, b: &F) -> f64 {
    a.overlap(b).dice()
}

/// Cosine (Ochiai) coefficient.
pub fn cosine<F: Comparable>(a: &F, b: &F) -> f64 {
    a.overlap(b).cosine()
}

/// Tversky index, with weights of 0 or more for what only `a` and only `b` have; 1 and 1 give
/// Tanimoto, 0.5 and 0.5 Dice. With weights that differ, what one has and the other lacks counts
/// in one direction more than in the other:
///
/// ```
/// use synthon_fp::similarity::tversky;
/// use synthon_fp::{CountFingerprint, Fingerprint};
///
/// // How much of the small one is in the large one?
/// let small = Fingerprint::from_on_bits(64, [1, 2]);
/// let large = Fingerprint::from_on_bits(64, [1, 2, 3, 4]);
/// assert_eq!(tversky(&small, &large, 1.0, 0.0), 1.0);
/// assert_eq!(tversky(&large, &small, 1.0, 0.0), 0.5);
///
/// let small = CountFingerprint::from_hits(Some(64), &mut [1, 2]);
/// let large = CountFingerprint::from_hits(Some(64), &mut [1, 1, 2, 3]);
/// assert_eq!(tversky(&large, &small, 1.0, 0.0), 0.5);
/// ```
pub fn tversky<F: Comparable>(a: &F, b: &F, alpha: f64, beta: f64) -> f64 {
    a.overlap(b).tversky(alpha, beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits() {
        let a = Fingerprint::from_on_bits(64, [0, 1, 2]);
        let b = Fingerprint::from_on_bits(64, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(tanimoto(&a, &b), 2.0 / 13.0);
        assert_eq!(dice(&a, &b), 4.0 / 15.0);
        assert_eq!(cosine(&a, &b), 2.0 / 6.0);
        assert_eq!(tversky(&a, &b, 1.0, 1.0), tanimoto(&a, &b));
        assert_eq!(tversky(&a, &b, 0.5, 0.5), dice(&a, &b));
        assert_eq!(tversky(&a, &b, 1.0, 0.0), 2.0 / 3.0);
    }

    #[test]
    fn counts() {
        let a = CountFingerprint::from_hits(Some(8), &mut [1, 1, 1, 2]);
        let b = CountFingerprint::from_hits(Some(8), &mut [1, 2, 2, 5]);
        assert_eq!(tanimoto(&a, &b), 2.0 / 6.0);
        assert_eq!(dice(&a, &b), 4.0 / 8.0);
        assert_eq!(cosine(&a, &b), 5.0 / (10f64 * 6.0).sqrt());
    }

    #[test]
    fn nothing_is_like_nothing() {
        let none = Fingerprint::new(64);
        assert_eq!([tanimoto(&none, &none), dice(&none, &none), cosine(&none, &none)], [0.0; 3]);
        let some = Fingerprint::from_on_bits(32, [1]);
        assert_eq!(tanimoto(&some, &Fingerprint::from_on_bits(64, [1])), 0.0);
    }
}
