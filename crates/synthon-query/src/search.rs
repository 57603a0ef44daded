//! The backtracking search of one graph in one target.

use crate::atom_test::{AtomTest, holds_with_handedness};
use crate::domains::Domains;
use crate::expression::AtomPrimitive as P;
use crate::matcher::MatchOptions;
use crate::pattern::Pattern;
use crate::plan::{Check, NONE, Plan, Step};
use crate::stereo_check::{Handedness, handedness};
use crate::target::Target;
use synthon_budget::{Budget, Stop};
use synthon_mol::Chirality;

/// Reusable memory of one search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Image of every query atom.
    image: Vec<u32>,
    /// Query atom of every target atom plus one, 0: free.
    owner: Vec<u32>,
    /// Where to go on at every step.
    cursor: Vec<u32>,
}

/// What kind of answer a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Any embedding, or the first in order: of interchangeable atoms one order is enough.
    Any,
    /// All of them.
    All,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The budget.
    Budget(Stop),
    /// The cap of this attempt; another way may still be tried.
    Cap,
}

const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

/// One pattern in one target: what its searches share.
pub(crate) struct Run<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) target: &'a Target<'a>,
    pub(crate) options: MatchOptions,
    pub(crate) budget: &'a mut Budget,
    /// Answers of the recursive parts, graph by graph and atom by atom.
    pub(crate) memo: &'a mut Vec<u8>,
    /// Memory for searches inside searches.
    pub(crate) pool: &'a mut Vec<Scratch>,
    /// Candidates of the pattern's own atoms, where a first attempt was not enough.
    pub(crate) domains: Option<&'a Domains>,
    /// Nodes that this attempt may still spend.
    pub(crate) cap: u64,
    pub(crate) halted: Option<Halt>,
}

impl Run<'_> {
    /// Whether an atom matches the first atom of a recursive part; looked up after the first time.
    fn recursive(&mut self, graph: u32, atom: usize) -> bool {
        let slot = graph as usize * self.target.profile.words.len() + atom;
        match self.memo[slot] {
            YES => return true,
            NO => return false,
            _ => {}
        }
        let mut scratch = self.pool.pop().unwrap_or_default();
        let options = std::mem::take(&mut self.options);
        let domains = self.domains.take();
        let mut found = false;
        self.search(graph as usize, None, &mut scratch, Some(atom as u32), Wanted::Any, |_| {
            found = true;
            false
        });
        self.options = options;
        self.domains = domains;
        self.pool.push(scratch);
        if self.halted.is_none() {
            self.memo[slot] = if found { YES } else { NO };
        }
        found
    }

    /// Truth of a primitive other than a chirality mark, from the molecule itself.
    pub(crate) fn meets(&mut self, primitive: P, atom: usize) -> bool {
        match primitive {
            P::Recursive(graph) => self.recursive(graph, atom),
            other => self.target.meets(other, atom).unwrap_or(true),
        }
    }

    #[inline]
    fn passes(&mut self, step: &Step, atom: usize) -> bool {
        match self.domains {
            Some(domains) => domains.has(step.atom as usize, atom),
            None => self.test_passes(&step.test, atom),
        }
    }

    /// Whether an atom meets a compiled expression.
    #[inline]
    pub(crate) fn test_passes(&mut self, test: &AtomTest, atom: usize) -> bool {
        let word = self.target.profile.words[atom];
        if word & test.forbidden != 0 {
            return false;
        }
        if test.clauses.0 == test.clauses.1 {
            return true;
        }
        let pattern = self.pattern;
        pattern.program().arenas.passes(test, word, |p| self.meets(p, atom))
    }

    /// Whether the image of a query atom has the handedness that its expression asks for.
    pub(crate) fn centre_holds(&mut self, graph: usize, atom: usize, image: &[u32]) -> bool {
        let pattern = self.pattern;
        let (query, target) = (&pattern.graphs[graph], self.target);
        let found = handedness(query, atom, target, |a| image[a as usize] as usize);
        let wanted = query.atoms[atom].chirality;
        match (found, wanted) {
            (Handedness::Unstated, Chirality::None) => self.mark_holds(graph, atom, image, None),
            (Handedness::Unstated, _) => false,
            (Handedness::Relative(clockwise), Chirality::None) => {
                self.mark_holds(graph, atom, image, Some(clockwise))
            }
            (Handedness::Relative(clockwise), mark) => clockwise == (mark == Chirality::Clockwise),
            (Handedness::Undetermined, Chirality::None) => {
                self.mark_holds(graph, atom, image, Some(false))
                    || self.mark_holds(graph, atom, image, Some(true))
            }
            (Handedness::Undetermined, _) => true,
        }
    }

    fn mark_holds(
        &mut self,
        graph: usize,
        atom: usize,
        image: &[u32],
        state: Option<bool>,
    ) -> bool {
        let pattern = self.pattern;
        let expression = pattern.atom_expression(&pattern.graphs[graph].atoms[atom]);
        let found = image[atom] as usize;
        holds_with_handedness(expression, state, |p| self.meets(p, found))
    }

    fn checks_hold(&mut self, graph: usize, plan: &Plan, step: &Step, image: &[u32]) -> bool {
        let pattern = self.pattern;
        let program = &pattern.program().graphs[graph];
        plan.checks[step.checks.0 as usize..step.checks.1 as usize].iter().all(|check| match *check
        {
            Check::Centre(atom) => self.centre_holds(graph, atom as usize, image),
            Check::Geometry(k) => program.geometries[k as usize].holds(
                &pattern.graphs[graph],
                &program.bonds,
                self.target,
                |a| image[a as usize] as usize,
            ),
        })
    }

    /// Whether the group of a component allows its first atom here: one group, one component of
    /// the target.
    fn group_allows(&self, plan: &Plan, depth: usize, atom: usize, image: &[u32]) -> bool {
        let group = plan.steps[depth].group;
        let components = self.target.components();
        plan.steps[..depth].iter().filter(|s| s.parent == NONE && s.group != 0).all(|other| {
            let same = components[image[other.atom as usize] as usize] == components[atom];
            same == (other.group == group)
        })
    }

    /// Whether bonds between the new image and images placed before are all bonds of the query.
    fn induced_allows(&self, step: &Step, atom: usize, owner: &[u32]) -> bool {
        let bonded = self.target.profile.neighbours(atom).iter();
        let bonded = bonded.filter(|n| owner[n.atom as usize] != 0).count();
        let wanted = (step.parent != NONE) as usize + (step.backs.1 - step.backs.0) as usize;
        bonded == wanted
    }

    /// Whether every ring atom and ring bond of the target that is in use lies in a ring that is
    /// in use completely.
    fn rings_complete(&self, graph: usize, image: &[u32]) -> bool {
        let molecule = self.target.molecule;
        let mut used_bonds = vec![false; molecule.bond_count()];
        for bond in &self.pattern.graphs[graph].bonds {
            let (a, b) = (image[bond.begin()] as usize, image[bond.end()] as usize);
            if let Some(found) = molecule.bond_between(a, b) {
                used_bonds[found] = true;
            }
        }
        let mut atom_covered = vec![false; molecule.atom_count()];
        let mut bond_covered = vec![false; molecule.bond_count()];
        let rings = molecule.rings();
        for ring in 0..rings.len() {
            if rings.bonds(ring).iter().all(|&b| used_bonds[b as usize]) {
                rings.bonds(ring).iter().for_each(|&b| bond_covered[b as usize] = true);
                rings.atoms(ring).iter().for_each(|&a| atom_covered[a as usize] = true);
            }
        }
        image.iter().all(|&a| !molecule.atom(a as usize).in_ring() || atom_covered[a as usize])
            && used_bonds
                .iter()
                .enumerate()
                .all(|(b, used)| !used || !molecule.bond(b).in_ring() || bond_covered[b])
    }

    /// Visits embeddings of a graph until the visitor returns false or a limit is met. With
    /// `root`, atom 0 is placed there.
    pub(crate) fn search(
        &mut self,
        graph: usize,
        plan: Option<&Plan>,
        scratch: &mut Scratch,
        root: Option<u32>,
        wanted: Wanted,
        mut visit: impl FnMut(&[u32]) -> bool,
    ) {
        let pattern = self.pattern;
        let plan = plan.unwrap_or_else(|| &pattern.plans(graph).best);
        let target = self.target;
        let profile = &*target.profile;
        let n = plan.steps.len();
        if n == 0 {
            visit(&[]);
            return;
        }
        if n > profile.words.len() {
            return;
        }
        let Scratch { image, owner, cursor } = scratch;
        image.clear();
        image.resize(n, NONE);
        owner.clear();
        owner.resize(profile.words.len(), 0);
        cursor.clear();
        cursor.resize(n, 0);
        let mut depth = 0;
        'place: loop {
            let step = &plan.steps[depth];
            let atom = step.atom as usize;
            // Take back what stood here, and go on behind it.
            if image[atom] != NONE {
                owner[image[atom] as usize] = 0;
                image[atom] = NONE;
            }
            loop {
                let at = cursor[depth] as usize;
                cursor[depth] += 1;
                let candidate = if step.parent != NONE {
                    let parent = image[step.parent as usize] as usize;
                    let Some(neighbour) = profile.neighbours(parent).get(at) else { break };
                    if neighbour.class.0 & step.bond == 0 {
                        continue;
                    }
                    neighbour.atom as usize
                } else if depth == 0
                    && let Some(root) = root
                {
                    if at > 0 {
                        break;
                    }
                    root as usize
                } else if let Some(domains) = self.domains {
                    let Some(next) = domains.next(atom, at) else { break };
                    cursor[depth] = next as u32 + 1;
                    next
                } else {
                    let rest = profile.words.get(at..).unwrap_or(&[]);
                    let Some(skip) = rest.iter().position(|w| w & step.test.forbidden == 0) else {
                        break;
                    };
                    cursor[depth] = (at + skip + 1) as u32;
                    at + skip
                };
                if owner[candidate] != 0 || !self.passes(step, candidate) {
                    if self.halted.is_some() {
                        return;
                    }
                    continue;
                }
                if wanted == Wanted::Any
                    && step.twin != NONE
                    && (candidate as u32) < image[step.twin as usize]
                {
                    continue;
                }
                let backs = &plan.backs[step.backs.0 as usize..step.backs.1 as usize];
                let closes = backs.iter().all(|&(other, bond)| {
                    let other = image[other as usize];
                    profile
                        .neighbours(candidate)
                        .iter()
                        .any(|n| n.atom == other && n.class.0 & bond != 0)
                });
                if !closes
                    || (step.group != 0 && !self.group_allows(plan, depth, candidate, image))
                    || (self.options.induced && !self.induced_allows(step, candidate, owner))
                {
                    continue;
                }
                if let Err(stop) = self.budget.tick() {
                    self.halted = Some(Halt::Budget(stop));
                    return;
                }
                if self.cap == 0 {
                    self.halted = Some(Halt::Cap);
                    return;
                }
                self.cap -= 1;
                image[atom] = candidate as u32;
                if step.checks.0 != step.checks.1 && !self.checks_hold(graph, plan, step, image) {
                    image[atom] = NONE;
                    if self.halted.is_some() {
                        return;
                    }
                    continue;
                }
                owner[candidate] = atom as u32 + 1;
                if depth + 1 < n {
                    depth += 1;
                    cursor[depth] = 0;
                    continue 'place;
                }
                let accepted =
                    !self.options.complete_rings_only || self.rings_complete(graph, image);
                if accepted && !visit(image) {
                    return;
                }
                owner[candidate] = 0;
                image[atom] = NONE;
            }
            if depth == 0 {
                return;
            }
            depth -= 1;
        }
    }
}

/// Forgets the answers of the recursive parts.
pub(crate) fn reset_memo(memo: &mut Vec<u8>, length: usize) {
    memo.clear();
    memo.resize(length, UNKNOWN);
}
