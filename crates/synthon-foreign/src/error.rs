//! What is wrong with what another planner left: file, line, reason, repair.

use std::fmt;

/// The kind of a fault; its [`code`](ForeignErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignErrorKind {
    /// A file that could not be read, or is larger than allowed.
    Read,
    /// Not YAML, or a key of the wrong type.
    Syntax,
    /// Something that only the other planner knows.
    Unsupported,
    /// A table of templates without the column, or with a text that is no template.
    Templates,
    /// A network that could not be read, or does not fit its templates.
    Network,
}

impl ForeignErrorKind {
    /// Stable name, such as `foreign.network`.
    pub fn code(self) -> &'static str {
        match self {
            ForeignErrorKind::Read => "foreign.read",
            ForeignErrorKind::Syntax => "foreign.syntax",
            ForeignErrorKind::Unsupported => "foreign.unsupported",
            ForeignErrorKind::Templates => "foreign.templates",
            ForeignErrorKind::Network => "foreign.network",
        }
    }
}

/// A configuration that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignError {
    kind: ForeignErrorKind,
    message: String,
    file: String,
    line: Option<u64>,
    hint: Option<&'static str>,
}

impl ForeignError {
    pub(crate) fn new(kind: ForeignErrorKind, file: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        ForeignError { kind, message, file: file.to_owned(), line: None, hint: None }
    }

    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> ForeignErrorKind {
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

    /// File, as the configuration or the caller named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Line of the file, counted from 1.
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What would be accepted.
    pub fn hint(&self) -> Option<&str> {
        self.hint
    }
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message)?,
            None => write!(f, "{}: {}", self.file, self.message)?,
        }
        match self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ForeignError {}
