//! Atom pairs: two atoms and the number of bonds between them.

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;

use crate::atom_code::{CODE_BITS, CODE_LIMIT, atom_codes};
use crate::codes::Sink;
use crate::hash::sequence;

/// Pairs further apart do not count.
const MAX_DISTANCE: u32 = 30;
const DISTANCE_BITS: u32 = 5;

/// Finds pairs; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct AtomPairs {
    codes: Vec<u32>,
    /// One plus the distance from the atom at hand, or 0.
    distance: Vec<u32>,
    queue: Vec<u32>,
}

impl AtomPairs {
    /// Passes the code of every pair to `sink`: a hash when `folded`, else both atoms' codes and
    /// the distance side by side.
    pub(crate) fn codes(
        &mut self,
        molecule: &Molecule,
        folded: bool,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        atom_codes(molecule, &mut self.codes);
        for code in &mut self.codes {
            *code %= CODE_LIMIT;
        }
        let atoms = molecule.atom_count();
        for start in 0..atoms {
            self.walk_from(molecule, start);
            budget.spend(self.queue.len() as u64)?;
            for &other in self.queue.iter().filter(|&&other| other as usize > start) {
                let (a, b) = (self.codes[start], self.codes[other as usize]);
                let (low, high) = (a.min(b), a.max(b));
                let distance = self.distance[other as usize] - 1;
                sink.take(u64::from(if folded {
                    sequence(&[low, distance, high])
                } else {
                    distance | low << DISTANCE_BITS | high << (DISTANCE_BITS + CODE_BITS)
                }));
            }
        }
        Ok(())
    }

    /// Breadth first from an atom; `queue` holds the atoms reached.
    fn walk_from(&mut self, molecule: &Molecule, start: usize) {
        self.distance.clear();
        self.distance.resize(molecule.atom_count(), 0);
        self.queue.clear();
        self.queue.push(start as u32);
        self.distance[start] = 1;
        let mut next = 0;
        while let Some(&atom) = self.queue.get(next) {
            next += 1;
            let further = self.distance[atom as usize] + 1;
            if further > MAX_DISTANCE + 1 {
                break;
            }
            for neighbour in molecule.neighbours(atom as usize) {
                if self.distance[neighbour.atom()] == 0 {
                    self.distance[neighbour.atom()] = further;
                    self.queue.push(neighbour.atom() as u32);
                }
            }
        }
    }
}
