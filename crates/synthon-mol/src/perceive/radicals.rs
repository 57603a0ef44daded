//! Unpaired electrons of atoms whose hydrogens were counted by hand.

use super::Draft;
use crate::Element;

/// Fills in the unpaired electrons. The bonds must be in kekulé form.
pub(super) fn assign(draft: &mut Draft) {
    for atom in 0..draft.atoms.len() {
        if draft.state[atom].no_implicit && !draft.atoms[atom].element.is_wildcard() {
            draft.atoms[atom].radicals = unpaired(draft, atom).clamp(0, 255) as u8;
        }
    }
}

fn unpaired(draft: &Draft, atom: usize) -> i32 {
    let element = draft.element(atom);
    let this = &draft.atoms[atom];
    let charge = i32::from(this.charge);
    let outer = i32::from(element.outer_electrons);
    if element.has_no_valences() {
        // Without valences to go by (transition metals) nothing is said of bonded atoms.
        return if draft.degree(atom) > 0 { 0 } else { (outer - charge).max(0) % 2 };
    }
    let used =
        i32::from(draft.state[atom].halves / 2) + i32::from(draft.state[atom].explicit_hydrogens);
    let shell = if matches!(this.element, Element::H | Element::HE) { 2 } else { 8 };
    let mut unpaired = shell - outer - used + charge;
    if unpaired < 0 {
        unpaired = 0;
        if element.valences().len() > 1 {
            let free = element.valences().iter().map(|&v| i32::from(v) - used + charge);
            unpaired = free.into_iter().find(|&f| f >= 0).unwrap_or(0);
        }
    }
    let early = outer - used - charge;
    if early >= 0 { unpaired.min(early) } else { unpaired }
}
