//! Handedness and double-bond geometry under an embedding.

use crate::bond_test::{self, BondTest};
use crate::pattern::QueryGraph;
use crate::target::Target;
use synthon_mol::{BondOrder, BondStereo};

/// What a query says about the geometry of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Direction marks on these two bonds, one at each end.
    Marks(u32, u32),
    /// The two outer atoms lie like this; a target without a label does not match.
    Fixed(BondStereo),
}

/// A condition on the geometry of a query bond and one neighbour at each of its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    /// Neighbour of the begin atom, begin atom, end atom, neighbour of the end atom.
    pub(crate) atoms: [u32; 4],
    pub(crate) demand: Demand,
}

/// Finds the bonds whose geometry is fixed by direction marks at both of their ends.
pub(crate) fn geometries_of_marks(graph: &QueryGraph, tests: &[BondTest]) -> Vec<Geometry> {
    let mut found = Vec::new();
    if tests.iter().filter(|t| t.directed).count() < 2 {
        return found;
    }
    for (b, bond) in graph.bonds.iter().enumerate() {
        if !tests[b].may_be_stereogenic() {
            continue;
        }
        let marked = |atom: usize| {
            graph
                .neighbours(atom)
                .iter()
                .filter(move |n| n.bond() != b)
                .filter(|n| tests[n.bond()].directed)
                // No atom with a stated geometry has more neighbours than these.
                .take(4)
                .copied()
        };
        for first in marked(bond.begin()) {
            for second in marked(bond.end()) {
                // Both marks on one and the same neighbour: a three-ring says nothing.
                if first.atom != second.atom {
                    found.push(Geometry {
                        atoms: [first.atom, bond.begin, bond.end, second.atom],
                        demand: Demand::Marks(first.bond, second.bond),
                    });
                }
            }
        }
    }
    found
}

/// Whether the images of two outer atoms lie on one side of the bond between the images of the
/// inner ones; `None` where the target states no geometry.
fn same_side(target: &Target<'_>, bond: usize, atoms: [usize; 4]) -> Option<bool> {
    let molecule = target.molecule;
    let stereo = molecule.bond(bond).stereo();
    let (at_begin, at_end) = molecule.stereo_references(bond)?;
    let (first, second) = if molecule.bond(bond).begin() == atoms[1] {
        (atoms[0], atoms[3])
    } else {
        (atoms[3], atoms[0])
    };
    let turned = (first != at_begin) ^ (second != at_end);
    match stereo {
        BondStereo::None => None,
        BondStereo::Cis => Some(!turned),
        BondStereo::Trans => Some(turned),
    }
}

impl Geometry {
    /// Whether an embedding meets the condition.
    pub(crate) fn holds(
        &self,
        graph: &QueryGraph,
        tests: &[BondTest],
        target: &Target<'_>,
        image: impl Fn(u32) -> usize,
    ) -> bool {
        let atoms = self.atoms.map(&image);
        let Some(bond) = target.molecule.bond_between(atoms[1], atoms[2]) else { return false };
        match (self.demand, target.molecule.bond(bond).order()) {
            (Demand::Fixed(wanted), BondOrder::Double) => {
                same_side(target, bond, atoms) == Some(wanted == BondStereo::Cis)
            }
            // A label must be present, and none can stand on another bond.
            (Demand::Fixed(_), _) => false,
            (Demand::Marks(first, second), BondOrder::Double | BondOrder::Aromatic) => {
                let side = same_side(target, bond, atoms);
                marks_agree(graph, tests, target, &image, self.atoms, [first, second], side)
            }
            (Demand::Marks(..), _) => true,
        }
    }
}

/// Whether two direction marks can be read so that the outer atoms lie as they do.
fn marks_agree(
    graph: &QueryGraph,
    tests: &[BondTest],
    target: &Target<'_>,
    image: &impl Fn(u32) -> usize,
    atoms: [u32; 4],
    marks: [u32; 2],
    same_side: Option<bool>,
) -> bool {
    // Whether the marked bond may have direction 0 (none), 1 (up), 2 (down).
    let allows = |mark: u32, direction: usize| {
        let bond = &graph.bonds[mark as usize];
        let (begin, end) = (image(bond.begin), image(bond.end));
        target.molecule.bond_between(begin, end).is_some_and(|found| {
            let found = target.molecule.bond(found);
            let class = bond_test::class(found, found.order(), found.begin() == begin);
            tests[mark as usize].by_direction[direction] & class.0 != 0
        })
    };
    let Some(same_side) = same_side else { return allows(marks[0], 0) || allows(marks[1], 0) };
    // The outer atom lies above the inner one when the bond points up away from it.
    let above = |mark: u32, inner: u32, up: bool| (graph.bonds[mark as usize].begin == inner) == up;
    [(true, true), (true, false), (false, true), (false, false)].into_iter().any(|(a, b)| {
        let first = above(marks[0], atoms[1], a);
        let second = above(marks[1], atoms[2], b);
        (first == second) == same_side
            && allows(marks[0], if a { 1 } else { 2 })
            && allows(marks[1], if b { 1 } else { 2 })
    })
}

/// The handedness of a target atom as its image sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handedness {
    /// The target states none.
    Unstated,
    /// Stated, but too few ligands are placed to compare.
    Undetermined,
    /// Stated: clockwise (true) or anticlockwise relative to the query atom's neighbours in
    /// their order, the implied ligand last.
    Relative(bool),
}

/// Reads the handedness of the image of a query atom relative to the query atom's neighbours.
pub(crate) fn handedness(
    graph: &QueryGraph,
    atom: usize,
    target: &Target<'_>,
    image: impl Fn(u32) -> usize,
) -> Handedness {
    let centre = image(atom as u32);
    let Some(clockwise) = target.handedness(centre) else { return Handedness::Unstated };
    let ligands = graph.neighbours(atom);
    if ligands.len() < 3 {
        return Handedness::Undetermined;
    }
    let places = target.molecule.neighbours(centre);
    if ligands.len() > 4 || places.len() > 4 {
        return Handedness::Unstated;
    }
    // Where each query ligand stands among the target's ligands; the one that is not in the
    // query takes the place left over.
    let mut order = [usize::MAX; 4];
    let mut sum = 0;
    for (slot, ligand) in order.iter_mut().zip(ligands) {
        let found = image(ligand.atom);
        let Some(place) = places.iter().position(|p| p.atom() == found) else {
            return Handedness::Unstated;
        };
        *slot = place;
        sum += place;
    }
    if ligands.len() == 3 {
        order[3] = 6 - sum;
    }
    let mut odd = false;
    for i in 0..4 {
        for j in i + 1..4 {
            odd ^= order[i] > order[j];
        }
    }
    Handedness::Relative(clockwise ^ odd)
}
