//! Geometry of double bonds, from coordinates.

use super::assemble::Incidence;
use super::table::{Drawing, Table};
use super::vector::{Vector, cross, dot, minus};
use crate::{BondOrder, BondStereo};

/// Cosine of the angle from which on a substituent is in line with the double bond.
const IN_LINE: f64 = -0.999_388;

/// The geometry of a double bond, relative to the first other bond (by index) of either end.
pub(super) fn geometry(table: &Table, incidence: &Incidence, index: usize) -> BondStereo {
    let bond = &table.bonds[index];
    if bond.drawing == Drawing::Crossed {
        return BondStereo::None;
    }
    let ends = [bond.begin as usize, bond.end as usize];
    let position = |atom: usize| table.atoms[atom].position;
    let axis = minus(position(ends[1]), position(ends[0]));
    let mut sides = [[0.0; 3]; 2];
    for (end, side) in sides.iter_mut().enumerate() {
        let outwards = if end == 0 { axis } else { axis.map(|x| -x) };
        match substituent(table, incidence, index, ends[end], outwards) {
            Some(vector) => *side = vector,
            None => return BondStereo::None,
        }
    }
    // Both substituents seen along the axis: the parts of them that stand upright on it.
    let (first, second) = (cross(axis, sides[0]), cross(axis, sides[1]));
    if dot(first, second) > 0.0 { BondStereo::Cis } else { BondStereo::Trans }
}

/// The direction from an end of the double bond to its first other neighbour, or the opposite of
/// that to its second one where the first is in line.
fn substituent(
    table: &Table,
    incidence: &Incidence,
    double: usize,
    end: usize,
    axis: Vector,
) -> Option<Vector> {
    let others = incidence.of(end).iter().filter(|&&b| b as usize != double);
    let mut found = None;
    for (rank, &index) in others.enumerate() {
        let bond = &table.bonds[index as usize];
        if !matches!(bond.order, BondOrder::Single | BondOrder::Aromatic) {
            continue;
        }
        if bond.drawing == Drawing::Wavy {
            return None;
        }
        let other = (bond.begin ^ bond.end) as usize ^ end;
        let vector = minus(table.atoms[other].position, table.atoms[end].position);
        if found.is_none() && rank < 2 && !in_line(vector, axis) {
            found = Some(if rank == 0 { vector } else { vector.map(|x| -x) });
        }
    }
    found
}

/// Whether a substituent lies on the far side of the axis, or has no direction.
fn in_line(vector: Vector, axis: Vector) -> bool {
    let lengths = dot(vector, vector) * dot(axis, axis);
    lengths < 1e-6 || dot(vector, axis) < IN_LINE * lengths.sqrt()
}
