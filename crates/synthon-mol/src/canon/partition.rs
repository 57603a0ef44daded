//! Ordered partitions of the atoms of a component, and their refinement by neighbourhoods.
//!
//! The cells of a component are runs of `order`; the class of an atom is the place where its cell
//! begins, so classes order the atoms. Refinement sorts a cell by what its members see around
//! them and cuts it where they differ, until no cell can be cut.

use crate::{BondOrder, BondStereo, Chirality, Molecule};

/// What tells atoms apart.
#[derive(Clone, Copy)]
pub(crate) struct Invariants {
    /// Handedness, geometry and isotopes count.
    pub(crate) isomeric: bool,
    /// Atom-map numbers count.
    pub(crate) atom_maps: bool,
}

/// Components above this size are cut so that the largest part keeps its place: work is then
/// near-linear. Smaller ones are cut in plain sorted order, which makes the canonical text read
/// the way chemists are used to.
const LARGE_COMPONENT: usize = 400;

/// A run of places that belongs to one component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

pub(crate) struct Partition<'m> {
    pub(crate) molecule: &'m Molecule,
    /// Kind of each bond as seen from the atom, aligned with the molecule's neighbour lists.
    pub(super) bond_keys: Vec<u8>,
    /// Whether any atom is marked, and whether any bond has a geometry.
    pub(crate) marked_atoms: bool,
    pub(crate) marked_bonds: bool,
    pub(crate) class: Vec<u32>,
    pub(crate) order: Vec<u32>,
    place: Vec<u32>,
    /// Size of the cell that begins at this place.
    pub(crate) size: Vec<u32>,
    stack: Vec<u32>,
    queued: Vec<bool>,
    touched: Vec<u64>,
    touched_cells: Vec<u32>,
    pending_first: Vec<u32>,
    pending_next: Vec<u32>,
    pending: Vec<bool>,
    sorted: Vec<(u128, u32)>,
    /// The component at work.
    span: Span,
    /// Neighbourhoods include on which side of a neighbouring centre the atom lies.
    pub(super) sides: bool,
    large: bool,
    /// Digest of the cuts made so far; equal for equivalent choices.
    pub(crate) trace: u64,
    /// Neighbourhoods looked at so far.
    pub(crate) work: u64,
}

pub(super) const NONE: u32 = u32::MAX;

impl<'m> Partition<'m> {
    /// All arrays, with the atoms grouped by component and not yet cut.
    pub(crate) fn new(molecule: &'m Molecule, invariants: Invariants) -> (Self, Vec<Span>) {
        let n = molecule.atom_count();
        let (order, spans) = by_component(molecule);
        let marked_atoms =
            invariants.isomeric && molecule.atoms.iter().any(|a| a.chirality != Chirality::None);
        let marked_bonds =
            invariants.isomeric && molecule.bonds.iter().any(|b| b.stereo != BondStereo::None);
        let mut bond_keys = Vec::with_capacity(molecule.neighbours.len());
        for atom in 0..n {
            for neighbour in molecule.neighbours(atom) {
                let bond = molecule.bond(neighbour.bond());
                bond_keys.push(
                    bond.order as u8
                        + u8::from(bond.order == BondOrder::Dative && bond.begin() != atom),
                );
            }
        }
        let largest = spans.iter().map(|s| s.end - s.start).max().unwrap_or(0) > LARGE_COMPONENT;
        let pending = if largest { n } else { 0 };
        let partition = Partition {
            molecule,
            bond_keys,
            marked_atoms,
            marked_bonds,
            class: vec![0; n],
            order,
            place: vec![0; pending],
            size: vec![0; n],
            stack: Vec::with_capacity(16),
            queued: vec![false; n],
            touched: vec![0; n.div_ceil(64)],
            touched_cells: Vec::new(),
            pending_first: vec![NONE; pending],
            pending_next: vec![NONE; pending],
            pending: vec![false; pending],
            sorted: Vec::with_capacity(n.min(64)),
            span: Span { start: 0, end: 0 },
            sides: false,
            large: false,
            trace: 0,
            work: 0,
        };
        (partition, spans)
    }

    /// Cuts a component by the invariants of the atoms alone, then refines.
    pub(crate) fn start(&mut self, span: Span, invariants: Invariants) {
        let Span { start, end } = span;
        self.span = span;
        self.large = end - start > LARGE_COMPONENT;
        self.sides = false;
        self.trace = 0;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        for &atom in &self.order[start..end] {
            sorted.push((self.atom_key(atom as usize, invariants), atom));
        }
        sorted.sort_unstable_by_key(|entry| entry.0);
        let mut cell = start;
        for (i, &(key, atom)) in sorted.iter().enumerate() {
            let place = start + i;
            if i > 0 && sorted[i - 1].0 != key {
                self.size[cell] = (place - cell) as u32;
                cell = place;
            }
            self.order[place] = atom;
            self.class[atom as usize] = cell as u32;
        }
        self.size[cell] = (end - cell) as u32;
        self.sorted = sorted;
        if self.large {
            for place in start..end {
                self.place[self.order[place] as usize] = place as u32;
            }
        }
        if self.large {
            self.queue_all(span);
        } else {
            for place in start + self.size[start] as usize..end {
                self.touch_around(self.order[place]);
            }
            self.queue_touched();
        }
        self.refine();
    }

    /// Refines once more by the sides of stereo centres on which ring atoms lie.
    pub(crate) fn refine_by_sides(&mut self, span: Span) {
        self.sides = true;
        self.queue_all(span);
        self.refine();
        self.sides = false;
    }

    fn queue_all(&mut self, span: Span) {
        let mut cell = span.start;
        while cell < span.end {
            let size = self.size[cell] as usize;
            if size > 1 {
                if self.large {
                    for place in cell..cell + size {
                        self.await_look(self.order[place]);
                    }
                }
                self.stack.push(cell as u32);
                self.queued[cell] = true;
            }
            cell += size;
        }
    }

    /// Digest of the stereo elements that the classes fix so far, in the order of the classes.
    pub(crate) fn stereo_digest(&self, span: Span) -> u64 {
        let mut digest = 0;
        for place in span.start..span.end {
            let atom = self.order[place] as usize;
            let code = if self.marked_atoms { self.centre_code(atom) } else { 0 };
            let mut bonds = 0u64;
            if self.marked_bonds {
                let codes = self.molecule.neighbours(atom).iter().map(|n| self.bond_code(n.bond()));
                bonds = codes.map(|code| 1u64 << (8 * code)).sum();
            }
            if code != 0 || bonds != 0 {
                // Atoms of one cell may come in any order.
                let class = u64::from(self.class[atom]);
                digest = mix(class, u64::from(code) << 32 | bonds).wrapping_add(digest);
            }
        }
        digest
    }

    /// Cuts the cells of the span by numbers given to the atoms, then refines.
    pub(crate) fn cut_by(&mut self, span: Span, number: impl Fn(u32) -> u64) {
        let mut cell = span.start;
        while cell < span.end {
            let size = self.size[cell] as usize;
            let mut members: Vec<(u64, u32)> =
                self.order[cell..cell + size].iter().map(|&atom| (number(atom), atom)).collect();
            members.sort_unstable_by_key(|member| member.0);
            let mut part = cell;
            for (i, &(key, atom)) in members.iter().enumerate() {
                let place = cell + i;
                if i > 0 && members[i - 1].0 != key {
                    self.size[part] = (place - part) as u32;
                    part = place;
                }
                self.order[place] = atom;
                self.class[atom as usize] = part as u32;
            }
            self.size[part] = (cell + size - part) as u32;
            cell += size;
        }
        self.places_from_order(span.start, span.end);
        self.queue_all(span);
        self.refine();
    }

    /// Whether every cell of the span holds one atom.
    pub(crate) fn is_discrete(&self, span: Span) -> bool {
        let mut cell = span.start;
        while cell < span.end {
            if self.size[cell] != 1 {
                return false;
            }
            cell += 1;
        }
        true
    }

    /// First cell of the span, from this place on, that holds several atoms.
    pub(crate) fn next_tie(&self, from: usize, span: Span) -> Option<usize> {
        let mut cell = from;
        while cell < span.end {
            let size = self.size[cell] as usize;
            if size > 1 {
                return Some(cell);
            }
            cell += size;
        }
        None
    }

    /// Sets the atom at this place of its cell apart, above its fellows, and refines.
    pub(crate) fn individualise(&mut self, cell: usize, atom: u32) {
        let size = self.size[cell] as usize;
        debug_assert!(size > 1 && self.class[atom as usize] as usize == cell);
        let last = cell + size - 1;
        let place = if self.large {
            self.place[atom as usize] as usize
        } else {
            let place = self.order[cell..=last].iter().position(|&a| a == atom);
            cell + place.expect("an atom lies in the cell of its class")
        };
        self.swap_places(place, last);
        self.class[atom as usize] = last as u32;
        self.size[cell] = (size - 1) as u32;
        self.size[last] = 1;
        self.touch_around(atom);
        self.queue_touched();
        self.refine();
    }

    /// Brings the inverse of `order` up to date after a change from outside.
    pub(crate) fn places_from_order(&mut self, start: usize, end: usize) {
        if self.large {
            for place in start..end {
                self.place[self.order[place] as usize] = place as u32;
            }
        }
    }

    /// Kind of a bond as seen from one of its atoms, with its geometry.
    pub(crate) fn bond_kind(&self, atom: usize, bond: usize) -> u32 {
        let written = &self.molecule.bonds[bond];
        let outward = written.order == BondOrder::Dative && written.begin() != atom;
        let kind = (written.order as u32 + u32::from(outward)) << 2;
        kind | if self.marked_bonds { u32::from(self.bond_code(bond)) } else { 0 }
    }

    fn swap_places(&mut self, a: usize, b: usize) {
        self.order.swap(a, b);
        if self.large {
            self.place[self.order[a] as usize] = a as u32;
            self.place[self.order[b] as usize] = b as u32;
        }
    }

    /// Notes that the class of an atom has changed: whoever sees it must be looked at again.
    fn touch_around(&mut self, atom: u32) {
        let molecule = self.molecule;
        for neighbour in molecule.neighbours(atom as usize) {
            self.touch(neighbour.atom);
            if self.marked_bonds {
                for second in molecule.neighbours(neighbour.atom()) {
                    if molecule.bond(second.bond()).stereo != BondStereo::None {
                        self.touch(second.atom);
                    }
                }
            }
        }
    }

    #[inline]
    fn touch(&mut self, atom: u32) {
        let cell = self.class[atom as usize] as usize;
        if self.large {
            if self.size[cell] > 1 {
                self.await_look(atom);
                self.touched_cells.push(cell as u32);
            }
        } else {
            self.touched[cell / 64] |= 1 << (cell % 64);
        }
    }

    /// Adds an atom to those of its cell that must be looked at.
    fn await_look(&mut self, atom: u32) {
        let cell = self.class[atom as usize] as usize;
        if !self.pending[atom as usize] {
            self.pending[atom as usize] = true;
            self.pending_next[atom as usize] = self.pending_first[cell];
            self.pending_first[cell] = atom;
        }
    }

    fn queue_touched(&mut self) {
        if self.large {
            let mut cells = std::mem::take(&mut self.touched_cells);
            cells.sort_unstable();
            cells.dedup();
            for &cell in &cells {
                self.queue(cell as usize);
            }
            cells.clear();
            self.touched_cells = cells;
            return;
        }
        for word in self.span.start / 64..=(self.span.end - 1) / 64 {
            let mut bits = std::mem::take(&mut self.touched[word]);
            while bits != 0 {
                let cell = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.queue(cell);
            }
        }
    }

    #[inline]
    fn queue(&mut self, cell: usize) {
        if self.size[cell] > 1 && !self.queued[cell] {
            self.queued[cell] = true;
            self.stack.push(cell as u32);
        }
    }

    fn refine(&mut self) {
        while let Some(cell) = self.stack.pop() {
            let cell = cell as usize;
            self.queued[cell] = false;
            let size = self.size[cell] as usize;
            if self.large {
                self.cut_large(cell, size);
            } else if size > 1 {
                self.cut(cell, size);
            }
        }
    }

    /// Sorts a cell by neighbourhoods and cuts it where they differ; the first part keeps its
    /// class.
    fn cut(&mut self, cell: usize, size: usize) {
        self.work += size as u64;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        if self.fits_packed(self.order[cell]) {
            for &atom in &self.order[cell..cell + size] {
                sorted.push((self.packed_neighbourhood(atom), atom));
            }
        } else {
            self.rank_wide(&self.order[cell..cell + size], &mut sorted);
        }
        if sorted.iter().any(|entry| entry.0 != sorted[0].0) {
            if size <= 16 {
                insertion_sort(&mut sorted);
            } else {
                sorted.sort_by_key(|entry| entry.0);
            }
            let mut part = cell;
            for (i, &(key, atom)) in sorted.iter().enumerate() {
                let place = cell + i;
                if i > 0 && sorted[i - 1].0 != key {
                    self.size[part] = (place - part) as u32;
                    part = place;
                    self.trace = mix(self.trace, place as u64);
                }
                self.order[place] = atom;
                self.class[atom as usize] = part as u32;
            }
            self.size[part] = (cell + size - part) as u32;
            let first = self.size[cell] as usize;
            for &(_, atom) in &sorted[first..] {
                self.touch_around(atom);
            }
            self.queue_touched();
        }
        self.sorted = sorted;
    }

    /// As [`cut`](Self::cut), but looks only at the atoms that wait to be looked at, and lets
    /// the largest part keep place and class.
    fn cut_large(&mut self, cell: usize, size: usize) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        let mut waiting = Vec::new();
        let mut next = std::mem::replace(&mut self.pending_first[cell], NONE);
        while next != NONE {
            let atom = next;
            next = self.pending_next[atom as usize];
            if self.class[atom as usize] as usize == cell {
                waiting.push(atom);
            } else {
                self.pending[atom as usize] = false;
            }
        }
        if size < 2 || waiting.is_empty() {
            for &atom in &waiting {
                self.pending[atom as usize] = false;
            }
            self.sorted = sorted;
            return;
        }
        // The others of the cell have seen no change, so one of them speaks for all.
        let looked_at = waiting.len();
        let other = self.order[cell..cell + size].iter().find(|&&a| !self.pending[a as usize]);
        waiting.extend(other);
        self.work += waiting.len() as u64;
        if waiting.iter().all(|&atom| self.fits_packed(atom)) {
            sorted.extend(waiting.iter().map(|&atom| (self.packed_neighbourhood(atom), atom)));
        } else {
            self.rank_wide(&waiting, &mut sorted);
        }
        for &atom in &waiting[..looked_at] {
            self.pending[atom as usize] = false;
        }
        let speaker = (waiting.len() > looked_at).then(|| sorted[looked_at]);
        let unseen = size - waiting.len();
        sorted.sort_by_key(|entry| entry.0);
        // Parts as (key, first entry, entries, atoms).
        let mut parts: Vec<(u128, usize, usize, usize)> = Vec::new();
        for (i, &(key, _)) in sorted.iter().enumerate() {
            match parts.last_mut() {
                Some(part) if part.0 == key => {
                    part.2 += 1;
                    part.3 += 1;
                }
                _ => parts.push((key, i, 1, 1)),
            }
        }
        if let Some((key, _)) = speaker {
            for part in &mut parts {
                if part.0 == key {
                    part.3 += unseen;
                }
            }
        }
        if parts.len() > 1 {
            let largest = (0..parts.len())
                .max_by_key(|&i| (parts[i].3, usize::MAX - i))
                .expect("there are parts");
            // Atoms to move behind the largest part, part by part.
            let mut moved: Vec<u32> = Vec::new();
            let mut cuts: Vec<usize> = Vec::new();
            let seen: Vec<u32> = if speaker.is_some_and(|s| s.0 != parts[largest].0) {
                let listed: std::collections::BTreeSet<u32> = waiting.iter().copied().collect();
                self.order[cell..cell + size]
                    .iter()
                    .copied()
                    .filter(|a| !listed.contains(a))
                    .collect()
            } else {
                Vec::new()
            };
            for (i, part) in parts.iter().enumerate().filter(|&(i, _)| i != largest) {
                let _ = i;
                cuts.push(moved.len());
                moved.extend(sorted[part.1..part.1 + part.2].iter().map(|entry| entry.1));
                if speaker.is_some_and(|s| s.0 == part.0) {
                    moved.extend(&seen);
                }
            }
            cuts.push(moved.len());
            let behind = cell + size - moved.len();
            // Filling from the end keeps every atom still to be moved in front.
            for (i, &atom) in moved.iter().enumerate().rev() {
                self.swap_places(self.place[atom as usize] as usize, behind + i);
            }
            self.size[cell] = (behind - cell) as u32;
            for cut in cuts.windows(2) {
                let part = behind + cut[0];
                self.size[part] = (cut[1] - cut[0]) as u32;
                self.trace = mix(self.trace, part as u64);
                for &atom in &moved[cut[0]..cut[1]] {
                    self.class[atom as usize] = part as u32;
                }
            }
            for &atom in &moved {
                self.touch_around(atom);
            }
            self.queue_touched();
        }
        self.sorted = sorted;
    }
}

fn insertion_sort(entries: &mut [(u128, u32)]) {
    for i in 1..entries.len() {
        let entry = entries[i];
        let mut k = i;
        while k > 0 && entries[k - 1].0 > entry.0 {
            entries[k] = entries[k - 1];
            k -= 1;
        }
        entries[k] = entry;
    }
}

/// Order-sensitive digest of two numbers.
#[inline]
pub(crate) fn mix(state: u64, value: u64) -> u64 {
    let product =
        u128::from(state ^ 0x9e37_79b9_7f4a_7c15) * u128::from(value ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64 ^ state.rotate_left(23)
}

/// Atoms grouped by component, components by their first atoms.
pub(crate) fn by_component(molecule: &Molecule) -> (Vec<u32>, Vec<Span>) {
    let n = molecule.atom_count();
    let mut seen = vec![false; n];
    let mut order: Vec<u32> = Vec::with_capacity(n);
    let mut spans = Vec::with_capacity(1);
    for first in 0..n {
        if seen[first] {
            continue;
        }
        let start = order.len();
        seen[first] = true;
        order.push(first as u32);
        let mut next = start;
        while next < order.len() {
            for neighbour in molecule.neighbours(order[next] as usize) {
                if !seen[neighbour.atom()] {
                    seen[neighbour.atom()] = true;
                    order.push(neighbour.atom);
                }
            }
            next += 1;
        }
        spans.push(Span { start, end: order.len() });
    }
    (order, spans)
}
