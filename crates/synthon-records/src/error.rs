//! What is wrong with a record, and what is wrong with a file as a whole.

use std::fmt;

use synthon_mol::MolError;

/// The kind of a fault of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// More bytes than allowed; the record was passed over without being kept.
    TooLong,
    /// Bytes that are not UTF-8.
    Encoding,
    /// A NUL byte in text.
    Nul,
    /// No molecule where one should stand.
    Empty,
    /// A row of a table that ends before the column with the molecule.
    MissingField,
    /// A record, or the whole input, that stops in its middle.
    Truncated,
    /// The input could not be read on from here.
    Read,
    /// A molecule that was refused.
    Molecule,
    /// A molecule that is one, but of which could not be made what was wanted.
    Unfit,
}

impl RecordErrorKind {
    /// Stable name, such as `record.too_long`.
    pub fn code(self) -> &'static str {
        match self {
            RecordErrorKind::TooLong => "record.too_long",
            RecordErrorKind::Encoding => "record.encoding",
            RecordErrorKind::Nul => "record.nul",
            RecordErrorKind::Empty => "record.empty",
            RecordErrorKind::MissingField => "record.missing_field",
            RecordErrorKind::Truncated => "record.truncated",
            RecordErrorKind::Read => "record.read",
            RecordErrorKind::Molecule => "record.molecule",
            RecordErrorKind::Unfit => "record.unfit",
        }
    }
}

/// A record that gave no molecule: kind, sentence, line and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    kind: RecordErrorKind,
    code: &'static str,
    message: String,
    line: u64,
    position: Option<usize>,
    hint: Option<String>,
}

impl RecordError {
    pub(crate) fn new(kind: RecordErrorKind, line: u64, message: impl Into<String>) -> Self {
        let message = message.into();
        RecordError { kind, code: kind.code(), message, line, position: None, hint: None }
    }

    pub(crate) fn at(mut self, position: usize) -> Self {
        self.position = Some(position);
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The refusal of a molecule whose text begins in `line`. Where the text has several lines, the
    /// line is the one to blame, and the message names the column.
    pub fn molecule(error: &MolError, line: u64) -> Self {
        let refusal = RecordError {
            kind: RecordErrorKind::Molecule,
            code: error.code(),
            message: error.message().to_owned(),
            line,
            position: error.span().map(|span| span.start),
            hint: error.hint().map(str::to_owned),
        };
        match error.line() {
            None => refusal,
            Some((within, column)) => RecordError {
                message: format!("{} (column {column})", refusal.message),
                line: line + u64::from(within.saturating_sub(1)),
                position: None,
                ..refusal
            },
        }
    }

    /// The fault of a molecule that was read, but then refused by another part of the engine for
    /// the reason with this stable code.
    pub fn unfit(line: u64, code: &'static str, message: impl Into<String>) -> Self {
        RecordError { code, ..Self::new(RecordErrorKind::Unfit, line, message) }
    }

    /// The kind of the fault.
    pub fn kind(&self) -> RecordErrorKind {
        self.kind
    }

    /// Stable code: that of the kind or, for a refused molecule, that of the refusal.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The sentence alone, without place and repair.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line of the input, counted from 1; in Parquet the row.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Byte offset in the text of the record, where one is to blame.
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether nothing could be read after this record although there was more, or should have
    /// been: an input that was cut short, packed or not.
    pub fn ends_input(&self) -> bool {
        matches!(self.kind, RecordErrorKind::Read | RecordErrorKind::Truncated)
    }

    /// Message, position and repair, without the line.
    pub fn reason(&self) -> String {
        let mut text = self.message.clone();
        if let Some(position) = self.position
            && !self.message.contains("position")
        {
            text.push_str(&format!(" at position {position}"));
        }
        if let Some(hint) = &self.hint {
            text.push_str("; ");
            text.push_str(hint);
        }
        text
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason())
    }
}

impl std::error::Error for RecordError {}

/// The kind of a fault of a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordsErrorKind {
    /// The file could not be opened or its beginning not be read.
    Read,
    /// A table without the column that was asked for, or without one that is known.
    Column,
    /// A form of file that is not read, or not by this build.
    Format,
    /// Text in UTF-16 or UTF-32.
    Encoding,
}

impl RecordsErrorKind {
    /// Stable name, such as `records.column`.
    pub fn code(self) -> &'static str {
        match self {
            RecordsErrorKind::Read => "records.read",
            RecordsErrorKind::Column => "records.column",
            RecordsErrorKind::Format => "records.format",
            RecordsErrorKind::Encoding => "records.encoding",
        }
    }
}

/// A file that was refused: kind, sentence and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordsError {
    kind: RecordsErrorKind,
    message: String,
    hint: Option<String>,
}

impl RecordsError {
    pub(crate) fn new(kind: RecordsErrorKind, message: impl Into<String>) -> Self {
        RecordsError { kind, message: message.into(), hint: None }
    }

    pub(crate) fn read(error: &std::io::Error) -> Self {
        Self::new(RecordsErrorKind::Read, error.to_string())
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> RecordsErrorKind {
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

    /// What would be accepted.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for RecordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RecordsError {}
