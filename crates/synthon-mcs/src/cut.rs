//! A part of a molecule as a molecule of its own, with labelled attachment points where it was
//! cut off.

use synthon_mol::{AtomSpec, BondStereo, Chirality, Element, Hydrogens, MolError, Molecule};
use synthon_mol::{BondOrder, MoleculeBuilder};

/// Where a label goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// In place of what the bond led to.
    Bond(u32),
    /// In place of a hydrogen of the atom.
    Hydrogen(u32),
}

/// An attachment point `[*:label]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    pub(crate) site: Site,
    pub(crate) label: u32,
}

/// The part of `molecule` that `keeps` says, with its attachment points; where another bond was
/// cut a hydrogen takes its place. Atom maps are not kept. Returns the part and, for each of its
/// atoms that was one, the atom of `molecule`.
///
/// Handedness and geometry are kept where their neighbours are, or labels in their places.
pub(crate) fn cut_out(
    molecule: &Molecule,
    keeps: impl Fn(usize) -> bool,
    attachments: &[Attachment],
) -> Result<(Molecule, Vec<u32>), MolError> {
    let mut builder = MoleculeBuilder::new();
    let mut origin = Vec::new();
    let mut place = vec![usize::MAX; molecule.atom_count()];
    let label_at = |bond: usize| {
        attachments.iter().find(|a| a.site == Site::Bond(bond as u32)).map(|a| a.label)
    };
    // Whether something stands where the bond led to.
    let stays = |bond: usize| {
        let bond_ = molecule.bond(bond);
        (keeps(bond_.begin()) && keeps(bond_.end())) || label_at(bond).is_some()
    };
    for atom in (0..molecule.atom_count()).filter(|&atom| keeps(atom)) {
        let this = molecule.atom(atom);
        let freed: usize = molecule
            .neighbours(atom)
            .iter()
            .filter(|n| !stays(n.bond()))
            .map(|n| valence_of(molecule.bond(n.bond()).kekule_order()))
            .sum();
        let labelled = attachments.iter().filter(|a| a.site == Site::Hydrogen(atom as u32)).count();
        let hydrogens = (usize::from(this.hydrogens()) + freed).saturating_sub(labelled);
        place[atom] = builder.add_atom(AtomSpec {
            charge: this.charge(),
            isotope: this.isotope(),
            hydrogens: Hydrogens::Exactly(hydrogens.min(usize::from(u8::MAX)) as u8),
            chirality: handedness(molecule, atom, &stays),
            ..AtomSpec::new(this.element())
        });
        origin.push(atom as u32);
    }
    let label_atom = |builder: &mut MoleculeBuilder, label: u32| {
        builder.add_atom(AtomSpec {
            hydrogens: Hydrogens::Exactly(0),
            map: label,
            isotope: mass_number(label),
            ..AtomSpec::new(Element::WILDCARD)
        })
    };
    for (index, bond) in molecule.bonds().iter().enumerate() {
        // Orders of one Kekulé form: a part of an aromatic ring is none.
        let order = bond.kekule_order();
        match (keeps(bond.begin()), keeps(bond.end())) {
            (true, true) => {
                let new = builder.add_bond(place[bond.begin()], place[bond.end()], order);
                builder.bond_mut(new).stereo = geometry(molecule, index, &stays);
            }
            (false, false) => {}
            (begin_kept, _) => {
                let Some(label) = label_at(index) else { continue };
                let end = label_atom(&mut builder, label);
                if begin_kept {
                    builder.add_bond(place[bond.begin()], end, order);
                } else {
                    builder.add_bond(end, place[bond.end()], order);
                }
            }
        }
    }
    for attachment in attachments {
        if let Site::Hydrogen(atom) = attachment.site {
            let end = label_atom(&mut builder, attachment.label);
            builder.add_bond(place[atom as usize], end, BondOrder::Single);
        }
    }
    Ok((builder.build()?, origin))
}

/// The part as canonical SMILES with attachment points `[*:label]`.
///
/// Labels tell otherwise equal ligands of a centre apart, as atom maps alone do not: the marks
/// have a mass number until the text is written.
pub(crate) fn labelled_smiles(
    molecule: &Molecule,
    keeps: impl Fn(usize) -> bool,
    attachments: &[Attachment],
) -> Result<String, MolError> {
    let mut text = cut_out(molecule, keeps, attachments)?.0.to_smiles();
    for Attachment { label, .. } in attachments {
        text =
            text.replace(&format!("[{}*:{label}]", mass_number(*label)), &format!("[*:{label}]"));
    }
    Ok(text)
}

/// The mass number of the mark with this label; unique among fewer than a thousand labels.
fn mass_number(label: u32) -> u16 {
    (label % 999) as u16 + 1
}

fn valence_of(order: BondOrder) -> usize {
    match order {
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Quadruple => 4,
        BondOrder::Single | BondOrder::Aromatic => 1,
        BondOrder::Dative | BondOrder::Unspecified => 0,
    }
}

/// The handedness of an atom when hydrogen takes the place of the neighbours that do not stay.
fn handedness(molecule: &Molecule, atom: usize, stays: &impl Fn(usize) -> bool) -> Chirality {
    let chirality = molecule.atom(atom).chirality();
    let neighbours = molecule.neighbours(atom);
    let lost: Vec<usize> =
        (0..neighbours.len()).filter(|&at| !stays(neighbours[at].bond())).collect();
    match lost[..] {
        [] => chirality,
        // The new hydrogen is the implied ligand, which stands last.
        [at] if neighbours.len() == 4 && chirality.is_tetrahedral() => {
            if (neighbours.len() - 1 - at) % 2 == 1 { chirality.inverted() } else { chirality }
        }
        _ => Chirality::None,
    }
}

/// The geometry of a double bond when hydrogen takes the place of the neighbours that do not
/// stay.
fn geometry(molecule: &Molecule, bond: usize, stays: &impl Fn(usize) -> bool) -> BondStereo {
    let mut stereo = molecule.bond(bond).stereo();
    if stereo == BondStereo::None {
        return stereo;
    }
    for end in [molecule.bond(bond).begin(), molecule.bond(bond).end()] {
        let mut beside = molecule.neighbours(end).iter().filter(|n| n.bond() != bond);
        match beside.position(|n| stays(n.bond())) {
            Some(0) => {}
            Some(_) => stereo = stereo.inverted(),
            None => return BondStereo::None,
        }
    }
    stereo
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, atoms: &[usize], attachments: &[Attachment]) -> String {
        let molecule = Molecule::from_smiles(text).expect("the text is SMILES");
        labelled_smiles(&molecule, |atom| atoms.contains(&atom), attachments)
            .expect("a part of a molecule is a molecule")
    }

    fn canonical(text: &str) -> String {
        Molecule::from_smiles(text).expect("the text is SMILES").to_smiles()
    }

    #[test]
    fn hydrogen_or_a_label_takes_the_place() {
        assert_eq!(part("CCO", &[0, 1], &[]), "CC");
        let label = |site, label| Attachment { site, label };
        let at_bond = [label(Site::Bond(1), 3)];
        assert_eq!(part("CCO", &[0, 1], &at_bond), canonical("CC[*:3]"));
        assert_eq!(part("CCO", &[2], &at_bond), canonical("O[*:3]"));
        let at_hydrogen = [label(Site::Hydrogen(0), 1), label(Site::Hydrogen(0), 2)];
        assert_eq!(part("CCO", &[0, 1], &at_hydrogen), canonical("CC([*:1])[*:2]"));
        assert_eq!(part("O=C1CCCCC1", &[1, 2, 3, 4, 5, 6], &[]), "C1CCCCC1");
        // Half of naphthalene is a diene.
        let halves = [label(Site::Bond(2), 1), label(Site::Bond(9), 2)];
        assert_eq!(part("c1ccc2ccccc2c1", &[0, 1, 2, 9], &halves).matches('=').count(), 2);
    }

    #[test]
    fn stereo_stays_where_its_neighbours_do() {
        let label = [Attachment { site: Site::Bond(0), label: 1 }];
        let centre = part("F[C@](Cl)(Br)I", &[1, 2, 3, 4], &label);
        assert_eq!(centre, canonical("[*:1][C@](Cl)(Br)I"));
        assert_eq!(part("F[C@](Cl)(Br)I", &[1, 2, 3, 4], &[]), canonical("[H][C@](Cl)(Br)I"));
        assert_eq!(part("F[C@](Cl)(Br)I", &[0, 1, 2, 4], &[]), canonical("F[C@](Cl)([H])I"));
        assert_eq!(part("F[C@@H](Cl)Br", &[0, 1, 2], &[]), "FCCl");
        assert_eq!(part("F/C(Cl)=C(\\Br)I", &[0, 1, 2, 3, 4], &[]), canonical("F/C(Cl)=C(\\Br)"));
        assert_eq!(part("F/C(Cl)=C(\\Br)I", &[1, 2, 3, 4], &[]), canonical("[H]/C(Cl)=C(\\Br)"));
    }
}
