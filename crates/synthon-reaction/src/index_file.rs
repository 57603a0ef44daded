//! The bytes of an index, so that a large library need not read its templates to be searched.
//!
//! Numbers are LEB128, screens fixed width, little endian:
//!
//! ```text
//! "synthon index 1\n"  fingerprint of the screens (8 bytes)
//! number of screens, each 16 bytes
//! number of features, each: screen, 0 or 1; with 1: bond (2 bytes), screen of the other end
//! number of templates, each: number of features, feature numbers
//! ```
//!
//! The bits of a screen mean what this build makes of them. The fingerprint is that of the screens
//! of fixed patterns; where it differs the index is of another version and has to be made anew.

use synthon_query::{AtomScreen, BondScreen, Pattern};

use crate::error::{ReactionError, ReactionErrorKind};
use crate::index::{Feature, TemplateIndex};

const MAGIC: &[u8] = b"synthon index 1\n";

/// Patterns that show each property that a screen can hold.
const PROBES: [&str; 8] = [
    "[C;H0;D3;+0]=[O;H0;D1;+0]",
    "[CH3]-[N;H2]-[O-]-[S+]-[P]",
    "[c]:[n]:[nH]:[o]:[s]",
    "[#6;R]~[#7;!R]@[#8;r5]!@[F,Cl,Br,I]",
    "[B]#[Si;X4]=,:[Se;v2]",
    "[C;H1;D4;+1]-[C;D2;-1]/[C]=[C]/[C;R2]",
    "[13C]-[*]->[Na,K,Li,Mg,Zn,Cu,Sn,Pd]",
    "[A]-;@[a]-;!@[C;x2]$[C;^2;z1]",
];

/// A hash of the screens of the probes (FNV-1a).
fn fingerprint() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for probe in PROBES {
        let Ok(pattern) = Pattern::from_smarts(probe) else { continue };
        for atom in 0..pattern.atoms().len() {
            take(&pattern.atom_screen(atom).to_bits().to_le_bytes());
        }
        for bond in 0..pattern.bonds().len() {
            take(&pattern.bond_screen(bond).to_bits().to_le_bytes());
        }
    }
    hash
}

impl TemplateIndex {
    /// The index as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&fingerprint().to_le_bytes());
        put(&mut out, self.screens.len() as u64);
        for screen in &self.screens {
            out.extend_from_slice(&screen.to_bits().to_le_bytes());
        }
        put(&mut out, self.features.len() as u64);
        for feature in &self.features {
            put(&mut out, feature.atom.into());
            match feature.bond {
                None => out.push(0),
                Some((bond, other)) => {
                    out.push(1);
                    out.extend_from_slice(&bond.to_bits().to_le_bytes());
                    put(&mut out, other.into());
                }
            }
        }
        put(&mut out, self.len() as u64);
        for range in self.offsets.windows(2) {
            let needs = &self.needs[range[0] as usize..range[1] as usize];
            put(&mut out, needs.len() as u64);
            needs.iter().for_each(|&need| put(&mut out, need.into()));
        }
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`ReactionErrorKind::Index`] with the place, for bytes that are damaged or cut short, and
    /// for an index that was written by a version whose screens mean something else: then make it
    /// from the templates.
    pub fn from_bytes(bytes: &[u8]) -> Result<TemplateIndex, ReactionError> {
        let mut input = Input { bytes, at: 0 };
        if input.take(MAGIC.len())? != MAGIC {
            return Err(fault(0, "no index of this version"));
        }
        if input.array::<8>()? != fingerprint().to_le_bytes() {
            return Err(fault(MAGIC.len(), "written by another version"));
        }
        let mut index = TemplateIndex::default();
        index.offsets.push(0);
        for _ in 0..input.count(16)? {
            let bits = u128::from_le_bytes(input.array()?);
            index.screens.push(AtomScreen::from_bits(bits));
        }
        let screens = index.screens.len() as u64;
        for _ in 0..input.count(2)? {
            let atom = input.below(screens)?;
            let bond = match input.array::<1>()?[0] {
                0 => None,
                1 => {
                    let bits = u16::from_le_bytes(input.array()?);
                    Some((BondScreen::from_bits(bits), input.below(screens)?))
                }
                _ => return Err(fault(input.at, "neither 0 nor 1")),
            };
            index.features.push(Feature { atom, bond });
        }
        let features = index.features.len() as u64;
        for _ in 0..input.count(1)? {
            for _ in 0..input.count(1)? {
                let need = input.below(features)?;
                index.needs.push(need);
            }
            index.offsets.push(index.needs.len() as u32);
        }
        if input.at != bytes.len() {
            return Err(fault(input.at, "more bytes than announced"));
        }
        index.fill_buckets();
        Ok(index)
    }
}

fn fault(at: usize, message: &str) -> ReactionError {
    ReactionError::new(ReactionErrorKind::Index, format!("template index: {message}"))
        .at(at..at)
        .with_hint("make the index anew from the templates")
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Input<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], ReactionError> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| fault(self.at, "cut short"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReactionError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn number(&mut self) -> Result<u64, ReactionError> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.array::<1>()?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(fault(self.at, "a number of more than five bytes"))
    }

    /// A count of items of at least `width` bytes: more than the rest can hold is damage.
    fn count(&mut self, width: usize) -> Result<usize, ReactionError> {
        let count = self.number()? as usize;
        if count > (self.bytes.len() - self.at) / width {
            return Err(fault(self.at, "a count larger than the rest of the bytes"));
        }
        Ok(count)
    }

    fn below(&mut self, limit: u64) -> Result<u32, ReactionError> {
        match self.number()? {
            number if number < limit => Ok(number as u32),
            _ => Err(fault(self.at, "a number out of range")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexScratch;
    use crate::template::Template;
    use synthon_mol::Molecule;
    use synthon_query::TargetProfile;

    fn index() -> TemplateIndex {
        let templates: Vec<Template> = [
            "[C:1](=[O:2])-[NH:3]>>[C:1](=[O:2])O.[NH2:3]",
            "[c:1]-[c:2]>>[c:1]Br.[c:2]B(O)O",
            "([C:1].[O:2])>>([C:1]F.[O:2])",
            "[*:1]>>[*:1]",
        ]
        .iter()
        .map(|text| Template::from_smarts(text).expect(text))
        .collect();
        TemplateIndex::new(&templates)
    }

    #[test]
    fn what_was_written_finds_the_same() {
        let (index, bytes) = (index(), index().to_bytes());
        let back = TemplateIndex::from_bytes(&bytes).expect("its own bytes");
        assert_eq!(back.to_bytes(), bytes);
        for smiles in ["CC(=O)NC", "c1ccccc1-c1ccccc1", "CCO", "[Na+]"] {
            let profile = TargetProfile::new(&Molecule::from_smiles(smiles).expect(smiles));
            let find = |index: &TemplateIndex| {
                let mut found = Vec::new();
                index.candidates(&profile, &mut IndexScratch::default(), &mut found);
                found
            };
            assert_eq!(find(&back), find(&index), "{smiles}");
        }
    }

    #[test]
    fn damage_is_refused() {
        let bytes = index().to_bytes();
        for length in 0..bytes.len() {
            assert!(TemplateIndex::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            // Some damage gives another index; none may panic.
            let _ = TemplateIndex::from_bytes(&damaged);
        }
        let mut longer = bytes;
        longer.push(0);
        let error = TemplateIndex::from_bytes(&longer).expect_err("one byte more");
        assert_eq!(error.code(), "reaction.index");
    }

    #[test]
    fn the_probes_are_patterns() {
        for probe in PROBES {
            assert!(Pattern::from_smarts(probe).is_ok(), "{probe}");
        }
    }
}
