//! Groups that are often drawn with too many bonds are rewritten with charges: nitro and azide
//! nitrogen, phosphorus with `C=P=O`, oxo-acids of the halogens.

use super::{Draft, valence};
use crate::{BondOrder, Element};

pub(super) fn rewrite(draft: &mut Draft) {
    if !draft.any_rewritable {
        return;
    }
    let mut nitrogens = Vec::new();
    let mut others = false;
    for atom in 0..draft.atoms.len() {
        let this = &draft.atoms[atom];
        match this.element {
            Element::N if this.charge == 0 && valence::explicit_valence(draft, atom) == 5 => {
                nitrogens.push(atom);
            }
            Element::P | Element::CL | Element::BR | Element::I => {
                others |= draft.degree(atom) > 0;
            }
            _ => {}
        }
    }
    for &atom in &nitrogens {
        separate_charge(draft, atom, Element::O, BondOrder::Double, BondOrder::Single);
    }
    for &atom in &nitrogens {
        separate_charge(draft, atom, Element::N, BondOrder::Triple, BondOrder::Double);
    }
    if others {
        for atom in 0..draft.atoms.len() {
            match draft.atoms[atom].element {
                Element::P => phosphorus(draft, atom),
                Element::CL | Element::BR | Element::I => halogen(draft, atom),
                _ => {}
            }
        }
    }
}

/// Changes a bond between single, double and triple.
fn set_order(draft: &mut Draft, bond: u32, order: BondOrder) {
    let bond = &mut draft.bonds[bond as usize];
    let (before, after) = (bond.order as i32, order as i32);
    bond.order = order;
    bond.kekule = order;
    for atom in [bond.begin, bond.end] {
        // These orders are their own numbers.
        let halves = &mut draft.state[atom as usize].halves;
        *halves = (i32::from(*halves) + 2 * (after - before)).max(0) as u16;
    }
}

/// Lowers the first bond of this order to a neutral neighbour of this element, and moves one
/// electron there.
fn separate_charge(draft: &mut Draft, atom: usize, to: Element, from: BondOrder, into: BondOrder) {
    let found = draft.neighbours(atom).iter().copied().find(|n| {
        let other = &draft.atoms[n.atom()];
        other.element == to && other.charge == 0 && draft.bonds[n.bond()].order == from
    });
    if let Some(n) = found {
        set_order(draft, n.bond, into);
        draft.atoms[atom].charge = 1;
        draft.atoms[n.atom()].charge = -1;
    }
}

/// `C=P(=O)X` to `C=[P+]([O-])X`.
fn phosphorus(draft: &mut Draft, atom: usize) {
    if draft.atoms[atom].charge != 0
        || draft.degree(atom) != 3
        || valence::explicit_valence(draft, atom) != 5
    {
        return;
    }
    let mut oxygen = None;
    let mut ylide = false;
    for &n in draft.neighbours(atom) {
        if draft.bonds[n.bond()].order != BondOrder::Double {
            continue;
        }
        let other = &draft.atoms[n.atom()];
        match other.element {
            Element::O if other.charge == 0 => oxygen = Some(n),
            Element::C | Element::N if draft.degree(n.atom()) >= 2 => ylide = true,
            _ => {}
        }
    }
    if let (Some(n), true) = (oxygen, ylide) {
        set_order(draft, n.bond, BondOrder::Single);
        draft.atoms[n.atom()].charge = -1;
        draft.atoms[atom].charge = 1;
    }
}

/// `X(=O)(=O)O` to `[X+2]([O-])([O-])O`, and likewise with one or three double bonds.
fn halogen(draft: &mut Draft, atom: usize) {
    if draft.atoms[atom].charge != 0
        || !matches!(valence::explicit_valence(draft, atom), 3 | 5 | 7)
        || draft.neighbours(atom).iter().any(|n| draft.atoms[n.atom()].element != Element::O)
    {
        return;
    }
    let mut charge = 0;
    for i in draft.offsets[atom]..draft.offsets[atom + 1] {
        let n = draft.neighbours[i as usize];
        if draft.bonds[n.bond()].order == BondOrder::Double {
            set_order(draft, n.bond, BondOrder::Single);
            draft.atoms[n.atom()].charge = -1;
            charge += 1;
        }
    }
    draft.atoms[atom].charge = charge;
}
