//! Which atoms can be stereo centres, by their own surroundings alone.

use super::elements::ligands;
use crate::perceive::Marks;
use crate::{BondOrder, Chirality, Element, Molecule};

/// Removes the marks of atoms that can be no stereo centres whatever their ligands are.
pub(super) fn drop_impossible(molecule: &mut Molecule, written: Marks) {
    for atom in 0..molecule.atom_count() {
        let possible = match molecule.atoms[atom].chirality {
            Chirality::None => continue,
            Chirality::Anticlockwise | Chirality::Clockwise => can_be_tetrahedral(molecule, atom),
            Chirality::Allene(_) => ligands(molecule, atom).is_some(),
            Chirality::SquarePlanar(_) => can_be_coordinated(molecule, atom, 4),
            Chirality::TrigonalBipyramidal(_) => can_be_coordinated(molecule, atom, 5),
            Chirality::Octahedral(_) => can_be_coordinated(molecule, atom, 6),
        };
        if !possible {
            drop_mark(molecule, atom, "it is no stereo centre", written);
        }
    }
}

/// Removes the mark of one atom, and says so if it was written.
pub(super) fn drop_mark(molecule: &mut Molecule, atom: usize, reason: &str, written: Marks) {
    molecule.atoms[atom].chirality = Chirality::None;
    if !written.centres {
        return;
    }
    let element = molecule.atoms[atom].element;
    molecule.warnings.push(format!("Stereo mark of atom {atom} ({element}) dropped: {reason}"));
}

fn can_be_coordinated(molecule: &Molecule, atom: usize, ligands: usize) -> bool {
    let degree = molecule.degree(atom);
    let total = degree + usize::from(molecule.atoms[atom].hydrogens);
    let number = molecule.atoms[atom].atomic_number();
    (2..=6).contains(&total) && degree <= ligands && (number >= 12 || number == 4)
}

fn can_be_tetrahedral(molecule: &Molecule, index: usize) -> bool {
    let atom = &molecule.atoms[index];
    let degree = molecule.degree(index);
    let total = degree + usize::from(atom.hydrogens);
    let pnictogen = matches!(atom.element, Element::P | Element::AS);
    match degree {
        _ if total > 4 => false,
        4 => true,
        2 | 3 if pnictogen => true,
        3 if atom.hydrogens == 1 => true,
        3 => match atom.element {
            Element::S | Element::SE => {
                let valence = valence(molecule, index);
                valence == 4 || (valence == 3 && atom.charge == 1)
            }
            // Other amines invert.
            Element::N => atom.smallest_ring == 3 || is_bridgehead(molecule, index),
            _ => false,
        },
        _ => false,
    }
}

fn valence(molecule: &Molecule, atom: usize) -> u32 {
    let orders = molecule.neighbours(atom).iter().map(|n| {
        let bond = molecule.bond(n.bond());
        match bond.kekule {
            BondOrder::Dative => u32::from(bond.end() == atom),
            BondOrder::Aromatic => 1,
            order => order as u32,
        }
    });
    orders.sum::<u32>() + u32::from(molecule.atoms[atom].hydrogens)
}

/// Whether an atom has three ring bonds, and every ring through it shares two bonds or more with
/// another one through it.
fn is_bridgehead(molecule: &Molecule, atom: usize) -> bool {
    let ring_bonds =
        molecule.neighbours(atom).iter().filter(|n| molecule.bonds[n.bond()].in_ring());
    if ring_bonds.count() < 3 {
        return false;
    }
    let rings = molecule.rings();
    let through: Vec<usize> =
        (0..rings.len()).filter(|&r| rings.atoms(r).contains(&(atom as u32))).collect();
    through.iter().all(|&r| {
        through.iter().any(|&other| {
            let shared = rings.bonds(other).iter().filter(|b| rings.bonds(r).contains(b));
            other != r && shared.count() >= 2
        })
    })
}
