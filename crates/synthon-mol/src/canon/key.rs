//! The canonical connection table of a component, and its digest.

use super::partition::{Invariants, Partition, Span};
use crate::Chirality;

/// Atoms in canonical order, each with its invariants and its bonds to lower atoms.
pub(crate) type Table = Vec<u64>;

pub(super) fn table(partition: &Partition<'_>, span: Span, invariants: Invariants) -> Table {
    let molecule = partition.molecule;
    let mut table = Vec::with_capacity(2 * (span.end - span.start) + 2);
    for place in span.start..span.end {
        let index = partition.order[place] as usize;
        let atom = molecule.atom(index);
        let (isotope, chirality) =
            if invariants.isomeric { (atom.isotope, atom.chirality) } else { (0, Chirality::None) };
        let figure: u8 = match chirality {
            Chirality::None => 0,
            Chirality::Anticlockwise | Chirality::Clockwise => 1,
            Chirality::Allene(_) => 2,
            Chirality::SquarePlanar(_) => 3,
            Chirality::TrigonalBipyramidal(_) => 4,
            Chirality::Octahedral(_) => 5,
        };
        let code = if figure == 0 { 0 } else { partition.centre_code(index) };
        table.push(
            u64::from(atom.atomic_number())
                | u64::from(atom.charge as u8) << 8
                | u64::from(atom.hydrogens) << 16
                | u64::from(isotope) << 24
                | u64::from(atom.aromatic) << 40
                | u64::from(figure) << 41
                | u64::from(code) << 44
                | 1 << 63,
        );
        if invariants.atom_maps {
            table.push(u64::from(atom.map));
        }
        let bonds = table.len();
        for neighbour in molecule.neighbours(index) {
            let lower = partition.class[neighbour.atom()];
            if (lower as usize) < place {
                let kind = partition.bond_kind(index, neighbour.bond());
                table.push(u64::from(lower - span.start as u32) << 8 | u64::from(kind));
            }
        }
        table[bonds..].sort_unstable();
    }
    table
}

/// Digest of several tables. Two lanes of folded multiplication with different odd constants.
pub(super) fn digest(tables: &[Table]) -> u128 {
    let (mut a, mut b) = (0x243f_6a88_85a3_08d3u64, 0x1319_8a2e_0370_7344u64);
    let mut add = |value: u64| {
        a = folded(a ^ value, 0x9e37_79b9_7f4a_7c15).wrapping_add(value.rotate_left(32));
        b = folded(b.rotate_left(29) ^ value, 0xe703_7ed1_a0b4_28db).wrapping_add(a);
    };
    for table in tables {
        add(table.len() as u64);
        table.iter().for_each(|&entry| add(entry));
    }
    add(tables.len() as u64);
    u128::from(a) << 64 | u128::from(b)
}

/// High and low half of a product, folded together.
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a | 1 << 63) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}
