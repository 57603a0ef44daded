//! What lies too close together in a layout.

use synthon_mol::Molecule;

use crate::geometry::{Point, distance, distance_to_segment, segments_cross};

/// Two atoms nearer than this, in bond lengths, lie on top of each other.
pub const CLOSE_ATOMS: f64 = 0.5;

/// An atom nearer than this to a bond that is not its own lies on it.
pub const ATOM_ON_BOND: f64 = 0.15;

/// Faults of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowding {
    /// Pairs of atoms nearer than [`CLOSE_ATOMS`].
    pub close_atoms: Vec<(usize, usize)>,
    /// Atoms that lie on a bond of others ([`ATOM_ON_BOND`]).
    pub atoms_on_bonds: Vec<(usize, usize)>,
}

impl Crowding {
    /// Whether there are none.
    pub fn is_free(&self) -> bool {
        self.close_atoms.is_empty() && self.atoms_on_bonds.is_empty()
    }
}

/// Atoms by the squares of a grid, so that only near ones are compared.
struct Grid {
    order: Vec<u32>,
    cells: Vec<(i64, i64)>,
}

impl Grid {
    fn new(places: &[Point]) -> Grid {
        let cells: Vec<(i64, i64)> =
            places.iter().map(|p| (p[0].floor() as i64, p[1].floor() as i64)).collect();
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(|&atom| (cells[atom as usize], atom));
        Grid { order, cells }
    }

    /// Calls `visit` for the atoms in the squares that the box touches.
    fn near(&self, low: Point, high: Point, mut visit: impl FnMut(usize)) {
        let (x0, x1) = (low[0].floor() as i64, high[0].floor() as i64);
        let (y0, y1) = (low[1].floor() as i64, high[1].floor() as i64);
        for x in x0..=x1 {
            let from = self.order.partition_point(|&a| self.cells[a as usize] < (x, y0));
            for &atom in &self.order[from..] {
                if self.cells[atom as usize] > (x, y1) {
                    break;
                }
                visit(atom as usize);
            }
        }
    }
}

pub(crate) fn crowding(molecule: &Molecule, places: &[Point]) -> Crowding {
    let grid = Grid::new(places);
    let mut found = Crowding::default();
    let around = |p: Point, by: f64| ([p[0] - by, p[1] - by], [p[0] + by, p[1] + by]);
    for (a, &place) in places.iter().enumerate() {
        let (low, high) = around(place, CLOSE_ATOMS);
        grid.near(low, high, |b| {
            if a < b && distance(place, places[b]) < CLOSE_ATOMS {
                found.close_atoms.push((a, b));
            }
        });
    }
    for (index, bond) in molecule.bonds().iter().enumerate() {
        let (a, b) = (places[bond.begin()], places[bond.end()]);
        let low = [a[0].min(b[0]) - ATOM_ON_BOND, a[1].min(b[1]) - ATOM_ON_BOND];
        let high = [a[0].max(b[0]) + ATOM_ON_BOND, a[1].max(b[1]) + ATOM_ON_BOND];
        grid.near(low, high, |atom| {
            if atom != bond.begin()
                && atom != bond.end()
                && distance_to_segment(places[atom], a, b) < ATOM_ON_BOND
            {
                found.atoms_on_bonds.push((atom, index));
            }
        });
    }
    found.close_atoms.sort_unstable();
    found.atoms_on_bonds.sort_unstable();
    found
}

/// From where on two atoms that are not bonded disturb each other.
const COMFORT: f64 = 0.85;
/// From where on an atom and a bond do.
const BOND_COMFORT: f64 = 0.35;

/// How crowded a layout is: 0 when nothing is near anything. Crowding that counts as a fault
/// weighs most, then bonds that cross, then mere nearness.
pub(crate) fn energy(molecule: &Molecule, places: &[Point]) -> f64 {
    let mut sum = 0.0;
    disturbances(molecule, places, |amount, _| sum += amount);
    sum
}

/// The atoms that have a part in the crowding, in order.
pub(crate) fn disturbed(molecule: &Molecule, places: &[Point]) -> Vec<usize> {
    let mut atoms: Vec<usize> = Vec::new();
    disturbances(molecule, places, |amount, members| {
        if amount > 0.015 {
            atoms.extend(members);
        }
    });
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// Tells each disturbance: how bad it is, and the atoms concerned.
fn disturbances(molecule: &Molecule, places: &[Point], mut tell: impl FnMut(f64, &[usize])) {
    let grid = Grid::new(places);
    for (a, &place) in places.iter().enumerate() {
        grid.near(
            [place[0] - COMFORT, place[1] - COMFORT],
            [place[0] + COMFORT, place[1] + COMFORT],
            |b| {
                if a >= b {
                    return;
                }
                let apart = distance(place, places[b]);
                if apart < COMFORT && molecule.bond_between(a, b).is_none() {
                    let fault = if apart < CLOSE_ATOMS { 4.0 + (CLOSE_ATOMS - apart) } else { 0.0 };
                    tell((COMFORT - apart).powi(2) + fault, &[a, b]);
                }
            },
        );
    }
    let bonds = molecule.bonds();
    // Long bonds are few; a bond is looked for around its middle.
    let middles: Vec<Point> = bonds
        .iter()
        .map(|b| {
            let (p, q) = (places[b.begin()], places[b.end()]);
            [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0]
        })
        .collect();
    let bond_grid = Grid::new(&middles);
    for (index, bond) in bonds.iter().enumerate() {
        let (a, b) = (places[bond.begin()], places[bond.end()]);
        let low = [a[0].min(b[0]), a[1].min(b[1])];
        let high = [a[0].max(b[0]), a[1].max(b[1])];
        let wide = |by: f64| ([low[0] - by, low[1] - by], [high[0] + by, high[1] + by]);
        let (near, far) = wide(BOND_COMFORT);
        grid.near(near, far, |atom| {
            if atom == bond.begin() || atom == bond.end() {
                return;
            }
            let apart = distance_to_segment(places[atom], a, b);
            if apart < BOND_COMFORT {
                let fault = if apart < ATOM_ON_BOND { 4.0 + (ATOM_ON_BOND - apart) } else { 0.0 };
                let amount = (BOND_COMFORT - apart).powi(2) + fault;
                tell(amount, &[atom, bond.begin(), bond.end()]);
            }
        });
        let (near, far) = wide(0.8);
        bond_grid.near(near, far, |other| {
            if other <= index {
                return;
            }
            let o = &bonds[other];
            let shared = [o.begin(), o.end()].contains(&bond.begin())
                || [o.begin(), o.end()].contains(&bond.end());
            if !shared && segments_cross(a, b, places[o.begin()], places[o.end()]) {
                tell(1.0, &[bond.begin(), bond.end(), o.begin(), o.end()]);
            }
        });
    }
}
