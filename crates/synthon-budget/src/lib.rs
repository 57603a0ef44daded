//! How long may I work, what did I spend, and what may I claim.
//!
//! Every loop of the engine that can run long owns a [`Budget`] and calls [`Budget::tick`] once
//! for each unit of work (a "node"). When a limit is hit the tick returns [`Stop`]; the caller
//! unwinds, keeps the best answer that it has, and reports the [`Status`] that follows from the
//! stop. This is the only place of the library crates that reads a clock.
#![deny(missing_docs)]

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the clock and the cancel flag are looked at: once in this many ticks.
const CHECK_INTERVAL: u64 = 64;

/// How a piece of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The work ended by itself.
    Completed,
    /// The deadline passed first.
    TimedOut,
    /// A node limit, match limit or other cap was reached first.
    LimitReached,
    /// The caller asked to stop.
    Cancelled,
}

impl Status {
    /// The name on the wire: `COMPLETED`, `TIMED_OUT`, `LIMIT_REACHED` or `CANCELLED`.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Completed => "COMPLETED",
            Status::TimedOut => "TIMED_OUT",
            Status::LimitReached => "LIMIT_REACHED",
            Status::Cancelled => "CANCELLED",
        }
    }
}

/// Why a [`Budget`] refused to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The deadline has passed.
    Deadline,
    /// The node limit has been used up.
    Nodes,
    /// The cancel flag has been raised.
    Cancelled,
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Deadline => Status::TimedOut,
            Stop::Nodes => Status::LimitReached,
            Stop::Cancelled => Status::Cancelled,
        }
    }
}

/// A flag that one thread raises to make work on another stop soon. Clones share the flag.
#[derive(Clone, Default)]
pub struct CancelFlag(Arc<Raised>);

#[derive(Default)]
struct Raised {
    raised: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for CancelFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelFlag").field(&self.0.raised).finish()
    }
}

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is raised also once `ask` says so, for callers who cannot tell from another
    /// thread. It is asked on the threads that work, as often as they look at the clock, and
    /// should answer as fast.
    pub fn asking(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        CancelFlag(Arc::new(Raised { raised: AtomicBool::new(false), ask: Some(Box::new(ask)) }))
    }

    /// Raises the flag; it is never lowered again.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the flag has been raised.
    pub fn is_cancelled(&self) -> bool {
        if self.0.raised.load(Ordering::Relaxed) {
            return true;
        }
        let asked = self.0.ask.as_ref().is_some_and(|ask| ask());
        if asked {
            self.cancel();
        }
        asked
    }
}

/// A deadline, a node limit and a cancel flag, with the count of nodes spent so far.
///
/// The budget of a whole call is split with [`Budget::child`]: a child has its own node count
/// and limits, but never outlives the deadline or the flag of its parent.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    node_limit: u64,
    nodes: u64,
    cancel: CancelFlag,
    stopped: Option<Stop>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Budget {
    /// No deadline, no node limit.
    pub fn unlimited() -> Self {
        Budget {
            started: Instant::now(),
            deadline: None,
            node_limit: u64::MAX,
            nodes: 0,
            cancel: CancelFlag::new(),
            stopped: None,
        }
    }

    /// Ends `limit` from now. A limit of zero stops at the first tick; one too far away to be
    /// represented counts as none.
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.deadline = match (self.started.checked_add(limit), self.deadline) {
            (Some(new), Some(old)) => Some(new.min(old)),
            (new, old) => new.or(old),
        };
        self
    }

    /// Allows at most `limit` nodes.
    pub fn with_node_limit(mut self, limit: u64) -> Self {
        self.node_limit = limit;
        self
    }

    /// Stops when `flag` is raised.
    pub fn with_cancel_flag(mut self, flag: CancelFlag) -> Self {
        self.cancel = flag;
        self
    }

    /// A budget for a part of this work: same deadline and flag, own node count without limit.
    pub fn child(&self) -> Self {
        Budget {
            started: Instant::now(),
            deadline: self.deadline,
            node_limit: u64::MAX,
            nodes: 0,
            cancel: self.cancel.clone(),
            stopped: None,
        }
    }

    /// Spends one node. Once stopped, every later call returns the same [`Stop`].
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.spend(1)
    }

    /// Spends `nodes` nodes at once.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> Result<(), Stop> {
        if let Some(stop) = self.stopped {
            return Err(stop);
        }
        let before = self.nodes;
        let after = before.saturating_add(nodes);
        if after > self.node_limit {
            return Err(self.stop(Stop::Nodes));
        }
        self.nodes = after;
        if before == 0 || before / CHECK_INTERVAL != after / CHECK_INTERVAL {
            self.check()
        } else {
            Ok(())
        }
    }

    /// Looks at the clock and the flag now, without spending a node.
    #[cold]
    pub fn check(&mut self) -> Result<(), Stop> {
        if let Some(stop) = self.stopped {
            return Err(stop);
        }
        if self.cancel.is_cancelled() {
            return Err(self.stop(Stop::Cancelled));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.stop(Stop::Deadline));
        }
        Ok(())
    }

    fn stop(&mut self, stop: Stop) -> Stop {
        self.stopped = Some(stop);
        stop
    }

    /// Nodes spent so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most nodes allowed (`u64::MAX`: no limit).
    pub fn node_limit(&self) -> u64 {
        self.node_limit
    }

    /// What stopped the work, if anything did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// [`Status::Completed`] unless a limit was hit.
    pub fn status(&self) -> Status {
        self.stopped.map_or(Status::Completed, Status::from)
    }

    /// Time since this budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left until the deadline; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The flag that stops this work.
    pub fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_limit_allows_exactly_its_number() {
        let mut budget = Budget::unlimited().with_node_limit(3);
        assert!((0..3).all(|_| budget.tick().is_ok()));
        assert_eq!(budget.tick(), Err(Stop::Nodes));
        assert_eq!(budget.tick(), Err(Stop::Nodes));
        assert_eq!((budget.nodes(), budget.status()), (3, Status::LimitReached));
    }

    #[test]
    fn zero_time_stops_at_the_first_tick() {
        let mut budget = Budget::unlimited().with_time_limit(Duration::ZERO);
        assert_eq!(budget.tick(), Err(Stop::Deadline));
        assert_eq!(budget.status(), Status::TimedOut);
    }

    #[test]
    fn a_child_shares_deadline_and_flag_but_not_nodes() {
        let mut parent = Budget::unlimited().with_node_limit(1);
        parent.tick().expect("one node is allowed");
        let mut child = parent.child();
        assert!((0..1_000).all(|_| child.tick().is_ok()));
        parent.cancel_flag().cancel();
        assert_eq!(child.check(), Err(Stop::Cancelled));
    }

    #[test]
    fn a_flag_that_asks_stays_raised() {
        let asked = Arc::new(AtomicBool::new(false));
        let answer = Arc::clone(&asked);
        let flag = CancelFlag::asking(move || answer.load(Ordering::Relaxed));
        let mut budget = Budget::unlimited().with_cancel_flag(flag.clone());
        assert!(budget.check().is_ok());
        asked.store(true, Ordering::Relaxed);
        assert_eq!(budget.check(), Err(Stop::Cancelled));
        asked.store(false, Ordering::Relaxed);
        assert!(flag.is_cancelled());
    }

    #[test]
    fn an_unrepresentable_deadline_is_none() {
        let mut budget = Budget::unlimited().with_time_limit(Duration::MAX);
        assert!(budget.tick().is_ok() && budget.remaining().is_none());
    }
}
