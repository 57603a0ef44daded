//! SMILES files: a molecule a line.

use std::io::BufRead;

use crate::error::RecordError;
use crate::lines::{Line, Lines};
use crate::record::{Notation, RawRecord, text_of, too_long, unreadable};

pub(crate) struct SmilesFile<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    most: usize,
    number: u64,
}

impl<R: BufRead> SmilesFile<R> {
    pub(crate) fn new(reader: R, most: usize) -> Self {
        SmilesFile { lines: Lines::new(reader), line: Vec::new(), most, number: 0 }
    }

    /// Empty lines, comments and a header.
    fn is_left_out(&self, number: u64) -> bool {
        let line = self.line.trim_ascii();
        // No SMILES begins with a triple bond, nor is "smiles" one.
        line.is_empty()
            || line[0] == b'#'
            || number == 1
                && line
                    .split(|b| b" \t,;".contains(b))
                    .next()
                    .is_some_and(|first| first.eq_ignore_ascii_case(b"smiles"))
    }
}

impl<R: BufRead> Iterator for SmilesFile<R> {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        loop {
            let kind = self.lines.next(&mut self.line, self.most);
            let number = self.lines.number();
            let text = match kind {
                Ok(Line::End) => return None,
                Ok(Line::TooLong) => Err(too_long(number, self.most)),
                Ok(Line::Kept) if self.is_left_out(number) => continue,
                Ok(Line::Kept) => text_of(&self.line, 0, number),
                Err(error) => Err(unreadable(&error, number)),
            };
            self.number += 1;
            return Some(record(self.number, number, text));
        }
    }
}

fn record(number: u64, line: u64, text: Result<&str, RecordError>) -> RawRecord {
    let (text, name) = match text {
        Ok(text) => {
            let (smiles, name) = split(text.trim_matches(is_blank));
            (Ok(smiles.to_owned()), name.to_owned())
        }
        Err(error) => (Err(error), String::new()),
    };
    RawRecord { number, line, name, also: Vec::new(), notation: Notation::Smiles, text }
}

/// What may part a SMILES from its name. A control character parts nothing: its line is refused.
fn is_blank(c: char) -> bool {
    matches!(c, '\t' | '\r') || c.is_whitespace() && !c.is_control()
}

/// SMILES, with a CXSMILES extension if there is one, and name.
fn split(text: &str) -> (&str, &str) {
    let (smiles, rest) = text.split_once(is_blank).unwrap_or((text, ""));
    let rest = rest.trim_start();
    if let Some(extension) = rest.strip_prefix('|')
        && let Some(end) = extension.find('|')
    {
        let end = text.len() - extension.len() + end + 1;
        return (&text[..end], text[end..].trim());
    }
    (smiles, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_after_extensions() {
        assert_eq!(split("CCO"), ("CCO", ""));
        assert_eq!(split("CCO\tethanol, dry"), ("CCO", "ethanol, dry"));
        assert_eq!(split("C[C@H](O)F |o1:1| or this"), ("C[C@H](O)F |o1:1|", "or this"));
        assert_eq!(split("CCO |not closed"), ("CCO", "|not closed"));
        assert_eq!(split("CCO\x0cethanol"), ("CCO\x0cethanol", ""));
    }
}
