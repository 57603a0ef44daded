//! A molecule as the query: its atoms and bonds are the pattern, the chemistry options say how
//! closely they must agree.

use crate::expression::{AtomPrimitive as P, BondPrimitive as B, Count, Join, Literal};
use crate::matcher::MatchOptions;
use crate::pattern::{Pattern, QueryAtom, QueryBond, QueryGraph};
use crate::stereo_check::{Demand, Geometry};
use std::sync::OnceLock;
use synthon_mol::{BondOrder, BondStereo, Molecule};

/// How closely the bonds of a molecule query and of a target must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BondOrderMatch {
    /// The same order; an aromatic bond also agrees with a single or a double one.
    #[default]
    Strict,
    /// Any order.
    Loose,
    /// Any order.
    Any,
}

/// What two atoms and two bonds must have in common, for queries that are molecules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChemistryOptions {
    /// Handedness and double-bond geometry of the query must be met.
    pub match_stereo: bool,
    /// Ring atoms and bonds match only ring atoms and bonds, and chain only chain.
    pub ring_matches_ring_only: bool,
    /// Matched ring atoms and bonds lie in completely matched rings; implies
    /// [`ring_matches_ring_only`](Self::ring_matches_ring_only).
    pub complete_rings_only: bool,
    /// Bond orders.
    pub bond_order: BondOrderMatch,
    /// The aromatic flag of atoms and of bonds must be equal.
    pub aromaticity_strict: bool,
    /// Formal charges must be equal.
    pub formal_charge: bool,
    /// Stated mass numbers must be equal; an unstated one agrees with any.
    pub isotope: bool,
    /// Elements must be equal.
    pub atom_type: bool,
}

impl Default for ChemistryOptions {
    /// Elements and bond orders only.
    fn default() -> Self {
        ChemistryOptions {
            match_stereo: false,
            ring_matches_ring_only: false,
            complete_rings_only: false,
            bond_order: BondOrderMatch::Strict,
            aromaticity_strict: false,
            formal_charge: false,
            isotope: false,
            atom_type: true,
        }
    }
}

impl ChemistryOptions {
    /// The part that is judged on whole embeddings.
    pub fn match_options(&self, induced: bool) -> MatchOptions {
        MatchOptions { induced, complete_rings_only: self.complete_rings_only }
    }

    fn rings_apart(&self) -> bool {
        self.ring_matches_ring_only || self.complete_rings_only
    }
}

impl Pattern {
    /// Makes a pattern of a molecule. Query atom `i` is atom `i` of the molecule. Charge, isotope,
    /// hydrogen count and the aromatic flag of atoms are ignored unless an option asks for them;
    /// `*` is an element of its own. Pass [`ChemistryOptions::match_options`] when matching.
    ///
    /// A handedness or geometry in the query must be present and equal in the target, with
    /// [`match_stereo`](ChemistryOptions::match_stereo); where the query has none, anything
    /// matches.
    pub fn from_molecule(molecule: &Molecule, options: &ChemistryOptions) -> Pattern {
        let mut atom_literals = Vec::with_capacity(2 * molecule.atom_count());
        let mut bond_literals = Vec::with_capacity(2 * molecule.bond_count());
        let mut graph = QueryGraph::default();
        for (i, atom) in molecule.atoms().iter().enumerate() {
            let from = atom_literals.len() as u32;
            let mut demand = |primitive| {
                atom_literals.push(Literal { join: Join::And, negated: false, primitive });
            };
            demand(match (options.atom_type, options.aromaticity_strict) {
                (true, false) => P::Number(atom.element()),
                (true, true) => P::Symbol(atom.element(), atom.is_aromatic()),
                (false, false) => P::Any,
                (false, true) if atom.is_aromatic() => P::Aromatic,
                (false, true) => P::Aliphatic,
            });
            if options.rings_apart() {
                let rings = if atom.in_ring() { Count::at_least(1) } else { Count::exactly(0) };
                demand(P::RingBonds(rings));
            }
            if options.formal_charge {
                demand(P::Charge(i16::from(atom.charge()), i16::from(atom.charge())));
            }
            if options.isotope && atom.isotope() != 0 {
                demand(P::IsotopeIfStated(atom.isotope()));
            }
            let tetrahedral = options.match_stereo && atom.chirality().is_tetrahedral();
            if tetrahedral {
                demand(P::Chirality {
                    clockwise: atom.chirality() == synthon_mol::Chirality::Clockwise,
                    or_unspecified: false,
                });
            }
            graph.atoms.push(QueryAtom {
                literals: (from, atom_literals.len() as u32),
                span: (0, 0),
                map: molecule.atom(i).map(),
                component: 0,
                group: 0,
                chirality: if tetrahedral {
                    atom.chirality()
                } else {
                    synthon_mol::Chirality::None
                },
                has_chirality: tetrahedral,
            });
        }
        for bond in molecule.bonds() {
            let from = bond_literals.len() as u32;
            let primitives: &[B] = match (options.bond_order, bond.order()) {
                (BondOrderMatch::Loose | BondOrderMatch::Any, _)
                    if options.aromaticity_strict && bond.is_aromatic() =>
                {
                    &[B::Aromatic]
                }
                (BondOrderMatch::Loose | BondOrderMatch::Any, _) => &[B::Any],
                (_, BondOrder::Aromatic) if options.aromaticity_strict => &[B::Aromatic],
                (_, BondOrder::Aromatic) => &[B::Aromatic, B::Single, B::Double],
                (_, BondOrder::Single) if options.aromaticity_strict => &[B::Single],
                (_, BondOrder::Single) => &[B::SingleOrAromatic],
                (_, BondOrder::Double) if options.aromaticity_strict => &[B::Double],
                (_, BondOrder::Double) => &[B::Double, B::Aromatic],
                (_, BondOrder::Triple) => &[B::Triple],
                (_, BondOrder::Quadruple) => &[B::Quadruple],
                (_, BondOrder::Dative) => &[B::Dative(true)],
                (_, BondOrder::Unspecified) => &[B::Any],
            };
            let mut demand = |join, negated, primitive| {
                bond_literals.push(Literal { join, negated, primitive });
            };
            for &primitive in primitives {
                demand(Join::Or, false, primitive);
            }
            if options.aromaticity_strict && !bond.is_aromatic() {
                demand(Join::LowAnd, true, B::Aromatic);
            }
            if options.rings_apart() {
                demand(Join::LowAnd, !bond.in_ring(), B::Ring);
            }
            graph.bonds.push(QueryBond {
                begin: bond.begin() as u32,
                end: bond.end() as u32,
                literals: (from, bond_literals.len() as u32),
                span: (0, 0),
            });
        }
        graph.index_neighbours();
        graph.number_components();
        let fixed = if options.match_stereo { geometries(molecule) } else { Vec::new() };
        Pattern {
            graphs: vec![graph],
            atom_literals,
            bond_literals,
            fixed_geometries: fixed,
            program: OnceLock::new(),
            text: Box::default(),
            recursion_spans: Vec::new(),
        }
    }
}

/// The labelled double bonds of a molecule, said of the neighbours that their labels refer to.
fn geometries(molecule: &Molecule) -> Vec<Geometry> {
    let labelled =
        molecule.bonds().iter().enumerate().filter(|(_, b)| b.stereo() != BondStereo::None);
    labelled
        .filter_map(|(i, bond)| {
            let (at_begin, at_end) = molecule.stereo_references(i)?;
            Some(Geometry {
                atoms: [at_begin, bond.begin(), bond.end(), at_end].map(|a| a as u32),
                demand: Demand::Fixed(bond.stereo()),
            })
        })
        .collect()
}
