//! Distinct routes from the graph, cheapest first.
//!
//! The k-best derivations of an acyclic hypergraph, found lazily (L. Huang and D. Chiang,
//! "Better k-best parsing", IWPT 2005, algorithm 3), with two further rules: no molecule among
//! its own ancestors, and within a route a molecule is made in one way only. A derivation that
//! breaks a rule is dropped where it arises, so nothing above is built on it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::cost::Cost;
use crate::search::graph::{Graph, MoleculeId, ReactionId, StateId};
use crate::world::World;

/// A finished route: for each molecule in it how it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Derivation {
    /// Sum of the costs of the steps, a step counted as often as its product is used.
    pub cost: Cost,
    /// By molecule id: the reaction that makes it, `None` where a branch ends.
    pub made_by: Vec<(MoleculeId, Option<ReactionId>)>,
}

impl Derivation {
    /// How a molecule of the route is made, `Some(None)` where a branch ends in it.
    pub fn reaction_of(&self, molecule: MoleculeId) -> Option<Option<ReactionId>> {
        self.made_by
            .binary_search_by_key(&molecule, |&(id, _)| id)
            .ok()
            .map(|found| self.made_by[found].1)
    }
}

/// A combination not yet looked at: which reaction, and which derivation of each child.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Candidate {
    /// Lower bound of the cost.
    bound: Cost,
    /// Place of the reaction in the state's list of finished reactions.
    choice: u32,
    ranks: Vec<u32>,
}

struct StateRoutes {
    choices: Vec<(ReactionId, Vec<StateId>)>,
    heap: BinaryHeap<Reverse<Candidate>>,
    seen: HashSet<(u32, Vec<u32>)>,
    found: Vec<Derivation>,
}

/// Reads routes off a graph that does not change meanwhile.
pub(crate) struct Enumerator<'g, W: World> {
    graph: &'g Graph<W>,
    admits: &'g dyn Fn(&Derivation) -> bool,
    states: HashMap<StateId, StateRoutes>,
    effort_left: u64,
    next_rank: usize,
}

impl<'g, W: World> Enumerator<'g, W> {
    /// An enumerator that looks at no more than `effort` combinations. Routes and parts of routes
    /// that `admits` does not let pass are dropped, with all that would be built on them.
    pub fn new(graph: &'g Graph<W>, effort: u64, admits: &'g dyn Fn(&Derivation) -> bool) -> Self {
        Enumerator { graph, admits, states: HashMap::new(), effort_left: effort, next_rank: 0 }
    }

    /// The next route, in ascending order of cost; `None` when there are no more or the effort
    /// is spent, see [`is_exhausted`](Self::is_exhausted).
    pub fn next_route(&mut self) -> Option<&Derivation> {
        if !self.ensure(0, self.next_rank) {
            return None;
        }
        self.next_rank += 1;
        self.states[&0].found.get(self.next_rank - 1)
    }

    /// After the last route: whether it really was the last.
    pub fn is_exhausted(&self) -> bool {
        self.effort_left > 0
    }

    /// Makes sure that the state's derivation number `rank` is known; false if there is none or
    /// the effort is spent. Recursion goes down the levels of the graph, 20 at most.
    fn ensure(&mut self, state: StateId, rank: usize) -> bool {
        let mut routes = self.states.remove(&state).unwrap_or_else(|| self.start(state));
        while routes.found.len() <= rank && self.effort_left > 0 {
            let Some(Reverse(candidate)) = routes.heap.pop() else { break };
            self.effort_left -= 1;
            self.consider(state, &mut routes, candidate);
        }
        let known = routes.found.len() > rank;
        self.states.insert(state, routes);
        known
    }

    fn start(&self, state: StateId) -> StateRoutes {
        let node = self.graph.state(state);
        let mut routes = StateRoutes {
            choices: Vec::new(),
            heap: BinaryHeap::new(),
            seen: HashSet::new(),
            found: Vec::new(),
        };
        if self.graph.molecule(node.molecule).terminal {
            routes
                .found
                .push(Derivation { cost: Cost::ZERO, made_by: vec![(node.molecule, None)] });
            return routes;
        }
        routes.choices = self.graph.finished_reactions(state);
        for (place, (reaction, children)) in routes.choices.iter().enumerate() {
            let bound = self.graph.reaction(*reaction).cost
                + children.iter().map(|&child| self.graph.state(child).solved).sum();
            let ranks = vec![0; children.len()];
            routes.seen.insert((place as u32, ranks.clone()));
            routes.heap.push(Reverse(Candidate { bound, choice: place as u32, ranks }));
        }
        routes
    }

    /// Looks at one combination: puts it back with its true cost, takes it, or drops it; a
    /// combination that leaves the heap is followed by its successors.
    fn consider(&mut self, state: StateId, routes: &mut StateRoutes, candidate: Candidate) {
        let (reaction, children) = routes.choices[candidate.choice as usize].clone();
        let mut cost = self.graph.reaction(reaction).cost;
        for (&child, &rank) in children.iter().zip(&candidate.ranks) {
            if !self.ensure(child, rank as usize) {
                return;
            }
            cost = cost + self.states[&child].found[rank as usize].cost;
        }
        if cost > candidate.bound {
            routes.heap.push(Reverse(Candidate { bound: cost, ..candidate }));
            return;
        }
        for place in 0..candidate.ranks.len() {
            let mut ranks = candidate.ranks.clone();
            ranks[place] += 1;
            if routes.seen.insert((candidate.choice, ranks.clone())) {
                routes.heap.push(Reverse(Candidate {
                    bound: cost,
                    choice: candidate.choice,
                    ranks,
                }));
            }
        }
        let product = self.graph.state(state).molecule;
        let mut made_by = vec![(product, Some(reaction))];
        for (&child, &rank) in children.iter().zip(&candidate.ranks) {
            let part = &self.states[&child].found[rank as usize];
            if part.reaction_of(product).is_some() || !merge(&mut made_by, part) {
                return;
            }
        }
        let derivation = Derivation { cost, made_by };
        if (self.admits)(&derivation) {
            routes.found.push(derivation);
        }
    }
}

/// Joins a part into a route; false when the two make a molecule in different ways.
fn merge(made_by: &mut Vec<(MoleculeId, Option<ReactionId>)>, part: &Derivation) -> bool {
    for &(molecule, reaction) in &part.made_by {
        match made_by.binary_search_by_key(&molecule, |&(id, _)| id) {
            Ok(found) if made_by[found].1 != reaction => return false,
            Ok(_) => {}
            Err(place) => made_by.insert(place, (molecule, reaction)),
        }
    }
    true
}
