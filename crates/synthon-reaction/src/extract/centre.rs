//! The reaction centre: the atoms of the product whose bonds, hydrogens, charge or stereo change.

use synthon_mol::{BondOrder, BondStereo, Molecule};

use super::reaction::{MappedReaction, NONE};
use crate::geometry::{Ligands, transfer};
use crate::stereo::{could_be_centre, could_have_geometry};

/// For each atom of the product, whether it belongs to the reaction centre.
pub(super) fn changed_atoms(reaction: &MappedReaction) -> Vec<bool> {
    let product = reaction.product();
    let mut changed: Vec<bool> =
        (0..product.atom_count()).map(|atom| atom_changes(reaction, atom)).collect();
    // Stereo can be compared only where the ligands are the same.
    for (atom, changed) in changed.iter_mut().enumerate().filter(|(_, changed)| !**changed) {
        *changed = handedness_changes(reaction, atom);
    }
    for (index, bond) in product.bonds().iter().enumerate() {
        if bond.order() != BondOrder::Double {
            continue;
        }
        let ends = [bond.begin(), bond.end()];
        let changes = match ends.iter().filter(|&&e| changed[e]).count() {
            0 => geometry_changes(reaction, index),
            1 => geometry_appears(reaction, index),
            _ => false,
        };
        if changes {
            ends.iter().for_each(|&e| changed[e] = true);
        }
    }
    changed
}

fn atom_changes(reaction: &MappedReaction, atom: usize) -> bool {
    let product = reaction.product();
    let (reactant, source) = reaction.source(atom);
    let (now, before) = (product.atom(atom), reactant.atom(source.atom as usize));
    if now.charge() != before.charge()
        || now.hydrogens() != before.hydrogens()
        || now.isotope() != before.isotope()
        || now.radical_electrons() != before.radical_electrons()
        || product.degree(atom) != reactant.degree(source.atom as usize)
    {
        return true;
    }
    reactant.neighbours(source.atom as usize).iter().any(|n| {
        let target = reaction.target(source.reactant as usize, n.atom());
        target == NONE
            || product
                .bond_between(atom, target as usize)
                .is_none_or(|b| product.bond(b).order() != reactant.bond(n.bond()).order())
    })
}

/// Whether the handedness of an atom changes that keeps its ligands. One that is specified in the
/// product only because the reactant has two equal ligands there does not change.
fn handedness_changes(reaction: &MappedReaction, atom: usize) -> bool {
    let product = reaction.product();
    let (reactant, source) = reaction.source(atom);
    let source_atom = source.atom as usize;
    let (now, before) = (product.atom(atom).chirality(), reactant.atom(source_atom).chirality());
    match (now.is_tetrahedral(), before.is_tetrahedral()) {
        (false, false) => false,
        (false, true) => true,
        (true, false) => could_be_centre(reactant, source_atom),
        (true, true) => {
            let from = Ligands::new(
                reactant
                    .neighbours(source_atom)
                    .iter()
                    .map(|n| reaction.target(source.reactant as usize, n.atom())),
            );
            let to = Ligands::new(product.neighbours(atom).iter().map(|n| n.atom() as u32));
            from.zip(to).and_then(|(from, to)| transfer(before, from, to)) != Some(now)
        }
    }
}

/// Whether the geometry of a double bond changes that keeps all its neighbours.
fn geometry_changes(reaction: &MappedReaction, bond: usize) -> bool {
    let product = reaction.product();
    let [a, b] = [product.bond(bond).begin(), product.bond(bond).end()];
    let (reactant, source) = reaction.source(a);
    let before = reactant.bond_between(source.atom as usize, reaction.source(b).1.atom as usize);
    let Some(before) = before else { return true };
    let (now, then) = (product.bond(bond).stereo(), reactant.bond(before).stereo());
    if now == BondStereo::None || then == BondStereo::None {
        return now != then;
    }
    let references = |molecule: &Molecule, bond: usize| molecule.stereo_references(bond);
    let (Some(now_at), Some(then_at)) = (references(product, bond), references(reactant, before))
    else {
        return true;
    };
    let then_at = [then_at.0, then_at.1].map(|n| reaction.target(source.reactant as usize, n));
    let turned = reactant.bond(before).begin() != source.atom as usize;
    let then_at = if turned { [then_at[1], then_at[0]] } else { then_at };
    let swaps =
        usize::from(then_at[0] != now_at.0 as u32) + usize::from(then_at[1] != now_at.1 as u32);
    let said = if swaps == 1 { then.inverted() } else { then };
    said != now
}

/// Whether a double bond that stays, and of which one end changes, is specified on one side only,
/// although it could be on both.
fn geometry_appears(reaction: &MappedReaction, bond: usize) -> bool {
    let product = reaction.product();
    let [a, b] = [product.bond(bond).begin(), product.bond(bond).end()];
    let ((reactant, a), (_, b)) = (reaction.source(a), reaction.source(b));
    if a.reactant != b.reactant {
        return false;
    }
    let Some(before) = reactant.bond_between(a.atom as usize, b.atom as usize) else {
        return false;
    };
    let now = product.bond(bond).stereo() != BondStereo::None;
    let then = reactant.bond(before).stereo() != BondStereo::None;
    match (now, then) {
        (true, false) => could_have_geometry(reactant, before),
        (false, true) => could_have_geometry(product, bond),
        _ => false,
    }
}
