//! Geometry of double bonds, from coordinates.

use super::assemble::Incidence;
use super::table::{Drawing, Table};
use crate::stereo::shown::{self, Substituents};
use crate::stereo::vector::minus;
use crate::{BondOrder, BondStereo};

/// The geometry of a double bond, relative to the first other bond (by index) of either end.
pub(super) fn geometry(table: &Table, incidence: &Incidence, index: usize) -> BondStereo {
    let bond = &table.bonds[index];
    if bond.drawing == Drawing::Crossed {
        return BondStereo::None;
    }
    let (begin, end) = (bond.begin as usize, bond.end as usize);
    let axis = minus(table.atoms[end].position, table.atoms[begin].position);
    match (substituents(table, incidence, index, begin), substituents(table, incidence, index, end))
    {
        (Some(at_begin), Some(at_end)) => shown::geometry(axis, at_begin, at_end),
        _ => BondStereo::None,
    }
}

/// The directions at an end; `None` where a wavy bond leaves the geometry open.
fn substituents(
    table: &Table,
    incidence: &Incidence,
    double: usize,
    end: usize,
) -> Option<Substituents> {
    let mut found = [None; 2];
    let others = incidence.of(end).iter().filter(|&&b| b as usize != double);
    for (rank, &index) in others.enumerate() {
        let bond = &table.bonds[index as usize];
        if !matches!(bond.order, BondOrder::Single | BondOrder::Aromatic) {
            continue;
        }
        if bond.drawing == Drawing::Wavy {
            return None;
        }
        if let Some(place) = found.get_mut(rank) {
            let other = (bond.begin ^ bond.end) as usize ^ end;
            *place = Some(minus(table.atoms[other].position, table.atoms[end].position));
        }
    }
    Some(found)
}
