//! Why the port gave no answer.

use std::fmt;

/// The kind of a fault; its [`code`](ToolkitErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolkitErrorKind {
    /// More atoms than [`MAX_ATOMS`](crate::MAX_ATOMS).
    TooLarge,
    /// The port has no answer for this molecule, such as an InChI for a wildcard atom.
    Refused,
    /// The port panicked or contradicted itself.
    Internal,
}

impl ToolkitErrorKind {
    /// Stable name, such as `toolkit.refused`.
    pub fn code(self) -> &'static str {
        match self {
            ToolkitErrorKind::TooLarge => "toolkit.too_large",
            ToolkitErrorKind::Refused => "toolkit.refused",
            ToolkitErrorKind::Internal => "toolkit.internal",
        }
    }
}

/// A question without an answer: kind, sentence and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolkitError {
    kind: ToolkitErrorKind,
    message: String,
    hint: Option<&'static str>,
}

impl ToolkitError {
    pub(crate) fn new(kind: ToolkitErrorKind, message: impl Into<String>) -> Self {
        ToolkitError { kind, message: message.into(), hint: None }
    }

    pub(crate) fn refused(question: &str, reason: impl fmt::Display) -> Self {
        Self::new(ToolkitErrorKind::Refused, format!("No {question} for this molecule: {reason}"))
    }

    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> ToolkitErrorKind {
        self.kind
    }

    /// Stable code of the kind, such as `toolkit.too_large`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without a repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint
    }
}

impl fmt::Display for ToolkitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ToolkitError {}
