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
    Field::new(molecule, places).energy()
}

/// How much two atoms that are not bonded disturb each other.
fn of_atoms(molecule: &Molecule, (a, p): (usize, Point), (b, q): (usize, Point)) -> f64 {
    let apart = distance(p, q);
    if apart >= COMFORT || molecule.bond_between(a, b).is_some() {
        return 0.0;
    }
    let fault = if apart < CLOSE_ATOMS { 4.0 + (CLOSE_ATOMS - apart) } else { 0.0 };
    (COMFORT - apart).powi(2) + fault
}

/// How much an atom and a bond of others disturb each other.
fn of_atom_and_bond(p: Point, (a, b): (Point, Point)) -> f64 {
    let apart = distance_to_segment(p, a, b);
    if apart >= BOND_COMFORT {
        return 0.0;
    }
    let fault = if apart < ATOM_ON_BOND { 4.0 + (ATOM_ON_BOND - apart) } else { 0.0 };
    (BOND_COMFORT - apart).powi(2) + fault
}

/// How much two bonds without a common atom disturb each other.
fn of_bonds((a, b): (Point, Point), (c, d): (Point, Point)) -> f64 {
    if segments_cross(a, b, c, d) { 1.0 } else { 0.0 }
}

/// The box around a bond, `by` wider on all sides.
fn around((a, b): (Point, Point), by: f64) -> (Point, Point) {
    ([a[0].min(b[0]) - by, a[1].min(b[1]) - by], [a[0].max(b[0]) + by, a[1].max(b[1]) + by])
}

/// The atoms on one side of a bond outside rings, which move together.
pub(crate) struct Side {
    /// Atom at the other side's end of the bond.
    pub(crate) stem: usize,
    /// Atom at this side's end.
    pub(crate) first: usize,
    /// The atoms, `first` among them.
    pub(crate) atoms: Vec<usize>,
    /// The bonds between them.
    bonds: Vec<usize>,
    /// By atom, whether it is one of them.
    holds: Vec<bool>,
}

impl Side {
    /// The side of `first` of the bond between it and `stem`.
    pub(crate) fn new(molecule: &Molecule, stem: usize, first: usize) -> Side {
        let mut holds = vec![false; molecule.atom_count()];
        holds[first] = true;
        let mut atoms = vec![first];
        let mut at = 0;
        while let Some(&atom) = atoms.get(at) {
            for next in molecule.neighbours(atom).iter().map(|n| n.atom()) {
                let is_way_back = atom == first && next == stem;
                if !holds[next] && !is_way_back {
                    holds[next] = true;
                    atoms.push(next);
                }
            }
            at += 1;
        }
        let inside = |bond: usize| {
            let bond = molecule.bond(bond);
            holds[bond.begin()] && holds[bond.end()]
        };
        let bonds = (0..molecule.bond_count()).filter(|&bond| inside(bond)).collect();
        Side { stem, first, atoms, bonds, holds }
    }

    pub(crate) fn holds(&self, atom: usize) -> bool {
        self.holds[atom]
    }
}

/// A layout with its atoms and bonds by place: tells what disturbs what in it, and what would
/// if one side of a bond lay elsewhere.
pub(crate) struct Field<'l> {
    molecule: &'l Molecule,
    places: &'l [Point],
    atoms: Grid,
    /// Bonds by their middles.
    bonds: Grid,
    /// Half the longest bond: as far as a bond reaches from its middle.
    reach: f64,
}

impl<'l> Field<'l> {
    pub(crate) fn new(molecule: &'l Molecule, places: &'l [Point]) -> Self {
        let ends = molecule.bonds().iter().map(|b| (places[b.begin()], places[b.end()]));
        let middles: Vec<Point> =
            ends.clone().map(|(p, q)| [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0]).collect();
        let reach = ends.map(|(p, q)| distance(p, q) / 2.0).fold(0.0, f64::max);
        Field { molecule, places, atoms: Grid::new(places), bonds: Grid::new(&middles), reach }
    }

    pub(crate) fn energy(&self) -> f64 {
        let mut sum = 0.0;
        self.disturbances(|amount, _| sum += amount);
        sum
    }

    /// The atoms that have a part in the crowding, in order.
    pub(crate) fn disturbed(&self) -> Vec<usize> {
        let mut atoms: Vec<usize> = Vec::new();
        self.disturbances(|amount, members| {
            if amount > 0.015 {
                atoms.extend(members);
            }
        });
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    fn ends(&self, bond: usize) -> (Point, Point) {
        let bond = self.molecule.bond(bond);
        (self.places[bond.begin()], self.places[bond.end()])
    }

    /// Tells each disturbance: how bad it is, and the atoms concerned.
    fn disturbances(&self, mut tell: impl FnMut(f64, &[usize])) {
        let mut tell = |amount: f64, members: &[usize]| {
            if amount > 0.0 {
                tell(amount, members);
            }
        };
        for (a, &place) in self.places.iter().enumerate() {
            let (low, high) = around((place, place), COMFORT);
            self.atoms.near(low, high, |b| {
                if a < b {
                    tell(of_atoms(self.molecule, (a, place), (b, self.places[b])), &[a, b]);
                }
            });
        }
        for (index, bond) in self.molecule.bonds().iter().enumerate() {
            let ends = self.ends(index);
            let (low, high) = around(ends, BOND_COMFORT);
            self.atoms.near(low, high, |atom| {
                if atom != bond.begin() && atom != bond.end() {
                    let amount = of_atom_and_bond(self.places[atom], ends);
                    tell(amount, &[atom, bond.begin(), bond.end()]);
                }
            });
            let (low, high) = around(ends, self.reach);
            self.bonds.near(low, high, |other| {
                let o = self.molecule.bond(other);
                let shared = [o.begin(), o.end()].contains(&bond.begin())
                    || [o.begin(), o.end()].contains(&bond.end());
                if other > index && !shared {
                    let amount = of_bonds(ends, self.ends(other));
                    tell(amount, &[bond.begin(), bond.end(), o.begin(), o.end()]);
                }
            });
        }
    }

    /// How much a side, with the bond that holds it, and the rest disturb each other, with the
    /// side's atoms where `moved` has them. What two atoms of the side, or two of the rest, do to
    /// each other is not in it: that stays when a side moves as a whole. Above `most` the sum may
    /// be cut off.
    pub(crate) fn between(&self, side: &Side, moved: &[Point], most: f64) -> f64 {
        let is_rest = |bond: usize| {
            let bond = self.molecule.bond(bond);
            !side.holds(bond.begin()) && !side.holds(bond.end())
        };
        let mut sum = 0.0;
        for &a in &side.atoms {
            let place = moved[a];
            let (low, high) = around((place, place), COMFORT);
            self.atoms.near(low, high, |b| {
                if !side.holds(b) {
                    sum += of_atoms(self.molecule, (a, place), (b, self.places[b]));
                }
            });
            let (low, high) = around((place, place), self.reach + BOND_COMFORT);
            self.bonds.near(low, high, |bond| {
                if is_rest(bond) {
                    sum += of_atom_and_bond(place, self.ends(bond));
                }
            });
            if sum > most {
                return sum;
            }
        }
        let moved_ends = |bond: usize| {
            let bond = self.molecule.bond(bond);
            (moved[bond.begin()], moved[bond.end()])
        };
        for &bond in &side.bonds {
            let ends = moved_ends(bond);
            let (low, high) = around(ends, BOND_COMFORT);
            self.atoms.near(low, high, |b| {
                if !side.holds(b) {
                    sum += of_atom_and_bond(self.places[b], ends);
                }
            });
            let (low, high) = around(ends, self.reach);
            self.bonds.near(low, high, |other| {
                if is_rest(other) {
                    sum += of_bonds(ends, self.ends(other));
                }
            });
            if sum > most {
                return sum;
            }
        }
        sum + self.of_holding_bond(side, moved, &is_rest)
    }

    /// The part of [`between`](Self::between) of the bond that holds the side.
    fn of_holding_bond(
        &self,
        side: &Side,
        moved: &[Point],
        is_rest: &impl Fn(usize) -> bool,
    ) -> f64 {
        let ends = (self.places[side.stem], moved[side.first]);
        let mut sum = 0.0;
        let (low, high) = around(ends, BOND_COMFORT);
        self.atoms.near(low, high, |atom| {
            if !side.holds(atom) && atom != side.stem {
                sum += of_atom_and_bond(self.places[atom], ends);
            }
        });
        for &atom in side.atoms.iter().filter(|&&atom| atom != side.first) {
            let p = moved[atom];
            if (low[0]..=high[0]).contains(&p[0]) && (low[1]..=high[1]).contains(&p[1]) {
                sum += of_atom_and_bond(p, ends);
            }
        }
        let (low, high) = around(ends, self.reach);
        self.bonds.near(low, high, |other| {
            let o = self.molecule.bond(other);
            if is_rest(other) && o.begin() != side.stem && o.end() != side.stem {
                sum += of_bonds(ends, self.ends(other));
            }
        });
        for &bond in &side.bonds {
            let o = self.molecule.bond(bond);
            if o.begin() != side.first && o.end() != side.first {
                sum += of_bonds(ends, (moved[o.begin()], moved[o.end()]));
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use synthon_budget::Budget;
    use synthon_testkit::Random;

    use super::*;
    use crate::Layout;
    use crate::geometry::rotate;

    #[test]
    fn a_moved_side_changes_the_energy_by_what_lies_between() {
        let mut random = Random::new(7);
        for smiles in ["CC(C)(C)c1ccc(CCN2CCOCC2)cc1C(=O)O", "NCC(=O)NC(Cc1ccccc1)C(=O)NCC(=O)O"] {
            let molecule = Molecule::from_smiles(smiles).unwrap();
            let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
            for bond in molecule.bonds().iter().filter(|bond| !bond.in_ring()) {
                // Shrunk, so that much is crowded.
                let places: Vec<Point> =
                    layout.places().iter().map(|p| [0.5 * p[0], 0.4 * p[1]]).collect();
                let field = Field::new(&molecule, &places);
                let side = Side::new(&molecule, bond.begin(), bond.end());
                let mut moved = places.clone();
                let turn = random.below(628) as f64 / 100.0;
                for &atom in &side.atoms {
                    moved[atom] = rotate(places[atom], places[side.stem], turn);
                }
                let before = field.between(&side, &places, f64::INFINITY);
                let after = field.between(&side, &moved, f64::INFINITY);
                let whole = energy(&molecule, &moved) - field.energy();
                assert!((after - before - whole).abs() < 1e-9, "{smiles} {turn}");
                assert!(field.between(&side, &moved, after / 2.0) >= after / 2.0);
            }
        }
    }
}
