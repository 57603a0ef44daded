//! RDKit's path codes: all connected sets of bonds of a few sizes, branched ones too.
//!
//! Each set is reached exactly once: from its first bond, by bonds that were not offered before
//! (the enumeration of Wernicke 2006, on bonds). A bond's hash depends on how many bonds of the
//! set its ends have; the hashes of a set, sorted, and its number of atoms make the code.

use std::ops::Range;

use synthon_budget::{Budget, Stop};
use synthon_mol::{BondOrder, Molecule};

use crate::codes::Sink;
use crate::hash::{combine, first_random, sequence};
use crate::morgan::bond_number;

/// Most bonds of a set.
pub(crate) const MAX_BONDS: usize = 16;

/// Enumerates sets of bonds; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subgraphs {
    /// The ends of each bond, that with the larger code first.
    ends: Vec<[u32; 2]>,
    /// Hash of each bond for all numbers of bonds that the set may have at its ends.
    hashes: Vec<u32>,
    /// Bonds that have been offered, are in the set, or come before its first.
    offered: Vec<bool>,
    /// Bonds of the set at each atom.
    degree: Vec<u32>,
    /// The set at hand.
    chosen: Vec<u32>,
    /// Bonds on offer, a stretch for each bond of the set.
    offers: Vec<u32>,
    /// Distinct atoms of the set.
    atoms: u32,
}

/// What stays the same while sets grow.
struct Walk<'a, S> {
    molecule: &'a Molecule,
    min: usize,
    max: usize,
    sink: &'a mut S,
    budget: &'a mut Budget,
}

impl Subgraphs {
    /// Passes two codes for every set of `min` to `max` bonds to `sink`.
    pub(crate) fn codes(
        &mut self,
        molecule: &Molecule,
        min: usize,
        max: usize,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.prepare(molecule, max);
        let mut walk = Walk { molecule, min, max, sink, budget };
        for first in 0..molecule.bond_count() {
            if !std::mem::replace(&mut self.offered[first], true) {
                self.offers.clear();
                self.grow(first as u32, 0..0, &mut walk)?;
            }
        }
        Ok(())
    }

    fn prepare(&mut self, molecule: &Molecule, max: usize) {
        // A bond of unknown order is part of no set.
        self.offered.clear();
        self.offered.extend(molecule.bonds().iter().map(|b| b.order() == BondOrder::Unspecified));
        self.degree.clear();
        self.degree.resize(molecule.atom_count(), 0);
        self.chosen.clear();
        self.atoms = 0;
        self.ends.clear();
        self.hashes.clear();
        self.hashes.resize(molecule.bond_count() * max * max, 0);
        for (bond, hashes) in molecule.bonds().iter().zip(self.hashes.chunks_mut(max * max)) {
            let mut ends = [bond.begin(), bond.end()];
            let code = |index: usize| {
                let atom = molecule.atom(index);
                u32::from(atom.atomic_number() % 128) << 1 | u32::from(atom.is_aromatic())
            };
            ends.sort_by_key(|&atom| std::cmp::Reverse(code(atom)));
            let codes = ends.map(code);
            let most = ends.map(|atom| molecule.degree(atom).min(max));
            for first in 1..=most[0] {
                for second in 1..=most[1] {
                    // Of ends with the same code, that with more bonds comes first.
                    let (low, high) = (first.min(second) as u32, first.max(second) as u32);
                    let degrees = if codes[0] == codes[1] {
                        [high, low]
                    } else {
                        [first as u32, second as u32]
                    };
                    let parts =
                        [bond_number(bond.order()), codes[0], degrees[0], codes[1], degrees[1]];
                    let adjacent = (first + second - 2) as u32;
                    hashes[(first - 1) * max + second - 1] =
                        parts.iter().fold(adjacent, |hash, &part| combine(hash, part));
                }
            }
            self.ends.push(ends.map(|atom| atom as u32));
        }
    }

    /// Adds a bond to the set, then what is on offer after it; goes `max` bonds deep.
    fn grow<S: Sink>(
        &mut self,
        bond: u32,
        inherited: Range<usize>,
        walk: &mut Walk<'_, S>,
    ) -> Result<(), Stop> {
        self.put(bond);
        if self.chosen.len() >= walk.min {
            walk.budget.tick()?;
            self.emit(walk.max, walk.sink);
        }
        if self.chosen.len() < walk.max {
            let start = self.offers.len();
            self.offers.extend_from_within(inherited);
            let added = self.offers.len();
            for atom in self.ends[bond as usize] {
                for neighbour in walk.molecule.neighbours(atom as usize) {
                    if !std::mem::replace(&mut self.offered[neighbour.bond()], true) {
                        self.offers.push(neighbour.bond() as u32);
                    }
                }
            }
            let end = self.offers.len();
            for index in (start..end).rev() {
                self.grow(self.offers[index], start..index, walk)?;
            }
            for index in added..end {
                self.offered[self.offers[index] as usize] = false;
            }
            self.offers.truncate(start);
        }
        self.take_back(bond);
        Ok(())
    }

    fn put(&mut self, bond: u32) {
        self.chosen.push(bond);
        for atom in self.ends[bond as usize] {
            let degree = &mut self.degree[atom as usize];
            self.atoms += u32::from(*degree == 0);
            *degree += 1;
        }
    }

    fn take_back(&mut self, bond: u32) {
        self.chosen.pop();
        for atom in self.ends[bond as usize] {
            let degree = &mut self.degree[atom as usize];
            *degree -= 1;
            self.atoms -= u32::from(*degree == 0);
        }
    }

    /// The codes of the set at hand.
    fn emit(&self, max: usize, sink: &mut impl Sink) {
        let mut hashes = [0; MAX_BONDS + 1];
        for (hash, &bond) in hashes.iter_mut().zip(&self.chosen) {
            let [first, second] =
                self.ends[bond as usize].map(|a| self.degree[a as usize] as usize);
            *hash = self.hashes[bond as usize * max * max + (first - 1) * max + second - 1];
        }
        let size = self.chosen.len();
        let code = if size == 1 {
            hashes[0]
        } else {
            hashes[..size].sort_unstable();
            hashes[size] = self.atoms;
            sequence(&hashes[..=size])
        };
        sink.take(code.into());
        sink.take(first_random(code).into());
    }
}
