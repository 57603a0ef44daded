//! CSV and TSV: a header, then a record a row.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::error::{RecordError, RecordErrorKind, RecordsError, RecordsErrorKind};
use crate::format::{molecule_column, name_column, named_column};
use crate::reader::RecordOptions;
use crate::record::{Notation, RawRecord, text_of, too_long, unreadable};

pub(crate) struct TableFile<R> {
    rows: Rows<R>,
    molecule: usize,
    name: Option<usize>,
    also: Vec<Option<usize>>,
    number: u64,
}

impl<R: BufRead> TableFile<R> {
    /// Reads the header and finds the columns.
    pub(crate) fn new(
        reader: R,
        delimiter: u8,
        options: &RecordOptions,
    ) -> Result<Self, RecordsError> {
        let mut rows = Rows::new(reader, delimiter, options.max_record);
        let header = match rows.next() {
            Ok(Row::Kept) => (0..rows.len())
                .map(|i| String::from_utf8_lossy(rows.field(i)).trim().to_owned())
                .collect::<Vec<String>>(),
            Ok(Row::End) => Vec::new(),
            Ok(Row::TooLong) => {
                return Err(RecordsError::new(
                    RecordsErrorKind::Column,
                    format!("the header has more than {} bytes", options.max_record),
                ));
            }
            Err(error) => return Err(RecordsError::read(&error)),
        };
        let (molecule, name) = match header.is_empty() {
            // No rows can follow: a table without records.
            true => (0, None),
            false => columns(&header, options)?,
        };
        let also = options.also.iter().map(|wanted| named_column(&header, wanted)).collect();
        Ok(TableFile { rows, molecule, name, also, number: 0 })
    }

    fn pick(&self, line: u64, also: &mut Vec<String>) -> Result<(String, String), RecordError> {
        let field = |at: usize| text_of(self.rows.field(at), 0, line).map(str::trim);
        if self.molecule >= self.rows.len() {
            return Err(RecordError::new(
                RecordErrorKind::MissingField,
                line,
                format!(
                    "The row has {} fields, the molecule stands in field {}",
                    self.rows.len(),
                    self.molecule + 1
                ),
            ));
        }
        let text = field(self.molecule)?;
        if text.is_empty() {
            return Err(RecordError::new(RecordErrorKind::Empty, line, "No molecule in the row"));
        }
        let given = |at: Option<usize>| at.filter(|&at| at < self.rows.len()).map_or(Ok(""), field);
        let name = given(self.name)?;
        for &at in &self.also {
            also.push(given(at)?.to_owned());
        }
        Ok((text.to_owned(), name.to_owned()))
    }
}

impl<R: BufRead> Iterator for TableFile<R> {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        let row = self.rows.next();
        let line = self.rows.line;
        let mut also = Vec::new();
        let taken = match row {
            Ok(Row::End) => return None,
            Ok(Row::Kept) => self.pick(line, &mut also),
            Ok(Row::TooLong) => Err(too_long(line, self.rows.most)
                .with_hint("a quotation mark that is not closed takes in all that follows")),
            Err(error) => Err(unreadable(&error, line)),
        };
        self.number += 1;
        let (text, name) = match taken {
            Ok((text, name)) => (Ok(text), name),
            Err(error) => (Err(error), String::new()),
        };
        also.resize(self.also.len(), String::new());
        let number = self.number;
        Some(RawRecord { number, line, name, also, notation: Notation::Smiles, text })
    }
}

/// The columns of molecules and names.
pub(crate) fn columns(
    header: &[String],
    options: &RecordOptions,
) -> Result<(usize, Option<usize>), RecordsError> {
    let missing = |message: String| {
        RecordsError::new(RecordsErrorKind::Column, message).with_hint(if header.is_empty() {
            // Of a Parquet file: lists and structures are no columns of single values.
            "no column holds a single value a row".to_owned()
        } else {
            format!("there are: {}", shown(header))
        })
    };
    let molecule = match &options.column {
        Some(asked) => named_column(header, asked)
            .ok_or_else(|| missing(format!("there is no column `{asked}`")))?,
        None => molecule_column(header)
            .ok_or_else(|| missing("no column is known to hold SMILES".to_owned()))?,
    };
    let name = match &options.name_column {
        Some(asked) => Some(
            named_column(header, asked)
                .ok_or_else(|| missing(format!("there is no column `{asked}`")))?,
        ),
        None => name_column(header).filter(|&name| name != molecule),
    };
    Ok((molecule, name))
}

/// The first names of a header, short enough for a message.
fn shown(header: &[String]) -> String {
    const MOST: usize = 20;
    let mut names: Vec<String> =
        header.iter().take(MOST).map(|name| name.chars().take(40).collect()).collect();
    if header.len() > MOST {
        names.push(format!("and {} more", header.len() - MOST));
    }
    names.join(", ")
}

/// The delimiter of a table by its header: the one that makes the asked or a known column.
pub(crate) fn delimiter(head: &[u8], options: &RecordOptions) -> u8 {
    let header = head.split(|&b| b == b'\n' || b == b'\r').next().unwrap_or_default();
    let finds = |delimiter: u8| {
        let names: Vec<String> = header
            .split(|&b| b == delimiter)
            .map(|f| String::from_utf8_lossy(f).trim().trim_matches('"').to_owned())
            .collect();
        match &options.column {
            Some(asked) => named_column(&names, asked).is_some(),
            None => molecule_column(&names).is_some(),
        }
    };
    [b',', b';', b'\t'].into_iter().find(|&d| finds(d)).unwrap_or(b',')
}

enum Row {
    Kept,
    TooLong,
    End,
}

/// Rows of bounded length.
struct Rows<R> {
    reader: R,
    splitter: Reader,
    most: usize,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    fields: usize,
    /// Line in which the row begins.
    line: u64,
    next_line: u64,
    after_return: bool,
}

impl<R: BufRead> Rows<R> {
    fn new(reader: R, delimiter: u8, most: usize) -> Self {
        Rows {
            reader,
            splitter: ReaderBuilder::new().delimiter(delimiter).build(),
            most,
            bytes: vec![0; 1_024],
            ends: vec![0; 64],
            fields: 0,
            line: 0,
            next_line: 1,
            after_return: false,
        }
    }

    fn len(&self) -> usize {
        self.fields
    }

    fn field(&self, i: usize) -> &[u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.bytes[start..self.ends[i]]
    }

    fn next(&mut self) -> io::Result<Row> {
        self.skip_empty_lines()?;
        self.line = self.next_line;
        let (mut length, mut ends, mut too_long) = (0, 0, false);
        loop {
            let input = match self.reader.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let (result, read, written, ended) =
                self.splitter.read_record(input, &mut self.bytes[length..], &mut self.ends[ends..]);
            self.next_line += line_ends(&input[..read], &mut self.after_return);
            self.reader.consume(read);
            length += written;
            ends += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.bytes.len() < self.most => {
                    let more = (self.bytes.len() * 2).min(self.most);
                    self.bytes.resize(more, 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < self.most => {
                    let more = (self.ends.len() * 2).min(self.most);
                    self.ends.resize(more, 0);
                }
                // The rest of the row is read over what is there.
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    (length, ends, too_long) = (0, 0, true);
                }
                ReadRecordResult::Record => {
                    self.fields = ends;
                    return Ok(if too_long { Row::TooLong } else { Row::Kept });
                }
                ReadRecordResult::End => return Ok(Row::End),
            }
        }
    }

    /// So that a row begins where it is said to begin.
    fn skip_empty_lines(&mut self) -> io::Result<()> {
        loop {
            let input = match self.reader.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let blank = input.iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
            if blank == 0 {
                return Ok(());
            }
            self.next_line += line_ends(&input[..blank], &mut self.after_return);
            self.reader.consume(blank);
        }
    }
}

/// Line ends among bytes that are read one piece after another.
fn line_ends(bytes: &[u8], after_return: &mut bool) -> u64 {
    let mut ends = 0;
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let follows_return = if at == 0 { *after_return } else { bytes[at - 1] == b'\r' };
        ends += !(bytes[at] == b'\n' && follows_return) as u64;
    }
    if let Some(&last) = bytes.last() {
        *after_return = last == b'\r';
    }
    ends
}
