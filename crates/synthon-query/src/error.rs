//! What is wrong with a SMARTS text, where, and what would be accepted.

use std::fmt;
use std::ops::Range;

/// The kind of a fault; its [`code`](QueryErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryErrorKind {
    /// No pattern in the text.
    Empty,
    /// A character that has no meaning at this place.
    UnexpectedCharacter,
    /// No element has this symbol or number.
    UnknownElement,
    /// An atom bracket is not closed.
    UnclosedBracket,
    /// A parenthesis is not closed, or closes nothing.
    UnbalancedParenthesis,
    /// A ring closure number is used once only.
    UnclosedRing,
    /// A ring closure that cannot be: no atom before it, both ends on one atom, a second bond
    /// between two atoms, or a number that is not written as one.
    RingClosure,
    /// The two ends of a ring closure say different bonds.
    RingBondConflict,
    /// A bond expression without a primitive, or a bond that leads nowhere.
    Bond,
    /// A number is missing, out of range, or an empty range.
    Number,
    /// A component or branch without atoms.
    EmptyPart,
    /// Recursive SMARTS nested too deep.
    TooDeep,
    /// More atoms than the caller allows.
    TooLarge,
    /// A reaction where a pattern is wanted.
    Reaction,
    /// A primitive of another dialect that is not supported here.
    Unsupported,
}

impl QueryErrorKind {
    /// Stable name, such as `smarts.unclosed_ring`.
    pub fn code(self) -> &'static str {
        match self {
            QueryErrorKind::Empty => "smarts.empty",
            QueryErrorKind::UnexpectedCharacter => "smarts.unexpected_character",
            QueryErrorKind::UnknownElement => "smarts.unknown_element",
            QueryErrorKind::UnclosedBracket => "smarts.unclosed_bracket",
            QueryErrorKind::UnbalancedParenthesis => "smarts.unbalanced_parenthesis",
            QueryErrorKind::UnclosedRing => "smarts.unclosed_ring",
            QueryErrorKind::RingClosure => "smarts.ring_closure",
            QueryErrorKind::RingBondConflict => "smarts.ring_bond_conflict",
            QueryErrorKind::Bond => "smarts.bond",
            QueryErrorKind::Number => "smarts.number",
            QueryErrorKind::EmptyPart => "smarts.empty_part",
            QueryErrorKind::TooDeep => "smarts.too_deep",
            QueryErrorKind::TooLarge => "smarts.too_large",
            QueryErrorKind::Reaction => "smarts.reaction",
            QueryErrorKind::Unsupported => "smarts.unsupported",
        }
    }
}

/// A pattern that was refused: kind, sentence, place and, where the intent is clear, a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    kind: QueryErrorKind,
    message: String,
    span: Range<usize>,
    hint: Option<String>,
}

impl QueryError {
    /// A fault of this kind at this byte range of the text, described by one short sentence.
    pub fn new(kind: QueryErrorKind, message: impl Into<String>, span: Range<usize>) -> Self {
        QueryError { kind, message: message.into(), span, hint: None }
    }

    /// Adds a repair to try.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> QueryErrorKind {
        self.kind
    }

    /// Stable code of the kind, such as `smarts.unclosed_ring`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without place and repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Byte range of the input text that is to blame.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        // Some sentences name the place themselves.
        if !self.message.contains(" at pos ") {
            write!(f, " at position {}", self.span.start)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for QueryError {}
