//! Our own fingerprint: a screen for common substructures.
//!
//! Where molecule A is a substructure of B (elements equal, single, double and aromatic bonds
//! taken for each other, every other bond only for its own kind), the bits of A are a subset of
//! those of B; so a bit of A that B lacks proves that A is not in B. The parts are the atoms, the
//! simple paths and the rings of up to `max_path` bonds, without charge, isotope, hydrogens,
//! stereo or whether a bond is aromatic: what could differ under a match is left out. An
//! embedding maps different parts of A to different parts of B, so that how often a part occurs
//! can tell too: each has one bit for 1, 2, 4 and 8 occurrences. Bonds of unknown order, which
//! match any, are passed over.
//!
//! The same holds under stricter chemistry (charges, rings, stereo), but not where bond orders or
//! elements are ignored.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use synthon_budget::{Budget, Stop};
use synthon_mol::{BondOrder, Molecule};

use crate::codes::Sink;

/// Occurrences that have a bit.
const BOUNDS: [u32; 4] = [1, 2, 4, 8];

/// The base of the two polynomials that a path is hashed with.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Finds paths and rings; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct McsScreen {
    on_path: Vec<bool>,
    occurrences: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
}

/// Takes keys that are well mixed already.
#[derive(Clone, Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("the keys are u64");
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A path from its first atom to its last: its hash read forwards and backwards.
#[derive(Clone, Copy)]
struct Path {
    first: usize,
    second: usize,
    last: usize,
    bonds: usize,
    forwards: u64,
    backwards: u64,
    /// Weight of the last atom in `forwards`.
    weight: u64,
    /// Sum over the bonds, for a ring, which has no ends.
    around: u64,
}

/// What stays the same while paths grow.
struct Walk<'a, S> {
    molecule: &'a Molecule,
    max: usize,
    sink: &'a mut S,
    budget: &'a mut Budget,
}

impl McsScreen {
    /// Passes the codes of a molecule to `sink`.
    pub(crate) fn codes(
        &mut self,
        molecule: &Molecule,
        max: usize,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.on_path.clear();
        self.on_path.resize(molecule.atom_count(), false);
        self.occurrences.clear();
        let mut walk = Walk { molecule, max, sink, budget };
        for first in 0..molecule.atom_count() {
            let atom = atom_number(molecule, first);
            self.count(mix(atom), walk.sink);
            let path = Path {
                first,
                second: first,
                last: first,
                bonds: 0,
                forwards: atom,
                backwards: atom,
                weight: 1,
                around: 0,
            };
            self.on_path[first] = true;
            self.extend(path, &mut walk)?;
            self.on_path[first] = false;
        }
        Ok(())
    }

    /// Goes on from the last atom of a path, `max` bonds deep.
    fn extend<S: Sink>(&mut self, path: Path, walk: &mut Walk<'_, S>) -> Result<(), Stop> {
        let molecule = walk.molecule;
        for neighbour in molecule.neighbours(path.last) {
            let Some(bond) = bond_number(molecule.bond(neighbour.bond()).order()) else { continue };
            let atom = neighbour.atom();
            walk.budget.tick()?;
            let ends = [atom_number(molecule, path.last), atom_number(molecule, atom)];
            let around = path.around.wrapping_add(mix(bond
                .wrapping_add(ends[0].min(ends[1]).wrapping_mul(BASE))
                .wrapping_add(ends[0].max(ends[1]).wrapping_mul(BASE).wrapping_mul(BASE))));
            // A ring is found from its first atom, one way round.
            if atom == path.first && path.bonds >= 2 && path.second < path.last {
                self.count(mix(around.wrapping_add(path.bonds as u64)), walk.sink);
            }
            if self.on_path[atom] {
                continue;
            }
            let weights = [path.weight.wrapping_mul(BASE), path.weight.wrapping_mul(BASE_SQUARED)];
            let longer = Path {
                second: if path.bonds == 0 { atom } else { path.second },
                last: atom,
                bonds: path.bonds + 1,
                forwards: path
                    .forwards
                    .wrapping_add(bond.wrapping_mul(weights[0]))
                    .wrapping_add(ends[1].wrapping_mul(weights[1])),
                backwards: path
                    .backwards
                    .wrapping_mul(BASE)
                    .wrapping_add(bond)
                    .wrapping_mul(BASE)
                    .wrapping_add(ends[1]),
                weight: weights[1],
                around,
                ..path
            };
            // A path is found from either end, and counted from one.
            if path.first < atom {
                let (low, high) =
                    (longer.forwards.min(longer.backwards), longer.forwards.max(longer.backwards));
                self.count(mix(mix(low).wrapping_add(high)), walk.sink);
            }
            if longer.bonds < walk.max {
                self.on_path[atom] = true;
                self.extend(longer, walk)?;
                self.on_path[atom] = false;
            }
        }
        Ok(())
    }

    /// Counts a part, and passes a code on where a bound is reached.
    fn count(&mut self, part: u64, sink: &mut impl Sink) {
        let count = self.occurrences.entry(part).or_default();
        *count = count.saturating_add(1);
        if let Some(bound) = BOUNDS.iter().position(|bound| bound == count) {
            sink.take(mix(part.wrapping_add(bound as u64)));
        }
    }
}

const BASE_SQUARED: u64 = BASE.wrapping_mul(BASE);

fn atom_number(molecule: &Molecule, atom: usize) -> u64 {
    u64::from(molecule.atom(atom).atomic_number()) + 1
}

/// Kinds of bonds that never match each other; `None` for one that matches any.
fn bond_number(order: BondOrder) -> Option<u64> {
    match order {
        BondOrder::Single | BondOrder::Double | BondOrder::Aromatic => Some(201),
        BondOrder::Triple => Some(202),
        BondOrder::Quadruple => Some(203),
        BondOrder::Dative => Some(204),
        BondOrder::Unspecified => None,
    }
}

/// Spreads a number over all bits (the finaliser of SplitMix64, Steele and others 2014).
fn mix(number: u64) -> u64 {
    let mut word = number.wrapping_add(BASE);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
