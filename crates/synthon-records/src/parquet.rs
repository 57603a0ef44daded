//! Parquet files: the columns that are wanted, a batch of rows at a time.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use crate::error::{RecordError, RecordErrorKind, RecordsError, RecordsErrorKind};
use crate::format::named_column;
use crate::reader::RecordOptions;
use crate::record::{Notation, RawRecord, text_of, too_long};
use crate::table::columns;

/// Rows that are read at a time.
const BATCH: usize = 1_024;

/// A value of a row, if it has one.
type Cell = Option<Vec<u8>>;

pub(crate) struct ParquetFile {
    reader: SerializedFileReader<File>,
    /// The wanted columns, each once; molecule, name and further ones are places in it.
    leaves: Vec<usize>,
    molecule: usize,
    name: Option<usize>,
    also: Vec<Option<usize>>,
    most: usize,
    group: usize,
    open: Option<Group>,
    /// Rows that were read, the next one last; for each the cells of `leaves`.
    rows: Vec<Vec<Cell>>,
    row: u64,
}

/// Readers of the wanted columns in one group of rows.
struct Group {
    columns: Vec<(ColumnDescPtr, ColumnReader)>,
    left: usize,
}

impl ParquetFile {
    pub(crate) fn new(file: File, options: &RecordOptions) -> Result<Self, RecordsError> {
        let refused = |error: Fault| RecordsError::new(RecordsErrorKind::Format, error.0);
        let reader = guarded(|| SerializedFileReader::new(file)).map_err(refused)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        // Lists and structures hold no single value a row.
        let leaves: Vec<usize> = (0..schema.num_columns())
            .filter(|&leaf| {
                let column = schema.column(leaf);
                column.max_rep_level() == 0 && column.path().parts().len() == 1
            })
            .collect();
        let header: Vec<String> =
            leaves.iter().map(|&leaf| schema.column(leaf).name().to_owned()).collect();
        let (molecule, name) = columns(&header, options)?;
        let wanted: Vec<Option<usize>> =
            options.also.iter().map(|wanted| named_column(&header, wanted)).collect();
        let mut kept: Vec<usize> = Vec::new();
        let mut place = |at: usize| {
            kept.iter().position(|&k| k == leaves[at]).unwrap_or_else(|| {
                kept.push(leaves[at]);
                kept.len() - 1
            })
        };
        let molecule = place(molecule);
        let name = name.map(&mut place);
        let also = wanted.into_iter().map(|at| at.map(&mut place)).collect();
        check_codecs(&reader, &kept)?;
        Ok(ParquetFile {
            reader,
            leaves: kept,
            molecule,
            name,
            also,
            most: options.max_record,
            group: 0,
            open: None,
            rows: Vec::new(),
            row: 0,
        })
    }

    /// Reads the next rows; whether there were any.
    fn fill(&mut self) -> Result<bool, Fault> {
        loop {
            let Some(group) = &mut self.open else {
                if self.group == self.reader.num_row_groups() {
                    return Ok(false);
                }
                self.open = Some(self.open_group()?);
                self.group += 1;
                continue;
            };
            let count = group.left.min(BATCH);
            if count == 0 {
                self.open = None;
                continue;
            }
            group.left -= count;
            let mut cells = Vec::new();
            for (column, reader) in &mut group.columns {
                cells.push(guarded(|| read(column, reader, count))?);
            }
            self.rows = (0..count)
                .rev()
                .map(|row| cells.iter_mut().map(|column| column[row].take()).collect())
                .collect();
            return Ok(true);
        }
    }

    fn open_group(&self) -> Result<Group, Fault> {
        guarded(|| {
            let group = self.reader.get_row_group(self.group)?;
            let rows = usize::try_from(group.metadata().num_rows());
            let left = rows.map_err(|_| ParquetError::General("an impossible length".into()))?;
            let schema = group.metadata().schema_descr();
            let mut columns = Vec::new();
            for &leaf in &self.leaves {
                let column = schema.column(leaf);
                let pages = group.get_column_page_reader(leaf)?;
                columns.push((column.clone(), get_column_reader(column, pages)));
            }
            Ok(Group { columns, left })
        })
    }

    fn record(&self, cells: &[Cell]) -> RawRecord {
        let line = self.row;
        let text = |at: usize| {
            let bytes = cells[at].as_deref().unwrap_or_default();
            if bytes.len() > self.most {
                return Err(too_long(line, self.most));
            }
            text_of(bytes, 0, line).map(|text| text.trim().to_owned())
        };
        let taken = text(self.molecule).and_then(|molecule| {
            if molecule.is_empty() {
                let empty = RecordErrorKind::Empty;
                return Err(RecordError::new(empty, line, "No molecule in the row"));
            }
            let name = self.name.map_or(Ok(String::new()), text)?;
            let also: Result<Vec<String>, RecordError> =
                self.also.iter().map(|at| at.map_or(Ok(String::new()), text)).collect();
            Ok((molecule, name, also?))
        });
        let (text, name, also) = match taken {
            Ok((text, name, also)) => (Ok(text), name, also),
            Err(error) => (Err(error), String::new(), vec![String::new(); self.also.len()]),
        };
        RawRecord { number: line, line, name, also, notation: Notation::Smiles, text }
    }
}

impl Iterator for ParquetFile {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        if self.rows.is_empty() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(Fault(message)) => {
                    self.row += 1;
                    let line = self.row;
                    let error = RecordError::new(RecordErrorKind::Read, line, message)
                        .with_hint("all rows before this one were read");
                    return Some(RawRecord {
                        number: line,
                        line,
                        name: String::new(),
                        also: vec![String::new(); self.also.len()],
                        notation: Notation::Smiles,
                        text: Err(error),
                    });
                }
            }
        }
        self.row += 1;
        let cells = self.rows.pop()?;
        Some(self.record(&cells))
    }
}

/// Refuses columns that are packed in a way that is not unpacked here: the decoder of zstd is a C
/// library.
fn check_codecs(reader: &SerializedFileReader<File>, leaves: &[usize]) -> Result<(), RecordsError> {
    for group in reader.metadata().row_groups() {
        for &leaf in leaves {
            let how = match group.columns().get(leaf).map(|column| column.compression()) {
                Some(Compression::ZSTD(_)) => "zstd",
                Some(Compression::LZO) => "LZO",
                _ => continue,
            };
            let sentence = format!("the columns of the Parquet file are compressed with {how}");
            return Err(RecordsError::new(RecordsErrorKind::Format, sentence).with_hint(
                "write it with snappy, gzip, brotli, LZ4 or no compression, \
                 as with compression=\"snappy\" in Polars and pandas",
            ));
        }
    }
    Ok(())
}

/// So many cells of a column, as text.
fn read(
    column: &ColumnDescPtr,
    reader: &mut ColumnReader,
    count: usize,
) -> Result<Vec<Cell>, ParquetError> {
    let mut levels = Vec::new();
    let optional = column.max_def_level() > 0;
    macro_rules! cells {
        ($reader:expr, $text:expr) => {{
            let (mut values, mut rows) = (Vec::new(), 0);
            while rows < count {
                let levels = optional.then_some(&mut levels);
                let (read, _, _) = $reader.read_records(count - rows, levels, None, &mut values)?;
                if read == 0 {
                    return Err(ParquetError::General("a column ends before the others".into()));
                }
                rows += read;
            }
            spread(values.into_iter().map($text), &levels, column.max_def_level(), count)
        }};
    }
    Ok(match reader {
        ColumnReader::ByteArrayColumnReader(reader) => {
            cells!(reader, |value: ByteArray| value.data().to_vec())
        }
        ColumnReader::Int32ColumnReader(reader) => cells!(reader, |v: i32| text(v)),
        ColumnReader::Int64ColumnReader(reader) => cells!(reader, |v: i64| text(v)),
        ColumnReader::FloatColumnReader(reader) => cells!(reader, |v: f32| text(v)),
        ColumnReader::DoubleColumnReader(reader) => cells!(reader, |v: f64| text(v)),
        _ => {
            return Err(ParquetError::General(format!(
                "column {} holds neither text nor numbers",
                column.name()
            )));
        }
    })
}

fn text(value: impl ToString) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// Values stand without gaps; the levels tell where there is none.
fn spread(
    mut values: impl Iterator<Item = Vec<u8>>,
    levels: &[i16],
    present: i16,
    count: usize,
) -> Vec<Cell> {
    let is_there = |row: usize| present == 0 || levels.get(row) == Some(&present);
    (0..count).map(|row| if is_there(row) { values.next() } else { None }).collect()
}

/// What went wrong in the reader of the format.
struct Fault(String);

/// The reader of the format refuses most broken files, and panics on some.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Fault(error.to_string())),
        Err(_) => Err(Fault("The Parquet file is broken".to_owned())),
    }
}
