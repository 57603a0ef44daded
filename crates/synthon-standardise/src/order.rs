//! The same molecule with its atoms in canonical order, so that choices do not depend on the
//! spelling.

use synthon_mol::{BondStereo, Chirality, Molecule, MoleculeBuilder, ReadOptions, read_smiles};

/// Reads the canonical text back. Where that fails, which it never should, the molecule stays in
/// its own order.
pub(crate) fn in_canonical_order(molecule: &Molecule) -> Molecule {
    let options = ReadOptions { max_atoms: usize::MAX, max_text: usize::MAX };
    read_smiles(&molecule.to_smiles(), &options).unwrap_or_else(|_| molecule.clone())
}

/// A molecule with its atoms in the order of their canonical ranks and without stereo marks: which
/// kekulé form is found depends on the order, and this one gives RDKit's canonical form.
pub(crate) struct ByRank {
    pub(crate) molecule: Molecule,
    /// Atom of the given molecule by place.
    atoms: Vec<u32>,
}

impl ByRank {
    pub(crate) fn of(molecule: &Molecule) -> Self {
        let ranks = molecule.canonical_ranks();
        let mut atoms: Vec<u32> = (0..ranks.len() as u32).collect();
        atoms.sort_unstable_by_key(|&atom| ranks[atom as usize]);
        let given = molecule.to_builder();
        let mut builder = MoleculeBuilder::new();
        for &atom in &atoms {
            let mut spec = given.atoms()[atom as usize];
            spec.chirality = Chirality::None;
            builder.add_atom(spec);
        }
        let mut bonds: Vec<(u32, u32, usize)> = given
            .bonds()
            .iter()
            .enumerate()
            .map(|(index, bond)| {
                let (a, b) = (ranks[bond.begin as usize], ranks[bond.end as usize]);
                (a.min(b), a.max(b), index)
            })
            .collect();
        bonds.sort_unstable();
        for (_, _, index) in bonds {
            let bond = given.bonds()[index];
            let (begin, end) = (ranks[bond.begin as usize], ranks[bond.end as usize]);
            let new = builder.add_bond(begin as usize, end as usize, bond.order);
            builder.bond_mut(new).stereo = BondStereo::None;
        }
        match builder.build() {
            Ok(ordered) => ByRank { molecule: ordered, atoms },
            // A molecule that was built once is built again.
            Err(_) => ByRank {
                molecule: molecule.clone(),
                atoms: (0..molecule.atom_count() as u32).collect(),
            },
        }
    }

    /// The same atoms in the given molecule.
    pub(crate) fn original(&self, atoms: &[u32]) -> Vec<u32> {
        atoms.iter().map(|&atom| self.atoms[atom as usize]).collect()
    }
}
