//! Why a fingerprint cannot be made.

use std::fmt;

use synthon_budget::Stop;

/// The kind of a fault; its [`code`](FpErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FpErrorKind {
    /// A name that no scheme has.
    UnknownScheme,
    /// A size that the scheme cannot be folded to.
    Size,
    /// A parameter outside its range, such as a shortest path longer than the longest.
    Parameter,
    /// A molecule whose fingerprint would take too much memory.
    TooLarge,
    /// Counts of a scheme that has none.
    NoCounts,
    /// The budget ran out.
    Stopped(Stop),
}

impl FpErrorKind {
    /// Stable name, such as `fingerprint.size`.
    pub fn code(self) -> &'static str {
        match self {
            FpErrorKind::UnknownScheme => "fingerprint.scheme",
            FpErrorKind::Size => "fingerprint.size",
            FpErrorKind::Parameter => "fingerprint.parameter",
            FpErrorKind::TooLarge => "fingerprint.too_large",
            FpErrorKind::NoCounts => "fingerprint.no_counts",
            FpErrorKind::Stopped(_) => "fingerprint.stopped",
        }
    }
}

/// A fingerprint that was refused: kind, sentence and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FpError {
    kind: FpErrorKind,
    message: String,
    hint: Option<String>,
}

impl FpError {
    pub(crate) fn new(kind: FpErrorKind, message: impl Into<String>) -> Self {
        FpError { kind, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> FpErrorKind {
        self.kind
    }

    /// Stable code of the kind.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone, without repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for FpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FpError {}

impl From<Stop> for FpError {
    fn from(stop: Stop) -> Self {
        FpError::new(FpErrorKind::Stopped(stop), "the fingerprint was stopped by its limit")
    }
}
