//! Expansions, and making them on other threads before the search asks for them.
//!
//! What a library proposes for a molecule depends on nothing but the molecule and the request, so
//! it may be worked out at any time and on any thread. The search stays on one thread and takes
//! its steps in the order in which it would take them alone; other threads guess which molecules
//! it will ask for next, from what it says is likely. Right guesses save time and wrong ones are
//! thrown away, so the answer is the same for any number of threads.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use synthon_budget::{Budget, CancelFlag, Stop};
use synthon_library::{Expansion, Library, Needing, ProposeOptions, Rule, Scratch};
use synthon_mol::Molecule;

use crate::marks::Kept;
use crate::request::PlanRequest;

/// Work that one expansion may do, in matches times atoms of the molecule.
const MAX_EXPANSION_WORK: u64 = 4_000_000;
/// Least number of matches allowed in one expansion, however large the molecule is.
const LEAST_EXPANSION_MATCHES: u64 = 2_000;
/// Expansions kept that were not asked for yet.
const MOST_KEPT: usize = 64;
/// How often a search that waits for an expansion looks at its own budget.
const LOOK: Duration = Duration::from_millis(5);

/// What a library proposes for a molecule.
#[derive(Debug)]
pub(crate) struct Made {
    pub found: Expansion,
    /// Templates left out by constraint.
    pub avoided: [(&'static str, u64); 2],
}

/// Which templates a request lets be tried.
#[derive(Debug)]
pub(crate) struct Allowed<'a> {
    avoided_families: &'a [String],
    needing: Needing,
}

impl<'a> Allowed<'a> {
    pub fn new(library: &Library, request: &'a PlanRequest) -> Self {
        let asked = &request.constraints;
        Allowed {
            avoided_families: &asked.avoid_reaction_families,
            needing: library.needing(&asked.avoid_reagents),
        }
    }
}

/// The most matches that the expansion of a molecule may cost.
pub(crate) fn match_limit(molecule: &Molecule) -> u64 {
    let matches = MAX_EXPANSION_WORK / (molecule.atom_count() as u64 + 1);
    matches.max(LEAST_EXPANSION_MATCHES)
}

/// Expands a molecule; `budget` has the limit of [`match_limit`].
pub(crate) fn make(
    library: &Library,
    allowed: &Allowed<'_>,
    molecule: &Molecule,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> Made {
    let avoided = [Cell::new(0), Cell::new(0)];
    let is_allowed = |rule: &Rule<'_>| {
        let reason = if allowed.avoided_families.iter().any(|word| word == rule.family()) {
            &avoided[0]
        } else if allowed.needing.contains(rule) {
            &avoided[1]
        } else {
            return true;
        };
        reason.set(reason.get() + 1);
        false
    };
    let options = ProposeOptions::default();
    let found = library.propose(molecule, is_allowed, &options, scratch, budget);
    let [families, reagents] = avoided.map(Cell::into_inner);
    let avoided = [("avoid_reaction_families", families), ("avoid_reagents", reagents)];
    Made { found, avoided }
}

#[derive(Debug, Default)]
struct Work {
    /// Texts of molecules, the likeliest last.
    wanted: Vec<String>,
    running: Vec<String>,
    /// Oldest first.
    done: VecDeque<(String, Made)>,
}

/// The meeting place of a search and the threads that work ahead of it.
#[derive(Debug)]
pub(crate) struct Ahead {
    threads: usize,
    work: Mutex<Work>,
    changed: Condvar,
    closed: Arc<AtomicBool>,
}

impl Ahead {
    /// For so many threads beside that of the search.
    pub fn new(threads: usize) -> Self {
        Ahead { threads, work: Mutex::default(), changed: Condvar::new(), closed: Arc::default() }
    }

    /// How many molecules are worth naming.
    pub fn guesses(&self) -> usize {
        2 * self.threads
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Says which molecules will probably be asked for, the likeliest first.
    pub fn foresee(&self, next: &[&Kept]) {
        let mut work = self.lock();
        let is_new = |text: &str| {
            work.running.iter().all(|known| known != text)
                && work.done.iter().all(|(known, _)| known != text)
        };
        let texts = next.iter().rev().map(|kept| &***kept).filter(|text| is_new(text));
        work.wanted = texts.map(str::to_owned).collect();
        self.changed.notify_all();
    }

    /// The expansion of a molecule, should a thread have made it or be at it.
    pub fn take(&self, text: &str, budget: &mut Budget) -> Result<Option<Made>, Stop> {
        let mut work = self.lock();
        work.wanted.retain(|wanted| wanted != text);
        loop {
            if let Some(place) = work.done.iter().position(|(known, _)| known == text) {
                return Ok(work.done.remove(place).map(|(_, made)| made));
            }
            if work.running.iter().all(|running| running != text) {
                return Ok(None);
            }
            budget.check()?;
            let waited = self.changed.wait_timeout(work, LOOK);
            work = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    /// Works until the search ends.
    pub fn help(&self, library: &Library, request: &PlanRequest, budget: &Budget) {
        let (closed, parent) = (Arc::clone(&self.closed), budget.cancel_flag().clone());
        let over =
            CancelFlag::asking(move || closed.load(Ordering::Relaxed) || parent.is_cancelled());
        let mut scratch = Scratch::new();
        let allowed = Allowed::new(library, request);
        while let Some(text) = self.next() {
            // The place is given up even if this thread ends in a panic.
            let mut running = Running { ahead: self, text, made: None };
            let Ok(molecule) = Molecule::from_smiles(&running.text) else { continue };
            let mut budget = budget.child().with_cancel_flag(over.clone());
            budget = budget.with_node_limit(match_limit(&molecule));
            let made = make(library, &allowed, &molecule, &mut scratch, &mut budget);
            let is_whole = matches!(budget.stopped(), None | Some(Stop::Nodes));
            running.made = is_whole.then_some(made);
        }
    }

    fn next(&self) -> Option<String> {
        let mut work = self.lock();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(text) = work.wanted.pop() {
                work.running.push(text.clone());
                return Some(text);
            }
            work = self.changed.wait(work).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Sends the threads home.
    pub fn close(&self) {
        // Under the lock, or a thread that is about to wait would not hear of it.
        let _work = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

/// An expansion that a thread is at.
struct Running<'a> {
    ahead: &'a Ahead,
    text: String,
    made: Option<Made>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut work = self.ahead.lock();
        work.running.retain(|running| *running != self.text);
        if let Some(made) = self.made.take() {
            work.done.push_back((std::mem::take(&mut self.text), made));
            if work.done.len() > MOST_KEPT {
                work.done.pop_front();
            }
        }
        self.ahead.changed.notify_all();
    }
}
