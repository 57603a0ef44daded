//! How a corpus lies in its file.
//!
//! ```text
//! header      4,096 bytes: magic, version, counts, names of the schemes, where the rest is
//! segments    of up to 262,144 molecules, each of
//!   rows        fingerprints, padded to cache lines, sorted by number of bits, then as read
//!   order       place of each row's molecule among those of the segment
//!   screen      bit matrix for substructures: for each screen bit, one bit a molecule
//!   offsets     of the texts
//!   texts       line, SMILES and name
//! directory   where the sections of each segment are; numbers of bits and where their rows
//!             begin; a checksum for every 64 KiB of the segments
//! ```
//!
//! All numbers are little-endian. Sections begin at multiples of 64. The header is written last,
//! so that a file of a stopped build has none.

use std::ops::Range;

use crate::error::{CorpusError, CorpusErrorKind};
use crate::kernel::LINE;

pub(crate) const MAGIC: [u8; 8] = *b"SYNTHCOR";
pub(crate) const VERSION: u32 = 1;
pub(crate) const HEADER: usize = 4_096;
/// Bytes that share a checksum.
pub(crate) const CHUNK: u64 = 64 * 1024;
/// Sections begin at multiples of this.
pub(crate) const ALIGNMENT: u64 = 64;
/// Longest text of the header.
const MAX_NAME: usize = 255;

/// What the header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) molecules: u64,
    pub(crate) file_length: u64,
    pub(crate) directory_start: u64,
    pub(crate) directory_crc: u32,
    /// Bits of a fingerprint.
    pub(crate) size: u32,
    /// Bits of the screen for substructures; 0 without one.
    pub(crate) screen_bits: u32,
    /// Parameters of the fingerprint scheme, 0 where it has none.
    pub(crate) parameters: [u32; 2],
    /// Fingerprint scheme, its version, version of the screen.
    pub(crate) names: [String; 3],
}

/// Where the sections of a segment are: offsets in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) molecules: u32,
    pub(crate) rows: u64,
    pub(crate) order: u64,
    pub(crate) screen: u64,
    pub(crate) offsets: u64,
    pub(crate) texts: u64,
    pub(crate) texts_length: u64,
    /// Numbers of bits that occur, ascending, and the first row with each.
    pub(crate) buckets: Vec<(u32, u32)>,
}

/// The directory: segments and checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    pub(crate) segments: Vec<Segment>,
    pub(crate) checksums: Vec<u32>,
}

/// Words of a row, padded to whole cache lines.
pub(crate) fn row_words(size: u32) -> usize {
    (size as usize).div_ceil(64).next_multiple_of(LINE)
}

/// Bytes of one line of the screen matrix: a bit for each molecule, padded to cache lines.
pub(crate) fn screen_line(molecules: u32) -> u64 {
    u64::from(molecules).div_ceil(8).next_multiple_of(ALIGNMENT)
}

/// Most molecules of a segment: 262,144, or fewer where their rows would take over 64 MiB.
pub(crate) fn segment_molecules(size: u32) -> u32 {
    const MOST: usize = 1 << 18;
    let fit = (64 << 20) / (row_words(size) * 8);
    fit.clamp(512, MOST) as u32
}

impl Segment {
    /// Bytes of the rows.
    pub(crate) fn rows_range(&self, size: u32) -> Range<u64> {
        range(self.rows, u64::from(self.molecules) * row_words(size) as u64 * 8)
    }

    pub(crate) fn order_range(&self) -> Range<u64> {
        range(self.order, u64::from(self.molecules) * 4)
    }

    /// Bytes of one line of the screen matrix.
    pub(crate) fn screen_range(&self, bit: u32) -> Range<u64> {
        let line = screen_line(self.molecules);
        range(self.screen.saturating_add(u64::from(bit) * line), line)
    }

    pub(crate) fn offsets_range(&self) -> Range<u64> {
        range(self.offsets, (u64::from(self.molecules) + 1) * 8)
    }

    pub(crate) fn texts_range(&self) -> Range<u64> {
        range(self.texts, self.texts_length)
    }
}

fn range(start: u64, length: u64) -> Range<u64> {
    start..start.saturating_add(length)
}

impl Header {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER);
        out.extend_from_slice(&MAGIC);
        let [a, b] = self.parameters;
        for number in [VERSION, self.size, self.screen_bits, self.directory_crc, a, b] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.molecules, self.file_length, self.directory_start] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for name in &self.names {
            let name = &name.as_bytes()[..name.len().min(MAX_NAME)];
            out.push(name.len() as u8);
            out.extend_from_slice(name);
        }
        out.resize(HEADER - 4, 0);
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, CorpusError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(CorpusError::new(CorpusErrorKind::NotACorpus, "The file is no corpus")
                .with_hint("`synthon corpus build` makes one of a molecule file"));
        }
        let Some((header, crc)) = bytes.get(..HEADER).and_then(|h| h.split_last_chunk::<4>())
        else {
            return Err(CorpusError::damaged("The corpus ends in its header"));
        };
        let mut parts = Parts(&header[8..]);
        let version = parts.u32()?;
        if version != VERSION {
            return Err(CorpusError::new(
                CorpusErrorKind::Version,
                format!("The corpus has format version {version}, this program reads {VERSION}"),
            )
            .with_hint("build the corpus again"));
        }
        if crc32fast::hash(header) != u32::from_le_bytes(*crc) {
            return Err(CorpusError::damaged("The header of the corpus was changed"));
        }
        let [size, screen_bits, directory_crc] = [parts.u32()?, parts.u32()?, parts.u32()?];
        let parameters = [parts.u32()?, parts.u32()?];
        let [molecules, file_length, directory_start] = [parts.u64()?, parts.u64()?, parts.u64()?];
        let names = [parts.name()?, parts.name()?, parts.name()?];
        if size == 0 || size > 1 << 24 || screen_bits > 1 << 20 {
            return Err(CorpusError::damaged("The corpus has fingerprints of an impossible size"));
        }
        Ok(Header {
            molecules,
            file_length,
            directory_start,
            directory_crc,
            size,
            screen_bits,
            parameters,
            names,
        })
    }
}

impl Directory {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut half = |number: u32| out.extend_from_slice(&number.to_le_bytes());
        half(self.segments.len() as u32);
        half(self.checksums.len() as u32);
        for segment in &self.segments {
            half(segment.molecules);
            half(segment.buckets.len() as u32);
            for place in [
                segment.rows,
                segment.order,
                segment.screen,
                segment.offsets,
                segment.texts,
                segment.texts_length,
            ] {
                half(place as u32);
                half((place >> 32) as u32);
            }
            for &(bits, row) in &segment.buckets {
                half(bits);
                half(row);
            }
        }
        self.checksums.iter().for_each(|&crc| half(crc));
        out
    }

    /// Reads and checks the directory of a file: afterwards every section lies between header
    /// and directory, and rows are divided as the buckets say.
    pub(crate) fn from_bytes(bytes: &[u8], header: &Header) -> Result<Self, CorpusError> {
        if crc32fast::hash(bytes) != header.directory_crc {
            return Err(CorpusError::damaged("The directory of the corpus was changed"));
        }
        let mut parts = Parts(bytes);
        let (segments, checksums) = (parts.u32()?, parts.u32()?);
        let mut directory = Directory::default();
        let mut molecules = 0;
        for _ in 0..segments {
            let segment = Segment::read(&mut parts)?;
            segment.check(header)?;
            molecules += u64::from(segment.molecules);
            directory.segments.push(segment);
        }
        let data = header.directory_start - HEADER as u64;
        if molecules != header.molecules || u64::from(checksums) != data.div_ceil(CHUNK) {
            return Err(inconsistent());
        }
        for _ in 0..checksums {
            directory.checksums.push(parts.u32()?);
        }
        if parts.0.is_empty() { Ok(directory) } else { Err(inconsistent()) }
    }
}

impl Segment {
    fn read(parts: &mut Parts<'_>) -> Result<Self, CorpusError> {
        let (molecules, buckets) = (parts.u32()?, parts.u32()?);
        let mut segment = Segment {
            molecules,
            rows: parts.u64()?,
            order: parts.u64()?,
            screen: parts.u64()?,
            offsets: parts.u64()?,
            texts: parts.u64()?,
            texts_length: parts.u64()?,
            buckets: Vec::new(),
        };
        for _ in 0..buckets {
            segment.buckets.push((parts.u32()?, parts.u32()?));
        }
        Ok(segment)
    }

    fn check(&self, header: &Header) -> Result<(), CorpusError> {
        let mut sections = vec![
            self.rows_range(header.size),
            self.order_range(),
            self.offsets_range(),
            self.texts_range(),
        ];
        if let Some(last) = header.screen_bits.checked_sub(1) {
            sections.push(self.screen..self.screen_range(last).end);
        }
        let lies = |section: &Range<u64>| {
            section.start >= HEADER as u64
                && section.start.is_multiple_of(ALIGNMENT)
                && section.end <= header.directory_start
        };
        let first = self.buckets.first().is_some_and(|bucket| bucket.1 == 0);
        let ascending = self.buckets.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1);
        let last = self
            .buckets
            .last()
            .is_some_and(|&(bits, row)| bits <= header.size && row < self.molecules);
        if sections.iter().all(lies) && first && ascending && last {
            Ok(())
        } else {
            Err(inconsistent())
        }
    }
}

fn inconsistent() -> CorpusError {
    CorpusError::damaged("The directory of the corpus contradicts itself")
}

/// Numbers and texts one after another.
struct Parts<'a>(&'a [u8]);

impl Parts<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], CorpusError> {
        let (number, rest) = self.0.split_first_chunk::<N>().ok_or_else(inconsistent)?;
        self.0 = rest;
        Ok(*number)
    }

    fn u32(&mut self) -> Result<u32, CorpusError> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, CorpusError> {
        self.take().map(u64::from_le_bytes)
    }

    fn name(&mut self) -> Result<String, CorpusError> {
        let [length] = self.take()?;
        let (name, rest) = self.0.split_at_checked(usize::from(length)).ok_or_else(inconsistent)?;
        self.0 = rest;
        String::from_utf8(name.to_vec()).map_err(|_| inconsistent())
    }
}
