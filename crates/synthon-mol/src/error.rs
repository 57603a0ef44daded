//! What is wrong with an input, where, and what would be accepted.

use std::fmt;
use std::ops::Range;

/// The kind of a fault; its [`code`](MolErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MolErrorKind {
    /// The text is not SMILES at this place.
    Syntax,
    /// More atoms, bonds or text than the caller allows.
    TooLarge,
}

impl MolErrorKind {
    /// Stable name, such as `smiles.syntax`.
    pub fn code(self) -> &'static str {
        match self {
            MolErrorKind::Syntax => "smiles.syntax",
            MolErrorKind::TooLarge => "smiles.too_large",
        }
    }
}

/// A molecule that was refused: kind, sentence, place and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MolError {
    kind: MolErrorKind,
    message: String,
    span: Option<Range<usize>>,
    atoms: Vec<u32>,
    hint: Option<String>,
}

impl MolError {
    /// A fault of this kind, described by one short sentence without place or repair.
    pub fn new(kind: MolErrorKind, message: impl Into<String>) -> Self {
        MolError { kind, message: message.into(), span: None, atoms: Vec::new(), hint: None }
    }

    /// Adds the place: a byte range of the input text.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds the atoms concerned, zero-based in input order.
    pub fn with_atoms(mut self, atoms: Vec<u32>) -> Self {
        self.atoms = atoms;
        self
    }

    /// Adds a repair to try.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> MolErrorKind {
        self.kind
    }

    /// Stable code of the kind, such as `smiles.unclosed_ring`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without place and repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Byte range of the input text, where one is to blame.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// The atoms concerned, zero-based in input order.
    pub fn atoms(&self) -> &[u32] {
        &self.atoms
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for MolError {
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

impl std::error::Error for MolError {}
