//! The geometry that a reader of the file would take from the coordinates.

use crate::stereo::shown::{self, Substituents};
use crate::stereo::vector::minus;
use crate::{BondOrder, BondStereo, Molecule};

/// What the coordinates show for a double bond.
pub(super) fn drawn(molecule: &Molecule, index: usize, coordinates: &[[f64; 3]]) -> BondStereo {
    let bond = molecule.bond(index);
    let (begin, end) = (bond.begin(), bond.end());
    let substituents = |atom: usize| {
        let mut found: Substituents = [None; 2];
        let others = molecule.neighbours(atom).iter().filter(|n| n.bond() != index);
        for (place, n) in found.iter_mut().zip(others) {
            if molecule.bond(n.bond()).kekule_order() == BondOrder::Single {
                *place = Some(minus(coordinates[n.atom()], coordinates[atom]));
            }
        }
        found
    };
    let axis = minus(coordinates[end], coordinates[begin]);
    shown::geometry(axis, substituents(begin), substituents(end))
}
