//! The words of an atom or bond expression, and how they are joined.
//!
//! SMARTS has no parentheses inside an expression and four levels of operators, so every
//! expression is "all of (any of (all of (perhaps-negated primitives)))". It is kept as the flat
//! list of its literals, each with the operator that stood before it.

use synthon_mol::Element;

/// A range of a count, both ends included; `D2` is 2 to 2, `D{2-}` is 2 to [`Count::NO_LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// Least value.
    pub min: u16,
    /// Greatest value.
    pub max: u16,
}

impl Count {
    /// The greatest value of a range that is open above.
    pub const NO_LIMIT: u16 = u16::MAX;

    /// Exactly this number.
    pub const fn exactly(n: u16) -> Self {
        Count { min: n, max: n }
    }

    /// This number or more.
    pub const fn at_least(n: u16) -> Self {
        Count { min: n, max: Self::NO_LIMIT }
    }

    /// Whether the value lies in the range.
    #[inline]
    pub const fn contains(self, value: u16) -> bool {
        self.min <= value && value <= self.max
    }

    /// The number, when there is only one.
    pub const fn single(self) -> Option<u16> {
        if self.min == self.max { Some(self.min) } else { None }
    }
}

/// One test of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomPrimitive {
    /// `*`: any atom.
    Any,
    /// `A`: any aliphatic atom.
    Aliphatic,
    /// `a`: any aromatic atom.
    Aromatic,
    /// `#6`, and `[H]` alone: the element, aromatic or not.
    Number(Element),
    /// `C`, `c`: the element, aliphatic or aromatic.
    Symbol(Element, bool),
    /// `12`: mass number; 0 asks for an unstated one.
    Isotope(u16),
    /// A molecule query's mass number: an atom with an unstated one matches too.
    IsotopeIfStated(u16),
    /// `+`, `-`, `+2`, `+{1-2}`: least and greatest formal charge.
    Charge(i16, i16),
    /// `D`: explicit neighbours.
    Degree(Count),
    /// `d`: neighbours other than hydrogen; as in RDKit, one with a mass number counts.
    HeavyDegree(Count),
    /// `H`: hydrogens, folded ones and neighbours.
    Hydrogens(Count),
    /// `h`: hydrogens that are not atoms of the graph.
    ImplicitHydrogens(Count),
    /// `X`: neighbours including hydrogens.
    Connectivity(Count),
    /// `v`: sum of bond orders including hydrogens.
    Valence(Count),
    /// `x`: ring bonds.
    RingBonds(Count),
    /// `R`: rings of a smallest set that hold the atom.
    RingCount(Count),
    /// `r`: size of the smallest ring that holds the atom, 0: none.
    SmallestRing(Count),
    /// `k`: some ring of this size holds the atom; 0 to 0: it lies in no ring.
    AnyRing(Count),
    /// `z`: neighbours that are neither carbon nor hydrogen.
    HeteroNeighbours(Count),
    /// `Z`: the same, aliphatic ones only.
    AliphaticHeteroNeighbours(Count),
    /// `^n`: hybridisation as RDKit numbers it: 0 s, 1 sp, 2 sp2, 3 sp3, 4 sp3d, 5 sp3d2.
    Hybridisation(u8),
    /// `@`, `@@`, `@?`, `@@?`: tetrahedral handedness relative to the ligands in the order of
    /// [`QueryGraph::neighbours`](crate::QueryGraph::neighbours), an implied ligand last.
    Chirality {
        /// `@@` in that order.
        clockwise: bool,
        /// `?`: atoms without a stated handedness match too.
        or_unspecified: bool,
    },
    /// `$(...)`: the atom matches the first atom of that graph of the pattern.
    Recursive(u32),
}

/// One test of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BondPrimitive {
    /// `~`
    Any,
    /// Nothing written: single or aromatic.
    SingleOrAromatic,
    /// `-`: single and not aromatic.
    Single,
    /// `=`
    Double,
    /// `#`
    Triple,
    /// `$`
    Quadruple,
    /// `:`
    Aromatic,
    /// `->` (true) from begin to end atom, `<-` (false) the other way.
    Dative(bool),
    /// `@`: in a ring.
    Ring,
    /// `/`, `\`, `/?`, `\?`: a single or aromatic bond with a direction from begin to end atom.
    Direction {
        /// `/`.
        up: bool,
        /// `?`: a double bond without stated geometry matches too.
        or_unspecified: bool,
    },
}

impl BondPrimitive {
    /// `=`, `#`, `$` or `:`. Where the expression of a bond begins so, its atoms count as
    /// unsaturated in the reading of their chirality marks.
    pub fn is_unsaturated(self) -> bool {
        matches!(self, Self::Double | Self::Triple | Self::Quadruple | Self::Aromatic)
    }
}

/// The operator before a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// `&` or nothing: binds tightest. The first literal of an expression has this too.
    And,
    /// `,`
    Or,
    /// `;`: binds loosest.
    LowAnd,
}

/// A primitive with its negation and the operator before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Literal<P> {
    /// The operator that joins this to what stands before; meaningless on the first literal.
    pub join: Join,
    /// Whether an odd number of `!` stood before the primitive.
    pub negated: bool,
    /// What is tested.
    pub primitive: P,
}

/// The flat list of an expression's literals.
pub type Expression<P> = [Literal<P>];

/// The parts joined by `;`, each a non-empty sub-expression of `,` and `&`.
pub fn clauses<P>(expression: &Expression<P>) -> impl Iterator<Item = &Expression<P>> {
    split(expression, |join| join == Join::LowAnd)
}

/// The alternatives of one clause, joined by `,`, each a non-empty list of literals that must
/// all hold.
pub fn alternatives<P>(clause: &Expression<P>) -> impl Iterator<Item = &Expression<P>> {
    split(clause, |join| join == Join::Or)
}

fn split<P>(
    mut rest: &Expression<P>,
    at: impl Fn(Join) -> bool,
) -> impl Iterator<Item = &Expression<P>> {
    std::iter::from_fn(move || {
        rest.first()?;
        let end = rest.iter().skip(1).position(|l| at(l.join)).map_or(rest.len(), |i| i + 1);
        let (part, tail) = rest.split_at(end);
        rest = tail;
        Some(part)
    })
}

/// Truth of an expression, given the truth of its primitives; primitives that cannot change the
/// result are not asked for.
pub fn evaluate<P: Copy>(expression: &Expression<P>, mut holds: impl FnMut(P) -> bool) -> bool {
    clauses(expression).all(|clause| {
        alternatives(clause).any(|all| all.iter().all(|l| holds(l.primitive) != l.negated))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(join: Join, negated: bool, primitive: u8) -> Literal<u8> {
        Literal { join, negated, primitive }
    }

    #[test]
    fn operators_bind_as_in_smarts() {
        // 1 , 2 & !3 ; 4
        let e = [
            literal(Join::And, false, 1),
            literal(Join::Or, false, 2),
            literal(Join::And, true, 3),
            literal(Join::LowAnd, false, 4),
        ];
        for bits in 0..16u8 {
            let on = |p: u8| bits >> (p - 1) & 1 == 1;
            let expected = (on(1) || (on(2) && !on(3))) && on(4);
            assert_eq!(evaluate(&e, on), expected, "{bits:04b}");
        }
    }
}
