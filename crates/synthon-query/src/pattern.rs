//! A compiled SMARTS pattern: its graphs and the expressions on their atoms and bonds.

use crate::expression::{AtomPrimitive, BondPrimitive, Expression, Literal};
use crate::program::Program;
use crate::stated::Stated;
use crate::stereo_check::Geometry;
use crate::{QueryError, parse};
use std::ops::Range;
use std::sync::OnceLock;
use synthon_mol::Chirality;

/// An atom of a [`QueryGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryAtom {
    pub(crate) literals: (u32, u32),
    pub(crate) span: (u32, u32),
    pub(crate) map: u32,
    pub(crate) component: u32,
    /// Component group plus one, 0: none.
    pub(crate) group: u32,
    pub(crate) chirality: Chirality,
    pub(crate) has_chirality: bool,
}

impl QueryAtom {
    /// Atom-map number, 0: none. Maps never affect matching.
    pub fn map(&self) -> u32 {
        self.map
    }
    /// The connected component, numbered in the order of their first atoms.
    pub fn component(&self) -> usize {
        self.component as usize
    }
    /// The component group (zero-level parentheses) that holds the atom. Components of one group
    /// match inside one component of the target, those of different groups in different ones.
    pub fn group(&self) -> Option<usize> {
        (self.group as usize).checked_sub(1)
    }
    /// The handedness that the atom asks for without alternative or negation, relative to
    /// [`QueryGraph::neighbours`] with the implied ligand (a stated hydrogen or a lone pair)
    /// last; [`Chirality::None`] when the expression has no such single mark.
    pub fn chirality(&self) -> Chirality {
        self.chirality
    }
    /// Whether a chirality mark occurs anywhere in the expression.
    pub fn has_chirality_mark(&self) -> bool {
        self.has_chirality
    }
    /// Byte range of the atom in the text, brackets included.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.span.0 as usize..self.span.1 as usize
    }
}

/// A bond of a [`QueryGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryBond {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) literals: (u32, u32),
    pub(crate) span: (u32, u32),
}

impl QueryBond {
    /// The atom where the bond was begun in the text.
    pub fn begin(&self) -> usize {
        self.begin as usize
    }
    /// The other atom.
    pub fn end(&self) -> usize {
        self.end as usize
    }
    /// The atom at the other end from `atom`, which must be one of the two.
    pub fn other(&self, atom: usize) -> usize {
        (self.begin ^ self.end) as usize ^ atom
    }
    /// Byte range of the bond expression in the text; empty for a bond that is not written.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.span.0 as usize..self.span.1 as usize
    }
}

/// One entry of a query atom's neighbour list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryNeighbour {
    pub(crate) atom: u32,
    pub(crate) bond: u32,
}

impl QueryNeighbour {
    /// Index of the neighbouring atom.
    #[inline]
    pub fn atom(self) -> usize {
        self.atom as usize
    }
    /// Index of the bond that leads there.
    #[inline]
    pub fn bond(self) -> usize {
        self.bond as usize
    }
}

/// Atoms and bonds of the pattern itself, or of one of its recursive parts.
#[derive(Clone, Debug, Default)]
pub struct QueryGraph {
    pub(crate) atoms: Vec<QueryAtom>,
    pub(crate) bonds: Vec<QueryBond>,
    /// Neighbours of atom `i` are `offsets[i]..offsets[i + 1]` of `neighbours`, in bond order.
    pub(crate) offsets: Vec<u32>,
    pub(crate) neighbours: Vec<QueryNeighbour>,
    pub(crate) component_count: u32,
    pub(crate) group_count: u32,
}

impl QueryGraph {
    /// Atoms in the order of the text.
    pub fn atoms(&self) -> &[QueryAtom] {
        &self.atoms
    }
    /// Bonds in the order in which they are complete in the text: a ring closure counts where it
    /// is closed.
    pub fn bonds(&self) -> &[QueryBond] {
        &self.bonds
    }
    /// Neighbours of an atom, in the order of their bonds' indices.
    #[inline]
    pub fn neighbours(&self, atom: usize) -> &[QueryNeighbour] {
        &self.neighbours[self.offsets[atom] as usize..self.offsets[atom + 1] as usize]
    }
    /// Index of the bond between two atoms, if there is one.
    pub fn bond_between(&self, a: usize, b: usize) -> Option<usize> {
        self.neighbours(a).iter().find(|n| n.atom() == b).map(|n| n.bond())
    }
    /// Number of connected components.
    pub fn component_count(&self) -> usize {
        self.component_count as usize
    }
    /// Number of component groups (zero-level parentheses).
    pub fn group_count(&self) -> usize {
        self.group_count as usize
    }
}

/// What a caller may bound when compiling SMARTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmartsLimits {
    /// Most atoms, those of recursive parts included.
    pub max_atoms: usize,
    /// Deepest nesting of recursive parts.
    pub max_recursion: usize,
}

impl Default for SmartsLimits {
    /// 10,000 atoms, recursion 20 deep.
    fn default() -> Self {
        SmartsLimits { max_atoms: 10_000, max_recursion: 20 }
    }
}

/// A SMARTS pattern, compiled once and matched often.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Recursive parts before the graphs that use them; the pattern itself is the last.
    pub(crate) graphs: Vec<QueryGraph>,
    pub(crate) atom_literals: Vec<Literal<AtomPrimitive>>,
    pub(crate) bond_literals: Vec<Literal<BondPrimitive>>,
    /// Geometries beside those that direction marks say; of molecule queries.
    pub(crate) fixed_geometries: Vec<Geometry>,
    /// What the search runs on; made when it is first needed.
    pub(crate) program: OnceLock<Program>,
    /// The text, and where in it every recursive part stands; for messages. Empty without such
    /// parts.
    pub(crate) text: Box<str>,
    pub(crate) recursion_spans: Vec<Range<usize>>,
}

impl Pattern {
    /// Compiles SMARTS within the default limits. White space around the pattern is dropped, and
    /// what follows white space is a name.
    ///
    /// # Errors
    /// A text that is not SMARTS, with the place and, where the intent is clear, the repair.
    pub fn from_smarts(text: &str) -> Result<Pattern, QueryError> {
        Self::from_smarts_within(text, &SmartsLimits::default())
    }

    /// Compiles SMARTS within the limits given.
    ///
    /// # Errors
    /// As [`from_smarts`](Self::from_smarts).
    pub fn from_smarts_within(text: &str, limits: &SmartsLimits) -> Result<Pattern, QueryError> {
        parse::parse(text, limits)
    }

    /// The graph of the pattern itself.
    pub fn graph(&self) -> &QueryGraph {
        self.graphs.last().expect("a pattern has at least its own graph")
    }

    /// The graph of a recursive part, by the number in [`AtomPrimitive::Recursive`].
    pub fn recursive_graph(&self, index: u32) -> &QueryGraph {
        &self.graphs[index as usize]
    }

    /// Atoms in the order of the text.
    pub fn atoms(&self) -> &[QueryAtom] {
        &self.graph().atoms
    }

    /// Bonds in the order in which they are complete in the text.
    pub fn bonds(&self) -> &[QueryBond] {
        &self.graph().bonds
    }

    /// The expression of an atom of any graph of this pattern.
    pub fn atom_expression(&self, atom: &QueryAtom) -> &Expression<AtomPrimitive> {
        &self.atom_literals[atom.literals.0 as usize..atom.literals.1 as usize]
    }

    /// The expression of a bond of any graph of this pattern.
    pub fn bond_expression(&self, bond: &QueryBond) -> &Expression<BondPrimitive> {
        &self.bond_literals[bond.literals.0 as usize..bond.literals.1 as usize]
    }

    /// What every atom that matches the expression of atom `i` must be, as far as the expression
    /// says it outright.
    pub fn stated(&self, i: usize) -> Stated {
        Stated::of(self.atom_expression(&self.atoms()[i]))
    }

    /// The only bond primitive, when the expression of bond `i` demands exactly one that fixes an
    /// order (`-`, `=`, `#`, `$`, `:`, `->`, or a direction mark), beside ring membership.
    pub fn stated_bond(&self, i: usize) -> Option<BondPrimitive> {
        let mut found = None;
        for literal in self.bond_expression(&self.bonds()[i]) {
            if literal.join == crate::Join::Or {
                return None;
            }
            match literal.primitive {
                BondPrimitive::Ring | BondPrimitive::Any => continue,
                BondPrimitive::SingleOrAromatic => return None,
                _ if literal.negated => continue,
                other => found = found.or(Some(other)),
            }
        }
        found
    }
}
