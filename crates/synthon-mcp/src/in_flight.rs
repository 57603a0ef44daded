//! The requests that still await their answer.
//!
//! Each one gets a ticket, a number of ours that is never used twice, and goes through the
//! protocol library under it. So an id that a client frees by cancelling and then uses again
//! cannot receive the late answer of the first request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::envelope::RequestId;

/// A number of ours for one request.
pub(crate) type Ticket = i64;

#[derive(Debug, Default)]
struct Table {
    waiting: BTreeSet<RequestId>,
    started: BTreeMap<Ticket, RequestId>,
    last_ticket: Ticket,
}

/// Ids accepted and not yet answered.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    table: Mutex<Table>,
    /// Told whenever a request leaves.
    pub(crate) left: Notify,
}

impl InFlight {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an id awaits its answer.
    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        let table = self.table();
        table.waiting.contains(id) || table.started.values().any(|other| other == id)
    }

    /// Notes an accepted request that has not started.
    pub(crate) fn accept(&self, id: RequestId) {
        self.table().waiting.insert(id);
    }

    /// Starts an accepted request.
    pub(crate) fn start(&self, id: &RequestId) -> Ticket {
        let mut table = self.table();
        table.waiting.remove(id);
        table.last_ticket += 1;
        let ticket = table.last_ticket;
        table.started.insert(ticket, id.clone());
        ticket
    }

    /// Takes a request out because it was cancelled. `None`: no such request; otherwise its
    /// ticket, if it had started.
    pub(crate) fn cancel(&self, id: &RequestId) -> Option<Option<Ticket>> {
        let mut table = self.table();
        if table.waiting.remove(id) {
            return Some(None);
        }
        let ticket =
            table.started.iter().find(|(_, other)| *other == id).map(|(&ticket, _)| ticket)?;
        table.started.remove(&ticket);
        drop(table);
        self.left.notify_one();
        Some(Some(ticket))
    }

    /// Takes out everything that has started, because the connection is ending.
    pub(crate) fn cancel_all(&self) -> Vec<Ticket> {
        let mut table = self.table();
        table.waiting.clear();
        std::mem::take(&mut table.started).into_keys().collect()
    }

    /// Whether a started request is still wanted.
    pub(crate) fn is_wanted(&self, ticket: Ticket) -> bool {
        self.table().started.contains_key(&ticket)
    }

    /// Takes a request out because its answer is going out; `None` when it was cancelled.
    pub(crate) fn finish(&self, ticket: Ticket) -> Option<RequestId> {
        let id = self.table().started.remove(&ticket)?;
        self.left.notify_one();
        Some(id)
    }

    /// Number of started requests.
    pub(crate) fn started(&self) -> usize {
        self.table().started.len()
    }
}
