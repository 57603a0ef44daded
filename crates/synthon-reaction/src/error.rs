//! What is wrong with a template, where, and what would be accepted.

use std::fmt;
use std::ops::Range;

/// A side of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before the arrow: searched in the molecule.
    Product,
    /// After the arrow: what the match is rewritten to.
    Precursor,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Product => "product",
            Side::Precursor => "precursor",
        })
    }
}

/// The kind of a fault; its [`code`](ReactionErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReactionErrorKind {
    /// No `>>` in the text, or more arrows than one.
    Arrow,
    /// A side without atoms.
    EmptySide,
    /// A side is not SMARTS.
    Pattern,
    /// A map number occurs twice on one side.
    RepeatedMap,
    /// A map number of the precursor side is absent from the product side.
    UnknownMap,
    /// No atom of the product side is mapped to the precursor side.
    NotMapped,
    /// A new atom of the precursor side does not state one element.
    NoElement,
    /// A mapped atom is of another element on the other side.
    ElementChanges,
    /// The product side has atoms that the precursor side does not account for.
    Unbalanced,
    /// More atoms or text than allowed.
    TooLarge,
    /// The bytes of an index are damaged, or were written by another version.
    Index,
}

impl ReactionErrorKind {
    /// Stable name, such as `reaction.repeated_map`.
    pub fn code(self) -> &'static str {
        match self {
            ReactionErrorKind::Arrow => "reaction.arrow",
            ReactionErrorKind::EmptySide => "reaction.empty_side",
            ReactionErrorKind::Pattern => "reaction.pattern",
            ReactionErrorKind::RepeatedMap => "reaction.repeated_map",
            ReactionErrorKind::UnknownMap => "reaction.unknown_map",
            ReactionErrorKind::NotMapped => "reaction.not_mapped",
            ReactionErrorKind::NoElement => "reaction.no_element",
            ReactionErrorKind::ElementChanges => "reaction.element_changes",
            ReactionErrorKind::Unbalanced => "reaction.unbalanced",
            ReactionErrorKind::TooLarge => "reaction.too_large",
            ReactionErrorKind::Index => "reaction.index",
        }
    }
}

/// A template that was refused: kind, sentence, place and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactionError {
    kind: ReactionErrorKind,
    message: String,
    span: Option<Range<usize>>,
    side: Option<Side>,
    maps: Vec<u32>,
    hint: Option<String>,
}

impl ReactionError {
    /// A fault of this kind, described by one short sentence without place or repair.
    pub fn new(kind: ReactionErrorKind, message: impl Into<String>) -> Self {
        ReactionError {
            kind,
            message: message.into(),
            span: None,
            side: None,
            maps: Vec::new(),
            hint: None,
        }
    }

    /// Adds the place: a byte range of the template's text.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds the side concerned.
    pub fn on(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    /// Adds the map numbers concerned.
    pub fn with_maps(mut self, maps: Vec<u32>) -> Self {
        self.maps = maps;
        self
    }

    /// Adds a repair to try.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> ReactionErrorKind {
        self.kind
    }

    /// Stable code of the kind, such as `reaction.repeated_map`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without place and repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Byte range of the template's text, where one is to blame.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// The side concerned.
    pub fn side(&self) -> Option<Side> {
        self.side
    }

    /// The map numbers concerned, ascending.
    pub fn maps(&self) -> &[u32] {
        &self.maps
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for ReactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(span) = &self.span {
            write!(f, " at position {}", span.start)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ReactionError {}
