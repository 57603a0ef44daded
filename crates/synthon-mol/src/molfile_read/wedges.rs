//! Stereo centres of a drawing, from wedges.
//!
//! A wedge counts for the atom at its narrow end. It lifts its bond out of the plane and leaves
//! the others in it; the handedness follows from the order of the bonds around the centre. What
//! chemists may not draw by IUPAC's recommendations of 2006 (graphical representation of
//! stereochemical configuration) because it contradicts itself, says nothing here either.

use super::assemble::Incidence;
use super::table::{Drawing, Table};
use crate::{BondOrder, Chirality, Element};

/// Sines below this are those of bonds in one line.
const IN_LINE: f64 = 0.022;
/// The same for two bonds with opposite wedges, which may be less exact.
const OPPOSED: f64 = 0.1;
/// Chord between two bonds that lie on each other.
const TOO_NEAR: f64 = 0.03;
/// Bonds shorter than this part of the longest one have no direction.
const NO_LENGTH: f64 = 0.02;

/// A bond seen from the centre: a unit vector (or none, for an atom on the centre), and 1 for
/// towards the viewer, -1 for away.
#[derive(Clone, Copy, Default)]
struct Ray {
    x: f64,
    y: f64,
    lift: f64,
}

impl Ray {
    fn cross(self, other: Ray) -> f64 {
        self.x * other.y - self.y * other.x
    }

    fn dot(self, other: Ray) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

/// The mark of an atom, relative to its bonds in index order.
pub(super) fn chirality(table: &Table, incidence: &Incidence, atom: usize) -> Chirality {
    let bonds = incidence.of(atom);
    let begins = |b: &u32| table.bonds[*b as usize].begin as usize == atom;
    let drawing = |b: &u32| table.bonds[*b as usize].drawing;
    let lifted = |b: &u32| begins(b) && matches!(drawing(b), Drawing::Wedge | Drawing::Dash);
    if !(3..=4).contains(&bonds.len()) || !bonds.iter().any(lifted) {
        return Chirality::None;
    }
    if bonds.iter().any(|b| begins(b) && drawing(b) == Drawing::Wavy) {
        return Chirality::None;
    }
    let element = table.atoms[atom].element;
    let all_single = bonds.iter().all(|&b| table.bonds[b as usize].order == BondOrder::Single);
    if !all_single && !matches!(element, Element::P | Element::S) {
        return Chirality::None;
    }
    let other =
        |b: &u32| (table.bonds[*b as usize].begin ^ table.bonds[*b as usize].end) as usize ^ atom;
    let plain_hydrogen = |b: &u32| {
        let other = &table.atoms[other(b)];
        other.element == Element::H && other.isotope == 0
    };
    if bonds.len() == 3 && bonds.iter().any(plain_hydrogen) {
        return Chirality::None;
    }
    let centre = table.atoms[atom].position;
    let mut rays = [Ray::default(); 4];
    let mut longest: f64 = 0.0;
    for (ray, bond) in rays.iter_mut().zip(bonds) {
        let end = table.atoms[other(bond)].position;
        let lift = match drawing(bond) {
            Drawing::Wedge if begins(bond) => 1.0,
            Drawing::Dash if begins(bond) => -1.0,
            _ => 0.0,
        };
        *ray = Ray { x: end[0] - centre[0], y: end[1] - centre[1], lift };
        longest = longest.max(ray.x.hypot(ray.y));
    }
    let rays = &mut rays[..bonds.len()];
    for ray in rays.iter_mut() {
        let length = ray.x.hypot(ray.y);
        if length <= NO_LENGTH * longest {
            if ray.lift == 0.0 {
                return Chirality::None;
            }
            (ray.x, ray.y) = (0.0, 0.0);
        } else {
            ray.x /= length;
            ray.y /= length;
        }
    }
    if overlap(rays) || contradict(rays) {
        return Chirality::None;
    }
    let mut lifted = (0..rays.len()).filter(|&i| rays[i].lift != 0.0);
    let signed = lifted.find_map(|i| handedness(rays, i));
    match signed {
        Some(true) => Chirality::Anticlockwise,
        Some(false) => Chirality::Clockwise,
        None => Chirality::None,
    }
}

/// Whether two bonds lie on each other.
fn overlap(rays: &[Ray]) -> bool {
    pairs(rays.len()).any(|(i, k)| {
        let (a, b) = (rays[i], rays[k]);
        a.lift == b.lift && (a.x - b.x).hypot(a.y - b.y) < TOO_NEAR
    })
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (0..i).map(move |k| (i, k)))
}

/// Whether two wedges contradict each other.
fn contradict(rays: &[Ray]) -> bool {
    let opposite = |(i, k): &(usize, usize)| rays[*i].lift * rays[*k].lift < 0.0;
    pairs(rays.len()).filter(opposite).any(|(i, k)| {
        let (a, b) = (rays[i], rays[k]);
        if a.cross(b).abs() < OPPOSED && a.dot(b) < 0.0 {
            // In perspective drawings of sugars the two substituents of a ring atom stand above
            // and below it, both ring bonds on one side.
            let others: Vec<f64> =
                (0..rays.len()).filter(|&j| j != i && j != k).map(|j| a.cross(rays[j])).collect();
            let one_side = others.iter().all(|&c| c > 0.0) || others.iter().all(|&c| c < 0.0);
            return !(rays.len() == 4 && a.dot(b) < -0.999 && one_side);
        }
        // Of three bonds, one up and one down on either side of the third.
        rays.len() == 3 && {
            let third = rays[3 - i - k];
            third.lift == 0.0 && third.cross(a) * third.cross(b) < -1e-4
        }
    })
}

/// Whether the bonds in their order run anticlockwise as the mark means it, from the lift of one
/// of them.
fn handedness(rays: &[Ray], lifted: usize) -> Option<bool> {
    let up = rays[lifted].lift > 0.0;
    let after = |k: usize| rays[(lifted + k) % rays.len()];
    let volume = if rays.len() == 3 {
        let (a, b, c) = (rays[lifted], after(1), after(2));
        if b.cross(c).abs() < IN_LINE {
            // The other two in line: they are meant to point to the other side.
            b.cross(c) - c.cross(a) - a.cross(b)
        } else {
            b.cross(c)
        }
    } else {
        let (b, c, d) = (after(1), after(2), after(3));
        let area = b.cross(c) + c.cross(d) + d.cross(b);
        // Moving the lifted bond to the front is an odd permutation from every other place.
        if lifted % 2 == 1 { -area } else { area }
    };
    (volume.abs() > 1e-6).then_some((volume > 0.0) == up)
}
