//! The text line by line, and fields by column.

use std::ops::Range;

use super::table::fault;
use crate::{MolError, MolErrorKind};

/// One line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub text: &'t str,
    /// Byte offset of its first character in the whole text.
    pub start: usize,
    /// Counted from one.
    pub number: u32,
}

impl<'t> Line<'t> {
    /// The characters in these columns (zero-based) without blanks around; empty where the line
    /// is too short.
    ///
    /// # Errors
    /// When the columns cut a character that takes several bytes.
    pub fn field(&self, columns: Range<usize>) -> Result<&'t str, MolError> {
        let end = columns.end.min(self.text.len());
        match self.text.get(columns.start.min(end)..end) {
            Some(field) => Ok(field.trim_matches([' ', '\t'])),
            None => Err(fault(
                MolErrorKind::MolfileSyntax,
                "A field with a character that is not ASCII",
                self,
                columns,
            )),
        }
    }

    /// The whole number in these columns, `None` where they are blank.
    ///
    /// # Errors
    /// When something else stands there; `what` names the field.
    pub fn integer(&self, columns: Range<usize>, what: &str) -> Result<Option<i64>, MolError> {
        let field = self.field(columns.clone())?;
        if field.is_empty() {
            return Ok(None);
        }
        match field.strip_prefix('+').unwrap_or(field).parse() {
            Ok(number) if !field.starts_with("+-") => Ok(Some(number)),
            _ => Err(fault(
                MolErrorKind::MolfileSyntax,
                format!("'{}' is no {what}", field.escape_default()),
                self,
                columns,
            )
            .with_hint(format!("{what}: a whole number"))),
        }
    }
}

/// Walks over the lines of a text; ends of lines may be of any system.
#[derive(Clone, Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
    number: u32,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        Lines { text, at: 0, number: 0 }
    }

    /// The next line, `None` at the end of the text.
    pub fn next(&mut self) -> Option<Line<'t>> {
        if self.at >= self.text.len() {
            return None;
        }
        let rest = &self.text[self.at..];
        let (length, step) = match rest.find(['\n', '\r']) {
            Some(end) if rest[end..].starts_with("\r\n") => (end, end + 2),
            Some(end) => (end, end + 1),
            None => (rest.len(), rest.len()),
        };
        self.number += 1;
        let line = Line { text: &rest[..length], start: self.at, number: self.number };
        self.at += step;
        Some(line)
    }

    /// The next line.
    ///
    /// # Errors
    /// At the end of the text; `what` names the line that should come.
    pub fn expect(&mut self, what: &str) -> Result<Line<'t>, MolError> {
        self.next().ok_or_else(|| self.truncated(what))
    }

    /// The fault of a text that ends too early.
    pub fn truncated(&self, what: &str) -> MolError {
        let end = self.text.len();
        MolError::new(MolErrorKind::MolfileTruncated, format!("The molfile ends before {what}"))
            .at(end..end)
            .on_line(self.number.max(1), 1)
            .with_hint("the record is cut off; get the file again")
    }

    /// Byte offset of the next line.
    pub fn offset(&self) -> usize {
        self.at
    }
}
