//! What is wrong with an input, where, and what would be accepted.

use std::fmt;
use std::ops::Range;

/// The kind of a fault; its [`code`](MolErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MolErrorKind {
    /// No text, or nothing but blanks.
    Empty,
    /// The text is not SMILES at this place.
    Syntax,
    /// More atoms, bonds or text than the caller allows.
    TooLarge,
    /// A `[` without `]`.
    UnclosedBracket,
    /// Something inside brackets that is not an atom.
    BadBracketAtom,
    /// A `(` without `)`.
    UnclosedBranch,
    /// A ring-closure number that is used once only.
    UnclosedRing,
    /// A ring closure from an atom to itself, or between atoms that are bonded already.
    BadRingClosure,
    /// A chirality mark with a number that its class does not have.
    BadChirality,
    /// A graph that is none: a bond to a missing atom, to itself, or a second one.
    BadGraph,
    /// An atom with more bonds and hydrogens than its element and charge allow.
    Valence,
    /// Aromatic atoms whose double bonds cannot be placed.
    Kekule,
    /// An aromatic atom outside any ring.
    AromaticOutsideRing,
    /// A molfile with something else than the format allows at this place.
    MolfileSyntax,
    /// A molfile that ends too early.
    MolfileTruncated,
    /// A molfile with an atom symbol that means nothing.
    MolfileSymbol,
    /// A molfile that is a query: some bond has no order.
    MolfileQuery,
    /// A molfile with more atoms than the caller allows, or coordinates beyond all measure.
    MolfileTooLarge,
    /// A molfile without atoms.
    MolfileEmpty,
    /// A molecule, or coordinates, that a molfile cannot state.
    MolfileUnwritable,
    /// A molfile of a version that does not exist.
    MolfileVersion,
}

impl MolErrorKind {
    /// Stable name, such as `smiles.syntax`.
    pub fn code(self) -> &'static str {
        match self {
            MolErrorKind::Empty => "smiles.empty",
            MolErrorKind::Syntax => "smiles.syntax",
            MolErrorKind::TooLarge => "smiles.too_large",
            MolErrorKind::UnclosedBracket => "smiles.unclosed_bracket",
            MolErrorKind::BadBracketAtom => "smiles.bracket_atom",
            MolErrorKind::UnclosedBranch => "smiles.unclosed_branch",
            MolErrorKind::UnclosedRing => "smiles.unclosed_ring",
            MolErrorKind::BadRingClosure => "smiles.ring_closure",
            MolErrorKind::BadChirality => "smiles.chirality",
            MolErrorKind::BadGraph => "molecule.graph",
            MolErrorKind::Valence => "molecule.valence",
            MolErrorKind::Kekule => "molecule.kekule",
            MolErrorKind::AromaticOutsideRing => "molecule.aromatic_outside_ring",
            MolErrorKind::MolfileSyntax => "molfile.syntax",
            MolErrorKind::MolfileTruncated => "molfile.truncated",
            MolErrorKind::MolfileSymbol => "molfile.symbol",
            MolErrorKind::MolfileQuery => "molfile.query",
            MolErrorKind::MolfileTooLarge => "molfile.too_large",
            MolErrorKind::MolfileEmpty => "molfile.empty",
            MolErrorKind::MolfileUnwritable => "molfile.unwritable",
            MolErrorKind::MolfileVersion => "molfile.version",
        }
    }
}

/// A molecule that was refused: kind, sentence, place and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MolError {
    kind: MolErrorKind,
    message: String,
    span: Option<Range<usize>>,
    line: Option<(u32, u32)>,
    atoms: Vec<u32>,
    hint: Option<String>,
}

impl MolError {
    /// A fault of this kind, described by one short sentence without place or repair.
    pub fn new(kind: MolErrorKind, message: impl Into<String>) -> Self {
        MolError {
            kind,
            message: message.into(),
            span: None,
            line: None,
            atoms: Vec::new(),
            hint: None,
        }
    }

    /// Adds the place: a byte range of the input text.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds the line and the column in it, both counted from one, for texts of several lines.
    pub fn on_line(mut self, line: u32, column: u32) -> Self {
        self.line = Some((line, column));
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

    /// Line and column, both counted from one, in a text of several lines.
    pub fn line(&self) -> Option<(u32, u32)> {
        self.line
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
        // Some sentences name the place themselves.
        if let Some((line, column)) = self.line {
            write!(f, " on line {line}, column {column}")?;
        } else if let Some(span) = &self.span
            && !self.message.contains("position")
        {
            write!(f, " at position {}", span.start)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for MolError {}

/// A character as a message may show it: one that cannot be seen, or that would steer a terminal,
/// as its code.
#[must_use]
pub fn shown_character(c: char) -> String {
    match c {
        '\'' | '"' | '\\' => c.to_string(),
        _ => c.escape_debug().to_string(),
    }
}

/// Whether a character ends lines, steers terminals or turns the direction of writing: nothing
/// that a name may do to the text around it. Tabs count, too.
#[must_use]
pub fn is_steering(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Line and paragraph separator; marks, embeddings, overrides and isolates.
            '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}
