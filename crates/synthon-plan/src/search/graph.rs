//! The AND/OR graph, its values, and the choice of what to expand next.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use synthon_budget::{Budget, Stop};

use crate::cost::Cost;
use crate::world::World;

/// Index of a molecule in the graph; 0 is the target.
pub(crate) type MoleculeId = u32;
/// The target among the molecules.
pub(crate) const TARGET: MoleculeId = 0;
/// Index of a reaction in the graph.
pub(crate) type ReactionId = u32;
/// Index of a state in the graph; 0 is the target at distance 0.
pub(crate) type StateId = u32;

/// Cheap steps (openings of molecules whose expansion is known) between looks at the clock.
const OPENINGS_PER_CHECK: u64 = 64;

/// Time for each molecule to give back its memory and that of the reactions with it, measured on a
/// busy machine.
const DROP_TIME: Duration = Duration::from_nanos(1_500);

/// A molecule and the reactions that make it.
pub(crate) struct MoleculeNode<M> {
    pub molecule: M,
    pub key: u128,
    /// A branch ends here.
    pub terminal: bool,
    /// What making it may cost.
    pub estimate: Cost,
    /// Reactions that make it, once expanded.
    reactions: Option<Range<ReactionId>>,
    states: Vec<(u8, StateId)>,
}

/// What the second look at a reaction said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    NotAsked,
    Confirmed,
    Refused,
}

/// A reaction of the graph.
pub(crate) struct ReactionNode<R> {
    pub product: MoleculeId,
    /// As proposed, repeats included.
    pub precursors: Vec<MoleculeId>,
    /// The different molecules among the precursors, by id.
    children: Vec<MoleculeId>,
    pub cost: Cost,
    pub reaction: R,
    verdict: Verdict,
}

/// A molecule at a distance from the target.
pub(crate) struct State {
    pub molecule: MoleculeId,
    pub level: u8,
    /// The reactions have been followed to states of the next level. Never so where a branch
    /// ends, at the depth limit, or where nothing can be made.
    opened: bool,
    /// Cheapest finished way to make the molecule.
    pub solved: Cost,
    /// Cheapest way that holds an open molecule, its estimate included.
    open: Cost,
    /// Where the cheapest open way goes on.
    next: StateId,
    /// Finished ways, loops included: an upper bound on the routes.
    ways: u32,
    parents: Vec<StateId>,
}

impl State {
    fn best(&self) -> Cost {
        self.solved.min(self.open)
    }
}

/// Work done by a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Molecules expanded.
    pub expanded: u64,
    /// Different molecules met in which a branch may end.
    pub terminals: u64,
    /// Distance of the deepest expanded molecule from the target, plus one: the longest chain
    /// of steps looked at.
    pub deepest: u8,
    /// Reactions that did not pass the second look.
    pub refused: u64,
    /// Reactions that did not pass it, or became dearer by it.
    revised: u64,
    /// Whether any expansion was cut.
    pub cut: bool,
}

/// What one step of the search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// A molecule was expanded, or a known expansion was followed at another distance.
    Went,
    /// Nothing is left that could become part of a route.
    Exhausted,
}

/// The graph of one target.
pub(crate) struct Graph<W: World> {
    molecules: Vec<MoleculeNode<W::Kept>>,
    reactions: Vec<ReactionNode<W::Reaction>>,
    states: Vec<State>,
    by_key: HashMap<u128, MoleculeId>,
    depth: u8,
    work: Work,
    openings: u64,
}

impl<W: World> Graph<W> {
    /// A graph that holds only the target, which is planned for even if a branch may end in it.
    pub fn new(world: &W, target: W::Molecule, depth: u8) -> Self {
        let target_key = world.key(&target);
        let estimate = world.estimate(&target);
        let mut graph = Graph {
            molecules: Vec::new(),
            reactions: Vec::new(),
            states: Vec::new(),
            by_key: HashMap::new(),
            depth,
            work: Work::default(),
            openings: 0,
        };
        graph.by_key.insert(target_key, 0);
        graph.molecules.push(MoleculeNode {
            molecule: world.keep(target),
            key: target_key,
            terminal: false,
            estimate,
            reactions: None,
            states: Vec::new(),
        });
        graph.state_at(0, 0, None);
        graph
    }

    /// Work done so far.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Molecules met so far.
    pub fn molecule_count(&self) -> usize {
        self.molecules.len()
    }

    /// States made so far.
    #[cfg(test)]
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// A molecule by id.
    pub fn molecule(&self, id: MoleculeId) -> &MoleculeNode<W::Kept> {
        &self.molecules[id as usize]
    }

    /// A reaction by id.
    pub fn reaction(&self, id: ReactionId) -> &ReactionNode<W::Reaction> {
        &self.reactions[id as usize]
    }

    /// Whether the second look at a reaction went against it.
    pub fn is_refused(&self, id: ReactionId) -> bool {
        self.reactions[id as usize].verdict == Verdict::Refused
    }

    /// A state by id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id as usize]
    }

    /// Cheapest finished way to make the target, loops impossible.
    #[cfg(test)]
    pub fn solved(&self) -> Cost {
        self.states[0].solved
    }

    /// Estimated cost of the cheapest route that is still open.
    pub fn open(&self) -> Cost {
        self.states[0].open
    }

    /// About how long it takes to give back the memory of the graph.
    pub fn time_to_drop(&self) -> Duration {
        DROP_TIME * u32::try_from(self.molecules.len()).unwrap_or(u32::MAX)
    }

    /// Molecules that were met at the depth limit, where none is taken apart, and in which no
    /// branch may end.
    pub fn left_at_the_limit(&self) -> u64 {
        let at_limit = self.states.iter().filter(|state| state.level == self.depth);
        at_limit.filter(|state| !self.molecules[state.molecule as usize].terminal).count() as u64
    }

    /// Upper bound on the number of distinct finished routes.
    pub fn ways(&self) -> u32 {
        self.states[0].ways
    }

    /// The reactions by which a state is finished, with the states of their children.
    pub fn finished_reactions(&self, state: StateId) -> Vec<(ReactionId, Vec<StateId>)> {
        let State { molecule, level, opened, .. } = self.states[state as usize];
        let mut finished = Vec::new();
        if !opened {
            return finished;
        }
        for id in self.reactions_of(molecule) {
            let node = &self.reactions[id as usize];
            if node.verdict != Verdict::Confirmed {
                continue;
            }
            let children: Option<Vec<StateId>> = node
                .children
                .iter()
                .map(|&child| {
                    self.find_state(child, level + 1)
                        .filter(|&found| self.states[found as usize].solved.is_finite())
                })
                .collect();
            finished.extend(children.map(|children| (id, children)));
        }
        finished
    }

    /// Takes the cheapest open route and goes one step further on it. A molecule that is
    /// expanded spends one node of the budget.
    pub fn advance(&mut self, world: &mut W, budget: &mut Budget) -> Result<Advance, Stop> {
        if !self.states[0].open.is_finite() {
            return Ok(Advance::Exhausted);
        }
        let mut at: StateId = 0;
        while self.states[at as usize].opened {
            at = self.states[at as usize].next;
        }
        let molecule = self.states[at as usize].molecule;
        if self.molecules[molecule as usize].reactions.is_none() {
            let guesses = world.guesses();
            if guesses > 0 {
                let likely = self.likely_next(guesses + 1);
                let others = likely.into_iter().filter(|&other| other != molecule).take(guesses);
                let others: Vec<_> =
                    others.map(|other| &self.molecules[other as usize].molecule).collect();
                world.foresee(&others);
            }
            self.expand(world, molecule, budget)?;
            self.work.expanded += 1;
            self.work.deepest = self.work.deepest.max(self.states[at as usize].level + 1);
        } else {
            self.openings += 1;
            if self.openings.is_multiple_of(OPENINGS_PER_CHECK) {
                budget.check()?;
            }
        }
        self.open_state(at);
        self.settle(world, at, budget);
        Ok(Advance::Went)
    }

    /// The molecules that will probably be expanded next, the likeliest first: those at the end of
    /// the routes that cost little more than the cheapest open one, as far as these branch off it
    /// only once.
    fn likely_next(&self, most: usize) -> Vec<MoleculeId> {
        let mut found: Vec<(Cost, MoleculeId)> = Vec::new();
        let mut at: StateId = TARGET;
        while self.states[at as usize].opened {
            let State { molecule, level, open, next, .. } = self.states[at as usize];
            for id in self.reactions_of(molecule) {
                let node = &self.reactions[id as usize];
                if node.verdict == Verdict::Refused {
                    continue;
                }
                let states = || {
                    let children = node.children.iter();
                    children.filter_map(|&child| self.find_state(child, level + 1))
                };
                let best: Cost = states().map(|child| self.states[child as usize].best()).sum();
                let whole = node.cost + best;
                if !whole.is_finite() {
                    continue;
                }
                for child in states().filter(|&s| self.states[s as usize].open.is_finite()) {
                    let state = &self.states[child as usize];
                    let excess = (whole + state.open.minus(state.best())).minus(open);
                    found.push((excess, self.end_of(child)));
                }
            }
            at = next;
        }
        found.sort_unstable();
        let mut likely: Vec<MoleculeId> = Vec::new();
        for (_, molecule) in found {
            let is_new = self.molecules[molecule as usize].reactions.is_none();
            if is_new && !likely.contains(&molecule) {
                likely.push(molecule);
                if likely.len() == most {
                    break;
                }
            }
        }
        likely
    }

    /// The open molecule at the end of the cheapest open way below a state.
    fn end_of(&self, mut state: StateId) -> MoleculeId {
        while self.states[state as usize].opened {
            state = self.states[state as usize].next;
        }
        self.states[state as usize].molecule
    }

    /// The reactions that make a molecule, once it has been expanded.
    pub fn reactions_of(&self, molecule: MoleculeId) -> Range<ReactionId> {
        self.molecules[molecule as usize].reactions.clone().unwrap_or(0..0)
    }

    fn find_state(&self, molecule: MoleculeId, level: u8) -> Option<StateId> {
        self.molecules[molecule as usize]
            .states
            .iter()
            .find_map(|&(at, state)| (at == level).then_some(state))
    }

    /// The state of a molecule at a level, made if it is new.
    fn state_at(&mut self, molecule: MoleculeId, level: u8, parent: Option<StateId>) -> StateId {
        let id =
            self.find_state(molecule, level).unwrap_or_else(|| self.new_state(molecule, level));
        if let Some(parent) = parent {
            let parents = &mut self.states[id as usize].parents;
            // All links from one parent are made in one go, so a repeat can only be the last.
            if parents.last() != Some(&parent) {
                parents.push(parent);
            }
        }
        id
    }

    fn new_state(&mut self, molecule: MoleculeId, level: u8) -> StateId {
        let id = self.states.len() as StateId;
        let node = &self.molecules[molecule as usize];
        let (mut solved, mut open, mut ways) = (Cost::INFINITE, Cost::INFINITE, 0);
        if node.terminal {
            (solved, ways) = (Cost::ZERO, 1);
        } else if level < self.depth && !node.reactions.as_ref().is_some_and(Range::is_empty) {
            // What cannot be made in more steps cannot be made in fewer, and never for less.
            open = node
                .states
                .iter()
                .filter(|&&(nearer, _)| nearer < level)
                .map(|&(_, state)| self.states[state as usize].best())
                .fold(node.estimate, Cost::max);
        }
        self.states.push(State {
            molecule,
            level,
            opened: false,
            solved,
            open,
            next: id,
            ways,
            parents: Vec::new(),
        });
        self.molecules[molecule as usize].states.push((level, id));
        id
    }

    fn expand(
        &mut self,
        world: &mut W,
        product: MoleculeId,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        budget.tick()?;
        // Expansions take long enough to look at the clock before each.
        budget.check()?;
        let expansion = world.expand(&self.molecules[product as usize].molecule, budget)?;
        self.work.cut |= expansion.cut;
        let product_key = self.molecules[product as usize].key;
        let first = self.reactions.len();
        for proposal in expansion.proposals {
            debug_assert!(proposal.cost > Cost::ZERO, "a free step would make loops free");
            let keys: Vec<u128> = proposal.precursors.iter().map(|m| world.key(m)).collect();
            // Its own product or the target would be its own ancestor.
            if keys.is_empty()
                || keys.iter().any(|&key| key == product_key || key == self.molecules[0].key)
            {
                continue;
            }
            let mut precursors: Vec<MoleculeId> = Vec::with_capacity(keys.len());
            for (molecule, key) in proposal.precursors.into_iter().zip(keys) {
                precursors.push(self.intern(world, molecule, key));
            }
            let mut children = precursors.clone();
            children.sort_unstable();
            children.dedup();
            // The same precursors by another template: the better one came first.
            if self.reactions[first..].iter().any(|other| other.children == children) {
                continue;
            }
            self.reactions.push(ReactionNode {
                product,
                precursors,
                children,
                cost: proposal.cost,
                reaction: proposal.reaction,
                verdict: Verdict::NotAsked,
            });
        }
        let made = first as ReactionId..self.reactions.len() as ReactionId;
        self.molecules[product as usize].reactions = Some(made);
        Ok(())
    }

    fn intern(&mut self, world: &mut W, molecule: W::Molecule, key: u128) -> MoleculeId {
        if let Some(&known) = self.by_key.get(&key) {
            return known;
        }
        let id = self.molecules.len() as MoleculeId;
        let terminal = world.is_terminal(&molecule);
        self.work.terminals += u64::from(terminal);
        let estimate = if terminal { Cost::ZERO } else { world.estimate(&molecule) };
        self.by_key.insert(key, id);
        self.molecules.push(MoleculeNode {
            molecule: world.keep(molecule),
            key,
            terminal,
            estimate,
            reactions: None,
            states: Vec::new(),
        });
        id
    }

    /// Follows the known reactions of a state to the states of the next level.
    fn open_state(&mut self, state: StateId) {
        let State { molecule, level, .. } = self.states[state as usize];
        for reaction in self.reactions_of(molecule) {
            for child in 0..self.reactions[reaction as usize].children.len() {
                let child = self.reactions[reaction as usize].children[child];
                self.state_at(child, level + 1, Some(state));
            }
        }
        self.states[state as usize].opened = true;
    }

    /// Brings the values up to date after `changed` was opened: its own, then level by level
    /// those of all states above that depend on it.
    fn settle(&mut self, world: &mut W, changed: StateId, budget: &mut Budget) {
        let mut waiting: Vec<Vec<StateId>> = vec![Vec::new(); usize::from(self.depth) + 1];
        waiting[usize::from(self.states[changed as usize].level)].push(changed);
        let mut level = usize::from(self.states[changed as usize].level);
        loop {
            let mut states = std::mem::take(&mut waiting[level]);
            states.sort_unstable();
            states.dedup();
            let mut restart = level;
            for state in states {
                let revised_before = self.work.revised;
                if self.revalue(world, state, budget) {
                    for &parent in &self.states[state as usize].parents {
                        waiting[level - 1].push(parent);
                    }
                }
                if self.work.revised != revised_before {
                    // What was learnt holds for the same molecule at other distances too.
                    let molecule = self.states[state as usize].molecule;
                    for &(other, id) in &self.molecules[molecule as usize].states {
                        if id != state && self.states[id as usize].opened {
                            waiting[usize::from(other)].push(id);
                            restart = restart.max(usize::from(other));
                        }
                    }
                }
            }
            if restart > level || !waiting[restart].is_empty() {
                level = restart;
            } else if level == 0 {
                break;
            } else {
                level -= 1;
            }
        }
    }

    /// Computes the values of one state anew; says whether they changed.
    fn revalue(&mut self, world: &mut W, state: StateId, budget: &mut Budget) -> bool {
        let State { molecule, level, .. } = self.states[state as usize];
        let (mut solved, mut open, mut next) = (Cost::INFINITE, Cost::INFINITE, state);
        let mut ways: u32 = 0;
        for id in self.reactions_of(molecule) {
            let node = &self.reactions[id as usize];
            if node.verdict == Verdict::Refused {
                continue;
            }
            let mut best = node.cost;
            let mut finished = node.cost;
            let mut finished_ways: u32 = 1;
            // What the cheapest open child costs more than its cheapest way at all.
            let mut gap = Cost::INFINITE;
            let mut gap_child = state;
            for &child in &node.children {
                let found = self
                    .find_state(child, level + 1)
                    .expect("an opened state has the states of all its children");
                let child = &self.states[found as usize];
                best = best + child.best();
                finished = finished + child.solved;
                finished_ways = finished_ways.saturating_mul(child.ways);
                if child.open.is_finite() {
                    let excess = child.open.minus(child.best());
                    if excess < gap {
                        (gap, gap_child) = (excess, found);
                    }
                }
                if !best.is_finite() {
                    break;
                }
            }
            if !best.is_finite() {
                continue;
            }
            if finished.is_finite() {
                let Some(extra) = self.confirmed(world, id, budget) else { continue };
                (best, finished) = (best + extra, finished + extra);
                solved = solved.min(finished);
                ways = ways.saturating_add(finished_ways);
            }
            if best + gap < open {
                (open, next) = (best + gap, gap_child);
            }
        }
        let state = &mut self.states[state as usize];
        let changed = (state.solved, state.open, state.ways) != (solved, open, ways);
        (state.solved, state.open, state.ways, state.next) = (solved, open, ways, next);
        changed
    }

    /// The second look, taken once for each reaction: what it adds to the cost, or `None` where it
    /// does not hold. One that the budget interrupts has said nothing: the reaction is not part of
    /// any route then, and the search is about to end.
    fn confirmed(&mut self, world: &mut W, id: ReactionId, budget: &mut Budget) -> Option<Cost> {
        let node = &mut self.reactions[id as usize];
        if node.verdict == Verdict::NotAsked {
            let product = &self.molecules[node.product as usize].molecule;
            let precursors: Vec<&W::Kept> =
                node.precursors.iter().map(|&id| &self.molecules[id as usize].molecule).collect();
            match world.confirm(product, &precursors, &mut node.reaction, budget).ok()? {
                Some(extra) => {
                    node.verdict = Verdict::Confirmed;
                    node.cost = node.cost + extra;
                    self.work.revised += u64::from(extra > Cost::ZERO);
                    return Some(extra);
                }
                None => {
                    node.verdict = Verdict::Refused;
                    self.work.refused += 1;
                    self.work.revised += 1;
                }
            }
        }
        (node.verdict == Verdict::Confirmed).then_some(Cost::ZERO)
    }
}
