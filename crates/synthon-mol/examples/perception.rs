//! Reads SMILES, one a line, and prints what was perceived as JSON lines, in the format of
//! `xtask/oracle/perception.py`; without an argument from standard input.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use synthon_mol::Molecule;

fn main() {
    let stdin = std::io::stdin();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut text = String::new();
    for line in stdin.lock().lines() {
        let line = line.expect("readable input");
        text.clear();
        match Molecule::from_smiles(&line) {
            Err(error) => {
                let message = error.to_string().replace('\\', "\\\\").replace('"', "\\\"");
                let _ = write!(text, "{{\"ok\":false,\"error\":\"{message}\"}}");
            }
            Ok(m) => describe(&m, &mut text),
        }
        writeln!(out, "{text}").expect("writable output");
    }
}

fn list<T: std::fmt::Display>(text: &mut String, name: &str, items: impl Iterator<Item = T>) {
    let _ = write!(text, ",\"{name}\":[");
    for (i, item) in items.enumerate() {
        let _ = write!(text, "{}{item}", if i > 0 { "," } else { "" });
    }
    text.push(']');
}

fn describe(m: &Molecule, text: &mut String) {
    let _ = write!(text, "{{\"ok\":true,\"formula\":\"{}\"", m.formula());
    list(text, "z", m.atoms().iter().map(|a| a.atomic_number()));
    list(text, "h", m.atoms().iter().map(|a| a.hydrogens()));
    list(text, "q", m.atoms().iter().map(|a| a.charge()));
    list(text, "rad", m.atoms().iter().map(|a| a.radical_electrons()));
    list(text, "ar", m.atoms().iter().map(|a| u8::from(a.is_aromatic())));
    list(text, "ring", m.atoms().iter().map(|a| a.smallest_ring()));
    list(
        text,
        "bonds",
        m.bonds().iter().map(|b| {
            let (x, y) = (b.begin().min(b.end()), b.begin().max(b.end()));
            format!("\"{x}-{y}:{}:{}\"", b.order() as u8, b.smallest_ring())
        }),
    );
    let mut sizes: Vec<_> = m.rings().iter().map(<[u32]>::len).collect();
    sizes.sort_unstable();
    list(text, "rings", sizes.into_iter());
    let _ = write!(text, ",\"mw\":{:.6},\"em\":{:.6}}}", m.average_mass(), m.exact_mass());
}
