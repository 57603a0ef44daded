//! Stereo centres of a drawing, from the wedges of the bond block.

use super::assemble::Incidence;
use super::table::{Drawing, Table};
use crate::stereo::drawn::{self, Ray};
use crate::{Chirality, Element};

/// The mark of an atom, relative to its bonds in index order.
pub(super) fn chirality(table: &Table, incidence: &Incidence, atom: usize) -> Chirality {
    let bonds = incidence.of(atom);
    let bond = |b: &u32| &table.bonds[*b as usize];
    let begins = |b: &u32| bond(b).begin as usize == atom;
    let lifted = |b: &u32| begins(b) && matches!(bond(b).drawing, Drawing::Wedge | Drawing::Dash);
    if !(3..=4).contains(&bonds.len())
        || !bonds.iter().any(lifted)
        || bonds.iter().any(|b| begins(b) && bond(b).drawing == Drawing::Wavy)
        || !drawn::may_be_drawn(table.atoms[atom].element, bonds.iter().map(|b| bond(b).order))
    {
        return Chirality::None;
    }
    let other = |b: &u32| (bond(b).begin ^ bond(b).end) as usize ^ atom;
    let plain_hydrogen = |b: &u32| {
        let other = &table.atoms[other(b)];
        other.element == Element::H && other.isotope == 0
    };
    if bonds.len() == 3 && bonds.iter().any(plain_hydrogen) {
        // With a lone pair or a second hydrogen it is no centre.
        return Chirality::None;
    }
    let centre = table.atoms[atom].position;
    let mut rays = [Ray::default(); 4];
    for (ray, b) in rays.iter_mut().zip(bonds) {
        let end = table.atoms[other(b)].position;
        let lift = match bond(b).drawing {
            Drawing::Wedge if begins(b) => 1.0,
            Drawing::Dash if begins(b) => -1.0,
            _ => 0.0,
        };
        *ray = Ray { x: end[0] - centre[0], y: end[1] - centre[1], lift };
    }
    drawn::chirality(&mut rays[..bonds.len()])
}
