//! Single bonds from an overloaded non-metal to a metal become dative bonds.

use super::{Draft, valence};
use crate::element_data::ELEMENTS;
use crate::{BondOrder, Element};

/// Whether an element is a metal in the sense of RDKit (Ge, Sb and Po are).
fn is_metal(element: Element) -> bool {
    is_metal_number(element.atomic_number())
}

/// The same by atomic number.
pub(super) const fn is_metal_number(number: u8) -> bool {
    !matches!(number, 0..=2 | 5..=10 | 14..=18 | 33..=36 | 52..=54 | 85 | 86)
}

pub(super) fn make_dative(draft: &mut Draft) {
    if !draft.any_metal {
        return;
    }
    for atom in 0..draft.atoms.len() {
        if draft.degree(atom) > 1 && takes_no_more(draft, atom) {
            give_to_metal(draft, atom);
        }
    }
    draft.plant();
}

/// Whether a non-metal has more bonds than any valence of it, or is aromatic with four ligands.
fn takes_no_more(draft: &Draft, atom: usize) -> bool {
    let this = &draft.atoms[atom];
    if is_metal(this.element)
        || matches!(this.element, Element::H | Element::HE | Element::F | Element::NE)
    {
        return false;
    }
    let effective = i32::from(this.element.atomic_number()) - i32::from(this.charge);
    if effective <= 0 {
        return false;
    }
    let most = ELEMENTS[effective.min(118) as usize].last_valence();
    let valence = valence::explicit_valence(draft, atom);
    if most <= 0 {
        return false;
    }
    let four_ligands = || {
        let hydrogens = valence::implicit_hydrogens(draft, atom, valence).unwrap_or(0);
        draft.degree(atom) as i32 + i32::from(draft.state[atom].explicit_hydrogens) + hydrogens == 4
    };
    valence > most || (valence == most && this.aromatic && four_ligands())
}

/// Turns the bond to the metal with the fewest dative bonds around.
fn give_to_metal(draft: &mut Draft, atom: usize) {
    let dative = |metal: usize| {
        draft
            .neighbours(metal)
            .iter()
            .filter(|n| draft.bonds[n.bond()].order == BondOrder::Dative)
            .count()
    };
    let chosen = draft
        .neighbours(atom)
        .iter()
        .filter(|n| {
            draft.bonds[n.bond()].order == BondOrder::Single
                && is_metal(draft.atoms[n.atom()].element)
        })
        .min_by_key(|n| dative(n.atom()))
        .copied();
    if let Some(n) = chosen {
        let bond = &mut draft.bonds[n.bond()];
        if bond.begin as usize != atom {
            std::mem::swap(&mut bond.begin, &mut bond.end);
            if let Some(direction) = draft.directions.get_mut(n.bond()) {
                *direction = direction.inverted();
            }
        }
        let bond = &mut draft.bonds[n.bond()];
        bond.order = BondOrder::Dative;
        bond.kekule = BondOrder::Dative;
        draft.any_idle = true;
        // The donor's valence no longer counts it.
        draft.state[atom].halves -= 2;
    }
}
