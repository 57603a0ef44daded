//! Geometry of double bonds from the marks beside them.

use super::elements::substituents;
use crate::perceive::Marks;
use crate::{Bond, BondDirection, BondOrder, BondStereo, Molecule};

/// Smallest ring in which a double bond can have either geometry.
const SMALLEST_RING: usize = 8;

/// Sets the geometry of every double bond that has a mark at either end. Where an end carries two
/// marks, the first counts.
pub(super) fn from_directions(molecule: &mut Molecule, directions: &[BondDirection]) {
    for index in 0..molecule.bond_count() {
        let bond = molecule.bonds[index];
        if bond.order != BondOrder::Double {
            continue;
        }
        let begin = reference_is_above(molecule, directions, &bond, index, bond.begin());
        let end = reference_is_above(molecule, directions, &bond, index, bond.end());
        if let (Some(begin), Some(end)) = (begin, end) {
            molecule.bonds[index].stereo =
                if begin == end { BondStereo::Cis } else { BondStereo::Trans };
        }
    }
}

/// Whether the reference neighbour of an end lies above the axis of the double bond; `None`
/// without a mark at this end.
fn reference_is_above(
    molecule: &Molecule,
    directions: &[BondDirection],
    bond: &Bond,
    index: usize,
    end: usize,
) -> Option<bool> {
    let mut is_reference = true;
    for neighbour in molecule.neighbours(end) {
        if neighbour.bond() == index {
            continue;
        }
        debug_assert_ne!(neighbour.atom(), bond.other(end));
        let direction = directions[neighbour.bond()];
        if direction != BondDirection::None {
            let outwards = molecule.bonds[neighbour.bond()].begin() == end;
            let above = (direction == BondDirection::Up) == outwards;
            return Some(above == is_reference);
        }
        is_reference = false;
    }
    None
}

/// Removes geometry from bonds that cannot have any: other than double, in a small ring, or with
/// an end that has no substituent or too many.
pub(super) fn drop_impossible(molecule: &mut Molecule, written: Marks) {
    for index in 0..molecule.bond_count() {
        let bond = molecule.bonds[index];
        if bond.stereo == BondStereo::None {
            continue;
        }
        let reason = if bond.order != BondOrder::Double {
            "it is no double bond"
        } else if bond.in_ring() && bond.smallest_ring() < SMALLEST_RING {
            "its ring allows one geometry only"
        } else if [bond.begin(), bond.end()].iter().any(|&end| !can_be_end(molecule, end, index)) {
            "one of its ends has no two different substituents"
        } else {
            continue;
        };
        drop_geometry(molecule, index, reason, written);
    }
}

/// Whether a bond is a double bond whose ends and ring allow two geometries.
pub(super) fn is_possible(molecule: &Molecule, index: usize) -> bool {
    let bond = &molecule.bonds[index];
    bond.order == BondOrder::Double
        && !(bond.in_ring() && bond.smallest_ring() < SMALLEST_RING)
        && can_be_end(molecule, bond.begin(), index)
        && can_be_end(molecule, bond.end(), index)
}

fn can_be_end(molecule: &Molecule, end: usize, bond: usize) -> bool {
    let degree = molecule.degree(end);
    (2..4).contains(&degree)
        && molecule.atoms[end].hydrogens < 2
        && substituents(molecule, end, bond).0.is_some()
}

/// Removes the geometry of one bond, and says so if it was written.
pub(super) fn drop_geometry(molecule: &mut Molecule, index: usize, reason: &str, written: Marks) {
    let bond = &mut molecule.bonds[index];
    bond.stereo = BondStereo::None;
    if !written.double_bonds {
        return;
    }
    let sentence = format!(
        "Geometry of the double bond between atoms {} and {} dropped: {reason}",
        bond.begin, bond.end
    );
    molecule.warnings.push(sentence);
}

/// Notes marks that stand beside no double bond with geometry, unless a sentence about that
/// double bond says so already.
pub(super) fn report_idle(molecule: &mut Molecule, directions: &[BondDirection]) {
    for (index, direction) in directions.iter().enumerate() {
        if *direction == BondDirection::None {
            continue;
        }
        let bond = molecule.bonds[index];
        let ends = [bond.begin(), bond.end()];
        let beside_double = ends.iter().any(|&end| {
            molecule
                .neighbours(end)
                .iter()
                .any(|n| molecule.bonds[n.bond()].order == BondOrder::Double)
        });
        if !beside_double {
            molecule.warnings.push(format!(
                "Direction mark between atoms {} and {} ignored: it stands beside no double bond",
                bond.begin, bond.end
            ));
        }
    }
}
