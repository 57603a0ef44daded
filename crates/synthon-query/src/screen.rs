//! The atoms and bonds of a pattern one by one, for indexing many patterns together.

use crate::pattern::Pattern;
use crate::target::TargetProfile;

/// What the expression of a query atom demands of an atom by itself: element, charge, counts,
/// rings. Recursive parts and choices between unlike alternatives are left out, so that passing
/// is necessary for a match, not sufficient. Equal screens are equal demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomScreen(u128);

impl AtomScreen {
    /// Whether an atom of the target passes.
    #[inline]
    pub fn allows(self, target: &TargetProfile, atom: usize) -> bool {
        target.words[atom] & self.0 == 0
    }

    /// The demand as bits, to keep in a file. What a bit means is a matter of this build: a reader
    /// has to make sure that the bits of known patterns are still the same.
    pub fn to_bits(self) -> u128 {
        self.0
    }

    /// The demand with these bits, see [`to_bits`](Self::to_bits).
    pub fn from_bits(bits: u128) -> Self {
        AtomScreen(bits)
    }

    /// How much is demanded: the number of single properties ruled out.
    pub fn strength(self) -> u32 {
        self.0.count_ones()
    }
}

/// The kinds of bonds (order, in a ring or not) that the expression of a query bond allows, read
/// from either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BondScreen(u16);

impl BondScreen {
    /// The demand as bits; see [`AtomScreen::to_bits`].
    pub fn to_bits(self) -> u16 {
        self.0
    }

    /// The demand with these bits, see [`to_bits`](Self::to_bits).
    pub fn from_bits(bits: u16) -> Self {
        BondScreen(bits)
    }

    /// How much is demanded: the number of kinds ruled out.
    pub fn strength(self) -> u32 {
        self.0.count_zeros()
    }
}

impl Pattern {
    /// What query atom `i` demands of an atom by itself.
    pub fn atom_screen(&self, i: usize) -> AtomScreen {
        AtomScreen(
            self.program().graphs.last().expect("a pattern has at least its own graph").tests[i]
                .forbidden,
        )
    }

    /// What query bond `i` demands of a bond by itself.
    pub fn bond_screen(&self, i: usize) -> BondScreen {
        BondScreen(
            self.program().graphs.last().expect("a pattern has at least its own graph").bonds[i]
                .any_way_round(),
        )
    }
}

impl TargetProfile {
    /// The neighbours of an atom over bonds that pass a screen.
    #[inline]
    pub fn neighbours_over(
        &self,
        atom: usize,
        bond: BondScreen,
    ) -> impl Iterator<Item = usize> + '_ {
        self.neighbours(atom)
            .iter()
            .filter(move |n| n.class.0 & bond.0 != 0)
            .map(|n| n.atom as usize)
    }
}
