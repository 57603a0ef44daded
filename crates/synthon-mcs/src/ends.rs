//! How many bonds can still be matched, counted at their ends.
//!
//! An open bond between two open atoms counts one at either end; a bond at the fringe, whose
//! inner end is placed, counts two at the outer. What an atom can get depends on where it goes,
//! and no two atoms go to one place: the bound is that of an assignment of atoms to places
//! (Raymond, Gardiner and Willett 2002 bound by degrees and by assignments), level by level of
//! what is got, each level bounded by the rows and columns that reach it.

use crate::bits::Bits;
use crate::problem::{Problem, bound};

/// Levels told apart: more than twice the greatest number of neighbours of a query atom.
const LEVELS: usize = 16;

/// The largest molecules for which the table is made.
const MOST_ATOMS: usize = 256;

/// A bond at the fringe: its index, its outer end and the places for that.
pub(crate) type Outer<const W: usize> = (usize, usize, Bits<W>);

/// How many ends can be got, and how many open atoms can get one at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Most {
    pub(crate) ends: usize,
    pub(crate) atoms: usize,
}

/// What each pair can get at most, and the buffers of the bound.
pub(crate) struct Ends {
    /// `most[q * width + t]`: bonds of `q` that can be matched on bonds of `t`.
    most: Vec<u8>,
    width: usize,
    /// Group of the atoms of either side.
    query_group: Vec<u8>,
    target_group: Vec<u8>,
    open: Vec<u8>,
    /// What a query atom can get now, place by place.
    row: Vec<u8>,
    /// The most that each place can give.
    columns: Vec<u8>,
    /// Of each group of atoms: how many rows and how many columns reach each value at most.
    reached: Vec<[[u16; LEVELS]; 2]>,
}

impl Ends {
    /// `None` where the table would not pay or not hold.
    pub(crate) fn new<const W: usize>(problem: &Problem<W>) -> Option<Self> {
        let (query, target) = (&problem.query, &problem.target);
        let groups = problem.atom_groups.len();
        let crowded = query.neighbours.iter().any(|around| 2 * around.len() >= LEVELS);
        if crowded || target.atoms > MOST_ATOMS || groups > 255 {
            return None;
        }
        let width = target.atoms.next_multiple_of(16);
        let mut most = vec![0; query.atoms * width];
        for q in 0..query.atoms {
            for t in problem.domain[q].iter() {
                let bonds = bound(&problem.bond_groups, &query.incident[q], &target.incident[t]);
                most[q * width + t] = bonds as u8;
            }
        }
        let mut query_group = vec![0; query.atoms];
        let mut target_group = vec![0; target.atoms];
        for (index, group) in problem.atom_groups.iter().enumerate() {
            group.query.iter().for_each(|q| query_group[q] = index as u8);
            group.target.iter().for_each(|t| target_group[t] = index as u8);
        }
        Some(Ends {
            most,
            width,
            query_group,
            target_group,
            open: vec![0; width],
            row: vec![0; width],
            columns: vec![0; width],
            reached: vec![[[0; LEVELS]; 2]; groups],
        })
    }

    /// The most that comes of the bonds at the fringe and of those of `far`, with both ends open,
    /// when the target atoms `free` are places.
    pub(crate) fn bound<const W: usize>(
        &mut self,
        problem: &Problem<W>,
        far: &Bits<W>,
        fringe: &[Outer<W>],
        free: &Bits<W>,
    ) -> Most {
        self.open.fill(0);
        for t in free.iter() {
            self.open[t] = problem.target.adjacent[t].common(free) as u8;
        }
        self.columns.fill(0);
        self.reached.fill([[0; LEVELS]; 2]);
        let outer = fringe.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &(_, q, _)| {
            all.insert(q);
            all
        });
        for q in problem.query.ends_of(far).or(&outer).iter() {
            let degree = problem.query.incident[q].common(far) as u8;
            let most = &self.most[q * self.width..][..self.width];
            for ((value, &most), &open) in self.row.iter_mut().zip(most).zip(&self.open) {
                *value = most.min(open).min(degree);
            }
            if outer.contains(q) {
                for (_, _, options) in fringe.iter().filter(|&&(_, outer, _)| outer == q) {
                    options.iter().for_each(|t| self.row[t] += 2);
                }
            }
            let mut best = 0;
            for (column, &value) in self.columns.iter_mut().zip(&self.row) {
                *column = value.max(*column);
                best = value.max(best);
            }
            let group = usize::from(self.query_group[q]);
            self.reached[group][0][usize::from(best)] += 1;
        }
        for t in free.iter() {
            let group = usize::from(self.target_group[t]);
            self.reached[group][1][usize::from(self.columns[t])] += 1;
        }
        let mut all = Most { ends: 0, atoms: 0 };
        for [rows, columns] in &self.reached {
            let (mut above, mut pairs) = ((0, 0), 0);
            for level in (1..LEVELS).rev() {
                above = (above.0 + rows[level], above.1 + columns[level]);
                pairs = usize::from(above.0.min(above.1));
                all.ends += pairs;
            }
            all.atoms += pairs;
        }
        all
    }
}
