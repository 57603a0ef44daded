//! The surroundings of atoms, as numbers.

use synthon_mol::Molecule;

/// Radii from 0 up to this one are told apart in a product.
pub(super) const PRODUCT_RADIUS: usize = 3;
/// The same in a precursor.
pub(super) const PRECURSOR_RADIUS: usize = 2;

/// For each radius up to `R - 1` bonds, what stands around each atom: equal numbers for equal
/// surroundings, however the molecule is numbered. Stereo does not count.
///
/// Elements, charges, hydrogens, neighbours, aromaticity and ring sizes are refined by those of
/// the neighbours, as in H. L. Morgan, *J. Chem. Doc.* 1965, 5, 107.
pub(super) fn environments<const R: usize>(molecule: &Molecule) -> [Vec<u64>; R] {
    let mut rounds: [Vec<u64>; R] = std::array::from_fn(|_| Vec::new());
    let atoms = molecule.atoms().iter().enumerate();
    let mut now: Vec<u64> = atoms
        .map(|(index, atom)| {
            mix(u64::from(atom.atomic_number())
                | u64::from(atom.charge() as u8) << 8
                | u64::from(atom.hydrogens()) << 16
                | u64::from(atom.is_aromatic()) << 24
                | (atom.smallest_ring().min(8) as u64) << 25
                | (molecule.degree(index) as u64) << 48)
        })
        .collect();
    for round in &mut rounds {
        let next = (0..now.len())
            .map(|atom| {
                let around = molecule
                    .neighbours(atom)
                    .iter()
                    .map(|n| mix(now[n.atom()] ^ (molecule.bond(n.bond()).order() as u64) << 56))
                    .fold(0, u64::wrapping_add);
                mix(now[atom].rotate_left(17) ^ around)
            })
            .collect();
        *round = std::mem::replace(&mut now, next);
    }
    rounds
}

/// The finaliser of SplitMix64.
pub(super) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of a feature: its kind and what it is made of.
pub(super) fn feature(kind: u64, a: u64, b: u64) -> u32 {
    (mix(mix(mix(kind).wrapping_add(a)).wrapping_add(b)) >> 32) as u32
}
