//! The compiled form of a stock: sorted keys beside the text they were computed from, so that
//! loading parses nothing.
//!
//! Layout, little endian: `synstk01`, key version (u32), number of exact entries (u32), number of
//! flat entries (u32), a zero (u32), FNV-1a hash of the text (u64); then the exact keys (u128,
//! ascending), the byte offset of each one's line (u32), and the same for the flat keys, which
//! belong to the molecules without stereo.

use std::borrow::Cow;

use synthon_mol::Molecule;

use crate::error::{StockError, StockErrorKind};
use crate::parent::flat;

/// Version of the canonical key that indices are made with. It changes when a key does, and every
/// index is then made anew.
pub const KEY_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"synstk01";
const HEADER: usize = 32;

/// Keys and line offsets, exact and flat.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    bytes: Cow<'static, [u8]>,
    exact: usize,
    flat: usize,
}

impl Index {
    /// Reads an index without copying it.
    pub fn read(bytes: Cow<'static, [u8]>, text: &str) -> Result<Index, StockError> {
        let fault = |message: &str| {
            StockError::new(StockErrorKind::Index, message.to_owned())
                .with_hint("make the index anew with `cargo xtask data stock`")
        };
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(fault("not an index of a stock"));
        }
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        if word(8) != KEY_VERSION {
            return Err(fault("the index was made for another version of the canonical key"));
        }
        let (exact, flat) = (word(12) as usize, word(16) as usize);
        let wanted = (HEADER as u64) + 20 * (exact as u64 + flat as u64);
        if bytes.len() as u64 != wanted {
            return Err(fault("the index is cut off or too long"));
        }
        let hash = u64::from_le_bytes(bytes[24..32].try_into().expect("8 bytes"));
        if hash != fnv1a(text.as_bytes()) {
            return Err(fault("the index belongs to another text"));
        }
        let index = Index { bytes, exact, flat };
        let ends_inside = |count: usize, at: usize| {
            (0..count).all(|i| (index.u32(at + 16 * count + 4 * i) as usize) < text.len())
        };
        if !ends_inside(exact, HEADER) || !ends_inside(flat, HEADER + 20 * exact) {
            return Err(fault("the index points outside its text"));
        }
        Ok(index)
    }

    pub fn len(&self) -> usize {
        self.exact
    }

    /// Offset of the line whose molecule has this key.
    pub fn exact(&self, key: u128) -> Option<usize> {
        self.find(HEADER, self.exact, key)
    }

    /// Offset of the line whose molecule without stereo has this key.
    pub fn flat(&self, key: u128) -> Option<usize> {
        self.find(HEADER + 20 * self.exact, self.flat, key)
    }

    fn find(&self, at: usize, count: usize, key: u128) -> Option<usize> {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let place = at + 16 * middle;
            let found =
                u128::from_le_bytes(self.bytes[place..place + 16].try_into().expect("16 bytes"));
            match found.cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    return Some(self.u32(at + 16 * count + 4 * middle) as usize);
                }
            }
        }
        None
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("4 bytes"))
    }
}

/// Makes the index of a stock's text: a line for each molecule, SMILES first, then a tab and
/// whatever belongs to it. Of molecules that are equal the first line counts.
///
/// # Errors
/// The first line that is no molecule, and a text of more than 4 GiB.
pub fn build_index(text: &str) -> Result<Vec<u8>, StockError> {
    if u32::try_from(text.len()).is_err() {
        return Err(StockError::new(StockErrorKind::TooLarge, "a text of more than 4 GiB"));
    }
    let mut exact: Vec<(u128, u32)> = Vec::new();
    let mut without: Vec<(u128, u32)> = Vec::new();
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let smiles = line.split(['\t', '\n', '\r']).next().unwrap_or_default();
        if !smiles.is_empty() && !line.starts_with('#') {
            let read = Molecule::from_smiles(smiles);
            let molecule = read.map_err(|e| {
                StockError::new(StockErrorKind::Read, format!("`{smiles}`: {e}"))
                    .at_line(number as u64 + 1)
            })?;
            exact.push((molecule.canonical_key(), offset as u32));
            if let Some(molecule) = flat(&molecule) {
                without.push((molecule.canonical_key(), offset as u32));
            }
        }
        offset += line.len();
    }
    Ok(pack(exact, without, fnv1a(text.as_bytes())))
}

fn pack(mut exact: Vec<(u128, u32)>, mut flat: Vec<(u128, u32)>, hash: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + 20 * (exact.len() + flat.len()));
    for table in [&mut exact, &mut flat] {
        table.sort_unstable();
        table.dedup_by_key(|entry| entry.0);
    }
    bytes.extend_from_slice(MAGIC);
    for word in [KEY_VERSION, exact.len() as u32, flat.len() as u32, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&hash.to_le_bytes());
    for table in [&exact, &flat] {
        table.iter().for_each(|(key, _)| bytes.extend_from_slice(&key.to_le_bytes()));
        table.iter().for_each(|(_, at)| bytes.extend_from_slice(&at.to_le_bytes()));
    }
    bytes
}

/// The index of entries that were read one by one, `hash` being that of their text.
pub(crate) fn index_of(
    exact: Vec<(u128, u32)>,
    flat: Vec<(u128, u32)>,
    text: &str,
) -> Result<Index, StockError> {
    Index::read(Cow::Owned(pack(exact, flat, fnv1a(text.as_bytes()))), text)
}

/// 64-bit FNV-1a (Fowler, Noll, Vo): guards against a mix-up of files, not against malice.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a comment\nCCO\tethanol\nCC(=O)O\nOCC\tagain\nC[C@H](O)C(=O)O\n";

    fn index() -> (Vec<u8>, Index) {
        let bytes = build_index(TEXT).expect("builds");
        (bytes.clone(), Index::read(Cow::Owned(bytes), TEXT).expect("reads"))
    }

    fn key(smiles: &str) -> u128 {
        Molecule::from_smiles(smiles).expect(smiles).canonical_key()
    }

    #[test]
    fn keys_lead_to_their_first_line() {
        let (_, index) = index();
        assert_eq!(index.len(), 3);
        assert_eq!(index.exact(key("OCC")), Some(TEXT.find("CCO").expect("there")));
        assert_eq!(index.exact(key("CC(O)C(=O)O")), None);
        assert_eq!(index.flat(key("CC(O)C(=O)O")), TEXT.find("C[C@H]"));
    }

    #[test]
    fn spoilt_indices_are_refused() {
        let (bytes, _) = index();
        for (case, bytes, text) in [
            ("empty", Vec::new(), TEXT),
            ("cut", bytes[..bytes.len() - 1].to_vec(), TEXT),
            ("other text", bytes.clone(), "CCO\n"),
            ("other version", [&bytes[..8], &[9], &bytes[9..]].concat(), TEXT),
        ] {
            let error = Index::read(Cow::Owned(bytes), text).expect_err(case);
            assert_eq!(error.code(), "stock.index", "{case}");
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = build_index("CCO\nC(C\n").expect_err("unclosed");
        assert_eq!((error.code(), error.line()), ("stock.read", Some(2)));
    }
}
