//! A file of records, whatever its form.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{RecordsError, RecordsErrorKind};
use crate::format::Format;
use crate::record::RawRecord;
use crate::sdf::SdFile;
use crate::smiles::SmilesFile;
use crate::source;
use crate::table::{self, TableFile};

/// How a file is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordOptions {
    /// Form of the file; by default told by its name or, failing that, by its beginning.
    pub format: Option<Format>,
    /// Column with the SMILES, in tables; by default one with a usual name, such as `smiles` or
    /// `canonical_smiles`. Case does not matter.
    pub column: Option<String>,
    /// Column with the name, in tables, or data field with the name, in SD files; by default a
    /// column with a usual name, such as `name` or `id`, and the first line of a molfile.
    pub name_column: Option<String>,
    /// Further columns or data fields to keep, should there be any.
    pub also: Vec<String>,
    /// Most bytes of a record (a line, a row, a molfile with its data); default 1 MiB. Longer
    /// ones are passed over and reported.
    pub max_record: usize,
}

impl Default for RecordOptions {
    fn default() -> Self {
        RecordOptions {
            format: None,
            column: None,
            name_column: None,
            also: Vec::new(),
            max_record: 1 << 20,
        }
    }
}

/// Reads records one after the other. Memory stays within a few times
/// [`max_record`](RecordOptions::max_record), whatever the file.
///
/// The iterator ends with the file. Where the file cannot be read on, for one because a
/// compressed file was cut short, the last record says so
/// ([`RecordError::ends_input`](crate::RecordError::ends_input)).
pub struct RecordReader {
    records: Box<dyn Iterator<Item = RawRecord> + Send>,
    format: Format,
    ended: bool,
}

impl RecordReader {
    /// Opens a file; its name tells the form, unless the options do.
    ///
    /// # Errors
    /// A file that cannot be opened, is of a form that is not read, or a table without the
    /// column.
    pub fn open(path: &Path, options: &RecordOptions) -> Result<Self, RecordsError> {
        let mut options = options.clone();
        options.format = options.format.or_else(|| Format::from_name(path));
        if path.is_dir() {
            return Err(RecordsError::new(RecordsErrorKind::Read, "it is a folder"));
        }
        let file = File::open(path).map_err(|error| RecordsError::read(&error))?;
        Self::new(file, &options)
    }

    /// Reads from anything.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(
        reader: impl Read + Send + 'static,
        options: &RecordOptions,
    ) -> Result<Self, RecordsError> {
        let (head, source) = source::open(reader)?;
        let format = match options.format {
            Some(format) => format,
            // A column is asked for in tables only.
            None if options.column.is_some() => match table::delimiter(&head, options) {
                b'\t' => Format::Tsv,
                _ => Format::Csv,
            },
            None => Format::sniff(&head),
        };
        let records: Box<dyn Iterator<Item = RawRecord> + Send> = match format {
            Format::Smiles => Box::new(SmilesFile::new(source, options.max_record)),
            Format::Csv => {
                let delimiter = table::delimiter(&head, options);
                Box::new(TableFile::new(source, delimiter, options)?)
            }
            Format::Tsv => Box::new(TableFile::new(source, b'\t', options)?),
            Format::Sdf => Box::new(SdFile::new(source, options)),
            Format::Parquet => {
                return Err(RecordsError::new(
                    RecordsErrorKind::Format,
                    "Parquet is read from files only",
                ));
            }
        };
        Ok(RecordReader { records, format, ended: false })
    }

    /// The form that was given or told.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Iterator for RecordReader {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        if self.ended {
            return None;
        }
        let record = self.records.next();
        self.ended = match &record {
            Some(record) => record.text.as_ref().is_err_and(|error| error.ends_input()),
            None => true,
        };
        record
    }
}

impl std::fmt::Debug for RecordReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordReader").field("format", &self.format).finish_non_exhaustive()
    }
}
