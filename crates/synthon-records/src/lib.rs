//! What is in this file of molecules: records read one after the other, in bounded memory.
//!
//! A [`RecordReader`] takes SMILES files, CSV and TSV tables, SD files and, with the feature
//! `parquet`, Parquet files, any of the text forms also compressed with gzip. It tells the form
//! by name and content. What is wrong with single records (a line that is too long, bytes that
//! are not UTF-8, a molecule that cannot be) is part of the stream, with its place, and never
//! ends it. A file that is written to be read again is a [`Draft`] until it is whole.
//!
//! ```
//! use synthon_records::{RecordOptions, RecordReader};
//!
//! let file = "CCO ethanol\nC1CC cut short\nOCC again\n";
//! let reader = RecordReader::new(file.as_bytes(), &RecordOptions::default())?;
//! let records: Vec<_> = reader.map(|raw| raw.read()).collect();
//! assert_eq!(records[0].name, "ethanol");
//! let error = records[1].molecule.as_ref().expect_err("a ring is open");
//! assert_eq!((error.line(), error.code()), (2, "smiles.unclosed_ring"));
//! assert!(records[2].molecule.is_ok());
//! # Ok::<(), synthon_records::RecordsError>(())
//! ```
#![deny(missing_docs)]

mod draft;
mod error;
mod format;
mod gunzip;
mod lines;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod record;
mod report;
mod sdf;
mod smiles;
mod source;
mod table;

pub use draft::{Draft, same_file, takes_drafts};
pub use error::{RecordError, RecordErrorKind, RecordsError, RecordsErrorKind};
pub use format::Format;
pub use gunzip::Gunzip;
pub use parallel::{Chunking, process_in_order, process_in_order_with};
pub use reader::{RecordOptions, RecordReader};
pub use record::{Notation, RawRecord, Record};
pub use report::{RecordReport, RecordWarning};
