//! Which atoms a template shows: the reaction centre, its neighbourhood, functional groups whole.

use synthon_mol::{BondOrder, Molecule};

use super::ExtractOptions;

/// For each atom of the product, whether the template shows it.
pub(super) fn shown_atoms(
    product: &Molecule,
    changed: &[bool],
    options: &ExtractOptions,
) -> Vec<bool> {
    let mut shown = changed.to_vec();
    let mut edge: Vec<usize> = (0..changed.len()).filter(|&a| changed[a]).collect();
    for _ in 0..options.radius {
        let mut next = Vec::new();
        for &atom in &edge {
            for n in product.neighbours(atom) {
                if !std::mem::replace(&mut shown[n.atom()], true) {
                    next.push(n.atom());
                }
            }
        }
        edge = next;
    }
    if options.whole_groups {
        complete_groups(product, &mut shown);
    }
    shown
}

/// Adds what belongs to the functional group of an atom that is shown.
fn complete_groups(product: &Molecule, shown: &mut [bool]) {
    let mut open: Vec<usize> = (0..shown.len()).filter(|&a| shown[a]).collect();
    while let Some(atom) = open.pop() {
        for n in product.neighbours(atom) {
            if !shown[n.atom()] && in_one_group(product, atom, n.atom(), n.bond()) {
                shown[n.atom()] = true;
                open.push(n.atom());
            }
        }
    }
}

/// Whether a bond holds a functional group together: multiple bonds (alkenes, carbonyls, nitriles,
/// azides), and the single bonds of an atom with such a bond to a hetero-atom, or of boron, silicon,
/// phosphorus or sulfur, to hetero-atoms (acids, esters, amides, sulfonyls, boronates).
fn in_one_group(product: &Molecule, from: usize, to: usize, bond: usize) -> bool {
    match product.bond(bond).order() {
        BondOrder::Double | BondOrder::Triple => true,
        BondOrder::Single => is_hetero(product, to) && (carries_groups(product, from)),
        _ => false,
    }
}

fn is_hetero(molecule: &Molecule, atom: usize) -> bool {
    !matches!(molecule.atom(atom).atomic_number(), 1 | 6)
}

fn carries_groups(molecule: &Molecule, atom: usize) -> bool {
    match molecule.atom(atom).atomic_number() {
        5 | 14 | 15 => true,
        6 | 7 | 16 => molecule.neighbours(atom).iter().any(|n| {
            matches!(molecule.bond(n.bond()).order(), BondOrder::Double | BondOrder::Triple)
                && is_hetero(molecule, n.atom())
        }),
        _ => false,
    }
}
