//! Atoms: organic-subset symbols and bracket expressions.

use super::Parser;
use crate::expression::{AtomPrimitive as P, Count, Join, Literal};
use crate::pattern::QueryAtom;
use crate::{QueryError, QueryErrorKind};
use synthon_mol::{Chirality, Element};

impl Parser<'_> {
    /// Reads a symbol that needs no brackets, if one comes next.
    pub(super) fn plain_atom(&mut self) -> Option<P> {
        let (primitive, length) = match (self.peek()?, self.peek_at(1)) {
            (b'C', Some(b'l')) => (P::Symbol(Element::CL, false), 2),
            (b'B', Some(b'r')) => (P::Symbol(Element::BR, false), 2),
            (b'*', _) => (P::Any, 1),
            (b'A', _) => (P::Aliphatic, 1),
            (b'a', _) => (P::Aromatic, 1),
            (b'B', _) => (P::Symbol(Element::B, false), 1),
            (b'C', _) => (P::Symbol(Element::C, false), 1),
            (b'N', _) => (P::Symbol(Element::N, false), 1),
            (b'O', _) => (P::Symbol(Element::O, false), 1),
            (b'F', _) => (P::Symbol(Element::F, false), 1),
            (b'P', _) => (P::Symbol(Element::P, false), 1),
            (b'S', _) => (P::Symbol(Element::S, false), 1),
            (b'I', _) => (P::Symbol(Element::I, false), 1),
            (b'b', _) => (P::Symbol(Element::B, true), 1),
            (b'c', _) => (P::Symbol(Element::C, true), 1),
            (b'n', _) => (P::Symbol(Element::N, true), 1),
            (b'o', _) => (P::Symbol(Element::O, true), 1),
            (b'p', _) => (P::Symbol(Element::P, true), 1),
            (b's', _) => (P::Symbol(Element::S, true), 1),
            _ => return None,
        };
        self.at += length;
        Some(primitive)
    }

    /// Reads a bracket atom, whose `[` comes next.
    pub(super) fn bracket_atom(&mut self, depth: usize) -> Result<QueryAtom, QueryError> {
        let start = self.at;
        self.at += 1;
        let mark = self.open_literals.len();
        let (mut map, mut has_chirality) = (0, false);
        if !self.hydrogen_atom() {
            let mut join = Join::And;
            loop {
                let mut negated = false;
                while self.accept(b'!') {
                    negated = !negated;
                }
                let primitive = self.atom_primitive(start, depth)?;
                has_chirality |= matches!(primitive, P::Chirality { .. });
                self.open_literals.push(Literal { join, negated, primitive });
                join = match self.peek() {
                    Some(b'&') => Join::And,
                    Some(b',') => Join::Or,
                    Some(b';') => Join::LowAnd,
                    Some(b']' | b':') => break,
                    None => return Err(self.unclosed_bracket(start)),
                    _ => {
                        join = Join::And;
                        continue;
                    }
                };
                self.at += 1;
            }
        }
        if self.accept(b':') {
            let place = self.at;
            map = self.digits(9).ok_or_else(|| {
                QueryError::new(
                    QueryErrorKind::Number,
                    "Expected atom-map number after ':' in SMARTS atom",
                    place..place,
                )
                .with_hint("write a map as [C:1]; an aromatic bond stands outside the brackets")
            })?;
        }
        if !self.accept(b']') {
            return Err(match self.peek() {
                None => self.unclosed_bracket(start),
                Some(_) => self
                    .unexpected_in_atom()
                    .with_hint("the atom map is the last thing inside the brackets"),
            });
        }
        let from = self.atom_literals.len() as u32;
        self.atom_literals.extend(self.open_literals.drain(mark..));
        Ok(QueryAtom {
            literals: (from, self.atom_literals.len() as u32),
            span: (start as u32, self.at as u32),
            map,
            component: 0,
            group: 0,
            chirality: Chirality::None,
            has_chirality,
        })
    }

    fn unclosed_bracket(&self, start: usize) -> QueryError {
        QueryError::new(
            QueryErrorKind::UnclosedBracket,
            format!("Expected ']' in bracket atom at pos {}", self.text.len()),
            start..self.text.len(),
        )
        .with_hint(format!("close the '[' opened at position {start}"))
    }

    fn unexpected_in_atom(&self) -> QueryError {
        let (c, span) = self.character_at(self.at);
        QueryError::new(
            QueryErrorKind::UnexpectedCharacter,
            format!("Unexpected character in SMARTS atom: '{c}'"),
            span,
        )
    }

    /// Reads a hydrogen atom: `H` with nothing but mass number, charge and map, such as `[H]`,
    /// `[2H]` or `[H+]`. Anywhere else `H` counts hydrogens.
    fn hydrogen_atom(&mut self) -> bool {
        let start = self.at;
        let isotope = self.digits(9);
        if !self.accept(b'H') {
            self.at = start;
            return false;
        }
        let charge = match self.peek() {
            Some(b'+' | b'-') => self.charge(),
            _ => None,
        };
        if !matches!(self.peek(), Some(b']' | b':')) {
            self.at = start;
            return false;
        }
        let mut push = |primitive| {
            self.open_literals.push(Literal { join: Join::And, negated: false, primitive });
        };
        push(P::Number(Element::H));
        if let Some(mass) = isotope {
            push(P::Isotope(mass.min(u32::from(u16::MAX)) as u16));
        }
        if let Some(charge) = charge {
            push(charge);
        }
        true
    }

    /// Reads one primitive inside brackets.
    fn atom_primitive(&mut self, start: usize, depth: usize) -> Result<P, QueryError> {
        let Some(first) = self.peek() else { return Err(self.unclosed_bracket(start)) };
        Ok(match first {
            b'*' => {
                self.at += 1;
                P::Any
            }
            b'$' => return self.recursion(depth),
            b'#' => return self.atomic_number(),
            b'@' => return self.chirality(),
            b'+' | b'-' => match self.charge() {
                Some(charge) => charge,
                None => return Err(self.unexpected_in_atom()),
            },
            b'^' => {
                let place = self.at;
                self.at += 1;
                match self.digits(2) {
                    Some(n @ 0..=5) => P::Hybridisation(n as u8),
                    _ => {
                        return Err(QueryError::new(
                            QueryErrorKind::Number,
                            "Expected digit 0-5 after ^ in SMARTS hybridisation",
                            place..self.at,
                        )
                        .with_hint("^1 is sp, ^2 is sp2, ^3 is sp3"));
                    }
                }
            }
            b'0'..=b'9' => {
                let mass = self.digits(usize::MAX).unwrap_or(0);
                P::Isotope(mass.min(u32::from(u16::MAX)) as u16)
            }
            b'A'..=b'Z' | b'a'..=b'z' => return self.letter(first),
            b'&' | b',' | b';' => {
                return Err(self
                    .unexpected_in_atom()
                    .with_hint("an operator stands between two primitives, and only once"));
            }
            b']' => {
                let hint = if self.at == start + 1 {
                    "write [*] for any atom"
                } else {
                    "write a primitive after the operator or take the operator away"
                };
                return Err(self.unexpected_in_atom().with_hint(hint));
            }
            b'(' => {
                return Err(self.unexpected_in_atom().with_hint(
                    "SMARTS has no parentheses inside brackets: ';' binds looser than ',', and \
                     a sub-pattern is written $(...)",
                ));
            }
            _ => return Err(self.unexpected_in_atom()),
        })
    }

    fn letter(&mut self, first: u8) -> Result<P, QueryError> {
        if let Some(symbol) = self.two_letter_symbol(first) {
            self.at += 2;
            return Ok(symbol);
        }
        let one = |element, aromatic| Some(P::Symbol(element, aromatic));
        let symbol = match first {
            b'B' => one(Element::B, false),
            b'C' => one(Element::C, false),
            b'N' => one(Element::N, false),
            b'O' => one(Element::O, false),
            b'F' => one(Element::F, false),
            b'P' => one(Element::P, false),
            b'S' => one(Element::S, false),
            b'K' => one(Element::K, false),
            b'I' => one(Element::I, false),
            b'V' | b'Y' | b'W' | b'U' => std::str::from_utf8(&[first])
                .ok()
                .and_then(Element::from_symbol)
                .map(|element| P::Symbol(element, false)),
            b'b' => one(Element::B, true),
            b'c' => one(Element::C, true),
            b'n' => one(Element::N, true),
            b'o' => one(Element::O, true),
            b'p' => one(Element::P, true),
            b's' => one(Element::S, true),
            b'A' => Some(P::Aliphatic),
            b'a' => Some(P::Aromatic),
            _ => None,
        };
        if let Some(symbol) = symbol {
            self.at += 1;
            return Ok(symbol);
        }
        let (counted, bare): (fn(Count) -> P, Count) = match first {
            b'D' => (P::Degree, Count::exactly(1)),
            b'd' => (P::HeavyDegree, Count::exactly(1)),
            b'H' => (P::Hydrogens, Count::exactly(1)),
            b'h' => (P::ImplicitHydrogens, Count::at_least(1)),
            b'X' => (P::Connectivity, Count::exactly(1)),
            b'v' => (P::Valence, Count::exactly(1)),
            b'x' => (P::RingBonds, Count::at_least(1)),
            b'R' => (P::RingCount, Count::at_least(1)),
            b'r' => (P::SmallestRing, Count::at_least(1)),
            b'k' => (P::AnyRing, Count::at_least(1)),
            b'z' => (P::HeteroNeighbours, Count::at_least(1)),
            b'Z' => (P::AliphaticHeteroNeighbours, Count::at_least(1)),
            b'Q' => {
                let digits =
                    self.text[self.at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
                let number = String::from_utf8_lossy(&self.text[self.at + 1..][..digits]);
                return Err(QueryError::new(
                    QueryErrorKind::Unsupported,
                    "Unknown element in SMARTS: Q",
                    self.at..self.at + 1 + digits,
                )
                .with_hint(format!(
                    "Q has different meanings in different dialects: write d{number} for heavy \
                     neighbours or X{number} for all neighbours"
                )));
            }
            b'a'..=b'z' => {
                let (c, span) = self.character_at(self.at);
                return Err(QueryError::new(
                    QueryErrorKind::UnknownElement,
                    format!("Unknown aromatic element in SMARTS: {c}"),
                    span,
                )
                .with_hint("aromatic symbols are b c n o p s as se si te"));
            }
            _ => return Err(self.unknown_element(self.at)),
        };
        self.at += 1;
        Ok(counted(self.count(bare)?))
    }

    /// The element of a two-letter symbol, the longest reading first as usual in SMARTS. `Nh` is
    /// not taken for nihonium: a nitrogen with `h` is what people write.
    fn two_letter_symbol(&self, first: u8) -> Option<P> {
        let second = self.peek_at(1).filter(u8::is_ascii_lowercase)?;
        let symbol = [first, second];
        match &symbol {
            b"as" => return Some(P::Symbol(Element::AS, true)),
            b"se" => return Some(P::Symbol(Element::SE, true)),
            b"si" => return Some(P::Symbol(Element::SI, true)),
            b"te" => return Some(P::Symbol(Element::TE, true)),
            b"Nh" => return None,
            _ if !first.is_ascii_uppercase() => return None,
            _ => {}
        }
        let element = Element::from_symbol(std::str::from_utf8(&symbol).ok()?)?;
        Some(P::Symbol(element, false))
    }

    /// Reads what follows a counted primitive: a number, a range in braces, or nothing.
    fn count(&mut self, bare: Count) -> Result<Count, QueryError> {
        // One below the mark of an open range, so that a huge number never reads as "no limit".
        let clamp = |n: u32| n.min(u32::from(Count::NO_LIMIT) - 1) as u16;
        if self.peek() == Some(b'{') {
            let start = self.at;
            self.at += 1;
            let low = self.digits(9);
            let high = if self.accept(b'-') { self.digits(9).map(Some) } else { Some(low) };
            let range = match (low, high) {
                (Some(low), None) => Some(Count::at_least(clamp(low))),
                (low, Some(Some(high))) => {
                    Some(Count { min: clamp(low.unwrap_or(0)), max: clamp(high) })
                }
                _ => None,
            };
            return match range {
                Some(range) if self.accept(b'}') => Ok(range),
                _ => Err(QueryError::new(
                    QueryErrorKind::Number,
                    "Unexpected character in SMARTS atom: '{'",
                    start..self.at,
                )
                .with_hint("a range is written {2-3}, {2-} or {-3}")),
            };
        }
        Ok(self.digits(usize::MAX).map_or(bare, |n| Count::exactly(clamp(n))))
    }

    /// Reads a charge, whose sign comes next: `+`, `++`, `+2`, `+{1-2}`.
    fn charge(&mut self) -> Option<P> {
        let sign = self.peek()?;
        let mut signs = 0i32;
        while self.accept(sign) {
            signs = signs.saturating_add(1);
        }
        let clamp = |n: u32| n.min(1_000) as i16;
        let (low, high) = if signs == 1 && self.peek() == Some(b'{') {
            let range = self.count(Count::exactly(1)).ok()?;
            (clamp(u32::from(range.min)), clamp(u32::from(range.max)))
        } else {
            let n = match self.digits(usize::MAX) {
                Some(n) if signs == 1 => clamp(n),
                Some(_) => return None,
                None => clamp(signs as u32),
            };
            (n, n)
        };
        Some(if sign == b'+' { P::Charge(low, high) } else { P::Charge(-high, -low) })
    }

    fn atomic_number(&mut self) -> Result<P, QueryError> {
        let start = self.at;
        self.at += 1;
        let Some(number) = self.digits(9) else {
            return Err(QueryError::new(
                QueryErrorKind::Number,
                "Expected number after # in SMARTS",
                start..self.at,
            )
            .with_hint("inside brackets # is followed by an atomic number, as in [#6]"));
        };
        let element = u8::try_from(number).ok().and_then(Element::new);
        element.map(P::Number).ok_or_else(|| {
            QueryError::new(
                QueryErrorKind::UnknownElement,
                format!("Unknown element in SMARTS: #{number}"),
                start..self.at,
            )
            .with_hint("atomic numbers run from 0 (wildcard) to 118")
        })
    }

    fn chirality(&mut self) -> Result<P, QueryError> {
        let start = self.at;
        self.at += 1;
        let clockwise = self.accept(b'@');
        let class = self.text.get(self.at..self.at + 2);
        let numbered = self.peek_at(2).is_some_and(|b| b.is_ascii_digit());
        if let Some(class @ (b"TH" | b"AL" | b"SP" | b"TB" | b"OH")) = class
            && numbered
            && !clockwise
        {
            let name = String::from_utf8_lossy(class);
            let error = QueryError::new(
                QueryErrorKind::Unsupported,
                format!("Unknown element in SMARTS: {}", &name[..1]),
                start..self.at + 3,
            );
            return Err(match (class, self.peek_at(2)) {
                (b"TH", Some(b'1')) => error.with_hint("write @ for @TH1"),
                (b"TH", Some(b'2')) => error.with_hint("write @@ for @TH2"),
                _ => error.with_hint(format!(
                    "@{name} is not supported in a pattern, only the tetrahedral marks @ and @@"
                )),
            });
        }
        let or_unspecified = self.accept(b'?');
        Ok(P::Chirality { clockwise, or_unspecified })
    }

    fn recursion(&mut self, depth: usize) -> Result<P, QueryError> {
        let start = self.at;
        self.at += 1;
        if !self.accept(b'(') {
            return Err(QueryError::new(
                QueryErrorKind::UnexpectedCharacter,
                "Expected '(' after '$' in recursive SMARTS",
                start..self.at,
            )
            .with_hint("a recursive part is written $(...)"));
        }
        if depth >= self.limits.max_recursion {
            return Err(QueryError::new(
                QueryErrorKind::TooDeep,
                format!(
                    "Recursive SMARTS nesting exceeds maximum depth of {}",
                    self.limits.max_recursion
                ),
                start..self.at,
            ));
        }
        let inside = self.at;
        let marks = (self.graphs.len(), self.atom_literals.len(), self.bond_literals.len());
        if self.at < self.text.len() {
            self.graph(depth + 1)?;
        }
        if !self.accept(b')') {
            return Err(QueryError::new(
                QueryErrorKind::UnbalancedParenthesis,
                "Unmatched '(' in recursive SMARTS",
                start..self.text.len(),
            )
            .with_hint(format!("close the $( opened at position {start}")));
        }
        // A part that occurs again is the same graph, so that its answers are shared.
        let text = &self.text[inside..self.at - 1];
        let twin = self.recursions.iter().find(|(span, _)| &self.text[span.clone()] == text);
        if let Some(&(_, graph)) = twin {
            self.graphs.truncate(marks.0);
            self.atom_literals.truncate(marks.1);
            self.bond_literals.truncate(marks.2);
            return Ok(P::Recursive(graph));
        }
        let graph = (self.graphs.len() - 1) as u32;
        self.recursions.push((inside..self.at - 1, graph));
        Ok(P::Recursive(graph))
    }
}
