//! What a mapped atom is worth in the induced objective: one each, or a weight of its own.

use crate::bits::Bits;
use crate::problem::{Group, bound};

/// The worth of sets of query atoms. The searches are compiled once for each measure, so that
/// plain counting pays nothing for weights.
pub(crate) trait Measure<const W: usize> {
    /// The worth of one query atom.
    fn worth(&self, q: usize) -> u32;

    /// The worth of a set of query atoms.
    fn total(&self, atoms: &Bits<W>) -> u32;

    /// The most that `places` of these query atoms can be worth.
    fn most(&self, atoms: &Bits<W>, places: usize) -> u32;

    /// The most that can be matched by these groups of atoms.
    fn bound(&self, groups: &[Group<W>], query: &Bits<W>, target: &Bits<W>) -> u32;

    /// Whether all atoms are worth the same.
    fn is_even(&self) -> bool;

    /// The most atoms that a map of the worth `bound` between these sets can have.
    fn most_atoms(&self, bound: u32, query: &Bits<W>, target: &Bits<W>) -> u32;
}

/// Every atom counts one.
#[derive(Clone, Copy)]
pub(crate) struct Count;

impl<const W: usize> Measure<W> for Count {
    #[inline(always)]
    fn worth(&self, _: usize) -> u32 {
        1
    }

    #[inline(always)]
    fn total(&self, atoms: &Bits<W>) -> u32 {
        atoms.len() as u32
    }

    #[inline(always)]
    fn most(&self, atoms: &Bits<W>, places: usize) -> u32 {
        atoms.len().min(places) as u32
    }

    #[inline(always)]
    fn bound(&self, groups: &[Group<W>], query: &Bits<W>, target: &Bits<W>) -> u32 {
        bound(groups, query, target) as u32
    }

    #[inline(always)]
    fn is_even(&self) -> bool {
        true
    }

    #[inline(always)]
    fn most_atoms(&self, bound: u32, _: &Bits<W>, _: &Bits<W>) -> u32 {
        bound
    }
}

/// Every query atom has a weight.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    weights: &'a [u32],
    /// The query atoms, the heaviest first.
    by_weight: &'a [u32],
}

impl<'a> Weights<'a> {
    /// `by_weight` holds every query atom, the heaviest first.
    pub(crate) fn new(weights: &'a [u32], by_weight: &'a [u32]) -> Self {
        Weights { weights, by_weight }
    }
}

impl<const W: usize> Measure<W> for Weights<'_> {
    fn worth(&self, q: usize) -> u32 {
        self.weights[q]
    }

    fn total(&self, atoms: &Bits<W>) -> u32 {
        atoms.iter().map(|q| self.weights[q]).sum()
    }

    fn most(&self, atoms: &Bits<W>, places: usize) -> u32 {
        self.by_weight
            .iter()
            .filter(|&&q| atoms.contains(q as usize))
            .take(places)
            .map(|&q| self.weights[q as usize])
            .sum()
    }

    fn bound(&self, groups: &[Group<W>], query: &Bits<W>, target: &Bits<W>) -> u32 {
        groups
            .iter()
            .map(|group| {
                let atoms = group.query.and(query);
                Measure::<W>::most(self, &atoms, group.target.common(target))
            })
            .sum()
    }

    fn is_even(&self) -> bool {
        false
    }

    fn most_atoms(&self, _: u32, query: &Bits<W>, target: &Bits<W>) -> u32 {
        query.len().min(target.len()) as u32
    }
}
