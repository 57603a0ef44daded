//! Which cycles of two molecules may lie on each other.
//!
//! A common part in pieces has as many bonds as atoms, less one for each piece, and one more for
//! each independent cycle. Where no cycle of one molecule has its like in the other, the common
//! part is a forest, however many rings both have.

use crate::bits::Bits;
use crate::problem::{Problem, Side};

/// The most cycles of one molecule that are told apart; fused rings have many.
const MOST_CYCLES: usize = 64;

/// Longer cycles count as alike when they have the same length: to lay one on the other takes time
/// in the square of it.
const LONGEST: usize = 24;

/// Steps that looking for cycles in one molecule may take.
const MOST_STEPS: usize = 20_000;

/// What is left to a search.
pub(crate) struct Left<const W: usize> {
    /// Query atoms that may still be mapped, and how many of them can be at most.
    pub(crate) open: Bits<W>,
    pub(crate) atoms: usize,
    /// Query bonds that may still be matched, and those that are.
    pub(crate) alive: Bits<W>,
    pub(crate) joined: Bits<W>,
    /// Images at which no bond can be matched any more.
    pub(crate) spent: Bits<W>,
    /// Target atoms without a query atom.
    pub(crate) free: Bits<W>,
}

/// The cycles of the query that have their like in the target.
pub(crate) struct Cycles<const W: usize> {
    /// The bonds of each cycle of the query, with those of the target that it may lie on.
    pairs: Vec<(Bits<W>, Vec<Bits<W>>)>,
}

impl<const W: usize> Cycles<W> {
    /// `None` when a molecule has more cycles than are told apart.
    pub(crate) fn new(problem: &Problem<W>) -> Option<Self> {
        let (query, target) = (cycles_of(&problem.query)?, cycles_of(&problem.target)?);
        let bonds = |side: &Side<W>, cycle: &[u32]| {
            (0..cycle.len()).fold(Bits::EMPTY, |mut all: Bits<W>, at| {
                let next = cycle[(at + 1) % cycle.len()];
                let around = &side.neighbours[cycle[at] as usize];
                around.iter().filter(|n| n.0 == next).for_each(|n| all.insert(n.1 as usize));
                all
            })
        };
        let mut pairs = Vec::new();
        for cycle in &query {
            let alike = target.iter().filter(|other| may_lie_on(problem, cycle, other));
            let alike: Vec<_> = alike.map(|other| bonds(&problem.target, other)).collect();
            if !alike.is_empty() {
                pairs.push((bonds(&problem.query, cycle), alike));
            }
        }
        Some(Cycles { pairs })
    }

    /// The most bonds that can still be matched; with more than `enough` that number is not the
    /// least that could be told.
    ///
    /// Each new atom brings a bond; the first of a new piece brings none, and a closed cycle
    /// brings one more. `outer` are the open atoms at the fringe.
    pub(crate) fn grown(
        &self,
        problem: &Problem<W>,
        left: &Left<W>,
        outer: impl Iterator<Item = usize>,
        enough: usize,
    ) -> usize {
        let mut rest = left.open;
        for atom in outer {
            if rest.contains(atom) {
                rest = rest.minus(&problem.query.flood_within(atom, &left.alive, &rest));
            }
        }
        // Parts of the query that no fringe leads to are new pieces at least, unless they are
        // among what is left out: the smallest first, since that saves most.
        let mut parts = Vec::new();
        while let Some(seed) = rest.lowest() {
            let part = problem.query.flood_within(seed, &left.alive, &rest);
            rest = rest.minus(&part);
            parts.push(part.len());
        }
        parts.sort_unstable();
        let (mut spare, mut pieces) = (left.open.len() - left.atoms, parts.len());
        for size in parts {
            if size > spare {
                break;
            }
            spare -= size;
            pieces -= 1;
        }
        let grown = left.atoms - pieces;
        if grown > enough { grown } else { grown + self.most(problem, left) }
    }

    /// The most independent cycles that can still be closed.
    fn most(&self, problem: &Problem<W>, left: &Left<W>) -> usize {
        let target = &problem.target;
        let lost = target.touched_bonds(&left.spent).and(&target.touched_bonds(&left.free));
        let all = left.alive.or(&left.joined);
        let mut open = left.joined;
        for (cycle, places) in &self.pairs {
            if cycle.meets(&left.alive)
                && cycle.minus(&all).is_empty()
                && places.iter().any(|place| !place.meets(&lost))
            {
                open = open.or(cycle);
            }
        }
        if open == left.joined {
            return 0;
        }
        independent(&problem.query, &open) - independent(&problem.query, &left.joined)
    }
}

/// The number of independent cycles of these bonds.
fn independent<const W: usize>(side: &Side<W>, bonds: &Bits<W>) -> usize {
    let atoms = side.ends_of(bonds);
    let (mut rest, mut pieces) = (atoms, 0);
    while let Some(seed) = rest.lowest() {
        rest = rest.minus(&side.flood_over(Bits::single(seed), bonds));
        pieces += 1;
    }
    bonds.len() + pieces - atoms.len()
}

/// Whether the atoms and bonds of a cycle may match those of another, in one of the ways to lay
/// it there.
fn may_lie_on<const W: usize>(problem: &Problem<W>, cycle: &[u32], other: &[u32]) -> bool {
    let size = cycle.len();
    if other.len() != size || size > LONGEST {
        return other.len() == size;
    }
    let place = |shift: usize, turned: bool, at: usize| {
        other[if turned { shift + size - at } else { shift + at } % size] as usize
    };
    let fits = |shift: usize, turned: bool| {
        (0..size).all(|at| {
            let (q, next) = (cycle[at] as usize, cycle[(at + 1) % size]);
            let (t, beside) = (place(shift, turned, at), place(shift, turned, at + 1));
            problem.domain[q].contains(t)
                && problem.query.neighbours[q]
                    .iter()
                    .any(|&(n, bond)| n == next && problem.bond_matches(bond as usize, t, beside))
        })
    };
    (0..size).any(|shift| fits(shift, false) || fits(shift, true))
}

/// Every simple cycle, as its atoms in order, each once; `None` when there are too many.
fn cycles_of<const W: usize>(side: &Side<W>) -> Option<Vec<Vec<u32>>> {
    let mut cycles = Vec::new();
    let mut steps = 0;
    // Atoms outside rings lead nowhere.
    let mut left = Bits::<W>::first(side.atoms);
    loop {
        let leaves = left.iter().filter(|&a| side.adjacent[a].common(&left) < 2);
        let rest = leaves.fold(left, |mut rest: Bits<W>, atom| {
            rest.remove(atom);
            rest
        });
        if rest == left {
            break;
        }
        left = rest;
    }
    while let Some(start) = left.lowest() {
        // Paths from `start` over higher atoms; the last atom of a cycle is higher than the
        // second, so that it is found in one direction only.
        let mut path = vec![start as u32];
        let mut on_path = Bits::<W>::single(start);
        let mut todo = vec![side.adjacent[start].and(&left)];
        while let Some(next) = todo.last_mut() {
            steps += 1;
            if steps > MOST_STEPS {
                return None;
            }
            let Some(atom) = next.pop() else {
                todo.pop();
                if let Some(atom) = path.pop() {
                    on_path.remove(atom as usize);
                }
                continue;
            };
            if path.len() > 1 && side.adjacent[atom].contains(start) && atom as u32 > path[1] {
                if cycles.len() == MOST_CYCLES {
                    return None;
                }
                cycles.push(path.iter().copied().chain([atom as u32]).collect());
            }
            path.push(atom as u32);
            on_path.insert(atom);
            todo.push(side.adjacent[atom].and(&left).minus(&on_path));
        }
        left.remove(start);
    }
    Some(cycles)
}
