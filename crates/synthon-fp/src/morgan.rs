//! Extended connectivity (Morgan) codes: the surroundings of each atom, layer by layer.
//!
//! Every atom starts with a code of its own. In each round it takes in the codes of its
//! neighbours and the bonds to them, and the bonds seen so far grow with it. Of atoms that have
//! seen the same bonds only one counts: the first to do so, in one round that with the smallest
//! code; the others are left out from then on. As in RDKit, an atom that is left out shows the
//! code 0 to its neighbours from the next round but one.

use synthon_budget::{Budget, Stop};
use synthon_mol::{BondOrder, Molecule};

use crate::codes::Sink;
use crate::hash::{combine, sequence};

/// Grows surroundings; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Morgan {
    /// Code of each atom in this round and in the next.
    current: Vec<u32>,
    next: Vec<u32>,
    /// Bonds seen by each atom, a row of bits each, in this round and in the next.
    seen: Vec<u64>,
    grown: Vec<u64>,
    /// Atoms that still count.
    live: Vec<u32>,
    /// Bond and code of each neighbour of the atom at hand.
    around: Vec<u64>,
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
    fn clear(&mut self) {
        self.slots.clear();
        self.owners.clear();
        self.rows.clear();
    }

    /// Makes room for `more` sets of `words` words, so that at most half of the slots are used.
    fn make_room(&mut self, more: usize, words: usize) {
        let wanted = ((self.owners.len() + more) * 2).next_power_of_two();
        if wanted <= self.slots.len() {
            return;
        }
        self.slots.clear();
        self.slots.resize(wanted, 0);
        for (index, row) in self.rows.chunks_exact(words).enumerate() {
            let mut slot = Self::first_slot(row, wanted);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (wanted - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    #[inline]
    fn first_slot(row: &[u64], slots: usize) -> usize {
        let mixed = row.iter().fold(0u64, |mixed, &word| {
            (mixed.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        (mixed >> 32) as usize & (slots - 1)
    }

    /// Enters the set of an atom, unless another one counts for it.
    #[inline]
    fn enter(&mut self, row: &[u64], owner: Owner) {
        let last = self.slots.len() - 1;
        let mut slot = Self::first_slot(row, last + 1);
        loop {
            let Some(index) = (self.slots[slot] as usize).checked_sub(1) else {
                self.owners.push(owner);
                self.rows.extend_from_slice(row);
                self.slots[slot] = self.owners.len() as u32;
                return;
            };
            if self.rows[index * row.len()..][..row.len()] == *row {
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

/// The code that an atom starts with: element, connections, hydrogens, charge, isotope, ring.
pub(crate) fn connectivity(molecule: &Molecule, index: usize) -> u32 {
    let atom = molecule.atom(index);
    let folded = u32::from(atom.hydrogens());
    let parts = [
        u32::from(atom.atomic_number()),
        molecule.degree(index) as u32 + folded,
        molecule.total_hydrogens(index) as u32,
        i32::from(atom.charge()) as u32,
        atom.mass_excess() as i32 as u32,
        1,
    ];
    sequence(if atom.in_ring() { &parts } else { &parts[..5] })
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
        // Small molecules get loops of fixed length.
        match molecule.bond_count().div_ceil(64) {
            0 => Ok(()),
            1 => self.rounds(molecule, radius, 1, sink, budget),
            2 => self.rounds(molecule, radius, 2, sink, budget),
            words => self.rounds(molecule, radius, words, sink, budget),
        }
    }

    #[inline(always)]
    fn rounds(
        &mut self,
        molecule: &Molecule,
        radius: u32,
        words: usize,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let atoms = molecule.atom_count();
        self.seen.clear();
        self.seen.resize(atoms * words, 0);
        self.grown.clear();
        self.grown.resize(atoms * words, 0);
        self.live.clear();
        self.live.extend((0..atoms).filter(|&i| molecule.degree(i) > 0).map(|i| i as u32));
        self.sets.clear();
        for round in 0..radius {
            budget.spend(self.live.len() as u64)?;
            self.next.clear();
            self.next.resize(atoms, 0);
            self.sets.make_room(self.live.len(), words);
            let first = self.sets.owners.len();
            for &atom in &self.live {
                let row = atom as usize * words..(atom as usize + 1) * words;
                self.around.clear();
                let grown = &mut self.grown[row.clone()];
                grown.copy_from_slice(&self.seen[row]);
                for neighbour in molecule.neighbours(atom as usize) {
                    let (other, bond) = (neighbour.atom(), neighbour.bond());
                    grown[bond / 64] |= 1 << (bond % 64);
                    let theirs = &self.seen[other * words..(other + 1) * words];
                    grown.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine |= theirs);
                    let kind = bond_number(molecule.bond(bond).order());
                    self.around.push(u64::from(kind) << 32 | u64::from(self.current[other]));
                }
                self.around.sort_unstable();
                let mut code = combine(round, self.current[atom as usize]);
                for &pair in &self.around {
                    code = combine(code, sequence(&[(pair >> 32) as u32, pair as u32]));
                }
                self.next[atom as usize] = code;
                let owner = Owner { code, atom, round };
                self.sets.enter(&self.grown[atom as usize * words..][..words], owner);
            }
            let fresh = &self.sets.owners[first..];
            for owner in fresh {
                sink.take(owner.code.into());
            }
            if fresh.len() < self.live.len() {
                self.live.clear();
                self.live.extend(fresh.iter().map(|owner| owner.atom));
            }
            if self.live.is_empty() {
                break;
            }
            std::mem::swap(&mut self.current, &mut self.next);
            self.seen.copy_from_slice(&self.grown);
        }
        Ok(())
    }
}
