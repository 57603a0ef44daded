//! The stereo elements of a molecule and the ligands that they are about.

use crate::{BondOrder, Chirality, Molecule};

/// Stands for a ligand that is no atom of the graph: a folded hydrogen or a lone pair.
pub(crate) const IMPLIED: u32 = u32::MAX;

/// Up to six ligands of a centre.
#[derive(Clone, Copy)]
pub(crate) struct Ligands {
    atoms: [u32; 6],
    len: u8,
}

impl Ligands {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.atoms[..self.len as usize]
    }
}

/// Ligands of a centre in the order to which its mark refers; `None` when there are too many, or
/// when an allene mark does not sit in the middle of an allene. The outer ligands of an allene
/// come end by end, [`IMPLIED`] second where an end has only one.
pub(crate) fn ligands(molecule: &Molecule, atom: usize) -> Option<Ligands> {
    let neighbours = molecule.neighbours(atom);
    let mut found = Ligands { atoms: [IMPLIED; 6], len: 0 };
    if let Chirality::Allene(_) = molecule.atom(atom).chirality {
        if neighbours.len() != 2 {
            return None;
        }
        for (end, neighbour) in neighbours.iter().enumerate() {
            let (before, terminal) = allene_end(molecule, atom, neighbour.bond())?;
            let outer = molecule
                .neighbours(terminal)
                .iter()
                .map(|n| n.atom)
                .filter(|&n| n != before as u32);
            let mut count = 0;
            for ligand in outer {
                if count == 2 {
                    return None;
                }
                found.atoms[2 * end + count] = ligand;
                count += 1;
            }
            if count == 0 {
                return None;
            }
        }
        found.len = 4;
        return Some(found);
    }
    if neighbours.len() > super::configuration::MAX_LIGANDS {
        return None;
    }
    for (place, neighbour) in found.atoms.iter_mut().zip(neighbours) {
        *place = neighbour.atom;
    }
    found.len = neighbours.len() as u8;
    Some(found)
}

/// Follows the cumulated double bonds from the middle of an allene: the last atom of the chain
/// and the one before it.
pub(crate) fn allene_end(
    molecule: &Molecule,
    middle: usize,
    bond: usize,
) -> Option<(usize, usize)> {
    let (mut before, mut bond) = (middle, bond);
    for _ in 0..molecule.bond_count() {
        if molecule.bond(bond).order != BondOrder::Double {
            return None;
        }
        let here = molecule.bond(bond).other(before);
        let next = match molecule.neighbours(here) {
            [a, b] => Some(if a.bond() == bond { b.bond() } else { a.bond() }),
            _ => None,
        };
        match next.filter(|&next| molecule.bond(next).order == BondOrder::Double) {
            Some(next) => (before, bond) = (here, next),
            None => return Some((before, here)),
        }
    }
    None
}

/// The one or two other neighbours at an end of a double bond, the reference first.
pub(crate) fn substituents(
    molecule: &Molecule,
    end: usize,
    bond: usize,
) -> (Option<u32>, Option<u32>) {
    let mut others = molecule.neighbours(end).iter().filter(|n| n.bond() != bond).map(|n| n.atom);
    (others.next(), others.next())
}
