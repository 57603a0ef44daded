//! Where the atoms go.

use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_toolkit::{LayoutOptions, coordinates};

use crate::crowding::{Crowding, crowding, energy};
use crate::geometry::{Point, Rect, add, cross, distance, dot, sub, times};
use crate::{DepictError, DepictErrorKind, improve};

/// Length of a bond in the toolkit's layouts.
const TOOLKIT_BOND: f64 = 1.5;

/// Room left between the molecules of a dot-separated text, in bond lengths.
const COMPONENT_GAP: f64 = 1.3;

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
        let plain = arranged(molecule, &BTreeMap::new(), false, budget)?;
        let found = crowding(molecule, &plain.places);
        if found.is_free() {
            return Ok(plain);
        }
        let templated = arranged(molecule, &BTreeMap::new(), true, budget)?;
        let mut candidates = vec![plain, templated];
        let mut best: Option<(f64, Layout)> = None;
        for layout in &mut candidates {
            improve::untangle(molecule, &mut layout.places, budget);
            let energy = energy(molecule, &layout.places);
            if best.as_ref().is_none_or(|(least, _)| energy < *least - 1e-6) {
                best = Some((energy, layout.clone()));
            }
        }
        Ok(best.map_or_else(|| candidates.swap_remove(0), |(_, layout)| layout))
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
        if unit < 1e-6 || unit > 1e6 {
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

/// Lays out each connected part and puts the parts side by side, in rows when they are many.
/// Parts with fixed atoms stay where those put them.
fn arranged(
    molecule: &Molecule,
    fixed: &BTreeMap<usize, Point>,
    ring_templates: bool,
    budget: &mut Budget,
) -> Result<Layout, DepictError> {
    budget.check().map_err(|_| timed_out())?;
    let options = LayoutOptions { fixed: fixed.clone(), ring_templates };
    let mut places: Vec<Point> = coordinates(molecule, &options)?
        .into_iter()
        .map(|place| times(place, 1.0 / TOOLKIT_BOND))
        .collect();
    let (count, component) = molecule.components();
    if count < 2 || !fixed.is_empty() {
        return Ok(Layout { places });
    }
    let mut boxes = vec![Rect::nothing(); count];
    for (atom, &part) in component.iter().enumerate() {
        boxes[part as usize].include(places[atom]);
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

/// Hangs the parts of a row at `top`, on one middle line; returns the top of the next row.
fn close_row(row: &mut Vec<usize>, top: f64, boxes: &[Rect], shifts: &mut [Point]) -> f64 {
    let height = row.iter().map(|&part| boxes[part].height()).fold(0.0, f64::max);
    for part in row.drain(..) {
        shifts[part][1] = top - height / 2.0 - boxes[part].centre()[1];
    }
    top - height - COMPONENT_GAP
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
