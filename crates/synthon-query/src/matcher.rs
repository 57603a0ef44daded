//! Asking: does it match, where first, and where everywhere.

use crate::pattern::Pattern;
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

/// Nodes that the search for the stated order may cost beyond what finding any match did.
const ORDER_CAP: u64 = 20_000;

/// Matches patterns against targets and keeps its working memory from one call to the next.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    scratch: Scratch,
    memo: Vec<u8>,
    pool: Vec<Scratch>,
    /// Budget of the calls that have none, kept because making one reads the clock.
    unlimited: Option<Budget>,
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
        let found = self.matches_within(pattern, target, &MatchOptions::default(), &mut budget);
        self.unlimited = Some(budget);
        found.unwrap_or(false)
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
        if !pattern.requirements().allow(&target.profile) {
            return Ok(false);
        }
        let mut found = false;
        self.search(pattern, target, options, budget, false, Wanted::Any, u64::MAX, |_| {
            found = true;
            false
        })
        .map_err(|halt| match halt {
            Halt::Budget(stop) => stop,
            Halt::Cap => Stop::Nodes,
        })?;
        Ok(found)
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
        let mut found: Option<Vec<u32>> = None;
        self.search(pattern, target, options, budget, false, Wanted::Any, u64::MAX, |map| {
            found = Some(map.to_vec());
            false
        })
        .or_else(|halt| match halt {
            Halt::Budget(stop) if found.is_none() => Err(stop),
            _ => Ok(()),
        })?;
        if found.is_none() || pattern.plans(pattern.graphs.len() - 1).best.in_text_order {
            return Ok(found);
        }
        // Any embedding is a valid answer, so running out on the way to the first one is no fault.
        let mut first = None;
        let _ =
            self.search(pattern, target, options, budget, true, Wanted::Any, ORDER_CAP, |map| {
                first = Some(map.to_vec());
                false
            });
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
        let width = pattern.atoms().len();
        let mut list = Embeddings {
            width,
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
        let collect = |list: &mut Embeddings, map: &[u32]| {
            if list.count == limit {
                list.truncated = true;
                return false;
            }
            list.count += 1;
            list.maps.extend_from_slice(map);
            true
        };
        let end =
            self.search(pattern, target, options, budget, false, Wanted::All, u64::MAX, |map| {
                collect(&mut list, map)
            });
        let ordered = pattern.plans(pattern.graphs.len() - 1).best.in_text_order;
        if list.truncated && !ordered {
            let mut first = list.clone();
            (first.count, first.truncated) = (0, false);
            first.maps.clear();
            let cap = ORDER_CAP.max(4 * limit as u64);
            let _ = self.search(pattern, target, options, budget, true, Wanted::All, cap, |map| {
                collect(&mut first, map)
            });
            if first.count == limit {
                list.maps = first.maps;
            } else {
                list.sort();
            }
        } else if !ordered {
            list.sort();
        }
        list.status = match end {
            Err(Halt::Budget(stop)) => stop.into(),
            _ if list.truncated => Status::LimitReached,
            _ => Status::Completed,
        };
        list
    }

    #[expect(clippy::too_many_arguments, reason = "the one place where all of them meet")]
    fn search(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
        options: &MatchOptions,
        budget: &mut Budget,
        in_text_order: bool,
        wanted: Wanted,
        cap: u64,
        visit: impl FnMut(&[u32]) -> bool,
    ) -> Result<(), Halt> {
        if pattern.graphs.len() > 1 {
            reset_memo(&mut self.memo, (pattern.graphs.len() - 1) * target.profile.words.len());
        }
        let top = pattern.graphs.len() - 1;
        let plan = if in_text_order { pattern.plans(top).text.as_ref() } else { None };
        let mut run = Run {
            pattern,
            target,
            options: *options,
            budget,
            memo: &mut self.memo,
            pool: &mut self.pool,
            cap,
            halted: None,
        };
        run.search(top, plan, &mut self.scratch, None, wanted, visit);
        run.halted.map_or(Ok(()), Err)
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
