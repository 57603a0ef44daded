//! The best hits seen so far, at most so many.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::similarity::Hit;

/// Hits in the order of an answer: the higher score first, then the earlier molecule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranked(pub(crate) Hit);

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        // Scores are never NaN.
        other.0.score.total_cmp(&self.0.score).then(self.0.index.cmp(&other.0.index))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the first `most` hits of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Top {
    most: usize,
    /// The last of them on top.
    kept: BinaryHeap<Ranked>,
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        Top { most, kept: BinaryHeap::new() }
    }

    pub(crate) fn push(&mut self, hit: Hit) {
        if self.kept.len() < self.most {
            self.kept.push(Ranked(hit));
        } else if let Some(mut last) = self.kept.peek_mut()
            && Ranked(hit) < *last
        {
            *last = Ranked(hit);
        }
    }

    /// The score below which nothing is taken any more.
    pub(crate) fn floor(&self) -> Option<f64> {
        if self.kept.len() < self.most { None } else { self.kept.peek().map(|last| last.0.score) }
    }

    pub(crate) fn merge(&mut self, other: Top) {
        for hit in other.kept {
            self.push(hit.0);
        }
    }

    /// The hits in order.
    pub(crate) fn into_sorted(self) -> Vec<Hit> {
        self.kept.into_sorted_vec().into_iter().map(|ranked| ranked.0).collect()
    }
}
