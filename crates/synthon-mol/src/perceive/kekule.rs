//! Placing single and double bonds in aromatic rings.
//!
//! Atoms that must have a double bond are matched in pairs along aromatic bonds: first greedily,
//! in the order in which RDKit walks a ring system, so that the same form is chosen where it
//! matters; what is left over is matched by augmenting paths (Edmonds 1965), so that a form is
//! found whenever there is one.

use super::rings::Systems;
use super::{Draft, repair};
use crate::{BondOrder, Element, MolError, MolErrorKind, Rings};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Atoms in the order in which a walk comes to them.
type Queue = SmallVec<[u32; 64]>;

const NONE: u32 = u32::MAX;

/// Atom belongs to the ring system at work.
const INSIDE: u8 = 1;
/// Atom is to get a double bond.
const WANTS: u8 = 2;
/// Atom has been walked over.
const DONE: u8 = 4;
/// Atom has been put in the queue of the walk.
const QUEUED: u8 = 8;

/// Gives every aromatic bond in or at a ring its single or double order and clears the aromatic
/// marks; they are set anew by the model.
pub(super) fn assign(
    draft: &mut Draft,
    rings: &Rings,
    systems: &Systems,
    text: Option<(&str, usize)>,
) -> Result<(), MolError> {
    if !draft.any_aromatic {
        return Ok(());
    }
    for bond in &mut draft.bonds {
        let in_system = |atom: u32| draft.atoms[atom as usize].smallest_ring != 0;
        if bond.order == BondOrder::Aromatic && (in_system(bond.begin) || in_system(bond.end)) {
            bond.kekule = BondOrder::Single;
        }
    }
    let mut queue = Queue::new();
    for atoms in systems.iter() {
        let mut system = System { atoms, draft, queue: &mut queue };
        if !system.place(rings) {
            return Err(repair::cannot_kekulise(draft, atoms, text));
        }
    }
    let mut left_over = false;
    for bond in &mut draft.bonds {
        // Only bonds outside rings, between atoms that are not marked, are still aromatic.
        bond.order = bond.kekule;
        if bond.order == BondOrder::Aromatic {
            bond.kekule = BondOrder::Single;
            left_over = true;
        }
    }
    if left_over || draft.any_wildcard {
        draft.count_bonds();
    }
    let counted = left_over || draft.any_wildcard;
    for atom in 0..draft.atoms.len() {
        let state = &mut draft.state[atom];
        if !counted {
            // Each aromatic bond became a single one, or the double one to the partner.
            state.halves -= u16::from(state.aromatic_bonds);
            state.halves += 2 * u16::from(state.mate != NONE);
        }
        if !draft.atoms[atom].aromatic {
            continue;
        }
        if draft.atoms[atom].smallest_ring == 0 {
            return Err(MolError::new(
                MolErrorKind::AromaticOutsideRing,
                format!("non-ring atom {atom} marked aromatic"),
            )
            .with_atoms(vec![atom as u32])
            .at(super::valence::span(draft, atom))
            .with_hint("small letters mark atoms of aromatic rings; write this one in capitals"));
        }
        draft.atoms[atom].aromatic = false;
        let state = &mut draft.state[atom];
        if matches!(draft.atoms[atom].element, Element::N | Element::P)
            && draft.atoms[atom].charge == 0
            && state.explicit_hydrogens == 1
        {
            // The hydrogen of a pyrrole is implied in the kekulé form.
            state.no_implicit = false;
            state.explicit_hydrogens = 0;
            state.aromatic_environment = false;
            let valence = super::valence::explicit_valence(draft, atom);
            let implied = super::valence::implicit_hydrogens(draft, atom, valence).unwrap_or(0);
            let state = &mut draft.state[atom];
            state.explicit_valence = valence.min(255) as u8;
            state.implicit_hydrogens = implied.min(255) as u8;
            state.aromatic_environment = true;
        }
    }
    Ok(())
}

/// Whether an atom may get a double bond in a ring system; for the message when that fails.
pub(super) fn wanted_double_bond(draft: &Draft, atom: u32) -> bool {
    draft.state[atom as usize].marks & WANTS != 0
}

/// One ring system at work.
struct System<'a> {
    atoms: &'a [u32],
    draft: &'a mut Draft,
    queue: &'a mut Queue,
}

impl System<'_> {
    fn has(&self, atom: u32, mark: u8) -> bool {
        self.draft.state[atom as usize].marks & mark != 0
    }

    fn set(&mut self, atom: u32, mark: u8) {
        self.draft.state[atom as usize].marks |= mark;
    }

    fn is_wildcard(&self, atom: u32) -> bool {
        self.draft.atoms[atom as usize].element.is_wildcard()
    }

    fn takes_part(&self, atom: u32) -> bool {
        self.draft.state[atom as usize].aromatic_environment || self.is_wildcard(atom)
    }

    /// Whether the atom is to get a double bond and has none yet.
    fn is_free(&self, atom: u32) -> bool {
        let state = &self.draft.state[atom as usize];
        state.marks & WANTS != 0 && state.mate == NONE
    }

    fn mate(&self, atom: u32) -> u32 {
        self.draft.state[atom as usize].mate
    }

    fn pair(&mut self, a: u32, b: u32) {
        self.draft.state[a as usize].mate = b;
        self.draft.state[b as usize].mate = a;
    }

    /// Places the double bonds; false if that is not possible.
    fn place(&mut self, rings: &Rings) -> bool {
        if !self.atoms.iter().any(|&a| self.takes_part(a)) {
            return true;
        }
        for &atom in self.atoms {
            // Rings of wildcards alone are left as they are.
            let inside = !self.draft.any_wildcard
                || !self.is_wildcard(atom)
                || rings
                    .iter()
                    .any(|r| r.contains(&atom) && !r.iter().all(|&other| self.is_wildcard(other)));
            self.draft.state[atom as usize].marks = if inside { INSIDE } else { 0 };
        }
        for &atom in self.atoms {
            let state = &self.draft.state[atom as usize];
            let mark = if state.aromatic_environment && !self.is_wildcard(atom) {
                if wants_double_bond(self.draft, atom as usize) { WANTS } else { 0 }
            } else if !self.is_wildcard(atom) {
                DONE
            } else if self.has(atom, INSIDE) && self.wildcard_may_take_part(rings, atom) {
                WANTS
            } else {
                0
            };
            self.set(atom, mark);
        }
        self.walk();
        let mut moved = false;
        for &atom in self.atoms {
            if self.is_free(atom) && !self.is_wildcard(atom) {
                if !self.augment(atom) {
                    return false;
                }
                moved = true;
            }
        }
        if moved {
            self.place_anew();
        }
        true
    }

    /// Sets the orders from the pairs, after some of them changed.
    fn place_anew(&mut self) {
        for &atom in self.atoms {
            let mate = self.mate(atom);
            for i in self.draft.offsets[atom as usize]..self.draft.offsets[atom as usize + 1] {
                let n = self.draft.neighbours[i as usize];
                let inside = self.has(n.atom, INSIDE) && self.atoms.binary_search(&n.atom).is_ok();
                if !inside || !self.may_be_double(atom, n.atom, n.bond) {
                    continue;
                }
                let bond = &mut self.draft.bonds[n.bond()];
                bond.kekule = match bond.order {
                    _ if n.atom == mate => BondOrder::Double,
                    BondOrder::Aromatic => BondOrder::Single,
                    as_written => as_written,
                };
            }
        }
    }

    /// Whether a double bond may be placed on a bond between two atoms of the system.
    fn may_be_double(&self, atom: u32, other: u32, bond: u32) -> bool {
        self.draft.bonds[bond as usize].order == BondOrder::Aromatic
            || self.is_wildcard(atom)
            || self.is_wildcard(other)
    }

    fn wildcard_may_take_part(&self, rings: &Rings, atom: u32) -> bool {
        let mine = || rings.iter().filter(|r| r.contains(&atom));
        let ring_count = mine().count();
        let plain = self.draft.neighbours(atom as usize).iter().filter(|n| {
            self.has(n.atom, INSIDE)
                && self.atoms.binary_search(&n.atom).is_ok()
                && !self.is_wildcard(n.atom)
                && !self.draft.state[n.atom()].aromatic_environment
        });
        // Rings without an aromatic atom of their own are no candidates.
        let hopeless = mine().filter(|r| {
            !r.iter().any(|&a| {
                self.draft.state[a as usize].aromatic_environment
                    && rings.iter().filter(|other| other.contains(&a)).count() == 1
            })
        });
        plain.count() < ring_count && hopeless.count() < ring_count
    }

    /// Greedy pairing on a walk through the system.
    fn walk(&mut self) {
        let Draft { state, bonds, offsets, neighbours, atoms, any_wildcard, .. } = &mut *self.draft;
        let is_wildcard = |atom: u32| *any_wildcard && atoms[atom as usize].element.is_wildcard();
        let queue = &mut *self.queue;
        queue.clear();
        let mut next = 0;
        let mut starts = self.atoms.iter();
        loop {
            let atom = if next < queue.len() {
                next += 1;
                queue[next - 1]
            } else {
                match starts.find(|&&a| state[a as usize].marks & DONE == 0) {
                    Some(&atom) => atom,
                    None => break,
                }
            };
            let here = &mut state[atom as usize];
            here.marks |= DONE;
            let free = here.marks & WANTS != 0 && here.mate == NONE;
            let mut partner = NONE;
            let from = queue.len();
            let list = offsets[atom as usize] as usize..offsets[atom as usize + 1] as usize;
            for n in &neighbours[list] {
                let there = &mut state[n.atom as usize];
                if there.marks & (DONE | INSIDE) != INSIDE {
                    continue;
                }
                if there.marks & QUEUED == 0 {
                    there.marks |= QUEUED;
                    queue.push(n.atom);
                }
                if free && partner == NONE && there.marks & WANTS != 0 && there.mate == NONE {
                    let bond = &mut bonds[n.bond as usize];
                    if bond.order == BondOrder::Aromatic || is_wildcard(atom) || is_wildcard(n.atom)
                    {
                        partner = n.atom;
                        there.mate = atom;
                        bond.kekule = BondOrder::Double;
                    }
                }
            }
            queue[from..].reverse();
            if partner != NONE {
                state[atom as usize].mate = partner;
            }
        }
    }

    /// Finds an augmenting path from an atom without partner, contracting odd cycles, and
    /// re-pairs along it. A wildcard may be left without partner.
    fn augment(&mut self, root: u32) -> bool {
        let count = self.draft.atoms.len();
        let mut outer = vec![false; count];
        let mut parent = vec![NONE; count];
        let mut base: Vec<u32> = (0..count as u32).collect();
        let mut queue = VecDeque::from([root]);
        outer[root as usize] = true;
        while let Some(atom) = queue.pop_front() {
            for i in self.draft.offsets[atom as usize]..self.draft.offsets[atom as usize + 1] {
                let n = self.draft.neighbours[i as usize];
                let other = n.atom;
                // Marks of other systems are still there.
                if !self.has(other, INSIDE)
                    || !self.has(other, WANTS)
                    || self.atoms.binary_search(&other).is_err()
                    || !self.may_be_double(atom, other, n.bond)
                    || base[atom as usize] == base[n.atom()]
                    || self.mate(atom) == other
                {
                    continue;
                }
                let mate = self.mate(other);
                if other == root || (mate != NONE && parent[mate as usize] != NONE) {
                    // Both ends are outer: an odd cycle, seen from now on as one atom.
                    let top = self.common_base(&parent, &base, atom, other);
                    let mut in_cycle = vec![false; count];
                    self.mark_cycle(&mut parent, &base, &mut in_cycle, atom, top, other);
                    self.mark_cycle(&mut parent, &base, &mut in_cycle, other, top, atom);
                    for &a in self.atoms {
                        if in_cycle[base[a as usize] as usize] {
                            base[a as usize] = top;
                            if !std::mem::replace(&mut outer[a as usize], true) {
                                if self.is_wildcard(a) {
                                    self.release(&parent, a);
                                    return true;
                                }
                                queue.push_back(a);
                            }
                        }
                    }
                } else if parent[n.atom()] == NONE {
                    parent[n.atom()] = atom;
                    if mate == NONE {
                        self.flip(&parent, other);
                        return true;
                    }
                    if self.is_wildcard(mate) {
                        self.release(&parent, mate);
                        return true;
                    }
                    outer[mate as usize] = true;
                    queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Leaves a wildcard without partner and re-pairs along the path to its former one.
    fn release(&mut self, parent: &[u32], wildcard: u32) {
        let mate = std::mem::replace(&mut self.draft.state[wildcard as usize].mate, NONE);
        self.flip(parent, mate);
    }

    /// Pairs along the path from an inner atom back to the root.
    fn flip(&mut self, parent: &[u32], mut at: u32) {
        while at != NONE {
            let before = parent[at as usize];
            let next = self.mate(before);
            self.pair(at, before);
            at = next;
        }
    }

    fn common_base(&self, parent: &[u32], base: &[u32], a: u32, b: u32) -> u32 {
        let mut on_path = vec![false; base.len()];
        let mut at = a;
        loop {
            at = base[at as usize];
            on_path[at as usize] = true;
            let mate = self.mate(at);
            if mate == NONE {
                break;
            }
            at = parent[mate as usize];
        }
        let mut at = b;
        loop {
            at = base[at as usize];
            if on_path[at as usize] {
                return at;
            }
            at = parent[self.mate(at) as usize];
        }
    }

    fn mark_cycle(
        &self,
        parent: &mut [u32],
        base: &[u32],
        in_cycle: &mut [bool],
        mut at: u32,
        top: u32,
        mut child: u32,
    ) {
        while base[at as usize] != top {
            let mate = self.mate(at);
            in_cycle[base[at as usize] as usize] = true;
            in_cycle[base[mate as usize] as usize] = true;
            parent[at as usize] = child;
            child = mate;
            at = parent[mate as usize];
        }
    }
}

/// Whether an atom with aromatic bonds lacks just one bond order to a valence of its element.
fn wants_double_bond(draft: &Draft, atom: usize) -> bool {
    let state = &draft.state[atom];
    let aromatic = i32::from(state.aromatic_bonds);
    let others = (i32::from(state.halves) - 3 * aromatic) / 2;
    let orders = aromatic + others + i32::from(draft.hydrogens(atom));
    let mut degree = draft.degree(atom) as i32 + i32::from(state.implicit_hydrogens);
    if draft.any_idle {
        let given = draft.neighbours(atom).iter().filter(|n| draft.half_orders(n.bond, atom) == 0);
        degree -= given.count() as i32;
    }
    let element = super::valence::effective_element(draft, atom);
    let total = i32::from(state.explicit_valence) + i32::from(state.implicit_hydrogens);
    let mut valence = element.default_valence();
    for &higher in &element.valences()[1..] {
        if total <= valence || higher <= 0 {
            break;
        }
        valence = i32::from(higher);
    }
    degree < valence && (valence == orders + 1 || (state.no_implicit && valence == orders + 2))
}
