//! Why there is no drawing.

use std::fmt;

use synthon_toolkit::{ToolkitError, ToolkitErrorKind};

/// The kind of a fault; its [`code`](DepictErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DepictErrorKind {
    /// More atoms, drawings or bytes than can be drawn.
    TooLarge,
    /// No coordinates could be found.
    Layout,
    /// The time allowed has passed.
    TimedOut,
    /// A finished drawing did not pass the check that all have to pass.
    Unsafe,
    /// The picture could not be made.
    Picture,
}

impl DepictErrorKind {
    /// Stable name, such as `depict.too_large`.
    pub fn code(self) -> &'static str {
        match self {
            DepictErrorKind::TooLarge => "depict.too_large",
            DepictErrorKind::Layout => "depict.layout",
            DepictErrorKind::TimedOut => "depict.timed_out",
            DepictErrorKind::Unsafe => "depict.unsafe",
            DepictErrorKind::Picture => "depict.picture",
        }
    }
}

/// A drawing that was not made: kind, sentence and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepictError {
    kind: DepictErrorKind,
    message: String,
    hint: Option<String>,
}

impl DepictError {
    /// For those who draw with this crate and find a fault themselves.
    pub fn new(kind: DepictErrorKind, message: impl Into<String>) -> Self {
        DepictError { kind, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> DepictErrorKind {
        self.kind
    }

    /// Stable code of the kind, such as `depict.layout`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without a repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<ToolkitError> for DepictError {
    fn from(error: ToolkitError) -> Self {
        let kind = match error.kind() {
            ToolkitErrorKind::TooLarge => DepictErrorKind::TooLarge,
            _ => DepictErrorKind::Layout,
        };
        DepictError {
            kind,
            message: error.message().to_string(),
            hint: error.hint().map(str::to_string),
        }
    }
}

impl fmt::Display for DepictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DepictError {}
