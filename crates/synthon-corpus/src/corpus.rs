//! An open corpus.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use synthon_fp::Scheme;
use synthon_query::{FEATURE_BITS, FEATURES_VERSION};

use crate::build::decode_text;
use crate::error::{CorpusError, CorpusErrorKind};
use crate::layout::{CHUNK, Directory, HEADER, Header, Segment};
use crate::mapped::{Bytes, check_byte_order, words};
use crate::scheme::scheme_from_parts;

/// A corpus, mapped into memory. Opening reads header and directory only; every other part is
/// compared with its checksum when it is first used.
#[derive(Debug)]
pub struct Corpus {
    bytes: Bytes,
    header: Header,
    directory: Directory,
    /// Number of the first molecule of each segment.
    firsts: Vec<u64>,
    scheme: Scheme,
    /// Which parts were compared with their checksums.
    checked: Vec<AtomicBool>,
}

/// What a corpus is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CorpusInfo {
    /// Number of molecules.
    pub molecules: u64,
    /// Scheme of the fingerprints.
    pub scheme: Scheme,
    /// Version of the scheme.
    pub scheme_version: String,
    /// Bits of a fingerprint.
    pub size: usize,
    /// Whether it can be searched for substructures.
    pub substructures: bool,
    /// Length of the file in bytes.
    pub file_length: u64,
}

/// A molecule of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'c> {
    /// Number in the corpus, from 0, in the order of the records.
    pub index: u64,
    /// Line of the file that the corpus was built from.
    pub line: u64,
    /// SMILES, as given there; canonical if it was a molfile.
    pub smiles: &'c str,
    /// Name, or nothing.
    pub name: &'c str,
}

impl Corpus {
    /// Whether a file begins as a corpus does.
    pub fn is_corpus(beginning: &[u8]) -> bool {
        beginning.starts_with(&crate::layout::MAGIC)
    }

    /// Maps a corpus into memory.
    ///
    /// # Errors
    /// A file that cannot be opened, is no corpus, was cut short or changed, or was built by
    /// another version.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        if path.is_dir() {
            return Err(CorpusError::new(CorpusErrorKind::NotACorpus, "It is a folder"));
        }
        let file = File::open(path)
            .map_err(|error| CorpusError::file(&path.display().to_string(), &error))?;
        Self::new(Bytes::map(&file)?)
    }

    /// A corpus out of a copy of the bytes of its file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CorpusError> {
        Self::new(Bytes::copy(bytes))
    }

    fn new(bytes: Bytes) -> Result<Self, CorpusError> {
        check_byte_order()?;
        let all = bytes.all();
        let header = Header::from_bytes(all)?;
        let length = all.len() as u64;
        if header.file_length != length {
            return Err(CorpusError::damaged(format!(
                "The corpus has {length} bytes of {}",
                header.file_length
            )));
        }
        if header.directory_start < HEADER as u64 || header.directory_start > length {
            return Err(CorpusError::damaged("The corpus has no directory"));
        }
        let directory = Directory::from_bytes(&all[header.directory_start as usize..], &header)?;
        let scheme = scheme_of(&header)?;
        let mut firsts = Vec::with_capacity(directory.segments.len());
        let mut first = 0;
        for segment in &directory.segments {
            firsts.push(first);
            first += u64::from(segment.molecules);
        }
        let checked = directory.checksums.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(Corpus { bytes, header, directory, firsts, scheme, checked })
    }

    /// Number of molecules.
    pub fn len(&self) -> u64 {
        self.header.molecules
    }

    /// Whether there is none; a corpus that was built has one at least.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the corpus is.
    pub fn info(&self) -> CorpusInfo {
        CorpusInfo {
            molecules: self.header.molecules,
            scheme: self.scheme,
            scheme_version: self.header.names[1].clone(),
            size: self.header.size as usize,
            substructures: self.header.screen_bits != 0,
            file_length: self.header.file_length,
        }
    }

    /// Compares every part with its checksum.
    ///
    /// # Errors
    /// A part that was changed.
    pub fn verify(&self) -> Result<(), CorpusError> {
        self.slice(HEADER as u64..self.header.directory_start).map(|_| ())
    }

    /// The molecule with this number; `None` past the end.
    ///
    /// # Errors
    /// A part of the file that was changed.
    pub fn entry(&self, index: u64) -> Result<Option<Entry<'_>>, CorpusError> {
        if index >= self.len() {
            return Ok(None);
        }
        let segment = self.firsts.partition_point(|&first| first <= index) - 1;
        let within = index - self.firsts[segment];
        let segment = &self.directory.segments[segment];
        let start = segment.offsets_range().start + within * 8;
        let offsets = words(self.slice(start..start + 16)?)?;
        let texts = segment.texts_range();
        let lies = offsets[0] <= offsets[1] && offsets[1] <= segment.texts_length;
        let text = match lies {
            true => self.slice(texts.start + offsets[0]..texts.start + offsets[1])?,
            false => return Err(bad_text(index)),
        };
        let (line, smiles, name) = decode_text(text).ok_or_else(|| bad_text(index))?;
        Ok(Some(Entry { index, line, smiles, name }))
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The segments, each with the number of its first molecule.
    pub(crate) fn segments(&self) -> impl ExactSizeIterator<Item = (u64, &Segment)> {
        self.firsts.iter().copied().zip(&self.directory.segments)
    }

    /// Bytes of the file between header and directory, compared with their checksums.
    pub(crate) fn slice(&self, range: Range<u64>) -> Result<&[u8], CorpusError> {
        let all = self.bytes.all();
        let start = HEADER as u64;
        if range.start < start || range.start > range.end || range.end > self.header.directory_start
        {
            return Err(CorpusError::damaged("A section of the corpus lies outside of it"));
        }
        if range.is_empty() {
            return Ok(&[]);
        }
        for chunk in (range.start - start) / CHUNK..=(range.end - 1 - start) / CHUNK {
            let number = chunk as usize;
            if self.checked[number].load(Ordering::Relaxed) {
                continue;
            }
            let from = start + chunk * CHUNK;
            let to = (from + CHUNK).min(self.header.directory_start);
            let crc = crc32fast::hash(&all[from as usize..to as usize]);
            if crc != self.directory.checksums[number] {
                return Err(CorpusError::damaged(format!(
                    "The corpus was changed between bytes {from} and {to}"
                )));
            }
            self.checked[number].store(true, Ordering::Relaxed);
        }
        Ok(&all[range.start as usize..range.end as usize])
    }
}

fn bad_text(index: u64) -> CorpusError {
    CorpusError::damaged(format!("Molecule {index} of the corpus has no text"))
}

/// The scheme by its full name, if this program makes the same fingerprints.
fn scheme_of(header: &Header) -> Result<Scheme, CorpusError> {
    let [name, version, screen] = &header.names;
    let another = |what: String| {
        Err(CorpusError::new(CorpusErrorKind::Version, what).with_hint("build the corpus again"))
    };
    let Some(scheme) = scheme_from_parts(name, header.parameters) else {
        return another(format!("The corpus has fingerprints of an unknown scheme, {name}"));
    };
    if scheme.version() != version {
        return another(format!(
            "The corpus has fingerprints of version {version}, this program makes {}",
            scheme.version()
        ));
    }
    if header.screen_bits != 0
        && (header.screen_bits != FEATURE_BITS as u32 || screen != FEATURES_VERSION)
    {
        return another(format!(
            "The corpus has a substructure screen of version {screen}, this program makes \
             {FEATURES_VERSION}"
        ));
    }
    Ok(scheme)
}
