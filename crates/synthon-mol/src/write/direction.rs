//! The `/` and `\` marks that tell the geometry of double bonds in a text.
//!
//! A mark says on which side of the double bond's axis a substituent lies. Every bond beside a
//! double bond with geometry gets the mark that fits; then those are taken back that repeat what
//! another mark says already, or that would give a geometry to a double bond that has none.

use std::collections::VecDeque;

use super::traversal::Traversal;
use crate::stereo::elements::substituents;
use crate::{BondOrder, BondStereo, Molecule};

/// `/` upwards from left to right, `\` downwards, or no mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Up,
    Down,
}

/// The marks of a text.
#[derive(Default)]
pub(super) struct Directions {
    /// By bond; empty when no bond has geometry.
    pub(super) bonds: Vec<Mark>,
    /// Hydrogens to be written as atoms, since their marks are needed: the atom that has the
    /// hydrogen, and the mark read from it.
    pub(super) hydrogens: Vec<(u32, Mark)>,
}

struct Marks<'a> {
    molecule: &'a Molecule,
    walk: &'a Traversal,
    marks: Vec<Mark>,
    /// How many double bonds use the mark of a bond.
    uses: Vec<u8>,
    /// Marks at the ends of double bonds with geometry.
    at_end: Vec<u8>,
    hydrogens: Vec<(u32, Mark)>,
}

/// The marks that a text needs.
pub(super) fn directions(molecule: &Molecule, walk: &Traversal) -> Directions {
    let mut double: Vec<u32> = (0..molecule.bond_count() as u32)
        .filter(|&b| molecule.bond(b as usize).stereo != BondStereo::None)
        .collect();
    if double.is_empty() {
        return Directions::default();
    }
    let mut this = Marks {
        molecule,
        walk,
        marks: vec![Mark::Nothing; molecule.bond_count()],
        uses: vec![0; molecule.bond_count()],
        at_end: vec![0; molecule.atom_count()],
        hydrogens: Vec::new(),
    };
    let beside: Vec<usize> = double.iter().map(|&b| this.linked(b).len()).collect();
    let mut by_weight: Vec<usize> = (0..double.len()).collect();
    by_weight.sort_by_key(|&i| (usize::MAX - beside[i], walk.bond_position(molecule, double[i])));
    double = by_weight.into_iter().map(|i| double[i]).collect();
    let mut seen = vec![false; molecule.bond_count()];
    for &first in &double {
        let mut queue = VecDeque::from([first]);
        while let Some(bond) = queue.pop_front() {
            if std::mem::replace(&mut seen[bond as usize], true) {
                continue;
            }
            this.mark_around(bond);
            queue.extend(this.linked(bond).into_iter().filter(|&b| !seen[b as usize]));
        }
    }
    this.spare_others();
    this.drop_repeated();
    this.correct_misread();
    Directions { bonds: this.marks, hydrogens: this.hydrogens }
}

impl Marks<'_> {
    /// Bonds that can carry a mark at one end of a double bond, in the order of the text.
    fn carriers(&self, end: usize, double: u32) -> ([u32; 2], usize) {
        let (mut carriers, mut count) = ([0; 2], 0);
        for neighbour in self.molecule.neighbours(end) {
            if neighbour.bond != double && self.can_carry(neighbour.bond) && count < 2 {
                carriers[count] = neighbour.bond;
                count += 1;
            }
        }
        let position = |bond| self.walk.bond_position(self.molecule, bond);
        if count == 2 && position(carriers[1]) < position(carriers[0]) {
            carriers.swap(0, 1);
        }
        (carriers, count)
    }

    fn can_carry(&self, bond: u32) -> bool {
        matches!(self.molecule.bond(bond as usize).order, BondOrder::Single | BondOrder::Aromatic)
    }

    /// Double bonds with geometry that share a carrier with this one, in the order of the text.
    fn linked(&self, double: u32) -> Vec<u32> {
        let mut linked = Vec::new();
        let ends = self.molecule.bond(double as usize);
        for end in [ends.begin(), ends.end()] {
            let (carriers, count) = self.carriers(end, double);
            for &carrier in &carriers[..count] {
                let far = self.molecule.bond(carrier as usize).other(end);
                let others = self.molecule.neighbours(far).iter().map(|n| n.bond);
                linked.extend(others.filter(|&b| {
                    b != carrier && self.molecule.bond(b as usize).stereo != BondStereo::None
                }));
            }
        }
        linked.sort_by_key(|&b| self.walk.bond_position(self.molecule, b));
        linked
    }

    /// Whether the substituent on a marked bond lies above the axis, as seen from `end`.
    fn is_above(&self, bond: u32, end: usize, mark: Mark) -> bool {
        let substituent_left = self.walk.left_atom(self.molecule, bond) != end;
        (mark == Mark::Up) != substituent_left
    }

    fn mark_for(&self, bond: u32, end: usize, above: bool) -> Mark {
        let substituent_left = self.walk.left_atom(self.molecule, bond) != end;
        if above != substituent_left { Mark::Up } else { Mark::Down }
    }

    /// Marks all carriers of a double bond, in agreement with what is marked already.
    fn mark_around(&mut self, double: u32) {
        let ends = *self.molecule.bond(double as usize);
        let (mut near, mut far) = (ends.begin(), ends.end());
        if self.walk.position(near) > self.walk.position(far) {
            std::mem::swap(&mut near, &mut far);
        }
        let (near_carriers, near_count) = self.carriers(near, double);
        let (far_carriers, far_count) = self.carriers(far, double);
        if near_count == 0 || far_count == 0 {
            return;
        }
        let is_marked = |bond: u32| self.marks[bond as usize] != Mark::Nothing;
        let marked_near = near_carriers[..near_count].iter().copied().find(|&b| is_marked(b));
        let marked_far = far_carriers[..far_count].iter().copied().find(|&b| is_marked(b));
        let (at, reference) = match (marked_near, marked_far) {
            (Some(bond), _) => (near, bond),
            (None, Some(bond)) => (far, bond),
            (None, None) => {
                self.marks[near_carriers[0] as usize] = Mark::Up;
                (near, near_carriers[0])
            }
        };
        let above = self.is_above(reference, at, self.marks[reference as usize]);
        let trans = ends.stereo == BondStereo::Trans;
        // Side of the reference substituent that the geometry is said of.
        let said_of = |end: usize| substituents(self.molecule, end, double as usize).0;
        let is_said_of = |bond: u32, end: usize| {
            said_of(end) == Some(self.molecule.bond(bond as usize).other(end) as u32)
        };
        let above_near = if at == near {
            above == is_said_of(reference, near)
        } else {
            (above == is_said_of(reference, far)) != trans
        };
        let mut wanted = [(0u32, Mark::Nothing, 0usize); 4];
        let mut count = 0;
        for (end, carriers) in
            [(near, &near_carriers[..near_count]), (far, &far_carriers[..far_count])]
        {
            let reference_above = if end == near { above_near } else { above_near != trans };
            for &bond in carriers {
                let above = reference_above == is_said_of(bond, end);
                wanted[count] = (bond, self.mark_for(bond, end, above), end);
                count += 1;
            }
        }
        for &(bond, mark, end) in &wanted[..count] {
            if self.marks[bond as usize] == Mark::Nothing {
                self.marks[bond as usize] = mark;
            }
            self.uses[bond as usize] += 1;
            self.at_end[end] += 1;
        }
    }

    fn is_end_with_geometry(&self, atom: usize) -> bool {
        self.molecule
            .neighbours(atom)
            .iter()
            .any(|n| self.molecule.bond(n.bond()).stereo != BondStereo::None)
    }

    /// Takes back marks that would give a geometry to a double bond without one.
    fn spare_others(&mut self) {
        let molecule = self.molecule;
        let mut plain: Vec<u32> = (0..molecule.bond_count() as u32)
            .filter(|&b| {
                let bond = molecule.bond(b as usize);
                bond.order == BondOrder::Double && bond.stereo == BondStereo::None
            })
            .collect();
        plain.sort_by_key(|&b| self.walk.bond_position(molecule, b));
        for double in plain {
            let ends = molecule.bond(double as usize);
            let mut candidates: Vec<(u32, usize)> = Vec::new();
            let mut both = true;
            for end in [ends.begin(), ends.end()] {
                let before = candidates.len();
                for neighbour in molecule.neighbours(end) {
                    if self.marks[neighbour.bond()] != Mark::Nothing {
                        candidates.push((neighbour.bond, neighbour.atom()));
                    }
                }
                both &= candidates.len() > before;
                if self.is_end_with_geometry(end) {
                    candidates.truncate(before);
                }
            }
            if !both {
                continue;
            }
            candidates.sort_by_key(|&(b, _)| self.walk.bond_position(molecule, b));
            if let Some(&(bond, far)) = candidates.iter().find(|&&(_, far)| self.at_end[far] == 2) {
                self.marks[bond as usize] = Mark::Nothing;
                self.uses[bond as usize] = 0;
                self.at_end[far] -= 1;
            }
        }
    }

    /// Takes back marks that only repeat what the mark beside them says.
    fn drop_repeated(&mut self) {
        let molecule = self.molecule;
        let mut marked: Vec<u32> = (0..molecule.bond_count() as u32)
            .filter(|&b| self.marks[b as usize] != Mark::Nothing)
            .collect();
        marked.sort_by_key(|&b| self.walk.bond_position(molecule, b));
        for bond in marked {
            let left = self.walk.left_atom(molecule, bond);
            for end in [left, molecule.bond(bond as usize).other(left)] {
                if self.marks[bond as usize] == Mark::Nothing
                    || self.at_end[end] < 2
                    || !self.is_end_with_geometry(end)
                {
                    continue;
                }
                let beside = molecule.neighbours(end).iter().map(|n| n.bond);
                let Some(other) = { beside }.find(|&b| b != bond && self.can_carry(b)) else {
                    continue;
                };
                if self.uses[other as usize] >= self.uses[bond as usize] && self.is_spare(other) {
                    self.take_back(other);
                } else if self.is_spare(bond) {
                    self.take_back(bond);
                }
            }
        }
    }

    /// Whether no double bond depends on this mark alone.
    fn is_spare(&self, bond: u32) -> bool {
        let ends = self.molecule.bond(bond as usize);
        self.uses[bond as usize] > 0
            && self.at_end[ends.begin()] != 1
            && self.at_end[ends.end()] != 1
    }

    fn take_back(&mut self, bond: u32) {
        self.uses[bond as usize] -= 1;
        if self.uses[bond as usize] == 0 {
            self.marks[bond as usize] = Mark::Nothing;
            let ends = self.molecule.bond(bond as usize);
            for end in [ends.begin(), ends.end()] {
                self.at_end[end] = self.at_end[end].saturating_sub(1);
            }
        }
    }

    /// On which side of the axis a reader puts the reference substituent of an end; `None`
    /// without a mark there, an error for marks that contradict each other.
    fn read_side(&self, end: usize, double: u32) -> Result<Option<bool>, ()> {
        let reference = substituents(self.molecule, end, double as usize).0;
        let marked = self
            .molecule
            .neighbours(end)
            .iter()
            .filter(|n| n.bond != double && self.marks[n.bond()] != Mark::Nothing);
        let of_atoms = marked.map(|n| {
            let above = self.is_above(n.bond, end, self.marks[n.bond()]);
            above == (Some(n.atom) == reference)
        });
        // A hydrogen stands to the right of its atom, across from the reference.
        let of_hydrogen = self.hydrogens.iter().filter(|(atom, _)| *atom as usize == end);
        let mut sides = of_atoms.chain(of_hydrogen.map(|(_, mark)| *mark == Mark::Down));
        let Some(first) = sides.next() else { return Ok(None) };
        if sides.all(|side| side == first) { Ok(Some(first)) } else { Err(()) }
    }

    /// Whether a reader finds the geometry of a double bond as it is.
    fn is_read_right(&self, double: u32) -> bool {
        let bond = self.molecule.bond(double as usize);
        let (begin, end) =
            (self.read_side(bond.begin(), double), self.read_side(bond.end(), double));
        match (begin, end, bond.stereo) {
            (Ok(Some(a)), Ok(Some(b)), BondStereo::Cis) => a == b,
            (Ok(Some(a)), Ok(Some(b)), BondStereo::Trans) => a != b,
            (_, _, BondStereo::None) => {
                let small_ring = bond.in_ring() && bond.smallest_ring() < 8;
                begin == Ok(None) || end == Ok(None) || small_ring
            }
            _ => false,
        }
    }

    /// Conjugated double bonds share the marks between them. Where that forces a geometry on one
    /// that has none, or another than it has, hydrogens take the marks over.
    fn correct_misread(&mut self) {
        let doubles: Vec<u32> = (0..self.molecule.bond_count() as u32)
            .filter(|&b| self.molecule.bond(b as usize).order == BondOrder::Double)
            .collect();
        for &double in &doubles {
            if self.is_read_right(double) {
                continue;
            }
            let bond = *self.molecule.bond(double as usize);
            let mut ends = [bond.begin(), bond.end()];
            ends.sort_by_key(|&end| self.walk.position(end));
            for end in ends {
                let mut beside: Vec<u32> =
                    self.molecule.neighbours(end).iter().map(|n| n.bond).collect();
                beside.retain(|&b| b != double && self.marks[b as usize] != Mark::Nothing);
                beside.sort_by_key(|&b| self.walk.bond_position(self.molecule, b));
                for carrier in beside {
                    if !self.is_read_right(double) {
                        self.free(carrier);
                    }
                }
                if self.is_read_right(double) {
                    break;
                }
            }
        }
    }

    /// Takes the mark of a bond back, and lets hydrogens say what it said. Nothing changes when
    /// one of its ends has no hydrogen to do so.
    fn free(&mut self, carrier: u32) {
        let ends = self.molecule.bond(carrier as usize);
        let mut needed = Vec::new();
        for end in [ends.begin(), ends.end()] {
            let with_geometry = self.molecule.neighbours(end).iter().find(|n| {
                n.bond != carrier && self.molecule.bond(n.bond()).stereo != BondStereo::None
            });
            let Some(partner) = with_geometry else { continue };
            let other_mark = self
                .molecule
                .neighbours(end)
                .iter()
                .any(|n| n.bond != carrier && self.marks[n.bond()] != Mark::Nothing)
                || self.hydrogens.iter().any(|(atom, _)| *atom as usize == end);
            if other_mark {
                continue;
            }
            let atom = self.molecule.atom(end);
            if self.molecule.degree(end) != 2 || atom.hydrogens != 1 {
                return;
            }
            needed.push((end, partner.bond, partner.atom()));
        }
        let before = self.marks[carrier as usize];
        self.marks[carrier as usize] = Mark::Nothing;
        let old_hydrogens = self.hydrogens.len();
        for (end, double, partner) in needed {
            // The side that the partner's marks ask for; any side when it has none yet.
            let wanted = match self.read_side(partner, double) {
                Ok(Some(side)) => {
                    side == (self.molecule.bond(double as usize).stereo == BondStereo::Cis)
                }
                Ok(None) => true,
                Err(()) => {
                    self.marks[carrier as usize] = before;
                    self.hydrogens.truncate(old_hydrogens);
                    return;
                }
            };
            self.hydrogens.push((end as u32, if wanted { Mark::Down } else { Mark::Up }));
        }
    }
}
