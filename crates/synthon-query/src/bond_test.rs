//! Bond expressions as truth tables over the kinds of bonds.

use crate::expression::{BondPrimitive as P, Expression, evaluate};
use synthon_mol::{Bond, BondOrder};

/// Kinds of bonds: eight orders (dative forwards and backwards apart), in a ring or not.
pub(crate) const CLASSES: usize = 16;
const ALL: u16 = u16::MAX;
/// Two bits for each order: bit 0 not in a ring, bit 1 in a ring.
const IN_RING: u16 = 0b1010_1010_1010_1010;
const DATIVE_FORWARD: u16 = 0b11 << 10;
const DATIVE_BACKWARD: u16 = 0b11 << 12;

/// One kind of bond, as a single bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BondClass(pub(crate) u16);

impl BondClass {
    /// The position of the bit.
    pub(crate) fn index(self) -> usize {
        self.0.trailing_zeros() as usize
    }
}

/// Bits of an order, in a ring or not.
const fn order_bits(order: BondOrder) -> u16 {
    0b11 << match order {
        BondOrder::Single => 0,
        BondOrder::Double => 2,
        BondOrder::Triple => 4,
        BondOrder::Quadruple => 6,
        BondOrder::Aromatic => 8,
        BondOrder::Dative => 10,
        BondOrder::Unspecified => 14,
    }
}

/// The kind of a bond of this order, seen from its begin atom (`forward`) or from its end atom.
pub(crate) fn class(bond: &Bond, order: BondOrder, forward: bool) -> BondClass {
    let mut bits = order_bits(order);
    if bits == DATIVE_FORWARD && !forward {
        bits = DATIVE_BACKWARD;
    }
    BondClass(bits & if bond.in_ring() { IN_RING } else { !IN_RING })
}

/// A bond expression, read from begin to end atom.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BondTest {
    /// Kinds that match under some direction.
    pub(crate) any: u16,
    /// Kinds that match a bond without direction, pointing up, pointing down.
    pub(crate) by_direction: [u16; 3],
    /// The expression holds a direction mark.
    pub(crate) directed: bool,
}

impl BondTest {
    pub(crate) fn new(expression: &Expression<P>) -> Self {
        // Nearly all expressions are one primitive.
        if let [literal] = expression
            && !literal.negated
            && !matches!(literal.primitive, P::Direction { .. })
        {
            let bits = primitive_bits(literal.primitive, 0);
            return BondTest { any: bits, by_direction: [bits; 3], directed: false };
        }
        let directed = expression.iter().any(|l| matches!(l.primitive, P::Direction { .. }));
        let mut by_direction = [0; 3];
        for (direction, table) in by_direction.iter_mut().enumerate() {
            for class in 0..CLASSES {
                let holds =
                    evaluate(expression, |p| primitive_bits(p, direction) >> class & 1 == 1);
                *table |= (holds as u16) << class;
            }
        }
        BondTest { any: by_direction.iter().fold(0, |a, b| a | b), by_direction, directed }
    }

    /// The kinds that match when the bond is walked from begin to end atom, or the other way.
    pub(crate) fn walked(&self, forward: bool) -> u16 {
        if forward { self.any } else { reverse(self.any) }
    }

    /// The kinds that match when the bond is walked from either end.
    pub(crate) fn any_way_round(&self) -> u16 {
        self.any | reverse(self.any)
    }

    /// Whether a bond that can carry a geometry, or an aromatic one, may match. One with a
    /// direction mark stands beside such a bond.
    pub(crate) fn may_be_stereogenic(&self) -> bool {
        !self.directed
            && self.any & (order_bits(BondOrder::Double) | order_bits(BondOrder::Aromatic)) != 0
    }

    /// Whether a dative bond may match.
    pub(crate) fn may_be_dative(&self) -> bool {
        self.any & (DATIVE_FORWARD | DATIVE_BACKWARD) != 0
    }

    /// Demands a ring bond.
    pub(crate) fn restrict_to_rings(&mut self) {
        self.any &= IN_RING;
        for table in &mut self.by_direction {
            *table &= IN_RING;
        }
    }
}

/// The table seen from the other end.
fn reverse(table: u16) -> u16 {
    table & !(DATIVE_FORWARD | DATIVE_BACKWARD)
        | (table & DATIVE_FORWARD) << 2
        | (table & DATIVE_BACKWARD) >> 2
}

/// Kinds of bonds that a primitive matches, for a bond with direction 0 (none), 1 (up), 2 (down).
fn primitive_bits(primitive: P, direction: usize) -> u16 {
    match primitive {
        P::Any => ALL,
        P::SingleOrAromatic => order_bits(BondOrder::Single) | order_bits(BondOrder::Aromatic),
        P::Single => order_bits(BondOrder::Single),
        P::Double => order_bits(BondOrder::Double),
        P::Triple => order_bits(BondOrder::Triple),
        P::Quadruple => order_bits(BondOrder::Quadruple),
        P::Aromatic => order_bits(BondOrder::Aromatic),
        P::Dative(true) => DATIVE_FORWARD,
        P::Dative(false) => DATIVE_BACKWARD,
        P::Ring => IN_RING & ALL,
        P::Direction { up, or_unspecified } => {
            let holds = match direction {
                0 => or_unspecified,
                1 => up,
                _ => !up,
            };
            // Aromatic too: the ring bond beside an exocyclic `/N=c\c` carries a mark.
            if holds { primitive_bits(P::SingleOrAromatic, direction) } else { 0 }
        }
    }
}
