//! Frees a crowded layout: turns branches over, bends and stretches them.

use synthon_budget::Budget;
use synthon_mol::{BondOrder, BondStereo, Molecule};

use crate::crowding::{disturbed, energy};
use crate::geometry::{Point, add, cross, direction, mirror, rotate, sub, times};

/// Rounds of choosing the best change.
const ROUNDS: usize = 24;

/// Above this many atoms a layout stays as it is: a round would take too long.
const MOST_ATOMS: usize = 400;

/// Most changes tried on a layout, times its atoms: about a second of work.
const MOST_WORK: usize = 2_000_000;

/// A bond outside rings and the atoms on its end's side.
struct Branch {
    /// Atom that stays.
    stem: usize,
    /// First atom of the branch.
    first: usize,
    /// The branch, `first` included.
    atoms: Vec<usize>,
    /// Turning the branch over keeps all geometry of double bonds.
    may_turn_over: bool,
}

#[derive(Clone, Copy)]
enum Change {
    TurnOver,
    Bend(f64),
    Stretch(f64),
}

const CHANGES: [Change; 12] = [
    Change::TurnOver,
    Change::Bend(15.0),
    Change::Bend(-15.0),
    Change::Bend(30.0),
    Change::Bend(-30.0),
    Change::Bend(60.0),
    Change::Bend(-60.0),
    Change::Bend(90.0),
    Change::Bend(-90.0),
    Change::Stretch(0.25),
    Change::Stretch(0.5),
    Change::Stretch(0.9),
];

impl Change {
    /// What a change costs beside its effect: the plainest that helps is taken.
    fn cost(self) -> f64 {
        match self {
            Change::TurnOver => 0.001,
            Change::Bend(degrees) => 0.01 + degrees.abs() / 400.0,
            Change::Stretch(by) => 0.15 + 0.6 * by,
        }
    }
}

/// The smaller side of each bond outside rings.
fn branches(molecule: &Molecule) -> Vec<Branch> {
    let mut found = Vec::new();
    for bond in molecule.bonds().iter().filter(|bond| !bond.in_ring()) {
        let side = |first: usize, stem: usize| {
            let mut seen = vec![false; molecule.atom_count()];
            (seen[stem], seen[first]) = (true, true);
            let mut atoms = vec![first];
            let mut at = 0;
            while let Some(&atom) = atoms.get(at) {
                for next in molecule.neighbours(atom) {
                    if !seen[next.atom()] {
                        seen[next.atom()] = true;
                        atoms.push(next.atom());
                    }
                }
                at += 1;
            }
            Branch {
                stem,
                first,
                atoms,
                may_turn_over: bond.stereo() == BondStereo::None
                    || bond.order() != BondOrder::Double,
            }
        };
        let end = side(bond.end(), bond.begin());
        let branch = if 2 * end.atoms.len() > molecule.atom_count() {
            side(bond.begin(), bond.end())
        } else {
            end
        };
        found.push(branch);
    }
    found
}

fn changed(places: &[Point], branch: &Branch, change: Change) -> Vec<Point> {
    let mut new = places.to_vec();
    let (stem, first) = (places[branch.stem], places[branch.first]);
    for &atom in &branch.atoms {
        let place = &mut new[atom];
        *place = match change {
            Change::TurnOver => mirror(*place, stem, first),
            Change::Bend(degrees) => rotate(*place, stem, degrees.to_radians()),
            Change::Stretch(by) => add(*place, times(direction(stem, first), by)),
        };
    }
    new
}

/// Whether double bonds with a stated geometry are drawn with it.
pub(crate) fn geometry_holds(molecule: &Molecule, places: &[Point]) -> bool {
    (0..molecule.bond_count()).all(|index| {
        let bond = molecule.bond(index);
        if bond.stereo() == BondStereo::None {
            return true;
        }
        let Some((a, b)) = molecule.stereo_references(index) else { return true };
        let axis = sub(places[bond.end()], places[bond.begin()]);
        let sides = cross(axis, sub(places[a], places[bond.begin()]))
            * cross(axis, sub(places[b], places[bond.end()]));
        if bond.stereo() == BondStereo::Cis { sides > 0.05 } else { sides < -0.05 }
    })
}

/// Whether the ends of double and triple bonds outside rings keep their straight or bent shape.
fn keeps_shape(molecule: &Molecule, stem: usize, change: Change) -> bool {
    let Change::Bend(_) = change else { return true };
    // Triple bonds and cumulenes stay straight.
    !molecule
        .neighbours(stem)
        .iter()
        .any(|n| molecule.bond(n.bond()).kekule_order() == BondOrder::Triple)
}

/// Frees crowded atoms as far as it goes.
pub(crate) fn untangle(molecule: &Molecule, places: &mut Vec<Point>, budget: &mut Budget) {
    if molecule.atom_count() > MOST_ATOMS {
        return;
    }
    let branches = branches(molecule);
    let mut left = MOST_WORK / molecule.atom_count().max(1);
    let mut held = geometry_holds(molecule, places);
    let mut now = energy(molecule, places);
    for _ in 0..ROUNDS {
        // Only a branch with one of the crowded atoms, and without another, can help.
        let crowded = disturbed(molecule, places);
        if crowded.is_empty() {
            return;
        }
        let mut best: Option<(f64, f64, Vec<Point>)> = None;
        for branch in &branches {
            let inside = crowded.iter().filter(|atom| branch.atoms.contains(atom)).count();
            if inside == 0 || inside == crowded.len() {
                continue;
            }
            for change in CHANGES {
                if left == 0 || budget.spend(64).is_err() {
                    return;
                }
                left -= 1;
                if matches!(change, Change::TurnOver)
                    && (!branch.may_turn_over || branch.atoms.len() < 2)
                    || !keeps_shape(molecule, branch.stem, change)
                {
                    continue;
                }
                let new = changed(places, branch, change);
                if held && !geometry_holds(molecule, &new) {
                    continue;
                }
                let bare = energy(molecule, &new);
                let score = bare + change.cost();
                if score < best.as_ref().map_or(now - 0.02, |b| b.0 - 1e-9) {
                    best = Some((score, bare, new));
                }
            }
        }
        let Some((_, bare, new)) = best else { return };
        *places = new;
        now = bare;
        held = geometry_holds(molecule, places);
    }
}

/// Turns branches over so that atoms come to lie where they are wanted, as long as nothing gets
/// crowded.
pub(crate) fn follow(
    molecule: &Molecule,
    places: &mut Vec<Point>,
    wanted: &[(Point, usize)],
    budget: &mut Budget,
) {
    if molecule.atom_count() > MOST_ATOMS {
        return;
    }
    let branches = branches(molecule);
    let mut misfit = crate::layout::fit(places, wanted);
    let start = energy(molecule, places);
    for _ in 0..ROUNDS {
        let mut best: Option<(f64, Vec<Point>)> = None;
        for branch in branches.iter().filter(|b| b.may_turn_over && b.atoms.len() > 1) {
            if budget.spend(64).is_err() {
                return;
            }
            let mut new = changed(places, branch, Change::TurnOver);
            let left = crate::layout::fit(&mut new, wanted);
            if left < best.as_ref().map_or(misfit - 0.02, |b| b.0 - 1e-9)
                && energy(molecule, &new) <= start + 0.05
                && geometry_holds(molecule, &new)
            {
                best = Some((left, new));
            }
        }
        let Some((left, new)) = best else { return };
        misfit = left;
        *places = new;
    }
}
