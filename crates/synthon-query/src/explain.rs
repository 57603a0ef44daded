//! Why a pattern does not match: which query atoms could not be placed, and what failed.

use crate::bond_test::BondTest;
use crate::expression::{AtomPrimitive as P, Expression, alternatives, clauses};
use crate::matcher::{MatchOptions, Matcher};
use crate::pattern::Pattern;
use crate::plan::NONE;
use crate::search::{Halt, Run, reset_memo};
use crate::target::Target;
use std::fmt;
use synthon_budget::{Budget, Stop};

/// A part of an atom expression that an atom of the target does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedPart {
    /// The part as SMARTS: a primitive, or alternatives joined by commas of which none holds.
    pub smarts: String,
    /// The part tests nothing but one of these primitives.
    pub primitives: Vec<P>,
}

/// Why one query atom could not be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissReason {
    /// No atom of the target meets the expression.
    NoAtom {
        /// The target atom that comes closest.
        closest: usize,
        /// The parts that it fails.
        failed: Vec<FailedPart>,
    },
    /// Fewer atoms of the target meet the expression than query atoms need.
    TooFew {
        /// Query atoms that need such an atom.
        needed: usize,
        /// Atoms of the target that there are.
        available: usize,
    },
    /// With the other atoms placed as far as possible, no neighbour of the atom before it will
    /// do.
    NoNeighbour {
        /// The query atom before it, and its image.
        beside: (usize, usize),
        /// What is wrong with each neighbour of that image.
        neighbours: Vec<NeighbourMiss>,
    },
    /// With the other components placed as far as possible, no atom is left for this one.
    NoRoom,
    /// The map is complete, but not allowed: a ring of the target is matched in part, atoms are
    /// bonded that may not be, or stereo marks disagree in every way of placing the atoms.
    Whole,
}

/// Why a neighbour in the target cannot take the next query atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeighbourMiss {
    /// The target atom.
    pub atom: usize,
    /// What is wrong with it.
    pub why: NeighbourFault,
}

/// What is wrong with a neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeighbourFault {
    /// The bond that leads there.
    Bond,
    /// Another query atom lies there.
    Taken {
        /// That query atom.
        by: usize,
    },
    /// Parts of the expression that it fails.
    Atom(Vec<FailedPart>),
    /// A ring closure to this query atom is missing or the wrong bond.
    RingClosure {
        /// The query atom at the other end.
        to: usize,
    },
    /// Handedness or double-bond geometry.
    Stereo,
    /// It leads into a dead end further on.
    Further,
}

/// One query atom that could not be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The query atom.
    pub atom: usize,
    /// Its expression as SMARTS.
    pub smarts: String,
    /// Why.
    pub reason: MissReason,
}

/// Why a pattern matches or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The pattern matches: there is nothing to explain.
    pub matches: bool,
    /// The largest part that could be placed, as (query atom, target atom) in query order.
    pub placed: Vec<(usize, usize)>,
    /// What stood in the way.
    pub misses: Vec<Miss>,
}

/// Explains why a pattern does not match a target: first atoms that nothing in the target meets,
/// then kinds of atoms of which there are too few, then the atom at which the furthest attempt
/// ends.
///
/// # Errors
/// The [`Stop`] that ended the work before it knew.
pub fn explain(
    pattern: &Pattern,
    target: &Target<'_>,
    options: &MatchOptions,
    budget: &mut Budget,
) -> Result<Explanation, Stop> {
    if let Some(map) = Matcher::new().first_within(pattern, target, options, budget)? {
        let placed = map.iter().enumerate().map(|(q, &t)| (q, t as usize)).collect();
        return Ok(Explanation { matches: true, placed, misses: Vec::new() });
    }
    let mut memo = Vec::new();
    let mut pool = Vec::new();
    reset_memo(&mut memo, (pattern.graphs.len() - 1) * target.profile.words.len());
    let mut run = Run {
        pattern,
        target,
        options: *options,
        budget,
        memo: &mut memo,
        pool: &mut pool,
        domains: None,
        cap: u64::MAX,
        halted: None,
    };
    let mut misses = run.atoms_without_image();
    if misses.is_empty() {
        misses = run.atoms_with_too_few();
    }
    let (placed, last) = run.furthest();
    if misses.is_empty() {
        misses.push(last);
    }
    if let Some(stop) = run.stop() {
        return Err(stop);
    }
    Ok(Explanation { matches: false, placed, misses })
}

/// How many steps the search for the furthest attempt may take; what it has then is shown.
const FURTHEST_STEPS: usize = 20_000;

impl Run<'_> {
    fn stop(&self) -> Option<Stop> {
        match self.halted {
            Some(Halt::Budget(stop)) => Some(stop),
            _ => None,
        }
    }

    /// Spends budget on so many atoms of the target; false when there is none left.
    fn may_look_at(&mut self, atoms: usize) -> bool {
        match self.budget.spend(atoms as u64) {
            Ok(()) => self.halted.is_none(),
            Err(stop) => {
                self.halted = Some(Halt::Budget(stop));
                false
            }
        }
    }

    fn expression(&self, atom: usize) -> &Expression<P> {
        self.pattern.atom_expression(&self.pattern.atoms()[atom])
    }

    /// The parts of an expression that a target atom fails, chirality marks left out.
    fn failed_parts(&mut self, query: usize, found: usize) -> Vec<FailedPart> {
        let pattern = self.pattern;
        let expression = pattern.atom_expression(&pattern.atoms()[query]);
        let mut failed = Vec::new();
        for clause in clauses(expression) {
            let mut holds = |literals: &Expression<P>| {
                literals.iter().all(|l| {
                    matches!(l.primitive, P::Chirality { .. })
                        || self.meets(l.primitive, found) != l.negated
                })
            };
            let options: Vec<&Expression<P>> = alternatives(clause).collect();
            if options.iter().any(|o| holds(o)) {
                continue;
            }
            if let [only] = options[..] {
                // All must hold: name those that do not.
                for literal in only {
                    let one = std::slice::from_ref(literal);
                    if !holds(one) {
                        failed.push(FailedPart {
                            smarts: pattern.shown(one),
                            primitives: vec![literal.primitive],
                        });
                    }
                }
            } else {
                failed.push(FailedPart {
                    smarts: pattern.shown(clause),
                    primitives: clause.iter().map(|l| l.primitive).collect(),
                });
            }
        }
        failed
    }

    fn atoms_without_image(&mut self) -> Vec<Miss> {
        let n = self.target.profile.words.len();
        let mut misses = Vec::new();
        for query in 0..self.pattern.atoms().len() {
            let mut closest: Option<(usize, Vec<FailedPart>)> = None;
            if !self.may_look_at(n) {
                return misses;
            }
            for atom in 0..n {
                let failed = self.failed_parts(query, atom);
                let fewer = closest.as_ref().is_none_or(|(_, best)| failed.len() < best.len());
                if failed.is_empty() {
                    closest = None;
                    break;
                }
                if fewer {
                    closest = Some((atom, failed));
                }
            }
            if n == 0 {
                misses.push(self.miss(query, MissReason::NoRoom));
            } else if let Some((closest, failed)) = closest {
                misses.push(self.miss(query, MissReason::NoAtom { closest, failed }));
            }
        }
        misses
    }

    /// Atoms with equal expressions, of which the target has too few.
    fn atoms_with_too_few(&mut self) -> Vec<Miss> {
        let mut misses = Vec::new();
        // The first atom with each expression, and how many have it.
        let mut distinct: Vec<(usize, usize)> = Vec::new();
        for query in 0..self.pattern.atoms().len() {
            if !self.may_look_at(1 + distinct.len() / 64) {
                return misses;
            }
            let same =
                |known: &&mut (usize, usize)| self.expression(known.0) == self.expression(query);
            match distinct.iter_mut().find(same) {
                Some(known) => known.1 += 1,
                None => distinct.push((query, 1)),
            }
        }
        for (query, needed) in distinct.into_iter().filter(|&(_, needed)| needed > 1) {
            if !self.may_look_at(self.target.profile.words.len()) {
                return misses;
            }
            let available = (0..self.target.profile.words.len())
                .filter(|&atom| self.failed_parts(query, atom).is_empty())
                .count();
            if available < needed {
                let reason = MissReason::TooFew { needed, available };
                misses.push(self.miss(query, reason));
            }
        }
        misses
    }

    fn miss(&self, atom: usize, reason: MissReason) -> Miss {
        Miss { atom, smarts: self.pattern.shown(self.expression(atom)), reason }
    }

    /// Places the atoms in the order of the text as far as that goes, and says what is wrong
    /// with the next one.
    fn furthest(&mut self) -> (Vec<(usize, usize)>, Miss) {
        let pattern = self.pattern;
        let graph = pattern.graph();
        let n = graph.atoms().len();
        let mut image = vec![NONE; n];
        let mut choices: Vec<Vec<u32>> = vec![self.candidates(0, &image)];
        let mut best: Vec<u32> = Vec::new();
        let mut steps = 0;
        while let Some(open) = choices.last_mut() {
            let query = choices_depth(&image);
            if steps >= FURTHEST_STEPS || !self.may_look_at(1) {
                break;
            }
            steps += 1;
            let Some(atom) = open.pop() else {
                choices.pop();
                if query > 0 {
                    image[query - 1] = NONE;
                }
                continue;
            };
            image[query] = atom;
            if query + 1 > best.len() {
                best = image[..=query].to_vec();
            }
            if query + 1 == n {
                // Complete, and yet no embedding: what is judged on the whole was in the way.
                image[query] = NONE;
                continue;
            }
            let next = self.candidates(query + 1, &image);
            choices.push(next);
        }
        let placed: Vec<(usize, usize)> =
            best.iter().enumerate().map(|(q, &t)| (q, t as usize)).collect();
        if best.len() == n {
            return (placed, self.miss(n - 1, MissReason::Whole));
        }
        image.fill(NONE);
        image[..best.len()].copy_from_slice(&best);
        let query = best.len();
        let before = graph.neighbours(query).iter().find(|k| k.atom() < query);
        let reason = match before {
            None => MissReason::NoRoom,
            Some(before) => {
                let beside = (before.atom(), image[before.atom()] as usize);
                let around = self.target.profile.neighbours(beside.1).to_vec();
                let neighbours = around
                    .iter()
                    .map(|n| NeighbourMiss {
                        atom: n.atom as usize,
                        why: self.fault(query, n.atom as usize, &image),
                    })
                    .collect();
                MissReason::NoNeighbour { beside, neighbours }
            }
        };
        (placed, self.miss(query, reason))
    }

    /// Where the next atom in text order can go, last first.
    fn candidates(&mut self, query: usize, image: &[u32]) -> Vec<u32> {
        let pattern = self.pattern;
        let before = pattern.graph().neighbours(query).iter().find(|k| k.atom() < query);
        let candidates: Vec<u32> = match before {
            Some(before) => {
                let at = image[before.atom()] as usize;
                self.target.profile.neighbours(at).iter().map(|n| n.atom).collect()
            }
            None => (0..self.target.profile.words.len() as u32).collect(),
        };
        candidates
            .into_iter()
            .rev()
            .filter(|&atom| {
                // Looking at one place takes a look at all that are taken.
                self.may_look_at(1 + image.len() / 64)
                    && matches!(self.fault(query, atom as usize, image), NeighbourFault::Further)
            })
            .collect()
    }

    /// What is wrong with placing the next atom in text order there.
    fn fault(&mut self, query: usize, atom: usize, image: &[u32]) -> NeighbourFault {
        let pattern = self.pattern;
        let graph = pattern.graph();
        if let Some(by) = image[..query].iter().position(|&t| t as usize == atom) {
            return NeighbourFault::Taken { by };
        }
        let mut first = true;
        for n in graph.neighbours(query).iter().filter(|n| n.atom() < query) {
            // What is written, without the demand for a ring that the search adds: the missing
            // ring bond itself is the better explanation.
            let bond = &graph.bonds[n.bond()];
            let test = BondTest::new(pattern.bond_expression(bond)).walked(bond.begin() == query);
            let other = image[n.atom()];
            let closes = self
                .target
                .profile
                .neighbours(atom)
                .iter()
                .any(|t| t.atom == other && t.class.0 & test != 0);
            if !closes {
                return if first {
                    NeighbourFault::Bond
                } else {
                    NeighbourFault::RingClosure { to: n.atom() }
                };
            }
            first = false;
        }
        let failed = self.failed_parts(query, atom);
        if !failed.is_empty() {
            return NeighbourFault::Atom(failed);
        }
        let mut placed = image.to_vec();
        placed[query] = atom as u32;
        if !self.stereo_fits(&placed) {
            return NeighbourFault::Stereo;
        }
        NeighbourFault::Further
    }

    /// Whether every stereo condition whose atoms are placed holds.
    fn stereo_fits(&mut self, image: &[u32]) -> bool {
        let pattern = self.pattern;
        let top = pattern.graphs.len() - 1;
        let graph = pattern.graph();
        let program = &pattern.program().graphs[top];
        for (i, atom) in graph.atoms().iter().enumerate() {
            let ready = atom.has_chirality_mark()
                && image[i] != NONE
                && graph.neighbours(i).iter().all(|n| image[n.atom()] != NONE);
            if ready && !self.centre_holds(top, i, image) {
                return false;
            }
        }
        program.geometries.iter().all(|geometry| {
            geometry.atoms.iter().any(|&a| image[a as usize] == NONE)
                || geometry
                    .holds(graph, &program.bonds, self.target, |a| image[a as usize] as usize)
        })
    }
}

/// How many atoms are placed.
fn choices_depth(image: &[u32]) -> usize {
    image.iter().position(|&t| t == NONE).unwrap_or(image.len())
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.matches {
            return write!(f, "the pattern matches");
        }
        for (k, miss) in self.misses.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "query atom {} [{}]: {}", miss.atom, miss.smarts, miss.reason)?;
        }
        Ok(())
    }
}

fn list(parts: &[FailedPart]) -> String {
    parts.iter().map(|p| p.smarts.as_str()).collect::<Vec<_>>().join(" and ")
}

impl fmt::Display for MissReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissReason::NoAtom { closest, failed } => write!(
                f,
                "no atom of the target meets it; the closest, atom {closest}, fails {}",
                list(failed)
            ),
            MissReason::TooFew { needed, available } => {
                write!(f, "{needed} such atoms are needed, the target has {available}")
            }
            MissReason::NoNeighbour { beside: (query, target), neighbours } => {
                write!(f, "beside query atom {query} on target atom {target}, ")?;
                if neighbours.is_empty() {
                    return write!(f, "there is no atom");
                }
                for (k, miss) in neighbours.iter().enumerate() {
                    if k > 0 {
                        write!(f, ", ")?;
                    }
                    write!(f, "atom {} ", miss.atom)?;
                    match &miss.why {
                        NeighbourFault::Bond => write!(f, "has the wrong bond")?,
                        NeighbourFault::Taken { by } => write!(f, "is taken by query atom {by}")?,
                        NeighbourFault::Atom(failed) => write!(f, "fails {}", list(failed))?,
                        NeighbourFault::RingClosure { to } => {
                            write!(f, "lacks the ring bond to query atom {to}")?;
                        }
                        NeighbourFault::Stereo => write!(f, "has the wrong stereo")?,
                        NeighbourFault::Further => write!(f, "leads no further")?,
                    }
                }
                Ok(())
            }
            MissReason::NoRoom => write!(f, "no atom is left for it"),
            MissReason::Whole => write!(
                f,
                "all atoms can be placed one by one, but no whole map meets the ring, induced and \
                 stereo conditions"
            ),
        }
    }
}
