//! Folding of hydrogen atoms into the hydrogen counts of their neighbours.
//!
//! Kept as atoms are: isotopes, hydrides, hydrogens without a neighbour or with several, those
//! on a wildcard, on another hydrogen or on a centre with higher-coordination stereo, and the
//! one that alone shows the geometry of a double bond (`[H]/N=C/F`). Maps and positive charges
//! do not keep them (RDKit's defaults).

use crate::builder::{BondDirection, Hydrogens, MoleculeBuilder};
use crate::{BondOrder, BondStereo, Chirality, Element, MolError, MolErrorKind};

/// Most hydrogens that fold into one atom.
const MOST_HYDROGENS: usize = 200;

/// Removes the hydrogens that fold; atom and bond indices close up. Gives the atoms that stay, by
/// their former indices; `None` when all do.
///
/// # Errors
/// When an atom would get more hydrogens than can be counted.
pub(super) fn fold(builder: &mut MoleculeBuilder) -> Result<Option<Vec<u32>>, MolError> {
    let candidate = |b: &MoleculeBuilder, i: usize| {
        let atom = &b.atoms[i];
        atom.element == Element::H && atom.isotope == 0 && atom.charge != -1
    };
    if !(0..builder.atoms.len()).any(|i| candidate(builder, i)) {
        return Ok(None);
    }
    // Bonds of every atom, in index order.
    let mut bonds_of: Vec<Vec<u32>> = vec![Vec::new(); builder.atoms.len()];
    for (i, bond) in builder.bonds.iter().enumerate() {
        bonds_of[bond.begin as usize].push(i as u32);
        bonds_of[bond.end as usize].push(i as u32);
    }
    let folds: Vec<bool> = (0..builder.atoms.len())
        .map(|i| candidate(builder, i) && is_foldable(builder, &bonds_of, i))
        .collect();
    if !folds.contains(&true) {
        return Ok(None);
    }
    for (atom, bonds) in bonds_of.iter().enumerate().filter(|(_, b)| b.len() > MOST_HYDROGENS) {
        let folding = bonds.iter().filter(|&&b| folds[other_end(builder, b, atom)]).count();
        if folding > MOST_HYDROGENS {
            return Err(MolError::new(
                MolErrorKind::TooLarge,
                format!("Atom {atom} has {folding} hydrogens, more than {MOST_HYDROGENS}"),
            )
            .with_atoms(vec![atom as u32]));
        }
    }
    for hydrogen in (0..folds.len()).filter(|&h| folds[h]) {
        state_geometry(builder, &bonds_of, hydrogen);
    }
    for hydrogen in (0..folds.len()).rev().filter(|&h| folds[h]) {
        fold_one(builder, &mut bonds_of, hydrogen);
    }
    close_up(builder, &folds);
    Ok(Some((0..folds.len() as u32).filter(|&a| !folds[a as usize]).collect()))
}

fn other_end(builder: &MoleculeBuilder, bond: u32, atom: usize) -> usize {
    let bond = &builder.bonds[bond as usize];
    (bond.begin ^ bond.end) as usize ^ atom
}

fn is_foldable(builder: &MoleculeBuilder, bonds_of: &[Vec<u32>], hydrogen: usize) -> bool {
    let &[bond] = bonds_of[hydrogen].as_slice() else { return false };
    let heavy = other_end(builder, bond, hydrogen);
    let atom = &builder.atoms[heavy];
    if matches!(atom.element, Element::WILDCARD | Element::H) {
        return false;
    }
    if atom.chirality != Chirality::None && !atom.chirality.is_tetrahedral() {
        return false;
    }
    let marked = builder.bonds[bond as usize].direction != BondDirection::None;
    let shows_geometry = |&other: &u32| {
        let other = &builder.bonds[other as usize];
        other.order == BondOrder::Double && (marked || other.stereo != BondStereo::None)
    };
    !(bonds_of[heavy].len() == 2 && bonds_of[heavy].iter().any(shows_geometry))
}

fn fold_one(builder: &mut MoleculeBuilder, bonds_of: &mut [Vec<u32>], hydrogen: usize) {
    let bond = bonds_of[hydrogen][0];
    let heavy = other_end(builder, bond, hydrogen);
    let position =
        bonds_of[heavy].iter().position(|&b| b == bond).expect("the bond leads to this atom");
    let atom = &mut builder.atoms[heavy];
    atom.hydrogens = match atom.hydrogens {
        Hydrogens::Implied => Hydrogens::AtLeast(1),
        Hydrogens::AtLeast(n) => Hydrogens::AtLeast(n.saturating_add(1)),
        Hydrogens::Exactly(n) => Hydrogens::Exactly(n.saturating_add(1)),
    };
    // The implied ligand stands last: one exchange for each neighbour that it passes.
    if (bonds_of[heavy].len() - 1 - position) % 2 == 1 {
        atom.chirality = atom.chirality.inverted();
    }
    move_stereo(builder, &bonds_of[heavy], position);
    bonds_of[heavy].remove(position);
}

/// Corrects a stated geometry that refers to a folded hydrogen.
fn move_stereo(builder: &mut MoleculeBuilder, bonds: &[u32], position: usize) {
    for &other in bonds {
        let double = &builder.bonds[other as usize];
        if double.stereo == BondStereo::None {
            continue;
        }
        // The hydrogen is the reference if no other neighbour precedes it.
        let is_reference = bonds[..position].iter().all(|&b| b == other) && bonds.len() == 3;
        if is_reference {
            let inverted = double.stereo.inverted();
            builder.bonds[other as usize].stereo = inverted;
        }
    }
}

/// States the geometry of the double bond beside a hydrogen that folds, if the bond to it is
/// marked. Handing the mark to the other neighbour instead would mark the double bond beyond it
/// too.
fn state_geometry(builder: &mut MoleculeBuilder, bonds_of: &[Vec<u32>], hydrogen: usize) {
    let Some(&gone) = bonds_of[hydrogen].first() else { return };
    if builder.bonds[gone as usize].direction == BondDirection::None {
        return;
    }
    let heavy = other_end(builder, gone, hydrogen);
    for &double in &bonds_of[heavy] {
        let bond = builder.bonds[double as usize];
        if bond.order != BondOrder::Double || bond.stereo != BondStereo::None {
            continue;
        }
        // Whether the first other neighbour of an end lies above the axis.
        let above = |end: u32| {
            let mut is_reference = true;
            for &beside in bonds_of[end as usize].iter().filter(|&&b| b != double) {
                let beside = &builder.bonds[beside as usize];
                if beside.direction != BondDirection::None {
                    let above = (beside.direction == BondDirection::Up) == (beside.begin == end);
                    return Some(above == is_reference);
                }
                is_reference = false;
            }
            None
        };
        if let (Some(begin), Some(end)) = (above(bond.begin), above(bond.end)) {
            builder.bonds[double as usize].stereo =
                if begin == end { BondStereo::Cis } else { BondStereo::Trans };
        }
    }
}

/// Drops the folded atoms and their bonds, and renumbers the rest.
fn close_up(builder: &mut MoleculeBuilder, folds: &[bool]) {
    let mut new_index = Vec::with_capacity(folds.len());
    let mut next = 0;
    for &gone in folds {
        new_index.push(next);
        next += u32::from(!gone);
    }
    let mut keep = folds.iter().map(|gone| !gone);
    builder.atoms.retain(|_| keep.next().expect("one flag per atom"));
    builder.bonds.retain(|b| !folds[b.begin as usize] && !folds[b.end as usize]);
    for bond in &mut builder.bonds {
        bond.begin = new_index[bond.begin as usize];
        bond.end = new_index[bond.end as usize];
    }
}
