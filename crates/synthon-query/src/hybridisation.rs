//! Hybridisation of atoms by RDKit's rules, for the `^n` primitive.
//!
//! Orbitals in use are sigma bonds plus lone pairs; an atom with four that is part of a
//! conjugated system counts as sp2. A pair of neighbouring bonds is conjugated when one is at
//! least double and the atom beyond the other has electrons to share.

use synthon_mol::{BondOrder, Molecule};

/// Outer-shell electrons by atomic number.
#[rustfmt::skip]
static OUTER: [u8; 104] = [
    0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2,
    3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 3, 4, 5,
    6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4,
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
];

/// Least usual valence of the main-group elements; `None` where there is no rule.
fn usual_valence(number: u8) -> Option<i32> {
    Some(match number {
        1 | 3 | 11 | 19 | 37 | 55 | 87 | 9 | 17 | 35 | 53 | 85 => 1,
        2 | 10 | 18 | 36 | 54 | 86 => 0,
        4 | 12 | 20 | 38 | 56 | 88 | 8 | 16 | 34 | 52 | 84 | 50 | 82 => 2,
        5 | 13 | 31 | 49 | 7 | 15 | 33 | 51 | 83 => 3,
        6 | 14 | 32 => 4,
        _ => return None,
    })
}

fn outer_electrons(number: u8) -> i32 {
    i32::from(OUTER.get(number as usize).copied().unwrap_or(2))
}

/// What the rules ask of every atom.
struct Facts {
    /// Neighbours and folded hydrogens.
    coordination: i32,
    valence: i32,
}

fn facts(molecule: &Molecule, atom: usize) -> Facts {
    let hydrogens = i32::from(molecule.atom(atom).hydrogens());
    let bonds: i32 =
        molecule.neighbours(atom).iter().map(|n| contribution(molecule, n.bond(), atom)).sum();
    Facts { coordination: molecule.degree(atom) as i32 + hydrogens, valence: bonds + hydrogens }
}

/// What a bond adds to the valence of an atom.
fn contribution(molecule: &Molecule, bond: usize, atom: usize) -> i32 {
    let bond = molecule.bond(bond);
    match bond.kekule_order() {
        BondOrder::Single | BondOrder::Aromatic => 1,
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Quadruple => 4,
        BondOrder::Dative => (bond.end() == atom) as i32,
        BondOrder::Unspecified => 0,
    }
}

/// Whether the element and state of an atom allow it to take part in conjugation: a second-row
/// or carbon-like atom that is not hypervalent, or an end atom of the oxygen group; with electrons
/// to share.
fn may_conjugate(molecule: &Molecule, atom: usize) -> bool {
    let a = molecule.atom(atom);
    let facts = facts(molecule, atom);
    if a.charge() == 0
        && let Some(usual) = usual_valence(a.atomic_number())
        && facts.valence > usual
    {
        return false;
    }
    let outer = outer_electrons(a.atomic_number());
    let suits = a.atomic_number() <= 10
        || (outer != 5 && outer != 6)
        || (outer == 6 && facts.coordination < 2);
    suits && shared_electrons(molecule, atom) > 0
}

/// Electrons that an atom can give to a pi system; negative where it can take no part.
fn shared_electrons(molecule: &Molecule, atom: usize) -> i32 {
    let a = molecule.atom(atom);
    let Some(usual) = usual_valence(a.atomic_number()).filter(|&v| v > 1) else { return -1 };
    let facts = facts(molecule, atom);
    let silent = molecule
        .neighbours(atom)
        .iter()
        .filter(|n| contribution(molecule, n.bond(), atom) == 0)
        .count() as i32;
    let degree = facts.coordination - silent;
    if degree > 3 {
        return -1;
    }
    let lone = (outer_electrons(a.atomic_number()) - usual - i32::from(a.charge())).max(0);
    let electrons = (usual - degree) + lone - i32::from(a.radical_electrons());
    let unsaturation = facts.valence - facts.coordination;
    if electrons > 1 && unsaturation > 1 { 1 } else { electrons }
}

fn conjugated_bonds(molecule: &Molecule) -> Vec<bool> {
    let mut conjugated: Vec<bool> = molecule.bonds().iter().map(|b| b.is_aromatic()).collect();
    for atom in 0..molecule.atom_count() {
        let coordination = facts(molecule, atom).coordination;
        if !(2..=3).contains(&coordination) || !may_conjugate(molecule, atom) {
            continue;
        }
        for first in molecule.neighbours(atom) {
            let multiple = molecule.bond(first.bond()).is_aromatic()
                || contribution(molecule, first.bond(), atom) >= 2;
            if !multiple || !may_conjugate(molecule, first.atom()) {
                continue;
            }
            for second in molecule.neighbours(atom) {
                let other = second.atom();
                if second == first || facts(molecule, other).coordination > 3 {
                    continue;
                }
                if may_conjugate(molecule, other) {
                    conjugated[first.bond()] = true;
                    conjugated[second.bond()] = true;
                }
            }
        }
    }
    conjugated
}

/// Orbitals in use: sigma bonds, lone pairs and, below an octet, unpaired electrons.
fn orbitals(molecule: &Molecule, atom: usize) -> i32 {
    let a = molecule.atom(atom);
    let facts = facts(molecule, atom);
    let given = molecule
        .neighbours(atom)
        .iter()
        .filter(|n| {
            let bond = molecule.bond(n.bond());
            bond.order() == BondOrder::Dative && bond.begin() == atom
        })
        .count() as i32;
    let sigma = facts.coordination - given;
    // Lone pairs of actinoids are not counted.
    if a.atomic_number() <= 1 || a.atomic_number() >= 89 {
        return sigma;
    }
    let outer = outer_electrons(a.atomic_number());
    let charge = i32::from(a.charge());
    let free = outer - (facts.valence + charge);
    if facts.valence + outer - charge < 8 {
        let radicals = i32::from(a.radical_electrons());
        sigma + (free - radicals) / 2 + radicals
    } else {
        sigma + free / 2
    }
}

/// Hybridisation of every atom by RDKit's rules, as the `^n` primitive sees it: 0 s, 1 sp, 2 sp2,
/// 3 sp3, 4 sp3d, 5 sp3d2, 255 none of these.
pub fn hybridisations(molecule: &Molecule) -> Vec<u8> {
    let conjugated = conjugated_bonds(molecule);
    (0..molecule.atom_count())
        .map(|atom| {
            if molecule.atom(atom).element().is_wildcard() {
                return 255;
            }
            match orbitals(molecule, atom) {
                0 | 1 => 0,
                2 => 1,
                3 => 2,
                4 => {
                    let flat = facts(molecule, atom).coordination <= 3
                        && molecule.neighbours(atom).iter().any(|n| conjugated[n.bond()]);
                    if flat { 2 } else { 3 }
                }
                5 => 4,
                6 => 5,
                _ => 255,
            }
        })
        .collect()
}
