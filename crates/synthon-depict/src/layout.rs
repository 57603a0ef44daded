//! Where the atoms go.

use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_mol::{Molecule, MoleculeBuilder};
use synthon_toolkit::{LayoutOptions, coordinates_within};

use crate::crowding::{Crowding, crowding, energy};
use crate::geometry::{Point, Rect, add, angle, cross, distance, dot, length, rotate, sub, times};
use crate::letters::labels;
use crate::{DepictError, DepictErrorKind, improve};

/// Length of a bond in the toolkit's layouts.
const TOOLKIT_BOND: f64 = 1.5;

/// A ring with more atoms than this has many shapes.
const LARGE_RING: usize = 8;

/// A layout with less [`energy`] than this needs no second thought.
const CALM: f64 = 0.1;

/// Room left between the molecules of a dot-separated text, in bond lengths.
const COMPONENT_GAP: f64 = 0.8;

/// Places for the atoms of a molecule: bonds are about 1 long, y points up.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub(crate) places: Vec<Point>,
}

impl Layout {
    /// Lays a molecule out. Where RDKit's way of doing it leaves atoms on top of each other,
    /// branches are turned over, bent and stretched until they are free, as far as that goes.
    ///
    /// # Errors
    /// When the molecule is too large, nothing can be found, or the budget is spent.
    pub fn new(molecule: &Molecule, budget: &mut Budget) -> Result<Layout, DepictError> {
        let mut plain = arranged(molecule, &BTreeMap::new(), false, budget)?;
        let has_large_ring = molecule.rings().iter().any(|ring| ring.len() > LARGE_RING);
        if energy(molecule, &plain.places) < CALM && !has_large_ring {
            return Ok(plain);
        }
        improve::untangle(molecule, &mut plain.places, budget);
        if !may_fit_template(molecule) {
            return Ok(plain);
        }
        let mut templated = arranged(molecule, &BTreeMap::new(), true, budget)?;
        improve::untangle(molecule, &mut templated.places, budget);
        let (own, theirs) = (energy(molecule, &plain.places), energy(molecule, &templated.places));
        Ok(if theirs < own + CALM { templated } else { plain })
    }

    /// Lays a molecule out so that atoms lie as their partners in another layout do: `map` holds
    /// pairs of an atom there and an atom here.
    ///
    /// # Errors
    /// Those of [`Layout::new`].
    pub fn aligned(
        molecule: &Molecule,
        to: &Layout,
        map: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Layout, DepictError> {
        let mut own = Layout::new(molecule, budget)?;
        let pairs: Vec<(Point, usize)> = map
            .iter()
            .filter_map(|&(there, here)| {
                (here < own.places.len()).then_some(())?;
                Some((*to.places.get(there)?, here))
            })
            .collect();
        if pairs.is_empty() {
            return Ok(own);
        }
        let misfit = fit(&mut own.places, &pairs);
        if misfit < 0.2 || pairs.len() < 3 {
            return Ok(own);
        }
        // Branches that point elsewhere may be turned over, if nothing is crowded by it.
        improve::follow(molecule, &mut own.places, &pairs, budget);
        let misfit = fit(&mut own.places, &pairs);
        if misfit < 0.2 {
            return Ok(own);
        }
        // Otherwise the common part is taken over as it is, if the rest can be drawn around it.
        let fixed = pairs.iter().map(|&(place, atom)| (atom, times(place, TOOLKIT_BOND))).collect();
        if let Ok(taken) = arranged(molecule, &fixed, false, budget)
            && is_even(molecule, &taken.places)
        {
            let (ours, theirs) = (energy(molecule, &own.places), energy(molecule, &taken.places));
            if theirs <= ours + 0.05 {
                return Ok(taken);
            }
        }
        Ok(own)
    }

    /// A layout from places that are known, in any unit.
    pub fn from_places(molecule: &Molecule, places: &[Point]) -> Option<Layout> {
        if places.len() != molecule.atom_count()
            || places.iter().flatten().any(|value| !value.is_finite())
        {
            return None;
        }
        let mut lengths: Vec<f64> =
            molecule.bonds().iter().map(|b| distance(places[b.begin()], places[b.end()])).collect();
        lengths.sort_by(f64::total_cmp);
        let unit = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
        if !(1e-6..=1e6).contains(&unit) {
            return None;
        }
        Some(Layout { places: places.iter().map(|p| times(*p, 1.0 / unit)).collect() })
    }

    /// The places, one for each atom.
    pub fn places(&self) -> &[Point] {
        &self.places
    }

    /// What lies too close together.
    pub fn crowding(&self, molecule: &Molecule) -> Crowding {
        crowding(molecule, &self.places)
    }
}

/// Whether one of the toolkit's ring templates may fit. Each of them has a large ring, an atom of
/// three rings, or two rings that share more than a bond; without such a ring the layout with
/// templates is the plain one.
fn may_fit_template(molecule: &Molecule) -> bool {
    let rings = molecule.rings();
    let mut rings_of = vec![0u8; molecule.atom_count()];
    for &atom in rings.iter().flatten() {
        rings_of[atom as usize] = rings_of[atom as usize].saturating_add(1);
    }
    let share_much = |(i, ring): (usize, &[u32])| {
        let shared = |other: &[u32]| ring.iter().filter(|atom| other.contains(atom)).count();
        rings.iter().skip(i + 1).any(|other| shared(other) > 2)
    };
    rings.iter().any(|ring| ring.len() > LARGE_RING)
        || rings_of.iter().any(|&count| count > 2)
        || rings.iter().enumerate().any(share_much)
}

/// Lays out each connected part and puts the parts side by side, in rows when they are many.
/// Parts with fixed atoms stay where those put them.
fn arranged(
    molecule: &Molecule,
    fixed: &BTreeMap<usize, Point>,
    ring_templates: bool,
    budget: &mut Budget,
) -> Result<Layout, DepictError> {
    budget.check().map_err(|_| timed_out())?;
    let (count, component) = molecule.components();
    let mut places = vec![[0.0; 2]; molecule.atom_count()];
    let mut within = |part: &Molecule, atoms: &[usize]| -> Result<(), DepictError> {
        let fixed = atoms.iter().enumerate().filter_map(|(k, a)| Some((k, *fixed.get(a)?)));
        let options = LayoutOptions { fixed: fixed.collect(), ring_templates };
        let found = coordinates_within(part, &options, budget)?.ok_or_else(timed_out)?;
        for (&atom, place) in atoms.iter().zip(found) {
            places[atom] = times(place, 1.0 / TOOLKIT_BOND);
        }
        Ok(())
    };
    let whole = molecule.to_builder();
    let members = members(&component, count);
    match members.iter().map(|atoms| part_of(&whole, atoms)).collect::<Option<Vec<Molecule>>>() {
        Some(parts) => {
            for (part, atoms) in parts.iter().zip(&members).filter(|(_, atoms)| atoms.len() > 1) {
                within(part, atoms)?;
            }
        }
        None => within(molecule, &(0..molecule.atom_count()).collect::<Vec<_>>())?,
    }
    if !fixed.is_empty() {
        return Ok(Layout { places });
    }
    straighten(molecule, &mut places, &component, count);
    if count < 2 {
        return Ok(Layout { places });
    }
    let mut boxes = vec![Rect::nothing(); count];
    let labels = labels(molecule, &places);
    for (atom, &part) in component.iter().enumerate() {
        let room = &mut boxes[part as usize];
        room.include(places[atom]);
        for piece in labels[atom].iter().flat_map(|label| &label.pieces) {
            room.include_rect(&piece.bounds().moved(places[atom]));
        }
    }
    let area: f64 =
        boxes.iter().map(|b| (b.width() + COMPONENT_GAP) * (b.height() + COMPONENT_GAP)).sum();
    let widest = boxes.iter().map(Rect::width).fold(0.0, f64::max);
    let row_width = widest.max((2.0 * area).sqrt()) + 1e-6;
    let mut shifts = vec![[0.0; 2]; count];
    let (mut at, mut row, mut top) = (0.0, Vec::new(), 0.0);
    for (part, bounds) in boxes.iter().enumerate() {
        if at > 0.0 && at + bounds.width() > row_width {
            top = close_row(&mut row, top, &boxes, &mut shifts);
            at = 0.0;
        }
        shifts[part][0] = at - bounds.low[0];
        at += bounds.width() + COMPONENT_GAP;
        row.push(part);
    }
    close_row(&mut row, top, &boxes, &mut shifts);
    for (place, &part) in places.iter_mut().zip(&component) {
        *place = add(*place, shifts[part as usize]);
    }
    Ok(Layout { places })
}

/// The atoms of each part.
fn members(component: &[u32], count: usize) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); count];
    for (atom, &part) in component.iter().enumerate() {
        members[part as usize].push(atom);
    }
    members
}

/// A connected part as a molecule of its own, with its atoms and bonds in the same order; `None`
/// if that is not what building makes of it.
fn part_of(whole: &MoleculeBuilder, atoms: &[usize]) -> Option<Molecule> {
    let mut part = MoleculeBuilder::new();
    for &atom in atoms {
        part.add_atom(whole.atoms()[atom]);
    }
    if atoms.len() > 1 {
        for bond in whole.bonds() {
            let place = |atom: u32| atoms.binary_search(&(atom as usize));
            if let (Ok(begin), Ok(end)) = (place(bond.begin), place(bond.end)) {
                let added = part.add_bond(begin, end, bond.order);
                part.bond_mut(added).stereo = bond.stereo;
            }
        }
    }
    part.build().ok().filter(|part| part.atom_count() == atoms.len())
}

/// Hangs the parts of a row at `top`, on one middle line; returns the top of the next row.
fn close_row(row: &mut Vec<usize>, top: f64, boxes: &[Rect], shifts: &mut [Point]) -> f64 {
    let height = row.iter().map(|&part| boxes[part].height()).fold(0.0, f64::max);
    for part in row.drain(..) {
        shifts[part][1] = top - height / 2.0 - boxes[part].centre()[1];
    }
    top - height - COMPONENT_GAP
}

/// Turns each part by at most 15 degrees, so that most bonds run along multiples of 30 degrees.
fn straighten(molecule: &Molecule, places: &mut [Point], component: &[u32], count: usize) {
    // The mean direction on a circle that goes round once in 30 degrees.
    const ROUND: f64 = 12.0;
    let mut sums = vec![[0.0; 2]; count];
    for bond in molecule.bonds() {
        let way = sub(places[bond.end()], places[bond.begin()]);
        let (sin, cos) = (ROUND * angle(way)).sin_cos();
        let sum = &mut sums[component[bond.begin()] as usize];
        *sum = add(*sum, [cos, sin]);
    }
    for (place, &part) in places.iter_mut().zip(component) {
        let sum = sums[part as usize];
        if length(sum) > 1e-6 {
            *place = rotate(*place, [0.0; 2], -angle(sum) / ROUND);
        }
    }
}

pub(crate) fn timed_out() -> DepictError {
    DepictError::new(DepictErrorKind::TimedOut, "The time for this call ended before the drawing")
}

/// Whether all bonds are about 1 long.
fn is_even(molecule: &Molecule, places: &[Point]) -> bool {
    molecule
        .bonds()
        .iter()
        .all(|bond| (0.75..1.6).contains(&distance(places[bond.begin()], places[bond.end()])))
}

/// Moves, turns and, where that fits better, turns over the layout onto the places that some
/// atoms should have (the least squares of Kabsch, in the plane); returns the root mean square
/// distance left.
pub(crate) fn fit(places: &mut [Point], pairs: &[(Point, usize)]) -> f64 {
    let count = pairs.len() as f64;
    let mean =
        |points: &mut dyn Iterator<Item = Point>| times(points.fold([0.0; 2], add), 1.0 / count);
    let wanted = mean(&mut pairs.iter().map(|p| p.0));
    let own = mean(&mut pairs.iter().map(|p| places[p.1]));
    let turned = |mirrored: bool| {
        let (mut along, mut across, mut spread) = (0.0, 0.0, 0.0);
        for &(place, atom) in pairs {
            let mut from = sub(places[atom], own);
            if mirrored {
                from[1] = -from[1];
            }
            let to = sub(place, wanted);
            along += dot(from, to);
            across += cross(from, to);
            spread += dot(from, from) + dot(to, to);
        }
        let reach = along.hypot(across);
        ((spread - 2.0 * reach).max(0.0), across.atan2(along))
    };
    let (plain, mirrored) = (turned(false), turned(true));
    let over = mirrored.0 < plain.0 - 1e-6;
    let (square, radians) = if over { mirrored } else { plain };
    let (sin, cos) = radians.sin_cos();
    for place in places.iter_mut() {
        let mut d = sub(*place, own);
        if over {
            d[1] = -d[1];
        }
        *place = add(wanted, [cos * d[0] - sin * d[1], sin * d[0] + cos * d[1]]);
    }
    (square / count).sqrt()
}
