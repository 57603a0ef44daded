//! The V2000 form.

use std::fmt::Write as _;

use super::table::{Drawing, Table};

pub(super) fn write(table: &Table, text: &mut String) {
    let chiral = u8::from(table.chiral);
    let (atoms, bonds) = (table.atoms.len(), table.bonds.len());
    let _ = writeln!(text, "{atoms:3}{bonds:3}  0  0{chiral:3}  0            999 V2000");
    for atom in &table.atoms {
        let [x, y, z] = atom.position.map(plain_zero);
        let valence = match atom.valence {
            None => 0,
            Some(0) => 15,
            Some(valence) => valence,
        };
        let _ = writeln!(
            text,
            "{x:10.4}{y:10.4}{z:10.4} {:3} 0  0  0  0  0{valence:3}  0  0  0{:3}  0  0",
            atom.symbol, atom.map
        );
    }
    for bond in &table.bonds {
        let stereo = match bond.drawing {
            Drawing::Plain => 0,
            Drawing::Wedge => 1,
            Drawing::Dash => 6,
            Drawing::Crossed => 3,
        };
        let (begin, end, kind) = (bond.begin + 1, bond.end + 1, bond.kind);
        let _ = writeln!(text, "{begin:3}{end:3}{kind:3}{stereo:3}");
    }
    property(table, text, "CHG", |a| i64::from(a.charge));
    property(table, text, "RAD", |a| i64::from(a.radical));
    property(table, text, "ISO", |a| i64::from(a.isotope));
    property(table, text, "RGP", |a| i64::from(a.r_group));
}

/// The coordinate as it is written, without the sign of a zero.
fn plain_zero(x: f64) -> f64 {
    if x.abs() < 5e-5 { 0.0 } else { x }
}

/// Lines of one property: the atoms for which it is not zero, eight a line.
fn property(
    table: &Table,
    text: &mut String,
    tag: &str,
    value: impl Fn(&super::table::AtomLine) -> i64,
) {
    let entries: Vec<(usize, i64)> = table
        .atoms
        .iter()
        .enumerate()
        .map(|(i, atom)| (i + 1, value(atom)))
        .filter(|e| e.1 != 0)
        .collect();
    for line in entries.chunks(8) {
        let _ = write!(text, "M  {tag}{:3}", line.len());
        for (atom, value) in line {
            let _ = write!(text, " {atom:3} {value:3}");
        }
        text.push('\n');
    }
}
