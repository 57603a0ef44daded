//! What a molecule must have for a pattern to match, as counts: a screen that costs nanoseconds.

use crate::atom_word as word;
use crate::bond_test::{BondTest, CLASSES};
use crate::plan::Plan;
use crate::target::TargetProfile;

/// Counts that a target must reach. Sets of patterns can be indexed by it: a target that does
/// not [`allow`](Requirements::allow) a pattern cannot match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    atoms: u32,
    bonds: u32,
    /// A set of element buckets, and how many atoms of the target must lie in it.
    elements: Vec<(u32, u32)>,
    /// A set of bond kinds, and how many bonds of the target must be of them.
    bond_kinds: Vec<(u16, u32)>,
    /// For every query atom with a rare demand: bits of which the target must have one.
    features: Vec<u128>,
}

/// How many different sets are counted; more would cost more than they save.
const SETS: usize = 6;

impl Requirements {
    pub(crate) fn new(plan: &Plan, bonds: &[BondTest]) -> Self {
        let mut needs = Requirements {
            atoms: plan.steps.len() as u32,
            bonds: bonds.len() as u32,
            ..Requirements::default()
        };
        let element_sets = plan.steps.iter().map(|s| (!s.test.forbidden & word::ELEMENTS) as u32);
        needs.elements = counted(element_sets, word::ELEMENTS as u32);
        let all = (1u16 << CLASSES) - 1;
        needs.bond_kinds =
            counted(bonds.iter().map(|b| u32::from(b.any_way_round())), u32::from(all))
                .into_iter()
                .map(|(set, count)| (set as u16, count))
                .collect();
        for step in &plan.steps {
            for mask in word::field_masks().filter(|&m| m != word::ELEMENTS) {
                let allowed = mask & !step.test.forbidden;
                if allowed != mask
                    && !needs.features.contains(&allowed)
                    && needs.features.len() < SETS
                {
                    needs.features.push(allowed);
                }
            }
        }
        needs
    }

    /// Whether a target reaches all counts. `false` proves that the pattern does not match.
    pub fn allow(&self, target: &TargetProfile) -> bool {
        self.atoms as usize <= target.words.len()
            && 2 * self.bonds as usize <= target.neighbours.len()
            && self.elements.iter().all(|&(set, least)| reaches(set, least, &target.element_counts))
            && self
                .bond_kinds
                .iter()
                .all(|&(set, least)| reaches(u32::from(set), least, &target.bond_counts))
            && self.features.iter().all(|&allowed| target.occurring & allowed != 0)
    }
}

/// Whether the counts of a set of buckets add up to at least `least`.
#[inline]
fn reaches(mut set: u32, least: u32, counts: &[u32]) -> bool {
    let mut sum = 0;
    while set != 0 {
        sum += counts[set.trailing_zeros() as usize];
        if sum >= least {
            return true;
        }
        set &= set - 1;
    }
    sum >= least
}

/// For each of the smallest sets: how many of the given sets lie inside it.
fn counted(sets: impl Iterator<Item = u32> + Clone, all: u32) -> Vec<(u32, u32)> {
    let mut distinct: Vec<u32> = Vec::with_capacity(SETS);
    for set in sets.clone().filter(|&s| s != all) {
        if !distinct.contains(&set) && distinct.len() < SETS {
            distinct.push(set);
        }
    }
    distinct.sort_by_key(|set| set.count_ones());
    distinct
        .into_iter()
        .map(|set| (set, sets.clone().filter(|s| s & !set == 0).count() as u32))
        .collect()
}
