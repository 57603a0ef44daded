//! From records to a corpus.

use std::ops::ControlFlow;
use std::path::Path;

use synthon_budget::Budget;
use synthon_fp::{Fingerprint, Fingerprinter, FpErrorKind, Scheme};
use synthon_mol::Molecule;
use synthon_query::{FEATURE_BITS, FEATURES_VERSION, Features, TargetProfile};
use synthon_records::{
    Chunking, Notation, RawRecord, RecordError, RecordReport, process_in_order_with, same_file,
};

use crate::error::{CorpusError, CorpusErrorKind};
use crate::layout::{Header, segment_molecules};
use crate::mapped::check_byte_order;
use crate::scheme::scheme_to_parts;
use crate::write::{CorpusDraft, Page};

/// What a corpus is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Fingerprint; default ECFP4.
    pub scheme: Scheme,
    /// Bits of the fingerprint; default 2,048. A row takes a multiple of 64 bytes.
    pub size: usize,
    /// Whether the corpus can be searched for substructures, which takes 256 bytes a molecule;
    /// default true.
    pub substructures: bool,
    /// Whether a file that cannot be read to its end is taken as far as it goes; by default it
    /// is refused.
    pub allow_broken_off: bool,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            scheme: Scheme::ECFP4,
            size: 2_048,
            substructures: true,
            allow_broken_off: false,
        }
    }
}

/// What became of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildReport {
    /// What became of the records.
    pub records: RecordReport,
    /// Length of the file in bytes.
    pub file_length: u64,
}

/// One molecule, ready to be written.
struct Packed {
    row: Vec<u64>,
    screen: Option<Features>,
    text: Vec<u8>,
    line: u64,
    /// What was dropped on reading.
    warnings: Vec<String>,
}

/// Nodes that the fingerprint of one molecule may take.
const MOST_NODES: u64 = 50_000_000;

/// Refuses to build a corpus over the file that it is made from, by whatever name: a corpus does
/// not hold all that the records do.
///
/// # Errors
/// Both are one file.
pub fn check_target(source: &Path, path: &Path) -> Result<(), CorpusError> {
    if !same_file(source, path) {
        return Ok(());
    }
    let name = path.display();
    let error = format!("{name} is the file of the molecules itself");
    Err(CorpusError::new(CorpusErrorKind::File, error).with_hint("name another for the corpus"))
}

/// Writes a corpus of the molecules of `records` to `path`, in their order, on the threads of
/// the current rayon pool. The bytes do not depend on the number of threads.
///
/// The file is complete when it appears: it is written under another name in the same folder,
/// and moved. A corpus that is open under the old name stays what it is. Bad records are
/// reported; `progress` is told now and then how many records were taken, and stops the build by
/// returning `false`.
///
/// # Errors
/// A file that cannot be written or is none (a device, a pipe), records that break off (unless allowed) or hold no molecule, a
/// fingerprint that does not exist in this size, a stopped build. Nothing is left behind.
pub fn build(
    records: impl Iterator<Item = RawRecord>,
    path: &Path,
    options: &BuildOptions,
    mut progress: impl FnMut(&RecordReport) -> bool,
) -> Result<BuildReport, CorpusError> {
    check_byte_order()?;
    let printer = Fingerprinter::new(options.scheme, options.size)
        .map_err(|error| CorpusError::new(CorpusErrorKind::Query, error.to_string()))?;
    let size = options.size as u32;
    let screen_bits = if options.substructures { FEATURE_BITS as u32 } else { 0 };
    let mut draft = CorpusDraft::new(path)?;
    let mut page = Page::new(size, screen_bits);
    let most = segment_molecules(size) as usize;
    let mut report = RecordReport::default();
    let mut molecules = 0u64;
    let fault = process_in_order_with(
        records,
        Chunking::default(),
        || printer.clone(),
        |printer, raw| pack(printer, raw, options.substructures),
        |packed| {
            match packed {
                Ok(packed) => {
                    let screen = packed.screen.as_ref().map_or(&[][..], Features::words);
                    page.push(&packed.row, screen, &packed.text);
                    molecules += 1;
                    report.take_good(packed.line, &packed.warnings);
                }
                Err(error) => report.take_fault(error),
            }
            if page.len() == most {
                if let Err(error) = draft.segment(&page) {
                    return ControlFlow::Break(error);
                }
                page.clear();
            }
            if (report.good + report.bad).is_multiple_of(1_024) && !progress(&report) {
                return ControlFlow::Break(CorpusError::new(
                    CorpusErrorKind::Records,
                    "The build was stopped",
                ));
            }
            ControlFlow::Continue(())
        },
    );
    if let Some(error) = fault {
        return Err(error);
    }
    if let Some(error) = report.broken_off.as_ref().filter(|_| !options.allow_broken_off) {
        return Err(CorpusError::new(CorpusErrorKind::Records, error.to_string()));
    }
    if molecules == 0 {
        let error = CorpusError::new(CorpusErrorKind::Records, "No record holds a molecule");
        return Err(match report.faults.first() {
            Some(first) => error.with_hint(format!("the first fault is in {first}")),
            None => error.with_hint("the file is empty"),
        });
    }
    if page.len() > 0 {
        draft.segment(&page)?;
    }
    let (name, parameters) = scheme_to_parts(options.scheme);
    let names = [
        name.to_owned(),
        options.scheme.version().to_owned(),
        if options.substructures { FEATURES_VERSION.to_owned() } else { String::new() },
    ];
    let header = Header { molecules, size, screen_bits, parameters, names, ..Header::default() };
    let file_length = draft.finish(header)?;
    Ok(BuildReport { records: report, file_length })
}

fn pack(
    printer: &mut Fingerprinter,
    raw: RawRecord,
    substructures: bool,
) -> Result<Packed, RecordError> {
    let record = raw.read();
    let molecule = record.molecule?;
    let mut row = vec![0; Fingerprint::words_for(printer.size())];
    let mut budget = Budget::unlimited().with_node_limit(MOST_NODES);
    printer.bits_into(&molecule, &mut row, &mut budget).map_err(|error| match error.kind() {
        FpErrorKind::Stopped(_) => {
            RecordError::unfit(record.line, error.code(), "The fingerprint takes too long")
        }
        _ => RecordError::unfit(record.line, error.code(), error.to_string()),
    })?;
    let screen = substructures.then(|| Features::of_target(&TargetProfile::new(&molecule)));
    let smiles = smiles_of(&molecule, record.notation, &record.text);
    let text = encode_text(record.line, &smiles, &record.name);
    Ok(Packed { row, screen, text, line: record.line, warnings: molecule.warnings().to_vec() })
}

/// The text as it was given, where that is SMILES.
fn smiles_of(molecule: &Molecule, notation: Notation, text: &str) -> String {
    match notation {
        Notation::Smiles => text.to_owned(),
        _ => molecule.to_smiles(),
    }
}

/// Line and length of the SMILES as numbers of seven bits a byte, SMILES, name.
fn encode_text(line: u64, smiles: &str, name: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(smiles.len() + name.len() + 8);
    for mut number in [line, smiles.len() as u64] {
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }
    out.extend_from_slice(smiles.as_bytes());
    out.extend_from_slice(name.as_bytes());
    out
}

/// Undoes [`encode_text`].
pub(crate) fn decode_text(mut text: &[u8]) -> Option<(u64, &str, &str)> {
    let mut number = || {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = text.split_first()?;
            text = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    };
    let (line, length) = (number()?, number()?);
    let (smiles, name) = text.split_at_checked(usize::try_from(length).ok()?)?;
    Some((line, std::str::from_utf8(smiles).ok()?, std::str::from_utf8(name).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for (line, smiles, name) in
            [(1, "C", ""), (u64::MAX, "CCO", "ethanol"), (300, &*"C".repeat(200), "é\t|")]
        {
            let text = encode_text(line, smiles, name);
            assert_eq!(decode_text(&text), Some((line, smiles, name)));
        }
        assert_eq!(decode_text(&[]), None);
        assert_eq!(decode_text(&[0xff; 12]), None);
        assert_eq!(decode_text(&[1, 9, b'C']), None);
    }
}
