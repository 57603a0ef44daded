//! Stereo centres of a conformation, from coordinates in space.

use super::assemble::Incidence;
use super::table::{Drawing, Table};
use crate::stereo::configuration::{FigureKind, mark_of_sites};
use crate::stereo::vector::{Vector, cross, dot, minus, unit};
use crate::{BondOrder, Chirality, Element};

/// Volumes below this, in cubic ångströms, are those of ligands in one plane.
const FLAT: f64 = 0.1;
/// Cosine from which on two ligands stand opposite each other.
const OPPOSITE: f64 = -0.9;
/// Cosine above which two ligands beside an axis stand at a right angle, not at 120 degrees.
const RIGHT_ANGLE: f64 = -0.173_648;

/// The mark of an atom, relative to its bonds in index order.
pub(super) fn chirality(table: &Table, incidence: &Incidence, atom: usize) -> Chirality {
    let bonds = incidence.of(atom);
    if !(3..=6).contains(&bonds.len()) {
        return Chirality::None;
    }
    let bond = |b: u32| &table.bonds[b as usize];
    let wavy = |b: u32| bond(b).begin as usize == atom && bond(b).drawing == Drawing::Wavy;
    if bonds.iter().any(|&b| wavy(b)) {
        return Chirality::None;
    }
    let centre = table.atoms[atom].position;
    let outwards = |b: u32| {
        let other = (bond(b).begin ^ bond(b).end) as usize ^ atom;
        minus(table.atoms[other].position, centre)
    };
    let mut rays = [[0.0; 3]; 6];
    for (ray, &b) in rays.iter_mut().zip(bonds) {
        *ray = outwards(b);
    }
    let rays = &rays[..bonds.len()];
    if table.atoms[atom].element.atomic_number() >= Element::P.atomic_number()
        && let Some(mark) = coordinated(rays)
    {
        return mark;
    }
    // A donor's bond to a metal, and a bond of unknown order, are no ligands of a tetrahedron.
    let counts = |b: u32| match bond(b).order {
        BondOrder::Unspecified => false,
        BondOrder::Dative => bond(b).end as usize == atom,
        _ => true,
    };
    if bonds.len() > 4 || !bonds.iter().all(|&b| counts(b)) {
        return Chirality::None;
    }
    if bonds.len() == 3 && inverts(table, bonds, atom) {
        return Chirality::None;
    }
    let volume = dot(rays[0], cross(rays[1], rays[2]));
    let volume = if volume.abs() <= FLAT && rays.len() == 4 {
        // Three in a plane with the centre; the fourth decides.
        -dot(rays[0], cross(rays[1], rays[3]))
    } else {
        volume
    };
    if volume > FLAT {
        Chirality::Anticlockwise
    } else if volume < -FLAT {
        Chirality::Clockwise
    } else {
        Chirality::None
    }
}

/// Whether an atom with three bonds has a lone pair that makes it no centre: N, P and As, unless a
/// hydrogen is the fourth ligand.
fn inverts(table: &Table, bonds: &[u32], atom: usize) -> bool {
    let this = &table.atoms[atom];
    if !matches!(this.element, Element::N | Element::P | Element::AS) {
        return false;
    }
    let orders = bonds.iter().map(|&b| match table.bonds[b as usize].order {
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        _ => 1,
    });
    let valence = this.valence.unwrap_or(0);
    match (this.charge, orders.sum::<u32>()) {
        (_, used) if valence > used => false,
        (1, 3) => false,
        (0, 4) => this.element == Element::N,
        _ => true,
    }
}

/// The mark of a centre of higher coordination, where the ligands stand like that; missing ones
/// count as the last.
fn coordinated(rays: &[Vector]) -> Option<Chirality> {
    let mut directions = [[0.0; 3]; 6];
    for (direction, &ray) in directions.iter_mut().zip(rays) {
        *direction = unit(ray)?;
    }
    let rays = &directions[..rays.len()];
    let mut opposite = [None; 6];
    let mut axes = Vec::new();
    for i in 0..rays.len() {
        for k in i + 1..rays.len() {
            if dot(rays[i], rays[k]) < OPPOSITE {
                if opposite[i].is_some() || opposite[k].is_some() {
                    return None;
                }
                (opposite[i], opposite[k]) = (Some(k), Some(i));
                axes.push((i, k));
            }
        }
    }
    let (top, bottom) = *axes.first()?;
    let beside: Vec<usize> = (0..rays.len()).filter(|&i| i != top && i != bottom).collect();
    let kind = match (axes.len(), rays.len()) {
        (1, 3) | (2, 4) => FigureKind::SquarePlanar,
        (1, 4) if dot(rays[beside[0]], rays[beside[1]]) > RIGHT_ANGLE => FigureKind::Octahedral,
        (1, 4 | 5) => FigureKind::TrigonalBipyramidal,
        (2, 5) | (3, 6) => FigureKind::Octahedral,
        _ => return None,
    };
    let axis = rays[top];
    // Angle of a ligand around the axis, anticlockwise as seen from its top.
    let zero = rays[beside[0]];
    let side = cross(axis, zero);
    let turn =
        |i: usize| dot(rays[i], side).atan2(dot(rays[i], zero)).rem_euclid(std::f64::consts::TAU);
    let mut around = beside.clone();
    around.sort_by(|&a, &b| turn(a).total_cmp(&turn(b)));
    let mut sites = [None; 6];
    match kind {
        FigureKind::SquarePlanar => {
            // Around the square: top, one beside, bottom, the other.
            sites[top] = Some(0);
            sites[bottom] = Some(2);
            sites[beside[0]] = Some(1);
            if let Some(&other) = beside.get(1) {
                sites[other] = Some(3);
            }
        }
        FigureKind::TrigonalBipyramidal => {
            (sites[top], sites[bottom]) = (Some(0), Some(1));
            for (&i, site) in around.iter().zip(2..) {
                sites[i] = Some(site);
            }
            if let [first, second] = around[..]
                && turn(second) > std::f64::consts::PI
            {
                // The missing ligand lies between them.
                (sites[first], sites[second]) = (Some(2), Some(4));
            }
        }
        FigureKind::Octahedral => {
            (sites[top], sites[bottom]) = (Some(0), Some(1));
            for &i in &around {
                let quarter = (turn(i) / std::f64::consts::FRAC_PI_2).round() as u8 % 4;
                sites[i] = Some(2 + quarter);
            }
        }
    }
    mark_of_sites(kind, &sites[..rays.len()])
}
