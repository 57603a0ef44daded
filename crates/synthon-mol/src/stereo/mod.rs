//! Which stereo marks mean something: from `/` and `\` to the geometry of double bonds, and the
//! removal of marks on atoms and bonds that have no two mirror forms to tell apart.

mod centres;
pub(crate) mod configuration;
pub(crate) mod drawn;
mod duplicates;
pub(crate) mod elements;
mod geometry;
pub(crate) mod shown;
pub(crate) mod vector;
mod wedging;

pub use wedging::{Wedge, Wedging};

use crate::perceive::Marks;
use crate::{BondDirection, BondStereo, Chirality, Molecule};

/// Sets the geometry of double bonds from the written directions (`/` or `\` of each bond, from
/// its begin to its end atom; empty when there are none), then removes every stereo mark without
/// meaning, with a sentence in the molecule's warnings. Needs everything else perceived:
/// aromaticity, hydrogens, rings.
///
/// Which atoms and bonds can carry a mark at all follows RDKit's newer perception. Marks are
/// dropped until nothing changes, so that a second reading never drops more than the first.
pub(crate) fn perceive_stereo(
    molecule: &mut Molecule,
    directions: &[BondDirection],
    written: Marks,
) {
    if !directions.is_empty() {
        geometry::from_directions(molecule, directions);
    }
    let marked_atoms = molecule.atoms.iter().any(|a| a.chirality != Chirality::None);
    let marked_bonds = molecule.bonds.iter().any(|b| b.stereo != BondStereo::None);
    if marked_atoms {
        centres::drop_impossible(molecule, written);
    }
    if marked_bonds {
        geometry::drop_impossible(molecule, written);
    }
    if marked_atoms || marked_bonds {
        duplicates::drop_meaningless(molecule, written);
    }
    if !directions.is_empty() {
        geometry::report_idle(molecule, directions);
    }
}
