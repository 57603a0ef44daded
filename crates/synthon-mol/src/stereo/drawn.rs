//! Handedness of a centre in a drawing, from wedges.
//!
//! A wedge counts for the atom at its narrow end. It lifts its bond out of the plane and leaves
//! the others in it; the handedness follows from the order of the bonds around the centre. What
//! chemists may not draw by IUPAC's recommendations of 2006 (graphical representation of
//! stereochemical configuration) because it contradicts itself, says nothing here either.

use crate::{BondOrder, Chirality, Element};

/// Sines below this are those of bonds in one line.
const IN_LINE: f64 = 0.022;
/// The same for two bonds with opposite wedges, which may be less exact.
const OPPOSED: f64 = 0.1;
/// Chord between two bonds that lie on each other.
const TOO_NEAR: f64 = 0.03;
/// Bonds shorter than this part of the longest one have no direction.
const NO_LENGTH: f64 = 0.02;

/// A bond as it leaves the centre: a vector in the plane, and 1 for towards the viewer, -1 for
/// away.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ray {
    pub x: f64,
    pub y: f64,
    pub lift: f64,
}

impl Ray {
    fn cross(self, other: Ray) -> f64 {
        self.x * other.y - self.y * other.x
    }

    fn dot(self, other: Ray) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

/// Whether wedges at an atom of this element, with bonds of these orders, say anything.
pub(crate) fn may_be_drawn(element: Element, mut orders: impl Iterator<Item = BondOrder>) -> bool {
    matches!(element, Element::P | Element::S | Element::SE)
        || orders.all(|order| order == BondOrder::Single)
}

/// The mark of a centre with these bonds, in their order, an implied ligand last.
pub(crate) fn chirality(rays: &mut [Ray]) -> Chirality {
    if !(3..=4).contains(&rays.len()) || !to_unit_length(rays) || overlap(rays) || contradict(rays)
    {
        return Chirality::None;
    }
    let mut lifted = (0..rays.len()).filter(|&i| rays[i].lift != 0.0);
    match lifted.find_map(|i| handedness(rays, i)) {
        Some(true) => Chirality::Anticlockwise,
        Some(false) => Chirality::Clockwise,
        None => Chirality::None,
    }
}

/// Brings the vectors to length one; false when a bond in the plane has no direction. The other
/// atom of a lifted bond may lie on the centre.
fn to_unit_length(rays: &mut [Ray]) -> bool {
    let longest = rays.iter().map(|r| r.x.hypot(r.y)).fold(0.0, f64::max);
    rays.iter_mut().all(|ray| {
        let length = ray.x.hypot(ray.y);
        if length > NO_LENGTH * longest {
            ray.x /= length;
            ray.y /= length;
            true
        } else {
            (ray.x, ray.y) = (0.0, 0.0);
            ray.lift != 0.0
        }
    })
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
            let others = || (0..rays.len()).filter(|&j| j != i && j != k).map(|j| a.cross(rays[j]));
            let one_side = others().all(|c| c > 0.0) || others().all(|c| c < 0.0);
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
