//! Geometry of a double bond as coordinates show it.

use super::vector::{Vector, cross, dot};
use crate::BondStereo;

/// Cosine of the angle from which on a substituent is in line with the double bond.
const IN_LINE: f64 = -0.999_388;

/// Directions from an end of a double bond to its one or two other neighbours, the reference
/// first; `None` for those that show nothing.
pub(crate) type Substituents = [Option<Vector>; 2];

/// The geometry that a double bond has by the places of its atoms: `axis` leads from its begin to
/// its end.
pub(crate) fn geometry(axis: Vector, begin: Substituents, end: Substituents) -> BondStereo {
    let back = axis.map(|x| -x);
    let (Some(begin), Some(end)) = (reference(begin, axis), reference(end, back)) else {
        return BondStereo::None;
    };
    // The parts of both that stand upright on the axis.
    if dot(cross(axis, begin), cross(axis, end)) > 0.0 {
        BondStereo::Cis
    } else {
        BondStereo::Trans
    }
}

/// The direction of the reference, or the opposite of the other substituent's where the
/// reference is in line.
fn reference(substituents: Substituents, axis: Vector) -> Option<Vector> {
    let shown = |vector: &Vector| !in_line(*vector, axis);
    let opposite = |vector: Vector| vector.map(|x| -x);
    substituents[0].filter(shown).or_else(|| substituents[1].filter(shown).map(opposite))
}

/// Whether a substituent lies on the far side of the axis, or has no direction.
fn in_line(vector: Vector, axis: Vector) -> bool {
    let lengths = dot(vector, vector) * dot(axis, axis);
    lengths < 1e-6 || dot(vector, axis) < IN_LINE * lengths.sqrt()
}
