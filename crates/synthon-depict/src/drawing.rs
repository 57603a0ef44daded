//! From a molecule and its layout to lines, surfaces and letters, in bond lengths, y up.

use synthon_mol::{BondOrder, Molecule, Wedge};

use crate::Layout;
use crate::geometry::{
    Point, Rect, add, angle, cross, direction, distance, distance_to_segment, dot, left, length,
    sub, times,
};
use crate::letters::{self, Label};
use crate::open_geometry::{is_cumulated, open_double_bonds};
use crate::theme::colour_of;

/// Width of lines.
pub(crate) const LINE: f64 = 0.05;
/// Distance between the lines of a double bond.
const SPACING: f64 = 0.17;
/// Width of the broad end of a wedge.
const WEDGE: f64 = 0.2;
/// Distance between the lines of a hashed wedge.
const HASH: f64 = 0.115;
/// Room between a label and the bonds that end at it.
const MARGIN: f64 = 0.075;

/// Colour of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ink {
    /// That of the lines.
    Line,
    /// A fixed one, `#rrggbb`.
    Fixed(&'static str),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Letters {
    pub text: String,
    pub middle: Point,
    pub size: f64,
    pub ink: Ink,
}

/// What a molecule looks like: shapes to be placed in a [`Scene`](crate::Scene).
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Lines of one width.
    pub(crate) strokes: Vec<Vec<Point>>,
    /// Filled outlines.
    pub(crate) fills: Vec<Vec<Point>>,
    pub(crate) letters: Vec<Letters>,
    /// Middles of highlighted atoms.
    pub(crate) halo_atoms: Vec<Point>,
    /// Highlighted bonds.
    pub(crate) halo_bonds: Vec<(Point, Point)>,
    bounds: Rect,
}

/// What is highlighted and shown beside the structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawOptions {
    /// Atoms with a halo.
    pub highlight_atoms: Vec<usize>,
    /// Bonds with a halo, by index.
    pub highlight_bonds: Vec<usize>,
    /// Leave atom-map numbers out.
    pub hide_atom_maps: bool,
}

/// Draws a molecule.
///
/// Carbon is a corner, hydrogens stand beside their atom, aromatic rings are drawn with single
/// and double bonds. Tetrahedral centres get a wedge each; a double bond that could have either
/// geometry and states none is drawn crossed. Non-tetrahedral centres and allenes are drawn
/// without marks of their configuration.
pub fn draw(molecule: &Molecule, layout: &Layout, options: &DrawOptions) -> Drawing {
    let mut pen = Pen::new(molecule, &layout.places, options);
    pen.bonds();
    pen.ring_hydrogens();
    pen.letters();
    pen.halos(options);
    pen.finish()
}

/// The hydrogen of a stereo centre whose other bonds all lie in rings. A wedge to it says more
/// than one along a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RingHydrogen {
    pub centre: usize,
    pub place: Point,
    /// Towards the reader.
    pub up: bool,
}

/// Length of the bond to such a hydrogen, and size of its letter.
const RING_HYDROGEN_BOND: f64 = 0.68;
const RING_HYDROGEN_SIZE: f64 = 0.4;

/// Where the hydrogen of a centre is drawn instead of the wedge that was chosen; `None` if that
/// one is as good, or there is no room.
fn hydrogen_place(
    molecule: &Molecule,
    places: &[Point],
    wedge: &Wedge,
    others: &[RingHydrogen],
) -> Option<Point> {
    let centre = wedge.centre;
    let neighbours = molecule.neighbours(centre);
    if molecule.atom(centre).hydrogens() != 1
        || neighbours.len() != 3
        || molecule.atom(centre).atomic_number() != 6
        || !neighbours.iter().all(|n| molecule.bond(n.bond()).in_ring())
    {
        return None;
    }
    let from = places[centre];
    let mut angles: Vec<f64> =
        neighbours.iter().map(|n| angle(sub(places[n.atom()], from))).collect();
    angles.sort_by(f64::total_cmp);
    let mut best: Option<(f64, Point)> = None;
    for k in 0..3 {
        let gap = (angles[(k + 1) % 3] - angles[k]).rem_euclid(std::f64::consts::TAU);
        let (sin, cos) = (angles[k] + gap / 2.0).sin_cos();
        let place = add(from, times([cos, sin], RING_HYDROGEN_BOND));
        let mut room = 2.0_f64;
        for (index, bond) in molecule.bonds().iter().enumerate() {
            let own = neighbours.iter().any(|n| n.bond() == index);
            let apart = distance_to_segment(place, places[bond.begin()], places[bond.end()]);
            room = room.min(if own { apart + 0.2 } else { apart });
        }
        for (atom, &other) in places.iter().enumerate().filter(|(atom, _)| *atom != centre) {
            let is_corner = molecule.atom(atom).atomic_number() == 6;
            room = room.min(distance(place, other) - if is_corner { 0.0 } else { 0.2 });
        }
        for other in others {
            room = room.min(distance(place, other.place) - 0.1);
        }
        if best.is_none_or(|(most, _)| room > most + 0.02) {
            best = Some((room, place));
        }
    }
    best.filter(|(room, _)| *room > 0.36).map(|(_, place)| place)
}

struct Pen<'a> {
    molecule: &'a Molecule,
    places: &'a [Point],
    labels: Vec<Option<Label>>,
    hydrogens: Vec<RingHydrogen>,
    /// Map numbers are shown.
    maps: bool,
    drawing: Drawing,
}

impl<'a> Pen<'a> {
    fn new(molecule: &'a Molecule, places: &'a [Point], options: &DrawOptions) -> Self {
        Pen {
            molecule,
            places,
            labels: letters::labels(molecule, places),
            hydrogens: Vec::new(),
            maps: !options.hide_atom_maps,
            drawing: Drawing {
                strokes: Vec::new(),
                fills: Vec::new(),
                letters: Vec::new(),
                halo_atoms: Vec::new(),
                halo_bonds: Vec::new(),
                bounds: Rect::nothing(),
            },
        }
    }

    fn bonds(&mut self) {
        let mut wedges = vec![None; self.molecule.bond_count()];
        for wedge in self.molecule.wedges(self.places).wedges {
            match hydrogen_place(self.molecule, self.places, &wedge, &self.hydrogens) {
                Some(place) => {
                    let up = !wedge.towards_viewer;
                    self.hydrogens.push(RingHydrogen { centre: wedge.centre, place, up });
                }
                None => wedges[wedge.bond] = Some(wedge),
            }
        }
        let open = open_double_bonds(self.molecule);
        for (index, wedge) in wedges.into_iter().enumerate() {
            let bond = self.molecule.bond(index);
            let (begin, end) = (bond.begin(), bond.end());
            if let Some(wedge) = wedge {
                self.wedge(wedge);
                continue;
            }
            match bond.kekule_order() {
                BondOrder::Single => self.line(begin, end, 0.0),
                BondOrder::Double if open.binary_search(&index).is_ok() => self.crossed(begin, end),
                BondOrder::Double => self.double(index),
                BondOrder::Triple => {
                    for k in [-1.0, 0.0, 1.0] {
                        self.line(begin, end, k * SPACING * 0.9);
                    }
                }
                BondOrder::Quadruple => {
                    for k in [-1.5, -0.5, 0.5, 1.5] {
                        self.line(begin, end, k * SPACING * 0.8);
                    }
                }
                BondOrder::Dative => self.dative(begin, end),
                BondOrder::Aromatic | BondOrder::Unspecified => self.dashed(begin, end),
            }
        }
    }

    /// Cuts the way from `a` towards `b` back to where it leaves the label of `atom`.
    fn leave(&self, atom: usize, a: Point, b: Point) -> Point {
        let Some(label) = &self.labels[atom] else { return a };
        let mut out = 0.0_f64;
        // Pieces stand side by side: what is left may lead straight into the next.
        for _ in 0..2 {
            for piece in &label.pieces {
                let bounds = piece.bounds().moved(self.places[atom]).grown(MARGIN);
                if let Some((enter, exit)) = bounds.span_of(a, b)
                    && enter <= out + 0.12
                {
                    out = out.max(exit);
                }
            }
        }
        add(a, times(sub(b, a), out.min(0.85)))
    }

    /// The part of a bond between the labels of its ends, moved to the left by `offset`.
    fn clipped(&self, begin: usize, end: usize, offset: f64) -> (Point, Point) {
        let (a, b) = (self.places[begin], self.places[end]);
        let shift = times(left(direction(a, b)), offset);
        let (a, b) = (add(a, shift), add(b, shift));
        (self.leave(begin, a, b), self.leave(end, b, a))
    }

    fn stroke(&mut self, points: Vec<Point>) {
        self.drawing.strokes.push(points);
    }

    fn line(&mut self, begin: usize, end: usize, offset: f64) {
        let (a, b) = self.clipped(begin, end, offset);
        self.stroke(vec![a, b]);
    }

    fn double(&mut self, index: usize) {
        let bond = self.molecule.bond(index);
        let (begin, end) = (bond.begin(), bond.end());
        let Some(side) = self.inner_side(index) else {
            for k in [-0.5, 0.5] {
                self.line(begin, end, k * SPACING);
            }
            return;
        };
        self.line(begin, end, 0.0);
        // The second line is shorter where another bond leaves on its side.
        let (a, b) = (self.places[begin], self.places[end]);
        let axis = direction(a, b);
        let normal = times(left(axis), side);
        let cut = |at: usize, other: usize, along: Point| {
            let mut cut = 0.0_f64;
            for n in self.molecule.neighbours(at).iter().filter(|n| n.atom() != other) {
                let out = direction(self.places[at], self.places[n.atom()]);
                let (up, forth) = (dot(out, normal), dot(out, along));
                if up > 0.1 {
                    // Half the angle between the two bonds.
                    let half = up.atan2(forth) / 2.0;
                    cut = cut.max(SPACING / half.tan());
                }
            }
            cut.min(0.35)
        };
        let (from, to) = (cut(begin, end, axis), cut(end, begin, times(axis, -1.0)));
        let shift = times(normal, SPACING);
        let a2 = add(add(a, shift), times(axis, from));
        let b2 = add(add(b, shift), times(axis, -to));
        let (a3, b3) = (self.leave(begin, a2, b2), self.leave(end, b2, a2));
        self.stroke(vec![a3, b3]);
    }

    /// On which side of a double bond its second line runs (1: left of begin to end, -1: right);
    /// `None`: the two lines lie on both sides of the axis.
    fn inner_side(&self, index: usize) -> Option<f64> {
        let bond = self.molecule.bond(index);
        let (begin, end) = (bond.begin(), bond.end());
        let (a, b) = (self.places[begin], self.places[end]);
        let axis = sub(b, a);
        if bond.in_ring()
            && let Some(ring) = self.ring_to_draw_in(index)
        {
            let middle = times(
                ring.iter().fold([0.0; 2], |sum, &atom| add(sum, self.places[atom as usize])),
                1.0 / ring.len() as f64,
            );
            return Some(if cross(axis, sub(middle, a)) >= 0.0 { 1.0 } else { -1.0 });
        }
        let degrees = (self.molecule.degree(begin), self.molecule.degree(end));
        let terminal = |atom: usize, degree: usize, other: usize| {
            degree == 1 && (self.labels[atom].is_some() || other > 2)
        };
        if is_cumulated(self.molecule, index)
            || terminal(begin, degrees.0, degrees.1)
            || terminal(end, degrees.1, degrees.0)
            || (degrees.0 > 2 && degrees.1 > 2)
            || degrees == (1, 1)
        {
            return None;
        }
        // On the side with more neighbours.
        let mut lean = 0.0;
        for (at, other) in [(begin, end), (end, begin)] {
            for n in self.molecule.neighbours(at).iter().filter(|n| n.atom() != other) {
                let side = cross(axis, sub(self.places[n.atom()], a));
                lean += side.signum() + if at == begin { 0.01 * side.signum() } else { 0.0 };
            }
        }
        Some(if lean >= 0.0 { 1.0 } else { -1.0 })
    }

    /// The ring in which a double bond's second line is drawn: aromatic and small ones first.
    fn ring_to_draw_in(&self, index: usize) -> Option<&'a [u32]> {
        let rings = self.molecule.rings();
        let molecule = self.molecule;
        (0..rings.len())
            .filter(|&ring| rings.bonds(ring).contains(&(index as u32)))
            .min_by_key(|&ring| {
                let bonds = rings.bonds(ring);
                let is_aromatic = bonds.iter().all(|&b| molecule.bond(b as usize).is_aromatic());
                let doubles = bonds
                    .iter()
                    .filter(|&&b| molecule.bond(b as usize).kekule_order() == BondOrder::Double)
                    .count();
                let unusual = bonds.len().abs_diff(6);
                (!is_aromatic, bonds.len() > 8, usize::MAX - doubles, unusual, ring)
            })
            .map(|ring| rings.atoms(ring))
    }

    fn crossed(&mut self, begin: usize, end: usize) {
        let (a, b) = self.clipped(begin, end, 0.0);
        let shift = times(left(direction(a, b)), SPACING * 0.6);
        self.stroke(vec![add(a, shift), sub(b, shift)]);
        self.stroke(vec![sub(a, shift), add(b, shift)]);
    }

    fn dashed(&mut self, begin: usize, end: usize) {
        let (a, b) = self.clipped(begin, end, 0.0);
        let count = ((distance(a, b) / 0.16).round() as usize).max(2);
        for k in 0..count {
            let at = |t: f64| add(a, times(sub(b, a), t / count as f64));
            self.stroke(vec![at(k as f64 + 0.2), at(k as f64 + 0.75)]);
        }
    }

    fn dative(&mut self, begin: usize, end: usize) {
        let (a, b) = self.clipped(begin, end, 0.0);
        let axis = direction(a, b);
        let neck = sub(b, times(axis, 0.22));
        self.stroke(vec![a, neck]);
        let across = times(left(axis), 0.1);
        self.fill(vec![b, add(neck, across), sub(neck, across)]);
    }

    fn fill(&mut self, points: Vec<Point>) {
        self.drawing.fills.push(points);
    }

    fn wedge(&mut self, wedge: Wedge) {
        let to = self.molecule.bond(wedge.bond).other(wedge.centre);
        let (a, b) = self.clipped(wedge.centre, to, 0.0);
        self.wedge_between(a, b, wedge.towards_viewer);
    }

    fn wedge_between(&mut self, a: Point, b: Point, up: bool) {
        let axis = direction(a, b);
        let across = left(axis);
        if up {
            let (tip, base) = (times(across, LINE / 2.0), times(across, WEDGE / 2.0));
            self.fill(vec![add(a, tip), add(b, base), sub(b, base), sub(a, tip)]);
            return;
        }
        let whole = distance(a, b);
        let count = ((whole / HASH).round() as usize).max(3);
        for k in 0..count {
            let t = (k as f64 + 0.5) / count as f64;
            let middle = add(a, times(axis, whole * t));
            let half = times(across, (LINE + (WEDGE + 0.03 - LINE) * t) / 2.0);
            self.stroke(vec![add(middle, half), sub(middle, half)]);
        }
    }

    /// Hydrogens that are drawn to show the handedness of their centre.
    fn ring_hydrogens(&mut self) {
        for RingHydrogen { centre, place, up } in self.hydrogens.clone() {
            let from = self.places[centre];
            let back = letters::CAPITALS * RING_HYDROGEN_SIZE / 2.0 + 0.06;
            self.wedge_between(from, sub(place, times(direction(from, place), back)), up);
            self.drawing.letters.push(Letters {
                text: "H".into(),
                middle: place,
                size: RING_HYDROGEN_SIZE,
                ink: Ink::Line,
            });
        }
    }

    fn letters(&mut self) {
        for (atom, label) in self.labels.iter().enumerate() {
            let ink = colour_of(self.molecule.atom(atom).element()).map_or(Ink::Line, Ink::Fixed);
            let place = self.places[atom];
            for piece in label.iter().flat_map(|label| &label.pieces) {
                self.drawing.letters.push(Letters {
                    text: piece.text.clone(),
                    middle: add(place, piece.middle),
                    size: piece.size,
                    ink,
                });
            }
            let note = self
                .maps
                .then(|| {
                    let lines = &self.drawing.strokes;
                    letters::note(self.molecule, self.places, atom, label.as_ref(), lines)
                })
                .flatten();
            if let Some(note) = note {
                self.drawing.letters.push(Letters {
                    text: note.text,
                    middle: add(place, note.middle),
                    size: note.size,
                    ink: Ink::Line,
                });
            }
        }
    }

    fn halos(&mut self, options: &DrawOptions) {
        let atoms = options.highlight_atoms.iter().filter(|&&a| a < self.places.len());
        self.drawing.halo_atoms = atoms.map(|&atom| self.places[atom]).collect();
        for &bond in options.highlight_bonds.iter().filter(|&&b| b < self.molecule.bond_count()) {
            let bond = self.molecule.bond(bond);
            self.drawing.halo_bonds.push((self.places[bond.begin()], self.places[bond.end()]));
        }
    }

    fn finish(mut self) -> Drawing {
        let mut bounds = Rect::nothing();
        for &place in self.places {
            bounds.include(place);
        }
        let drawing = &self.drawing;
        for line in drawing.strokes.iter().chain(&drawing.fills) {
            for &point in line {
                debug_assert!(length(point).is_finite());
                bounds.include(point);
            }
        }
        for letters in &drawing.letters {
            let wide = letters::width(&letters.text) * letters.size;
            bounds
                .include_rect(&Rect::around(letters.middle, wide, letters.size * 0.8).grown(0.03));
        }
        for &atom in &drawing.halo_atoms {
            bounds.include_rect(&Rect::around(atom, HALO_ATOM, HALO_ATOM));
        }
        if bounds.is_nothing() {
            bounds = Rect::new([0.0; 2], 0.0, 0.0);
        }
        self.drawing.bounds = bounds;
        self.drawing
    }
}

/// Diameter of the halo of an atom.
pub(crate) const HALO_ATOM: f64 = 0.68;
/// Width of the halo of a bond.
pub(crate) const HALO_BOND: f64 = 0.36;

impl Drawing {
    /// The room that it needs, in bond lengths.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }
}
