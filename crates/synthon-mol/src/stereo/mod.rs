//! Which stereo marks mean something: from `/` and `\` to the geometry of double bonds, and the
//! removal of marks on atoms and bonds that have no two mirror forms to tell apart.

use crate::{BondDirection, Molecule};

/// Directions as written, aligned with the atoms and bonds of the molecule under construction.
#[allow(dead_code)]
pub(crate) struct WrittenDirections<'a> {
    /// `/` or `\` of each bond, from its begin to its end atom; empty when there are none.
    pub(crate) bonds: &'a [BondDirection],
    /// The same for bonds to hydrogens that were folded into their atom: the atom, and the
    /// direction from the atom to the hydrogen.
    pub(crate) folded: &'a [(u32, BondDirection)],
}

/// Sets the geometry of double bonds from the written directions, then removes every stereo mark
/// without meaning, with a sentence in the molecule's warnings. Needs everything else perceived:
/// aromaticity, hydrogens, rings.
#[allow(dead_code)]
pub(crate) fn perceive_stereo(molecule: &mut Molecule, directions: &WrittenDirections<'_>) {
    let _ = (molecule, directions);
}
