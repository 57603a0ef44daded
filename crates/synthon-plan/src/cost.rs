//! Costs of steps and routes: fixed-point, so that sums are exact and orders are total.

use std::fmt;
use std::ops::Add;

/// A cost in thousandths of a nat (a step of probability `p` costs `-ln p`, plus a constant).
///
/// Sums saturate at [`Cost::INFINITE`], which stands for "no way known".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cost(u32);

impl Cost {
    /// Nothing to pay.
    pub const ZERO: Cost = Cost(0);
    /// No way known.
    pub const INFINITE: Cost = Cost(u32::MAX);
    /// The greatest finite cost.
    const GREATEST: u32 = u32::MAX - 1;

    /// A cost of that many nats, rounded to the nearest thousandth. Negative numbers count as
    /// zero, what is not a number as infinite.
    pub fn from_nats(nats: f64) -> Self {
        if nats.is_nan() || nats == f64::INFINITY {
            return Cost::INFINITE;
        }
        let thousandths = (nats * 1_000.0).round().clamp(0.0, f64::from(Self::GREATEST));
        // The clamp keeps the value inside u32.
        Cost(thousandths as u32)
    }

    /// The cost in nats; infinity for [`Cost::INFINITE`].
    pub fn nats(self) -> f64 {
        if self.is_finite() { f64::from(self.0) / 1_000.0 } else { f64::INFINITY }
    }

    /// Whether there is a way at all.
    #[inline]
    pub fn is_finite(self) -> bool {
        self != Cost::INFINITE
    }

    /// The difference of two finite costs, zero when it would be negative.
    #[inline]
    pub(crate) fn minus(self, other: Cost) -> Cost {
        debug_assert!(other.is_finite(), "an infinite part cannot be taken off");
        if self.is_finite() { Cost(self.0.saturating_sub(other.0)) } else { Cost::INFINITE }
    }
}

impl Add for Cost {
    type Output = Cost;

    #[inline]
    fn add(self, other: Cost) -> Cost {
        if self.is_finite() && other.is_finite() {
            Cost(self.0.saturating_add(other.0).min(Self::GREATEST))
        } else {
            Cost::INFINITE
        }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.nats())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_saturate_and_never_turn_infinite_by_themselves() {
        let big = Cost::from_nats(4e6);
        assert!((big + big).is_finite());
        assert_eq!(big + Cost::INFINITE, Cost::INFINITE);
        assert_eq!(
            [Cost::from_nats(0.5), Cost::from_nats(0.25)].into_iter().sum::<Cost>(),
            Cost::from_nats(0.75)
        );
    }

    #[test]
    fn odd_numbers_are_tamed() {
        assert_eq!(Cost::from_nats(-3.0), Cost::ZERO);
        assert_eq!(Cost::from_nats(f64::NAN), Cost::INFINITE);
        assert_eq!(Cost::from_nats(f64::INFINITY), Cost::INFINITE);
    }
}
