//! Bracket atoms: `[` isotope? symbol chirality? hydrogens? charge? map? `]`.

use crate::builder::{AtomSpec, Hydrogens};
use crate::{Chirality, Element, MolError, MolErrorKind};

struct Bracket<'t> {
    text: &'t str,
    bytes: &'t [u8],
    open: usize,
    pos: usize,
    end: usize,
}

/// Reads the bracket atom that opens at `open`; its span ends behind the `]`.
pub(super) fn read_bracket(text: &str, open: usize, end: usize) -> Result<AtomSpec, MolError> {
    let mut b = Bracket { text, bytes: text.as_bytes(), open, pos: open + 1, end };
    let isotope = b.number()?.unwrap_or(0);
    let isotope = u16::try_from(isotope)
        .map_err(|_| b.fault(format!("Isotope {isotope} in bracket atom is too large")))?;
    let (element, aromatic) = b.symbol()?;
    let mut atom = AtomSpec::new(element);
    atom.isotope = isotope;
    atom.aromatic = aromatic;
    if element != Element::H || b.bytes[b.pos - 1] != b'H' {
        atom.chirality = b.chirality()?;
    }
    let mut hydrogens = 0;
    if b.take(b'H') {
        let count = b.number()?.unwrap_or(1);
        hydrogens = u8::try_from(count)
            .map_err(|_| b.fault(format!("{count} hydrogens in bracket atom are too many")))?;
    }
    atom.hydrogens = Hydrogens::Exactly(hydrogens);
    atom.charge = b.charge()?;
    if b.take(b':') {
        let at = b.pos;
        atom.map = b.number()?.ok_or_else(|| {
            MolError::new(MolErrorKind::BadBracketAtom, "Atom map without a number")
                .at(at - 1..at)
                .with_hint("write a number after ':', as in [CH3:1]")
        })?;
    }
    if !b.take(b']') {
        return Err(b.unclosed());
    }
    atom.span = (open as u32, b.pos as u32);
    Ok(atom)
}

/// Symbols that are read beside those of the periodic table: systematic names of the heaviest
/// elements, and the quoted ones that some programs write.
static OTHER_NAMES: [(&str, u8); 24] = [
    ("Uun", 110),
    ("Uuu", 111),
    ("Uub", 112),
    ("Uut", 113),
    ("Uuq", 114),
    ("Uup", 115),
    ("Uuh", 116),
    ("Uus", 117),
    ("Uuo", 118),
    ("'Rf'", 104),
    ("'Db'", 105),
    ("'Sg'", 106),
    ("'Bh'", 107),
    ("'Hs'", 108),
    ("'Mt'", 109),
    ("'Ds'", 110),
    ("'Rg'", 111),
    ("'Cn'", 112),
    ("'Nh'", 113),
    ("'Fl'", 114),
    ("'Mc'", 115),
    ("'Lv'", 116),
    ("'Ts'", 117),
    ("'Og'", 118),
];

/// Atomic number of each one- or two-letter symbol: capital letter, then none or small letter.
static SYMBOL_TABLE: [[u8; 27]; 26] = {
    let mut table = [[0; 27]; 26];
    let mut number = 1;
    while number <= 118 {
        let symbol = Element::SYMBOLS[number].as_bytes();
        let second = if symbol.len() == 2 { (symbol[1] - b'a' + 1) as usize } else { 0 };
        table[(symbol[0] - b'A') as usize][second] = number as u8;
        number += 1;
    }
    table
};

impl Bracket<'_> {
    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        if self.pos + ahead < self.end { self.bytes[self.pos + ahead] } else { 0 }
    }

    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek(0) == byte;
        self.pos += usize::from(found);
        found
    }

    /// Digits; a zero stands alone.
    #[inline]
    fn number(&mut self) -> Result<Option<u32>, MolError> {
        let start = self.pos;
        let mut value: u64 = 0;
        while self.peek(0).is_ascii_digit() {
            value = value * 10 + u64::from(self.peek(0) - b'0');
            if value >= i32::MAX as u64 {
                return Err(self.fault("Number in bracket atom is too large".into()));
            }
            self.pos += 1;
            if value == 0 {
                break;
            }
        }
        Ok((self.pos > start).then_some(value as u32))
    }

    fn symbol(&mut self) -> Result<(Element, bool), MolError> {
        let known = |number: u8| Element::new(number).expect("a number of the periodic table");
        let (first, second) = (self.peek(0), self.peek(1));
        if first.is_ascii_uppercase() {
            let row = &SYMBOL_TABLE[(first - b'A') as usize];
            if second.is_ascii_lowercase() {
                let number = row[(second - b'a' + 1) as usize];
                if number != 0 {
                    self.pos += 2;
                    return Ok((known(number), false));
                }
                if first == b'U'
                    && let Some(found) = self.other_name()
                {
                    return Ok((found, false));
                }
            }
            if row[0] != 0 {
                self.pos += 1;
                return Ok((known(row[0]), false));
            }
        }
        let aromatic = match (first, second) {
            (b's', b'e') => Some((Element::SE, 2)),
            (b's', b'i') => Some((Element::SI, 2)),
            (b'a', b's') => Some((Element::AS, 2)),
            (b't', b'e') => Some((Element::TE, 2)),
            (b'b', _) => Some((Element::B, 1)),
            (b'c', _) => Some((Element::C, 1)),
            (b'n', _) => Some((Element::N, 1)),
            (b'o', _) => Some((Element::O, 1)),
            (b'p', _) => Some((Element::P, 1)),
            (b's', _) => Some((Element::S, 1)),
            _ => None,
        };
        if let Some((element, length)) = aromatic {
            self.pos += length;
            return Ok((element, true));
        }
        match first {
            b'*' => {
                self.pos += 1;
                return Ok((Element::WILDCARD, false));
            }
            b'#' => {
                self.pos += 1;
                if let Some(number) = self.number()?
                    && let Some(element) = u8::try_from(number).ok().and_then(Element::new)
                {
                    return Ok((element, false));
                }
            }
            b'\'' => {
                if let Some(found) = self.other_name() {
                    return Ok((found, false));
                }
            }
            _ => {}
        }
        Err(self.bad_symbol())
    }

    fn other_name(&mut self) -> Option<Element> {
        let rest = &self.bytes[self.pos..self.end];
        let (name, number) = OTHER_NAMES.iter().find(|(n, _)| rest.starts_with(n.as_bytes()))?;
        self.pos += name.len();
        Element::new(*number)
    }

    fn chirality(&mut self) -> Result<Chirality, MolError> {
        if !self.take(b'@') {
            return Ok(Chirality::None);
        }
        if self.take(b'@') {
            return Ok(Chirality::Clockwise);
        }
        type Class = fn(u8) -> Chirality;
        let (class, most): (Class, u32) = match (self.peek(0), self.peek(1)) {
            (b'T', b'H') => {
                (|n| if n == 2 { Chirality::Clockwise } else { Chirality::Anticlockwise }, 2)
            }
            (b'A', b'L') => (Chirality::Allene, 2),
            (b'S', b'P') => (Chirality::SquarePlanar, 3),
            (b'T', b'B') => (Chirality::TrigonalBipyramidal, 20),
            (b'O', b'H') => (Chirality::Octahedral, 30),
            _ => return Ok(Chirality::Anticlockwise),
        };
        let at = self.pos - 1;
        self.pos += 2;
        let number = self.number()?.unwrap_or(0);
        if number > most {
            return Err(MolError::new(MolErrorKind::BadChirality, "Invalid chiral specification")
                .at(at..self.pos)
                .with_hint(format!("{} takes 1 to {most}", &self.text[at..at + 3])));
        }
        Ok(class(number as u8))
    }

    fn charge(&mut self) -> Result<i8, MolError> {
        let sign = match self.peek(0) {
            b'+' => 1,
            b'-' => -1,
            _ => return Ok(0),
        };
        let byte = self.peek(0);
        self.pos += 1;
        let size = if self.take(byte) { 2 } else { self.number()?.unwrap_or(1) };
        i8::try_from(sign * i64::from(size))
            .map_err(|_| self.fault(format!("Charge {size} in bracket atom is too large")))
    }

    #[cold]
    fn fault(&self, sentence: String) -> MolError {
        MolError::new(MolErrorKind::BadBracketAtom, sentence).at(self.open..self.pos.min(self.end))
    }

    #[cold]
    fn bad_symbol(&self) -> MolError {
        if self.pos >= self.end {
            return self.unclosed();
        }
        let rest = &self.text[self.pos..self.end];
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let (sentence, length) = if word.is_empty() {
            let c = rest.chars().next().unwrap_or(' ');
            (format!("Invalid element in bracket atom: '{}'", c.escape_default()), c.len_utf8())
        } else {
            (format!("Unknown element: {word}"), word.len())
        };
        let error =
            MolError::new(MolErrorKind::BadBracketAtom, sentence).at(self.pos..self.pos + length);
        match word {
            "D" => error.with_hint("deuterium is written [2H]"),
            "T" => error.with_hint("tritium is written [3H]"),
            _ if word.starts_with('R') => error.with_hint("an attachment point is written [*:1]"),
            _ => error,
        }
    }

    /// Not `]` where it should be: either it is missing, or something stands before it.
    #[cold]
    fn unclosed(&self) -> MolError {
        let close = self.bytes[self.pos.min(self.end)..self.end]
            .iter()
            .position(|&b| b == b']' || b == b'[')
            .map(|offset| self.pos + offset)
            .filter(|&at| self.bytes[at] == b']');
        let error =
            MolError::new(MolErrorKind::UnclosedBracket, "Missing closing ']' in bracket atom");
        match close {
            None => error.at(self.open..self.end).with_hint("close the bracket with ']'"),
            Some(_) => {
                let c = self.text[self.pos..].chars().next().unwrap_or(' ');
                let error = error.at(self.pos..self.pos + c.len_utf8());
                match c {
                    '+' | '-' => error.with_hint("write the charge once, as in [Fe+3]"),
                    '@' => error.with_hint("chirality is @ or @@ right after the symbol"),
                    _ => error.with_hint(format!(
                        "'{c}' cannot stand here; the order is isotope, symbol, chirality, \
                         hydrogens, charge, map"
                    )),
                }
            }
        }
    }
}
