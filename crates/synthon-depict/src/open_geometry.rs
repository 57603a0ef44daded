//! Double bonds whose geometry is open.

use synthon_mol::{BondOrder, BondStereo, Molecule};

/// The double bonds that could have either geometry but state none, by index. They are drawn
/// crossed, since plain ones would show a geometry.
pub fn open_double_bonds(molecule: &Molecule) -> Vec<usize> {
    let is_candidate = |index: usize| {
        let bond = molecule.bond(index);
        bond.order() == BondOrder::Double
            && bond.stereo() == BondStereo::None
            && molecule.stereo_references(index).is_some()
            && !is_cumulated(molecule, index)
            && !is_held_by_ring(molecule, index)
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

/// Whether another double bond starts at one of its ends: allenes, azides and their like are
/// straight.
pub(crate) fn is_cumulated(molecule: &Molecule, index: usize) -> bool {
    let bond = molecule.bond(index);
    [bond.begin(), bond.end()].iter().any(|&atom| {
        molecule.neighbours(atom).iter().any(|n| {
            n.bond() != index && molecule.bond(n.bond()).kekule_order() == BondOrder::Double
        })
    })
}

/// Fewest atoms of a ring in which a double bond may have either geometry.
const FREE_RING: usize = 8;

/// Whether a ring keeps a double bond in its geometry. Rings closed by dative bonds, as in
/// chelates, do so too, but perception does not count them.
fn is_held_by_ring(molecule: &Molecule, index: usize) -> bool {
    let bond = molecule.bond(index);
    // The way round from one end to the other, one bond further each time.
    let mut reached = vec![bond.begin()];
    let mut from = 0;
    for _ in 1..FREE_RING - 1 {
        let to = reached.len();
        for k in from..to {
            for next in molecule.neighbours(reached[k]) {
                if next.bond() == index || reached.contains(&next.atom()) {
                    continue;
                }
                if next.atom() == bond.end() {
                    return true;
                }
                reached.push(next.atom());
            }
        }
        from = to;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bonds_that_could_be_either_are_open() {
        for (smiles, open) in [
            ("CC=CC", 1),
            ("CC(C)=NO", 0),
            ("CC(CC)=NO", 1),
            ("C/C=C/C", 0),
            ("C1=CCCCCC1", 0),
            ("C1=CCCCCCC1", 1),
            ("CN=[N+]=[N-]", 0),
            ("CC=C=CC", 0),
            ("CCN=C=NCC", 0),
            ("CN=C=S", 0),
            // A chelate: the ring is closed by a dative bond.
            ("CC1=CC(C)=[O]->[Cu](Cl)O1", 0),
        ] {
            let molecule = Molecule::from_smiles(smiles).unwrap();
            assert_eq!(open_double_bonds(&molecule).len(), open, "{smiles}");
        }
    }
}
