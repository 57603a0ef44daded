//! Chains, branches, ring closures, components and groups.

use super::bond::PendingBond;
use super::{IMPLIED_BOND, Parser};
use crate::expression::{AtomPrimitive, Join, Literal};
use crate::pattern::{QueryAtom, QueryBond, QueryGraph, QueryNeighbour};
use crate::{QueryError, QueryErrorKind, Stated};
use synthon_mol::Chirality;

/// A ring closure number that waits for its second use.
struct OpenRing {
    number: u32,
    atom: u32,
    bond: Option<PendingBond>,
    at: usize,
}

/// A graph while it is read.
#[derive(Default)]
struct Draft {
    graph: QueryGraph,
    /// Where a bond is written at its begin and at its end atom; orders the ligands of an atom.
    places: Vec<(u32, u32)>,
    open_rings: Vec<OpenRing>,
    /// Atoms to come back to, with the place of the parenthesis.
    branches: Vec<(u32, usize)>,
    previous: Option<u32>,
    bond: Option<PendingBond>,
    open_group: Option<usize>,
    /// A group has just been closed: only a dot may follow.
    after_group: bool,
    has_chirality: bool,
    has_rings: bool,
    /// A ring closure joins what dots separate.
    joins_components: bool,
}

impl Parser<'_> {
    /// Reads a graph up to the end of the text or, inside recursion, to the parenthesis that
    /// closes it, and puts it behind the graphs that it uses.
    pub(super) fn graph(&mut self, depth: usize) -> Result<(), QueryError> {
        let mut draft = Draft::default();
        let begin = self.at;
        let likely = if depth == 0 { 8 } else { 4 };
        draft.graph.atoms.reserve(likely);
        draft.graph.bonds.reserve(likely);
        draft.places.reserve(likely);
        while let Some(byte) = self.peek() {
            match byte {
                b'[' => {
                    let atom = self.bracket_atom(depth)?;
                    self.attach(&mut draft, atom)?;
                }
                b'(' => self.open_parenthesis(&mut draft)?,
                b')' => {
                    if draft.branches.is_empty() && draft.open_group.is_none() && depth > 0 {
                        break;
                    }
                    self.close_parenthesis(&mut draft)?;
                }
                // The recursive part is not closed: its caller says so.
                b']' if depth > 0 => break,
                b'.' => self.dot(&mut draft)?,
                b'0'..=b'9' | b'%' => self.ring_closure(&mut draft)?,
                b'>' => {
                    let span = self.at..self.at + 1;
                    return Err(QueryError::new(
                        QueryErrorKind::Reaction,
                        "Unexpected character in SMARTS: '>'",
                        span,
                    )
                    .with_hint("this is a reaction; a pattern has no '>>'"));
                }
                _ => {
                    if let Some(primitive) = self.plain_atom() {
                        let from = self.atom_literals.len() as u32;
                        self.atom_literals.push(Literal {
                            join: Join::And,
                            negated: false,
                            primitive,
                        });
                        let length = if matches!(
                            primitive,
                            AtomPrimitive::Symbol(e, _) if e.symbol().len() == 2
                        ) {
                            2
                        } else {
                            1
                        };
                        let atom = QueryAtom {
                            literals: (from, from + 1),
                            span: ((self.at - length) as u32, self.at as u32),
                            map: 0,
                            component: 0,
                            group: 0,
                            chirality: Chirality::None,
                            has_chirality: false,
                        };
                        self.attach(&mut draft, atom)?;
                    } else if draft.bond.is_none()
                        && let Some(bond) = self.bond()?
                    {
                        if draft.previous.is_none() {
                            return Err(self
                                .unexpected(bond.span.0 as usize)
                                .with_hint("a bond needs an atom before it"));
                        }
                        draft.bond = Some(bond);
                    } else {
                        return Err(self.stray_character());
                    }
                }
            }
        }
        self.finish(draft, begin)
    }

    fn stray_character(&self) -> QueryError {
        let byte = self.text[self.at];
        if byte.is_ascii_alphabetic() {
            let error = self.unknown_element(self.at);
            let two = self.at..(self.at + 2).min(self.text.len());
            let symbol = String::from_utf8_lossy(&self.text[two]).into_owned();
            return if synthon_mol::Element::from_symbol(&symbol).is_some() {
                error.with_hint(format!("write [{symbol}] in brackets"))
            } else if matches!(byte, b'D' | b'H' | b'R' | b'X' | b'x' | b'r' | b'v' | b'h') {
                error.with_hint(format!("inside brackets, as in [{}]", byte as char))
            } else {
                error
            };
        }
        let error = self.unexpected(self.at);
        match byte {
            b'&' | b',' | b';' => error.with_hint(
                "operators stand inside atom brackets or inside a bond expression, and only once",
            ),
            b'$' => error.with_hint("a recursive part stands inside brackets: [$(...)]"),
            b']' => error.with_hint("no '[' is open here"),
            _ => error,
        }
    }

    fn attach(&mut self, draft: &mut Draft, mut atom: QueryAtom) -> Result<(), QueryError> {
        if draft.after_group {
            return Err(self.after_group(atom.span.0 as usize));
        }
        self.atom_count += 1;
        if self.atom_count > self.limits.max_atoms {
            return Err(QueryError::new(
                QueryErrorKind::TooLarge,
                format!("SMARTS exceeds the maximum of {} atoms", self.limits.max_atoms),
                atom.span(),
            ));
        }
        let index = draft.graph.atoms.len() as u32;
        if draft.open_group.is_some() {
            atom.group = draft.graph.group_count;
        }
        draft.has_chirality |= atom.has_chirality;
        if let Some(previous) = draft.previous {
            atom.component = draft.graph.atoms[previous as usize].component;
            let place = draft.bond.map_or(atom.span.0, |b| b.span.0);
            let bond = draft
                .bond
                .take()
                .unwrap_or(PendingBond { literals: IMPLIED_BOND, span: (place, place) });
            draft.graph.bonds.push(QueryBond {
                begin: previous,
                end: index,
                literals: bond.literals,
                span: bond.span,
            });
            // The bond that leads to an atom is the first of its ligands.
            draft.places.push((place, 0));
        } else {
            atom.component = draft.graph.component_count;
            draft.graph.component_count += 1;
        }
        draft.graph.atoms.push(atom);
        draft.previous = Some(index);
        Ok(())
    }

    fn after_group(&self, at: usize) -> QueryError {
        let error = if self.text[at].is_ascii_alphabetic() || self.text[at] == b'[' {
            QueryError::new(
                QueryErrorKind::UnbalancedParenthesis,
                "Atom after a component group in SMARTS",
                at..at + 1,
            )
        } else {
            self.unexpected(at)
        };
        error.with_hint("after a component group comes a dot or the end: (C.O).N")
    }

    fn dangling_bond(&self, bond: PendingBond) -> QueryError {
        QueryError::new(
            QueryErrorKind::Bond,
            "Bond without a second atom in SMARTS",
            bond.span.0 as usize..bond.span.1 as usize,
        )
        .with_hint("write the atom that the bond leads to, * for any")
    }

    fn open_parenthesis(&mut self, draft: &mut Draft) -> Result<(), QueryError> {
        if let Some(bond) = draft.bond {
            return Err(self
                .dangling_bond(bond)
                .with_hint("the bond of a branch stands inside its parenthesis: C(=O)"));
        }
        let place = self.at;
        match draft.previous {
            Some(atom) => {
                // A parenthesis right behind another opens a branch without an atom before it.
                if place > 0 && self.text[place - 1] == b'(' {
                    return Err(QueryError::new(
                        QueryErrorKind::EmptyPart,
                        "Branch without an atom before it in SMARTS",
                        place..place + 1,
                    )
                    .with_hint("take the doubled parenthesis away"));
                }
                draft.branches.push((atom, place));
            }
            None if draft.after_group => return Err(self.after_group(place)),
            None if draft.open_group.is_some() || !draft.branches.is_empty() => {
                return Err(QueryError::new(
                    QueryErrorKind::UnbalancedParenthesis,
                    "Nested component groups in SMARTS",
                    place..place + 1,
                )
                .with_hint("component groups stand side by side: (C.O).(N)"));
            }
            None => {
                draft.open_group = Some(place);
                draft.graph.group_count += 1;
            }
        }
        self.at += 1;
        Ok(())
    }

    fn close_parenthesis(&mut self, draft: &mut Draft) -> Result<(), QueryError> {
        if let Some(bond) = draft.bond {
            return Err(self.dangling_bond(bond));
        }
        if draft.branches.is_empty() && draft.open_group.is_none() {
            return Err(QueryError::new(
                QueryErrorKind::UnbalancedParenthesis,
                "Unmatched ')' in SMARTS",
                self.at..self.at + 1,
            )
            .with_hint("take it away or open the parenthesis before it"));
        }
        if self.text[self.at - 1] == b'(' {
            return Err(QueryError::new(
                QueryErrorKind::EmptyPart,
                "Empty parentheses in SMARTS",
                self.at - 1..self.at + 1,
            )
            .with_hint("take the empty parentheses away"));
        }
        if draft.previous.is_none() {
            return Err(self.empty_component());
        }
        if let Some((atom, _)) = draft.branches.pop() {
            draft.previous = Some(atom);
        } else {
            draft.open_group = None;
            draft.previous = None;
            draft.after_group = true;
        }
        self.at += 1;
        Ok(())
    }

    fn empty_component(&self) -> QueryError {
        QueryError::new(
            QueryErrorKind::EmptyPart,
            "Component without atoms in SMARTS",
            self.at..(self.at + 1).min(self.text.len()).max(self.at),
        )
        .with_hint("a dot stands between two components")
    }

    fn dot(&mut self, draft: &mut Draft) -> Result<(), QueryError> {
        if let Some(bond) = draft.bond {
            return Err(self.dangling_bond(bond));
        }
        if (draft.previous.is_none() && !draft.after_group) || self.text[self.at - 1] == b'(' {
            return Err(self.empty_component());
        }
        draft.previous = None;
        draft.after_group = false;
        self.at += 1;
        Ok(())
    }

    fn ring_closure(&mut self, draft: &mut Draft) -> Result<(), QueryError> {
        let start = self.at;
        let number = if self.accept(b'%') {
            let number = if self.accept(b'(') {
                self.digits(9).filter(|_| self.accept(b')'))
            } else {
                match (self.peek(), self.peek_at(1)) {
                    (Some(b'0'..=b'9'), Some(b'0'..=b'9')) => self.digits(2),
                    _ => None,
                }
            };
            number.ok_or_else(|| {
                QueryError::new(
                    QueryErrorKind::RingClosure,
                    "Expected digits after % in ring closure",
                    start..self.at,
                )
                .with_hint("two digits follow %, more are written %(100)")
            })?
        } else {
            self.digits(1).unwrap_or(0)
        };
        let Some(atom) = draft.previous else {
            return Err(QueryError::new(
                QueryErrorKind::RingClosure,
                "Ring closure before any atom",
                start..self.at,
            ));
        };
        let bond = draft.bond.take();
        let written = bond.map_or(start, |b| b.span.0 as usize);
        if written > 0 && self.text[written - 1] == b'(' {
            return Err(QueryError::new(
                QueryErrorKind::RingClosure,
                "Ring closure at the start of a branch in SMARTS",
                written..self.at,
            )
            .with_hint("a ring closure stands right behind its atom, before the parenthesis"));
        }
        let Some(open) = draft.open_rings.iter().rposition(|ring| ring.number == number) else {
            draft.open_rings.push(OpenRing { number, atom, bond, at: start });
            return Ok(());
        };
        let ring = draft.open_rings.swap_remove(open);
        if ring.atom == atom {
            return Err(QueryError::new(
                QueryErrorKind::RingClosure,
                format!("Ring closure {number} joins an atom to itself"),
                ring.at..self.at,
            ));
        }
        if let Some(bond) = bond {
            self.reverse_bond(bond.literals);
        }
        let place = (start as u32, start as u32);
        let chosen = match (ring.bond, bond) {
            (Some(first), Some(second)) => {
                let read = |b: PendingBond| {
                    &self.bond_literals[b.literals.0 as usize..b.literals.1 as usize]
                };
                if read(first) != read(second) {
                    return Err(QueryError::new(
                        QueryErrorKind::RingBondConflict,
                        format!(
                            "Ring closure {number} has different bond expressions at its two ends"
                        ),
                        second.span.0 as usize..self.at,
                    )
                    .with_hint("write the bond at one end only"));
                }
                first
            }
            (Some(bond), None) | (None, Some(bond)) => bond,
            (None, None) => PendingBond { literals: IMPLIED_BOND, span: place },
        };
        draft.graph.bonds.push(QueryBond {
            begin: ring.atom,
            end: atom,
            literals: chosen.literals,
            span: chosen.span,
        });
        draft.places.push((ring.at as u32, start as u32));
        draft.has_rings = true;
        let component = |i: u32| draft.graph.atoms[i as usize].component;
        draft.joins_components |= component(ring.atom) != component(atom);
        Ok(())
    }

    fn finish(&mut self, mut draft: Draft, begin: usize) -> Result<(), QueryError> {
        if let Some(bond) = draft.bond {
            return Err(self.dangling_bond(bond));
        }
        if let Some(place) = draft.branches.last().map(|b| b.1).or(draft.open_group) {
            return Err(QueryError::new(
                QueryErrorKind::UnbalancedParenthesis,
                "Unmatched '(' in SMARTS",
                place..place + 1,
            )
            .with_hint("close the parenthesis"));
        }
        if let Some(ring) = draft.open_rings.iter().min_by_key(|ring| ring.at) {
            return Err(QueryError::new(
                QueryErrorKind::UnclosedRing,
                "Unclosed ring in SMARTS",
                ring.at..ring.at + 1,
            )
            .with_hint(format!("use ring closure {} a second time", ring.number)));
        }
        if draft.graph.atoms.is_empty() {
            return Err(QueryError::new(
                QueryErrorKind::EmptyPart,
                "SMARTS must be a non-empty string",
                begin..self.at,
            )
            .with_hint("a recursive part needs an atom, * for any"));
        }
        if draft.previous.is_none() && !draft.after_group {
            return Err(self.empty_component());
        }
        draft.graph.index_neighbours();
        if draft.has_rings
            && let Some(bond) = draft.graph.doubled_bond()
        {
            let bond = draft.graph.bonds[bond];
            return Err(QueryError::new(
                QueryErrorKind::RingClosure,
                format!("Two bonds between atoms {} and {} in SMARTS", bond.begin, bond.end),
                bond.span.0 as usize..bond.span.1 as usize + 1,
            ));
        }
        if draft.joins_components {
            draft.graph.number_components();
        }
        if draft.has_chirality {
            self.settle_chirality(&mut draft);
        }
        self.graphs.push(draft.graph);
        Ok(())
    }

    /// Re-says chirality marks, which the text gives relative to the ligands as written, relative
    /// to the neighbours in bond order with the implied ligand last.
    ///
    /// A stated hydrogen is written behind the atom that leads to its centre, which makes no
    /// difference, or before all others where no atom leads there, which does. Where a ligand is
    /// missing and no hydrogen stated, it counts as last, and on a saturated centre with one ring
    /// closure as last but one: so RDKit reads such centres in SMILES and in SMARTS, and the text
    /// of a molecule must find that molecule.
    fn settle_chirality(&mut self, draft: &mut Draft) {
        for i in 0..draft.graph.atoms.len() {
            let atom = draft.graph.atoms[i];
            if !atom.has_chirality {
                continue;
            }
            let places: Vec<u32> = draft
                .graph
                .neighbours(i)
                .iter()
                .map(|n| {
                    let bond = &draft.graph.bonds[n.bond()];
                    let places = draft.places[n.bond()];
                    if bond.begin() == i { places.0 } else { places.1 }
                })
                .collect();
            let mut odd = false;
            for (k, place) in places.iter().enumerate().take(4) {
                odd ^= places[..k].iter().filter(|p| *p > place).count() % 2 == 1;
            }
            let range = atom.literals.0 as usize..atom.literals.1 as usize;
            if places.len() == 3 {
                odd ^= if Stated::of(&self.atom_literals[range.clone()]).hydrogens == Some(1) {
                    !places.contains(&0)
                } else {
                    let bonds = || draft.graph.neighbours(i).iter().map(|n| n.bond());
                    // Only the second end of a ring closure has a place of its own.
                    bonds().filter(|&b| draft.places[b].1 != 0).count() == 1
                        && !bonds().any(|b| {
                            let first = draft.graph.bonds[b].literals.0 as usize;
                            self.bond_literals[first].primitive.is_unsaturated()
                        })
                };
            }
            let (mut single, mut marks) = (None, 0);
            let mut start = range.start;
            while start < range.end {
                let rest = &self.atom_literals[start + 1..range.end];
                let length = rest.iter().position(|l| l.join == Join::LowAnd);
                let end = length.map_or(range.end, |k| start + 1 + k);
                let in_choice =
                    self.atom_literals[start + 1..end].iter().any(|l| l.join == Join::Or);
                for literal in &mut self.atom_literals[start..end] {
                    let AtomPrimitive::Chirality { clockwise, or_unspecified } =
                        &mut literal.primitive
                    else {
                        continue;
                    };
                    *clockwise ^= odd;
                    marks += 1;
                    if !in_choice && !literal.negated && !*or_unspecified {
                        single = Some(*clockwise);
                    }
                }
                start = end;
            }
            draft.graph.atoms[i].chirality = match single {
                Some(true) if marks == 1 => Chirality::Clockwise,
                Some(false) if marks == 1 => Chirality::Anticlockwise,
                _ => Chirality::None,
            };
        }
    }
}

impl QueryGraph {
    /// Builds the neighbour lists from the bonds.
    pub(crate) fn index_neighbours(&mut self) {
        let n = self.atoms.len();
        self.offsets = vec![0; n + 1];
        for bond in &self.bonds {
            self.offsets[bond.begin()] += 1;
            self.offsets[bond.end()] += 1;
        }
        let mut sum = 0;
        for offset in &mut self.offsets {
            let count = *offset;
            *offset = sum;
            sum += count;
        }
        self.neighbours = vec![QueryNeighbour { atom: 0, bond: 0 }; sum as usize];
        // Filling moves each offset to its end, which is the next one's begin.
        for (i, bond) in self.bonds.iter().enumerate() {
            for (at, other) in [(bond.begin, bond.end), (bond.end, bond.begin)] {
                let slot = &mut self.offsets[at as usize];
                self.neighbours[*slot as usize] = QueryNeighbour { atom: other, bond: i as u32 };
                *slot += 1;
            }
        }
        for i in (1..=n).rev() {
            self.offsets[i] = self.offsets[i - 1];
        }
        self.offsets[0] = 0;
    }

    fn doubled_bond(&self) -> Option<usize> {
        let mut seen = vec![u32::MAX; self.atoms.len()];
        for atom in 0..self.atoms.len() {
            for n in self.neighbours(atom) {
                if seen[n.atom()] == atom as u32 {
                    return Some(n.bond());
                }
                seen[n.atom()] = atom as u32;
            }
        }
        None
    }

    /// Numbers the components in the order of their first atoms.
    pub(crate) fn number_components(&mut self) {
        let mut labels = vec![u32::MAX; self.atoms.len()];
        let (mut count, mut stack) = (0, Vec::new());
        for start in 0..self.atoms.len() {
            if labels[start] != u32::MAX {
                continue;
            }
            labels[start] = count;
            stack.push(start);
            while let Some(atom) = stack.pop() {
                for n in self.neighbours(atom) {
                    if labels[n.atom()] == u32::MAX {
                        labels[n.atom()] = count;
                        stack.push(n.atom());
                    }
                }
            }
            count += 1;
        }
        self.component_count = count;
        for (atom, label) in self.atoms.iter_mut().zip(labels) {
            atom.component = label;
        }
    }
}
