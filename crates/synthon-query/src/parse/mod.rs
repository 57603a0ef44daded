//! From SMARTS text to a [`Pattern`].

mod atom;
mod bond;
mod graph;
#[cfg(test)]
mod tests;

use crate::expression::{AtomPrimitive, BondPrimitive, Join, Literal};
use crate::pattern::{Pattern, QueryGraph, SmartsLimits};
use crate::{QueryError, QueryErrorKind};
use std::ops::Range;
use std::sync::OnceLock;
use synthon_mol::shown_character;

/// The text, the place reached in it, and what has been compiled so far.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    limits: SmartsLimits,
    graphs: Vec<QueryGraph>,
    atom_literals: Vec<Literal<AtomPrimitive>>,
    bond_literals: Vec<Literal<BondPrimitive>>,
    /// Literals of the atoms now open: the one being read, below it those that hold it in a
    /// recursive part.
    open_literals: Vec<Literal<AtomPrimitive>>,
    atom_count: usize,
    /// Byte range and graph of the recursive parts read so far.
    recursions: Vec<(Range<usize>, u32)>,
}

/// The literals of a bond that is not written.
const IMPLIED_BOND: (u32, u32) = (0, 1);

pub(crate) fn parse(text: &str, limits: &SmartsLimits) -> Result<Pattern, QueryError> {
    let start = text.len() - text.trim_start().len();
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |i| start + i);
    if start == end {
        return Err(QueryError::new(
            QueryErrorKind::Empty,
            "SMARTS must be a non-empty string",
            0..text.len(),
        ));
    }
    let implied =
        Literal { join: Join::And, negated: false, primitive: BondPrimitive::SingleOrAromatic };
    let mut parser = Parser {
        text: &text.as_bytes()[..end],
        at: start,
        limits: *limits,
        graphs: Vec::with_capacity(1),
        atom_literals: Vec::with_capacity(end - start),
        bond_literals: Vec::with_capacity(8),
        open_literals: Vec::with_capacity(8),
        atom_count: 0,
        recursions: Vec::new(),
    };
    parser.bond_literals.push(implied);
    parser.graph(0)?;
    let mut pattern = Pattern {
        graphs: parser.graphs,
        atom_literals: parser.atom_literals,
        bond_literals: parser.bond_literals,
        fixed_geometries: Vec::new(),
        program: OnceLock::new(),
        text: Box::default(),
        recursion_spans: Vec::new(),
    };
    // Parts are listed in the order of their graphs, since both are added when a part is closed.
    if !parser.recursions.is_empty() {
        pattern.text = text.into();
        pattern.recursion_spans = parser.recursions.into_iter().map(|(span, _)| span).collect();
    }
    Ok(pattern)
}

impl Parser<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// Steps over `wanted` if it comes next.
    #[inline]
    fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += found as usize;
        found
    }

    /// The whole character at a place, as messages show it.
    fn character_at(&self, at: usize) -> (String, Range<usize>) {
        let rest = std::str::from_utf8(&self.text[at..]).unwrap_or("?");
        match rest.chars().next() {
            Some(c) => (shown_character(c), at..at + c.len_utf8()),
            None => ("?".to_owned(), at..at),
        }
    }

    fn unexpected(&self, at: usize) -> QueryError {
        let (c, span) = self.character_at(at);
        QueryError::new(
            QueryErrorKind::UnexpectedCharacter,
            format!("Unexpected character in SMARTS: '{c}'"),
            span,
        )
    }

    fn unknown_element(&self, at: usize) -> QueryError {
        let (c, span) = self.character_at(at);
        QueryError::new(
            QueryErrorKind::UnknownElement,
            format!("Unknown element in SMARTS: {c}"),
            span,
        )
    }

    /// Reads digits, at most `most` of them; numbers beyond `u32` saturate. `None` without any.
    fn digits(&mut self, most: usize) -> Option<u32> {
        let (start, mut value) = (self.at, 0u32);
        while let Some(digit @ b'0'..=b'9') = self.peek()
            && self.at - start < most
        {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }
}
