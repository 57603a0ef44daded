//! A stereo mark seen from another order of the ligands.
//!
//! Marks of higher coordination follow the tables of the OpenSMILES specification. A mark places
//! ligand `k` of a list on a site of the coordination figure; two marks are the same when a
//! rotation of the figure carries one placement into the other.

use std::sync::LazyLock;

use crate::Chirality;

/// Most ligands of a figure: those of the octahedron.
pub(crate) const MAX_LIGANDS: usize = 6;

type Placement = [u8; MAX_LIGANDS];

/// A coordination figure: its marks as placements, and its rotations as permutations of sites.
struct Figure {
    ligands: usize,
    marks: Vec<Placement>,
    rotations: Vec<Placement>,
}

const IDENTITY: Placement = [0, 1, 2, 3, 4, 5];

impl Figure {
    fn new(ligands: usize, marks: Vec<Placement>, generators: &[Placement]) -> Self {
        let mut rotations = vec![IDENTITY];
        let mut next = 0;
        while next < rotations.len() {
            for generator in generators {
                let product = rotations[next].map(|site| generator[site as usize]);
                if !rotations.contains(&product) {
                    rotations.push(product);
                }
            }
            next += 1;
        }
        Figure { ligands, marks, rotations }
    }

    /// Number, from one, of the mark with this placement.
    fn number_of(&self, placement: &Placement) -> u8 {
        let same = |mark: &Placement, rotation: &Placement| {
            (0..self.ligands).all(|k| mark[k] == rotation[placement[k] as usize])
        };
        let found = self
            .marks
            .iter()
            .position(|mark| self.rotations.iter().any(|rotation| same(mark, rotation)));
        found.expect("the marks of a figure cover all placements") as u8 + 1
    }
}

/// Sites 0 to 3 around the square; it has no handedness, so turning it over is a rotation too.
static SQUARE: LazyLock<Figure> = LazyLock::new(|| {
    let marks = vec![[0, 1, 2, 3, 4, 5], [0, 2, 1, 3, 4, 5], [0, 1, 3, 2, 4, 5]];
    Figure::new(4, marks, &[[1, 2, 3, 0, 4, 5], [0, 3, 2, 1, 4, 5]])
});

/// Site 0 above, 1 below, 2 to 4 anticlockwise around as seen from above.
static BIPYRAMID: LazyLock<Figure> = LazyLock::new(|| {
    // Positions of the upper and the lower ligand, and whether the others run anticlockwise.
    const AXES: [(usize, usize, bool); 20] = [
        (0, 4, true),
        (0, 4, false),
        (0, 3, true),
        (0, 3, false),
        (0, 2, true),
        (0, 2, false),
        (0, 1, true),
        (0, 1, false),
        (1, 4, true),
        (1, 3, true),
        (1, 4, false),
        (1, 3, false),
        (1, 2, true),
        (1, 2, false),
        (2, 4, true),
        (2, 3, true),
        (3, 4, true),
        (3, 4, false),
        (2, 3, false),
        (2, 4, false),
    ];
    let place = |&(upper, lower, anticlockwise): &(usize, usize, bool)| {
        let around = if anticlockwise { [2, 3, 4] } else { [2, 4, 3] };
        let mut placement = IDENTITY;
        let mut others = 0;
        for (k, site) in placement.iter_mut().enumerate().take(5) {
            *site = if k == upper {
                0
            } else if k == lower {
                1
            } else {
                others += 1;
                around[others - 1]
            };
        }
        placement
    };
    let marks = AXES.iter().map(place).collect();
    Figure::new(5, marks, &[[0, 1, 3, 4, 2, 5], [1, 0, 2, 4, 3, 5]])
});

/// Site 0 above, 1 below, 2 to 5 anticlockwise around as seen from above.
static OCTAHEDRON: LazyLock<Figure> = LazyLock::new(|| {
    /// The path of the four other ligands: around, across after two, or across at once.
    #[derive(Clone, Copy)]
    enum Path {
        U,
        Z,
        Four,
    }
    use Path::{Four, U, Z};
    // Position of the ligand opposite the first, the path, and whether it runs anticlockwise.
    const PATHS: [(usize, Path, bool); 30] = [
        (5, U, true),
        (5, U, false),
        (4, U, true),
        (5, Z, true),
        (4, Z, true),
        (3, U, true),
        (3, Z, true),
        (5, Four, false),
        (4, Four, false),
        (5, Four, true),
        (4, Four, true),
        (3, Four, false),
        (3, Four, true),
        (5, Z, false),
        (4, Z, false),
        (4, U, false),
        (3, Z, false),
        (3, U, false),
        (2, U, true),
        (2, Z, true),
        (2, Four, false),
        (2, Four, true),
        (2, Z, false),
        (2, U, false),
        (1, U, true),
        (1, Z, true),
        (1, Four, false),
        (1, Four, true),
        (1, Z, false),
        (1, U, false),
    ];
    let place = |&(opposite, path, anticlockwise): &(usize, Path, bool)| {
        let around = match (path, anticlockwise) {
            (U, true) => [2, 3, 4, 5],
            (U, false) => [2, 5, 4, 3],
            (Z, true) => [2, 3, 5, 4],
            (Z, false) => [2, 5, 3, 4],
            (Four, true) => [2, 4, 5, 3],
            (Four, false) => [2, 4, 3, 5],
        };
        let mut placement = IDENTITY;
        let mut others = 0;
        for (k, site) in placement.iter_mut().enumerate().skip(1) {
            *site = if k == opposite {
                1
            } else {
                others += 1;
                around[others - 1]
            };
        }
        placement
    };
    let marks = PATHS.iter().map(place).collect();
    Figure::new(6, marks, &[[0, 1, 3, 4, 5, 2], [2, 4, 1, 3, 0, 5]])
});

/// Whether a permutation is odd.
pub(crate) fn is_odd(permutation: &[u8]) -> bool {
    let mut inversions = 0;
    for (i, a) in permutation.iter().enumerate() {
        inversions += permutation[i + 1..].iter().filter(|b| *b < a).count();
    }
    inversions % 2 == 1
}

/// The mark seen from another order of the ligands, in which ligand `order[k]` of the old list
/// comes at place `k`. Ligands that the figure has beyond those in `order` follow them in both
/// lists. Allene marks count their four outer ligands.
pub(crate) fn reordered(mark: Chirality, order: &[u8]) -> Chirality {
    let (figure, number, make): (&Figure, u8, fn(u8) -> Chirality) = match mark {
        Chirality::None => return mark,
        Chirality::Anticlockwise | Chirality::Clockwise => {
            return if is_odd(order) { mark.inverted() } else { mark };
        }
        Chirality::Allene(number) => {
            return if is_odd(order) { Chirality::Allene(3 - number) } else { mark };
        }
        Chirality::SquarePlanar(number) => (&SQUARE, number, Chirality::SquarePlanar),
        Chirality::TrigonalBipyramidal(number) => {
            (&BIPYRAMID, number, Chirality::TrigonalBipyramidal)
        }
        Chirality::Octahedral(number) => (&OCTAHEDRON, number, Chirality::Octahedral),
    };
    let Some(placement) = figure.marks.get((number as usize).wrapping_sub(1)) else {
        return mark;
    };
    if order.len() > figure.ligands {
        return mark;
    }
    let mut seen = *placement;
    for (place, &old) in seen.iter_mut().zip(order) {
        *place = placement[old as usize];
    }
    make(figure.number_of(&seen))
}

/// A coordination figure with more ligands than a tetrahedron, or flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureKind {
    /// Sites 0 to 3 around the square.
    SquarePlanar,
    /// Site 0 above, 1 below, 2 to 4 anticlockwise around as seen from above.
    TrigonalBipyramidal,
    /// Site 0 above, 1 below, 2 to 5 anticlockwise around as seen from above.
    Octahedral,
}

/// The mark of ligands that stand on these sites of a figure, given by ligand. Sites that are left
/// free are those of implied ligands, which follow in the order of the sites. `None` when two
/// ligands share a site.
pub(crate) fn mark_of_sites(kind: FigureKind, sites: &[Option<u8>]) -> Option<Chirality> {
    let (figure, make): (&Figure, fn(u8) -> Chirality) = match kind {
        FigureKind::SquarePlanar => (&SQUARE, Chirality::SquarePlanar),
        FigureKind::TrigonalBipyramidal => (&BIPYRAMID, Chirality::TrigonalBipyramidal),
        FigureKind::Octahedral => (&OCTAHEDRON, Chirality::Octahedral),
    };
    let mut placement = IDENTITY;
    let mut taken = [false; MAX_LIGANDS];
    for (place, site) in placement.iter_mut().zip(sites) {
        let site = site.filter(|&s| usize::from(s) < figure.ligands)?;
        if std::mem::replace(&mut taken[usize::from(site)], true) {
            return None;
        }
        *place = site;
    }
    let free = (0..figure.ligands as u8).filter(|&s| !taken[usize::from(s)]);
    for (place, site) in placement[sites.len()..].iter_mut().zip(free) {
        *place = site;
    }
    Some(make(figure.number_of(&placement)))
}

/// Most ligands that the figure of a mark has.
pub(crate) fn ligand_count(mark: Chirality) -> usize {
    match mark {
        Chirality::None => 0,
        Chirality::Anticlockwise
        | Chirality::Clockwise
        | Chirality::Allene(_)
        | Chirality::SquarePlanar(_) => 4,
        Chirality::TrigonalBipyramidal(_) => 5,
        Chirality::Octahedral(_) => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_has_exactly_one_mark() {
        for (figure, placements) in [(&*SQUARE, 24), (&*BIPYRAMID, 120), (&*OCTAHEDRON, 720)] {
            assert_eq!(figure.rotations.len() * figure.marks.len(), placements);
            for (i, mark) in figure.marks.iter().enumerate() {
                assert_eq!(figure.number_of(mark) as usize, i + 1);
            }
        }
    }

    #[test]
    fn tetrahedral_marks_follow_parity() {
        assert_eq!(reordered(Chirality::Clockwise, &[0, 1, 2, 3]), Chirality::Clockwise);
        assert_eq!(reordered(Chirality::Clockwise, &[1, 0, 2, 3]), Chirality::Anticlockwise);
        assert_eq!(reordered(Chirality::Clockwise, &[1, 2, 0, 3]), Chirality::Clockwise);
    }

    #[test]
    fn reordering_composes() {
        let (p, q) = ([2u8, 0, 1, 5, 4, 3], [1u8, 3, 5, 0, 2, 4]);
        let both = q.map(|k| p[k as usize]);
        for number in 1..=30 {
            let mark = Chirality::Octahedral(number);
            assert_eq!(reordered(reordered(mark, &p), &q), reordered(mark, &both));
        }
        for number in 1..=20 {
            let mark = Chirality::TrigonalBipyramidal(number);
            let (p, q) = ([2u8, 0, 1, 4, 3], [1u8, 3, 0, 2, 4]);
            let both = q.map(|k| p[k as usize]);
            assert_eq!(reordered(reordered(mark, &p), &q), reordered(mark, &both));
        }
    }

    /// Marks with permuted ligands, as RDKit reads them.
    #[test]
    fn higher_coordination_marks_mean_what_rdkit_reads() {
        let table = include_str!("../../../../testdata/molecule/higher_coordination.tsv");
        let mut seen = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |i: usize| fields[i].parse::<u8>().unwrap();
            let make = match fields[0] {
                "SP" => Chirality::SquarePlanar,
                "TB" => Chirality::TrigonalBipyramidal,
                _ => Chirality::Octahedral,
            };
            // `order` lists the ligands as written; the mark is asked for in their own order.
            let order: Vec<u8> = fields[2].split(',').map(|k| k.parse().unwrap()).collect();
            let mut back = vec![0; order.len()];
            for (place, &ligand) in order.iter().enumerate() {
                back[ligand as usize] = place as u8;
            }
            assert_eq!(reordered(make(number(1)), &back), make(number(3)), "{line}");
            seen += 1;
        }
        assert!(seen >= 50);
    }
}
