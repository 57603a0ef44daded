//! Data groups that say something of the structure: hydrogens and dative bonds as ChemAxon's
//! programs write them. All other groups describe it only.

use std::collections::BTreeMap;

use super::lines::Line;
use super::table::{Table, fault};
use crate::builder::Hydrogens;
use crate::{BondOrder, MolError, MolErrorKind};

/// Most entries that a line of the V2000 form holds.
const MOST_ENTRIES: i64 = 15;
/// Types of groups that make of a molecule a polymer or a mixture.
const REPEATING: [&str; 11] =
    ["SRU", "MON", "MER", "COP", "CRO", "MOD", "GRA", "COM", "MIX", "FOR", "ANY"];

/// A data group.
#[derive(Debug, Default)]
pub(super) struct DataGroup {
    pub field: String,
    pub atoms: Vec<u32>,
    pub data: Vec<String>,
}

/// The groups of a table by their numbers.
#[derive(Debug, Default)]
pub(super) struct DataGroups {
    groups: BTreeMap<i64, DataGroup>,
}

impl DataGroups {
    /// Takes what is needed of a line `M  S..` of the V2000 form.
    pub fn v2000_line(&mut self, line: &Line<'_>, table: &mut Table) -> Result<(), MolError> {
        let number = |columns, what| line.integer(columns, what).map(|n| n.unwrap_or(0));
        match line.text.get(..6).unwrap_or_default() {
            "M  STY" => {
                for k in 0..number(6..9, "number of entries")?.clamp(0, MOST_ENTRIES) as usize {
                    let at = 9 + 8 * k;
                    let group = number(at..at + 4, "group number")?;
                    let kind = line.field(at + 4..at + 8)?;
                    note_kind(kind, table);
                    if kind == "DAT" {
                        self.groups.entry(group).or_default();
                    }
                }
            }
            "M  SAL" => {
                let group = number(6..10, "group number")?;
                let count = number(10..13, "number of entries")?.clamp(0, MOST_ENTRIES) as usize;
                for k in 0..count {
                    let columns = 13 + 4 * k..17 + 4 * k;
                    let atom = line.integer(columns.clone(), "atom number")?;
                    let atom = table.atom_index(atom, line, columns)?;
                    if let Some(group) = self.groups.get_mut(&group) {
                        group.atoms.push(atom as u32);
                    }
                }
            }
            "M  SDT" => {
                let name = line.field(11..41)?.to_owned();
                if let Some(group) = self.groups.get_mut(&number(6..10, "group number")?) {
                    group.field = name;
                }
            }
            "M  SED" | "M  SCD" => {
                let data = line.field(11..line.text.len().max(11))?.to_owned();
                if let Some(group) = self.groups.get_mut(&number(6..10, "group number")?) {
                    group.data.push(data);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a group of the V3000 form, its first three tokens being number, type and index.
    pub fn v3000_tokens(&mut self, tokens: &[&str], line: &Line<'_>) -> Result<(), MolError> {
        if tokens.get(1).is_none_or(|kind| !kind.eq_ignore_ascii_case("DAT")) {
            return Ok(());
        }
        let mut group = DataGroup::default();
        for token in tokens.iter().skip(3) {
            let Some((name, value)) = token.split_once('=') else { continue };
            match name.to_ascii_uppercase().as_str() {
                "FIELDNAME" => value.trim_matches('"').clone_into(&mut group.field),
                "FIELDDATA" => group.data.push(value.trim_matches('"').to_owned()),
                "ATOMS" => {
                    let numbers = value.trim_matches(['(', ')']).split_whitespace().skip(1);
                    for number in numbers {
                        group.atoms.push(number.parse().map_err(|_| {
                            let sentence =
                                format!("'{}' is no atom number", number.escape_default());
                            fault(MolErrorKind::MolfileSyntax, sentence, line, 0..line.text.len())
                        })?);
                    }
                }
                _ => {}
            }
        }
        let number = self.groups.len() as i64;
        self.groups.insert(number, group);
        Ok(())
    }

    /// The groups, to bring their atom numbers to indices.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut DataGroup> {
        self.groups.values_mut()
    }

    /// Applies the groups that say something of the structure.
    pub fn apply(&self, table: &mut Table) {
        let mut aromatic = vec![false; table.atoms.len()];
        for bond in table.bonds.iter().filter(|b| b.order == BondOrder::Aromatic) {
            aromatic[bond.begin as usize] = true;
            aromatic[bond.end as usize] = true;
        }
        for group in self.groups.values() {
            match group.field.as_str() {
                "MRV_IMPLICIT_H" => {
                    for value in group.data.iter().filter_map(|d| d.strip_prefix("IMPL_H")) {
                        let Ok(count) = value.trim().parse() else { continue };
                        // Elsewhere the valence model knows.
                        for &atom in group.atoms.iter().filter(|&&a| aromatic[a as usize]) {
                            table.atoms[atom as usize].hydrogens = Hydrogens::AtLeast(count);
                        }
                    }
                }
                "MRV_COORDINATE_BOND_TYPE" => {
                    let number = group.data.first().and_then(|d| d.trim().parse::<usize>().ok());
                    let bond = number.and_then(|n| table.bonds.get_mut(n.wrapping_sub(1)));
                    if let Some(bond) = bond.filter(|b| b.order == BondOrder::Unspecified) {
                        bond.order = BondOrder::Dative;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Says that a repeating unit is read as one.
pub(super) fn note_kind(kind: &str, table: &mut Table) {
    if REPEATING.iter().any(|k| k.eq_ignore_ascii_case(kind)) {
        table.note("Brackets of polymers or mixtures were ignored: the units are read as drawn");
    }
}
