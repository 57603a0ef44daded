//! Double bonds whose geometry is open.

use synthon_mol::{BondOrder, BondStereo, Molecule};

/// The double bonds that could have either geometry but state none, by index. They are drawn
/// crossed, since plain ones would show a geometry.
pub fn open_double_bonds(molecule: &Molecule) -> Vec<usize> {
    let is_candidate = |index: usize| {
        let bond = molecule.bond(index);
        bond.order() == BondOrder::Double
            && bond.stereo() == BondStereo::None
            && (!bond.in_ring() || bond.smallest_ring() >= 8)
            && molecule.stereo_references(index).is_some()
    };
    let candidates: Vec<usize> = (0..molecule.bond_count()).filter(|&b| is_candidate(b)).collect();
    if candidates.is_empty() {
        return candidates;
    }
    // Perception drops a geometry that means nothing: two equal substituents, for one.
    let mut builder = molecule.to_builder();
    for &bond in &candidates {
        builder.bond_mut(bond).stereo = BondStereo::Cis;
    }
    let Ok(tried) = builder.build() else { return Vec::new() };
    if tried.bond_count() != molecule.bond_count() {
        return Vec::new();
    }
    candidates.into_iter().filter(|&b| tried.bond(b).stereo() != BondStereo::None).collect()
}
