//! Placing single and double bonds in aromatic rings.
//!
//! Atoms that must have a double bond are matched in pairs along aromatic bonds: first greedily,
//! in the order in which RDKit walks a ring system, so that the same form is chosen where it
//! matters; what is left over is matched by augmenting paths (Edmonds 1965), so that a form is
//! found whenever there is one.

use super::{Draft, repair};
use crate::{BondOrder, Element, MolError, MolErrorKind, Rings};
use std::collections::VecDeque;

const NONE: u32 = u32::MAX;

/// Gives every aromatic bond in or at a ring its single or double order and clears the aromatic
/// marks; they are set anew by the model.
pub(super) fn assign(draft: &mut Draft, rings: &Rings, text: Option<&str>) -> Result<(), MolError> {
    if !draft.any_aromatic {
        return Ok(());
    }
    let mut work = Work::new(draft);
    for system in systems(draft, rings) {
        if let Err(stuck) = work.place(draft, rings, &system) {
            return Err(repair::cannot_kekulise(draft, &system, &stuck, text));
        }
    }
    for bond in &mut draft.bonds {
        // Only bonds outside rings, between atoms that are not marked, are still aromatic.
        bond.order = bond.kekule;
        if bond.order == BondOrder::Aromatic {
            bond.kekule = BondOrder::Single;
        }
    }
    for atom in 0..draft.atoms.len() {
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

/// Rings that share bonds, and their atoms in ascending order.
pub(super) struct System {
    pub rings: Vec<u32>,
    pub atoms: Vec<u32>,
}

fn systems(draft: &Draft, rings: &Rings) -> Vec<System> {
    let count = rings.len();
    let mut first_ring = vec![NONE; draft.bonds.len()];
    // Rings of a system are linked through the bonds they share.
    let mut parent: Vec<u32> = (0..count as u32).collect();
    fn find(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for ring in 0..count as u32 {
        for &bond in rings.bonds(ring as usize) {
            let first = &mut first_ring[bond as usize];
            if *first == NONE {
                *first = ring;
            } else {
                let (a, b) = (find(&mut parent, *first), find(&mut parent, ring));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut place = vec![NONE; count];
    let mut systems: Vec<System> = Vec::new();
    let mut seen = vec![false; draft.atoms.len()];
    for ring in 0..count as u32 {
        let wildcards_only = rings
            .atoms(ring as usize)
            .iter()
            .all(|&a| draft.atoms[a as usize].element.is_wildcard());
        if draft.any_wildcard && wildcards_only {
            continue;
        }
        let root = find(&mut parent, ring) as usize;
        if place[root] == NONE {
            place[root] = systems.len() as u32;
            systems.push(System { rings: Vec::new(), atoms: Vec::new() });
        }
        let system = &mut systems[place[root] as usize];
        system.rings.push(ring);
        for &atom in rings.atoms(ring as usize) {
            if !std::mem::replace(&mut seen[atom as usize], true) {
                system.atoms.push(atom);
            }
        }
    }
    // Walks start from the lowest atom.
    for system in &mut systems {
        system.atoms.sort_unstable();
    }
    systems
}

struct Work {
    /// Atom is of the current system.
    inside: Vec<bool>,
    /// Atom is to get a double bond.
    wants: Vec<bool>,
    /// Partner by double bond.
    mate: Vec<u32>,
    done: Vec<bool>,
    queued: Vec<bool>,
}

impl Work {
    fn new(draft: &Draft) -> Self {
        let count = draft.atoms.len();
        Work {
            inside: vec![false; count],
            wants: vec![false; count],
            mate: vec![NONE; count],
            done: vec![false; count],
            queued: vec![false; count],
        }
    }

    /// Places the double bonds of a system; on failure gives the atoms that wanted one.
    fn place(&mut self, draft: &mut Draft, rings: &Rings, system: &System) -> Result<(), Vec<u32>> {
        let takes_part = |draft: &Draft, atom: usize| {
            draft.state[atom].aromatic_environment || draft.atoms[atom].element.is_wildcard()
        };
        if !system.atoms.iter().any(|&a| takes_part(draft, a as usize)) {
            return Ok(());
        }
        for &atom in &system.atoms {
            self.inside[atom as usize] = true;
        }
        for &atom in &system.atoms {
            let atom = atom as usize;
            if takes_part(draft, atom) {
                self.wants[atom] = if draft.atoms[atom].element.is_wildcard() {
                    self.wildcard_may_take_part(draft, rings, system, atom)
                } else {
                    wants_double_bond(draft, atom)
                };
            } else {
                self.done[atom] = true;
            }
        }
        for &atom in &system.atoms {
            if !takes_part(draft, atom as usize) {
                continue;
            }
            for i in draft.offsets[atom as usize]..draft.offsets[atom as usize + 1] {
                let bond = &mut draft.bonds[draft.neighbours[i as usize].bond()];
                if bond.order == BondOrder::Aromatic {
                    bond.kekule = BondOrder::Single;
                }
            }
        }
        self.walk(draft, system);
        for &atom in &system.atoms {
            let a = atom as usize;
            if self.wants[a]
                && self.mate[a] == NONE
                && !draft.atoms[a].element.is_wildcard()
                && !self.augment(draft, system, atom)
            {
                return Err(system
                    .atoms
                    .iter()
                    .copied()
                    .filter(|&a| self.wants[a as usize])
                    .collect());
            }
        }
        for &atom in &system.atoms {
            let mate = self.mate[atom as usize];
            if mate != NONE && atom < mate {
                let n = draft.neighbours(atom as usize).iter().find(|n| n.atom == mate);
                let bond = n.expect("mates are neighbours").bond();
                draft.bonds[bond].kekule = BondOrder::Double;
            }
        }
        for &atom in &system.atoms {
            self.inside[atom as usize] = false;
        }
        Ok(())
    }

    /// Whether a double bond may be placed on a bond between two atoms of the system.
    fn may_be_double(draft: &Draft, atom: u32, other: u32, bond: u32) -> bool {
        draft.bonds[bond as usize].order == BondOrder::Aromatic
            || draft.atoms[atom as usize].element.is_wildcard()
            || draft.atoms[other as usize].element.is_wildcard()
    }

    fn wildcard_may_take_part(
        &self,
        draft: &Draft,
        rings: &Rings,
        system: &System,
        atom: usize,
    ) -> bool {
        let mine =
            || system.rings.iter().filter(|&&r| rings.atoms(r as usize).contains(&(atom as u32)));
        let ring_count = mine().count();
        let plain = draft.neighbours(atom).iter().filter(|n| {
            let other = &draft.atoms[n.atom()];
            self.inside[n.atom()]
                && !other.element.is_wildcard()
                && !draft.state[n.atom()].aromatic_environment
        });
        // Rings without an aromatic atom of their own are no candidates.
        let hopeless = mine().filter(|&&r| {
            !rings.atoms(r as usize).iter().any(|&a| {
                draft.state[a as usize].aromatic_environment
                    && system
                        .rings
                        .iter()
                        .filter(|&&other| rings.atoms(other as usize).contains(&a))
                        .count()
                        == 1
            })
        });
        plain.count() < ring_count && hopeless.count() < ring_count
    }

    /// Greedy pairing on a walk through the system.
    fn walk(&mut self, draft: &Draft, system: &System) {
        let mut queue: VecDeque<u32> = VecDeque::new();
        let mut starts = system.atoms.iter();
        loop {
            let atom = match queue.pop_front() {
                Some(atom) => atom,
                None => match starts.find(|&&a| !self.done[a as usize]) {
                    Some(&atom) => atom,
                    None => break,
                },
            };
            self.done[atom as usize] = true;
            let free =
                |work: &Self, a: u32| work.wants[a as usize] && work.mate[a as usize] == NONE;
            let mut partner = NONE;
            let from = queue.len();
            for n in draft.neighbours(atom as usize) {
                if self.done[n.atom()] || !self.inside[n.atom()] {
                    continue;
                }
                if !std::mem::replace(&mut self.queued[n.atom()], true) {
                    queue.insert(from, n.atom);
                }
                if partner == NONE
                    && free(self, atom)
                    && free(self, n.atom)
                    && Self::may_be_double(draft, atom, n.atom, n.bond)
                {
                    partner = n.atom;
                }
            }
            if partner != NONE {
                self.mate[atom as usize] = partner;
                self.mate[partner as usize] = atom;
            }
        }
    }

    /// Finds an augmenting path from an atom without partner, contracting odd cycles, and
    /// re-pairs along it. A wildcard may be left without partner.
    fn augment(&mut self, draft: &Draft, system: &System, root: u32) -> bool {
        let count = draft.atoms.len();
        let mut outer = vec![false; count];
        let mut parent = vec![NONE; count];
        let mut base: Vec<u32> = (0..count as u32).collect();
        let mut queue = VecDeque::from([root]);
        outer[root as usize] = true;
        while let Some(atom) = queue.pop_front() {
            for n in draft.neighbours(atom as usize) {
                let other = n.atom;
                if !self.inside[n.atom()]
                    || !self.wants[n.atom()]
                    || !Self::may_be_double(draft, atom, other, n.bond)
                    || base[atom as usize] == base[n.atom()]
                    || self.mate[atom as usize] == other
                {
                    continue;
                }
                let mate = self.mate[n.atom()];
                if other == root || (mate != NONE && parent[mate as usize] != NONE) {
                    // Both ends are outer: an odd cycle, seen from now on as one atom.
                    let top = self.common_base(&parent, &base, atom, other);
                    let mut in_cycle = vec![false; count];
                    self.mark_cycle(&mut parent, &base, &mut in_cycle, atom, top, other);
                    self.mark_cycle(&mut parent, &base, &mut in_cycle, other, top, atom);
                    for &a in &system.atoms {
                        if in_cycle[base[a as usize] as usize] {
                            base[a as usize] = top;
                            if !std::mem::replace(&mut outer[a as usize], true) {
                                if draft.atoms[a as usize].element.is_wildcard() {
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
                    if draft.atoms[mate as usize].element.is_wildcard() {
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
        let mate = std::mem::replace(&mut self.mate[wildcard as usize], NONE);
        self.flip(parent, mate);
    }

    /// Pairs along the path from an inner atom back to the root.
    fn flip(&mut self, parent: &[u32], mut at: u32) {
        while at != NONE {
            let before = parent[at as usize];
            let next = self.mate[before as usize];
            self.mate[at as usize] = before;
            self.mate[before as usize] = at;
            at = next;
        }
    }

    fn common_base(&self, parent: &[u32], base: &[u32], a: u32, b: u32) -> u32 {
        let mut on_path = vec![false; base.len()];
        let mut at = a;
        loop {
            at = base[at as usize];
            on_path[at as usize] = true;
            let mate = self.mate[at as usize];
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
            at = parent[self.mate[at as usize] as usize];
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
            let mate = self.mate[at as usize];
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
    let mut orders = 0;
    let mut degree = draft.degree(atom) as i32 + i32::from(state.implicit_hydrogens);
    for n in draft.neighbours(atom) {
        if draft.bonds[n.bond()].order == BondOrder::Aromatic {
            orders += 1;
        } else {
            let halves = draft.half_orders(n.bond, atom) as i32;
            orders += halves / 2;
            degree -= i32::from(halves == 0);
        }
    }
    orders += i32::from(draft.hydrogens(atom));
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
