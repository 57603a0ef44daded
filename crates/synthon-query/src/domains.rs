//! Where each query atom can lie at all: candidate sets, thinned until every candidate has room
//! around it for all neighbours of its query atom.
//!
//! Making these tables costs more than most searches, so they are made only for pairs on which the
//! plain search does not end soon. They take the symmetric branches of large hostile molecules
//! apart: a candidate whose branches do not fit is gone before the search begins, instead of being
//! tried in every permutation of what surrounds it.

use crate::plan::{Compiled, NONE};
use crate::search::{Halt, Run};

/// One set of target atoms for every query atom.
#[derive(Clone, Debug)]
pub(crate) struct Domains {
    /// Words of a row.
    width: usize,
    rows: Vec<u64>,
}

impl Domains {
    /// Whether a query atom can lie there.
    #[inline]
    pub(crate) fn has(&self, query: usize, atom: usize) -> bool {
        self.rows[query * self.width + atom / 64] >> (atom % 64) & 1 == 1
    }

    /// The first candidate of a query atom from `at` on.
    #[inline]
    pub(crate) fn next(&self, query: usize, at: usize) -> Option<usize> {
        let row = &self.rows[query * self.width..(query + 1) * self.width];
        let mut word = at / 64;
        let mut bits = *row.get(word)? & (!0 << (at % 64));
        while bits == 0 {
            word += 1;
            bits = *row.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Number of candidates of a query atom.
    pub(crate) fn count(&self, query: usize) -> u32 {
        let row = &self.rows[query * self.width..(query + 1) * self.width];
        row.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether some query atom has no candidate: then there is no embedding.
    pub(crate) fn is_hopeless(&self) -> bool {
        (0..self.rows.len() / self.width.max(1)).any(|query| self.count(query) == 0)
    }

    fn remove(&mut self, query: usize, atom: usize) {
        self.rows[query * self.width + atom / 64] &= !(1 << (atom % 64));
    }

    /// Fills and thins the tables for the pattern itself; `None` when the budget runs out.
    pub(crate) fn build(run: &mut Run<'_>, compiled: &Compiled<'_>) -> Option<Domains> {
        let graph = compiled.graph;
        let (n, m) = (graph.atoms.len(), run.target.profile.words.len());
        let width = m.div_ceil(64);
        let mut domains = Domains { width, rows: vec![0; n * width] };
        for query in 0..n {
            for atom in 0..m {
                if run.test_passes(&compiled.tests[query], atom) {
                    domains.rows[query * width + atom / 64] |= 1 << (atom % 64);
                }
            }
            run.tick_table(m)?;
        }
        // Query atoms whose candidates have to be looked at again.
        let mut waiting: Vec<bool> = vec![true; n];
        let mut queue: Vec<u32> = (0..n as u32).rev().collect();
        let mut matching = Matching::default();
        while let Some(query) = queue.pop() {
            let query = query as usize;
            waiting[query] = false;
            let mut thinned = false;
            let mut at = 0;
            while let Some(atom) = domains.next(query, at) {
                at = atom + 1;
                run.tick_table(graph.neighbours(query).len())?;
                if !matching.has_room(&domains, compiled, run, query, atom) {
                    domains.remove(query, atom);
                    thinned = true;
                }
            }
            if !thinned {
                continue;
            }
            if domains.count(query) == 0 {
                return Some(domains);
            }
            for neighbour in graph.neighbours(query) {
                if !std::mem::replace(&mut waiting[neighbour.atom()], true) {
                    queue.push(neighbour.atom);
                }
            }
        }
        Some(domains)
    }
}

impl Run<'_> {
    /// Spends budget on table work: a node for every 16 entries looked at.
    fn tick_table(&mut self, entries: usize) -> Option<()> {
        match self.budget.spend(1 + entries as u64 / 16) {
            Ok(()) if self.halted.is_none() => Some(()),
            Ok(()) => None,
            Err(stop) => {
                self.halted = Some(Halt::Budget(stop));
                None
            }
        }
    }
}

/// Bipartite matching of the neighbours of a query atom with those of a candidate, by augmenting
/// paths (Kuhn's method).
#[derive(Default)]
struct Matching {
    /// Query neighbour that holds each target neighbour.
    holder: Vec<u32>,
    visited: Vec<bool>,
    /// Open choices of an augmenting path: query neighbour, and where to go on.
    path: Vec<(u32, u32)>,
}

impl Matching {
    fn has_room(
        &mut self,
        domains: &Domains,
        compiled: &Compiled<'_>,
        run: &Run<'_>,
        query: usize,
        atom: usize,
    ) -> bool {
        let ours = compiled.graph.neighbours(query);
        let theirs = run.target.profile.neighbours(atom);
        if ours.len() > theirs.len() {
            return false;
        }
        let fits = |k: usize, j: usize| {
            let bond = &compiled.graph.bonds[ours[k].bond()];
            let table = compiled.bonds[ours[k].bond()].walked(bond.begin() == query);
            theirs[j].class.0 & table != 0 && domains.has(ours[k].atom(), theirs[j].atom as usize)
        };
        self.holder.clear();
        self.holder.resize(theirs.len(), NONE);
        (0..ours.len()).all(|k| {
            self.visited.clear();
            self.visited.resize(theirs.len(), false);
            self.path.clear();
            self.path.push((k as u32, 0));
            while let Some(&mut (k, ref mut next)) = self.path.last_mut() {
                let j = *next as usize;
                if j == theirs.len() {
                    self.path.pop();
                    continue;
                }
                *next += 1;
                if self.visited[j] || !fits(k as usize, j) {
                    continue;
                }
                self.visited[j] = true;
                if self.holder[j] == NONE {
                    // Each atom of the path takes the place that it was about to ask for.
                    for &(k, next) in self.path.iter().rev() {
                        self.holder[next as usize - 1] = k;
                    }
                    return true;
                }
                self.path.push((self.holder[j], 0));
            }
            false
        })
    }
}
