//! What a rewriting did: the atoms that changed, what became of stereo, the precursors in order.

use synthon_mol::{BondOrder, BondStereo, Chirality, Molecule};

use crate::outcome::{Note, Origin};

/// A precursor with the origins of its atoms.
pub(crate) type Piece = (Molecule, Vec<Origin>);

/// Lists the atoms of the product that changed, and notes what became of stereo. `changed` holds
/// the atoms whose bonds were edited, and `notes` the centres that were inverted.
pub(crate) fn changed_atoms(
    product: &Molecule,
    mut changed: Vec<bool>,
    pieces: &[Piece],
    notes: &mut Vec<Note>,
) -> Vec<u32> {
    for note in notes.iter() {
        if let Note::CentreInverted(atom) = note {
            changed[*atom as usize] = true;
        }
    }
    for (molecule, origins) in pieces {
        for (atom, origin) in molecule.atoms().iter().zip(origins) {
            let &Origin::Product(old_index) = origin else { continue };
            let old = product.atom(old_index as usize);
            let is_centre = |c: Chirality| c != Chirality::None;
            let note = match (is_centre(old.chirality()), is_centre(atom.chirality())) {
                (true, false) => Some(Note::CentreLost(old_index)),
                (false, true) => Some(Note::CentreMade(old_index)),
                _ => None,
            };
            notes.extend(note);
            if note.is_some()
                || old.hydrogens() != atom.hydrogens()
                || old.charge() != atom.charge()
                || old.radical_electrons() != atom.radical_electrons()
                || old.element() != atom.element()
                || old.isotope() != atom.isotope()
            {
                changed[old_index as usize] = true;
            }
        }
        for bond in molecule.bonds() {
            let (Origin::Product(a), Origin::Product(b)) =
                (origins[bond.begin()], origins[bond.end()])
            else {
                continue;
            };
            let Some(old) = product.bond_between(a as usize, b as usize) else { continue };
            let old = product.bond(old);
            // Aromaticity may end beyond the atoms that the template shows.
            if old.is_aromatic() != bond.is_aromatic() {
                changed[a as usize] = true;
                changed[b as usize] = true;
            }
            if old.stereo() != BondStereo::None
                && bond.stereo() == BondStereo::None
                && bond.order() == BondOrder::Double
            {
                notes.push(Note::DoubleBondLost(a.min(b), a.max(b)));
            }
        }
    }
    (0..changed.len() as u32).filter(|&a| changed[a as usize]).collect()
}

/// Larger molecules first, equal sizes by canonical key.
pub(crate) fn order_pieces(pieces: &mut [Piece]) {
    if pieces.len() < 2 {
        return;
    }
    let size = |m: &Molecule| std::cmp::Reverse((m.atom_count(), m.bond_count()));
    pieces.sort_by_key(|(molecule, _)| size(molecule));
    let mut from = 0;
    while from < pieces.len() {
        let here = size(&pieces[from].0);
        let to = from + pieces[from..].iter().take_while(|(m, _)| size(m) == here).count();
        if to - from > 1 {
            pieces[from..to].sort_by_cached_key(|(molecule, _)| molecule.canonical_key());
        }
        from = to;
    }
}
