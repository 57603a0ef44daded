//! In which order the atoms of a query graph are placed, and what is checked when.

use crate::atom_test::{AtomTest, Span, Tests};
use crate::atom_word as word;
use crate::bond_test::BondTest;
use crate::expression::{AtomPrimitive, Count, Literal};
use crate::pattern::QueryGraph;
use crate::stereo_check::{Demand, Geometry};

/// No atom.
pub(crate) const NONE: u32 = u32::MAX;

/// The placing of one query atom.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Expression of the atom, with what the graph around it demands added.
    pub(crate) test: AtomTest,
    /// The query atom.
    pub(crate) atom: u32,
    /// A neighbour placed before, [`NONE`] for the first atom of a component.
    pub(crate) parent: u32,
    /// Kinds of bonds allowed from the parent to this atom.
    pub(crate) bond: u16,
    /// Range of [`Plan::backs`]: bonds to other atoms placed before.
    pub(crate) backs: Span,
    /// Range of [`Plan::checks`]: stereo that can be judged after this step.
    pub(crate) checks: Span,
    /// An interchangeable atom placed before: where any embedding will do, its image is lower.
    pub(crate) twin: u32,
    /// Component group plus one of the first atom of a component, 0: none.
    pub(crate) group: u32,
}

/// A stereo condition, judged as soon as its atoms are placed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Handedness of this query atom.
    Centre(u32),
    /// Geometry number ... of the graph.
    Geometry(u32),
}

/// An order for the atoms of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Query atoms placed before, and kinds of bonds allowed from the step's atom to them.
    pub(crate) backs: Vec<(u32, u16)>,
    pub(crate) checks: Vec<Check>,
    /// The atoms are placed in the order of the text.
    pub(crate) in_text_order: bool,
}

/// A graph with everything compiled that the plans are made from.
pub(crate) struct Compiled<'a> {
    pub(crate) graph: &'a QueryGraph,
    pub(crate) tests: &'a [AtomTest],
    pub(crate) bonds: &'a [BondTest],
    pub(crate) geometries: &'a [Geometry],
    pub(crate) literals: &'a [Literal<AtomPrimitive>],
}

/// Compiles the expressions of a graph, adding what the graph itself demands of a matching atom:
/// neighbours enough, and ring bonds for the bonds that lie in rings of the query. Dative bonds
/// close no ring in a target, so that a ring of the query demands nothing where one may match.
pub(crate) fn compile_graph(
    graph: &QueryGraph,
    literals: &[Literal<AtomPrimitive>],
    bonds: &mut [BondTest],
    arenas: &mut Tests,
) -> Vec<AtomTest> {
    let in_ring = graph.ring_bonds(|bond| bonds[bond].may_be_dative());
    let mut tests: Vec<AtomTest> = Vec::with_capacity(graph.atoms.len());
    for (i, atom) in graph.atoms.iter().enumerate() {
        let mut test =
            arenas.compile(&literals[atom.literals.0 as usize..atom.literals.1 as usize]);
        let neighbours = graph.neighbours(i);
        let degree = neighbours.len().min(usize::from(Count::NO_LIMIT) - 1) as u16;
        if degree > 0 {
            test.forbidden |= too_few(&word::DEGREE, degree);
        }
        if !in_ring.is_empty() {
            let ring = neighbours.iter().filter(|n| in_ring[n.bond()]).count();
            if ring > 0 {
                let ring = ring.min(usize::from(Count::NO_LIMIT) - 1) as u16;
                test.forbidden |= too_few(&word::RING_BONDS, ring);
            }
        }
        tests.push(test);
    }
    for (bond, ring) in bonds.iter_mut().zip(&in_ring) {
        if *ring {
            bond.restrict_to_rings();
        }
    }
    tests
}

/// Bits of the values below a least one; a bucket that holds larger ones too is left alone.
fn too_few(field: &word::Field, least: u16) -> u128 {
    field.mask() & !field.bits(Count::at_least(least)).0
}

impl QueryGraph {
    /// Which bonds lie in a ring of the graph without bonds that `is_left_out`; empty when the
    /// whole graph has no ring.
    fn ring_bonds(&self, is_left_out: impl Fn(usize) -> bool) -> Vec<bool> {
        let (n, m) = (self.atoms.len(), self.bonds.len());
        if m + self.component_count() == n {
            return Vec::new();
        }
        // Lowest entry time reachable from below each atom; a bond to an atom that reaches
        // nothing above it is a bridge.
        let left_out: Vec<bool> = (0..m).map(is_left_out).collect();
        let mut in_ring: Vec<bool> = left_out.iter().map(|out| !out).collect();
        let (mut entry, mut low) = (vec![0u32; n], vec![0u32; n]);
        let mut clock = 0;
        let mut stack: Vec<(u32, u32, u32)> = Vec::new();
        for start in 0..n {
            if entry[start] != 0 {
                continue;
            }
            clock += 1;
            (entry[start], low[start]) = (clock, clock);
            stack.push((start as u32, NONE, 0));
            while let Some(&mut (atom, by, ref mut next)) = stack.last_mut() {
                let at = atom as usize;
                if let Some(n) = self.neighbours(at).get(*next as usize) {
                    *next += 1;
                    let other = n.atom();
                    if n.bond == by || left_out[n.bond()] {
                        continue;
                    }
                    if entry[other] == 0 {
                        clock += 1;
                        (entry[other], low[other]) = (clock, clock);
                        stack.push((n.atom, n.bond, 0));
                    } else {
                        low[at] = low[at].min(entry[other]);
                    }
                } else {
                    stack.pop();
                    if let Some(&(parent, _, _)) = stack.last() {
                        let parent = parent as usize;
                        low[parent] = low[parent].min(low[at]);
                        if low[at] > entry[parent] {
                            in_ring[by as usize] = false;
                        }
                    }
                }
            }
        }
        in_ring
    }
}

/// Beyond this many atoms the greedy choice of the next atom would cost more than it saves.
const GREEDY_LIMIT: usize = 256;

impl Plan {
    /// The order of the text.
    pub(crate) fn in_text_order(compiled: &Compiled<'_>) -> Plan {
        let order: Vec<u32> = (0..compiled.graph.atoms.len() as u32).collect();
        Plan::of_order(compiled, &order, None)
    }

    /// Rarest atoms first, each next to one placed before where possible; `root` starts if given.
    pub(crate) fn rarest_first(compiled: &Compiled<'_>, root: Option<u32>) -> Plan {
        if compiled.tests.len() == 1 {
            return Plan::of_order(compiled, &[0], root);
        }
        let share: Vec<f32> = compiled
            .tests
            .iter()
            .map(|test| {
                let residual = (test.clauses.1 - test.clauses.0).min(4);
                word::selectivity(test.forbidden) * 0.5f32.powi(residual as i32)
            })
            .collect();
        Plan::by_share(compiled, &share, root)
    }

    /// The same, by the share of the target's atoms that every query atom may take.
    pub(crate) fn by_share(compiled: &Compiled<'_>, share: &[f32], root: Option<u32>) -> Plan {
        let graph = compiled.graph;
        let n = graph.atoms.len();
        let mut order: Vec<u32> = Vec::with_capacity(n);
        // How many placed neighbours an atom has; placed atoms are marked by NONE.
        let mut touched = vec![0u32; n];
        let mut frontier: Vec<u32> = Vec::new();
        // Components in ascending order of their rarest atoms.
        let mut starts = rarest_of_components(graph, share);
        if let Some(root) = root {
            let component = graph.atoms[root as usize].component as usize;
            let place = starts
                .iter()
                .position(|&s| graph.atoms[s as usize].component as usize == component)
                .unwrap_or(0);
            starts.remove(place);
            starts.insert(0, root);
        }
        for start in starts {
            frontier.push(start);
            while !frontier.is_empty() {
                let pick = if n <= GREEDY_LIMIT {
                    let better = |a: &u32, b: &u32| {
                        let (x, y) = (*a as usize, *b as usize);
                        let leaf = |i: usize| graph.neighbours(i).len() == 1 && share[i] > 0.03;
                        leaf(x)
                            .cmp(&leaf(y))
                            .then(touched[y].cmp(&touched[x]))
                            .then(share[x].total_cmp(&share[y]))
                            .then(x.cmp(&y))
                    };
                    let least = frontier.iter().enumerate().min_by(|a, b| better(a.1, b.1));
                    least.map_or(0, |(k, _)| k)
                } else {
                    frontier.len() - 1
                };
                let atom = frontier.swap_remove(pick);
                if touched[atom as usize] == NONE {
                    continue;
                }
                order.push(atom);
                touched[atom as usize] = NONE;
                for neighbour in graph.neighbours(atom as usize) {
                    let count = &mut touched[neighbour.atom()];
                    if *count == NONE {
                        continue;
                    }
                    // Large graphs are walked depth first: the newest mention counts.
                    if *count == 0 || n > GREEDY_LIMIT {
                        frontier.push(neighbour.atom);
                    }
                    *count += 1;
                }
            }
        }
        Plan::of_order(compiled, &order, root)
    }

    /// `root` is an atom whose image is given, so that nothing can change places with it.
    fn of_order(compiled: &Compiled<'_>, order: &[u32], root: Option<u32>) -> Plan {
        let graph = compiled.graph;
        let n = order.len();
        let mut position = vec![NONE; graph.atoms.len()];
        let mut plan = Plan {
            steps: Vec::with_capacity(n),
            in_text_order: order.windows(2).all(|w| w[0] < w[1]),
            ..Plan::default()
        };
        for (k, &atom) in order.iter().enumerate() {
            position[atom as usize] = k as u32;
            let mut step = Step {
                test: compiled.tests[atom as usize],
                atom,
                parent: NONE,
                bond: 0,
                backs: (plan.backs.len() as u32, 0),
                checks: (0, 0),
                twin: NONE,
                group: 0,
            };
            for neighbour in graph.neighbours(atom as usize) {
                if position[neighbour.atom()] == NONE {
                    continue;
                }
                let test = &compiled.bonds[neighbour.bond()];
                let away = graph.bonds[neighbour.bond()].begin == atom;
                if step.parent == NONE {
                    step.parent = neighbour.atom;
                    step.bond = test.walked(!away);
                } else {
                    plan.backs.push((neighbour.atom, test.walked(away)));
                }
            }
            if step.parent == NONE {
                step.group = graph.atoms[atom as usize].group;
            }
            step.backs.1 = plan.backs.len() as u32;
            plan.steps.push(step);
        }
        plan.place_checks(compiled, &position);
        plan.link_twins(compiled, &position, root);
        plan
    }

    /// Hangs every stereo condition on the step that places its last atom.
    fn place_checks(&mut self, compiled: &Compiled<'_>, position: &[u32]) {
        let graph = compiled.graph;
        let mut placed: Vec<(u32, Check)> = Vec::new();
        for i in (0..graph.atoms.len()).filter(|&i| graph.atoms[i].has_chirality) {
            let last = graph.neighbours(i).iter().map(|n| position[n.atom()]).max();
            let last = last.map_or(position[i], |l| l.max(position[i]));
            placed.push((last, Check::Centre(i as u32)));
        }
        for (k, geometry) in compiled.geometries.iter().enumerate() {
            let last = geometry.atoms.iter().map(|&a| position[a as usize]).max();
            placed.push((last.unwrap_or(0), Check::Geometry(k as u32)));
        }
        if placed.is_empty() {
            return;
        }
        placed.sort_by_key(|&(step, _)| step);
        let mut next = 0;
        for (k, step) in self.steps.iter_mut().enumerate() {
            let from = self.checks.len() as u32;
            while let Some(&(at, check)) = placed.get(next)
                && at == k as u32
            {
                self.checks.push(check);
                next += 1;
            }
            step.checks = (from, self.checks.len() as u32);
        }
    }

    /// Links interchangeable leaves of one atom, and equal components. Exchanging the images of
    /// two twins gives another embedding, so that one order of them stands for all.
    fn link_twins(&mut self, compiled: &Compiled<'_>, position: &[u32], root: Option<u32>) {
        let graph = compiled.graph;
        for i in 0..graph.atoms.len() {
            let neighbours = graph.neighbours(i);
            if neighbours.len() < 2 || graph.atoms[i].has_chirality {
                continue;
            }
            let leaves: Vec<u32> = neighbours
                .iter()
                .filter(|n| {
                    Some(n.atom) != root
                        && graph.neighbours(n.atom()).len() == 1
                        && !graph.atoms[n.atom()].has_chirality
                        && compiled.geometries.iter().all(|g| !g.atoms.contains(&n.atom))
                })
                .map(|n| n.atom)
                .collect();
            let bond = |leaf: u32| {
                let n = graph.neighbours(leaf as usize)[0];
                compiled.bonds[n.bond()].walked(graph.bonds[n.bond()].begin == leaf)
            };
            self.link(leaves, position, |a, b| {
                bond(a) == bond(b) && compiled.same_expression(a, b)
            });
        }
        let labelled = compiled.geometries.iter().any(|g| matches!(g.demand, Demand::Fixed(_)));
        let few = (2..=64).contains(&graph.component_count);
        if few && graph.group_count == 0 && !labelled {
            let roots: Vec<u32> =
                self.steps.iter().filter(|s| s.parent == NONE).map(|s| s.atom).collect();
            let roots = roots.into_iter().filter(|&atom| Some(atom) != root).collect();
            self.link(roots, position, |a, b| compiled.same_component(a, b));
        }
    }

    fn link(&mut self, mut atoms: Vec<u32>, position: &[u32], same: impl Fn(u32, u32) -> bool) {
        atoms.sort_by_key(|&a| position[a as usize]);
        for (k, &atom) in atoms.iter().enumerate().skip(1) {
            if let Some(&twin) = atoms[..k].iter().rev().find(|&&earlier| same(earlier, atom)) {
                self.steps[position[atom as usize] as usize].twin = twin;
            }
        }
    }
}

impl Compiled<'_> {
    fn same_expression(&self, a: u32, b: u32) -> bool {
        let read = |i: u32| {
            let (from, to) = self.graph.atoms[i as usize].literals;
            &self.literals[from as usize..to as usize]
        };
        read(a) == read(b)
    }

    /// Whether the components of two atoms are written alike, with the two atoms at the same
    /// place in them.
    fn same_component(&self, a: u32, b: u32) -> bool {
        let graph = self.graph;
        let extent = |i: u32| {
            let component = graph.atoms[i as usize].component;
            let mut of = graph.atoms.iter().enumerate().filter(|(_, x)| x.component == component);
            let first = of.next().map_or(0, |(k, _)| k);
            let last = of.next_back().map_or(first, |(k, _)| k);
            (first, last)
        };
        let ((a0, a1), (b0, b1)) = (extent(a), extent(b));
        if a1 - a0 != b1 - b0 || a as usize - a0 != b as usize - b0 {
            return false;
        }
        let apart = if a0 < b0 { a1 < b0 } else { b1 < a0 };
        apart
            && (0..=a1 - a0).all(|k| {
                let (x, y) = (a0 + k, b0 + k);
                let (m, n) = (graph.neighbours(x), graph.neighbours(y));
                self.same_expression(x as u32, y as u32)
                    && m.len() == n.len()
                    && m.iter().zip(n).all(|(p, q)| {
                        let (e, f) = (&graph.bonds[p.bond()], &graph.bonds[q.bond()]);
                        p.atom().wrapping_sub(a0) == q.atom().wrapping_sub(b0)
                            && (e.begin() == x) == (f.begin() == y)
                            && self.bonds[p.bond()].by_direction
                                == self.bonds[q.bond()].by_direction
                    })
            })
    }
}

/// The rarest atom of every component, rarest first.
fn rarest_of_components(graph: &QueryGraph, share: &[f32]) -> Vec<u32> {
    let mut best = vec![NONE; graph.component_count()];
    for (i, atom) in graph.atoms.iter().enumerate() {
        let slot = &mut best[atom.component as usize];
        let better = *slot == NONE || {
            let current = *slot as usize;
            let degree = |i: usize| graph.neighbours(i).len();
            share[i].total_cmp(&share[current]).then(degree(current).cmp(&degree(i))).is_lt()
        };
        if better {
            *slot = i as u32;
        }
    }
    best.sort_by(|&a, &b| share[a as usize].total_cmp(&share[b as usize]).then(a.cmp(&b)));
    best
}
