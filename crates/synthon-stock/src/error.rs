//! What is wrong with a stock as a whole. Single bad lines are reported, not refused, see
//! [`LoadReport`](crate::LoadReport).

use std::fmt;

/// The kind of a fault; its [`code`](StockErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StockErrorKind {
    /// The file could not be read.
    Read,
    /// A CSV file without the column that was asked for, or without a header.
    Column,
    /// More entries or more text than the caller allows.
    TooLarge,
    /// Not a single line gave a molecule.
    Empty,
    /// A compiled index that does not belong to its text, or to this version of the engine.
    Index,
}

impl StockErrorKind {
    /// Stable name, such as `stock.column`.
    pub fn code(self) -> &'static str {
        match self {
            StockErrorKind::Read => "stock.read",
            StockErrorKind::Column => "stock.column",
            StockErrorKind::TooLarge => "stock.too_large",
            StockErrorKind::Empty => "stock.empty",
            StockErrorKind::Index => "stock.index",
        }
    }
}

/// A stock that was refused: kind, sentence, line and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockError {
    kind: StockErrorKind,
    message: String,
    line: Option<u64>,
    hint: Option<String>,
}

impl StockError {
    pub(crate) fn new(kind: StockErrorKind, message: impl Into<String>) -> Self {
        StockError { kind, message: message.into(), line: None, hint: None }
    }

    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> StockErrorKind {
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

    /// Line of the input, counted from 1.
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What would be accepted.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for StockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for StockError {}
