//! Kinds of rings.

use synthon_mol::{BondOrder, Molecule};

/// Numbers of rings by kind.
#[derive(Default)]
pub(crate) struct RingCounts {
    pub all: usize,
    pub aromatic: usize,
    pub aliphatic: usize,
    pub saturated: usize,
    pub hetero: usize,
}

pub(crate) fn count(molecule: &Molecule) -> RingCounts {
    let rings = molecule.rings();
    let mut counts = RingCounts { all: rings.len(), ..RingCounts::default() };
    for ring in 0..rings.len() {
        let order = |&bond: &u32| molecule.bond(bond as usize).order();
        let bonds = rings.bonds(ring);
        if bonds.iter().all(|b| order(b) == BondOrder::Aromatic) {
            counts.aromatic += 1;
        } else {
            counts.aliphatic += 1;
        }
        counts.saturated += usize::from(bonds.iter().all(|b| order(b) == BondOrder::Single));
        let carbon = |&atom: &u32| molecule.atom(atom as usize).atomic_number() == 6;
        counts.hetero += usize::from(!rings.atoms(ring).iter().all(carbon));
    }
    counts
}
