//! The Murcko scaffold: rings, what links them, and what is doubly bonded to either (Bemis and
//! Murcko, J. Med. Chem. 1996, 39, 2887, with exocyclic double bonds as RDKit has it).

use synthon_mol::{
    AtomSpec, BondOrder, BondStereo, Chirality, Element, Hydrogens, MolError, Molecule,
    MoleculeBuilder,
};

/// The scaffold of a molecule; a molecule without rings has one without atoms. Stereo centres
/// that lose a ligand lose their mark. The geometry of a double bond stays while each end has a
/// ligand left to show it; whether RDKit keeps it then depends on which bonds the text marks.
///
/// # Errors
/// When what is left is no molecule: an aromatic system that lost what it needs.
pub fn murcko_scaffold(molecule: &Molecule) -> Result<Molecule, MolError> {
    let (frame, kept) = frame(molecule);
    let mut builder = MoleculeBuilder::new();
    let mut place = vec![usize::MAX; molecule.atom_count()];
    for atom in (0..kept.len()).filter(|&a| kept[a]) {
        place[atom] = builder.add_atom(atom_of_scaffold(molecule, &frame, &kept, atom));
    }
    for (index, bond) in molecule.bonds().iter().enumerate() {
        if kept[bond.begin()] && kept[bond.end()] {
            let new = builder.add_bond(place[bond.begin()], place[bond.end()], bond.order());
            builder.bond_mut(new).stereo = geometry(molecule, &kept, index);
        }
    }
    builder.build()
}

/// The scaffold with every atom a carbon and every bond single: its shape alone. `None` for a
/// molecule whose scaffold has an atom with more than four bonds.
pub fn generic_scaffold(molecule: &Molecule) -> Option<Molecule> {
    let scaffold = murcko_scaffold(molecule).ok()?;
    let mut builder = MoleculeBuilder::new();
    for atom in scaffold.atoms() {
        let element = if atom.element() == Element::H { Element::H } else { Element::C };
        builder.add_atom(AtomSpec::new(element));
    }
    for bond in scaffold.bonds() {
        builder.add_bond(bond.begin(), bond.end(), BondOrder::Single);
    }
    builder.build().ok()
}

/// By atom, whether it lies in a ring or on a way between rings; and whether it belongs to the
/// scaffold, which also has what is doubly bonded to those.
fn frame(molecule: &Molecule) -> (Vec<bool>, Vec<bool>) {
    let count = molecule.atom_count();
    let mut frame = vec![true; count];
    let mut degree: Vec<usize> = (0..count).map(|a| molecule.degree(a)).collect();
    // What hangs at one bond only falls off, again and again.
    let loose = |degree: &[usize], a: usize| degree[a] <= 1 && !molecule.atom(a).in_ring();
    let mut stack: Vec<usize> = (0..count).filter(|&a| loose(&degree, a)).collect();
    while let Some(atom) = stack.pop() {
        if !std::mem::replace(&mut frame[atom], false) {
            continue;
        }
        for n in molecule.neighbours(atom).iter().filter(|n| frame[n.atom()]) {
            degree[n.atom()] -= 1;
            if loose(&degree, n.atom()) {
                stack.push(n.atom());
            }
        }
    }
    let held = |atom: usize| {
        molecule
            .neighbours(atom)
            .iter()
            .any(|n| frame[n.atom()] && molecule.bond(n.bond()).order() == BondOrder::Double)
    };
    let kept = (0..count).map(|a| frame[a] || held(a)).collect();
    (frame, kept)
}

fn atom_of_scaffold(molecule: &Molecule, frame: &[bool], kept: &[bool], index: usize) -> AtomSpec {
    let atom = molecule.atom(index);
    let whole = molecule.neighbours(index).iter().all(|n| kept[n.atom()]);
    let mut spec = AtomSpec {
        charge: atom.charge(),
        isotope: atom.isotope(),
        map: atom.map(),
        aromatic: atom.is_aromatic(),
        ..AtomSpec::new(atom.element())
    };
    if whole {
        spec.hydrogens = Hydrogens::Exactly(atom.hydrogens());
        spec.chirality = atom.chirality();
    } else if atom.is_aromatic() && (atom.element() != Element::C || atom.charge() == 1) {
        // Pyrrole's nitrogen gets its hydrogen back.
        spec.hydrogens = Hydrogens::Exactly(1);
    } else if !frame[index] {
        // The far end of an exocyclic double bond.
        spec.radicals = atom.radical_electrons();
    }
    if matches!(spec.chirality, Chirality::Allene(_)) {
        spec.chirality = Chirality::None;
    }
    spec
}

/// The geometry of a double bond, as the ligands that are left show it; none where an end has none.
fn geometry(molecule: &Molecule, kept: &[bool], index: usize) -> BondStereo {
    let bond = molecule.bond(index);
    // It refers to the first other neighbour at either end; the second lies across.
    let mut stereo = bond.stereo();
    for (end, other) in [(bond.begin(), bond.end()), (bond.end(), bond.begin())] {
        let mut ligands = molecule.neighbours(end).iter().map(|n| n.atom()).filter(|&n| n != other);
        match ligands.next() {
            Some(first) if kept[first] => {}
            _ if ligands.any(|ligand| kept[ligand]) => stereo = stereo.inverted(),
            _ => return BondStereo::None,
        }
    }
    stereo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaffolds_are_those_of_rdkit() {
        for (smiles, scaffold, generic) in [
            ("CC(=O)Oc1ccccc1C(=O)O", "c1ccccc1", "C1CCCCC1"),
            ("Cn1cccc1CC(=O)c1ccncc1", "O=C(Cc1ccc[nH]1)c1ccncc1", "CC(CC1CCCC1)C1CCCCC1"),
            ("CCCO", "", ""),
            ("C[C@H]1CCCC[C@@H]1C", "C1CCCCC1", "C1CCCCC1"),
            ("O=S(=O)(c1ccccc1)N1CCCC1", "O=S(=O)(c1ccccc1)N1CCCC1", "CC(C)(C1CCCCC1)C1CCCC1"),
            ("C[N+]1(C)CCCCC1", "C1CC[NH2+]CC1", "C1CCCCC1"),
        ] {
            let molecule = Molecule::from_smiles(smiles).unwrap();
            assert_eq!(murcko_scaffold(&molecule).unwrap().to_smiles(), scaffold, "{smiles}");
            assert_eq!(generic_scaffold(&molecule).unwrap().to_smiles(), generic, "{smiles}");
        }
    }

    #[test]
    fn geometry_stays_while_ligands_show_it() {
        for (smiles, scaffold) in [
            ("C1CCCCC1/C=C/C1CCCC1", "C1CCCCC1/C=C/C1CCCC1"),
            // The methyl goes, and what is left lies where it lay.
            ("C1CCCCC1/C(C)=C/C1CCCC1", "C1CCCCC1/C=C/C1CCCC1"),
            ("C/C(C1CCCCC1)=C(C)/C1CCCC1", "C1CCCCC1/C=C\\C1CCCC1"),
            ("[H]/C(C1CCCCC1)=C(/[H])C1CCCC1", "C1CCCCC1/C=C/C1CCCC1"),
            ("C/C=C1/CCCC(C)C1", "C=C1CCCCC1"),
            // The chain of a carotene.
            (
                "CC1=C(/C=C/C(C)=C/C=C/C(C)=C/C2CCCC2)C(C)(C)CCC1",
                "C1=C(/C=C/C=C/C=C/C=C/C2CCCC2)CCCC1",
            ),
        ] {
            let molecule = Molecule::from_smiles(smiles).unwrap();
            let expected = Molecule::from_smiles(scaffold).unwrap().to_smiles();
            assert_eq!(murcko_scaffold(&molecule).unwrap().to_smiles(), expected, "{smiles}");
        }
    }
}
