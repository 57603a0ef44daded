//! Aromaticity in RDKit's default model.
//!
//! Each ring atom gives none, one or two electrons to a ring; a ring, or up to six rings fused
//! by single bonds to each other, is aromatic if the electrons of its rim and of atoms shared by
//! two rings number 4n + 2. Bonds shared by two rings of an aromatic combination are not made
//! aromatic by it.

use super::draft::{AtomState, Draft};
use crate::element_data::ELEMENTS;
use crate::{BondOrder, Element, Rings};
use smallvec::SmallVec;

/// Largest ring that takes part in a fused system.
const LARGEST_FUSED_RING: usize = 24;
/// Most rings that are combined.
const MOST_FUSED_RINGS: usize = 6;
/// In systems of more rings than this, at most two are combined.
const LARGE_SYSTEM: usize = 300;

/// Electrons that an atom may give to a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Donor {
    #[default]
    Unknown,
    /// Cannot be part of an aromatic ring.
    Excluded,
    Vacant,
    One,
    Two,
    /// A wildcard: one or two.
    Any,
}

/// Replaces kekulé orders by aromatic ones where the model says so. All bonds must be in kekulé
/// form and no atom flagged.
pub(super) fn assign(draft: &mut Draft, rings: &Rings) {
    if rings.is_empty() {
        return;
    }
    // Candidate rings that are aromatic by themselves, and those that are not.
    let mut aromatic: SmallVec<[u32; 8]> = SmallVec::new();
    let mut others: SmallVec<[u32; 8]> = SmallVec::new();
    for ring in 0..rings.len() {
        let mut all_wildcards = true;
        let suitable = rings.atoms(ring).iter().all(|&atom| {
            let atom = atom as usize;
            all_wildcards &= draft.atoms[atom].element.is_wildcard();
            if draft.state[atom].donor == Donor::Unknown {
                draft.state[atom].donor = donor(draft, atom);
            }
            draft.state[atom].donor != Donor::Excluded
        });
        if suitable && !all_wildcards {
            if is_aromatic(rings.atoms(ring).iter().copied(), &draft.state) {
                aromatic.push(ring as u32);
            } else {
                others.push(ring as u32);
            }
        }
    }
    for &ring in &aromatic {
        for &atom in rings.atoms(ring as usize) {
            draft.atoms[atom as usize].aromatic = true;
        }
        for &bond in rings.bonds(ring as usize) {
            make_aromatic(draft, bond);
        }
    }
    // Single rings decide most molecules; combinations are for what they leave open.
    if !others.is_empty() && aromatic.len() + others.len() > 1 {
        let mut marks = Marks { done: vec![false; draft.bonds.len()] };
        for &bond in aromatic.iter().flat_map(|&r| rings.bonds(r as usize)) {
            marks.done[bond as usize] = true;
        }
        let mut candidates = aromatic;
        candidates.append(&mut others);
        candidates.sort_unstable();
        combine(draft, rings, &candidates, &mut marks);
    }
}

fn make_aromatic(draft: &mut Draft, bond: u32) {
    let bond = &mut draft.bonds[bond as usize];
    if matches!(bond.order, BondOrder::Single | BondOrder::Double) {
        bond.order = BondOrder::Aromatic;
    }
}

struct Marks {
    /// Bonds that some aromatic combination has on its rim.
    done: Vec<bool>,
}

impl Marks {
    fn bond(&mut self, draft: &mut Draft, bond: u32) {
        self.done[bond as usize] = true;
        make_aromatic(draft, bond);
    }
}

/// Hückel's rule over the electrons that these atoms may give.
fn is_aromatic(atoms: impl Iterator<Item = u32>, state: &[AtomState]) -> bool {
    let (mut least, mut most, mut wildcards) = (0, 0, 0);
    for atom in atoms {
        match state[atom as usize].donor {
            Donor::One => {
                least += 1;
                most += 1;
            }
            Donor::Two => {
                least += 2;
                most += 2;
            }
            Donor::Any => {
                wildcards += 1;
                least += 1;
                most += 2;
            }
            _ => {}
        }
    }
    if wildcards > 1 {
        return false;
    }
    most == 2 || (most >= 6 && (least..=most).any(|n: i32| (n - 2) % 4 == 0))
}

/// Tries combinations of fused candidate rings, two to six at a time, until every bond of the
/// system is on the rim of an aromatic one.
fn combine(draft: &mut Draft, rings: &Rings, candidates: &[u32], marks: &mut Marks) {
    let fusion = Fusion::new(rings, candidates, draft.bonds.len());
    let mut seen = vec![false; candidates.len()];
    let mut counts = vec![0u8; draft.atoms.len()];
    let mut bond_counts = vec![0u8; draft.bonds.len()];
    for start in 0..candidates.len() {
        if seen[start] {
            continue;
        }
        let system = fusion.system(start, &mut seen);
        if system.len() < 2 {
            continue;
        }
        let most = if system.len() > LARGE_SYSTEM { 2 } else { MOST_FUSED_RINGS };
        for size in 2..=most.min(system.len()) {
            let open = system.iter().any(|&c| {
                rings
                    .bonds(candidates[c as usize] as usize)
                    .iter()
                    .any(|&b| !marks.done[b as usize])
            });
            if !open {
                break;
            }
            fusion.connected_sets(&system, size, |set| {
                let ring_of = |&c: &u32| candidates[c as usize] as usize;
                let atoms = || set.iter().flat_map(|c| rings.atoms(ring_of(c)).iter().copied());
                let bonds = || set.iter().flat_map(|c| rings.bonds(ring_of(c)).iter().copied());
                for atom in atoms() {
                    counts[atom as usize] += 1;
                }
                // Atoms inside (in three or more rings) do not count; the others once each.
                let mut shared = Vec::new();
                for atom in atoms() {
                    let count = &mut counts[atom as usize];
                    if *count == 1 || *count == 2 {
                        shared.push(atom);
                    }
                    *count = 0;
                }
                if !is_aromatic(shared.into_iter(), &draft.state) {
                    return;
                }
                for atom in atoms() {
                    draft.atoms[atom as usize].aromatic = true;
                }
                for bond in bonds() {
                    bond_counts[bond as usize] += 1;
                }
                for bond in bonds() {
                    if std::mem::take(&mut bond_counts[bond as usize]) == 1 {
                        marks.bond(draft, bond);
                    }
                }
            });
        }
    }
}

/// Which candidate rings share exactly one bond.
struct Fusion {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Fusion {
    fn new(rings: &Rings, candidates: &[u32], bond_count: usize) -> Self {
        let mut rings_of: Vec<Vec<u32>> = vec![Vec::new(); bond_count];
        let mut offsets = Vec::with_capacity(candidates.len() + 1);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (c, &ring) in candidates.iter().enumerate() {
            let bonds = rings.bonds(ring as usize);
            if bonds.len() > LARGEST_FUSED_RING {
                continue;
            }
            let mut sharing: Vec<u32> = Vec::new();
            for &bond in bonds {
                sharing.extend_from_slice(&rings_of[bond as usize]);
                rings_of[bond as usize].push(c as u32);
            }
            sharing.sort_unstable();
            for group in sharing.chunk_by(|a, b| a == b).filter(|g| g.len() == 1) {
                pairs.push((c as u32, group[0]));
                pairs.push((group[0], c as u32));
            }
        }
        pairs.sort_unstable();
        let mut at = 0;
        for c in 0..candidates.len() as u32 {
            offsets.push(at as u32);
            at += pairs[at..].iter().take_while(|p| p.0 == c).count();
        }
        offsets.push(at as u32);
        Fusion { offsets, neighbours: pairs.into_iter().map(|p| p.1).collect() }
    }

    fn of(&self, c: u32) -> &[u32] {
        &self.neighbours[self.offsets[c as usize] as usize..self.offsets[c as usize + 1] as usize]
    }

    /// The fused system of a candidate.
    fn system(&self, start: usize, seen: &mut [bool]) -> Vec<u32> {
        let mut system = vec![start as u32];
        seen[start] = true;
        let mut at = 0;
        while at < system.len() {
            for &next in self.of(system[at]) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    system.push(next);
                }
            }
            at += 1;
        }
        system
    }

    /// Calls `visit` for every connected set of `size` rings of the system, once each: sets are
    /// grown from their smallest member, and a ring passed over on the way is not taken later
    /// (Wernicke 2006).
    fn connected_sets(&self, system: &[u32], size: usize, mut visit: impl FnMut(&[u32])) {
        let count = self.offsets.len() - 1;
        let mut set = Vec::with_capacity(size);
        // Rings that are in the set, next to it, or passed over.
        let mut touched = vec![0u8; count];
        // One list of rings to extend with for each member of the set.
        let mut extensions: Vec<Vec<u32>> = vec![Vec::new(); size];
        let mut added: Vec<Vec<u32>> = vec![Vec::new(); size];
        for &root in system {
            set.push(root);
            touched[root as usize] = 1;
            extensions[0].clear();
            added[0].clear();
            for &n in self.of(root) {
                if n > root {
                    touched[n as usize] = 1;
                    extensions[0].push(n);
                    added[0].push(n);
                }
            }
            loop {
                let depth = set.len() - 1;
                if set.len() == size {
                    visit(&set);
                    extensions[depth].clear();
                }
                let Some(next) = extensions[depth].pop() else {
                    for n in added[depth].drain(..) {
                        touched[n as usize] = 0;
                    }
                    set.pop();
                    if set.is_empty() {
                        break;
                    }
                    continue;
                };
                set.push(next);
                let mut extension = std::mem::take(&mut extensions[depth + 1]);
                extension.clear();
                extension.extend_from_slice(&extensions[depth]);
                added[depth + 1].clear();
                if set.len() < size {
                    for &n in self.of(next) {
                        if n > root && touched[n as usize] == 0 {
                            touched[n as usize] = 1;
                            extension.push(n);
                            added[depth + 1].push(n);
                        }
                    }
                }
                extensions[depth + 1] = extension;
            }
            touched[root as usize] = 0;
        }
    }
}

fn more_electronegative(a: Element, b: Element) -> bool {
    let outer = |e: Element| ELEMENTS[e.atomic_number() as usize].outer_electrons;
    outer(a) > outer(b) || (outer(a) == outer(b) && a.atomic_number() < b.atomic_number())
}

/// The bonds of an atom, looked at once.
struct Surroundings {
    /// Bonds that count for its valence.
    counting: i32,
    /// Double and triple bonds.
    multiple: u32,
    /// A multiple bond of a ring.
    in_ring: bool,
    /// The neighbour by a multiple bond outside rings.
    outside: Option<Element>,
}

fn look_around(draft: &Draft, atom: usize) -> Surroundings {
    let mut found = Surroundings { counting: 0, multiple: 0, in_ring: false, outside: None };
    for n in draft.neighbours(atom) {
        let bond = &draft.bonds[n.bond()];
        let halves = draft.half_orders(n.bond, atom);
        found.counting += i32::from(halves > 0);
        found.multiple += u32::from(matches!(bond.order, BondOrder::Double | BondOrder::Triple));
        if halves >= 4 {
            if bond.smallest_ring != 0 {
                found.in_ring = true;
            } else if found.outside.is_none() {
                found.outside = Some(draft.atoms[n.atom()].element);
            }
        }
    }
    found
}

/// What an atom can give to an aromatic ring.
fn donor(draft: &Draft, atom: usize) -> Donor {
    let this = &draft.atoms[atom];
    let state = &draft.state[atom];
    if state.mate != u32::MAX
        && this.charge == 0
        && this.radicals == 0
        && matches!(this.element, Element::C | Element::N)
        && usize::from(state.halves) == 2 * (draft.degree(atom) + 1)
    {
        // The double bond that was placed in the ring is the only one.
        return Donor::One;
    }
    let bonds = look_around(draft, atom);
    let kind = if this.element.is_wildcard() {
        if bonds.in_ring { Donor::One } else { Donor::Any }
    } else {
        let loses_one = || bonds.outside.is_some_and(|e| more_electronegative(e, this.element));
        let has_multiple_bond =
            state.explicit_valence as i32 != bonds.counting + i32::from(state.explicit_hydrogens);
        match pi_electrons(draft, atom, &bonds) {
            ..0 => return Donor::Excluded,
            0 if bonds.outside.is_some() => Donor::Vacant,
            0 if bonds.in_ring => Donor::One,
            0 => return Donor::Excluded,
            1 if bonds.outside.is_some() && loses_one() => Donor::Vacant,
            1 if bonds.outside.is_some() || has_multiple_bond => Donor::One,
            1 if this.charge == 1 => Donor::Vacant,
            1 => return Donor::Excluded,
            n if (n - i32::from(loses_one())) % 2 == 1 => Donor::One,
            _ => Donor::Two,
        }
    };
    if may_be_aromatic(draft, atom, &bonds) { kind } else { Donor::Excluded }
}

/// Electrons of an atom that are free for a pi system; negative: none of its kind.
fn pi_electrons(draft: &Draft, atom: usize, bonds: &Surroundings) -> i32 {
    let element = draft.element(atom);
    let valence = element.default_valence();
    if valence <= 1 {
        return -1;
    }
    let degree = bonds.counting + i32::from(draft.hydrogens(atom));
    if degree > 3 {
        return -1;
    }
    let this = &draft.atoms[atom];
    let lone = (i32::from(element.outer_electrons) - valence - i32::from(this.charge)).max(0);
    let electrons = valence - degree + lone - i32::from(this.radicals);
    if electrons > 1 && unsaturation(draft, atom) > 1 { 1 } else { electrons }
}

/// Bond orders above one, and written hydrogens.
fn unsaturation(draft: &Draft, atom: usize) -> i32 {
    i32::from(draft.state[atom].explicit_valence) - draft.degree(atom) as i32
}

/// Whether element, valence state and unpaired electrons allow an atom to be aromatic.
fn may_be_aromatic(draft: &Draft, atom: usize, bonds: &Surroundings) -> bool {
    let this = &draft.atoms[atom];
    let number = this.element.atomic_number();
    if number > 18 && !matches!(this.element, Element::SE | Element::TE) {
        return false;
    }
    let state = &draft.state[atom];
    let total = i32::from(state.explicit_valence) + i32::from(state.implicit_hydrogens);
    if draft.element(atom).default_valence() > 0 {
        let effective = (i32::from(number) - i32::from(this.charge)).clamp(0, 118);
        if total > ELEMENTS[effective as usize].default_valence() {
            return false;
        }
    }
    if this.radicals > 0 && (this.element != Element::C || this.charge != 0) {
        return false;
    }
    unsaturation(draft, atom) <= 1 || bonds.multiple <= 1
}
