//! The V3000 form: blocks of lines `M  V30 ...` with fields separated by blanks.

use std::collections::HashMap;

use super::lines::{Line, Lines};
use super::properties::{out_of_range, radical_electrons};
use super::sgroups::{DataGroups, note_kind};
use super::table::{Drawing, Table, TableAtom, TableBond, fault};
use super::v2000::{LARGEST_ISOTOPE, unknown_symbol};
use super::{FARTHEST, symbol, too_many};
use crate::builder::Hydrogens;
use crate::{MolError, MolErrorKind, ReadOptions};

/// Longest logical line, over all its continuations, in bytes.
const LONGEST_LINE: usize = 1 << 22;

/// A logical line: what follows `M  V30` on a line and on those that continue it.
struct Entry<'t> {
    text: String,
    /// The physical line where it begins, for messages.
    line: Line<'t>,
}

impl Entry<'_> {
    fn fault(&self, kind: MolErrorKind, sentence: impl Into<String>) -> MolError {
        fault(kind, sentence, &self.line, 0..self.line.text.len())
    }

    /// Whether the line is `BEGIN NAME` or `END NAME`.
    fn is(&self, word: &str, name: &str) -> bool {
        let mut words = self.text.split_whitespace();
        words.next().is_some_and(|w| w.eq_ignore_ascii_case(word))
            && words.next().is_some_and(|w| w.eq_ignore_ascii_case(name))
    }

    /// The fields; blanks inside parentheses and quotes do not separate.
    fn tokens(&self) -> Vec<&str> {
        let text = self.text.as_str();
        let mut tokens = Vec::new();
        let (mut start, mut quoted, mut nested) = (None, false, false);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b' ' | b'\t' if !quoted && !nested => {
                    if let Some(start) = start.take() {
                        tokens.push(&text[start..at]);
                    }
                    continue;
                }
                b'"' if !nested => quoted = !quoted,
                b'(' if !quoted => nested = true,
                b')' if !quoted => nested = false,
                _ => {}
            }
            start.get_or_insert(at);
        }
        tokens.extend(start.map(|start| &text[start..]));
        tokens
    }
}

fn entry<'t>(lines: &mut Lines<'t>, what: &str) -> Result<Entry<'t>, MolError> {
    let line = lines.expect(what)?;
    let mut entry = Entry { text: String::new(), line };
    let mut piece = line;
    loop {
        let Some(text) = piece.text.strip_prefix("M  V30 ") else {
            if piece.text.trim_end() == "M  V30" {
                return Ok(entry);
            }
            let sentence = format!("'M  V30' is missing before {what}");
            return Err(fault(MolErrorKind::MolfileSyntax, sentence, &piece, 0..6)
                .with_hint("each line of a V3000 block begins with 'M  V30 '"));
        };
        match text.trim_end().strip_suffix('-') {
            Some(begun) if entry.text.len() + begun.len() <= LONGEST_LINE => {
                entry.text.push_str(begun);
                piece = lines.expect("the continuation of a line")?;
            }
            Some(_) => {
                return Err(entry.fault(MolErrorKind::MolfileTooLarge, "A line without an end"));
            }
            None => {
                entry.text.push_str(text);
                return Ok(entry);
            }
        }
    }
}

/// Reads the table, including the line `M  END`.
pub(super) fn read(
    lines: &mut Lines<'_>,
    table: &mut Table,
    options: &ReadOptions,
) -> Result<(), MolError> {
    begin(lines, "CTAB")?;
    let counts = entry(lines, "the counts line")?;
    let fields = counts.tokens();
    if !fields.first().is_some_and(|word| word.eq_ignore_ascii_case("COUNTS")) {
        return Err(counts.fault(MolErrorKind::MolfileSyntax, "The counts line is missing"));
    }
    let number = |k: usize, what: &str| {
        fields.get(k).and_then(|n| n.parse::<usize>().ok()).ok_or_else(|| {
            counts
                .fault(MolErrorKind::MolfileSyntax, format!("The counts line states no {what}"))
                .with_hint("COUNTS, then the numbers of atoms and of bonds")
        })
    };
    let (atoms, bonds) = (number(1, "number of atoms")?, number(2, "number of bonds")?);
    too_many(atoms, options, &counts.line)?;
    table.chiral_flag = fields.get(5) == Some(&"1");
    let mut indices = HashMap::new();
    if atoms > 0 {
        atom_block(lines, atoms, table, &mut indices)?;
    }
    if bonds > 0 {
        bond_block(lines, bonds, table, &indices)?;
    }
    let mut groups = DataGroups::default();
    loop {
        let line = entry(lines, "'END CTAB'")?;
        if line.is("END", "CTAB") {
            break;
        } else if line.is("BEGIN", "SGROUP") {
            group_block(lines, table, &mut groups)?;
        } else if line.is("BEGIN", "COLLECTION") {
            collection_block(lines, table)?;
        } else if line.is("BEGIN", "ATOM") || line.is("BEGIN", "BOND") {
            let sentence = "A block of atoms or bonds that the counts line does not state";
            return Err(line.fault(MolErrorKind::MolfileSyntax, sentence));
        } else if line.text.trim_start().get(..5).is_some_and(|w| w.eq_ignore_ascii_case("BEGIN")) {
            let name = line.text.split_whitespace().nth(1).unwrap_or_default().to_owned();
            table.note(format!("Block {} was ignored", name.escape_default()));
            while !entry(lines, "the end of the block")?.is("END", &name) {}
        } else if line
            .text
            .trim_start()
            .get(..8)
            .is_some_and(|w| w.eq_ignore_ascii_case("LINKNODE"))
        {
            table.note("Link nodes were ignored");
        } else {
            return Err(line
                .fault(MolErrorKind::MolfileSyntax, "This line can not stand here")
                .with_hint("'END CTAB' ends the table"));
        }
    }
    let index_of = |number: u32| indices.get(&u64::from(number)).copied();
    for group in groups.groups_mut() {
        group.atoms = group.atoms.iter().filter_map(|&n| index_of(n)).collect();
    }
    groups.apply(table);
    loop {
        let line = lines.expect("'M  END'")?;
        if line.text.starts_with("M  END") {
            return Ok(());
        }
        if line.text.starts_with("$$$$") {
            return Err(fault(
                MolErrorKind::MolfileTruncated,
                "'M  END' is missing before the end of the record",
                &line,
                0..4,
            ));
        }
        // R-group definitions and templates may follow the table.
        table.note("What follows the connection table was ignored");
    }
}

fn begin(lines: &mut Lines<'_>, name: &str) -> Result<(), MolError> {
    let what = format!("'BEGIN {name}'");
    let line = entry(lines, &what)?;
    if line.is("BEGIN", name) {
        Ok(())
    } else {
        Err(line.fault(MolErrorKind::MolfileSyntax, format!("{what} is missing")))
    }
}

fn end(lines: &mut Lines<'_>, name: &str) -> Result<(), MolError> {
    let what = format!("'END {name}'");
    let line = entry(lines, &what)?;
    if line.is("END", name) {
        Ok(())
    } else {
        Err(line
            .fault(MolErrorKind::MolfileSyntax, format!("{what} is missing"))
            .with_hint("the block holds another number of lines than the counts line states"))
    }
}

type Indices = HashMap<u64, u32>;

fn atom_block(
    lines: &mut Lines<'_>,
    count: usize,
    table: &mut Table,
    indices: &mut Indices,
) -> Result<(), MolError> {
    begin(lines, "ATOM")?;
    for number in 1..=count {
        let line = entry(lines, &format!("atom {number} of {count}"))?;
        let tokens = line.tokens();
        let [label, text, x, y, z, map, rest @ ..] = tokens.as_slice() else {
            return Err(line
                .fault(MolErrorKind::MolfileSyntax, format!("Atom {number} has too few fields"))
                .with_hint("number, symbol, three coordinates, atom-map number"));
        };
        let label: u64 = label.parse().map_err(|_| not_a("number", label, &line))?;
        let index = table.atoms.len();
        if indices.insert(label, index as u32).is_some() {
            let sentence = format!("Atom number {label} stands for two atoms");
            return Err(line.fault(MolErrorKind::MolfileSyntax, sentence));
        }
        let mut atom = TableAtom {
            element: crate::Element::WILDCARD,
            isotope: 0,
            charge: 0,
            radicals: 0,
            map: map.parse().map_err(|_| not_a("atom-map number", map, &line))?,
            valence: None,
            hydrogens: Hydrogens::Implied,
            position: [coordinate(x, &line)?, coordinate(y, &line)?, coordinate(z, &line)?],
            span: (line.line.start as u32, (line.line.start + line.line.text.len()) as u32),
        };
        if is_list(text) {
            table.note_wildcard("The list of elements", index);
        } else {
            let name = text.trim_matches('"');
            let symbol = symbol::read(name)
                .ok_or_else(|| unknown_symbol(name, &line.line, 0..line.line.text.len()))?;
            (atom.element, atom.isotope) = (symbol.element, symbol.isotope);
            if symbol.is_query {
                table.note_wildcard(&format!("Symbol '{name}'"), index);
            }
        }
        table.atoms.push(atom);
        for token in rest {
            atom_property(token, index, table, &line)?;
        }
    }
    end(lines, "ATOM")
}

/// `[C,N]` or `NOT[C,N]`.
fn is_list(symbol: &str) -> bool {
    let symbol = symbol.trim_matches('"');
    let list = match symbol.get(..3) {
        Some(not) if not.eq_ignore_ascii_case("NOT") => symbol[3..].trim_start(),
        _ => symbol,
    };
    list.starts_with('[') && list.ends_with(']')
}

fn not_a(what: &str, text: &str, line: &Entry<'_>) -> MolError {
    let text: String = text.chars().take(20).collect();
    line.fault(MolErrorKind::MolfileSyntax, format!("'{}' is no {what}", text.escape_default()))
}

fn coordinate(text: &str, line: &Entry<'_>) -> Result<f64, MolError> {
    match text.parse::<f64>() {
        Ok(value) if value.abs() <= FARTHEST => Ok(value),
        Ok(_) => {
            let sentence = format!("Coordinate {} is out of range", text.escape_default());
            Err(line.fault(MolErrorKind::MolfileTooLarge, sentence))
        }
        Err(_) => Err(not_a("coordinate", text, line)),
    }
}

/// Splits `NAME=value`.
fn property<'a>(token: &'a str, line: &Entry<'_>) -> Result<(String, &'a str), MolError> {
    let (name, value) = token.split_once('=').ok_or_else(|| not_a("property", token, line))?;
    Ok((name.to_ascii_uppercase(), value))
}

fn atom_property(
    token: &str,
    atom: usize,
    table: &mut Table,
    line: &Entry<'_>,
) -> Result<(), MolError> {
    let (name, value) = property(token, line)?;
    let number =
        || value.parse::<i64>().map_err(|_| not_a(&format!("value of {name}"), value, line));
    let all = 0..line.line.text.len();
    match name.as_str() {
        "CHG" => {
            let charge = number()?;
            table.atoms[atom].charge = i8::try_from(charge)
                .map_err(|_| out_of_range("charge", charge, &line.line, all))?;
        }
        "RAD" => {
            let code = number()?;
            table.atoms[atom].radicals = radical_electrons(code)
                .ok_or_else(|| out_of_range("radical", code, &line.line, all))?;
        }
        "MASS" => {
            let mass = value.parse::<f64>().ok().filter(|m| (0.0..1e6).contains(m));
            let mass = mass.ok_or_else(|| not_a("mass number", value, line))? as i64;
            if mass > LARGEST_ISOTOPE {
                return Err(out_of_range("mass number", mass, &line.line, all));
            }
            table.atoms[atom].isotope = mass as u16;
        }
        "VAL" => {
            table.atoms[atom].valence = match number()? {
                0 => None,
                -1 => Some(0),
                valence => Some(
                    u32::try_from(valence)
                        .map_err(|_| out_of_range("valence", valence, &line.line, all))?,
                ),
            };
        }
        "RGROUPS" => {
            let mut labels = value.trim_matches(['(', ')']).split_whitespace().skip(1);
            let label = labels.next().and_then(|n| n.parse().ok());
            let label = label.ok_or_else(|| not_a("list of R groups", value, line))?;
            table.label_r_group(atom, label);
        }
        "HCOUNT" | "SUBST" | "UNSAT" | "RBCNT" if value != "0" => {
            table.note_query(&name, atom);
        }
        "ATTCHPT" if value != "0" => table.note("Attachment points were ignored"),
        _ => {}
    }
    Ok(())
}

fn bond_block(
    lines: &mut Lines<'_>,
    count: usize,
    table: &mut Table,
    indices: &Indices,
) -> Result<(), MolError> {
    begin(lines, "BOND")?;
    for number in 1..=count {
        let line = entry(lines, &format!("bond {number} of {count}"))?;
        let tokens = line.tokens();
        let [_, kind, begin, end, rest @ ..] = tokens.as_slice() else {
            return Err(line
                .fault(MolErrorKind::MolfileSyntax, format!("Bond {number} has too few fields"))
                .with_hint("number, type, and the numbers of the two atoms"));
        };
        let atom = |text: &str| {
            let label: u64 = text.parse().map_err(|_| not_a("atom number", text, &line))?;
            indices.get(&label).copied().ok_or_else(|| {
                line.fault(MolErrorKind::BadGraph, format!("Atom {label} does not exist"))
            })
        };
        let (begin, end) = (atom(begin)?, atom(end)?);
        let type_number = kind.parse().map_err(|_| not_a("bond type", kind, &line))?;
        let order = table.order(type_number, &line.line, 0..line.line.text.len())?;
        let mut drawing = Drawing::Plain;
        for token in rest {
            let (name, value) = property(token, &line)?;
            match name.as_str() {
                "CFG" => {
                    drawing = match (value, order) {
                        ("0", _) => Drawing::Plain,
                        ("1", _) => Drawing::Wedge,
                        ("3", _) => Drawing::Dash,
                        ("2", crate::BondOrder::Double) => Drawing::Crossed,
                        ("2", _) => Drawing::Wavy,
                        _ => return Err(not_a("value of CFG", value, &line)),
                    };
                }
                "TOPO" if value != "0" => table.note("The ring query of a bond was ignored"),
                "ENDPTS" => table.note("Bonds to several atoms at once were read as drawn"),
                _ => {}
            }
        }
        table.stereo_marks |= matches!(drawing, Drawing::Wedge | Drawing::Dash);
        table.add_bond(
            TableBond { begin, end, order, drawing, at: line.line.start as u32 },
            &line.line,
        )?;
    }
    end(lines, "BOND")
}

fn group_block(
    lines: &mut Lines<'_>,
    table: &mut Table,
    groups: &mut DataGroups,
) -> Result<(), MolError> {
    loop {
        let line = entry(lines, "'END SGROUP'")?;
        if line.is("END", "SGROUP") {
            return Ok(());
        }
        let tokens = line.tokens();
        note_kind(tokens.get(1).unwrap_or(&""), table);
        groups.v3000_tokens(&tokens, &line.line)?;
    }
}

fn collection_block(lines: &mut Lines<'_>, table: &mut Table) -> Result<(), MolError> {
    loop {
        let line = entry(lines, "'END COLLECTION'")?;
        if line.is("END", "COLLECTION") {
            return Ok(());
        }
        let text = line.text.trim_start().to_ascii_uppercase();
        if text.starts_with("MDLV30/STEREL") || text.starts_with("MDLV30/STERAC") {
            table.note(
                "Stereo groups (relative or racemic centres) were ignored: the centres are read \
                 as drawn",
            );
        }
    }
}
