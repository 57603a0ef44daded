//! The molecule while it is being perceived.

use super::aromaticity::Donor;
use super::organometallics::is_metal_number;
use crate::builder::{AtomSpec, BondDirection, BondSpec, Hydrogens, MoleculeBuilder};
use crate::element_data::{ELEMENTS, ElementData};
use crate::{Atom, Bond, BondOrder, Molecule, Neighbour, Rings};
use smallvec::SmallVec;

/// What is known of an atom beside the fields of the finished one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AtomState {
    /// Hydrogens that were written.
    pub explicit_hydrogens: u8,
    /// Hydrogens that the valence model adds.
    pub implicit_hydrogens: u8,
    /// No hydrogens are to be added (bracket atoms).
    pub no_implicit: bool,
    /// Has an aromatic bond, or is aromatic itself.
    pub aromatic_environment: bool,
    /// Sum of the bond orders and written hydrogens, after rounding.
    pub explicit_valence: u8,
    /// Twice the sum of the bond orders.
    pub halves: u16,
    /// Number of aromatic bonds as written.
    pub aromatic_bonds: u8,
    /// Partner by a double bond that was placed in an aromatic ring.
    pub mate: u32,
    /// Marks of the search for a kekulé form.
    pub marks: u8,
    /// What the atom may give to an aromatic ring.
    pub donor: Donor,
    /// Byte range in the text.
    pub span: (u32, u32),
}

/// A molecule with its adjacency, before and during perception.
pub(crate) struct Draft {
    pub atoms: Vec<Atom>,
    pub state: Vec<AtomState>,
    pub bonds: Vec<Bond>,
    /// `/` and `\` by bond; empty when there are none.
    pub directions: Vec<BondDirection>,
    pub offsets: Vec<u32>,
    pub neighbours: Vec<Neighbour>,
    pub warnings: Vec<String>,
    pub tree: Vec<TreeNode>,
    /// Bonds that are not of the tree.
    pub closing: SmallVec<[u32; 8]>,
    /// Some atom is a metal.
    pub any_metal: bool,
    /// Some atom is N, P or a heavier halogen, whose groups may have to be rewritten.
    pub any_rewritable: bool,
    /// Some atom or bond is marked aromatic.
    pub any_aromatic: bool,
    /// Some atom is a wildcard.
    pub any_wildcard: bool,
    /// Some bond adds nothing to the valence of an atom (dative, unspecified).
    pub any_idle: bool,
}

const WILDCARD: u8 = 1;
const METAL: u8 = 2;
const REWRITABLE: u8 = 4;
const AROMATIC: u8 = 8;
const IDLE: u8 = 16;

/// What steps an element may need, by atomic number.
static TRAITS: [u8; 119] = {
    let mut traits = [0; 119];
    let mut number = 0;
    while number < 119 {
        traits[number] = match number {
            0 => WILDCARD,
            7 | 15 | 17 | 35 | 53 => REWRITABLE,
            _ if is_metal_number(number as u8) => METAL,
            _ => 0,
        };
        number += 1;
    }
    traits
};

/// An atom in the tree of first bonds: the first bond of each atom to a lower one.
#[derive(Clone, Copy)]
pub(crate) struct TreeNode {
    pub parent: u32,
    /// Bond to the parent.
    pub bond: u32,
    /// The first cycle that uses this bond.
    pub cycle: u32,
}

impl TreeNode {
    const ROOT: TreeNode = TreeNode { parent: u32::MAX, bond: u32::MAX, cycle: u32::MAX };
}

/// Twice the order of a bond.
#[inline]
fn halves(order: BondOrder) -> u16 {
    match order {
        BondOrder::Single | BondOrder::Dative => 2,
        BondOrder::Double => 4,
        BondOrder::Triple => 6,
        BondOrder::Quadruple => 8,
        BondOrder::Aromatic => 3,
        BondOrder::Unspecified => 0,
    }
}

fn atom(spec: &AtomSpec) -> Atom {
    Atom {
        element: spec.element,
        charge: spec.charge,
        hydrogens: 0,
        radicals: spec.radicals,
        isotope: spec.isotope,
        chirality: spec.chirality,
        aromatic: spec.aromatic,
        smallest_ring: 0,
        map: spec.map,
    }
}

fn state(spec: &AtomSpec) -> AtomState {
    let (explicit_hydrogens, no_implicit) = match spec.hydrogens {
        Hydrogens::Implied => (0, false),
        Hydrogens::Exactly(n) => (n, true),
        Hydrogens::AtLeast(n) => (n, false),
    };
    AtomState {
        explicit_hydrogens,
        implicit_hydrogens: 0,
        no_implicit,
        aromatic_environment: spec.aromatic,
        explicit_valence: 0,
        halves: 0,
        aromatic_bonds: 0,
        mate: u32::MAX,
        marks: 0,
        donor: Donor::Unknown,
        span: spec.span,
    }
}

fn bond(spec: &BondSpec) -> Bond {
    Bond {
        begin: spec.begin,
        end: spec.end,
        order: spec.order,
        kekule: spec.order,
        stereo: spec.stereo,
        smallest_ring: 0,
    }
}

impl Draft {
    pub fn new(builder: &MoleculeBuilder, direction_marks: bool) -> Self {
        let count = builder.atoms.len();
        let mut traits = 0;
        for spec in &builder.atoms {
            traits |= TRAITS[spec.element.atomic_number() as usize];
            traits |= if spec.aromatic { AROMATIC } else { 0 };
        }
        let mut state: Vec<AtomState> = builder.atoms.iter().map(state).collect();
        let mut tree = vec![TreeNode::ROOT; count];
        let mut closing = SmallVec::new();
        let mut offsets = vec![0; count + 1];
        for (index, spec) in builder.bonds.iter().enumerate() {
            offsets[spec.begin as usize] += 1;
            offsets[spec.end as usize] += 1;
            let halves = halves(spec.order);
            let end = &mut state[spec.end as usize];
            end.halves = end.halves.saturating_add(halves);
            let is_aromatic = spec.order == BondOrder::Aromatic;
            end.aromatic_environment |= is_aromatic;
            end.aromatic_bonds = end.aromatic_bonds.saturating_add(u8::from(is_aromatic));
            let begin = &mut state[spec.begin as usize];
            begin.aromatic_environment |= is_aromatic;
            begin.aromatic_bonds = begin.aromatic_bonds.saturating_add(u8::from(is_aromatic));
            traits |= if is_aromatic { AROMATIC } else { 0 };
            if spec.order == BondOrder::Dative {
                traits |= IDLE;
                continue;
            }
            traits |= if halves == 0 { IDLE } else { 0 };
            begin.halves = begin.halves.saturating_add(halves);
            let node = &mut tree[spec.begin.max(spec.end) as usize];
            if node.parent == u32::MAX {
                (node.parent, node.bond) = (spec.begin.min(spec.end), index as u32);
            } else {
                closing.push(index as u32);
            }
        }
        let directions = if direction_marks {
            builder.bonds.iter().map(|b| b.direction).collect()
        } else {
            Vec::new()
        };
        let mut draft = Draft {
            atoms: builder.atoms.iter().map(atom).collect(),
            state,
            bonds: builder.bonds.iter().map(bond).collect(),
            directions,
            offsets,
            neighbours: vec![Neighbour { atom: 0, bond: 0 }; 2 * builder.bonds.len()],
            warnings: Vec::new(),
            tree,
            closing,
            any_metal: traits & METAL != 0,
            any_rewritable: traits & REWRITABLE != 0,
            any_aromatic: traits & AROMATIC != 0,
            any_wildcard: traits & WILDCARD != 0,
            any_idle: traits & IDLE != 0,
        };
        draft.link();
        draft
    }

    /// Puts a bond into the tree of first bonds, or among those that close cycles.
    #[inline]
    fn root_bond(&mut self, index: u32, begin: u32, end: u32, order: BondOrder) {
        if order == BondOrder::Dative {
            return;
        }
        let node = &mut self.tree[begin.max(end) as usize];
        if node.parent == u32::MAX {
            (node.parent, node.bond) = (begin.min(end), index);
        } else {
            self.closing.push(index);
        }
    }

    /// Makes the tree anew, after bonds became dative.
    pub fn plant(&mut self) {
        self.closing.clear();
        for node in &mut self.tree {
            *node = TreeNode::ROOT;
        }
        for index in 0..self.bonds.len() {
            let bond = self.bonds[index];
            self.root_bond(index as u32, bond.begin, bond.end, bond.order);
        }
    }

    /// Turns the degrees in `offsets` into offsets and fills the neighbour lists.
    fn link(&mut self) {
        let mut end = 0;
        for offset in &mut self.offsets {
            end += *offset;
            *offset = end;
        }
        // Offsets are now the ends of the lists; filling backwards moves them to the starts and
        // keeps each list in the order of bond indices.
        let (offsets, neighbours) = (&mut self.offsets[..], &mut self.neighbours[..]);
        for (i, bond) in self.bonds.iter().enumerate().rev() {
            for (from, to) in [(bond.begin, bond.end), (bond.end, bond.begin)] {
                let slot = &mut offsets[from as usize];
                *slot -= 1;
                neighbours[*slot as usize] = Neighbour { atom: to, bond: i as u32 };
            }
        }
    }

    #[inline]
    pub fn neighbours(&self, atom: usize) -> &[Neighbour] {
        &self.neighbours[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }

    #[inline]
    pub fn degree(&self, atom: usize) -> usize {
        (self.offsets[atom + 1] - self.offsets[atom]) as usize
    }

    #[inline]
    pub fn element(&self, atom: usize) -> &'static ElementData {
        &ELEMENTS[self.atoms[atom].element.atomic_number() as usize]
    }

    /// Hydrogens of the atom that are not in the graph.
    #[inline]
    pub fn hydrogens(&self, atom: usize) -> u8 {
        let state = &self.state[atom];
        state.explicit_hydrogens.saturating_add(state.implicit_hydrogens)
    }

    /// Twice what a bond adds to the valence of one of its atoms.
    #[inline]
    pub fn half_orders(&self, bond: u32, atom: usize) -> u32 {
        let bond = &self.bonds[bond as usize];
        if bond.order == BondOrder::Dative && bond.end as usize != atom {
            return 0;
        }
        u32::from(halves(bond.order))
    }

    #[inline]
    fn count_bond(&mut self, bond: &Bond) {
        let halves = halves(bond.order);
        if bond.order != BondOrder::Dative {
            let sum = &mut self.state[bond.begin as usize].halves;
            *sum = sum.saturating_add(halves);
        }
        let sum = &mut self.state[bond.end as usize].halves;
        *sum = sum.saturating_add(halves);
    }

    /// Sums the bond orders of every atom anew.
    pub fn count_bonds(&mut self) {
        for state in &mut self.state {
            state.halves = 0;
        }
        for i in 0..self.bonds.len() {
            let bond = self.bonds[i];
            self.count_bond(&bond);
        }
    }

    pub fn finish(mut self, rings: Rings) -> Molecule {
        for i in 0..self.atoms.len() {
            self.atoms[i].hydrogens = self.hydrogens(i);
        }
        Molecule {
            atoms: self.atoms.into_boxed_slice(),
            bonds: self.bonds.into_boxed_slice(),
            offsets: self.offsets.into_boxed_slice(),
            neighbours: self.neighbours.into_boxed_slice(),
            rings,
            warnings: self.warnings,
        }
    }

    /// Atoms and bonds marked aromatic.
    pub fn aromatic_marks(&self) -> (Vec<bool>, Vec<bool>) {
        let bonds = self.bonds.iter().map(|bond| bond.order == BondOrder::Aromatic);
        (self.atoms.iter().map(|atom| atom.aromatic).collect(), bonds.collect())
    }

    /// Puts the marks back.
    pub fn mark_aromatic(&mut self, (atoms, bonds): &(Vec<bool>, Vec<bool>)) {
        for (atom, &aromatic) in self.atoms.iter_mut().zip(atoms) {
            atom.aromatic = aromatic;
        }
        for (bond, &aromatic) in self.bonds.iter_mut().zip(bonds) {
            if aromatic {
                bond.order = BondOrder::Aromatic;
            }
        }
    }
}
