//! Asking: does it match, where first, and where everywhere.

use crate::domains::Domains;
use crate::pattern::Pattern;
use crate::plan::Plan;
use crate::search::{Halt, Run, Scratch, Wanted, reset_memo};
use crate::target::Target;
use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;

/// What counts as an embedding, beyond the pattern itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchOptions {
    /// Query atoms that are not bonded lie on target atoms that are not bonded.
    pub induced: bool,
    /// Every ring atom and ring bond of the target that is matched lies in a ring (of the
    /// symmetrised smallest set) that is matched completely.
    pub complete_rings_only: bool,
}

/// A list of embeddings, in ascending order of the target atoms of query atom 0, 1, 2...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embeddings {
    width: usize,
    count: usize,
    maps: Vec<u32>,
    status: Status,
    truncated: bool,
}

impl Embeddings {
    /// Number of embeddings in the list.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether the list is empty. That proves absence only when [`is_complete`](Self::is_complete).
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Target atom of every query atom, for embedding `i`.
    pub fn get(&self, i: usize) -> &[u32] {
        &self.maps[i * self.width..(i + 1) * self.width]
    }
    /// All embeddings.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        (0..self.count).map(|i| self.get(i))
    }
    /// How the search ended; [`Status::LimitReached`] also when there are more embeddings than
    /// were asked for.
    pub fn status(&self) -> Status {
        self.status
    }
    /// Whether the list holds all embeddings there are.
    pub fn is_complete(&self) -> bool {
        self.status == Status::Completed
    }
    /// Whether there are more embeddings than were asked for.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
    /// The first embedding on each set of target atoms.
    pub fn unique(&self) -> Embeddings {
        let mut keys: Vec<(Vec<u32>, usize)> = (0..self.count)
            .map(|i| {
                let mut atoms = self.get(i).to_vec();
                atoms.sort_unstable();
                (atoms, i)
            })
            .collect();
        keys.sort_unstable();
        keys.dedup_by(|later, first| later.0 == first.0);
        let mut kept: Vec<usize> = keys.into_iter().map(|(_, i)| i).collect();
        kept.sort_unstable();
        Embeddings {
            width: self.width,
            count: kept.len(),
            maps: kept.iter().flat_map(|&i| self.get(i)).copied().collect(),
            status: self.status,
            truncated: self.truncated,
        }
    }
}

/// Nodes of the first attempt, which goes without candidate tables.
const FIRST_ATTEMPT: u64 = 5_000;

/// Nodes that the search for the stated order may cost beyond what finding any match did.
const ORDER_CAP: u64 = 20_000;

/// Takes the embeddings that a search finds.
trait Sink {
    /// Whether to go on after this one.
    fn take(&mut self, map: &[u32]) -> bool;
    /// The search begins anew.
    fn restart(&mut self) {}
}

/// Whether there is one.
struct Exists(bool);

impl Sink for Exists {
    fn take(&mut self, _: &[u32]) -> bool {
        self.0 = true;
        false
    }
}

impl Sink for Option<Vec<u32>> {
    fn take(&mut self, map: &[u32]) -> bool {
        *self = Some(map.to_vec());
        false
    }
}

/// The first `limit`, and whether there are more.
struct Capped<'a> {
    list: &'a mut Embeddings,
    limit: usize,
}

impl Sink for Capped<'_> {
    fn take(&mut self, map: &[u32]) -> bool {
        if self.list.count == self.limit {
            self.list.truncated = true;
            return false;
        }
        self.list.count += 1;
        self.list.maps.extend_from_slice(map);
        true
    }

    fn restart(&mut self) {
        self.list.count = 0;
        self.list.maps.clear();
    }
}

/// What is searched where.
#[derive(Clone, Copy)]
struct Job<'a> {
    pattern: &'a Pattern,
    target: &'a Target<'a>,
    options: MatchOptions,
}

/// In which order atoms are placed, and how much that may cost.
#[derive(Clone, Copy)]
enum Order {
    /// Whatever finds an embedding soonest.
    Best,
    /// That of the text, which finds embeddings in ascending order, within a number of nodes.
    Text(u64),
}

/// Matches patterns against targets and keeps its working memory from one call to the next.
///
/// A node of the [`Budget`] is one query atom placed on one target atom; making candidate tables,
/// which only hard pairs need, costs one for every sixteen entries looked at.
#[derive(Clone, Debug)]
pub struct Matcher {
    scratch: Scratch,
    memo: Vec<u8>,
    pool: Vec<Scratch>,
    /// Candidate tables of the call, once the first attempt was not enough.
    domains: Option<Domains>,
    /// Budget of the calls that have none, kept because making one reads the clock.
    unlimited: Option<Budget>,
    /// Nodes after which candidate tables are made.
    first_attempt: u64,
}

impl Default for Matcher {
    fn default() -> Self {
        Matcher {
            scratch: Scratch::default(),
            memo: Vec::new(),
            pool: Vec::new(),
            domains: None,
            unlimited: None,
            first_attempt: FIRST_ATTEMPT,
        }
    }
}

impl Matcher {
    /// A matcher without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the pattern matches at all.
    pub fn matches(&mut self, pattern: &Pattern, target: &Target<'_>) -> bool {
        if !pattern.requirements().allow(&target.profile) {
            return false;
        }
        let mut budget = self.unlimited.take().unwrap_or_default();
        let job = Job { pattern, target, options: MatchOptions::default() };
        let mut found = Exists(false);
        // Without a limit nothing stops the search before it knows.
        let _ = self.search(&job, &mut budget, Order::Best, Wanted::Any, &mut found);
        self.unlimited = Some(budget);
        found.0
    }

    /// Whether the pattern matches, within a budget.
    ///
    /// # Errors
    /// The [`Stop`] that ended the search before it knew.
    pub fn matches_within(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
        options: &MatchOptions,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        budget.check()?;
        if !pattern.requirements().allow(&target.profile) {
            return Ok(false);
        }
        let job = Job { pattern, target, options: *options };
        let mut found = Exists(false);
        let end = self.search(&job, budget, Order::Best, Wanted::Any, &mut found);
        match end {
            Err(Halt::Budget(stop)) if !found.0 => Err(stop),
            _ => Ok(found.0),
        }
    }

    /// One embedding (target atom of every query atom): the first in order wherever finding that
    /// is cheap.
    ///
    /// # Errors
    /// The [`Stop`] that ended the search before it knew.
    pub fn first_within(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
        options: &MatchOptions,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u32>>, Stop> {
        budget.check()?;
        if !pattern.requirements().allow(&target.profile) {
            return Ok(None);
        }
        let job = Job { pattern, target, options: *options };
        let mut found: Option<Vec<u32>> = None;
        if let Err(Halt::Budget(stop)) =
            self.search(&job, budget, Order::Best, Wanted::Any, &mut found)
            && found.is_none()
        {
            return Err(stop);
        }
        if found.is_none() || self.was_ordered(&job) {
            return Ok(found);
        }
        // Any embedding is a valid answer, so running out on the way to the first one is no fault.
        let mut first: Option<Vec<u32>> = None;
        let _ = self.search(&job, budget, Order::Text(ORDER_CAP), Wanted::Any, &mut first);
        Ok(first.or(found))
    }

    /// All embeddings, or the first `limit` in order wherever that is cheap.
    pub fn all_within(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
        options: &MatchOptions,
        limit: usize,
        budget: &mut Budget,
    ) -> Embeddings {
        let mut list = Embeddings {
            width: pattern.atoms().len(),
            count: 0,
            maps: Vec::new(),
            status: Status::Completed,
            truncated: false,
        };
        if let Err(stop) = budget.check() {
            list.status = stop.into();
            return list;
        }
        if !pattern.requirements().allow(&target.profile) {
            return list;
        }
        let job = Job { pattern, target, options: *options };
        let mut sink = Capped { list: &mut list, limit };
        let end = self.search(&job, budget, Order::Best, Wanted::All, &mut sink);
        if !self.was_ordered(&job) {
            if list.truncated {
                let mut first = Embeddings { count: 0, maps: Vec::new(), ..list };
                let cap = ORDER_CAP.max(4 * limit as u64);
                let mut sink = Capped { list: &mut first, limit };
                let _ = self.search(&job, budget, Order::Text(cap), Wanted::All, &mut sink);
                if first.count == limit {
                    list.maps = first.maps;
                } else {
                    list.sort();
                }
            } else {
                list.sort();
            }
        }
        list.status = match end {
            _ if list.truncated => Status::LimitReached,
            Err(Halt::Budget(stop)) => stop.into(),
            _ => Status::Completed,
        };
        list
    }

    /// Whether the last search for any embedding went in the order of the text, so that it found
    /// embeddings in ascending order.
    fn was_ordered(&self, job: &Job<'_>) -> bool {
        let top = job.pattern.graphs.len() - 1;
        self.domains.is_none() && job.pattern.plans(top).best.in_text_order
    }

    fn search(
        &mut self,
        job: &Job<'_>,
        budget: &mut Budget,
        order: Order,
        wanted: Wanted,
        sink: &mut impl Sink,
    ) -> Result<(), Halt> {
        let Job { pattern, target, options } = *job;
        let top = pattern.graphs.len() - 1;
        if top > 0 {
            reset_memo(&mut self.memo, top * target.profile.words.len());
        }
        if matches!(order, Order::Best) {
            self.domains = None;
        }
        let text = match order {
            Order::Best => None,
            Order::Text(_) => pattern.plans(top).text.as_ref(),
        };
        let limit = match order {
            Order::Best => u64::MAX,
            Order::Text(cap) => cap,
        };
        let mut run = Run {
            pattern,
            target,
            options,
            budget,
            memo: &mut self.memo,
            pool: &mut self.pool,
            domains: self.domains.as_ref(),
            cap: if self.domains.is_some() { limit } else { limit.min(self.first_attempt) },
            halted: None,
        };
        run.search(top, text, &mut self.scratch, None, wanted, |map| sink.take(map));
        if run.halted != Some(Halt::Cap) || self.domains.is_some() || limit <= self.first_attempt {
            return run.halted.map_or(Ok(()), Err);
        }
        // A hard pair: find out first where every atom can lie at all.
        run.halted = None;
        run.cap = u64::MAX;
        let compiled = pattern.compiled(top);
        let Some(domains) = Domains::build(&mut run, &compiled) else {
            return run.halted.map_or(Ok(()), Err);
        };
        if domains.is_hopeless() {
            return Ok(());
        }
        let atoms = target.profile.words.len() as f32;
        let share: Vec<f32> =
            (0..compiled.tests.len()).map(|q| domains.count(q) as f32 / atoms).collect();
        let rarest = Plan::by_share(&compiled, &share, None);
        let in_text_order = || text.unwrap_or(&pattern.plans(top).best);
        let plan = if matches!(order, Order::Best) { &rarest } else { in_text_order() };
        run.cap = limit - self.first_attempt;
        run.domains = Some(&domains);
        sink.restart();
        run.search(top, Some(plan), &mut self.scratch, None, wanted, |map| sink.take(map));
        let end = run.halted;
        self.domains = Some(domains);
        end.map_or(Ok(()), Err)
    }
}

impl Embeddings {
    fn sort(&mut self) {
        if self.count < 2 || self.width == 0 {
            return;
        }
        let mut order: Vec<usize> = (0..self.count).collect();
        order.sort_unstable_by(|&a, &b| self.get(a).cmp(self.get(b)));
        self.maps = order.iter().flat_map(|&i| self.get(i)).copied().collect();
    }
}

impl Pattern {
    /// Whether the pattern matches the molecule. For many calls use a [`Matcher`] and prepared
    /// [`Target`]s.
    pub fn matches(&self, molecule: &Molecule) -> bool {
        Matcher::new().matches(self, &Target::new(molecule))
    }

    /// The first embedding in order: the target atom of every query atom.
    pub fn find_first(&self, molecule: &Molecule) -> Option<Vec<u32>> {
        Matcher::new()
            .first_within(
                self,
                &Target::new(molecule),
                &MatchOptions::default(),
                &mut Budget::unlimited(),
            )
            .ok()
            .flatten()
    }

    /// Embeddings in order, at most `limit`.
    pub fn find_all(&self, molecule: &Molecule, limit: usize, budget: &mut Budget) -> Embeddings {
        Matcher::new().all_within(
            self,
            &Target::new(molecule),
            &MatchOptions::default(),
            limit,
            budget,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

    /// Patterns in which candidate tables have something to say: branches, rings, stereo,
    /// recursive parts, several components.
    const PATTERNS: &[&str] = &[
        "*~*(~*)~*",
        "C(*)(*)*",
        "[!#6]~*~*~[!#6]",
        "*1~*~*~*~*~*~1",
        "a1aaaaa1*",
        "[C;$(C*N),$(C~O)]~*~*",
        "C.C.[N,O].*~*~*",
        "[C@](*)(*)*",
        "*/C=C/*",
        "(*~*).(*)",
        "[D3](~[D1])~[D2]~[D2,D3]",
    ];

    #[test]
    fn candidate_tables_change_no_answer() {
        let mut random = Random::new(31);
        let mut plain = Matcher { first_attempt: u64::MAX, ..Matcher::default() };
        let mut tables = Matcher { first_attempt: 0, ..Matcher::default() };
        let patterns: Vec<Pattern> =
            PATTERNS.iter().map(|p| Pattern::from_smarts(p).expect("these are SMARTS")).collect();
        let mut found = 0;
        for round in 0..300 {
            let text =
                RandomMolecule::new(&MoleculeShape::default(), &mut random).spell(&mut random);
            let Ok(molecule) = Molecule::from_smiles(&text) else { continue };
            let target = Target::new(&molecule);
            let options = MatchOptions { induced: round % 2 == 1, complete_rings_only: false };
            for (pattern, smarts) in patterns.iter().zip(PATTERNS) {
                for limit in [3, usize::MAX] {
                    let ask = |matcher: &mut Matcher| {
                        let mut budget = Budget::unlimited();
                        let all =
                            matcher.all_within(pattern, &target, &options, limit, &mut budget);
                        let first = matcher.first_within(pattern, &target, &options, &mut budget);
                        (all, first)
                    };
                    let expected = ask(&mut plain);
                    found += expected.0.len();
                    assert_eq!(ask(&mut tables), expected, "{smarts} in {text}");
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
