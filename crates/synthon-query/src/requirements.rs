//! What a molecule must have for a pattern to match, as counts: a screen that costs nanoseconds.

use crate::atom_test::AtomTest;
use crate::atom_word as word;
use crate::bond_test::BondTest;
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
    pub(crate) fn new(tests: &[AtomTest], bonds: &[BondTest]) -> Self {
        let elements = |t: &AtomTest| (!t.forbidden & word::ELEMENTS) as u32;
        // One bit for each of the kinds.
        let all_kinds = u16::MAX;
        let kinds = bonds.iter().map(|b| u32::from(b.any_way_round()));
        let mut features: Vec<u128> = Vec::new();
        for test in tests {
            // A charge, mass number or mark asked for is rare, and so are odd values.
            let mut rare = test.forbidden & word::COMMON & !word::DEGREE.mask();
            while rare != 0 && features.len() < SETS {
                let (field, _) = word::BITS[rare.trailing_zeros() as usize];
                let mask = word::FIELD_MASKS[field as usize];
                let allowed = mask & !test.forbidden;
                if !features.contains(&allowed) {
                    features.push(allowed);
                }
                rare &= !mask;
            }
        }
        Requirements {
            atoms: tests.len() as u32,
            bonds: bonds.len() as u32,
            elements: counted(tests.iter().map(elements), word::ELEMENTS as u32),
            bond_kinds: counted(kinds, u32::from(all_kinds))
                .into_iter()
                .map(|(set, count)| (set as u16, count))
                .collect(),
            features,
        }
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
    let mut distinct: Vec<(u32, u32)> = Vec::new();
    for set in sets.clone().filter(|&s| s != all) {
        if distinct.iter().all(|d| d.0 != set) && distinct.len() < SETS {
            distinct.push((set, 0));
        }
    }
    for set in sets {
        for slot in distinct.iter_mut().filter(|slot| set & !slot.0 == 0) {
            slot.1 += 1;
        }
    }
    distinct.sort_by_key(|(set, _)| set.count_ones());
    distinct
}
