//! The form in which a charged or salt-like molecule is compared: its neutral parent.

use synthon_mol::{AtomSpec, Hydrogens, Molecule, MoleculeBuilder};

/// The molecule without stereo marks.
pub fn flat(molecule: &Molecule) -> Option<Molecule> {
    let mut builder = molecule.to_builder();
    builder.remove_stereo();
    builder.build().ok()
}

/// The one component that is not a common counter-ion, acid of a salt or water, with protons moved
/// so that it carries no charge: ammonium gives the amine, carboxylate the acid. `None` when
/// nothing changes or several components remain.
///
/// Charges that balance inside the molecule (nitro, N-oxide) stay, and an ion whose charge is not
/// one of protons (quaternary ammonium, azide, cyanide) stays an ion.
pub fn neutral_parent(molecule: &Molecule) -> Option<Molecule> {
    let (count, component_of) = molecule.components();
    let kept: Vec<u32> =
        (0..count as u32).filter(|&c| !is_counter_ion(molecule, &component_of, c)).collect();
    let [kept] = kept.as_slice() else { return None };
    let mut builder = MoleculeBuilder::new();
    let mut place = vec![usize::MAX; molecule.atom_count()];
    let mut changed = count > 1;
    for (i, atom) in molecule.atoms().iter().enumerate() {
        if component_of[i] != *kept {
            continue;
        }
        let mut spec = AtomSpec::new(atom.element());
        spec.charge = atom.charge();
        spec.hydrogens = Hydrogens::Exactly(atom.hydrogens());
        spec.isotope = atom.isotope();
        spec.aromatic = atom.is_aromatic();
        spec.chirality = atom.chirality();
        if let Some((charge, hydrogens)) = without_proton_charge(molecule, i) {
            spec.charge = charge;
            spec.hydrogens = Hydrogens::Exactly(hydrogens);
            changed = true;
        }
        place[i] = builder.add_atom(spec);
    }
    for bond in molecule.bonds().iter().filter(|b| place[b.begin()] != usize::MAX) {
        let new = builder.add_bond(place[bond.begin()], place[bond.end()], bond.order());
        builder.bond_mut(new).stereo = bond.stereo();
    }
    if !changed {
        return None;
    }
    builder.build().ok()
}

/// Charge and hydrogens of an atom after a proton has gone from it or come to it.
fn without_proton_charge(molecule: &Molecule, i: usize) -> Option<(i8, u8)> {
    let atom = molecule.atom(i);
    let balanced = molecule.neighbours(i).iter().any(|n| {
        let other = molecule.atom(n.atom()).charge();
        other != 0 && (other > 0) != (atom.charge() > 0)
    });
    if balanced {
        return None;
    }
    match atom.charge() {
        1 if atom.hydrogens() > 0 => Some((0, atom.hydrogens() - 1)),
        // Carbanions and borates are reagents, not deprotonated acids.
        -1 if matches!(atom.atomic_number(), 7 | 8 | 9 | 16 | 17 | 34 | 35 | 53)
            && molecule.total_hydrogens(i) + molecule.degree(i) < 3 =>
        {
            Some((0, atom.hydrogens() + 1))
        }
        _ => None,
    }
}

/// Whether a component is what salts are made with: a metal ion, halide or hydrogen halide, water,
/// or a mineral acid in any state of protonation.
fn is_counter_ion(molecule: &Molecule, component_of: &[u32], component: u32) -> bool {
    let atoms: Vec<usize> =
        (0..molecule.atom_count()).filter(|&i| component_of[i] == component).collect();
    let number = |i: &usize| molecule.atom(*i).atomic_number();
    if let [single] = atoms.as_slice() {
        return match number(single) {
            // alkali and alkaline earth metals, Zn, Al, Ag, Cu
            3 | 11 | 19 | 37 | 55 | 12 | 20 | 38 | 56 | 30 | 13 | 47 | 29 => true,
            9 | 17 | 35 | 53 => true,
            8 => true,
            // ammonium, but not ammonia
            7 => molecule.atom(*single).charge() == 1,
            _ => false,
        };
    }
    let count = |wanted: u8| atoms.iter().filter(|i| number(i) == wanted).count();
    // Sulfuric, phosphoric, nitric, perchloric acid, tetrafluoroborate, hexafluorophosphate.
    match atoms.len() {
        5 => {
            (count(8) == 4 && count(16) + count(15) + count(17) == 1)
                || (count(5) == 1 && count(9) == 4)
        }
        4 => count(7) == 1 && count(8) == 3,
        7 => count(15) == 1 && count(9) == 6,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parent(smiles: &str) -> Option<String> {
        let molecule = Molecule::from_smiles(smiles).expect(smiles);
        neutral_parent(&molecule).map(|m| m.to_smiles())
    }

    #[test]
    fn salts_lose_their_counter_ions_and_charges() {
        assert_eq!(parent("[Na+].CC(=O)[O-]").as_deref(), Some("CC(=O)O"));
        assert_eq!(parent("Cl.NCc1ccccc1").as_deref(), Some("NCc1ccccc1"));
        assert_eq!(parent("C[NH+](C)C.[Cl-]").as_deref(), Some("CN(C)C"));
        assert_eq!(parent("[O-]c1ccccc1.[K+]").as_deref(), Some("Oc1ccccc1"));
        assert_eq!(parent("O.O.OC(=O)C(O)=O").as_deref(), Some("O=C(O)C(=O)O"));
        assert_eq!(parent("OS(O)(=O)=O.NN").as_deref(), Some("NN"));
        assert_eq!(parent("C[C@H](N)C(=O)OC.Cl").as_deref(), Some("COC(=O)[C@H](C)N"));
        assert_eq!(parent("[NH3+]CC(=O)[O-]").as_deref(), Some("NCC(=O)O"));
    }

    #[test]
    fn what_is_no_matter_of_protons_stays() {
        assert_eq!(parent("C[N+](C)(C)C"), None);
        assert_eq!(parent("C[N+](C)(C)C.[Br-]").as_deref(), Some("C[N+](C)(C)C"));
        assert_eq!(parent("[Na+].[N-]=[N+]=[N-]").as_deref(), Some("[N-]=[N+]=[N-]"));
        assert_eq!(parent("O=[N+]([O-])c1ccccc1"), None);
        assert_eq!(parent("[N-]=[N+]=NCC"), None);
        assert_eq!(parent("CCO"), None);
        assert_eq!(parent("CCO.CCN"), None);
        assert_eq!(parent("Cl.O"), None);
    }

    #[test]
    fn flat_drops_centres_and_double_bonds() {
        let molecule = Molecule::from_smiles("C[C@H](O)/C=C/C").expect("reads");
        assert_eq!(flat(&molecule).map(|m| m.to_smiles()).as_deref(), Some("CC=CC(C)O"));
    }
}
