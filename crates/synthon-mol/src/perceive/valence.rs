//! The valence model: how many hydrogens an atom has, and when it has too many bonds.
//!
//! A charged atom is treated as the element with the same number of electrons (N+ as C, O- as
//! F), except phosphorus, sulphur, arsenic and selenium, which keep their higher valences when
//! negatively charged. This is RDKit's model since 2024.09.

use super::Draft;
use crate::element_data::{ELEMENTS, ElementData};
use crate::{BondOrder, Element, MolError, MolErrorKind};

/// Checks every atom, and fills in explicit valences and implied hydrogens.
pub(super) fn assign(draft: &mut Draft) -> Result<(), MolError> {
    for atom in 0..draft.atoms.len() {
        if assign_plain(draft, atom) {
            continue;
        }
        let valence = explicit_valence(draft, atom);
        draft.state[atom].explicit_valence = valence.min(255) as u8;
        check(draft, atom, valence)?;
        draft.state[atom].implicit_hydrogens =
            implicit_hydrogens(draft, atom, valence)?.min(255) as u8;
    }
    Ok(())
}

/// The short way for most atoms: uncharged, implied hydrogens, and within a valence.
#[inline]
fn assign_plain(draft: &mut Draft, atom: usize) -> bool {
    let this = &draft.atoms[atom];
    let state = &mut draft.state[atom];
    if this.charge != 0 || this.radicals != 0 || state.no_implicit || state.explicit_hydrogens != 0
    {
        return false;
    }
    let halves = i32::from(state.halves);
    let (valence, hydrogens) = if state.aromatic_environment {
        if this.element != Element::C || halves > 8 {
            return false;
        }
        let valence = (halves + 1) / 2;
        (valence, 4 - valence)
    } else {
        let element = &ELEMENTS[this.element.atomic_number() as usize];
        let valence = halves / 2;
        match element.valences().iter().find(|&&v| i32::from(v) >= valence) {
            Some(&v) if this.element != Element::H => (valence, i32::from(v) - valence),
            _ => return false,
        }
    };
    state.explicit_valence = valence as u8;
    state.implicit_hydrogens = hydrogens as u8;
    true
}

/// Counts hydrogens anew where aromatic bonds turned out to be none. Atoms that are aromatic keep
/// what they have: pyrrole's hydrogen stays although the aromatic form leaves no room for it.
pub(super) fn settle(draft: &mut Draft) -> Result<(), MolError> {
    let unsettled =
        |draft: &Draft, i: usize| draft.state[i].aromatic_environment && !draft.atoms[i].aromatic;
    if !draft.any_aromatic || !(0..draft.atoms.len()).any(|i| unsettled(draft, i)) {
        return Ok(());
    }
    draft.count_bonds();
    for atom in 0..draft.atoms.len() {
        if !unsettled(draft, atom) {
            continue;
        }
        draft.state[atom].aromatic_environment = draft
            .neighbours(atom)
            .iter()
            .any(|n| draft.bonds[n.bond()].order == BondOrder::Aromatic);
        let before = draft.state[atom].implicit_hydrogens;
        let mut valence = explicit_valence(draft, atom);
        if !draft.state[atom].no_implicit {
            let now = implicit_hydrogens(draft, atom, valence).unwrap_or(0).min(255) as u8;
            if now < before {
                draft.state[atom].explicit_hydrogens += before - now;
                valence = explicit_valence(draft, atom);
            }
            draft.state[atom].implicit_hydrogens =
                implicit_hydrogens(draft, atom, valence)?.min(255) as u8;
        }
        draft.state[atom].explicit_valence = valence.min(255) as u8;
        check(draft, atom, valence)?;
    }
    Ok(())
}

/// The element whose valences count: the one with as many electrons.
#[inline]
pub(super) fn effective_element(draft: &Draft, atom: usize) -> &'static ElementData {
    let own = draft.element(atom);
    let charge = draft.atoms[atom].charge;
    if charge == 0 || own.has_no_valences() {
        return own;
    }
    &ELEMENTS[effective_number(draft, atom)]
}

#[inline]
fn effective_number(draft: &Draft, atom: usize) -> usize {
    let atom = &draft.atoms[atom];
    (i32::from(atom.element.atomic_number()) - i32::from(atom.charge)).clamp(0, 118) as usize
}

/// P, S, As and Se with so much negative charge that they count as Cl or beyond, Br or beyond.
#[inline]
fn keeps_higher_valences(draft: &Draft, atom: usize) -> bool {
    match draft.atoms[atom].element {
        Element::P | Element::S => effective_number(draft, atom) > 16,
        Element::AS | Element::SE => effective_number(draft, atom) > 34,
        _ => false,
    }
}

/// Sum of bond orders and written hydrogens. Aromatic bonds count one and a half; where that
/// exceeds the lowest valence, up to one and a half is let go, as placing the double bonds will.
pub(super) fn explicit_valence(draft: &Draft, atom: usize) -> i32 {
    let state = &draft.state[atom];
    let mut halves = 2 * i32::from(state.explicit_hydrogens) + i32::from(state.halves);
    if state.aromatic_environment {
        let element = effective_element(draft, atom);
        let default = element.default_valence();
        if default >= 0 && halves > 2 * default {
            let mut allowed = default;
            for &valence in element.valences() {
                if valence < 0 || 2 * i32::from(valence) > halves {
                    break;
                }
                allowed = i32::from(valence);
            }
            if halves - 2 * allowed <= 3 {
                halves = 2 * allowed;
            }
        }
    }
    // Half a bond counts as a whole one.
    (halves + 1) / 2
}

fn check(draft: &Draft, atom: usize, valence: i32) -> Result<(), MolError> {
    let own = draft.element(atom);
    let mut most = effective_element(draft, atom).last_valence();
    let mut excess = 0;
    let state = &draft.atoms[atom];
    if state.charge < 0 {
        if keeps_higher_valences(draft, atom) {
            most = own.last_valence();
            excess = -i32::from(state.charge);
        }
        if state.element == Element::H && state.charge == -1 {
            most = 2;
        }
    }
    if most >= 0 && own.last_valence() >= 0 && valence + excess > most {
        return Err(too_many(draft, atom, valence));
    }
    Ok(())
}

/// Hydrogens that the valence model adds to an atom.
pub(super) fn implicit_hydrogens(
    draft: &Draft,
    atom: usize,
    valence: i32,
) -> Result<i32, MolError> {
    let state = &draft.atoms[atom];
    if draft.state[atom].no_implicit || state.element.is_wildcard() {
        return Ok(0);
    }
    if state.element == Element::H && valence == 0 && state.radicals == 0 {
        return match state.charge {
            -1 | 1 => Ok(0),
            0 => Ok(1),
            _ => Err(MolError::new(
                MolErrorKind::Valence,
                format!("Unreasonable formal charge on hydrogen # {atom}"),
            )
            .with_atoms(vec![atom as u32])),
        };
    }
    let own = draft.element(atom);
    let mut element = effective_element(draft, atom);
    let default = element.default_valence();
    if default < 0 {
        return Ok(0);
    }
    let mut used = valence + i32::from(state.radicals);
    if state.charge < 0 && keeps_higher_valences(draft, atom) {
        element = own;
        used -= i32::from(state.charge);
    }
    if draft.state[atom].aromatic_environment {
        if used <= default {
            return Ok(default - used);
        }
        let satisfied = element.valences().iter().any(|&v| v > 0 && i32::from(v) == used);
        if !satisfied {
            return Err(MolError::new(
                MolErrorKind::Valence,
                format!(
                    "Explicit valence for aromatic atom # {atom} not equal to any accepted valence"
                ),
            )
            .at(span(draft, atom))
            .with_atoms(vec![atom as u32]));
        }
        return Ok(0);
    }
    match element.valences().iter().find(|&&v| v >= 0 && used <= i32::from(v)) {
        Some(&v) => Ok(i32::from(v) - used),
        None if element.last_valence() != -1 && own.last_valence() > 0 => {
            Err(too_many(draft, atom, valence))
        }
        None => Ok(0),
    }
}

pub(super) fn span(draft: &Draft, atom: usize) -> std::ops::Range<usize> {
    let (start, end) = draft.state[atom].span;
    start as usize..end as usize
}

#[cold]
fn too_many(draft: &Draft, atom: usize, valence: i32) -> MolError {
    let this = &draft.atoms[atom];
    let element = effective_element(draft, atom);
    let allowed: Vec<_> =
        element.valences().iter().filter(|v| **v >= 0).map(|v| v.to_string()).collect();
    let hydrogens = draft.state[atom].explicit_hydrogens;
    let charge = match this.charge {
        0 => "neutral".to_owned(),
        c => format!("charge {c:+}"),
    };
    let bonds = valence - i32::from(hydrogens);
    let mut error = MolError::new(
        MolErrorKind::Valence,
        format!(
            "Explicit valence for atom # {atom} {}, {valence}, is greater than permitted",
            this.element
        ),
    )
    .with_atoms(vec![atom as u32]);
    if draft.state[atom].span.1 > 0 {
        error = error.at(span(draft, atom));
    }
    let mut hint = format!(
        "{} (atom {atom}, {charge}) has {} and {}; allowed in all: {}",
        this.element,
        counted(bonds, "bond"),
        counted(i32::from(hydrogens), "hydrogen"),
        allowed.join(" or ")
    );
    if this.charge == 0 && hydrogens == 0 && this.element != Element::N {
        hint.push_str("; remove a bond or lower its order, or give the atom its charge");
    }
    error.with_hint(hint)
}

fn counted(n: i32, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
