//! The bytes of a corpus: a file mapped into memory, or memory that is aligned like one.
#![allow(unsafe_code, reason = "mapping a file, and reading its words as they stand")]

use std::fs::File;

use memmap2::Mmap;

use crate::error::{CorpusError, CorpusErrorKind};

/// Bytes whose beginning is aligned for words.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// A file. Whoever changes or shortens it while it is mapped breaks the process; corpora are
    /// written under another name and moved into place, so that building anew does not.
    Mapped(Mmap),
    /// Memory, and how many bytes of it count.
    Owned(Vec<u64>, usize),
}

impl Bytes {
    pub(crate) fn map(file: &File) -> Result<Self, CorpusError> {
        // SAFETY: the mapping is read only and private to this process; that nobody else changes
        // the file is a demand on the user, as with every mapped file.
        let map = unsafe { Mmap::map(file) };
        map.map(Bytes::Mapped).map_err(|error| CorpusError::file("the file is not mapped", &error))
    }

    pub(crate) fn copy(bytes: &[u8]) -> Self {
        let words = bytes
            .chunks(8)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_ne_bytes(word)
            })
            .collect();
        Bytes::Owned(words, bytes.len())
    }

    pub(crate) fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            // SAFETY: any word is eight valid bytes.
            Bytes::Owned(words, length) => unsafe { &words.align_to::<u8>().1[..*length] },
        }
    }
}

/// The bytes as little-endian words, which they are on the processors that corpora are opened on.
pub(crate) fn words(bytes: &[u8]) -> Result<&[u64], CorpusError> {
    // SAFETY: any eight bytes are a valid word.
    let (before, words, after) = unsafe { bytes.align_to::<u64>() };
    if before.is_empty() && after.is_empty() { Ok(words) } else { Err(misaligned()) }
}

/// The same for half words.
pub(crate) fn half_words(bytes: &[u8]) -> Result<&[u32], CorpusError> {
    // SAFETY: any four bytes are a valid half word.
    let (before, words, after) = unsafe { bytes.align_to::<u32>() };
    if before.is_empty() && after.is_empty() { Ok(words) } else { Err(misaligned()) }
}

fn misaligned() -> CorpusError {
    CorpusError::damaged("A section of the corpus is not aligned")
}

/// The bytes of words.
pub(crate) fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: any word is eight valid bytes.
    unsafe { words.align_to::<u8>().1 }
}

/// Refuses processors whose words are not as in the file.
pub(crate) fn check_byte_order() -> Result<(), CorpusError> {
    if cfg!(target_endian = "little") {
        Ok(())
    } else {
        Err(CorpusError::new(
            CorpusErrorKind::NotBuiltFor,
            "Corpora are for little-endian processors",
        ))
    }
}
