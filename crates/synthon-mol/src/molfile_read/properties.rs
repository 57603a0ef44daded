//! The property block of the V2000 form: `M  CHG` and its like, up to `M  END`.

use std::ops::Range;

use super::lines::{Line, Lines};
use super::sgroups::DataGroups;
use super::table::{Table, fault};
use super::v2000::LARGEST_ISOTOPE;
use crate::builder::Hydrogens;
use crate::{BondOrder, MolError, MolErrorKind};

/// Reads the block, including the line `M  END`.
pub(super) fn read(lines: &mut Lines<'_>, table: &mut Table) -> Result<(), MolError> {
    let mut groups = DataGroups::default();
    let mut charges_cleared = false;
    loop {
        let line = lines.expect("'M  END'")?;
        let text = line.text;
        if text.starts_with("M  END") {
            groups.apply(table);
            return Ok(());
        }
        if text.starts_with("$$$$") {
            return Err(MolError::new(
                MolErrorKind::MolfileTruncated,
                "'M  END' is missing before the end of the record",
            )
            .at(line.start..line.start + text.len())
            .on_line(line.number, 1)
            .with_hint("put a line 'M  END' before it"));
        }
        match text.get(..6).unwrap_or(text) {
            "M  CHG" => {
                table.forget_charges(&mut charges_cleared);
                for (atom, value, columns) in pairs(&line, table, "charge")? {
                    let Ok(charge) = i8::try_from(value) else {
                        return Err(out_of_range("charge", value, &line, columns));
                    };
                    table.atoms[atom].charge = charge;
                }
            }
            "M  RAD" => {
                table.forget_charges(&mut charges_cleared);
                for (atom, value, columns) in pairs(&line, table, "radical")? {
                    table.atoms[atom].radicals = radical_electrons(value)
                        .ok_or_else(|| out_of_range("radical", value, &line, columns))?;
                }
            }
            "M  ISO" => {
                for (atom, value, columns) in pairs(&line, table, "isotope")? {
                    if !(0..=LARGEST_ISOTOPE).contains(&value) {
                        return Err(out_of_range("isotope", value, &line, columns));
                    }
                    table.atoms[atom].isotope = value as u16;
                }
            }
            "M  RGP" => {
                for (atom, value, _) in pairs(&line, table, "R group")? {
                    table.label_r_group(atom, value);
                }
            }
            "M  ALS" => atom_list(&line, table)?,
            "M  ZCH" => {
                for (atom, value, columns) in pairs(&line, table, "charge")? {
                    let Ok(charge) = i8::try_from(value) else {
                        return Err(out_of_range("charge", value, &line, columns));
                    };
                    table.atoms[atom].charge = charge;
                }
            }
            "M  HYD" => {
                for (atom, value, columns) in pairs(&line, table, "hydrogen count")? {
                    let Ok(count) = u8::try_from(value) else {
                        return Err(out_of_range("hydrogen count", value, &line, columns));
                    };
                    table.atoms[atom].hydrogens = Hydrogens::Exactly(count);
                }
            }
            "M  ZBO" => zero_orders(&line, table)?,
            "M  SUB" | "M  UNS" | "M  RBC" => {
                table.note("Query features of atoms (M  SUB, M  UNS, M  RBC) were ignored");
            }
            "M  APO" => table.note("Attachment points (M  APO) were ignored"),
            "M  LIN" => table.note("Link nodes (M  LIN) were ignored"),
            "M  CRS" => {
                return Err(fault(
                    MolErrorKind::MolfileSyntax,
                    "'M  CRS' is no line of a molfile that can be read",
                    &line,
                    0..6,
                ));
            }
            "S  SKP" => {
                for _ in 0..line.integer(6..9, "number of lines")?.unwrap_or(0).max(0) {
                    lines.expect("the lines to skip")?;
                }
            }
            tag if tag.starts_with("M  S") => groups.v2000_line(&line, table)?,
            tag if tag.starts_with('A') => {
                let alias = lines.expect("the text of an alias")?.text.trim();
                let atom = line.integer(3..6, "atom number")?;
                let atom = table.atom_index(atom, &line, 3..6)?;
                let alias = alias.chars().take(20).collect::<String>();
                table.note_alias(atom, &alias);
            }
            tag if tag.starts_with('G') => {
                lines.expect("the text of an abbreviation")?;
            }
            tag if tag.starts_with(|c: char| c.is_ascii_digit() || c == ' ')
                && !text.trim().is_empty() =>
            {
                old_atom_list(&line, table)?;
            }
            _ => {}
        }
    }
}

/// Unpaired electrons for a multiplicity code.
pub(super) fn radical_electrons(code: i64) -> Option<u8> {
    match code {
        0 => Some(0),
        // Singlet and triplet have two, a doublet one.
        1 | 3 => Some(2),
        2 => Some(1),
        _ => None,
    }
}

pub(super) fn out_of_range(
    what: &str,
    value: i64,
    line: &Line<'_>,
    columns: Range<usize>,
) -> MolError {
    let sentence = format!("{value} is out of range for: {what}");
    fault(MolErrorKind::MolfileSyntax, sentence, line, columns)
}

/// The pairs of atom (zero-based) and value of a line `M  TAGnn8 aaa vvv ...`.
fn pairs(
    line: &Line<'_>,
    table: &Table,
    what: &str,
) -> Result<Vec<(usize, i64, Range<usize>)>, MolError> {
    let count = count(line)?;
    let mut found = Vec::with_capacity(count);
    for k in 0..count {
        let at = 9 + 8 * k;
        let atom = line.integer(at..at + 4, "atom number")?;
        let atom = table.atom_index(atom, line, at..at + 4)?;
        let columns = at + 4..at + 8;
        found.push((atom, line.integer(columns.clone(), what)?.unwrap_or(0), columns));
    }
    Ok(found)
}

/// Number of entries of a line.
fn count(line: &Line<'_>) -> Result<usize, MolError> {
    let count = line.integer(6..9, "number of entries")?.unwrap_or(0);
    // Each entry takes eight columns.
    match usize::try_from(count) {
        Ok(count) if count == 0 || 9 + 8 * count <= line.text.len() + 7 => Ok(count),
        _ => {
            let sentence = format!("The line does not hold {count} entries");
            Err(fault(MolErrorKind::MolfileSyntax, sentence, line, 6..9))
        }
    }
}

/// `M  ZBOnn8 bbb ooo`: bonds without an order.
fn zero_orders(line: &Line<'_>, table: &mut Table) -> Result<(), MolError> {
    for k in 0..count(line)? {
        let at = 9 + 8 * k;
        let number = line.integer(at..at + 4, "bond number")?.unwrap_or(0);
        let order = line.integer(at + 4..at + 8, "bond order")?.unwrap_or(0);
        let bond = usize::try_from(number - 1).ok().filter(|&b| b < table.bonds.len());
        let Some(bond) = bond else {
            let sentence = format!("Bond {number} does not exist");
            return Err(fault(MolErrorKind::BadGraph, sentence, line, at..at + 4));
        };
        table.bonds[bond].order = match order {
            0 => BondOrder::Unspecified,
            order => table.order(order, line, at + 4..at + 8)?,
        };
    }
    Ok(())
}

/// `M  ALS aaannn e 1111222233334444...`: a list of elements in place of an atom.
fn atom_list(line: &Line<'_>, table: &mut Table) -> Result<(), MolError> {
    let atom = table.atom_index(line.integer(7..10, "atom number")?, line, 7..10)?;
    if line.integer(10..13, "number of elements")?.unwrap_or(0) < 1 {
        return Ok(());
    }
    table.make_wildcard(atom, "The list of elements");
    Ok(())
}

/// The list of elements as older files have it: `aaa k    n 111 222 333 444 555`.
fn old_atom_list(line: &Line<'_>, table: &mut Table) -> Result<(), MolError> {
    let atom = table.atom_index(line.integer(0..3, "atom number")?, line, 0..3)?;
    table.make_wildcard(atom, "The list of elements");
    Ok(())
}

impl Table {
    /// The first line of charges or radicals replaces all those of the atom block.
    fn forget_charges(&mut self, done: &mut bool) {
        if !std::mem::replace(done, true) {
            for atom in &mut self.atoms {
                (atom.charge, atom.radicals) = (0, 0);
            }
        }
    }

    /// Gives a wildcard the number of its R group, as isotope.
    pub(super) fn label_r_group(&mut self, atom: usize, label: i64) {
        let this = &mut self.atoms[atom];
        if !this.element.is_wildcard() {
            let sentence = format!("The R-group label of atom {} was ignored", atom + 1);
            self.note_atom(sentence + ": it is no R group");
        } else if (1..=LARGEST_ISOTOPE).contains(&label) {
            this.isotope = label as u16;
        }
    }

    /// Replaces an atom that stands for several elements.
    pub(super) fn make_wildcard(&mut self, atom: usize, what: &str) {
        let element = &mut self.atoms[atom].element;
        // The symbol L was noted on reading it.
        if !element.is_wildcard() {
            *element = crate::Element::WILDCARD;
            self.note_wildcard(what, atom);
        }
    }

    /// Says that the text at an atom is not taken over, where it may mean more than the symbol.
    fn note_alias(&mut self, atom: usize, alias: &str) {
        if alias != self.atoms[atom].element.symbol() {
            let alias = alias.escape_default();
            self.note_atom(format!("The text '{alias}' at atom {} was ignored", atom + 1));
        }
    }
}
