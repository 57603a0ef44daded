//! How wide text is, and the parts of atom labels.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use synthon_mol::Molecule;

use crate::geometry::{Point, Rect, add, angle, distance, distance_to_segment, sub, times};

/// Height of capital letters, of the height of the font.
pub(crate) const CAPITALS: f64 = 0.711;

/// Size of element symbols, in bond lengths.
pub(crate) const SIZE: f64 = 0.5;
/// Size of indices, charges and mass numbers.
pub(crate) const SMALL: f64 = 0.34;
/// Size of atom-map numbers.
pub(crate) const NOTE: f64 = 0.28;

/// Advance widths of ASCII from the space on, in thousandths of the size (Roboto's, close to those
/// of other sans-serif fonts).
const WIDTHS: [u16; 95] = [
    248, 258, 320, 616, 562, 732, 622, 175, 342, 348, 431, 567, 197, 276, 264, 413, 562, 562, 562,
    562, 562, 562, 562, 562, 562, 562, 242, 211, 508, 549, 523, 473, 898, 652, 623, 651, 656, 568,
    553, 681, 713, 272, 552, 627, 539, 873, 713, 688, 631, 688, 616, 594, 597, 648, 637, 887, 627,
    601, 599, 265, 411, 265, 418, 451, 309, 544, 562, 523, 564, 530, 348, 562, 551, 243, 239, 507,
    243, 877, 552, 570, 562, 568, 339, 516, 327, 551, 484, 751, 496, 473, 496, 338, 244, 338, 680,
];

/// Width of a text at size 1.
pub(crate) fn width(text: &str) -> f64 {
    let of = |c: char| match c {
        ' '..='~' => f64::from(WIDTHS[c as usize - 32]) / 1000.0,
        '•' => 0.34,
        _ => 0.6,
    };
    text.chars().map(of).sum()
}

/// A text with the middle of its capitals at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub text: String,
    /// Middle, from the middle of the atom.
    pub middle: Point,
    pub size: f64,
}

impl Piece {
    pub(crate) fn bounds(&self) -> Rect {
        Rect::around(self.middle, width(&self.text) * self.size, CAPITALS * self.size)
    }
}

/// The label of an atom: pieces around its middle.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Label {
    pub pieces: Vec<Piece>,
}

/// Where the hydrogens of a label stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    East,
    West,
    North,
    South,
}

/// Gap between a symbol and what stands beside it.
const GAP: f64 = 0.025;

/// The labels of all atoms; none for carbon that is a mere corner. Hydrogens stand where they
/// meet no other label and no bond.
pub(crate) fn labels(molecule: &Molecule, places: &[Point]) -> Vec<Option<Label>> {
    let (_, part) = molecule.components();
    let shown: Vec<usize> = (0..places.len()).filter(|&atom| !is_corner(molecule, atom)).collect();
    // Symbols first: all of them are there, wherever hydrogens go.
    let mut taken: Vec<(u32, Rect)> = shown
        .iter()
        .map(|&atom| (part[atom], symbol(molecule, atom).bounds().moved(places[atom])))
        .collect();
    let mut labels = vec![None; places.len()];
    for (k, &atom) in shown.iter().enumerate() {
        let near: Vec<Rect> = taken
            .iter()
            .enumerate()
            .filter(|&(other, (of, _))| other != k && *of == part[atom])
            .map(|(_, (_, bounds))| *bounds)
            .filter(|bounds| bounds.overlaps(&Rect::around(places[atom], 3.0, 3.0)))
            .collect();
        let label = label(molecule, places, atom, &near);
        taken
            .extend(label.pieces[1..].iter().map(|p| (part[atom], p.bounds().moved(places[atom]))));
        labels[atom] = Some(label);
    }
    labels
}

/// Whether an atom is drawn as nothing but the corner of its bonds.
fn is_corner(molecule: &Molecule, atom: usize) -> bool {
    let this = molecule.atom(atom);
    this.atomic_number() == 6
        && this.charge() == 0
        && this.isotope() == 0
        && this.radical_electrons() == 0
        && molecule.degree(atom) > 0
        && !is_straight_cumulene(molecule, atom)
}

fn symbol(molecule: &Molecule, atom: usize) -> Piece {
    let text = molecule.atom(atom).element().symbol().to_string();
    Piece { text, middle: [0.0; 2], size: SIZE }
}

/// The label of an atom beside others that are near.
fn label(molecule: &Molecule, places: &[Point], atom: usize, near: &[Rect]) -> Label {
    let this = molecule.atom(atom);
    let hydrogens = usize::from(this.hydrogens());
    let directions: Vec<f64> = molecule
        .neighbours(atom)
        .iter()
        .map(|n| angle(sub(places[n.atom()], places[atom])))
        .collect();
    let symbol = symbol(molecule, atom);
    let half = width(&symbol.text) * SIZE / 2.0;
    let mut pieces = vec![symbol];
    let (mut right, mut left) = (half, -half);
    if this.isotope() > 0 {
        let text = this.isotope().to_string();
        let wide = width(&text) * SMALL;
        left -= GAP + wide;
        pieces.push(Piece { text, middle: [left + wide / 2.0, 0.36 * SIZE], size: SMALL });
    }
    let mut side = Side::East;
    if hydrogens > 0 {
        let count = if hydrogens > 1 { hydrogens.to_string() } else { String::new() };
        let (wide, count_wide) = (width("H") * SIZE, width(&count) * SMALL);
        let start = |side: Side| -> Point {
            match side {
                Side::East => [right + GAP, 0.0],
                Side::West => [left - GAP - wide - count_wide, 0.0],
                Side::North => [-wide / 2.0, 0.86 * SIZE],
                Side::South => [-wide / 2.0, -0.86 * SIZE],
            }
        };
        let room = |side: Side| {
            let middle = add(start(side), [(wide + count_wide) / 2.0, 0.0]);
            Rect::around(add(places[atom], middle), wide + count_wide, CAPITALS * SIZE)
        };
        side = hydrogen_side(molecule, places, atom, &directions, |side| {
            obstacles(molecule, places, atom, near, &room(side))
        });
        let start = start(side);
        pieces.push(Piece { text: "H".into(), middle: add(start, [wide / 2.0, 0.0]), size: SIZE });
        if hydrogens > 1 {
            let middle = add(start, [wide + count_wide / 2.0, -0.32 * SIZE]);
            pieces.push(Piece { text: count, middle, size: SMALL });
        }
        match side {
            Side::East => right += GAP + wide + count_wide,
            Side::West => left = start[0],
            Side::North | Side::South => {}
        }
    }
    let mut marks = charge_text(this.charge());
    marks.extend(std::iter::repeat_n('•', usize::from(this.radical_electrons()).min(8)));
    if !marks.is_empty() {
        let wide = width(&marks) * SMALL;
        let text = marks;
        // At the upper right, unless a bond is in the way and another corner is free.
        let corners: [(f64, f64); 6] =
            [(1.0, 1.0), (-1.0, 1.0), (0.0, 1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, -1.0)];
        let corner = corners
            .iter()
            .enumerate()
            .filter(|(_, c)| {
                let beside_hydrogens = hydrogens > 0
                    && match side {
                        Side::West => c.0 < 0.0,
                        Side::North => c.1 > 0.0 && c.0 <= 0.0,
                        Side::South => c.1 < 0.0,
                        Side::East => c.0 == 0.0,
                    };
                !(beside_hydrogens || c.0 < 0.0 && this.isotope() > 0)
            })
            .map(|(k, c)| {
                let toward = (c.1 * 0.36 * SIZE).atan2(c.0 * (half + wide / 2.0));
                let toward = if c.0 == 0.0 { c.1.signum() * FRAC_PI_2 } else { toward };
                let nearest = directions.iter().map(|d| turn(*d, toward)).fold(4.0, f64::min);
                (k, c, nearest.min(0.9) - 0.12 * k as f64)
            })
            .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))
            .map_or((1.0, 1.0), |found| *found.1);
        let middle = if corner.0 > 0.0 {
            [right + GAP + wide / 2.0, corner.1 * 0.36 * SIZE]
        } else if corner.0 < 0.0 {
            [left - GAP - wide / 2.0, corner.1 * 0.36 * SIZE]
        } else {
            [0.0, corner.1 * 0.72 * SIZE]
        };
        pieces.push(Piece { text, middle, size: SMALL });
    }
    Label { pieces }
}

/// A carbon with two double bonds in line would not be seen.
fn is_straight_cumulene(molecule: &Molecule, atom: usize) -> bool {
    molecule.degree(atom) == 2
        && molecule
            .neighbours(atom)
            .iter()
            .all(|n| molecule.bond(n.bond()).kekule_order() == synthon_mol::BondOrder::Double)
}

fn charge_text(charge: i8) -> String {
    let sign = if charge > 0 { '+' } else { '−' };
    match charge.unsigned_abs() {
        0 => String::new(),
        1 => sign.to_string(),
        size => format!("{size}{sign}"),
    }
}

/// Angle between two directions, 0 to π.
pub(crate) fn turn(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

/// How many labels, atoms and bonds of others a piece of a label would meet.
fn obstacles(
    molecule: &Molecule,
    places: &[Point],
    atom: usize,
    near: &[Rect],
    room: &Rect,
) -> usize {
    let room = room.grown(0.06);
    let labels = near.iter().filter(|other| other.overlaps(&room)).count();
    let corners = (0..places.len())
        .filter(|&other| other != atom && is_corner(molecule, other))
        .filter(|&other| Rect::around(places[other], 0.0, 0.0).overlaps(&room))
        .count();
    let bonds = molecule
        .bonds()
        .iter()
        .filter(|bond| bond.begin() != atom && bond.end() != atom)
        .filter(|bond| room.span_of(places[bond.begin()], places[bond.end()]).is_some())
        .count();
    labels + corners + bonds
}

fn hydrogen_side(
    molecule: &Molecule,
    places: &[Point],
    atom: usize,
    directions: &[f64],
    obstacles: impl Fn(Side) -> usize,
) -> Side {
    if directions.is_empty() {
        // H2O and HCl, but CH4 and NH3.
        let group = molecule.atom(atom).atomic_number();
        let first = matches!(group, 8 | 9 | 16 | 17 | 34 | 35 | 52 | 53);
        return if first { Side::West } else { Side::East };
    }
    // The nearest bond, and whether something else is where the hydrogens would stand.
    let crowd = |side: Side, toward: f64| {
        let bond = directions.iter().map(|d| (d - toward).cos()).fold(-1.0, f64::max);
        let there = add(places[atom], [0.5 * toward.cos(), 0.5 * toward.sin()]);
        let close = places.iter().enumerate().any(|(k, &p)| k != atom && distance(p, there) < 0.5);
        bond + if close { 1.0 } else { 0.0 } + 1.5 * obstacles(side) as f64
    };
    let upright = if directions.len() == 1 { 1.2 } else { 0.45 };
    let sides = [
        (Side::East, crowd(Side::East, 0.0)),
        (Side::West, crowd(Side::West, PI) + 0.1),
        (Side::South, crowd(Side::South, -FRAC_PI_2) + upright),
        (Side::North, crowd(Side::North, FRAC_PI_2) + upright + 0.02),
    ];
    sides.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(Side::East, |s| s.0)
}

/// Where an atom-map number stands: near its atom, clear of the label and of all lines.
pub(crate) fn note(
    molecule: &Molecule,
    places: &[Point],
    atom: usize,
    label: Option<&Label>,
    lines: &[Vec<Point>],
) -> Option<Piece> {
    let map = molecule.atom(atom).map();
    if map == 0 {
        return None;
    }
    let text = map.to_string();
    let place = places[atom];
    let near: Vec<(Point, Point)> = lines
        .iter()
        .flat_map(|line| line.windows(2).map(|w| (w[0], w[1])))
        .filter(|&(a, b)| distance_to_segment(place, a, b) < 1.2)
        .collect();
    let directions: Vec<f64> = molecule
        .neighbours(atom)
        .iter()
        .map(|n| angle(sub(places[n.atom()], places[atom])))
        .collect();
    let (wide, high) = (width(&text) * NOTE, CAPITALS * NOTE);
    let mut best: Option<(f64, Point)> = None;
    for step in 0..24 {
        // Starting at the upper right.
        let toward = FRAC_PI_4 + f64::from(step) * PI / 12.0;
        let unit = [toward.cos(), toward.sin()];
        let nearest = directions.iter().map(|d| turn(*d, toward)).fold(2.0, f64::min);
        let mut away = 0.08 + wide / 2.0 * unit[0].abs() + high / 2.0 * unit[1].abs();
        let most = away + 0.5;
        while away < most {
            let own = Rect::around(times(unit, away), wide, high).grown(0.05);
            let there = own.moved(place);
            let is_free = !label
                .is_some_and(|label| label.pieces.iter().any(|p| p.bounds().overlaps(&own)))
                && !near.iter().any(|&(a, b)| there.span_of(a, b).is_some());
            if is_free {
                break;
            }
            away += 0.03;
        }
        let score = 0.3 * nearest - away - 0.001 * f64::from(step);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, times(unit, away)));
        }
    }
    Some(Piece { text, middle: best?.1, size: NOTE })
}

#[cfg(test)]
mod tests {
    use synthon_budget::Budget;

    use super::*;
    use crate::Layout;

    #[test]
    fn hydrogens_of_neighbours_do_not_run_together() {
        for smiles in [
            "Nc1ncnc2c1ncn2[C@@H]1O[C@H](COP(=O)(O)OP(=O)(O)OP(=O)(O)O)[C@@H](O)[C@H]1O",
            "OC1C(O)C(O)C(O)C(O)C1O",
            "OP(O)(=O)OP(O)(=O)OP(O)(=O)OP(O)(O)=O",
            "OB(O)c1ccc(B(O)O)cc1",
        ] {
            let molecule = Molecule::from_smiles(smiles).unwrap();
            let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
            let places = layout.places();
            let labels = labels(&molecule, places);
            let pieces: Vec<(usize, Rect)> = (0..places.len())
                .flat_map(|a| labels[a].iter().flat_map(move |l| &l.pieces).map(move |p| (a, p)))
                .map(|(atom, piece)| (atom, piece.bounds().moved(places[atom])))
                .collect();
            assert!(pieces.len() > 6, "{smiles}");
            for (a, first) in &pieces {
                for (b, second) in pieces.iter().filter(|(b, _)| b > a) {
                    assert!(!first.overlaps(second), "{smiles}: labels of {a} and {b}");
                }
            }
        }
    }
}
