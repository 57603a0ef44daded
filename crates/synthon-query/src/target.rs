//! A molecule prepared for matching: what the search asks again and again, computed once.

use crate::atom_word::{self as word, ELEMENT_BUCKETS};
use crate::bond_test::{self, BondClass};
use crate::expression::AtomPrimitive as P;
use crate::hybridisation::hybridisations;
use std::borrow::Cow;
use std::sync::OnceLock;
use synthon_mol::{Bond, BondOrder, Chirality, Element, Molecule};

/// A neighbour as the search sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetNeighbour {
    pub(crate) atom: u32,
    /// What kind of bond it is, seen from the atom in whose list this stands.
    pub(crate) class: BondClass,
}

/// The summary of a molecule that matching works on. It does not hold the molecule, so that it
/// can be kept beside it; see [`Target`].
#[derive(Clone, Debug, Default)]
pub struct TargetProfile {
    pub(crate) words: Vec<u128>,
    pub(crate) offsets: Vec<u32>,
    /// Sorted by atom, so that a search in this order finds embeddings in ascending order.
    pub(crate) neighbours: Vec<TargetNeighbour>,
    pub(crate) ring_counts: Vec<u16>,
    pub(crate) element_counts: [u32; ELEMENT_BUCKETS],
    pub(crate) bond_counts: [u32; bond_test::CLASSES],
    /// All bits that occur in any atom's word.
    pub(crate) occurring: u128,
    hybridisations: OnceLock<Vec<u8>>,
    components: OnceLock<Vec<u32>>,
}

impl TargetProfile {
    /// Computes the summary of a molecule.
    pub fn new(molecule: &Molecule) -> Self {
        let rings = molecule.rings();
        Self::summarise(molecule, Bond::order, rings.sssr_count().min(rings.len()))
    }

    /// The summary that rules ask for which move single and double bonds along aromatic rings:
    /// bonds in kekulé form while atoms stay aromatic, and `R` counted over the symmetrised set
    /// of rings, so that it does not depend on which smallest set was found.
    pub fn kekulised(molecule: &Molecule) -> Self {
        Self::summarise(molecule, Bond::kekule_order, molecule.rings().len())
    }

    fn summarise(molecule: &Molecule, order: fn(&Bond) -> BondOrder, counted_rings: usize) -> Self {
        let n = molecule.atom_count();
        let mut profile = TargetProfile {
            words: Vec::with_capacity(n),
            offsets: Vec::with_capacity(n + 1),
            neighbours: Vec::with_capacity(2 * molecule.bond_count()),
            ring_counts: vec![0; n],
            ..TargetProfile::default()
        };
        let rings = molecule.rings();
        for ring in 0..counted_rings {
            for &atom in rings.atoms(ring) {
                profile.ring_counts[atom as usize] += 1;
            }
        }
        profile.offsets.push(0);
        for atom in 0..n {
            let word = profile.add_atom(molecule, atom, order);
            profile.occurring |= word;
            profile.words.push(word);
            let element = (word & word::ELEMENTS).trailing_zeros() as usize;
            profile.element_counts[element] += 1;
        }
        for bond in molecule.bonds() {
            profile.bond_counts[bond_test::class(bond, order(bond), true).index()] += 1;
        }
        profile
    }

    /// Appends the neighbours of an atom and returns its word.
    fn add_atom(
        &mut self,
        molecule: &Molecule,
        index: usize,
        order: fn(&Bond) -> BondOrder,
    ) -> u128 {
        let atom = molecule.atom(index);
        let (mut hydrogens, mut heavy, mut hetero, mut aliphatic_hetero) = (0u16, 0u16, 0u16, 0u16);
        let (mut valence, mut ring_bonds, mut light) = (0u16, 0u16, 0u16);
        let first = self.neighbours.len();
        for n in molecule.neighbours(index) {
            let bond = molecule.bond(n.bond());
            let other = molecule.atom(n.atom());
            match other.element() {
                Element::H => {
                    hydrogens += 1;
                    heavy += (other.isotope() != 0) as u16;
                    light += (other.isotope() == 0) as u16;
                }
                Element::C => heavy += 1,
                _ => {
                    heavy += 1;
                    hetero += 1;
                    aliphatic_hetero += !other.is_aromatic() as u16;
                }
            }
            valence += bond_valence(bond, index);
            ring_bonds += bond.in_ring() as u16;
            let added = TargetNeighbour {
                atom: n.atom() as u32,
                class: bond_test::class(bond, order(bond), bond.begin() == index),
            };
            // Lists are short and nearly sorted as they come.
            self.neighbours.push(added);
            let mut place = self.neighbours.len() - 1;
            while place > first && self.neighbours[place - 1].atom > added.atom {
                self.neighbours.swap(place - 1, place);
                place -= 1;
            }
        }
        self.offsets.push(self.neighbours.len() as u32);
        let folded = u16::from(atom.hydrogens());
        let degree = heavy + light;
        let mut word = word::Builder::default();
        word.set(word::element_place(atom.element(), atom.is_aromatic()));
        word.set(word::charge_place(i16::from(atom.charge())));
        word.set(word::DEGREE.place(degree));
        word.set(word::HYDROGENS.place(folded + hydrogens));
        word.set(word::CONNECTIVITY.place(degree + folded));
        word.set(word::VALENCE.place(valence + folded));
        word.set(word::RING_BONDS.place(ring_bonds));
        word.set(word::RING_COUNT.place(self.ring_counts[index]));
        word.set(word::SMALLEST_RING.place(atom.smallest_ring() as u16));
        word.set(word::HEAVY_DEGREE.place(heavy));
        word.set(word::IMPLICIT_HYDROGENS.place(folded));
        word.set(word::HETERO_NEIGHBOURS.place(hetero));
        word.set(word::ALIPHATIC_HETERO_NEIGHBOURS.place(aliphatic_hetero));
        let stated = atom.isotope() != 0;
        let marked = atom.chirality().is_tetrahedral();
        word.finish()
            | if stated { word::ISOTOPE_STATED } else { word::ISOTOPE_UNSTATED }
            | if marked { word::CHIRALITY_STATED } else { word::CHIRALITY_UNSTATED }
    }

    #[inline]
    pub(crate) fn neighbours(&self, atom: usize) -> &[TargetNeighbour] {
        &self.neighbours[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }

    /// Number of atoms of the molecule.
    pub fn atom_count(&self) -> usize {
        self.words.len()
    }
}

/// What a bond adds to the valence of one of its atoms; a dative bond counts for the acceptor.
fn bond_valence(bond: &Bond, atom: usize) -> u16 {
    match bond.kekule_order() {
        BondOrder::Single | BondOrder::Aromatic => 1,
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Quadruple => 4,
        BondOrder::Dative => (bond.end() == atom) as u16,
        BondOrder::Unspecified => 0,
    }
}

/// A molecule with its [`TargetProfile`].
#[derive(Clone, Debug)]
pub struct Target<'m> {
    pub(crate) molecule: &'m Molecule,
    pub(crate) profile: Cow<'m, TargetProfile>,
}

impl<'m> Target<'m> {
    /// Prepares a molecule.
    pub fn new(molecule: &'m Molecule) -> Self {
        Target { molecule, profile: Cow::Owned(TargetProfile::new(molecule)) }
    }

    /// Puts a molecule and the profile made of it earlier together.
    pub fn with_profile(molecule: &'m Molecule, profile: &'m TargetProfile) -> Self {
        debug_assert_eq!(molecule.atom_count(), profile.atom_count());
        Target { molecule, profile: Cow::Borrowed(profile) }
    }

    /// The molecule.
    pub fn molecule(&self) -> &'m Molecule {
        self.molecule
    }

    /// The summary.
    pub fn profile(&self) -> &TargetProfile {
        &self.profile
    }

    /// Connected component of every atom.
    pub(crate) fn components(&self) -> &[u32] {
        self.profile.components.get_or_init(|| self.molecule.components().1)
    }

    /// Whether an atom meets a primitive, looked up in the molecule itself. Chirality and
    /// recursive parts depend on more than the atom and are answered with `None`.
    pub(crate) fn meets(&self, primitive: P, index: usize) -> Option<bool> {
        let molecule = self.molecule;
        let atom = molecule.atom(index);
        let folded = u16::from(atom.hydrogens());
        let count = |wanted: &dyn Fn(&synthon_mol::Atom) -> bool| {
            molecule.neighbours(index).iter().filter(|n| wanted(molecule.atom(n.atom()))).count()
                as u16
        };
        let hetero = |a: &synthon_mol::Atom| !matches!(a.element(), Element::H | Element::C);
        Some(match primitive {
            P::Any => true,
            P::Aliphatic => !atom.is_aromatic(),
            P::Aromatic => atom.is_aromatic(),
            P::Number(element) => atom.element() == element,
            P::Symbol(element, aromatic) => {
                atom.element() == element && atom.is_aromatic() == aromatic
            }
            P::Isotope(mass) => atom.isotope() == mass,
            P::IsotopeIfStated(mass) => atom.isotope() == 0 || atom.isotope() == mass,
            P::Charge(low, high) => (low..=high).contains(&i16::from(atom.charge())),
            P::Degree(c) => c.contains(molecule.degree(index) as u16),
            P::HeavyDegree(c) => {
                c.contains(count(&|a| a.element() != Element::H || a.isotope() != 0))
            }
            P::Hydrogens(c) => c.contains(molecule.total_hydrogens(index) as u16),
            P::ImplicitHydrogens(c) => c.contains(folded),
            P::Connectivity(c) => c.contains(molecule.degree(index) as u16 + folded),
            P::Valence(c) => {
                let bonds: u16 = molecule
                    .neighbours(index)
                    .iter()
                    .map(|n| bond_valence(molecule.bond(n.bond()), index))
                    .sum();
                c.contains(bonds + folded)
            }
            P::RingBonds(c) => {
                let bonds = molecule.neighbours(index).iter();
                c.contains(bonds.filter(|n| molecule.bond(n.bond()).in_ring()).count() as u16)
            }
            P::RingCount(c) => c.contains(self.profile.ring_counts[index]),
            P::SmallestRing(c) => c.contains(atom.smallest_ring() as u16),
            P::AnyRing(c) => {
                (c.contains(0) && !atom.in_ring())
                    || (atom.in_ring()
                        && molecule.rings().iter().any(|ring| {
                            c.contains(ring.len() as u16) && ring.contains(&(index as u32))
                        }))
            }
            P::HeteroNeighbours(c) => c.contains(count(&hetero)),
            P::AliphaticHeteroNeighbours(c) => {
                c.contains(count(&|a| hetero(a) && !a.is_aromatic()))
            }
            P::Hybridisation(wanted) => {
                let all = self.profile.hybridisations.get_or_init(|| hybridisations(molecule));
                all[index] == wanted
            }
            P::Chirality { .. } | P::Recursive(_) => return None,
        })
    }

    /// The tetrahedral mark of an atom: `Some(true)` for clockwise.
    pub(crate) fn handedness(&self, atom: usize) -> Option<bool> {
        match self.molecule.atom(atom).chirality() {
            Chirality::Clockwise => Some(true),
            Chirality::Anticlockwise => Some(false),
            _ => None,
        }
    }
}
