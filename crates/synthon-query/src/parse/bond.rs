//! Bond expressions.

use super::Parser;
use crate::expression::{BondPrimitive, Join, Literal};
use crate::{QueryError, QueryErrorKind};

/// A bond expression read and not yet used.
#[derive(Clone, Copy)]
pub(super) struct PendingBond {
    pub(super) literals: (u32, u32),
    pub(super) span: (u32, u32),
}

impl Parser<'_> {
    /// Reads the bond expression that starts here, if one does.
    pub(super) fn bond(&mut self) -> Result<Option<PendingBond>, QueryError> {
        let (from, start) = (self.bond_literals.len() as u32, self.at);
        let mut join = Join::And;
        loop {
            let mut negated = false;
            let operator_end = self.at;
            while self.accept(b'!') {
                negated = !negated;
            }
            let primitive = self.bond_primitive();
            match primitive {
                Some(primitive) => {
                    self.bond_literals.push(Literal { join, negated, primitive });
                }
                None if self.at > start => {
                    let place = self.at.min(self.text.len());
                    let error = QueryError::new(
                        QueryErrorKind::Bond,
                        "Expected bond primitive in SMARTS",
                        place..(place + 1).min(self.text.len()).max(place),
                    );
                    let doubled = operator_end > start && self.at == operator_end;
                    return Err(if doubled {
                        error.with_hint("write one operator between two bond primitives")
                    } else {
                        error.with_hint("write one of - = # $ : ~ @ / \\ after the operator")
                    });
                }
                None => return Ok(None),
            }
            join = match self.peek() {
                Some(b'&') => Join::And,
                Some(b',') => Join::Or,
                Some(b';') => Join::LowAnd,
                Some(b'-' | b'=' | b'#' | b'$' | b':' | b'~' | b'@' | b'/' | b'\\' | b'!') => {
                    join = Join::And;
                    continue;
                }
                Some(b'<') if self.peek_at(1) == Some(b'-') => {
                    join = Join::And;
                    continue;
                }
                _ => {
                    return Ok(Some(PendingBond {
                        literals: (from, self.bond_literals.len() as u32),
                        span: (start as u32, self.at as u32),
                    }));
                }
            };
            self.at += 1;
        }
    }

    fn bond_primitive(&mut self) -> Option<BondPrimitive> {
        let primitive = match self.peek()? {
            b'-' if self.peek_at(1) == Some(b'>') && self.peek_at(2) != Some(b'>') => {
                self.at += 1;
                BondPrimitive::Dative(true)
            }
            b'<' if self.peek_at(1) == Some(b'-') => {
                self.at += 1;
                BondPrimitive::Dative(false)
            }
            b'-' => BondPrimitive::Single,
            b'=' => BondPrimitive::Double,
            b'#' => BondPrimitive::Triple,
            b'$' => BondPrimitive::Quadruple,
            b':' => BondPrimitive::Aromatic,
            b'~' => BondPrimitive::Any,
            b'@' => BondPrimitive::Ring,
            mark @ (b'/' | b'\\') => {
                let or_unspecified = self.peek_at(1) == Some(b'?');
                self.at += or_unspecified as usize;
                BondPrimitive::Direction { up: mark == b'/', or_unspecified }
            }
            _ => return None,
        };
        self.at += 1;
        Some(primitive)
    }

    /// Turns an expression around, so that it speaks from end to begin.
    pub(super) fn reverse_bond(&mut self, literals: (u32, u32)) {
        for literal in &mut self.bond_literals[literals.0 as usize..literals.1 as usize] {
            match &mut literal.primitive {
                BondPrimitive::Dative(forward) => *forward = !*forward,
                BondPrimitive::Direction { up, .. } => *up = !*up,
                _ => {}
            }
        }
    }
}
