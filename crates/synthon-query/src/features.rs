//! A fingerprint for screening: what a pattern asks for is a subset of what its targets have.
//!
//! Features are single atoms and bonds with how often they occur, unbranched paths of up to five
//! bonds, an atom with three neighbours, and rings of up to six atoms. Each is noted twice: with
//! the kind of every atom (element, aromatic or not) and the order of every bond, aromatic
//! bonds counted as single ones because a SMARTS bond that is not written is either; and with
//! the elements alone. Further features are the properties of an atom (charge, degree, ring
//! size and so on), and its hydrogens together with a neighbour. A pattern notes a feature only
//! where its expressions leave no choice.

use crate::atom_word::{ALIPHATIC_ELEMENTS, ELEMENTS, FIELD_MASKS, HYDROGENS};
use crate::pattern::Pattern;
use crate::target::TargetProfile;

/// Bits of a [`Features`] fingerprint.
pub const FEATURE_BITS: usize = 2_048;
/// Name of the fingerprint; it changes whenever a molecule's bits may change.
pub const FEATURES_VERSION: &str = "synthon-features-2";

const WORDS: usize = FEATURE_BITS / 64;
/// Most bonds of a path.
const PATH: usize = 5;
/// Most steps along paths in one molecule. Beyond, a target counts as having everything, and a
/// pattern asks for no more.
const MOST_STEPS: u32 = 1 << 18;
/// How many of the same atom or bond are told apart.
const COUNTS: [u32; 10] = [2, 3, 4, 6, 8, 10, 12, 16, 20, 28];

/// What a molecule has, or what a pattern asks for, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features(Box<[u64; WORDS]>);

impl Features {
    /// The features of a molecule.
    pub fn of_target(target: &TargetProfile) -> Self {
        Draft::of(&target.labelled()).unwrap_or_else(|| Features(Box::new([u64::MAX; WORDS])))
    }

    /// The features that every molecule has which the pattern matches. Recursive parts and
    /// choices ask for nothing.
    pub fn of_pattern(pattern: &Pattern) -> Self {
        let mut draft = Draft::default();
        // What was noted before the limit was met holds all the same.
        let _ = draft.note_all(&pattern.labelled());
        draft.features
    }

    /// Whether a target with the features `of_target` has all of these. `false` proves that the
    /// pattern does not match.
    pub fn allow(&self, of_target: &Features) -> bool {
        self.0.iter().zip(of_target.0.iter()).all(|(asked, there)| asked & !there == 0)
    }

    /// The bits, packed: bit `i` is bit `i % 64` of word `i / 64`.
    pub fn words(&self) -> &[u64] {
        &self.0[..]
    }
}

/// A graph whose atoms and bonds are labelled as far as that is certain.
struct Labelled {
    atoms: Vec<AtomLabel>,
    offsets: Vec<u32>,
    neighbours: Vec<Step>,
}

/// What is certain of an atom.
#[derive(Clone, Copy)]
struct AtomLabel {
    /// Element, aromatic or not.
    kind: Option<u8>,
    element: Option<u8>,
    /// The bits of the atom's word that it may have; of a target, those that it has.
    allowed: u128,
}

#[derive(Clone, Copy)]
struct Step {
    atom: u32,
    order: Option<u8>,
}

impl AtomLabel {
    /// Out of the bits that the word of the atom may have.
    fn new(allowed: u128) -> Self {
        let buckets = (allowed & ELEMENTS) as u32;
        let aliphatic = ALIPHATIC_ELEMENTS as u32;
        // The element of each bucket, named by its aliphatic bucket.
        const OF_AROMATIC: [u8; 9] = [2, 3, 4, 5, 7, 8, 9, 11, 14];
        let mut elements = buckets & aliphatic;
        let first_aromatic = aliphatic.count_ones();
        for (place, &element) in OF_AROMATIC.iter().enumerate() {
            elements |= (buckets >> (first_aromatic as usize + place) & 1) << element;
        }
        let only = |set: u32| set.is_power_of_two().then(|| set.trailing_zeros() as u8);
        AtomLabel { kind: only(buckets), element: only(elements), allowed }
    }
}

impl AtomLabel {
    /// The place in the word of a property that is certain.
    fn property(&self, field: u128) -> Option<u8> {
        let allowed = self.allowed & field;
        allowed.is_power_of_two().then(|| allowed.trailing_zeros() as u8)
    }
}

/// The order that all of a set of bond kinds have: single or aromatic, double, triple, another.
fn order(kinds: u16) -> Option<u8> {
    const SETS: [u16; 4] =
        [0b11 | 0b11 << 8, 0b11 << 2, 0b11 << 4, 0b11 << 6 | 0b1111 << 10 | 0b11 << 14];
    SETS.iter().position(|set| kinds != 0 && kinds & !set == 0).map(|place| place as u8)
}

impl TargetProfile {
    fn labelled(&self) -> Labelled {
        let atoms = self.words.iter().map(|&word| AtomLabel::new(word));
        let steps = self.neighbours.iter().map(|n| Step { atom: n.atom, order: order(n.class.0) });
        Labelled {
            atoms: atoms.collect(),
            offsets: self.offsets.clone(),
            neighbours: steps.collect(),
        }
    }
}

impl Pattern {
    fn labelled(&self) -> Labelled {
        let graph = self.graphs.last().expect("a pattern has at least its own graph");
        let program = self.program().graphs.last().expect("each graph has a program");
        let atoms = program.tests.iter().map(|test| AtomLabel::new(!test.forbidden));
        let steps = graph.neighbours.iter().map(|n| Step {
            atom: n.atom,
            order: order(program.bonds[n.bond as usize].any_way_round()),
        });
        Labelled {
            atoms: atoms.collect(),
            offsets: graph.offsets.clone(),
            neighbours: steps.collect(),
        }
    }
}

impl Labelled {
    fn steps(&self, atom: u32) -> &[Step] {
        let atom = atom as usize;
        &self.neighbours[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }
}

/// Where a feature stands: with kinds and orders, or with elements alone. Part of its code.
#[derive(Clone, Copy)]
enum Shape {
    Path = 1,
    Branch = 2,
    Ring = 3,
    Count = 4,
    Property = 5,
    Hydrogens = 6,
}

/// A path written from both ends, as numbers that grow with it.
#[derive(Clone, Copy, Default)]
struct Spelling {
    forward: u64,
    backward: u64,
    width: u32,
}

const ATOM_WIDTH: u32 = 5;
const ORDER_WIDTH: u32 = 2;

impl Spelling {
    fn start(atom: u8) -> Self {
        Spelling { forward: u64::from(atom), backward: u64::from(atom), width: ATOM_WIDTH }
    }

    fn with(self, order: u8, atom: u8) -> Self {
        let (order, atom) = (u64::from(order), u64::from(atom));
        Spelling {
            forward: (self.forward << ORDER_WIDTH | order) << ATOM_WIDTH | atom,
            backward: self.backward | (atom << ORDER_WIDTH | order) << self.width,
            width: self.width + ORDER_WIDTH + ATOM_WIDTH,
        }
    }

    /// The one spelling of the two that is noted, if this is it.
    fn code(self) -> Option<u64> {
        (self.forward <= self.backward).then_some(self.forward)
    }
}

/// A path while it is walked.
#[derive(Clone, Copy)]
struct Walk {
    atoms: [u32; PATH + 1],
    length: usize,
    kinds: Option<Spelling>,
    elements: Option<Spelling>,
    /// Sums over the bonds, which do not depend on where a ring is begun.
    ring_kinds: u64,
    ring_elements: u64,
}

struct Draft {
    features: Features,
    steps: u32,
}

impl Default for Draft {
    fn default() -> Self {
        Draft { features: Features(Box::new([0; WORDS])), steps: 0 }
    }
}

/// The limit was met.
struct TooMany;

impl Draft {
    fn of(graph: &Labelled) -> Option<Features> {
        let mut draft = Draft::default();
        draft.note_all(graph).ok().map(|()| draft.features)
    }

    fn note(&mut self, shape: Shape, exact: bool, code: u64) {
        let mixed = mix(code ^ (shape as u64) << 60 ^ (exact as u64) << 59);
        let bit = (mixed >> 32) as usize % FEATURE_BITS;
        self.features.0[bit / 64] |= 1 << (bit % 64);
    }

    fn note_all(&mut self, graph: &Labelled) -> Result<(), TooMany> {
        self.note_counts(graph);
        for start in 0..graph.atoms.len() as u32 {
            self.note_branches(graph, start)?;
            self.note_properties(graph, start);
            let label = graph.atoms[start as usize];
            let mut atoms = [0; PATH + 1];
            atoms[0] = start;
            let walk = Walk {
                atoms,
                length: 1,
                kinds: label.kind.map(Spelling::start),
                elements: label.element.map(Spelling::start),
                ring_kinds: 0,
                ring_elements: 0,
            };
            self.note_paths(graph, &walk)?;
        }
        Ok(())
    }

    /// Notes a path and goes on from its end. Calls itself no more than [`PATH`] times.
    fn note_paths(&mut self, graph: &Labelled, walk: &Walk) -> Result<(), TooMany> {
        // An atom of any element ends what can be said.
        let Some(elements) = walk.elements else { return Ok(()) };
        if let Some(code) = walk.kinds.and_then(Spelling::code) {
            self.note(Shape::Path, true, code);
        }
        if let Some(code) = elements.code() {
            self.note(Shape::Path, false, code);
        }
        let last = walk.atoms[walk.length - 1];
        for step in graph.steps(last) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(TooMany);
            }
            let before = graph.atoms[last as usize];
            let after = graph.atoms[step.atom as usize];
            let kinds = walk.kinds.zip(after.kind).zip(step.order);
            let ring_kinds = before
                .kind
                .zip(after.kind)
                .zip(step.order)
                .map_or(0, |((a, b), order)| bond_code(a, order, b));
            let ring_elements =
                before.element.zip(after.element).map_or(0, |(a, b)| bond_code(a, 0, b));
            let next = Walk {
                kinds: kinds.map(|((spelling, kind), order)| spelling.with(order, kind)),
                elements: walk.elements.zip(after.element).map(|(s, e)| s.with(0, e)),
                ring_kinds: walk.ring_kinds.wrapping_add(ring_kinds),
                ring_elements: walk.ring_elements.wrapping_add(ring_elements),
                ..*walk
            };
            if walk.atoms[..walk.length].contains(&step.atom) {
                let closes = walk.length > 2 && step.atom == walk.atoms[0];
                if closes {
                    let length = (walk.length as u64) << 48;
                    if next.kinds.is_some() {
                        self.note(Shape::Ring, true, next.ring_kinds ^ length);
                    }
                    if next.elements.is_some() {
                        self.note(Shape::Ring, false, next.ring_elements ^ length);
                    }
                }
            } else if walk.length <= PATH {
                let mut next = next;
                next.atoms[walk.length] = step.atom;
                next.length += 1;
                self.note_paths(graph, &next)?;
            }
        }
        Ok(())
    }

    /// An atom with any three of its neighbours.
    fn note_branches(&mut self, graph: &Labelled, centre: u32) -> Result<(), TooMany> {
        let label = graph.atoms[centre as usize];
        let Some(element) = label.element else { return Ok(()) };
        let steps = graph.steps(centre);
        let exact =
            |step: &Step| Some(step.order? << ATOM_WIDTH | graph.atoms[step.atom as usize].kind?);
        let loose = |step: &Step| graph.atoms[step.atom as usize].element;
        for i in 2..steps.len() {
            for j in 1..i {
                for k in 0..j {
                    self.steps += 1;
                    if self.steps > MOST_STEPS {
                        return Err(TooMany);
                    }
                    let three = [&steps[i], &steps[j], &steps[k]];
                    if let Some(kind) = label.kind
                        && let [Some(a), Some(b), Some(c)] = three.map(exact)
                    {
                        self.note(Shape::Branch, true, branch_code(kind, [a, b, c]));
                    }
                    if let [Some(a), Some(b), Some(c)] = three.map(loose) {
                        self.note(Shape::Branch, false, branch_code(element, [a, b, c]));
                    }
                }
            }
        }
        Ok(())
    }

    /// The properties of an atom, and its hydrogens with each neighbour.
    fn note_properties(&mut self, graph: &Labelled, atom: u32) {
        let label = graph.atoms[atom as usize];
        let Some(element) = label.element else { return };
        for field in FIELD_MASKS.into_iter().filter(|field| field & ELEMENTS == 0) {
            if let Some(property) = label.property(field) {
                let code = u64::from(property) << 8;
                self.note(Shape::Property, false, code | u64::from(element));
                if let Some(kind) = label.kind {
                    self.note(Shape::Property, true, code | u64::from(kind));
                }
            }
        }
        let Some(hydrogens) = label.property(HYDROGENS.mask()) else { return };
        for step in graph.steps(atom) {
            let other = graph.atoms[step.atom as usize];
            let code = u64::from(hydrogens) << 32;
            if let Some(other) = other.element {
                let bond = Spelling::start(element).with(0, other).forward;
                self.note(Shape::Hydrogens, false, code | bond);
            }
            if let (Some(kind), Some(order), Some(other)) = (label.kind, step.order, other.kind) {
                let bond = Spelling::start(kind).with(order, other).forward;
                self.note(Shape::Hydrogens, true, code | bond);
            }
        }
    }

    /// How many there are of each atom and each bond.
    fn note_counts(&mut self, graph: &Labelled) {
        let mut exact: Vec<u64> =
            graph.atoms.iter().filter_map(|a| a.kind.map(u64::from)).collect();
        let mut loose: Vec<u64> =
            graph.atoms.iter().filter_map(|a| a.element.map(u64::from)).collect();
        for atom in 0..graph.atoms.len() as u32 {
            for step in graph.steps(atom).iter().filter(|step| step.atom > atom) {
                let (a, b) = (graph.atoms[atom as usize], graph.atoms[step.atom as usize]);
                if let (Some(a), Some(b), Some(order)) = (a.kind, b.kind, step.order) {
                    exact.push(Spelling::start(a.min(b)).with(order, a.max(b)).forward << 8);
                }
                if let (Some(a), Some(b)) = (a.element, b.element) {
                    loose.push(Spelling::start(a.min(b)).with(0, a.max(b)).forward << 8);
                }
            }
        }
        for (codes, is_exact) in [(&mut exact, true), (&mut loose, false)] {
            codes.sort_unstable();
            for same in codes.chunk_by(|a, b| a == b) {
                let reached = COUNTS.iter().filter(|&&count| count as usize <= same.len());
                for &count in reached {
                    self.note(Shape::Count, is_exact, same[0] << 8 | u64::from(count));
                }
            }
        }
    }
}

/// A bond with its atoms, the same from both ends.
fn bond_code(a: u8, order: u8, b: u8) -> u64 {
    mix(Spelling::start(a.min(b)).with(order, a.max(b)).forward) >> 16
}

fn branch_code(centre: u8, mut arms: [u8; 3]) -> u64 {
    arms.sort_unstable();
    arms.iter().fold(u64::from(centre), |code, &arm| code << 8 | u64::from(arm))
}

/// Spreads a code over 64 bits (the finaliser of SplitMix64, Steele and others 2014).
fn mix(code: u64) -> u64 {
    let mut x = code.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use synthon_mol::Molecule;

    fn has(pattern: &str, molecule: &str) -> bool {
        let asked = Features::of_pattern(&Pattern::from_smarts(pattern).expect(pattern));
        let molecule = Molecule::from_smiles(molecule).expect(molecule);
        asked.allow(&Features::of_target(&TargetProfile::new(&molecule)))
    }

    #[test]
    fn what_a_target_lacks_is_seen() {
        for (pattern, with, without) in [
            ("[OX2H]c", "Oc1ccccc1", "OCc1ccccc1"),
            ("C(=O)N", "CC(=O)NC", "CC(=O)CN"),
            ("c1ccccc1-c1ccccc1", "c1ccc(cc1)-c1ccccc1", "c1ccccc1"),
            ("[#6]~[#7]", "c1ccncc1", "CCO"),
            ("C1CC1", "CC1CC1", "CC1CCC1"),
            ("C(F)(F)F", "CC(F)(F)F", "CC(F)F"),
            ("C#N", "CC#N", "CC=N"),
            ("[OH]c", "Oc1ccccc1", "COc1ccc(CO)cc1"),
            ("[N+]", "C[N+](C)(C)C", "CN(C)C"),
        ] {
            assert!(has(pattern, with), "{pattern} {with}");
            assert!(!has(pattern, without), "{pattern} {without}");
        }
    }

    #[test]
    fn choices_ask_for_nothing() {
        assert!(has("*~*~*", "C"));
        assert!(has("[C,N]", "O"));
        assert!(has("[$(CCl)]", "C"));
    }

    #[test]
    fn a_hostile_molecule_has_everything() {
        // A metal with hundreds of neighbours has too many paths.
        let star = format!("[U]{}", "(C(C)C)".repeat(400));
        let molecule = Molecule::from_smiles(&star).expect("a graph");
        let features = Features::of_target(&TargetProfile::new(&molecule));
        assert!(features.words().iter().all(|&word| word == u64::MAX));
    }
}
