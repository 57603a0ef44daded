//! How many known reactions a library of extracted templates can propose at all.

use std::collections::BTreeMap;

use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::{ApplyOptions, IndexScratch, MappedReaction, Scratch};

use crate::build::keys;
use crate::extracted::ExtractedLibrary;
use crate::reactions::{BadLine, ReactionReader, ReactionRecord};

const CHUNK: usize = 512;
/// Ranks at which known precursors are counted.
pub const RANKS: [usize; 6] = [1, 3, 5, 10, 20, 50];

/// What a library gives for known reactions. Sums over reactions, unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Reactions that were tried.
    pub reactions: u64,
    /// Lines that could not be read, or are no mapped reaction.
    pub unreadable: u64,
    /// Reactions whose recorded precursors, stereo counted, some template gives.
    pub covered: u64,
    /// The same with templates of two precedents or more only.
    pub covered_repeated: u64,
    /// Templates that the index let through.
    pub tried: u64,
    /// Templates that gave precursors.
    pub applicable: u64,
    /// The same with two precedents or more.
    pub applicable_repeated: u64,
    /// Distinct sets of precursors.
    pub outcomes: u64,
    /// Rewritings that were no molecules.
    pub invalid: u64,
    /// Reactions whose recorded precursors stand among the first of [`RANKS`], when sets are
    /// ranked by the precedents of their template: the ranking that knows nothing of the molecule.
    pub by_precedents: [u64; RANKS.len()],
    /// Reactions and covered ones by class; 0: without class.
    pub by_class: BTreeMap<u8, (u64, u64)>,
}

impl Coverage {
    fn add(&mut self, other: Coverage) {
        self.reactions += other.reactions;
        self.unreadable += other.unreadable;
        self.covered += other.covered;
        self.covered_repeated += other.covered_repeated;
        self.tried += other.tried;
        self.applicable += other.applicable;
        self.applicable_repeated += other.applicable_repeated;
        self.outcomes += other.outcomes;
        self.invalid += other.invalid;
        for (sum, count) in self.by_precedents.iter_mut().zip(other.by_precedents) {
            *sum += count;
        }
        for (class, (all, covered)) in other.by_class {
            let sum = self.by_class.entry(class).or_default();
            sum.0 += all;
            sum.1 += covered;
        }
    }
}

#[derive(Default)]
struct Memory {
    index: IndexScratch,
    template: Scratch,
    candidates: Vec<u32>,
}

/// Judges known reactions, some at a time on the threads of the current rayon pool, and hands on
/// what was found in the order of the file. `memory` makes what a thread works with.
pub(crate) fn in_chunks<M, T: Send>(
    mut reactions: impl Iterator<Item = Result<ReactionRecord, BadLine>>,
    memory: impl Fn() -> M + Sync + Send,
    judge: impl Fn(&mut M, &Result<ReactionRecord, BadLine>) -> T + Sync + Send,
    mut take: impl FnMut(T),
) {
    loop {
        let chunk: Vec<_> = reactions.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return;
        }
        let parts: Vec<T> = chunk.par_iter().map_init(&memory, &judge).collect();
        parts.into_iter().for_each(&mut take);
    }
}

impl ExtractedLibrary {
    /// Tries all templates on the products of known reactions, on the threads of the current rayon
    /// pool. Every `step`th reaction is taken, beginning with the first. `nodes` bounds the work
    /// on one product.
    pub fn coverage(&self, reader: ReactionReader, step: usize, nodes: u64) -> Coverage {
        let mut sum = Coverage::default();
        let cover = |memory: &mut Memory, record: &_| self.cover(record, nodes, memory);
        in_chunks(reader.step_by(step.max(1)), Memory::default, cover, |part| sum.add(part));
        sum
    }

    fn cover(
        &self,
        record: &Result<ReactionRecord, BadLine>,
        nodes: u64,
        memory: &mut Memory,
    ) -> Coverage {
        let mut part = Coverage::default();
        let read = record.as_ref().ok().and_then(|record| {
            Some((record.class, MappedReaction::from_smiles(&record.reaction).ok()?))
        });
        let Some((class, reaction)) = read else {
            part.unreadable = 1;
            return part;
        };
        part.reactions = 1;
        let mut budget = Budget::unlimited().with_node_limit(nodes);
        let profile = TargetProfile::new(reaction.product());
        let target = Target::with_profile(reaction.product(), &profile);
        self.candidates(&profile, &mut memory.index, &mut memory.candidates);
        let mut sets: BTreeMap<Vec<u128>, u32> = BTreeMap::new();
        for &position in &memory.candidates {
            let extracted = self.get(position as usize);
            let Some(template) = extracted.template() else { continue };
            part.tried += 1;
            let options = ApplyOptions::default();
            let applied = template.apply_to(&target, &options, &mut memory.template, &mut budget);
            let repeated = extracted.count() > 1;
            part.invalid += applied.invalid as u64;
            part.applicable += u64::from(!applied.is_empty());
            part.applicable_repeated += u64::from(repeated && !applied.is_empty());
            for outcome in &applied.outcomes {
                let best = sets.entry(keys(&outcome.precursors)).or_default();
                *best = (*best).max(extracted.count());
            }
        }
        part.outcomes = sets.len() as u64;
        let known = sets.get(reaction.reactant_keys()).copied();
        part.covered = u64::from(known.is_some());
        part.covered_repeated = u64::from(known.is_some_and(|count| count > 1));
        if let Some(known) = known {
            // Of sets with equally many precedents it is taken to stand in the middle.
            let better = sets.values().filter(|&&count| count > known).count();
            let equal = sets.values().filter(|&&count| count == known).count();
            let rank = better + equal.div_ceil(2);
            for (sum, limit) in part.by_precedents.iter_mut().zip(RANKS) {
                *sum += u64::from(rank <= limit);
            }
        }
        part.by_class.insert(class.unwrap_or(0), (1, part.covered));
        part
    }
}
