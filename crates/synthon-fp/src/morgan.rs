//! Extended connectivity (Morgan) codes: the surroundings of each atom, layer by layer.
//!
//! Every atom starts with a code of its own. In each round it takes in the codes of its
//! neighbours and the bonds to them, and the bonds seen so far grow with it. Of atoms that have
//! seen the same bonds only one counts: the first to do so, in one round that with the smallest
//! code; the others are left out from then on. As in RDKit, an atom that is left out shows the
//! code 0 to its neighbours from the next round but one.

use synthon_budget::{Budget, Stop};
use synthon_mol::{BondOrder, Element, Molecule, Neighbour};

use crate::codes::Sink;
use crate::hash::{combine, sequence};

/// Most bonds of a molecule, so that their sets fit into memory: a set of bonds for each atom and
/// round.
pub(crate) const MAX_BONDS: usize = 1 << 14;

/// Grows surroundings; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Morgan {
    /// Code of each atom in this round and in the next.
    current: Vec<u32>,
    next: Vec<u32>,
    /// Number of each bond's type, in the upper half.
    kinds: Vec<u64>,
    /// Bonds seen by each atom, a row of bits each, in this round and in the next.
    seen: Vec<u64>,
    grown: Vec<u64>,
    /// Atoms that still count.
    live: Vec<u32>,
    sets: BondSets,
}

/// The sets of bonds that were seen, with the atom that counts for each.
#[derive(Clone, Debug, Default)]
struct BondSets {
    /// One plus an index into `owners`, or 0; open addressing.
    slots: Vec<u32>,
    owners: Vec<Owner>,
    /// The sets, one row after another.
    rows: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Owner {
    code: u32,
    atom: u32,
    round: u32,
}

impl BondSets {
    /// Starts anew, with room for `sets` sets.
    fn start<const W: usize>(&mut self, sets: usize) {
        self.owners.clear();
        self.rows.clear();
        self.slots.clear();
        self.make_room::<W>(sets);
    }

    /// Makes room for `more` sets, so that at most half of the slots are used.
    fn make_room<const W: usize>(&mut self, more: usize) {
        let wanted = ((self.owners.len() + more) * 2).next_power_of_two();
        if wanted <= self.slots.len() {
            return;
        }
        self.slots.clear();
        self.slots.resize(wanted, 0);
        for (index, row) in self.rows.as_chunks::<W>().0.iter().enumerate() {
            let mut slot = first_slot(row, wanted);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (wanted - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    /// Enters the set of an atom, unless another one counts for it.
    #[inline(always)]
    fn enter<const W: usize>(&mut self, row: &[u64; W], owner: Owner) {
        let last = self.slots.len() - 1;
        let mut slot = first_slot(row, last + 1);
        loop {
            let Some(index) = (self.slots[slot] as usize).checked_sub(1) else {
                self.owners.push(owner);
                self.rows.extend_from_slice(row);
                self.slots[slot] = self.owners.len() as u32;
                return;
            };
            if self.rows.as_chunks::<W>().0[index] == *row {
                let known = &mut self.owners[index];
                if known.round == owner.round && (owner.code, owner.atom) < (known.code, known.atom)
                {
                    *known = owner;
                }
                return;
            }
            slot = (slot + 1) & last;
        }
    }
}

#[inline(always)]
fn first_slot<const W: usize>(row: &[u64; W], slots: usize) -> usize {
    let mixed = row.iter().fold(0u64, |mixed, &word| {
        (mixed.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (mixed >> 32) as usize & (slots - 1)
}

/// Atoms of this many bonds or fewer are sorted in place.
const FEW: usize = 8;

/// The codes that atoms start with: element, connections, hydrogens, charge, isotope, ring.
pub(crate) fn connectivity(molecule: &Molecule) -> impl Fn(usize) -> u32 + '_ {
    // Hydrogens that are atoms are rare.
    let plain = molecule.atoms().iter().all(|atom| atom.element() != Element::H);
    move |index| {
        let atom = molecule.atom(index);
        let folded = u32::from(atom.hydrogens());
        let excess = if atom.isotope() == 0 { 0 } else { atom.mass_excess() as i32 };
        let parts = [
            u32::from(atom.atomic_number()),
            molecule.degree(index) as u32 + folded,
            if plain { folded } else { molecule.total_hydrogens(index) as u32 },
            i32::from(atom.charge()) as u32,
            excess as u32,
        ];
        let code = sequence(&parts);
        if atom.in_ring() { combine(code, 1) } else { code }
    }
}

/// RDKit's number of a bond type.
pub(crate) fn bond_number(order: BondOrder) -> u32 {
    match order {
        BondOrder::Unspecified => 0,
        BondOrder::Single => 1,
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Quadruple => 4,
        BondOrder::Aromatic => 12,
        BondOrder::Dative => 17,
    }
}

impl Morgan {
    /// Passes the code of every distinct surrounding of up to `radius` bonds to `sink`;
    /// `start` gives the codes that atoms start with.
    pub(crate) fn codes(
        &mut self,
        molecule: &Molecule,
        radius: u32,
        start: impl FnMut(usize) -> u32,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.current.clear();
        self.current.extend((0..molecule.atom_count()).map(start));
        for &code in &self.current {
            sink.take(code.into());
        }
        if radius == 0 {
            return Ok(());
        }
        // A row is of fixed length, so that those of small molecules are mere words.
        match molecule.bond_count().div_ceil(64) {
            0 => Ok(()),
            1 => self.rounds::<1>(molecule, radius, sink, budget),
            2 => self.rounds::<2>(molecule, radius, sink, budget),
            3..=4 => self.rounds::<4>(molecule, radius, sink, budget),
            5..=16 => self.rounds::<16>(molecule, radius, sink, budget),
            17..=64 => self.rounds::<64>(molecule, radius, sink, budget),
            _ => self.rounds::<{ MAX_BONDS / 64 }>(molecule, radius, sink, budget),
        }
    }

    fn rounds<const W: usize>(
        &mut self,
        molecule: &Molecule,
        radius: u32,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let Morgan { current, next, kinds, seen, grown, live, sets } = self;
        let atoms = molecule.atom_count();
        kinds.clear();
        kinds
            .extend(molecule.bonds().iter().map(|bond| u64::from(bond_number(bond.order())) << 32));
        for rows in [&mut *seen, &mut *grown] {
            rows.clear();
            rows.resize(atoms * W, 0);
        }
        live.clear();
        live.extend((0..atoms).filter(|&i| molecule.degree(i) > 0).map(|i| i as u32));
        // Later rounds bring few new sets.
        sets.start::<W>(2 * live.len());
        for round in 0..radius {
            budget.spend(live.len() as u64)?;
            next.clear();
            next.resize(atoms, 0);
            sets.make_room::<W>(live.len());
            let first = sets.owners.len();
            let before =
                Layer { molecule, kinds, codes: current, seen: seen.as_chunks::<W>().0, round };
            let rows = grown.as_chunks_mut::<W>().0;
            for &atom in live.iter() {
                let (row, code) = before.around(atom as usize);
                rows[atom as usize] = row;
                next[atom as usize] = code;
                sets.enter(&row, Owner { code, atom, round });
            }
            let fresh = &sets.owners[first..];
            for owner in fresh {
                sink.take(owner.code.into());
            }
            if fresh.len() < live.len() {
                live.clear();
                live.extend(fresh.iter().map(|owner| owner.atom));
            }
            if live.is_empty() {
                break;
            }
            std::mem::swap(current, next);
            seen.copy_from_slice(grown);
        }
        Ok(())
    }
}

/// What is known of all atoms before a round.
struct Layer<'a, const W: usize> {
    molecule: &'a Molecule,
    kinds: &'a [u64],
    codes: &'a [u32],
    seen: &'a [[u64; W]],
    round: u32,
}

impl<const W: usize> Layer<'_, W> {
    /// The bonds that an atom has seen after the round, and its next code, from its own and its
    /// neighbours'.
    #[inline(always)]
    fn around(&self, atom: usize) -> ([u64; W], u32) {
        let neighbours = self.molecule.neighbours(atom);
        let own = combine(self.round, self.codes[atom]);
        let mut row = self.seen[atom];
        let mut pairs = [0; FEW];
        if neighbours.len() > FEW {
            return self.around_many(atom);
        }
        for (count, neighbour) in neighbours.iter().enumerate() {
            let pair = self.take_in(*neighbour, &mut row);
            let mut place = count;
            while place > 0 && pairs[place - 1] > pair {
                pairs[place] = pairs[place - 1];
                place -= 1;
            }
            pairs[place] = pair;
        }
        (row, chain(own, &pairs[..neighbours.len()]))
    }

    /// The same for an atom of many neighbours.
    #[cold]
    fn around_many(&self, atom: usize) -> ([u64; W], u32) {
        let mut row = self.seen[atom];
        let neighbours = self.molecule.neighbours(atom).iter();
        let mut pairs: Vec<u64> = neighbours.map(|n| self.take_in(*n, &mut row)).collect();
        pairs.sort_unstable();
        (row, chain(combine(self.round, self.codes[atom]), &pairs))
    }

    /// Adds what a neighbour has seen, and the bond to it; returns the bond's type (upper half)
    /// and the neighbour's code.
    #[inline(always)]
    fn take_in(&self, neighbour: Neighbour, row: &mut [u64; W]) -> u64 {
        let (other, bond) = (neighbour.atom(), neighbour.bond());
        row[bond / 64 % W] |= 1 << (bond % 64);
        row.iter_mut().zip(&self.seen[other]).for_each(|(mine, theirs)| *mine |= theirs);
        self.kinds[bond] | u64::from(self.codes[other])
    }
}

/// Mixes bond types (upper halves) and codes (lower halves) into a hash.
#[inline(always)]
fn chain(seed: u32, pairs: &[u64]) -> u32 {
    pairs.iter().fold(seed, |code, &pair| {
        combine(code, combine(combine(0, (pair >> 32) as u32), pair as u32))
    })
}
