//! Cutting the bonds of metals, with the electrons given to the non-metal.
//!
//! Which bonds are cut, and how charges follow, are the rules of RDKit's MetalDisconnector: bonds
//! of any metal to nitrogen, oxygen and fluorine; bonds of transition metals and aluminium to the
//! other non-metals, carbon included unless it is aromatic. Bonds of main-group metals to carbon
//! (Grignard reagents, stannanes) stay.

use synthon_mol::{BondOrder, Chirality, Element, Molecule};

use crate::edit::Edit;

/// Atomic numbers of the metals whose bonds to N, O and F are cut.
const TO_NOF: [u8; 48] = [
    3, 11, 19, 37, 55, 87, 4, 12, 20, 38, 56, 88, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 13, 31,
    39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
];
/// Those whose bonds to other non-metals are cut too.
const TO_OTHERS: [u8; 29] = [
    13, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 72, 73, 74,
    75, 76, 77, 78, 79,
];
/// The other non-metals.
const OTHERS: [u8; 13] = [5, 6, 14, 15, 33, 51, 16, 34, 52, 17, 35, 53, 85];

/// Whether there is a bond to cut.
pub(crate) fn applies(molecule: &Molecule) -> bool {
    (0..molecule.bond_count()).any(|bond| metal_end(molecule, bond).is_some())
}

/// The metal of a bond that is to be cut, and the other atom.
fn metal_end(molecule: &Molecule, bond: usize) -> Option<(usize, usize)> {
    let bond = molecule.bond(bond);
    [(bond.begin(), bond.end()), (bond.end(), bond.begin())].into_iter().find(|&(metal, other)| {
        let number = molecule.atom(metal).atomic_number();
        let other = molecule.atom(other);
        match other.atomic_number() {
            7..=9 => TO_NOF.contains(&number),
            others if !other.is_aromatic() && OTHERS.contains(&others) => {
                TO_OTHERS.contains(&number)
            }
            _ => false,
        }
    })
}

/// A non-metal that loses bonds.
struct NonMetal {
    atom: usize,
    /// Sum of the orders of the bonds cut; dative bonds count nothing.
    cut: i32,
    bonds: i32,
    /// Places of its metals in the list of metals.
    metals: Vec<usize>,
}

/// Cuts the bonds; `None` when there are none to cut.
pub(crate) fn disconnect(molecule: &Molecule) -> Option<Molecule> {
    let mut edit = Edit::of(molecule);
    let mut metals: Vec<(usize, i32)> = Vec::new();
    let mut others: Vec<NonMetal> = Vec::new();
    for bond in 0..molecule.bond_count() {
        let Some((metal, other)) = metal_end(molecule, bond) else { continue };
        edit.cut(bond);
        let order = match molecule.bond(bond).kekule_order() {
            BondOrder::Single | BondOrder::Aromatic => 1,
            BondOrder::Double => 2,
            BondOrder::Triple => 3,
            BondOrder::Quadruple => 4,
            BondOrder::Dative | BondOrder::Unspecified => 0,
        };
        let place = metals.iter().position(|m| m.0 == metal).unwrap_or_else(|| {
            metals.push((metal, 0));
            metals.len() - 1
        });
        if !others.iter().any(|o| o.atom == other) {
            others.push(NonMetal { atom: other, cut: 0, bonds: 0, metals: Vec::new() });
        }
        let Some(entry) = others.iter_mut().find(|o| o.atom == other) else { continue };
        entry.cut += order;
        entry.bonds += 1;
        if !entry.metals.contains(&place) {
            entry.metals.push(place);
        }
    }
    if metals.is_empty() {
        return None;
    }
    others.sort_by_key(|other| other.atom);
    for other in &mut others {
        charge_non_metal(molecule, other, &mut metals, &mut edit);
    }
    for &(metal, excess) in &metals {
        charge_metal(molecule, metal, excess, &mut edit);
    }
    edit.finish_as_marked()
}

/// Sum of the bond orders and hydrogens of an atom.
pub(crate) fn valence(molecule: &Molecule, atom: usize) -> i32 {
    let bonds: i32 = molecule
        .neighbours(atom)
        .iter()
        .map(|n| match molecule.bond(n.bond()).kekule_order() {
            BondOrder::Single | BondOrder::Aromatic => 1,
            BondOrder::Double => 2,
            BondOrder::Triple => 3,
            BondOrder::Quadruple => 4,
            BondOrder::Dative => i32::from(molecule.bond(n.bond()).end() == atom),
            BondOrder::Unspecified => 0,
        })
        .sum();
    bonds + i32::from(molecule.atom(atom).hydrogens())
}

/// Gives a non-metal the charge that its valences ask for without the cut bonds, and counts the
/// electrons that it took from its metals. The charge that was written is not trusted.
fn charge_non_metal(
    molecule: &Molecule,
    other: &mut NonMetal,
    metals: &mut [(usize, i32)],
    edit: &mut Edit<'_>,
) {
    let atom = molecule.atom(other.atom);
    let radicals = i32::from(atom.radical_electrons());
    let left = valence(molecule, other.atom) + radicals - other.cut;
    let degree = molecule.degree(other.atom) as i32 - other.bonds + i32::from(atom.hydrogens());
    let valences = atom.element().valences();
    let mut charge = -other.cut;
    let mut after = 0;
    let mut lone = 0;
    if let Some(&highest) = valences.last()
        && valences[0] != -1
    {
        match valences.iter().find(|&&v| left <= i32::from(v)) {
            Some(&v) => {
                after = left;
                charge = left - i32::from(v);
                if radicals % 2 == 1 && charge < 0 {
                    charge += 1;
                    lone = 1;
                }
            }
            None => after = i32::from(highest),
        }
    }
    // No negative charge on carbon that keeps a double bond.
    if charge == -1 && after == degree + 1 {
        charge = 0;
    }
    edit.set_charge(other.atom, charge);
    if lone == 0 && !writes_hydrogens(molecule, other.atom) {
        edit.imply_hydrogens(other.atom);
    }
    let carbonyl = charge == -1 && atom.element() == Element::C && after == degree + 2;
    let mut taken = if other.cut == 0 || carbonyl { 0 } else { charge };
    taken += lone;
    other.metals.sort_by_key(|&metal| metals[metal].1);
    while taken < 0 {
        for &metal in &other.metals {
            if taken >= 0 {
                break;
            }
            taken += 1;
            metals[metal].1 += 1;
        }
    }
}

/// Whether the hydrogens of an atom stand in its symbol in SMILES (`[SH]`, `[nH]`), where they
/// stay, rather than following from its bonds.
fn writes_hydrogens(molecule: &Molecule, atom: usize) -> bool {
    let this = molecule.atom(atom);
    let lowest = this.element().valences().first().map_or(-1, |&v| i32::from(v));
    this.charge() != 0
        || this.isotope() != 0
        || this.chirality() != Chirality::None
        || this.map() != 0
        || valence(molecule, atom) != lowest
}

/// Gives a metal the charge of the electrons that it lost, on top of a positive charge that it
/// had, within its valences.
fn charge_metal(molecule: &Molecule, metal: usize, excess: i32, edit: &mut Edit<'_>) {
    let atom = molecule.atom(metal);
    let before = i32::from(atom.charge());
    let valences = atom.element().valences();
    let highest = valences.iter().map(|&v| i32::from(v)).max().unwrap_or(-1);
    if highest != -1 && before >= highest {
        return;
    }
    let mut charge = excess + before.max(0);
    if valences.iter().all(|&v| v != -1) {
        charge = charge.min(highest);
    }
    if charge > before {
        edit.set_charge(metal, charge);
    }
    edit.imply_hydrogens(metal);
}
