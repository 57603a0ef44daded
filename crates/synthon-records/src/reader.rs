//! A file of records, whatever its form.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    bytes_read: Arc<AtomicU64>,
}

impl RecordReader {
    /// Opens a file; its name tells the form, unless the options do. A pipe is read as
    /// [`new`](Self::new) reads.
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
        let mut file = File::open(path).map_err(|error| RecordsError::read(&error))?;
        // What a pipe gives once, it does not give again.
        if !file.metadata().is_ok_and(|file| file.is_file()) {
            return Self::new(file, &options);
        }
        let mut magic = [0; 4];
        let is_parquet = file.read_exact(&mut magic).is_ok() && magic == *b"PAR1";
        file.rewind().map_err(|error| RecordsError::read(&error))?;
        if is_parquet || options.format == Some(Format::Parquet) {
            return Self::parquet(file, &options);
        }
        Self::new(file, &options)
    }

    #[cfg(feature = "parquet")]
    fn parquet(file: File, options: &RecordOptions) -> Result<Self, RecordsError> {
        let records = Box::new(crate::parquet::ParquetFile::new(file, options)?);
        let bytes_read = Arc::default();
        Ok(RecordReader { records, format: Format::Parquet, ended: false, bytes_read })
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(_: File, _: &RecordOptions) -> Result<Self, RecordsError> {
        let sentence = "Parquet is not read by this build";
        Err(RecordsError::new(RecordsErrorKind::Format, sentence)
            .with_hint("build it with the feature `parquet`"))
    }

    /// Reads from anything.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(
        reader: impl Read + Send + 'static,
        options: &RecordOptions,
    ) -> Result<Self, RecordsError> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let (head, source) = source::open(Counted { reader, bytes_read: bytes_read.clone() })?;
        if head.starts_with(b"PAR1") || options.format == Some(Format::Parquet) {
            let sentence = "Parquet is read from files only, not from a pipe";
            return Err(RecordsError::new(RecordsErrorKind::Format, sentence)
                .with_hint("save it as a file and name that"));
        }
        let format = match options.format {
            Some(format) => format,
            // A column is asked for in tables only.
            None if options.column.is_some() => match table::delimiter(&head, options) {
                b'\t' => Format::Tsv,
                _ => Format::Csv,
            },
            None => Format::sniff(&head),
        };
        refuse_columns(format, options)?;
        let records: Box<dyn Iterator<Item = RawRecord> + Send> = match format {
            Format::Smiles => Box::new(SmilesFile::new(source, options.max_record)),
            Format::Csv => {
                let delimiter = table::delimiter(&head, options);
                Box::new(TableFile::new(source, delimiter, options)?)
            }
            Format::Tsv => Box::new(TableFile::new(source, b'\t', options)?),
            Format::Sdf => Box::new(SdFile::new(source, options)),
            Format::Parquet => unreachable!("it was refused"),
        };
        Ok(RecordReader { records, format, ended: false, bytes_read })
    }

    /// How many bytes of the file were read so far, compressed ones if it is compressed; it goes
    /// on counting after the reader was moved. Stays 0 for Parquet.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        self.bytes_read.clone()
    }

    /// The form that was given or told.
    pub fn format(&self) -> Format {
        self.format
    }
}

/// A column that a form does not have is refused rather than passed over.
fn refuse_columns(format: Format, options: &RecordOptions) -> Result<(), RecordsError> {
    let (asked, repair) = match format {
        Format::Smiles if options.column.is_some() || options.name_column.is_some() => {
            (options.column.as_ref().or(options.name_column.as_ref()), "say that it is a table")
        }
        Format::Sdf => (options.column.as_ref(), "ask for a data field with the name instead"),
        _ => (None, ""),
    };
    match asked {
        None => Ok(()),
        Some(column) => {
            let name = format.name();
            let sentence = format!("It is read as {name}, which has no column {column:?}");
            let hint = format!("leave the column out, or {repair}");
            Err(RecordsError::new(RecordsErrorKind::Column, sentence).with_hint(hint))
        }
    }
}

/// Counts what goes through.
struct Counted<R> {
    reader: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
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
