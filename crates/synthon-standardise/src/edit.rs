//! Small changes to a molecule: charges, hydrogens, bond orders, bonds cut.

use synthon_mol::{BondOrder, Hydrogens, Molecule, MoleculeBuilder};

/// A molecule being changed. Atoms keep their places; what is not touched stays as it is.
pub(crate) struct Edit<'m> {
    before: &'m Molecule,
    builder: MoleculeBuilder,
    cut: Vec<bool>,
}

impl<'m> Edit<'m> {
    pub(crate) fn of(molecule: &'m Molecule) -> Self {
        Edit {
            before: molecule,
            builder: molecule.to_builder(),
            cut: vec![false; molecule.bond_count()],
        }
    }

    /// Sets a charge; the hydrogens stay, whatever the valence model would say.
    pub(crate) fn set_charge(&mut self, atom: usize, charge: i32) {
        let kept = self.hydrogens(atom);
        let spec = self.builder.atom_mut(atom);
        spec.charge = charge.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
        spec.hydrogens = Hydrogens::Exactly(kept);
    }

    /// Hydrogens folded into an atom, as they are now.
    pub(crate) fn hydrogens(&self, atom: usize) -> u8 {
        match self.builder.atoms()[atom].hydrogens {
            Hydrogens::Exactly(count) => count,
            Hydrogens::Implied | Hydrogens::AtLeast(_) => self.before.atom(atom).hydrogens(),
        }
    }

    pub(crate) fn set_hydrogens(&mut self, atom: usize, count: u8) {
        self.builder.atom_mut(atom).hydrogens = Hydrogens::Exactly(count);
    }

    /// Leaves the hydrogens of an atom to the valence model.
    pub(crate) fn imply_hydrogens(&mut self, atom: usize) {
        self.builder.atom_mut(atom).hydrogens = Hydrogens::Implied;
    }

    pub(crate) fn set_order(&mut self, bond: usize, order: BondOrder) {
        self.builder.bond_mut(bond).order = order;
    }

    /// Takes a bond out, with what it said of the handedness and geometry around it.
    pub(crate) fn cut(&mut self, bond: usize) {
        self.cut[bond] = true;
    }

    /// The changed molecule; `None` when it would be none (too many bonds, no kekulé form).
    pub(crate) fn finish(self) -> Option<Molecule> {
        self.into_builder().build().ok()
    }

    /// The same, with the aromaticity of before: what is not aromatic does not become so yet.
    pub(crate) fn finish_as_marked(self) -> Option<Molecule> {
        self.into_builder().build_as_marked().ok()
    }

    fn into_builder(mut self) -> MoleculeBuilder {
        if !self.cut.contains(&true) {
            return self.builder;
        }
        self.carry_stereo();
        let mut rest = MoleculeBuilder::new();
        for atom in self.builder.atoms() {
            rest.add_atom(*atom);
        }
        for (index, bond) in self.builder.bonds().iter().enumerate() {
            if !self.cut[index] {
                let new = rest.add_bond(bond.begin as usize, bond.end as usize, bond.order);
                rest.bond_mut(new).stereo = bond.stereo;
            }
        }
        rest
    }

    /// Rewrites the stereo marks around cut bonds: the free place of a lost neighbour stands last,
    /// and geometry is said of the first neighbour that is left.
    fn carry_stereo(&mut self) {
        for atom in 0..self.before.atom_count() {
            let neighbours = self.before.neighbours(atom);
            let lost: Vec<usize> =
                (0..neighbours.len()).filter(|&k| self.cut[neighbours[k].bond()]).collect();
            if let [place] = lost[..]
                && (neighbours.len() - 1 - place) % 2 == 1
            {
                let spec = self.builder.atom_mut(atom);
                spec.chirality = spec.chirality.inverted();
            }
            if lost.is_empty() {
                continue;
            }
            for n in neighbours {
                let first = neighbours.iter().find(|other| other.bond() != n.bond());
                if first.is_some_and(|first| self.cut[first.bond()]) {
                    let bond = self.builder.bond_mut(n.bond());
                    bond.stereo = bond.stereo.inverted();
                }
            }
        }
    }
}

/// The molecule with these atoms alone, in the same order.
pub(crate) fn keep_atoms(molecule: &Molecule, keep: impl Fn(usize) -> bool) -> Option<Molecule> {
    let whole = molecule.to_builder();
    let mut part = MoleculeBuilder::new();
    let mut place = vec![usize::MAX; molecule.atom_count()];
    for (index, atom) in whole.atoms().iter().enumerate() {
        if keep(index) {
            place[index] = part.add_atom(*atom);
        }
    }
    for bond in whole.bonds() {
        let (begin, end) = (place[bond.begin as usize], place[bond.end as usize]);
        if begin != usize::MAX && end != usize::MAX {
            let new = part.add_bond(begin, end, bond.order);
            part.bond_mut(new).stereo = bond.stereo;
        }
    }
    part.build().ok()
}
