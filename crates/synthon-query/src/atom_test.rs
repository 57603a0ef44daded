//! Atom expressions compiled for speed: a mask of forbidden bits, and what it cannot say.

use crate::atom_word as word;
use crate::expression::{
    AtomPrimitive as P, Expression, Join, Literal, alternatives, clauses, evaluate,
};

/// Range of an arena.
pub(crate) type Span = (u32, u32);

/// A compiled atom expression: the atom's word must have none of the forbidden bits, and every
/// clause must hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AtomTest {
    pub(crate) forbidden: u128,
    /// Range of [`Tests::clauses`].
    pub(crate) clauses: Span,
}

/// One alternative of a clause: a mask, and literals that the mask cannot say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative {
    pub(crate) forbidden: u128,
    /// Range of [`Tests::literals`].
    pub(crate) literals: Span,
}

/// The arenas of all compiled atom expressions of a pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tests {
    /// Ranges of `alternatives`, of which one must hold.
    pub(crate) clauses: Vec<Span>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) literals: Vec<(P, bool)>,
}

/// What a mask says about a literal.
struct Reading {
    forbidden: u128,
    /// The mask alone decides.
    exact: bool,
}

/// Reads a literal as a mask. Chirality marks are read as "perhaps": the search checks them when
/// the ligands are placed.
fn read(literal: &Literal<P>) -> Reading {
    let allowed = |field: u128, bits: u128, exact: bool| {
        if !literal.negated {
            Reading { forbidden: field & !bits, exact }
        } else if exact {
            Reading { forbidden: bits, exact: true }
        } else {
            Reading { forbidden: 0, exact: false }
        }
    };
    let counted = |field: &word::Field, count| {
        let (bits, exact) = field.bits(count);
        allowed(field.mask(), bits, exact)
    };
    match literal.primitive {
        P::Any => {
            let forbidden = if literal.negated { word::ELEMENTS } else { 0 };
            Reading { forbidden, exact: true }
        }
        P::Aliphatic => allowed(word::ELEMENTS, word::ALIPHATIC_ELEMENTS, true),
        P::Aromatic => allowed(word::ELEMENTS, word::AROMATIC_ELEMENTS, true),
        P::Number(element) => {
            let (bits, exact) = word::element_bits(element);
            allowed(word::ELEMENTS, bits, exact)
        }
        P::Symbol(element, aromatic) => {
            let (bit, exact) = word::element_bit(element, aromatic);
            allowed(word::ELEMENTS, bit, exact)
        }
        P::Isotope(0) => {
            let field = word::ISOTOPE_STATED | word::ISOTOPE_UNSTATED;
            allowed(field, word::ISOTOPE_UNSTATED, true)
        }
        P::Isotope(_) => {
            let field = word::ISOTOPE_STATED | word::ISOTOPE_UNSTATED;
            allowed(field, word::ISOTOPE_STATED, false)
        }
        P::Charge(low, high) => {
            let (bits, exact) = word::charge_bits(low, high);
            allowed(word::CHARGES, bits, exact)
        }
        P::Degree(c) => counted(&word::DEGREE, c),
        P::HeavyDegree(c) => counted(&word::HEAVY_DEGREE, c),
        P::Hydrogens(c) => counted(&word::HYDROGENS, c),
        P::ImplicitHydrogens(c) => counted(&word::IMPLICIT_HYDROGENS, c),
        P::Connectivity(c) => counted(&word::CONNECTIVITY, c),
        P::Valence(c) => counted(&word::VALENCE, c),
        P::RingBonds(c) => counted(&word::RING_BONDS, c),
        P::RingCount(c) => counted(&word::RING_COUNT, c),
        P::SmallestRing(c) => counted(&word::SMALLEST_RING, c),
        P::HeteroNeighbours(c) => counted(&word::HETERO_NEIGHBOURS, c),
        P::AliphaticHeteroNeighbours(c) => counted(&word::ALIPHATIC_HETERO_NEIGHBOURS, c),
        P::Chirality { or_unspecified: false, .. } if !literal.negated => {
            Reading { forbidden: word::CHIRALITY_UNSTATED, exact: true }
        }
        P::Chirality { .. } => Reading { forbidden: 0, exact: true },
        P::AnyRing(_) | P::Hybridisation(_) | P::IsotopeIfStated(_) | P::Recursive(_) => {
            Reading { forbidden: 0, exact: false }
        }
    }
}

impl Tests {
    /// Compiles an expression.
    pub(crate) fn compile(&mut self, expression: &Expression<P>) -> AtomTest {
        let first_clause = self.clauses.len() as u32;
        let mut forbidden = 0;
        if let [literal] = expression {
            self.conjunct(literal, &mut forbidden);
        } else if expression.iter().all(|l| l.join != Join::Or) {
            for literal in expression {
                self.conjunct(literal, &mut forbidden);
            }
        } else {
            for clause in clauses(expression) {
                self.clause(clause, &mut forbidden);
            }
        }
        AtomTest { forbidden, clauses: (first_clause, self.clauses.len() as u32) }
    }

    /// Adds a literal that must hold by itself.
    fn conjunct(&mut self, literal: &Literal<P>, forbidden: &mut u128) {
        let reading = read(literal);
        *forbidden |= reading.forbidden;
        if !reading.exact {
            let literals = self.push_literal(literal);
            let from = self.alternatives.len() as u32;
            self.alternatives.push(Alternative { forbidden: 0, literals });
            self.clauses.push((from, from + 1));
        }
    }

    fn push_literal(&mut self, literal: &Literal<P>) -> Span {
        let from = self.literals.len() as u32;
        self.literals.push((literal.primitive, literal.negated));
        (from, from + 1)
    }

    fn clause(&mut self, clause: &Expression<P>, forbidden: &mut u128) {
        if clause.iter().all(|l| l.join != Join::Or) || clause.len() == 1 {
            for literal in clause {
                self.conjunct(literal, forbidden);
            }
            return;
        }
        let from = self.alternatives.len();
        for alternative in alternatives(clause) {
            let first = self.literals.len() as u32;
            let mut mask = 0;
            for literal in alternative {
                let reading = read(literal);
                mask |= reading.forbidden;
                if !reading.exact {
                    self.push_literal(literal);
                }
            }
            let literals = (first, self.literals.len() as u32);
            if literals.0 == literals.1 && self.merge(from, mask) {
                continue;
            }
            self.alternatives.push(Alternative { forbidden: mask, literals });
        }
        // Bits that every alternative forbids are forbidden at once.
        let common = self.alternatives[from..].iter().fold(!0, |m, a| m & a.forbidden);
        *forbidden |= common;
        if let [only] = self.alternatives[from..]
            && only.literals.0 == only.literals.1
        {
            self.alternatives.truncate(from);
        } else {
            self.clauses.push((from as u32, self.alternatives.len() as u32));
        }
    }

    /// Joins a mask with an alternative that differs from it in one field only: the union of
    /// their buckets says the same.
    fn merge(&mut self, from: usize, mask: u128) -> bool {
        for other in &mut self.alternatives[from..] {
            if other.literals.0 != other.literals.1 {
                continue;
            }
            let difference = other.forbidden ^ mask;
            if difference & !word::ELEMENTS == 0
                || word::FIELD_MASKS.iter().any(|field| difference & !field == 0)
            {
                other.forbidden &= mask;
                return true;
            }
        }
        false
    }

    /// Whether an atom with this word passes; literals that the word cannot decide are asked of
    /// `holds`.
    #[inline]
    pub(crate) fn passes(
        &self,
        test: &AtomTest,
        word: u128,
        mut holds: impl FnMut(P) -> bool,
    ) -> bool {
        if word & test.forbidden != 0 {
            return false;
        }
        self.clauses[test.clauses.0 as usize..test.clauses.1 as usize].iter().all(|clause| {
            self.alternatives[clause.0 as usize..clause.1 as usize].iter().any(|alternative| {
                word & alternative.forbidden == 0
                    && self.literals
                        [alternative.literals.0 as usize..alternative.literals.1 as usize]
                        .iter()
                        .all(|&(primitive, negated)| holds(primitive) != negated)
            })
        })
    }
}

/// Truth of an expression when the handedness relation of its atom is `state`: none stated,
/// or stated and equal to an anticlockwise mark or to a clockwise one.
pub(crate) fn holds_with_handedness(
    expression: &Expression<P>,
    state: Option<bool>,
    mut holds: impl FnMut(P) -> bool,
) -> bool {
    evaluate(expression, |primitive| match primitive {
        P::Chirality { clockwise, or_unspecified } => match state {
            None => or_unspecified,
            Some(found) => found == clockwise,
        },
        other => holds(other),
    })
}
