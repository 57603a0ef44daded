//! From the connection table to the editable molecule.

use super::table::{Table, TableAtom};
use super::{double_bonds, space, wedges};
use crate::builder::{AtomSpec, BondDirection, BondSpec, Hydrogens, MoleculeBuilder};
use crate::{BondOrder, BondStereo, Chirality, MolError, MolErrorKind};

/// Bonds of every atom, in index order.
pub(super) struct Incidence {
    offsets: Vec<u32>,
    bonds: Vec<u32>,
}

impl Incidence {
    fn new(table: &Table) -> Self {
        let mut offsets = vec![0u32; table.atoms.len() + 1];
        for bond in &table.bonds {
            offsets[bond.begin as usize + 1] += 1;
            offsets[bond.end as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut bonds = vec![0; 2 * table.bonds.len()];
        for (index, bond) in table.bonds.iter().enumerate() {
            for atom in [bond.begin, bond.end] {
                let slot = &mut next[atom as usize];
                bonds[*slot as usize] = index as u32;
                *slot += 1;
            }
        }
        Incidence { offsets, bonds }
    }

    /// Indices of the bonds of an atom, ascending.
    pub fn of(&self, atom: usize) -> &[u32] {
        &self.bonds[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }
}

/// How the coordinates are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Flat,
    Space,
}

/// The editable molecule of a table.
///
/// # Errors
/// When two atoms are bonded twice; `None` in place of line and column is for the caller to fill
/// in from the span.
pub(super) fn builder(table: &Table, view: View) -> Result<MoleculeBuilder, MolError> {
    check_bonds(table)?;
    let incidence = Incidence::new(table);
    let mut builder = MoleculeBuilder::new();
    for (index, atom) in table.atoms.iter().enumerate() {
        builder.add_atom(AtomSpec {
            charge: atom.charge,
            isotope: atom.isotope,
            hydrogens: hydrogens(table, &incidence, index, atom),
            radicals: atom.radicals,
            map: atom.map,
            span: atom.span,
            ..AtomSpec::new(atom.element)
        });
    }
    builder.bonds = table
        .bonds
        .iter()
        .map(|bond| BondSpec {
            begin: bond.begin,
            end: bond.end,
            order: bond.order,
            direction: BondDirection::None,
            stereo: BondStereo::None,
        })
        .collect();
    for atom in 0..table.atoms.len() {
        let mark = match view {
            View::Flat => wedges::chirality(table, &incidence, atom),
            View::Space => space::chirality(table, &incidence, atom),
        };
        if mark != Chirality::None {
            builder.atoms[atom].chirality = mark;
        }
    }
    for bond in 0..table.bonds.len() {
        if table.bonds[bond].order == BondOrder::Double {
            builder.bonds[bond].stereo = double_bonds::geometry(table, &incidence, bond);
        }
    }
    Ok(builder)
}

fn hydrogens(table: &Table, incidence: &Incidence, index: usize, atom: &TableAtom) -> Hydrogens {
    let Some(valence) = atom.valence.filter(|_| atom.hydrogens == Hydrogens::Implied) else {
        return atom.hydrogens;
    };
    let halves: u32 = incidence
        .of(index)
        .iter()
        .map(|&b| {
            let bond = &table.bonds[b as usize];
            match bond.order {
                BondOrder::Unspecified => 0,
                BondOrder::Single => 2,
                BondOrder::Double => 4,
                BondOrder::Triple => 6,
                BondOrder::Quadruple => 8,
                BondOrder::Aromatic => 3,
                BondOrder::Dative => 2 * u32::from(bond.end as usize == index),
            }
        })
        .sum();
    let hydrogens = valence.saturating_sub(halves.div_ceil(2));
    Hydrogens::Exactly(hydrogens.min(u32::from(u8::MAX)) as u8)
}

fn check_bonds(table: &Table) -> Result<(), MolError> {
    let mut pairs: Vec<(u32, u32, u32)> =
        table.bonds.iter().map(|b| (b.begin.min(b.end), b.begin.max(b.end), b.at)).collect();
    pairs.sort_unstable();
    match pairs.windows(2).find(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
        Some(w) => Err(MolError::new(
            MolErrorKind::BadGraph,
            format!("Atoms {} and {} are bonded twice", w[0].0 + 1, w[0].1 + 1),
        )
        .at(w[1].2 as usize..w[1].2 as usize)
        .with_hint("state each bond once")),
        None => Ok(()),
    }
}
