//! The V3000 form.

use std::fmt::Write as _;

use super::table::{Drawing, Table};

pub(super) fn write(table: &Table, text: &mut String) {
    text.push_str("  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n");
    let chiral = u8::from(table.chiral);
    let _ =
        writeln!(text, "M  V30 COUNTS {} {} 0 0 {chiral}", table.atoms.len(), table.bonds.len());
    text.push_str("M  V30 BEGIN ATOM\n");
    for (index, atom) in table.atoms.iter().enumerate() {
        let [x, y, z] = atom.position;
        let _ =
            write!(text, "M  V30 {} {} {x:.6} {y:.6} {z:.6} {}", index + 1, atom.symbol, atom.map);
        if atom.charge != 0 {
            let _ = write!(text, " CHG={}", atom.charge);
        }
        if atom.radical != 0 {
            let _ = write!(text, " RAD={}", atom.radical);
        }
        if atom.isotope != 0 {
            let _ = write!(text, " MASS={}", atom.isotope);
        }
        match atom.valence {
            None => {}
            Some(0) => text.push_str(" VAL=-1"),
            Some(valence) => _ = write!(text, " VAL={valence}"),
        }
        if atom.r_group != 0 {
            let _ = write!(text, " RGROUPS=(1 {})", atom.r_group);
        }
        text.push('\n');
    }
    text.push_str("M  V30 END ATOM\n");
    if !table.bonds.is_empty() {
        text.push_str("M  V30 BEGIN BOND\n");
        for (index, bond) in table.bonds.iter().enumerate() {
            let (begin, end, kind) = (bond.begin + 1, bond.end + 1, bond.kind);
            let _ = write!(text, "M  V30 {} {kind} {begin} {end}", index + 1);
            text.push_str(match bond.drawing {
                Drawing::Plain => "\n",
                Drawing::Wedge => " CFG=1\n",
                Drawing::Crossed => " CFG=2\n",
                Drawing::Dash => " CFG=3\n",
            });
        }
        text.push_str("M  V30 END BOND\n");
    }
    text.push_str("M  V30 END CTAB\n");
}
