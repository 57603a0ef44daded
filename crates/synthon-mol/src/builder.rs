//! The editable molecule, and the one way from it to a [`Molecule`](crate::Molecule).

use crate::perceive::{self, Aromaticity, Marks, Source};
use crate::{BondOrder, BondStereo, Chirality, Element, MolError, Molecule};

/// How many hydrogens an atom carries beside its neighbours in the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hydrogens {
    /// As many as the valence model says (organic-subset atoms of SMILES).
    #[default]
    Implied,
    /// Exactly this many (bracket atoms); what is missing to a valence is unpaired electrons.
    Exactly(u8),
    /// This many, and more if the valence model says so.
    AtLeast(u8),
}

/// An atom as given, before perception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomSpec {
    /// Element; [`Element::WILDCARD`] for `*`.
    pub element: Element,
    /// Formal charge.
    pub charge: i8,
    /// Mass number, 0: not stated.
    pub isotope: u16,
    /// Hydrogens not in the graph.
    pub hydrogens: Hydrogens,
    /// Unpaired electrons that are stated; implied hydrogens are fewer by as many. Atoms with
    /// hydrogens counted exactly get their unpaired electrons from what is missing.
    pub radicals: u8,
    /// Written as aromatic (lower case).
    pub aromatic: bool,
    /// Atom-map number, 0: none.
    pub map: u32,
    /// Handedness relative to the atom's bonds in index order, the implied ligand last.
    pub chirality: Chirality,
    /// Byte range of the atom in the input text, empty when it has none; for error messages.
    pub span: (u32, u32),
}

impl AtomSpec {
    /// A plain atom of this element with implied hydrogens.
    pub fn new(element: Element) -> Self {
        AtomSpec {
            element,
            charge: 0,
            isotope: 0,
            hydrogens: Hydrogens::Implied,
            radicals: 0,
            aromatic: false,
            map: 0,
            chirality: Chirality::None,
            span: (0, 0),
        }
    }
}

/// Direction of a single bond beside a double bond, from its begin to its end atom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BondDirection {
    /// Not marked.
    #[default]
    None,
    /// `/`
    Up,
    /// `\`
    Down,
}

impl BondDirection {
    /// The same direction seen from the other end of the bond.
    #[inline]
    pub fn inverted(self) -> Self {
        match self {
            BondDirection::None => BondDirection::None,
            BondDirection::Up => BondDirection::Down,
            BondDirection::Down => BondDirection::Up,
        }
    }
}

/// A bond as given, before perception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BondSpec {
    /// Begin atom (the donor of a dative bond).
    pub begin: u32,
    /// End atom.
    pub end: u32,
    /// Order; aromatic bonds get their single and double orders on building.
    pub order: BondOrder,
    /// `/` or `\` mark.
    pub direction: BondDirection,
    /// Geometry stated directly, relative to the first other bond (by index) of either end;
    /// marks on the neighbouring bonds say the same in SMILES.
    pub stereo: BondStereo,
}

/// The editable form of a molecule.
#[derive(Clone, Debug, Default)]
pub struct MoleculeBuilder {
    pub(crate) atoms: Vec<AtomSpec>,
    pub(crate) bonds: Vec<BondSpec>,
}

impl MoleculeBuilder {
    /// An empty molecule.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty molecule with room for this many atoms and bonds.
    pub fn with_capacity(atoms: usize, bonds: usize) -> Self {
        MoleculeBuilder { atoms: Vec::with_capacity(atoms), bonds: Vec::with_capacity(bonds) }
    }

    /// Adds an atom and returns its index.
    pub fn add_atom(&mut self, atom: AtomSpec) -> usize {
        self.atoms.push(atom);
        self.atoms.len() - 1
    }

    /// Adds a bond and returns its index. The atoms must exist, differ, and not be bonded yet;
    /// [`build`](Self::build) refuses the molecule otherwise.
    pub fn add_bond(&mut self, begin: usize, end: usize, order: BondOrder) -> usize {
        self.bonds.push(BondSpec {
            begin: begin as u32,
            end: end as u32,
            order,
            direction: BondDirection::None,
            stereo: BondStereo::None,
        });
        self.bonds.len() - 1
    }

    /// The atoms so far.
    pub fn atoms(&self) -> &[AtomSpec] {
        &self.atoms
    }

    /// One atom, to change it.
    pub fn atom_mut(&mut self, atom: usize) -> &mut AtomSpec {
        &mut self.atoms[atom]
    }

    /// The bonds so far.
    pub fn bonds(&self) -> &[BondSpec] {
        &self.bonds
    }

    /// One bond, to change it.
    pub fn bond_mut(&mut self, bond: usize) -> &mut BondSpec {
        &mut self.bonds[bond]
    }

    /// Takes away all stereo marks: of atoms, of double bonds and of the bonds beside them.
    pub fn remove_stereo(&mut self) {
        for atom in &mut self.atoms {
            atom.chirality = Chirality::None;
        }
        for bond in &mut self.bonds {
            bond.stereo = BondStereo::None;
            bond.direction = BondDirection::None;
        }
    }

    /// Perceives everything and returns the finished molecule. Plain hydrogen atoms are folded
    /// into their neighbours, so that atoms may move up.
    ///
    /// # Errors
    /// When the graph is none, an atom has too many bonds, or an aromatic ring has no kekulé form.
    pub fn build(self) -> Result<Molecule, MolError> {
        self.build_with(Aromaticity::Model)
    }

    /// As [`build`](Self::build), but aromatic is what is marked so, and nothing else: the
    /// aromaticity model is not asked. For steps on the way to a molecule whose rules were
    /// written for the aromaticity that it began with.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn build_as_marked(self) -> Result<Molecule, MolError> {
        self.build_with(Aromaticity::AsMarked)
    }

    fn build_with(self, aromaticity: Aromaticity) -> Result<Molecule, MolError> {
        let direction_marks = self.bonds.iter().any(|b| b.direction != BondDirection::None);
        let source =
            Source { text: None, from_text: false, direction_marks, marks: Marks::WRITTEN };
        perceive::perceive_with(aromaticity, self, source).map(|(molecule, _)| molecule)
    }
}

impl Molecule {
    /// The hydrogens of an atom, such that perception finds the same. Half bond orders round up
    /// only where hydrogens are implied: at an aromatic bond outside rings (`C:C`).
    fn stated_hydrogens(&self, atom: usize) -> Hydrogens {
        let this = self.atom(atom);
        let half_order = !this.is_aromatic()
            && this.radical_electrons() == 0
            && self.neighbours(atom).iter().any(|n| self.bond(n.bond()).is_aromatic());
        if half_order { Hydrogens::Implied } else { Hydrogens::Exactly(this.hydrogens()) }
    }

    /// The molecule in editable form: building it again gives the same molecule. Hydrogens are
    /// stated exactly, aromatic atoms and bonds are marked as such.
    pub fn to_builder(&self) -> MoleculeBuilder {
        MoleculeBuilder {
            atoms: self
                .atoms()
                .iter()
                .enumerate()
                .map(|(i, a)| AtomSpec {
                    element: a.element(),
                    charge: a.charge(),
                    isotope: a.isotope(),
                    hydrogens: self.stated_hydrogens(i),
                    radicals: 0,
                    aromatic: a.is_aromatic(),
                    map: a.map(),
                    chirality: a.chirality(),
                    span: (0, 0),
                })
                .collect(),
            bonds: self
                .bonds()
                .iter()
                .map(|b| BondSpec {
                    begin: b.begin() as u32,
                    end: b.end() as u32,
                    order: b.order(),
                    direction: BondDirection::None,
                    stereo: b.stereo(),
                })
                .collect(),
        }
    }
}
