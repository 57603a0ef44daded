//! How often the recorded reactants are among the first proposals.

use std::collections::BTreeMap;
use std::time::Duration;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::MappedReaction;

use super::propose::{ExtractedProposal, ProposeOptions};
use crate::build::keys;
use crate::coverage::{RANKS, in_chunks};
use crate::error::LibraryError;
use crate::expand::Scratch;
use crate::extracted::ExtractedLibrary;
use crate::reactions::{BadLine, ReactionReader, ReactionRecord};

/// Proposals of a product by which probabilities are calibrated.
const CALIBRATED: usize = 10;
/// Proposals that a point of the calibration rests on at least, where there are many.
const LEAST_POINT: usize = 100;

/// Reactions, and those whose reactants stand among the first of [`RANKS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hits {
    /// Reactions.
    pub reactions: u64,
    /// By rank, stereo counted.
    pub top: [u64; RANKS.len()],
    /// By rank, stereo left aside.
    pub top_without_stereo: [u64; RANKS.len()],
}

impl Hits {
    fn add(&mut self, with: Option<usize>, without: Option<usize>) {
        self.reactions += 1;
        for (rank, found) in [(with, &mut self.top), (without, &mut self.top_without_stereo)] {
            for (sum, limit) in found.iter_mut().zip(RANKS) {
                *sum += u64::from(rank.is_some_and(|rank| rank <= limit));
            }
        }
    }
}

/// How good a library's proposals are.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// All reactions.
    pub all: Hits,
    /// By class; 0: without class.
    pub by_class: BTreeMap<u8, Hits>,
    /// Lines that could not be read, or are no mapped reaction.
    pub unreadable: u64,
    /// Distinct sets of precursors.
    pub found: u64,
    /// Templates that were tried, and those that gave precursors.
    pub tried: u64,
    /// See `tried`.
    pub applicable: u64,
    /// Rewritings that were no molecules.
    pub invalid: u64,
    /// Time of each expansion, ascending.
    pub times: Vec<Duration>,
    /// Mean distance between stated probability and share of right proposals, over ten ranges of
    /// probability, weighted by the proposals in each.
    pub calibration_error: f64,
    judged: Vec<Judged>,
}

/// A proposal and whether it was the recorded one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judged {
    /// Number of the reaction.
    reaction: u64,
    score: f64,
    confidence: f64,
    right: bool,
}

struct One {
    class: u8,
    with: Option<usize>,
    without: Option<usize>,
    expansion: [u64; 4],
    time: Duration,
    proposals: Vec<(f64, f64)>,
}

impl ExtractedLibrary {
    /// Expands the products of known reactions, on the threads of the current rayon pool. Every
    /// `step`th reaction is taken, beginning with the first. `nodes` bounds the work on one.
    pub fn accuracy(&self, reader: ReactionReader, step: usize, nodes: u64) -> Accuracy {
        let mut sum = Accuracy::default();
        let one = |scratch: &mut Scratch, record: &_| self.one(record, nodes, scratch);
        in_chunks(reader.step_by(step.max(1)), Scratch::new, one, |part| sum.add(part));
        sum.times.sort_unstable();
        sum.calibration_error = calibration_error(&sum.judged, |judged| judged.confidence);
        sum
    }

    /// The same library with probabilities calibrated on known reactions, which should not be
    /// those of the training. The second value is the calibration error that remains on each half
    /// of the reactions when the other half gives the table.
    ///
    /// # Errors
    /// A library without a policy.
    pub fn calibrated(&self, accuracy: &Accuracy) -> Result<(Self, f64), LibraryError> {
        let half = |odd: u64| -> Vec<Judged> {
            accuracy.judged.iter().copied().filter(|j| j.reaction % 2 == odd).collect()
        };
        let error = |of: &[Judged], by: &[Judged]| {
            let policy = super::Policy { calibration: table(by), ..Default::default() };
            calibration_error(of, |judged| f64::from(policy.calibrated(judged.score as f32)))
        };
        let (even, odd) = (half(0), half(1));
        let error = 0.5 * (error(&even, &odd) + error(&odd, &even));
        Ok((self.with_calibration(table(&accuracy.judged))?, error))
    }

    fn one(
        &self,
        record: &Result<ReactionRecord, BadLine>,
        nodes: u64,
        scratch: &mut Scratch,
    ) -> Option<One> {
        let record = record.as_ref().ok()?;
        let reaction = MappedReaction::from_smiles(&record.reaction).ok()?;
        let mut budget = Budget::unlimited().with_node_limit(nodes);
        let most = RANKS.iter().copied().max().unwrap_or(0);
        let options = ProposeOptions::default().max_proposals(most);
        let started = budget.elapsed();
        let expansion = self.expand(reaction.product(), &options, scratch, &mut budget);
        let time = budget.elapsed().saturating_sub(started);
        let place = |is: &dyn Fn(&ExtractedProposal) -> bool| {
            expansion.proposals.iter().position(is).map(|place| place + 1)
        };
        let with = place(&|p| keys(&p.outcome.precursors) == reaction.reactant_keys());
        let recorded = flat_keys(reaction.reactants());
        let without = with.filter(|&place| place == 1).or_else(|| {
            // Proposals that differ in stereo alone count once.
            let mut seen: Vec<Vec<u128>> = Vec::new();
            for proposal in &expansion.proposals {
                let flat = flat_keys(&proposal.outcome.precursors);
                if !seen.contains(&flat) {
                    seen.push(flat);
                }
            }
            seen.iter().position(|flat| *flat == recorded).map(|place| place + 1)
        });
        Some(One {
            class: record.class.unwrap_or(0),
            with,
            without,
            expansion: [
                expansion.found as u64,
                expansion.tried as u64,
                expansion.applicable as u64,
                expansion.invalid as u64,
            ],
            time,
            proposals: expansion
                .proposals
                .iter()
                .take(CALIBRATED)
                .map(|p| (p.score, p.confidence))
                .collect(),
        })
    }
}

impl Accuracy {
    fn add(&mut self, one: Option<One>) {
        let Some(one) = one else {
            self.unreadable += 1;
            return;
        };
        let reaction = self.all.reactions;
        self.all.add(one.with, one.without);
        self.by_class.entry(one.class).or_default().add(one.with, one.without);
        let sums = [&mut self.found, &mut self.tried, &mut self.applicable, &mut self.invalid];
        sums.into_iter().zip(one.expansion).for_each(|(sum, value)| *sum += value);
        self.times.push(one.time);
        for (place, (score, confidence)) in (1..).zip(one.proposals) {
            self.judged.push(Judged {
                reaction,
                score,
                confidence,
                right: one.with == Some(place),
            });
        }
    }

    /// The time that so many of a hundred expansions stay below.
    pub fn time_at(&self, percent: usize) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times.get(last * percent.min(100) / 100).copied().unwrap_or_default()
    }
}

fn calibration_error(judged: &[Judged], stated: impl Fn(&Judged) -> f64) -> f64 {
    let mut ranges = [(0.0, 0.0); 10];
    for judged in judged {
        let stated = stated(judged);
        let range = &mut ranges[((stated * 10.0) as usize).min(9)];
        range.0 += stated;
        range.1 += f64::from(u8::from(judged.right));
    }
    let off: f64 = ranges.iter().map(|(stated, right)| (stated - right).abs()).sum();
    off / judged.len().max(1) as f64
}

/// Points of score and share of right proposals: neighbours are put together until the shares
/// ascend (pool adjacent violators) and each rests on enough proposals.
fn table(judged: &[Judged]) -> Vec<f32> {
    let mut sorted: Vec<(f64, bool)> = judged.iter().map(|j| (j.score, j.right)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Sum of scores, number right, number.
    let mut pools: Vec<[f64; 3]> = Vec::new();
    let least = (sorted.len() / 50).clamp(1, LEAST_POINT);
    for chunk in sorted.chunks(least) {
        let score: f64 = chunk.iter().map(|c| c.0).sum();
        let right = chunk.iter().filter(|c| c.1).count() as f64;
        let mut pool = [score, right, chunk.len() as f64];
        while let Some(last) = pools.pop_if(|last| last[1] * pool[2] >= pool[1] * last[2]) {
            pool = std::array::from_fn(|i| pool[i] + last[i]);
        }
        pools.push(pool);
    }
    let points = pools.iter().map(|[score, right, number]| {
        // A probability of 0 would say that it cannot be.
        [(score / number) as f32, ((right + 0.5) / (number + 1.0)) as f32]
    });
    let mut table: Vec<f32> = Vec::new();
    for [score, share] in points {
        let ascends =
            table.as_chunks::<2>().0.last().is_none_or(|last| last[0] < score && last[1] <= share);
        if ascends {
            table.extend([score, share]);
        }
    }
    table
}

/// Canonical keys without stereo, ascending.
fn flat_keys(molecules: &[Molecule]) -> Vec<u128> {
    let mut keys: Vec<u128> = molecules
        .iter()
        .filter_map(|molecule| {
            let mut builder = molecule.to_builder();
            builder.remove_stereo();
            Some(builder.build().ok()?.canonical_key())
        })
        .collect();
    keys.sort_unstable();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ascends_and_keeps_the_share_of_right_ones() {
        let judged: Vec<Judged> = (0..2_000u64)
            .map(|i| {
                let score = (i % 100) as f64 / 100.0;
                // Half as often right as stated.
                let right = ((i / 100) as f64) < 10.0 * score;
                Judged { reaction: i, score, confidence: score, right }
            })
            .collect();
        let table = table(&judged);
        let (points, _) = table.as_chunks::<2>();
        assert!(points.len() > 3 && points.is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1]));
        for &[score, share] in points {
            assert!((share - score / 2.0).abs() < 0.05, "{score} {share}");
        }
        let before = calibration_error(&judged, |j| j.score);
        let policy = super::super::Policy { calibration: table, ..Default::default() };
        let after = calibration_error(&judged, |j| f64::from(policy.calibrated(j.score as f32)));
        assert!(before > 0.2 && after < 0.03, "{before} {after}");
    }
}
