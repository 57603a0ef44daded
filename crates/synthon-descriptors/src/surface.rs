//! Topological polar surface area: contributions of N and O by their surroundings, from the table
//! of Ertl, Rohde and Selzer (J. Med. Chem. 2000, 43, 3714). Atoms that the table does not know
//! get the estimate from numbers of neighbours and hydrogens that the authors' program used.

use synthon_mol::{BondOrder, Element, Molecule};

/// Surroundings of an atom: numbers of bonds by kind to atoms other than hydrogen, hydrogens.
struct Surroundings {
    neighbours: u8,
    single: u8,
    double: u8,
    triple: u8,
    aromatic: u8,
    hydrogens: u8,
    charge: i8,
    three_ring: bool,
}

pub(crate) fn tpsa(molecule: &Molecule) -> f64 {
    let atoms = 0..molecule.atom_count();
    atoms
        .map(|atom| match molecule.atom(atom).element() {
            Element::N => nitrogen(&surroundings(molecule, atom)),
            Element::O => oxygen(&surroundings(molecule, atom)),
            _ => 0.0,
        })
        .sum()
}

fn surroundings(molecule: &Molecule, index: usize) -> Surroundings {
    let atom = molecule.atom(index);
    let mut found = Surroundings {
        neighbours: 0,
        single: 0,
        double: 0,
        triple: 0,
        aromatic: 0,
        hydrogens: atom.hydrogens(),
        charge: atom.charge(),
        three_ring: atom.smallest_ring() == 3,
    };
    for n in molecule.neighbours(index) {
        if molecule.atom(n.atom()).element() == Element::H {
            found.hydrogens = found.hydrogens.saturating_add(1);
            continue;
        }
        let count = match molecule.bond(n.bond()).order() {
            BondOrder::Single => Some(&mut found.single),
            BondOrder::Double => Some(&mut found.double),
            BondOrder::Triple => Some(&mut found.triple),
            BondOrder::Aromatic => Some(&mut found.aromatic),
            _ => None,
        };
        if let Some(count) = count {
            *count = count.saturating_add(1);
        }
        found.neighbours = found.neighbours.saturating_add(1);
    }
    found
}

fn nitrogen(a: &Surroundings) -> f64 {
    match (a.neighbours, a.hydrogens, a.charge) {
        (1, 0, 0) if a.triple == 1 => 23.79,
        (1, 1, 0) if a.double == 1 => 23.85,
        (1, 2, 0) if a.single == 1 => 26.02,
        (1, 2, 1) if a.double == 1 => 25.59,
        (1, 3, 1) if a.single == 1 => 27.64,
        (2, 0, 0) if a.single == 1 && a.double == 1 => 12.36,
        (2, 0, 0) if a.triple == 1 && a.double == 1 => 13.60,
        (2, 1, 0) if a.single == 2 && a.three_ring => 21.94,
        (2, 1, 0) if a.single == 2 => 12.03,
        (2, 0, 1) if a.triple == 1 && a.single == 1 => 4.36,
        (2, 1, 1) if a.double == 1 && a.single == 1 => 13.97,
        (2, 2, 1) if a.single == 2 => 16.61,
        (2, 0, 0) if a.aromatic == 2 => 12.89,
        (2, 1, 0) if a.aromatic == 2 => 15.79,
        (2, 1, 1) if a.aromatic == 2 => 14.14,
        (3, 0, 0) if a.single == 3 && a.three_ring => 3.01,
        (3, 0, 0) if a.single == 3 => 3.24,
        (3, 0, 0) if a.single == 1 && a.double == 2 => 11.68,
        (3, 0, 1) if a.single == 2 && a.double == 1 => 3.01,
        (3, 1, 1) if a.single == 3 => 4.44,
        (3, 0, 0) if a.aromatic == 3 => 4.41,
        (3, 0, 0) if a.single == 1 && a.aromatic == 2 => 4.93,
        (3, 0, 0) if a.double == 1 && a.aromatic == 2 => 8.39,
        (3, 0, 1) if a.aromatic == 3 => 4.10,
        (3, 0, 1) if a.single == 1 && a.aromatic == 2 => 3.88,
        (4, 0, 1) if a.single == 4 => 0.0,
        _ => estimate(a, 30.5, 8.2),
    }
}

fn oxygen(a: &Surroundings) -> f64 {
    match (a.neighbours, a.hydrogens, a.charge) {
        (1, 0, 0) if a.double == 1 => 17.07,
        (1, 1, 0) if a.single == 1 => 20.23,
        (1, 0, -1) if a.single == 1 => 23.06,
        (2, 0, 0) if a.single == 2 && a.three_ring => 12.53,
        (2, 0, 0) if a.single == 2 => 9.23,
        (2, 0, 0) if a.aromatic == 2 => 13.14,
        _ => estimate(a, 28.5, 8.6),
    }
}

fn estimate(a: &Surroundings, bare: f64, per_neighbour: f64) -> f64 {
    (bare - f64::from(a.neighbours) * per_neighbour + f64::from(a.hydrogens) * 1.5).max(0.0)
}
