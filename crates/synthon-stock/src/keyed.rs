//! Stocks that are keyed by texts which this crate cannot make: InChIKeys, and the Bloom filters
//! of molbloom. Whoever loads one gives a function that makes the text of a molecule.

use std::io::{BufRead, Read};

use synthon_mol::Molecule;

use crate::error::{StockError, StockErrorKind};
use crate::load::{LoadOptions, LoadReport};
use crate::stock::{Content, Stock};

/// Makes the text by which a stock knows a molecule; `None` where there is none.
pub type TextOf = fn(&Molecule) -> Option<String>;

/// Letters of an InChIKey that tell the connections, and those that tell stereo and the rest.
const SKELETON: usize = 14;
const LETTERS: usize = 25;
/// Bytes before the bits of a Bloom filter.
const HEAD: usize = 18;

/// Sorted InChIKeys.
#[derive(Clone, Debug)]
pub(crate) struct InchiKeys {
    keys: Vec<u128>,
    text_of: TextOf,
}

impl InchiKeys {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether a molecule is among them, and whether by its own stereo.
    pub fn find(&self, molecule: &Molecule, any_stereo: bool) -> Option<bool> {
        let key = packed((self.text_of)(molecule)?.as_bytes())?;
        if self.keys.binary_search(&key).is_ok() {
            return Some(true);
        }
        let range = 26u128.pow((LETTERS - SKELETON) as u32);
        let first = key - key % range;
        let next = self.keys.partition_point(|&known| known < first);
        let alike = any_stereo && self.keys.get(next).is_some_and(|&k| k - first < range);
        alike.then_some(false)
    }
}

/// An InChIKey as one number, so that the skeleton leads; `None` for what is none.
fn packed(text: &[u8]) -> Option<u128> {
    let dashes = text.len() == 27 && text[14] == b'-' && text[25] == b'-';
    if !dashes {
        return None;
    }
    text.iter().enumerate().filter(|(place, _)| ![14, 25].contains(place)).try_fold(
        0u128,
        |number, (_, letter)| {
            letter.is_ascii_uppercase().then(|| number * 26 + u128::from(letter - b'A'))
        },
    )
}

/// A Bloom filter in the format of the package `molbloom`: `BLOOM`, a version, the number of hash
/// functions (u32), that of bits (u64), the bits.
#[derive(Clone, Debug)]
pub(crate) struct Bloom {
    bits: Vec<u8>,
    size: u64,
    functions: u32,
    false_positives: f64,
    text_of: TextOf,
}

impl Bloom {
    /// Share of molecules that are not in the stock and pass nevertheless.
    pub fn false_positives(&self) -> f64 {
        self.false_positives
    }

    pub fn may_hold(&self, molecule: &Molecule) -> bool {
        (self.text_of)(molecule).is_some_and(|text| self.may_hold_text(text.as_bytes()))
    }

    /// Two hashes of the kind of Fowler, Noll and Vo give all others (A. Kirsch, M. Mitzenmacher,
    /// *Random Struct. Algorithms* 2008, 33, 187).
    fn may_hold_text(&self, text: &[u8]) -> bool {
        let hash = |start: u64, factor: u64| {
            text.iter().fold(start, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(factor))
        };
        let first = hash(0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);
        let second = hash(6_281_386_704_453_804_504, 245_453_790_232);
        (0..u64::from(self.functions)).all(|i| {
            let at = first.wrapping_add(i.wrapping_mul(second)) % self.size;
            self.bits[(at / 8) as usize] >> (at % 8) & 1 == 1
        })
    }
}

impl Stock {
    /// Reads InChIKeys, one a line; what follows a comma or white space is left out, as are empty
    /// lines, those that start with `#`, and a header. Bad lines are reported and never fatal.
    /// `inchi_key` makes the key of a molecule.
    ///
    /// # Errors
    /// A file that cannot be read, one without any key, or more keys than allowed.
    pub fn from_inchi_keys(
        name: &str,
        mut reader: impl BufRead,
        inchi_key: TextOf,
        options: &LoadOptions,
    ) -> Result<(Stock, LoadReport), StockError> {
        let (mut keys, mut report) = (Vec::new(), LoadReport::default());
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let limit = options.max_line as u64 + 1;
            let read = reader.by_ref().take(limit).read_until(b'\n', &mut line);
            let fault =
                |message: String| StockError::new(StockErrorKind::Read, message).at_line(number);
            let length = read.map_err(|error| fault(error.to_string()))?;
            if length == 0 {
                break;
            }
            if line.last() != Some(&b'\n') && length as u64 == limit {
                return Err(fault(format!("more than {} bytes in a line", options.max_line)));
            }
            let text = line.trim_ascii();
            let end = text.iter().position(|b| b", \t;".contains(b)).unwrap_or(text.len());
            let word = text[..end].trim_ascii_start();
            if word.is_empty() || word.starts_with(b"#") {
                continue;
            }
            match packed(word.strip_prefix(b"\xef\xbb\xbf").unwrap_or(word)) {
                Some(_) if keys.len() >= options.max_keys => {
                    let message = format!("more than {} molecules", options.max_keys);
                    return Err(StockError::new(StockErrorKind::TooLarge, message).at_line(number));
                }
                Some(key) => keys.push(key),
                None if number == 1 => continue,
                None => report.add_bad(number, "no InChIKey".to_owned(), options),
            }
            report.lines += 1;
        }
        if keys.is_empty() {
            return Err(StockError::new(StockErrorKind::Empty, "no line holds an InChIKey")
                .with_hint("an InChIKey is 14, 10 and 1 capital letters with dashes between"));
        }
        let taken = keys.len() as u64;
        keys.sort_unstable();
        keys.dedup();
        report.accepted = keys.len() as u64;
        report.duplicates = taken - report.accepted;
        let content = Content::Keys(InchiKeys { keys, text_of: inchi_key });
        Ok((Stock::from_content(name, content), report))
    }

    /// Reads a Bloom filter of the package `molbloom`. Its answers are at most
    /// [`Probable`](crate::Membership::Probable). `kekule_smiles` makes RDKit's canonical text
    /// with alternating bonds, by which the public filters are keyed.
    ///
    /// # Errors
    /// A file that cannot be read, is none, has other bits than it announces, or more than
    /// `max_bytes` of them. Memory is that of the bits, up to twice that while they are read.
    pub fn from_bloom(
        name: &str,
        reader: impl Read,
        kekule_smiles: TextOf,
        max_bytes: u64,
    ) -> Result<Stock, StockError> {
        let fault = |message: String| StockError::new(StockErrorKind::Read, message);
        let unreadable = |error: std::io::Error| fault(error.to_string());
        let mut reader = reader;
        let mut head = Vec::new();
        reader.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(unreadable)?;
        let head: [u8; HEAD] = head
            .try_into()
            .ok()
            .filter(|head: &[u8; HEAD]| head.starts_with(b"BLOOM"))
            .ok_or_else(|| fault("no Bloom filter: it does not start with `BLOOM`".into()))?;
        if !(1..=2).contains(&head[5]) {
            return Err(fault(format!("version {} of the format, 1 and 2 are known", head[5])));
        }
        let functions = u32::from_le_bytes(head[6..10].try_into().expect("4 bytes"));
        let size = u64::from_le_bytes(head[10..18].try_into().expect("8 bytes"));
        let wanted = size.div_ceil(8);
        if !(1..=64).contains(&functions) || size == 0 {
            return Err(fault(format!("{functions} hash functions and {size} bits are announced")));
        }
        if wanted > max_bytes {
            let message = format!("a filter of {wanted} bytes, {max_bytes} are allowed");
            return Err(StockError::new(StockErrorKind::TooLarge, message));
        }
        // Memory grows with what is there, not with what is announced.
        let mut bits = Vec::new();
        reader.take(wanted + 1).read_to_end(&mut bits).map_err(unreadable)?;
        if bits.len() as u64 != wanted {
            let more = if bits.len() as u64 > wanted { "more" } else { "fewer" };
            return Err(fault(format!("{size} bits are announced, {more} follow")));
        }
        bits.shrink_to_fit();
        let set: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
        let content = Content::Filter(Bloom {
            bits,
            size,
            functions,
            false_positives: (set as f64 / size as f64).powi(functions as i32),
            text_of: kekule_smiles,
        });
        Ok(Stock::from_content(name, content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stock::{Found, Membership, StereoMatch};

    /// Keys of the three molecules that the tests ask for.
    fn key(molecule: &Molecule) -> Option<String> {
        Some(match molecule.to_smiles().as_str() {
            "CCO" => "LFQSCWFLJHTTHZ-UHFFFAOYSA-N".to_owned(),
            "CC(=O)O" => "QTBSBXVTEAMEQO-UHFFFAOYSA-N".to_owned(),
            "C[C@H](N)C(=O)O" => "QNAYBMKLOCPYGJ-REOHCLBHSA-N".to_owned(),
            "C[C@@H](N)C(=O)O" => "QNAYBMKLOCPYGJ-UWTATZPHSA-N".to_owned(),
            _ => return None,
        })
    }

    fn read(smiles: &str) -> Molecule {
        Molecule::from_smiles(smiles).expect(smiles)
    }

    #[test]
    fn keys_are_found_with_parent_and_stereo() {
        let text = "inchi_key\nQTBSBXVTEAMEQO-UHFFFAOYSA-N,3\nnonsense\n\
                    QNAYBMKLOCPYGJ-REOHCLBHSA-N\nQNAYBMKLOCPYGJ-REOHCLBHSA-N\n";
        let (stock, report) =
            Stock::from_inchi_keys("keys", text.as_bytes(), key, &LoadOptions::default())
                .expect("reads");
        assert_eq!((report.lines, report.accepted), (4, 2));
        assert_eq!((report.duplicates, report.bad, stock.len()), (1, 1, 2));
        assert!(stock.contains(&read("CC(=O)O")).is_yes());
        assert!(!stock.contains(&read("CCO")).is_yes());
        let salt = stock.contains(&read("CC(=O)[O-].[Na+]")).entry().expect("its parent");
        assert_eq!((salt.found, salt.source), (Found::Parent, "keys"));
        assert!(!stock.contains(&read("C[C@@H](N)C(=O)O")).is_yes());
        let stock = stock.with_stereo(StereoMatch::Ignore);
        let other = stock.contains(&read("C[C@@H](N)C(=O)O")).entry().expect("its mirror image");
        assert_eq!(other.found, Found::Stereoisomer);
    }

    #[test]
    fn key_lists_have_limits() {
        let load = |text: &str, options: &LoadOptions| {
            Stock::from_inchi_keys("keys", text.as_bytes(), key, options).expect_err(text)
        };
        let two = "QTBSBXVTEAMEQO-UHFFFAOYSA-N\nLFQSCWFLJHTTHZ-UHFFFAOYSA-N\n";
        let options = LoadOptions { max_keys: 1, ..LoadOptions::default() };
        let error = load(two, &options);
        assert_eq!((error.code(), error.line()), ("stock.too_large", Some(2)));
        assert_eq!(load("a\nb\n", &LoadOptions::default()).code(), "stock.empty");
        let long = "A".repeat(20_000);
        assert_eq!(load(&long, &LoadOptions::default()).line(), Some(1));
    }

    /// A filter of 1,024 bits that holds these texts, by the published rule.
    fn filter(texts: &[&str]) -> Vec<u8> {
        let mut bits = vec![0u8; 128];
        for text in texts {
            let fnv = |start: u64, factor: u64| {
                text.bytes().fold(start, |h, b| (h ^ u64::from(b)).wrapping_mul(factor))
            };
            let first = fnv(14_695_981_039_346_656_037, 1_099_511_628_211);
            let second = fnv(6_281_386_704_453_804_504, 245_453_790_232);
            for i in 0..8u64 {
                let at = first.wrapping_add(i.wrapping_mul(second)) % 1_024;
                bits[(at / 8) as usize] |= 1 << (at % 8);
            }
        }
        let mut bytes = b"BLOOM\x02\x08\0\0\0".to_vec();
        bytes.extend(1_024u64.to_le_bytes());
        bytes.extend(bits);
        bytes
    }

    #[test]
    fn a_filter_says_probable_at_most() {
        let text: TextOf = |molecule| Some(molecule.to_smiles());
        let bytes = filter(&["CCO", "CC(=O)O"]);
        let stock = Stock::from_bloom("zinc", bytes.as_slice(), text, 1 << 20).expect("reads");
        assert!(matches!(
            stock.contains(&read("OCC")),
            Membership::Probable { false_positives } if false_positives < 1e-6
        ));
        assert!(stock.contains(&read("CC(=O)[O-].[Na+]")).may_be());
        assert_eq!(stock.contains(&read("CCN")), Membership::No);
        assert!(!stock.contains(&read("OCC")).is_yes());
    }

    #[test]
    fn spoilt_filters_are_refused() {
        let text: TextOf = |molecule| Some(molecule.to_smiles());
        let good = filter(&["CCO"]);
        for (case, bytes, code) in [
            ("empty", Vec::new(), "stock.read"),
            ("other file", b"SMILES here, and more of them".to_vec(), "stock.read"),
            ("cut short", good[..good.len() - 1].to_vec(), "stock.read"),
            ("other version", [b"BLOOM\x07", &good[6..]].concat(), "stock.read"),
            ("size announced", [&good[..10], &[0xff; 8], &good[18..]].concat(), "stock.too_large"),
            ("too long", [good.clone(), vec![0; 2_000]].concat(), "stock.read"),
            (
                "too large",
                [&good[..10], &8_001u64.to_le_bytes(), &[0; 1_001]].concat(),
                "stock.too_large",
            ),
            ("no function", [&good[..6], &[0; 4], &good[10..]].concat(), "stock.read"),
            ("no bits", [&good[..10], &[0; 8]].concat(), "stock.read"),
        ] {
            let error = Stock::from_bloom("f", bytes.as_slice(), text, 1_000).expect_err(case);
            assert_eq!(error.code(), code, "{case}");
        }
    }
}
