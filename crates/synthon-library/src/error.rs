//! What is wrong with a library: file, line, reason, repair.

use std::fmt;

/// The kind of a fault; its [`code`](LibraryErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LibraryErrorKind {
    /// A file that could not be read.
    Read,
    /// Not TOML, or a key that is unknown, missing or of the wrong type.
    Syntax,
    /// An abbreviation `{name}` that is not defined, or defined in terms of itself.
    Macro,
    /// A pattern or template that the engine refuses.
    Template,
    /// A product atom that comes from nowhere.
    Unbalanced,
    /// A name that is used twice.
    Duplicate,
    /// A reaction family outside the closed list.
    UnknownFamily,
    /// A functional group that is not defined.
    UnknownGroup,
    /// A number outside its bounds.
    Value,
    /// More text or templates than the caller allows.
    TooLarge,
    /// No template, or no reaction, at all.
    Empty,
    /// A table without a column that is needed.
    Column,
    /// A file of a built library that is cut short, damaged, or of another version.
    Damaged,
}

impl LibraryErrorKind {
    /// Stable name, such as `library.unknown_family`.
    pub fn code(self) -> &'static str {
        match self {
            LibraryErrorKind::Read => "library.read",
            LibraryErrorKind::Syntax => "library.syntax",
            LibraryErrorKind::Macro => "library.macro",
            LibraryErrorKind::Template => "library.template",
            LibraryErrorKind::Unbalanced => "library.unbalanced",
            LibraryErrorKind::Duplicate => "library.duplicate",
            LibraryErrorKind::UnknownFamily => "library.unknown_family",
            LibraryErrorKind::UnknownGroup => "library.unknown_group",
            LibraryErrorKind::Value => "library.value",
            LibraryErrorKind::TooLarge => "library.too_large",
            LibraryErrorKind::Empty => "library.empty",
            LibraryErrorKind::Column => "library.column",
            LibraryErrorKind::Damaged => "library.damaged",
        }
    }
}

/// A library that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    kind: LibraryErrorKind,
    message: String,
    file: Option<String>,
    line: Option<usize>,
    hint: Option<String>,
}

impl LibraryError {
    pub(crate) fn new(kind: LibraryErrorKind, message: impl Into<String>) -> Self {
        LibraryError { kind, message: message.into(), file: None, line: None, hint: None }
    }

    pub(crate) fn at(mut self, file: &str, line: Option<usize>) -> Self {
        self.file = Some(file.to_owned());
        self.line = line;
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> LibraryErrorKind {
        self.kind
    }

    /// Stable name of the kind.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// What was found, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// File, as the caller named it.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Line of the file, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What would be accepted.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            _ => {}
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LibraryError {}
