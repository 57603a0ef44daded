//! One record, before and after its molecule was read.

use synthon_mol::{Molecule, ReadOptions, read_molfile, read_smiles};

use crate::error::{RecordError, RecordErrorKind};

/// How the text of a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// SMILES.
    Smiles,
    /// A molfile, with the data fields of the SD file after it.
    Molfile,
}

/// A record as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRecord {
    /// Number of the record, from 1. Empty lines, comments and a header are not counted.
    pub number: u64,
    /// Line of the file in which the record begins, from 1; in Parquet the row.
    pub line: u64,
    /// Name, or nothing.
    pub name: String,
    /// The fields that [`RecordOptions::also`](crate::RecordOptions::also) asked for, in that
    /// order; empty where the record has none.
    pub also: Vec<String>,
    /// How the text is written.
    pub notation: Notation,
    /// The text of the molecule, or why there is none.
    pub text: Result<String, RecordError>,
}

/// A record whose molecule was read.
#[derive(Clone, Debug)]
pub struct Record {
    /// Number of the record, from 1. Empty lines, comments and a header are not counted.
    pub number: u64,
    /// Line of the file in which the record begins, from 1; in Parquet the row.
    pub line: u64,
    /// Name, or nothing.
    pub name: String,
    /// The fields that [`RecordOptions::also`](crate::RecordOptions::also) asked for.
    pub also: Vec<String>,
    /// How the text is written.
    pub notation: Notation,
    /// The text of the molecule; empty where it could not be read.
    pub text: String,
    /// The molecule, or why there is none.
    pub molecule: Result<Molecule, RecordError>,
}

impl RawRecord {
    /// Reads the molecule with the default limits.
    pub fn read(self) -> Record {
        self.read_with(&ReadOptions::default())
    }

    /// Reads the molecule.
    pub fn read_with(self, options: &ReadOptions) -> Record {
        let RawRecord { number, line, name, also, notation, text } = self;
        let (text, molecule) = match text {
            Err(error) => (String::new(), Err(error)),
            Ok(text) => {
                let molecule = match notation {
                    Notation::Smiles => read_smiles(&text, options)
                        .map_err(|error| RecordError::molecule(&error, line)),
                    Notation::Molfile => read_molfile(&text, options)
                        .map(|record| record.molecule)
                        .map_err(|error| RecordError::molecule(&error, line)),
                };
                (text, molecule)
            }
        };
        Record { number, line, name, also, notation, text, molecule }
    }
}

/// Text out of bytes, or what is wrong with them; `start` is their offset in the record.
pub(crate) fn text_of(bytes: &[u8], start: usize, line: u64) -> Result<&str, RecordError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        RecordError::new(
            RecordErrorKind::Encoding,
            line,
            format!("The byte 0x{:02X} is not UTF-8", bytes[at]),
        )
        .at(start + at)
        .with_hint("save the file as UTF-8")
    })?;
    match memchr::memchr(0, bytes) {
        Some(at) => Err(RecordError::new(RecordErrorKind::Nul, line, "A NUL byte")
            .at(start + at)
            .with_hint("a text has none; save one in UTF-16 as UTF-8")),
        None => Ok(text),
    }
}

pub(crate) fn too_long(line: u64, most: usize) -> RecordError {
    RecordError::new(RecordErrorKind::TooLong, line, format!("More than {most} bytes"))
}

pub(crate) fn unreadable(error: &std::io::Error, line: u64) -> RecordError {
    let message = match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "The compressed file ends in its middle".to_owned(),
        _ => format!("The file cannot be read on: {error}"),
    };
    RecordError::new(RecordErrorKind::Read, line, message)
        .with_hint("all records before this line were read")
}
