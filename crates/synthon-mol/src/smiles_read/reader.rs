//! The main loop over the text: atoms, bonds, branches, dots and ring digits.

use super::ReadOptions;
use super::bracket::read_bracket;
use super::closures::Closures;
use crate::builder::{AtomSpec, BondDirection, BondSpec, MoleculeBuilder};
use crate::{BondOrder, BondStereo, Chirality, Element, MolError, MolErrorKind, shown_character};
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// A bond symbol as written. No order means "single, or aromatic between aromatic atoms".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BondMark {
    pub order: Option<BondOrder>,
    /// `<-`: the donor comes second.
    pub reversed: bool,
    pub direction: BondDirection,
}

/// What the text must go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// An atom only: at the start and after a dot.
    Atom,
    /// After `(`: an atom, or a bond symbol and an atom.
    Branch,
    /// After `(` and a bond symbol: an atom.
    BranchAtom,
    /// After a bond symbol: an atom or a ring digit.
    Bonded,
    /// Anything, and the text may end.
    Any,
}

/// A stereo mark, for the correction by ring closures.
pub(super) struct Centre {
    pub atom: u32,
    /// No atom precedes it in its component.
    pub first: bool,
    /// A double bond follows, or opens a branch.
    pub may_be_allene: bool,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    end: usize,
    max_atoms: usize,
    builder: MoleculeBuilder,
    /// Atom to return to, and the place of its `(`.
    branches: SmallVec<[(u32, u32); 8]>,
    closures: Closures,
    centres: Vec<Centre>,
    direction_marks: bool,
}

/// Reads `text[start..end]`; also says whether there are `/` or `\` marks.
pub(super) fn read(
    text: &str,
    start: usize,
    end: usize,
    options: &ReadOptions,
) -> Result<(MoleculeBuilder, bool), MolError> {
    // An atom takes at least one character, so this is never too little for ordinary text.
    let capacity = end - start;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        pos: start,
        end,
        max_atoms: options.max_atoms,
        builder: MoleculeBuilder {
            atoms: Vec::with_capacity(capacity),
            bonds: Vec::with_capacity(capacity),
        },
        branches: SmallVec::new(),
        closures: Closures::default(),
        centres: Vec::new(),
        direction_marks: false,
    };
    reader.run()?;
    Ok((reader.builder, reader.direction_marks))
}

/// Element and aromatic flag of the characters that are atoms without brackets.
const fn organic(byte: u8) -> Option<(Element, bool)> {
    Some(match byte {
        b'B' => (Element::B, false),
        b'C' => (Element::C, false),
        b'N' => (Element::N, false),
        b'O' => (Element::O, false),
        b'P' => (Element::P, false),
        b'S' => (Element::S, false),
        b'F' => (Element::F, false),
        b'I' => (Element::I, false),
        b'b' => (Element::B, true),
        b'c' => (Element::C, true),
        b'n' => (Element::N, true),
        b'o' => (Element::O, true),
        b'p' => (Element::P, true),
        b's' => (Element::S, true),
        b'*' => (Element::WILDCARD, false),
        _ => return None,
    })
}

static ORGANIC: [Option<(Element, bool)>; 128] = {
    let mut table = [None; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte as usize] = organic(byte);
        byte += 1;
    }
    table
};

impl Reader<'_> {
    fn run(&mut self) -> Result<(), MolError> {
        let mut active = NONE;
        let mut mark = BondMark::default();
        let mut mark_at = 0;
        let mut expect = Expect::Atom;
        while self.pos < self.end {
            let at = self.pos;
            let byte = self.bytes[at];
            if let Some(&Some((mut element, aromatic))) = ORGANIC.get(byte as usize) {
                self.pos += 1;
                if byte == b'C' && self.peek() == Some(b'l') {
                    element = Element::CL;
                    self.pos += 1;
                } else if byte == b'B' && self.peek() == Some(b'r') {
                    element = Element::BR;
                    self.pos += 1;
                }
                let mut atom = AtomSpec::new(element);
                atom.aromatic = aromatic;
                atom.span = (at as u32, self.pos as u32);
                active = self.add_atom(active, mark, atom);
                mark = BondMark::default();
                expect = Expect::Any;
                continue;
            }
            match byte {
                b'[' => {
                    let atom = read_bracket(self.text, at, self.end)?;
                    self.pos = atom.span.1 as usize;
                    let first = active == NONE;
                    active = self.add_atom(active, mark, atom);
                    if atom.chirality != Chirality::None {
                        let may_be_allene = self.text[atom.span.1 as usize..]
                            .trim_start_matches('(')
                            .starts_with('=');
                        self.centres.push(Centre { atom: active, first, may_be_allene });
                    }
                    mark = BondMark::default();
                    expect = Expect::Any;
                }
                b'0'..=b'9' | b'%' if matches!(expect, Expect::Any | Expect::Bonded) => {
                    let number = self.ring_number()?;
                    let bonds_so_far = self.builder.bonds.len() as u32;
                    self.closures.mark(number, active, bonds_so_far, mark, (at, self.pos));
                    mark = BondMark::default();
                    expect = Expect::Any;
                }
                b'(' if expect == Expect::Any => {
                    self.pos += 1;
                    self.branches.push((active, at as u32));
                    expect = Expect::Branch;
                }
                b')' if expect == Expect::Any => {
                    let Some((atom, _)) = self.branches.pop() else {
                        return Err(self
                            .unexpected(at)
                            .with_hint("there is no '(' that it closes"));
                    };
                    self.pos += 1;
                    active = atom;
                }
                b'.' if expect == Expect::Any => {
                    self.pos += 1;
                    active = NONE;
                    expect = Expect::Atom;
                }
                b'-' | b'=' | b'#' | b':' | b'$' | b'~' | b'/' | b'\\' | b'<'
                    if matches!(expect, Expect::Any | Expect::Branch) =>
                {
                    mark_at = at;
                    mark = self.bond_mark()?;
                    expect =
                        if expect == Expect::Any { Expect::Bonded } else { Expect::BranchAtom };
                }
                _ => return Err(self.refuse(at, expect, mark_at)),
            }
        }
        match expect {
            Expect::Any => {}
            Expect::Atom => {
                return Err(MolError::new(MolErrorKind::Syntax, "Dot not followed by atom")
                    .at(self.end - 1..self.end)
                    .with_hint("remove the last '.'"));
            }
            Expect::Branch => return Err(self.open_branch()),
            Expect::Bonded | Expect::BranchAtom => return Err(self.dangling_bond(mark_at)),
        }
        if !self.branches.is_empty() {
            return Err(self.open_branch());
        }
        if self.builder.atoms.len() > self.max_atoms {
            return Err(MolError::new(
                MolErrorKind::TooLarge,
                format!("More than {} atoms", self.max_atoms),
            ));
        }
        self.closures.finish(&mut self.builder, &self.centres)
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        if self.pos < self.end { Some(self.bytes[self.pos]) } else { None }
    }

    #[inline]
    fn add_atom(&mut self, active: u32, mark: BondMark, atom: AtomSpec) -> u32 {
        let index = self.builder.atoms.len() as u32;
        self.builder.atoms.push(atom);
        if active == NONE {
            return index;
        }
        let order = match mark.order {
            Some(order) => order,
            None if atom.aromatic && self.builder.atoms[active as usize].aromatic => {
                BondOrder::Aromatic
            }
            None => BondOrder::Single,
        };
        let (begin, end) = if mark.reversed { (index, active) } else { (active, index) };
        let direction = mark.direction;
        self.builder.bonds.push(BondSpec {
            begin,
            end,
            order,
            direction,
            stereo: BondStereo::None,
        });
        index
    }

    fn bond_mark(&mut self) -> Result<BondMark, MolError> {
        let at = self.pos;
        let byte = self.bytes[at];
        self.pos += 1;
        let mut mark = BondMark::default();
        match byte {
            b'-' if self.peek() == Some(b'>') => {
                self.pos += 1;
                mark.order = Some(BondOrder::Dative);
            }
            b'-' => mark.order = Some(BondOrder::Single),
            b'=' => mark.order = Some(BondOrder::Double),
            b'#' => mark.order = Some(BondOrder::Triple),
            b'$' => mark.order = Some(BondOrder::Quadruple),
            b'~' => mark.order = Some(BondOrder::Unspecified),
            b':' => mark.order = Some(BondOrder::Aromatic),
            b'/' => {
                self.direction_marks = true;
                mark.direction = BondDirection::Up;
            }
            b'\\' => {
                // Doubled by escaping in many a source.
                if self.peek() == Some(b'\\') {
                    self.pos += 1;
                }
                self.direction_marks = true;
                mark.direction = BondDirection::Down;
            }
            _ => {
                if self.peek() != Some(b'-') {
                    return Err(self
                        .unexpected(at)
                        .with_hint("a dative bond is written '->' or '<-'"));
                }
                self.pos += 1;
                mark.order = Some(BondOrder::Dative);
                mark.reversed = true;
            }
        }
        Ok(mark)
    }

    /// `5`, `%12` or `%(123)`.
    fn ring_number(&mut self) -> Result<u32, MolError> {
        let at = self.pos;
        let byte = self.bytes[at];
        self.pos += 1;
        if byte != b'%' {
            return Ok(u32::from(byte - b'0'));
        }
        let rest = &self.bytes[self.pos..self.end];
        let bad = |length: usize| {
            MolError::new(MolErrorKind::Syntax, "Invalid %nn ring closure")
                .at(at..(at + 1 + length).min(self.end))
                .with_hint("write %10 to %99, or %(n) with one to five digits")
        };
        let value = |digits: &[u8]| digits.iter().fold(0, |n, &d| n * 10 + u32::from(d - b'0'));
        match rest {
            [b'1'..=b'9', b'0'..=b'9', ..] => {
                self.pos += 2;
                Ok(value(&rest[..2]))
            }
            [b'(', inner @ ..] => {
                let digits = inner.iter().take_while(|b| b.is_ascii_digit()).count();
                if !(1..=5).contains(&digits) || inner.get(digits) != Some(&b')') {
                    return Err(bad(digits + 1));
                }
                self.pos += digits + 2;
                Ok(value(&inner[..digits]))
            }
            _ => Err(bad(rest.iter().take(2).take_while(|b| b.is_ascii_digit()).count())),
        }
    }

    fn unexpected(&self, at: usize) -> MolError {
        let c = self.text[at..].chars().next().unwrap_or(' ');
        MolError::new(
            MolErrorKind::Syntax,
            format!("Unexpected character at position {at}: '{}'", shown_character(c)),
        )
        .at(at..at + c.len_utf8())
    }

    fn open_branch(&self) -> MolError {
        let at = self.branches.last().map_or(self.end, |b| b.1 as usize);
        MolError::new(MolErrorKind::UnclosedBranch, "Unmatched opening parenthesis")
            .at(at..at + 1)
            .with_hint(format!("add {} ')' where the branch ends", self.branches.len()))
    }

    fn dangling_bond(&self, mark_at: usize) -> MolError {
        MolError::new(MolErrorKind::Syntax, "Bond symbol not followed by atom")
            .at(mark_at..mark_at + 1)
    }

    /// Whether the text is a word rather than SMILES: small letters, as no SMILES has them.
    fn is_word(&self) -> bool {
        let mut letters = self.bytes[..self.end].iter().skip(self.pos.min(1));
        self.end > 3 && letters.all(u8::is_ascii_lowercase)
    }

    /// The fault at a character that cannot stand here.
    #[cold]
    fn refuse(&self, at: usize, expect: Expect, mark_at: usize) -> MolError {
        let byte = self.bytes[at];
        let bond = matches!(byte, b'-' | b'=' | b'#' | b':' | b'$' | b'/' | b'\\' | b'<' | b'~');
        if matches!(expect, Expect::Bonded | Expect::BranchAtom) {
            return if bond {
                self.dangling_bond(at).with_hint(format!(
                    "two bond symbols stand in a row, '{}' and '{}'; keep one",
                    self.bytes[mark_at] as char, byte as char
                ))
            } else {
                self.dangling_bond(mark_at)
            };
        }
        let error = self.unexpected(at);
        let two: String = self.text[at..].chars().take(2).collect();
        let before_and_this = at.checked_sub(1).and_then(|b| self.text.get(b..at + 1));
        let known = |s: &str| Element::from_symbol(s).filter(|e| !e.is_wildcard());
        match byte {
            b'H' if self.text[at..].starts_with("HCl") => {
                error.with_hint("H stands inside brackets only; hydrogen chloride is written Cl")
            }
            b'H' => error.with_hint(
                "H stands inside brackets only, as in [NH4+]; hydrogens of ordinary atoms are implied",
            ),
            b'>' => error.with_hint("this is a reaction; give one molecule"),
            _ if self.is_word() => error.with_hint("this looks like a name; give its SMILES"),
            b'(' => error.with_hint("a branch follows an atom"),
            b')' => error.with_hint("a branch must hold an atom"),
            b'0'..=b'9' | b'%' => error.with_hint("a ring-closure number follows an atom"),
            b'.' => error.with_hint("a dot stands between two atoms"),
            b']' => error.with_hint("there is no '[' that it closes"),
            b'@' | b'+' => error.with_hint("this mark stands inside brackets, as in [C@H] or [N+]"),
            _ if bond => error.with_hint("a bond symbol stands between two atoms"),
            _ if before_and_this.and_then(known).is_some() => {
                let symbol = before_and_this.unwrap_or_default();
                error.with_hint(format!("{symbol} needs brackets: [{symbol}]"))
            }
            _ if known(&two).is_some() => {
                error.with_hint(format!("{two} needs brackets: [{two}]"))
            }
            _ if known(&two[..two.chars().next().map_or(0, char::len_utf8)]).is_some() => {
                error.with_hint(format!("{0} needs brackets: [{0}]", byte as char))
            }
            _ => error,
        }
    }
}
