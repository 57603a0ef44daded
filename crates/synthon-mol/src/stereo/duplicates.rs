//! Removal of marks whose ligands cannot be told apart.
//!
//! A centre with four different ligands, and a double bond with two different substituents at
//! either end, have two forms. Where two ligands are the same there may still be two forms: in
//! 1,4-dimethylcyclohexane the two ways around the ring are equal, yet there are a cis and a
//! trans molecule. Whether a mark means anything is then asked directly: it does when turning it
//! into its opposite gives another molecule.

use std::borrow::Cow;

use super::elements::{IMPLIED, ligands, substituents};
use super::{centres, geometry};
use crate::canon::partition::{Partition, mix};
use crate::canon::{Invariants, component_table};
use crate::perceive::Marks;
use crate::{Atom, Bond, BondStereo, Chirality, Molecule};

/// Rounds of cheap comparison before the full one.
const QUICK_ROUNDS: usize = 4;
/// Most atoms to put in order for all questions about one molecule.
const MOST_WORK: usize = 500_000;

/// Atom maps stand for colours here: those of attachment points are kept, all others set aside.
const COLOURED: Invariants = Invariants { isomeric: true, atom_maps: true };
/// Colours from here on are no atom maps.
const FIRST_COLOUR: u32 = 1 << 31;

/// Drops the marks that mean nothing; repeats as long as that takes away from others what made
/// them meaningful.
///
/// The numbers of attachment points tell ligands apart, as they do in RDKit: `[*:1]` and `[*:2]`
/// stand for different groups. On other atoms a map number only says which atom is meant.
pub(super) fn drop_meaningless(molecule: &mut Molecule, written: Marks) {
    if Marked::of(molecule).told_apart_quickly(molecule) {
        return;
    }
    let maps: Vec<u32> = molecule.atoms.iter().map(|atom| atom.map).collect();
    for atom in &mut molecule.atoms {
        atom.map = attachment(atom);
    }
    drop_doubtful(molecule, written);
    for (atom, map) in molecule.atoms.iter_mut().zip(maps) {
        atom.map = map;
    }
}

/// The number of an attachment point, zero for any other atom.
fn attachment(atom: &Atom) -> u32 {
    if atom.atomic_number() == 0 { atom.map } else { 0 }
}

/// The molecule without the map numbers of other atoms.
fn with_attachments_only(molecule: &Molecule) -> Cow<'_, Molecule> {
    if molecule.atoms.iter().all(|atom| atom.map == attachment(atom)) {
        return Cow::Borrowed(molecule);
    }
    let mut coloured = molecule.clone();
    for atom in &mut coloured.atoms {
        atom.map = attachment(atom);
    }
    Cow::Owned(coloured)
}

fn drop_doubtful(molecule: &mut Molecule, written: Marks) {
    let mut work = 0;
    loop {
        let doubts = doubts(molecule);
        work += doubts.len().saturating_mul(molecule.atom_count());
        let meaningless = meaningless(molecule, &doubts, work <= MOST_WORK);
        if meaningless.is_empty() {
            return;
        }
        for element in meaningless {
            match element {
                Element::Centre(atom) => {
                    centres::drop_mark(
                        molecule,
                        atom as usize,
                        "two of its ligands are the same",
                        written,
                    );
                }
                Element::Double(bond) => geometry::drop_geometry(
                    molecule,
                    bond as usize,
                    "two substituents at one of its ends are the same",
                    written,
                ),
            }
        }
    }
}

/// Atoms and bonds with marks whose ligands must differ.
struct Marked {
    atoms: Vec<u32>,
    bonds: Vec<u32>,
}

impl Marked {
    fn of(molecule: &Molecule) -> Self {
        let needs_difference =
            |c: Chirality| c.is_tetrahedral() || matches!(c, Chirality::Allene(_));
        let atoms = molecule.atoms.iter().enumerate();
        let bonds = molecule.bonds.iter().enumerate();
        Marked {
            atoms: atoms
                .filter(|(_, a)| needs_difference(a.chirality))
                .map(|(i, _)| i as u32)
                .collect(),
            bonds: bonds
                .filter(|(_, b)| b.stereo != BondStereo::None)
                .map(|(i, _)| i as u32)
                .collect(),
        }
    }

    /// Whether a look at the near surroundings already tells all ligands apart.
    fn told_apart_quickly(&self, molecule: &Molecule) -> bool {
        let mut colours: Vec<u64> = (0..molecule.atom_count())
            .map(|index| {
                let atom = &molecule.atoms[index];
                u64::from(atom.atomic_number())
                    | u64::from(atom.charge as u8) << 8
                    | u64::from(atom.hydrogens) << 16
                    | u64::from(atom.isotope) << 24
                    | u64::from(atom.aromatic) << 40
                    | (molecule.degree(index) as u64) << 41
                    | u64::from(attachment(atom)) << 52
            })
            .collect();
        let mut next = vec![0; colours.len()];
        for round in 0..=QUICK_ROUNDS {
            let same = |a: u32, b: u32| colours[a as usize] == colours[b as usize];
            let apart = self.atoms.iter().all(|&a| !has_tie(molecule, a as usize, same))
                && self.bonds.iter().all(|&b| !has_tied_end(molecule, b as usize, same));
            if apart {
                return true;
            }
            if round < QUICK_ROUNDS {
                for (index, colour) in next.iter_mut().enumerate() {
                    let around = molecule
                        .neighbours(index)
                        .iter()
                        .map(|n| mix(colours[n.atom()], molecule.bonds[n.bond()].order as u64));
                    *colour = around.fold(mix(colours[index], 7), u64::wrapping_add);
                }
                std::mem::swap(&mut colours, &mut next);
            }
        }
        false
    }
}

/// Whether two ligands of a centre are the same.
fn has_tie(molecule: &Molecule, atom: usize, same: impl Fn(u32, u32) -> bool) -> bool {
    if molecule.atoms[atom].chirality.is_tetrahedral() {
        let neighbours = molecule.neighbours(atom);
        return neighbours
            .iter()
            .enumerate()
            .any(|(i, a)| neighbours[..i].iter().any(|b| same(a.atom, b.atom)));
    }
    let Some(ligands) = ligands(molecule, atom) else { return false };
    ligands
        .as_slice()
        .chunks(2)
        .any(|end| end.len() == 2 && end[0] != IMPLIED && end[1] != IMPLIED && same(end[0], end[1]))
}

/// Whether the two substituents at an end of a double bond are the same.
fn has_tied_end(molecule: &Molecule, bond: usize, same: impl Fn(u32, u32) -> bool) -> bool {
    let ends = molecule.bonds[bond];
    [ends.begin(), ends.end()].iter().any(|&end| match substituents(molecule, end, bond) {
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    })
}

impl Molecule {
    /// By bond, whether a double bond could have either of two geometries that are not the same:
    /// those that have one, and those where it is left open.
    pub(crate) fn bonds_that_could_have_geometry(&self) -> Vec<bool> {
        let mut could: Vec<bool> =
            (0..self.bond_count()).map(|bond| geometry::is_possible(self, bond)).collect();
        if !could.contains(&true) {
            return could;
        }
        let coloured = with_attachments_only(self);
        let (mut partition, spans) = Partition::new(&coloured, COLOURED);
        for &span in &spans {
            partition.start(span, COLOURED);
        }
        // Equal ways around a ring differ by what stands across it, if that is a stereo element
        // or may become one.
        let systems = ring_systems(self);
        let mut elements = vec![0u32; self.atom_count()];
        let system_of = |bond: &Bond| {
            let ends = [systems[bond.begin()], systems[bond.end()]];
            ends.into_iter().find(|&s| s != u32::MAX).map(|s| s as usize)
        };
        for (atom, &system) in systems.iter().enumerate().filter(|(_, s)| **s != u32::MAX) {
            let marked = self.atoms[atom].chirality != Chirality::None;
            elements[system as usize] += u32::from(marked);
        }
        for (bond, _) in self.bonds.iter().zip(&could).filter(|(_, could)| **could) {
            if let Some(system) = system_of(bond) {
                elements[system] += 1;
            }
        }
        for (index, could) in could.iter_mut().enumerate().filter(|(_, could)| **could) {
            let company = system_of(&self.bonds[index]).is_some_and(|s| elements[s] > 1);
            let same = |a: u32, b: u32| {
                let both_in_ring =
                    self.atoms[a as usize].in_ring() && self.atoms[b as usize].in_ring();
                partition.class[a as usize] == partition.class[b as usize]
                    && !(both_in_ring && company)
            };
            *could = !has_tied_end(self, index, same);
        }
        could
    }
}

/// A marked atom or bond whose ligands the other marks do not tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Centre(u32),
    Double(u32),
}

impl Element {
    fn atoms(self, molecule: &Molecule) -> [u32; 2] {
        match self {
            Element::Centre(atom) => [atom, atom],
            Element::Double(bond) => {
                let bond = molecule.bonds[bond as usize];
                [bond.begin, bond.end]
            }
        }
    }

    /// Turns the mark into its opposite.
    fn invert(self, molecule: &mut Molecule) {
        match self {
            Element::Centre(atom) => {
                let mark = &mut molecule.atoms[atom as usize].chirality;
                *mark = match *mark {
                    Chirality::Allene(number) => Chirality::Allene(3 - number),
                    other => other.inverted(),
                };
            }
            Element::Double(bond) => {
                let stereo = &mut molecule.bonds[bond as usize].stereo;
                *stereo = stereo.inverted();
            }
        }
    }
}

/// An element in doubt, with the ring system in which its equal ligands lie.
struct Doubt {
    element: Element,
    system: Option<u32>,
}

fn doubts(molecule: &Molecule) -> Vec<Doubt> {
    let marked = Marked::of(molecule);
    let (mut partition, spans) = Partition::new(molecule, COLOURED);
    for &span in &spans {
        partition.start(span, COLOURED);
    }
    let same = |a: u32, b: u32| partition.class[a as usize] == partition.class[b as usize];
    let centres = marked.atoms.iter().filter(|&&a| has_tie(molecule, a as usize, same));
    let doubles = marked.bonds.iter().filter(|&&b| has_tied_end(molecule, b as usize, same));
    let elements: Vec<Element> =
        centres.map(|&a| Element::Centre(a)).chain(doubles.map(|&b| Element::Double(b))).collect();
    if elements.is_empty() {
        return Vec::new();
    }
    let systems = ring_systems(molecule);
    let doubt = |element: Element| {
        let atoms = element.atoms(molecule);
        let system = atoms.iter().map(|&a| systems[a as usize]).find(|&s| s != u32::MAX);
        Doubt { element, system }
    };
    elements.into_iter().map(doubt).collect()
}

/// Number of the ring system of each atom, `u32::MAX` outside of rings. Rings that share an atom
/// belong to one system.
fn ring_systems(molecule: &Molecule) -> Vec<u32> {
    let mut systems = vec![u32::MAX; molecule.atom_count()];
    let mut stack = Vec::new();
    for first in 0..molecule.atom_count() {
        if !molecule.atoms[first].in_ring() || systems[first] != u32::MAX {
            continue;
        }
        systems[first] = first as u32;
        stack.push(first);
        while let Some(atom) = stack.pop() {
            for neighbour in molecule.neighbours(atom) {
                if molecule.bonds[neighbour.bond()].in_ring()
                    && systems[neighbour.atom()] == u32::MAX
                {
                    systems[neighbour.atom()] = first as u32;
                    stack.push(neighbour.atom());
                }
            }
        }
    }
    systems
}

/// The elements whose marks may be turned into their opposites without changing the molecule.
///
/// In ring systems all other elements in doubt must then keep their places: in
/// 1,3,5-trimethylcyclohexane with one methyl on the other side, turning one of the two centres
/// on the same side only exchanges the parts that the three play, and the three marks together do
/// mean something.
fn meaningless(molecule: &mut Molecule, doubts: &[Doubt], ask: bool) -> Vec<Element> {
    let shares_system = |i: usize, k: usize| {
        k != i && doubts[k].system.is_some() && doubts[k].system == doubts[i].system
    };
    if !ask {
        // Too many questions: alone in its ring system an element means nothing.
        let alone = |i: &usize| !(0..doubts.len()).any(|k| shares_system(*i, k));
        return (0..doubts.len()).filter(alone).map(|i| doubts[i].element).collect();
    }
    let maps: Vec<u32> = molecule.atoms.iter().map(|a| a.map).collect();
    let mut found = Vec::new();
    for (i, doubt) in doubts.iter().enumerate() {
        for (atom, map) in molecule.atoms.iter_mut().zip(&maps) {
            atom.map = *map;
        }
        for (k, other) in doubts.iter().enumerate() {
            if k == i || shares_system(i, k) {
                for atom in other.element.atoms(molecule) {
                    molecule.atoms[atom as usize].map = FIRST_COLOUR + k as u32;
                }
            }
        }
        let [atom, _] = doubt.element.atoms(molecule);
        let before = component_table(molecule, atom, COLOURED);
        doubt.element.invert(molecule);
        if component_table(molecule, atom, COLOURED) == before {
            found.push(doubt.element);
        }
        doubt.element.invert(molecule);
    }
    for (atom, map) in molecule.atoms.iter_mut().zip(maps) {
        atom.map = map;
    }
    found
}
