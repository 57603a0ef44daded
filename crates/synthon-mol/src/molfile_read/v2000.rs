//! Atom and bond block of the V2000 form: fields at fixed columns.

use super::lines::{Line, Lines};
use super::symbol;
use super::table::{Drawing, Table, TableAtom, TableBond, fault};
use crate::builder::Hydrogens;
use crate::{BondOrder, MolError, MolErrorKind};

/// Mass numbers and the like beyond any nuclide.
pub(super) const LARGEST_ISOTOPE: i64 = 999;

/// Reads the atom block.
pub(super) fn atoms(
    lines: &mut Lines<'_>,
    count: usize,
    table: &mut Table,
) -> Result<(), MolError> {
    for number in 1..=count {
        let line = lines.expect(&format!("atom {number} of {count}"))?;
        let atom = atom(&line, table)?;
        table.atoms.push(atom);
    }
    Ok(())
}

fn atom(line: &Line<'_>, table: &mut Table) -> Result<TableAtom, MolError> {
    if line.text.len() < 32 {
        return Err(fault(
            MolErrorKind::MolfileSyntax,
            format!("The line of atom {} is too short", table.atoms.len() + 1),
            line,
            0..line.text.len(),
        )
        .with_hint(
            "three coordinates in columns 1 to 30, then the symbol in columns 32 to 34; or the \
             counts line states more atoms than there are",
        ));
    }
    let position = [coordinate(line, 0)?, coordinate(line, 10)?, coordinate(line, 20)?];
    let text = line.field(31..34)?;
    let symbol = symbol::read(text).ok_or_else(|| unknown_symbol(text, line, 31..34))?;
    let number = |columns, what| line.integer(columns, what).map(|n| n.unwrap_or(0));
    let mass_difference = number(34..36, "mass difference")?;
    let isotope = match mass_difference {
        0 => symbol.isotope,
        difference => {
            let isotope = i64::from(symbol.element.common_isotope()) + difference;
            u16::try_from(isotope).map_err(|_| {
                let sentence = format!("Mass difference {difference} leaves no nucleus");
                fault(MolErrorKind::MolfileSyntax, sentence, line, 34..36)
            })?
        }
    };
    let (charge, radicals) = match number(36..39, "charge code")? {
        0 => (0, 0),
        // A doublet, not a charge.
        4 => (0, 1),
        code @ 1..=7 => (4 - code as i8, 0),
        code => {
            let sentence = format!("Charge code {code} means nothing");
            return Err(fault(MolErrorKind::MolfileSyntax, sentence, line, 36..39).with_hint(
                "1 to 3 stand for charges +3 to +1, 5 to 7 for -1 to -3, 4 for a radical",
            ));
        }
    };
    if number(42..45, "hydrogen count")? > 0 {
        table.note_query("hydrogen count", table.atoms.len());
    }
    let valence = match number(48..51, "valence")? {
        0 => None,
        15 => Some(0),
        valence => Some(u32::try_from(valence).map_err(|_| {
            let sentence = format!("Valence {valence} means nothing");
            fault(MolErrorKind::MolfileSyntax, sentence, line, 48..51)
                .with_hint("0: as usual, 1 to 14: this, 15: none")
        })?),
    };
    let map = u32::try_from(number(60..63, "atom-map number")?).map_err(|_| {
        fault(MolErrorKind::MolfileSyntax, "A negative atom-map number", line, 60..63)
    })?;
    if symbol.is_query {
        table.note_wildcard(&format!("Symbol '{text}'"), table.atoms.len());
    }
    Ok(TableAtom {
        element: symbol.element,
        isotope,
        charge,
        radicals,
        map,
        valence,
        hydrogens: Hydrogens::Implied,
        position,
        span: (line.start as u32, (line.start + line.text.len()) as u32),
    })
}

/// Ten columns with a coordinate; blank is zero.
fn coordinate(line: &Line<'_>, at: usize) -> Result<f64, MolError> {
    let text = line.field(at..at + 10)?;
    if text.is_empty() {
        return Ok(0.0);
    }
    // `f64::from_str` also knows names such as `inf`, which ten columns of a molfile do not.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    text.parse().ok().filter(|_| plain).ok_or_else(|| {
        let sentence = format!("'{}' is no coordinate", text.escape_default());
        fault(MolErrorKind::MolfileSyntax, sentence, line, at..at + 10)
            .with_hint("three numbers in columns 1 to 10, 11 to 20 and 21 to 30")
    })
}

pub(super) fn unknown_symbol(
    text: &str,
    line: &Line<'_>,
    columns: std::ops::Range<usize>,
) -> MolError {
    let sentence = if text.is_empty() {
        "An atom without a symbol".to_owned()
    } else {
        format!("'{}' is no element", text.escape_default())
    };
    fault(MolErrorKind::MolfileSymbol, sentence, line, columns)
        .with_hint("a symbol of the periodic table, D, T, R# for an R group, or * for any atom")
}

/// Reads the bond block.
pub(super) fn bonds(
    lines: &mut Lines<'_>,
    count: usize,
    table: &mut Table,
) -> Result<(), MolError> {
    for number in 1..=count {
        let line = lines.expect(&format!("bond {number} of {count}"))?;
        if line.text.len() < 9 {
            let sentence = format!("The line of bond {number} is too short");
            return Err(fault(MolErrorKind::MolfileSyntax, sentence, &line, 0..line.text.len())
                .with_hint(
                    "two atom numbers and the bond type, three columns each; or the counts line \
                     states more bonds than there are",
                ));
        }
        let begin = table.atom_index(line.integer(0..3, "atom number")?, &line, 0..3)? as u32;
        let end = table.atom_index(line.integer(3..6, "atom number")?, &line, 3..6)? as u32;
        let kind = line.integer(6..9, "bond type")?.unwrap_or(0);
        let order = table.order(kind, &line, 6..9)?;
        let drawing = match line.integer(9..12, "bond stereo").ok().flatten().unwrap_or(0) {
            1 => Drawing::Wedge,
            6 => Drawing::Dash,
            4 => Drawing::Wavy,
            3 => Drawing::Crossed,
            _ => Drawing::Plain,
        };
        table.stereo_marks |= !matches!(drawing, Drawing::Plain | Drawing::Wavy);
        if line.integer(15..18, "bond topology").ok().flatten().unwrap_or(0) != 0 {
            table.note("The ring query of a bond was ignored");
        }
        table.add_bond(TableBond { begin, end, order, drawing, at: line.start as u32 }, &line)?;
    }
    Ok(())
}

impl Table {
    /// The order for a bond type of the format; both forms number them alike.
    ///
    /// # Errors
    /// For types that leave the order open, and for those that do not exist.
    pub(super) fn order(
        &mut self,
        kind: i64,
        line: &Line<'_>,
        columns: std::ops::Range<usize>,
    ) -> Result<BondOrder, MolError> {
        let query = match kind {
            0 => return Ok(BondOrder::Unspecified),
            1 => return Ok(BondOrder::Single),
            2 => return Ok(BondOrder::Double),
            3 => return Ok(BondOrder::Triple),
            4 => return Ok(BondOrder::Aromatic),
            9 => return Ok(BondOrder::Dative),
            8 => {
                self.note("Bonds of type 8 (any) were read as bonds of unspecified order");
                return Ok(BondOrder::Unspecified);
            }
            10 => {
                self.note("Bonds of type 10 (hydrogen) were read as bonds of unspecified order");
                return Ok(BondOrder::Unspecified);
            }
            5 => "single or double",
            6 => "single or aromatic",
            7 => "double or aromatic",
            _ => {
                let sentence = format!("Bond type {kind} does not exist");
                return Err(fault(MolErrorKind::MolfileSyntax, sentence, line, columns).with_hint(
                    "1 single, 2 double, 3 triple, 4 aromatic, 9 dative, 0 or 8 unspecified",
                ));
            }
        };
        let sentence = format!("A bond of type {kind} ({query}) makes this a query");
        Err(fault(MolErrorKind::MolfileQuery, sentence, line, columns)
            .with_hint("a molecule has bonds of one order; write the pattern as SMARTS"))
    }

    /// Adds a warning once.
    pub(super) fn note(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.warnings.contains(&sentence) {
            self.warnings.push(sentence);
        }
    }

    /// Says that a query feature of an atom (zero-based) is not taken over.
    pub(super) fn note_query(&mut self, feature: &str, atom: usize) {
        self.note_atom(format!("The query feature '{feature}' of atom {} was ignored", atom + 1));
    }

    /// Says that an atom (zero-based) became a wildcard.
    pub(super) fn note_wildcard(&mut self, what: &str, atom: usize) {
        self.note_atom(format!("{what} of atom {} is a query; it was read as *", atom + 1));
    }

    /// Adds a warning about one atom, unless there are very many already.
    pub(super) fn note_atom(&mut self, sentence: String) {
        const MOST: usize = 20;
        match self.warnings.len() {
            0..MOST => self.warnings.push(sentence),
            MOST => self.warnings.push("More of this kind".to_owned()),
            _ => {}
        }
    }
}
