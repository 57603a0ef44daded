//! SD files: molfiles with data fields, each record ended by a line `$$$$`.

use std::io::BufRead;

use crate::error::{RecordError, RecordErrorKind};
use crate::lines::{Line, Lines};
use crate::reader::RecordOptions;
use crate::record::{Notation, RawRecord, text_of, too_long, unreadable};

pub(crate) struct SdFile<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    text: Vec<u8>,
    most: usize,
    name_field: Option<String>,
    also: Vec<String>,
    number: u64,
}

impl<R: BufRead> SdFile<R> {
    pub(crate) fn new(reader: R, options: &RecordOptions) -> Self {
        SdFile {
            lines: Lines::new(reader),
            line: Vec::new(),
            text: Vec::new(),
            most: options.max_record,
            name_field: options.name_column.clone(),
            also: options.also.clone(),
            number: 0,
        }
    }

    /// Name and asked fields.
    fn fields(&self, text: &str) -> (String, Vec<String>) {
        let name = match &self.name_field {
            Some(field) => data_field(text, field).unwrap_or_default(),
            None => text.lines().next().unwrap_or_default().trim(),
        };
        let also = self.also.iter().map(|f| data_field(text, f).unwrap_or_default().to_owned());
        (name.to_owned(), also.collect())
    }
}

impl<R: BufRead> Iterator for SdFile<R> {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        self.text.clear();
        let start = self.lines.number() + 1;
        let (mut ended, mut whole, mut blank) = (false, false, true);
        let mut fault = None;
        loop {
            // A line that is too long alone is cut to one byte more than the whole may have.
            match self.lines.next(&mut self.line, self.most + 1) {
                Ok(Line::End) => break,
                Ok(_) if self.line.starts_with(b"$$$$") => {
                    ended = true;
                    break;
                }
                Ok(_) => {}
                Err(error) => {
                    fault = Some(unreadable(&error, self.lines.number()));
                    break;
                }
            }
            whole |= self.line.starts_with(b"M  END");
            blank &= self.line.trim_ascii().is_empty();
            if fault.is_none() && self.text.len() + self.line.len() >= self.most {
                fault = Some(too_long(start, self.most));
            }
            if fault.is_none() {
                self.text.extend_from_slice(&self.line);
                self.text.push(b'\n');
            }
        }
        if !ended && blank && fault.is_none() {
            return None;
        }
        self.number += 1;
        if !ended && !whole && fault.is_none() {
            fault = Some(
                RecordError::new(
                    RecordErrorKind::Truncated,
                    start,
                    "The last record stops before its `M  END`",
                )
                .with_hint("the file was cut short"),
            );
        }
        let text = match fault {
            Some(error) => Err(error),
            None => text_of(&self.text, 0, start).map(str::to_owned),
        };
        let (name, also) = match &text {
            Ok(text) => self.fields(text),
            Err(_) => (String::new(), vec![String::new(); self.also.len()]),
        };
        let number = self.number;
        Some(RawRecord { number, line: start, name, also, notation: Notation::Molfile, text })
    }
}

/// The first line of a data field, found by its name without regard to case.
fn data_field<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('>')
            && let Some((_, rest)) = line.split_once('<')
            && let Some((name, _)) = rest.rsplit_once('>')
            && name.eq_ignore_ascii_case(wanted)
        {
            return lines.next().map(str::trim);
        }
    }
    None
}
