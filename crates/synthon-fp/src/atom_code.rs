//! What atom pairs and torsions know of an atom: element group, pi electrons, branches, in nine
//! bits.

use synthon_mol::{BondOrder, Molecule};
use synthon_query::hybridisations;

/// Bits of a code.
pub(crate) const CODE_BITS: u32 = 9;
/// The remainders that codes are taken to.
pub(crate) const CODE_LIMIT: u32 = (1 << CODE_BITS) - 1;

/// Elements with a number of their own, their place here; all others share the last.
const ELEMENTS: [u8; 15] = [5, 6, 7, 8, 9, 14, 15, 16, 17, 33, 34, 35, 51, 52, 53];
const OTHER_ELEMENT: u32 = 15;

/// `sp3` among the numbers of hybridisations.
const SP3: u8 = 3;

/// Fills in the code of every atom.
pub(crate) fn atom_codes(molecule: &Molecule, codes: &mut Vec<u32>) {
    codes.clear();
    let mut hybrids = None;
    codes.extend((0..molecule.atom_count()).map(|index| {
        let atom = molecule.atom(index);
        let pi = if atom.is_aromatic() {
            1
        } else {
            match multiple_bonds(molecule, index) {
                0 => 0,
                pi => {
                    let hybrids = hybrids.get_or_insert_with(|| hybridisations(molecule));
                    if hybrids[index] == SP3 { 0 } else { pi }
                }
            }
        };
        let element = ELEMENTS.iter().position(|&number| number == atom.atomic_number());
        let element = element.map_or(OTHER_ELEMENT, |index| index as u32);
        let (branches, pi) = (molecule.degree(index) as u32 % 7, pi % 3);
        branches | pi << 3 | element << 5
    }));
}

/// How much the valence of an atom exceeds its number of bonds.
fn multiple_bonds(molecule: &Molecule, atom: usize) -> u32 {
    let extra = |order| match order {
        BondOrder::Double => 1,
        BondOrder::Triple => 2,
        BondOrder::Quadruple => 3,
        _ => 0,
    };
    molecule.neighbours(atom).iter().map(|n| extra(molecule.bond(n.bond()).kekule_order())).sum()
}
