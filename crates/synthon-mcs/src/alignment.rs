//! Which of several ways to lay a core on each molecule of a series makes the best table.
//!
//! A way is a list of what hangs on each place of the core. The best table has the fewest groups
//! at places without a label, then the most pairs of equal groups in the same column, then the
//! fewest columns. Ways are chosen for one molecule after the other, those with the most groups first,
//! and then changed one at a time for as long as that helps: a local optimum, the same for every
//! order of the molecules.

use std::collections::BTreeMap;

/// What hangs on the core in one way to lay it: place and group, sorted.
pub(crate) type Way = Vec<(u32, String)>;

/// Sweeps over all molecules after which the search for a better table ends.
const MOST_SWEEPS: usize = 20;

/// The table as counts.
struct Table<'a> {
    labelled: &'a [bool],
    /// How many molecules have the group at the place.
    groups: BTreeMap<(u32, &'a str), i64>,
    /// By place: how many molecules have so many groups there.
    occupied: Vec<BTreeMap<usize, usize>>,
}

impl<'a> Table<'a> {
    fn counts(way: &Way) -> BTreeMap<u32, usize> {
        let mut counts = BTreeMap::new();
        for (place, _) in way {
            *counts.entry(*place).or_insert(0) += 1;
        }
        counts
    }

    fn add(&mut self, way: &'a Way) {
        for (place, group) in way {
            *self.groups.entry((*place, group)).or_insert(0) += 1;
        }
        for (place, count) in Self::counts(way) {
            *self.occupied[place as usize].entry(count).or_insert(0) += 1;
        }
    }

    fn remove(&mut self, way: &'a Way) {
        for (place, group) in way {
            if let Some(count) = self.groups.get_mut(&(*place, group.as_str())) {
                *count -= 1;
            }
        }
        for (place, count) in Self::counts(way) {
            let column = &mut self.occupied[place as usize];
            if let Some(molecules) = column.get_mut(&count) {
                *molecules -= 1;
                if *molecules == 0 {
                    column.remove(&count);
                }
            }
        }
    }

    /// What the way costs beside the others: groups without a label, pairs of equal groups
    /// (negated), new columns.
    fn cost(&self, way: &'a Way) -> (usize, i64, usize) {
        let free = if self.labelled.contains(&true) {
            way.iter().filter(|(place, _)| !self.labelled[*place as usize]).count()
        } else {
            0
        };
        let columns = Self::counts(way)
            .into_iter()
            .map(|(place, count)| {
                let there = self.occupied[place as usize].keys().next_back().copied().unwrap_or(0);
                count.saturating_sub(there)
            })
            .sum();
        let agreement: i64 = way
            .iter()
            .map(|(place, group)| self.groups.get(&(*place, group.as_str())).copied().unwrap_or(0))
            .sum();
        (free, -agreement, columns)
    }

    /// The cheapest way; of equals the first in the order of the texts.
    fn cheapest(&self, ways: &'a [Way]) -> usize {
        (0..ways.len()).min_by_key(|&i| (self.cost(&ways[i]), &ways[i])).unwrap_or(0)
    }
}

/// The chosen way of each molecule. `ways` holds at least one for each; `labelled` says which
/// places of the core have a label.
pub(crate) fn align(ways: &[Vec<Way>], labelled: &[bool]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by_key(|&m| (std::cmp::Reverse(ways[m][0].len()), ways[m].iter().min()));
    let mut table = Table {
        labelled,
        groups: BTreeMap::new(),
        occupied: vec![BTreeMap::new(); labelled.len()],
    };
    let mut chosen = vec![0; ways.len()];
    for &molecule in &order {
        chosen[molecule] = table.cheapest(&ways[molecule]);
        table.add(&ways[molecule][chosen[molecule]]);
    }
    for _ in 0..MOST_SWEEPS {
        let mut changed = false;
        for &molecule in order.iter().filter(|&&m| ways[m].len() > 1) {
            let old = chosen[molecule];
            table.remove(&ways[molecule][old]);
            let new = table.cheapest(&ways[molecule]);
            let better = table.cost(&ways[molecule][new]) < table.cost(&ways[molecule][old]);
            if better {
                chosen[molecule] = new;
                changed = true;
            }
            table.add(&ways[molecule][chosen[molecule]]);
        }
        if !changed {
            break;
        }
    }
    chosen
}
