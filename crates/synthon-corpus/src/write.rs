//! Writing a corpus: sections with their checksums into a file that gets its name at the end.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use synthon_records::Draft;

use crate::error::CorpusError;
use crate::layout::{ALIGNMENT, CHUNK, Directory, HEADER, Header, Segment, row_words, screen_line};
use crate::mapped::bytes_of;

/// Sections one after another, with a checksum for each chunk of them.
pub(crate) struct Sections<W> {
    out: W,
    at: u64,
    crc: crc32fast::Hasher,
    checksums: Vec<u32>,
    segments: Vec<Segment>,
}

impl<W: Write + Seek> Sections<W> {
    /// Leaves room for the header.
    pub(crate) fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&[0; HEADER])?;
        Ok(Sections {
            out,
            at: HEADER as u64,
            crc: crc32fast::Hasher::new(),
            checksums: Vec::new(),
            segments: Vec::new(),
        })
    }

    /// Begins a section and tells where.
    fn section(&mut self) -> io::Result<u64> {
        let gap = self.at.next_multiple_of(ALIGNMENT) - self.at;
        self.write(&[0; ALIGNMENT as usize][..gap as usize])?;
        Ok(self.at)
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        while !bytes.is_empty() {
            let filled = (self.at - HEADER as u64) % CHUNK;
            let (now, later) = bytes.split_at(bytes.len().min((CHUNK - filled) as usize));
            self.crc.update(now);
            self.at += now.len() as u64;
            if filled + now.len() as u64 == CHUNK {
                self.close_chunk();
            }
            bytes = later;
        }
        Ok(())
    }

    fn close_chunk(&mut self) {
        self.checksums.push(std::mem::take(&mut self.crc).finalize());
    }

    /// Writes the molecules of a page as the next segment.
    pub(crate) fn segment(&mut self, page: &Page) -> io::Result<()> {
        let molecules = page.len() as u32;
        let sorted = page.sorted();
        let mut segment = Segment { molecules, ..Segment::default() };
        for (row, &(bits, _)) in sorted.iter().enumerate() {
            if segment.buckets.last().is_none_or(|bucket| bucket.0 != bits) {
                segment.buckets.push((bits, row as u32));
            }
        }
        segment.rows = self.section()?;
        for &(_, molecule) in &sorted {
            self.write(bytes_of(page.row(molecule)))?;
        }
        segment.order = self.section()?;
        let order: Vec<u8> = sorted.iter().flat_map(|sorted| sorted.1.to_le_bytes()).collect();
        self.write(&order)?;
        segment.screen = self.section()?;
        for line in page.screen_lines() {
            self.write(bytes_of(&line))?;
        }
        segment.offsets = self.section()?;
        let offsets: Vec<u8> =
            page.offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        self.write(&offsets)?;
        segment.texts = self.section()?;
        segment.texts_length = page.texts.len() as u64;
        self.write(&page.texts)?;
        self.segments.push(segment);
        Ok(())
    }

    /// Writes the directory and, after `settle` has seen to it that everything is safely there,
    /// the header. Gives back the length of the file.
    pub(crate) fn finish(
        mut self,
        mut header: Header,
        mut settle: impl FnMut(&mut W) -> io::Result<()>,
    ) -> io::Result<(u64, W)> {
        if !(self.at - HEADER as u64).is_multiple_of(CHUNK) {
            self.close_chunk();
        }
        let directory = Directory { segments: self.segments, checksums: self.checksums }.to_bytes();
        header.directory_start = self.at;
        header.directory_crc = crc32fast::hash(&directory);
        header.file_length = self.at + directory.len() as u64;
        self.out.write_all(&directory)?;
        settle(&mut self.out)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header.to_bytes())?;
        settle(&mut self.out)?;
        Ok((header.file_length, self.out))
    }
}

/// A corpus that is being written, and where it shall stand.
pub(crate) struct CorpusDraft {
    sections: Sections<BufWriter<Draft>>,
    target: String,
}

impl CorpusDraft {
    pub(crate) fn new(target: &Path) -> Result<Self, CorpusError> {
        let name = target.display().to_string();
        let sections = Draft::new(target)
            .and_then(|draft| Sections::new(BufWriter::with_capacity(1 << 20, draft)))
            .map_err(|error| CorpusError::file(&name, &error))?;
        Ok(CorpusDraft { sections, target: name })
    }

    pub(crate) fn segment(&mut self, page: &Page) -> Result<(), CorpusError> {
        self.sections.segment(page).map_err(|error| CorpusError::file(&self.target, &error))
    }

    /// Gives the file its name, complete as it is then.
    pub(crate) fn finish(self, header: Header) -> Result<u64, CorpusError> {
        let settle = |draft: &mut BufWriter<Draft>| {
            draft.flush()?;
            draft.get_ref().sync()
        };
        let finished = self.sections.finish(header, settle).and_then(|(length, draft)| {
            draft.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            Ok(length)
        });
        finished.map_err(|error| CorpusError::file(&self.target, &error))
    }
}

/// The molecules of one segment in memory, in the order of the records.
pub(crate) struct Page {
    rows: Vec<u64>,
    bits: Vec<u32>,
    screens: Vec<u64>,
    screen_words: usize,
    offsets: Vec<u64>,
    texts: Vec<u8>,
    row_words: usize,
}

impl Page {
    pub(crate) fn new(size: u32, screen_bits: u32) -> Self {
        Page {
            rows: Vec::new(),
            bits: Vec::new(),
            screens: Vec::new(),
            screen_words: screen_bits.div_ceil(64) as usize,
            offsets: vec![0],
            texts: Vec::new(),
            row_words: row_words(size),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    /// Adds a molecule: the words of its fingerprint and of its screen, and its text.
    pub(crate) fn push(&mut self, row: &[u64], screen: &[u64], text: &[u8]) {
        self.rows.extend_from_slice(row);
        self.bits.push(row.iter().map(|word| word.count_ones()).sum());
        self.rows.resize(self.bits.len() * self.row_words, 0);
        self.screens.extend_from_slice(&screen[..self.screen_words]);
        self.texts.extend_from_slice(text);
        self.offsets.push(self.texts.len() as u64);
    }

    /// The padded fingerprint of a molecule.
    fn row(&self, molecule: u32) -> &[u64] {
        let start = molecule as usize * self.row_words;
        &self.rows[start..start + self.row_words]
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.bits.clear();
        self.screens.clear();
        self.offsets.truncate(1);
        self.texts.clear();
    }

    /// Number of bits and place of each molecule, sorted.
    fn sorted(&self) -> Vec<(u32, u32)> {
        let mut sorted: Vec<(u32, u32)> = self.bits.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        sorted
    }

    /// The lines of the screen matrix: for each bit the molecules that have it.
    fn screen_lines(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        let words = screen_line(self.len() as u32) as usize / 8;
        // Sixty-four lines at a time, so that what is read is read once.
        (0..self.screen_words).flat_map(move |word| {
            let mut lines = vec![vec![0u64; words]; 64];
            for (molecule, screen) in self.screens.chunks_exact(self.screen_words).enumerate() {
                let mut bits = screen[word];
                while bits != 0 {
                    let line = &mut lines[bits.trailing_zeros() as usize];
                    line[molecule / 64] |= 1 << (molecule % 64);
                    bits &= bits - 1;
                }
            }
            lines
        })
    }
}
