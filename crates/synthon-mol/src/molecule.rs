//! The immutable molecule: flat arrays of atoms, bonds, neighbours and rings.

use crate::Element;

/// Order of a bond. An aromatic bond also keeps the single or double order of one kekulé form,
/// see [`Bond::kekule_order`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum BondOrder {
    /// `~`: a bond of unknown order, which adds nothing to a valence.
    Unspecified = 0,
    /// `-`
    Single = 1,
    /// `=`
    Double = 2,
    /// `#`
    Triple = 3,
    /// `$`
    Quadruple = 4,
    /// `:`
    Aromatic = 5,
    /// `->`: from the begin atom (the donor) to the end atom.
    Dative = 6,
}

/// Handedness of a stereo centre, relative to the ligands of the atom: its neighbours in the
/// order of [`Molecule::neighbours`], then the implied ligand (hydrogen or lone pair), if any,
/// last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chirality {
    /// No handedness given.
    #[default]
    None,
    /// `@`: seen from the first ligand, the others run anticlockwise.
    Anticlockwise,
    /// `@@`: seen from the first ligand, the others run clockwise.
    Clockwise,
    /// `@AL1` or `@AL2`, kept as written.
    Allene(u8),
    /// `@SP1` to `@SP3`.
    SquarePlanar(u8),
    /// `@TB1` to `@TB20`.
    TrigonalBipyramidal(u8),
    /// `@OH1` to `@OH30`.
    Octahedral(u8),
}

impl Chirality {
    /// Whether this is one of the two tetrahedral marks.
    #[inline]
    pub fn is_tetrahedral(self) -> bool {
        matches!(self, Chirality::Anticlockwise | Chirality::Clockwise)
    }

    /// The mirror image of a tetrahedral mark; others are returned unchanged.
    #[inline]
    pub fn inverted(self) -> Self {
        match self {
            Chirality::Anticlockwise => Chirality::Clockwise,
            Chirality::Clockwise => Chirality::Anticlockwise,
            other => other,
        }
    }
}

/// Geometry of a double bond, said of two reference neighbours: at either end the first
/// neighbour, in the order of [`Molecule::neighbours`], that is not the other end of the bond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BondStereo {
    /// No geometry given, or none possible.
    #[default]
    None,
    /// The reference neighbours are on the same side.
    Cis,
    /// The reference neighbours are on opposite sides.
    Trans,
}

impl BondStereo {
    /// The other geometry; `None` stays.
    #[inline]
    pub fn inverted(self) -> Self {
        match self {
            BondStereo::Cis => BondStereo::Trans,
            BondStereo::Trans => BondStereo::Cis,
            BondStereo::None => BondStereo::None,
        }
    }
}

/// An atom of a [`Molecule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    pub(crate) element: Element,
    pub(crate) charge: i8,
    pub(crate) hydrogens: u8,
    pub(crate) radicals: u8,
    pub(crate) isotope: u16,
    pub(crate) chirality: Chirality,
    pub(crate) aromatic: bool,
    /// Smallest ring that holds the atom, 0: none.
    pub(crate) smallest_ring: u16,
    pub(crate) map: u32,
}

impl Atom {
    /// Element; [`Element::WILDCARD`] for `*`.
    #[inline]
    pub fn element(&self) -> Element {
        self.element
    }
    /// Atomic number; 0 for the wildcard.
    #[inline]
    pub fn atomic_number(&self) -> u8 {
        self.element.atomic_number()
    }
    /// Formal charge in elementary charges.
    #[inline]
    pub fn charge(&self) -> i8 {
        self.charge
    }
    /// Hydrogens folded into this atom, written or implied; hydrogen neighbours that are atoms
    /// of the graph (isotopic ones) are not counted.
    #[inline]
    pub fn hydrogens(&self) -> u8 {
        self.hydrogens
    }
    /// Unpaired electrons.
    #[inline]
    pub fn radical_electrons(&self) -> u8 {
        self.radicals
    }
    /// Mass number; 0 when not stated.
    #[inline]
    pub fn isotope(&self) -> u16 {
        self.isotope
    }
    /// Atom-map number; 0 when there is none.
    #[inline]
    pub fn map(&self) -> u32 {
        self.map
    }
    /// Whether the atom belongs to an aromatic system.
    #[inline]
    pub fn is_aromatic(&self) -> bool {
        self.aromatic
    }
    /// Handedness, relative to [`Molecule::neighbours`].
    #[inline]
    pub fn chirality(&self) -> Chirality {
        self.chirality
    }
    /// Whether the atom lies in a ring.
    #[inline]
    pub fn in_ring(&self) -> bool {
        self.smallest_ring != 0
    }
    /// Size of the smallest ring that holds the atom; 0 when it lies in none.
    #[inline]
    pub fn smallest_ring(&self) -> usize {
        self.smallest_ring as usize
    }
}

/// A bond of a [`Molecule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) order: BondOrder,
    pub(crate) kekule: BondOrder,
    pub(crate) stereo: BondStereo,
    /// Smallest ring that holds the bond, 0: none.
    pub(crate) smallest_ring: u16,
}

impl Bond {
    /// Index of the atom where the bond was begun in the input (the donor of a dative bond).
    #[inline]
    pub fn begin(&self) -> usize {
        self.begin as usize
    }
    /// Index of the other atom.
    #[inline]
    pub fn end(&self) -> usize {
        self.end as usize
    }
    /// The atom at the other end from `atom`, which must be one of the two.
    #[inline]
    pub fn other(&self, atom: usize) -> usize {
        debug_assert!(atom == self.begin() || atom == self.end());
        (self.begin ^ self.end) as usize ^ atom
    }
    /// Order, [`BondOrder::Aromatic`] inside aromatic systems.
    #[inline]
    pub fn order(&self) -> BondOrder {
        self.order
    }
    /// Order in the kekulé form kept with the molecule; the same as [`order`](Self::order) for
    /// bonds that are not aromatic.
    #[inline]
    pub fn kekule_order(&self) -> BondOrder {
        self.kekule
    }
    /// Whether the bond is aromatic.
    #[inline]
    pub fn is_aromatic(&self) -> bool {
        self.order == BondOrder::Aromatic
    }
    /// Geometry, for double bonds.
    #[inline]
    pub fn stereo(&self) -> BondStereo {
        self.stereo
    }
    /// Whether the bond lies in a ring.
    #[inline]
    pub fn in_ring(&self) -> bool {
        self.smallest_ring != 0
    }
    /// Size of the smallest ring that holds the bond; 0 when it lies in none.
    #[inline]
    pub fn smallest_ring(&self) -> usize {
        self.smallest_ring as usize
    }
}

/// One entry of an atom's neighbour list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    pub(crate) atom: u32,
    pub(crate) bond: u32,
}

impl Neighbour {
    /// Index of the neighbouring atom.
    #[inline]
    pub fn atom(self) -> usize {
        self.atom as usize
    }
    /// Index of the bond that leads there.
    #[inline]
    pub fn bond(self) -> usize {
        self.bond as usize
    }
}

/// The rings of a molecule: the symmetrised set of smallest rings, as RDKit's default. The first
/// [`sssr_count`](Rings::sssr_count) of them form a smallest set (SSSR); the others are of equal
/// size and just as good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rings {
    /// Ring `i` is `offsets[i]..offsets[i + 1]` of `atoms` and of `bonds`.
    pub(crate) offsets: Box<[u32]>,
    /// Atoms in order around the ring.
    pub(crate) atoms: Box<[u32]>,
    /// `bonds[k]` joins `atoms[k]` to the next atom around.
    pub(crate) bonds: Box<[u32]>,
    pub(crate) sssr_count: u32,
}

impl Rings {
    /// Number of rings in the symmetrised set.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    /// Whether there are no rings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of rings in a smallest set: bonds - atoms + components.
    pub fn sssr_count(&self) -> usize {
        self.sssr_count as usize
    }
    /// Atom indices of ring `i`, in order around it.
    pub fn atoms(&self, i: usize) -> &[u32] {
        &self.atoms[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
    /// Bond indices of ring `i`; entry `k` joins atom `k` of [`atoms`](Self::atoms) to the next.
    pub fn bonds(&self, i: usize) -> &[u32] {
        &self.bonds[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
    /// Atom lists of all rings.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        (0..self.len()).map(|i| self.atoms(i))
    }
}

/// A molecule (or several, dot-separated): immutable, cheap to read, fully perceived.
///
/// Atoms keep the order of the input without the hydrogens that were folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Molecule {
    pub(crate) atoms: Box<[Atom]>,
    pub(crate) bonds: Box<[Bond]>,
    /// Neighbours of atom `i` are `offsets[i]..offsets[i + 1]` of `neighbours`, in bond order.
    pub(crate) offsets: Box<[u32]>,
    pub(crate) neighbours: Box<[Neighbour]>,
    pub(crate) rings: Rings,
    /// What was changed or dropped on reading, in words.
    pub(crate) warnings: Vec<String>,
}

impl Molecule {
    /// Number of atoms in the graph.
    #[inline]
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }
    /// Number of bonds in the graph.
    #[inline]
    pub fn bond_count(&self) -> usize {
        self.bonds.len()
    }
    /// Atom `i`.
    #[inline]
    pub fn atom(&self, i: usize) -> &Atom {
        &self.atoms[i]
    }
    /// All atoms.
    #[inline]
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }
    /// Bond `i`.
    #[inline]
    pub fn bond(&self, i: usize) -> &Bond {
        &self.bonds[i]
    }
    /// All bonds.
    #[inline]
    pub fn bonds(&self) -> &[Bond] {
        &self.bonds
    }
    /// Neighbours of an atom, in the order of their bonds' indices.
    #[inline]
    pub fn neighbours(&self, atom: usize) -> &[Neighbour] {
        &self.neighbours[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }
    /// Number of explicit neighbours.
    #[inline]
    pub fn degree(&self, atom: usize) -> usize {
        (self.offsets[atom + 1] - self.offsets[atom]) as usize
    }
    /// Index of the bond between two atoms, if there is one.
    pub fn bond_between(&self, a: usize, b: usize) -> Option<usize> {
        let (a, b) = if self.degree(a) <= self.degree(b) { (a, b) } else { (b, a) };
        self.neighbours(a).iter().find(|n| n.atom() == b).map(|n| n.bond())
    }
    /// The ring set.
    #[inline]
    pub fn rings(&self) -> &Rings {
        &self.rings
    }
    /// What was changed or dropped on reading, in words: stereo marks without meaning and the
    /// like.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
    /// Hydrogens of an atom including neighbours that are hydrogen atoms of the graph.
    pub fn total_hydrogens(&self, atom: usize) -> usize {
        self.atoms[atom].hydrogens as usize
            + self
                .neighbours(atom)
                .iter()
                .filter(|n| self.atoms[n.atom()].element == Element::H)
                .count()
    }
    /// Reference neighbours of a double bond at its begin and its end, to which its
    /// [`BondStereo`] refers; `None` where an end has no other neighbour.
    pub fn stereo_references(&self, bond: usize) -> Option<(usize, usize)> {
        let bond = &self.bonds[bond];
        let first = |at: usize, not: usize| {
            self.neighbours(at).iter().map(|n| n.atom()).find(|&n| n != not)
        };
        Some((first(bond.begin(), bond.end())?, first(bond.end(), bond.begin())?))
    }
    /// Number of connected components, and the component of each atom numbered in the order of
    /// their first atoms.
    pub fn components(&self) -> (usize, Vec<u32>) {
        let mut component = vec![u32::MAX; self.atom_count()];
        let (mut count, mut stack) = (0, Vec::new());
        for start in 0..self.atom_count() {
            if component[start] != u32::MAX {
                continue;
            }
            component[start] = count;
            stack.push(start);
            while let Some(atom) = stack.pop() {
                for n in self.neighbours(atom) {
                    if component[n.atom()] == u32::MAX {
                        component[n.atom()] = count;
                        stack.push(n.atom());
                    }
                }
            }
            count += 1;
        }
        (count as usize, component)
    }
}
