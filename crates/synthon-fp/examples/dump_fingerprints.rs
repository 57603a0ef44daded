//! Reads SMILES, one a line, and prints digests of its fingerprints as JSON lines, in the format
//! of `xtask/oracle/fingerprints.py`: of bits, counts and sparse counts for each scheme. With
//! `--full SCHEME` prints bits and sparse counts of that scheme themselves.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::io::{BufRead, Write};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use synthon_budget::Budget;
use synthon_fp::{Fingerprint, Fingerprinter, Scheme};
use synthon_mol::Molecule;

/// Scheme, size, and what is compared.
const ASPECTS: [(&str, Scheme, usize); 15] = [
    ("ecfp", Scheme::ECFP4, 2048),
    ("ecfp r3 1021", Scheme::Ecfp { radius: 3 }, 1021),
    ("ecfp r8 2048", Scheme::Ecfp { radius: 8 }, 2048),
    ("ecfp r0 64", Scheme::Ecfp { radius: 0 }, 64),
    ("fcfp", Scheme::Fcfp { radius: 2 }, 2048),
    ("fcfp r4 65536", Scheme::Fcfp { radius: 4 }, 65_536),
    ("torsion", Scheme::Torsion, 2048),
    ("torsion 1021", Scheme::Torsion, 1021),
    ("torsion 5", Scheme::Torsion, 5),
    ("atom_pair", Scheme::AtomPair, 2048),
    ("atom_pair 1021", Scheme::AtomPair, 1021),
    ("maccs", Scheme::Maccs, 167),
    ("path", Scheme::PATH, 2048),
    ("path 2-4 1021", Scheme::Path { min_path: 2, max_path: 4 }, 1021),
    ("path 1-8 4096", Scheme::Path { min_path: 1, max_path: 8 }, 4096),
];

fn main() -> std::io::Result<()> {
    let full: Option<String> = std::env::args().skip_while(|word| word != "--full").nth(1);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut makers: Vec<(&str, Fingerprinter)> = ASPECTS
        .iter()
        .filter(|aspect| full.as_deref().is_none_or(|name| name == aspect.0))
        .filter(|aspect| Fingerprinter::new(aspect.1, aspect.2).is_ok())
        .map(|&(name, scheme, size)| {
            (name, Fingerprinter::new(scheme, size).expect("the sizes are right"))
        })
        .collect();
    for line in std::io::stdin().lock().lines() {
        let answer = match Molecule::from_smiles(&line?) {
            Ok(molecule) => describe(&molecule, &mut makers, full.is_some()),
            Err(error) => json!({ "ok": false, "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn describe(molecule: &Molecule, makers: &mut [(&str, Fingerprinter)], full: bool) -> Value {
    let mut answer = Map::new();
    answer.insert("ok".into(), true.into());
    for (name, maker) in makers {
        let bits = maker.bits(molecule).map(|bits| {
            if full { json!(bits.on_bits().collect::<Vec<_>>()) } else { digest(&hex(&bits)) }
        });
        let mut values = vec![bits.unwrap_or_else(|error| error.to_string().into())];
        if maker.scheme().has_counts() {
            let budget = &mut Budget::unlimited();
            let folded = maker.counts(molecule).expect("counts");
            let sparse = maker.sparse_counts_within(molecule, budget).expect("sparse counts");
            for counts in [folded, sparse] {
                let mut text = String::new();
                for (position, count) in counts.entries() {
                    let _ = write!(text, "{position}:{count} ");
                }
                values.push(if full { text.into() } else { digest(&text) });
            }
        }
        answer.insert((*name).to_owned(), values.into());
    }
    answer.into()
}

/// The bytes of the packed words, least significant first.
fn hex(bits: &Fingerprint) -> String {
    let mut text = String::new();
    for byte in
        bits.words().iter().flat_map(|word| word.to_le_bytes()).take(bits.size().div_ceil(8))
    {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn digest(text: &str) -> Value {
    let bytes = Sha256::digest(text.as_bytes());
    let mut short = String::new();
    for byte in &bytes[..8] {
        let _ = write!(short, "{byte:02x}");
    }
    short.into()
}
