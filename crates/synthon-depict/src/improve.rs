//! Frees a crowded layout: turns branches over, bends and stretches them.

use synthon_budget::Budget;
use synthon_mol::{Bond, BondOrder, BondStereo, Molecule};

use crate::crowding::{Field, Side, energy};
use crate::geometry::{Point, add, cross, direction, mirror, rotate, sub, times};

/// Rounds of choosing the best change.
const ROUNDS: usize = 24;

/// Above this many atoms a layout stays as it is: a round would take too long.
const MOST_ATOMS: usize = 400;

/// Most changes tried on a layout, times its atoms: about 30 ms of work in the profile of the tests,
/// where ten times as many took 0.3 s.
const MOST_WORK: usize = 2_000_000;

/// A bond outside rings and the atoms on its smaller side.
struct Branch {
    side: Side,
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
    let outside = molecule.bonds().iter().filter(|bond| !bond.in_ring());
    let branch = |bond: &Bond| {
        let end = Side::new(molecule, bond.begin(), bond.end());
        let is_smaller = 2 * end.atoms.len() <= molecule.atom_count();
        Branch {
            side: if is_smaller { end } else { Side::new(molecule, bond.end(), bond.begin()) },
            may_turn_over: bond.stereo() == BondStereo::None || bond.order() != BondOrder::Double,
        }
    };
    outside.map(branch).collect()
}

/// Writes the places after a change into `new`.
fn change_places(places: &[Point], side: &Side, change: Change, new: &mut [Point]) {
    new.copy_from_slice(places);
    let (stem, first) = (places[side.stem], places[side.first]);
    for &atom in &side.atoms {
        let place = &mut new[atom];
        *place = match change {
            Change::TurnOver => mirror(*place, stem, first),
            Change::Bend(degrees) => rotate(*place, stem, degrees.to_radians()),
            Change::Stretch(by) => add(*place, times(direction(stem, first), by)),
        };
    }
}

/// Whether double bonds with a stated geometry are drawn with it.
pub(crate) fn geometry_holds(molecule: &Molecule, places: &[Point]) -> bool {
    (0..molecule.bond_count()).all(|bond| has_its_geometry(molecule, bond, places))
}

/// The same where it held before a side moved: only the double bonds at its bond can have lost
/// theirs.
fn geometry_still_holds(molecule: &Molecule, side: &Side, places: &[Point]) -> bool {
    let ends = [side.stem, side.first];
    let mut bonds = ends.iter().flat_map(|&end| molecule.neighbours(end));
    bonds.all(|n| has_its_geometry(molecule, n.bond(), places))
}

fn has_its_geometry(molecule: &Molecule, index: usize, places: &[Point]) -> bool {
    let bond = molecule.bond(index);
    if bond.stereo() == BondStereo::None {
        return true;
    }
    let Some((a, b)) = molecule.stereo_references(index) else { return true };
    let axis = sub(places[bond.end()], places[bond.begin()]);
    let sides = cross(axis, sub(places[a], places[bond.begin()]))
        * cross(axis, sub(places[b], places[bond.end()]));
    if bond.stereo() == BondStereo::Cis { sides > 0.05 } else { sides < -0.05 }
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
pub(crate) fn untangle(molecule: &Molecule, places: &mut [Point], budget: &mut Budget) {
    if molecule.atom_count() > MOST_ATOMS {
        return;
    }
    let branches = branches(molecule);
    let mut left = MOST_WORK / molecule.atom_count().max(1);
    let mut new = places.to_vec();
    for _ in 0..ROUNDS {
        let field = Field::new(molecule, places);
        // Only a branch with one of the crowded atoms, and without another, can help.
        let crowded = field.disturbed();
        if crowded.is_empty() {
            return;
        }
        let held = geometry_holds(molecule, places);
        let now = field.energy();
        let mut best: Option<(f64, &Side, Change)> = None;
        for Branch { side, may_turn_over } in &branches {
            let inside = crowded.iter().filter(|&&atom| side.holds(atom)).count();
            if inside == 0 || inside == crowded.len() {
                continue;
            }
            let others = now - field.between(side, places, f64::INFINITY);
            for change in CHANGES {
                if left == 0 || budget.spend(64).is_err() {
                    return;
                }
                left -= 1;
                if matches!(change, Change::TurnOver) && (!may_turn_over || side.atoms.len() < 2)
                    || !keeps_shape(molecule, side.stem, change)
                {
                    continue;
                }
                let wanted = best.as_ref().map_or(now - 0.02, |b| b.0 - 1e-9);
                let most = wanted - others - change.cost();
                if most < 0.0 {
                    continue;
                }
                change_places(places, side, change, &mut new);
                if held && !geometry_still_holds(molecule, side, &new) {
                    continue;
                }
                let between = field.between(side, &new, most);
                if between < most {
                    best = Some((others + between + change.cost(), side, change));
                }
            }
        }
        let Some((_, side, change)) = best else { return };
        change_places(places, side, change, &mut new);
        places.copy_from_slice(&new);
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
    let allowed = energy(molecule, places) + 0.05;
    for _ in 0..ROUNDS {
        let field = Field::new(molecule, places);
        let now = field.energy();
        let mut best: Option<(f64, Vec<Point>)> = None;
        for Branch { side, .. } in
            branches.iter().filter(|b| b.may_turn_over && b.side.atoms.len() > 1)
        {
            if budget.spend(64).is_err() {
                return;
            }
            let mut new = places.clone();
            change_places(places, side, Change::TurnOver, &mut new);
            let turned = new.clone();
            let left = crate::layout::fit(&mut new, wanted);
            if left >= best.as_ref().map_or(misfit - 0.02, |b| b.0 - 1e-9)
                || !geometry_still_holds(molecule, side, &turned)
            {
                continue;
            }
            let most = allowed - now + field.between(side, places, f64::INFINITY);
            if field.between(side, &turned, most) <= most {
                best = Some((left, new));
            }
        }
        let Some((left, new)) = best else { return };
        misfit = left;
        *places = new;
    }
}
