//! What was counted in reactions: how often templates are right, which molecules react.

use std::collections::BTreeMap;

use super::features::Experience;

/// Counts over reactions, each with a weight.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub right: Vec<f32>,
    pub applicable: Vec<f32>,
    pub reactions_of: BTreeMap<u32, f32>,
}

/// What one reaction adds to the counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    pub applicable: Vec<u32>,
    pub right: Vec<u32>,
    pub reactants: Vec<u32>,
}

impl Counts {
    pub fn new(templates: usize) -> Counts {
        Counts {
            right: vec![0.0; templates],
            applicable: vec![0.0; templates],
            reactions_of: BTreeMap::new(),
        }
    }

    /// Reactants count as they are, whatever the weight of the reaction.
    pub fn add(&mut self, seen: &Observation, weight: f32) {
        for &template in &seen.applicable {
            self.applicable[template as usize] += weight;
        }
        for &template in &seen.right {
            self.right[template as usize] += weight;
        }
        for &reactant in &seen.reactants {
            *self.reactions_of.entry(reactant).or_default() += 1.0;
        }
    }
}

/// All counts without those of one part of the reactions, for reactions of that part: a reaction
/// must not be judged by what it taught.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elsewhere<'c> {
    pub all: &'c Counts,
    pub part: &'c Counts,
}

impl Experience for Elsewhere<'_> {
    fn uses(&self, template: u32) -> [f32; 2] {
        let t = template as usize;
        // Sums of weights are not exact.
        [
            (self.all.right[t] - self.part.right[t]).max(0.0),
            (self.all.applicable[t] - self.part.applicable[t]).max(0.0),
        ]
    }

    fn reactions_of(&self, molecule: u32) -> f32 {
        let of = |counts: &Counts| counts.reactions_of.get(&molecule).copied().unwrap_or(0.0);
        of(self.all) - of(self.part)
    }
}
