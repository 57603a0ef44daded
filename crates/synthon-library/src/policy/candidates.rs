//! The ways to make a molecule that are worth a look: what its most promising templates give.

use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_query::Target;
use synthon_reaction::{ApplyOptions, IndexScratch, Outcome, Scratch};

use crate::extracted::{ExtractedLibrary, ExtractedTemplate};
use crate::sense::absurdity;

/// Working memory that is kept from one molecule to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    index: IndexScratch,
    template: Scratch,
    found: Vec<u32>,
}

/// A distinct set of precursors.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub outcome: Outcome,
    /// Canonical keys of the precursors, in their order.
    pub keys: Vec<u128>,
    /// Templates that give it, each with the number of distinct sets that it gives.
    pub by: Vec<(u32, u32)>,
}

/// What the templates of a library give for a molecule.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub sets: Vec<Candidate>,
    /// Templates that gave something.
    pub applicable: Vec<u32>,
    /// Templates that were tried.
    pub tried: usize,
    /// Rewritings that were no molecules, and changes that no reaction makes.
    pub invalid: usize,
    /// Whether the limit on templates left some untried.
    pub cut: bool,
    /// Whether the budget or a limit on matches cut the work.
    pub truncated: bool,
}

impl ExtractedLibrary {
    /// Tries the templates that may match, the one with the highest `promise` first and of equals
    /// the one with more precedents, until `limit` of them gave something.
    pub(crate) fn candidate_sets(
        &self,
        target: &Target<'_>,
        promise: impl Fn(u32) -> f32,
        allowed: impl Fn(ExtractedTemplate<'_>) -> bool,
        limit: usize,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> Candidates {
        let Memory { index, template: scratch, found } = memory;
        self.candidates(target.profile(), index, found);
        let mut order: Vec<(f32, u32)> =
            found.iter().map(|&position| (promise(position), position)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let own = target.molecule().canonical_key();
        let mut given = Candidates::default();
        let mut known: BTreeMap<Vec<u128>, usize> = BTreeMap::new();
        for (_, position) in order {
            if given.applicable.len() >= limit {
                given.cut = true;
                break;
            }
            let extracted = self.get(position as usize);
            if !allowed(extracted) {
                continue;
            }
            let Some(template) = extracted.template() else { continue };
            given.tried += 1;
            let applied = template.apply_to(target, &ApplyOptions::default(), scratch, budget);
            given.truncated |= applied.truncated;
            given.invalid += applied.invalid;
            if !applied.outcomes.is_empty() {
                given.applicable.push(position);
            }
            let sets = applied.outcomes.len() as u32;
            for outcome in applied.outcomes {
                if absurdity(target.molecule(), &outcome).is_some() {
                    given.invalid += 1;
                    continue;
                }
                let keys: Vec<u128> =
                    outcome.precursors.iter().map(|m| m.canonical_key()).collect();
                if keys.contains(&own) {
                    continue;
                }
                let mut sorted = keys.clone();
                sorted.sort_unstable();
                let next = given.sets.len();
                let place = *known.entry(sorted).or_insert(next);
                if place == next {
                    given.sets.push(Candidate { outcome, keys, by: Vec::new() });
                }
                given.sets[place].by.push((position, sets));
            }
            if budget.stopped().is_some() {
                given.truncated = true;
                break;
            }
        }
        given
    }
}
