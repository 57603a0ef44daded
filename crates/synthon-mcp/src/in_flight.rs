//! The requests that still await their answer.
//!
//! Each one gets a ticket, a number of ours that is never used twice, and goes through the
//! protocol library under it. So an id that a client frees by cancelling and then uses again
//! cannot receive the late answer of the first request.
//!
//! Only the id of a call is taken until its answer: the other requests are answered at once, and
//! whether the client's next line is read before or after that answer must not decide what it
//! gets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::envelope::RequestId;

/// A number of ours for one request.
pub(crate) type Ticket = i64;

#[derive(Debug, Default)]
struct Table {
    /// Ids of the calls that have not started.
    waiting: BTreeSet<RequestId>,
    started: BTreeMap<Ticket, Started>,
    last_ticket: Ticket,
}

#[derive(Debug)]
struct Started {
    id: RequestId,
    is_call: bool,
}

impl Table {
    /// Ticket of the started call with an id.
    fn call_of(&self, id: &RequestId) -> Option<Ticket> {
        self.started
            .iter()
            .find(|(_, started)| started.is_call && started.id == *id)
            .map(|(&ticket, _)| ticket)
    }
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

    /// Whether an id is that of a call that awaits its answer.
    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        let table = self.table();
        table.waiting.contains(id) || table.call_of(id).is_some()
    }

    /// Notes an accepted call that has not started.
    pub(crate) fn accept(&self, id: RequestId) {
        self.table().waiting.insert(id);
    }

    /// Starts an accepted request.
    pub(crate) fn start(&self, id: &RequestId, is_call: bool) -> Ticket {
        let mut table = self.table();
        if is_call {
            table.waiting.remove(id);
        }
        table.last_ticket += 1;
        let ticket = table.last_ticket;
        table.started.insert(ticket, Started { id: id.clone(), is_call });
        ticket
    }

    /// Takes a call out because it was cancelled. `None`: no such call; otherwise its ticket, if
    /// it had started.
    pub(crate) fn cancel(&self, id: &RequestId) -> Option<Option<Ticket>> {
        let mut table = self.table();
        if table.waiting.remove(id) {
            return Some(None);
        }
        let ticket = table.call_of(id)?;
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
        let started = self.table().started.remove(&ticket)?;
        self.left.notify_one();
        Some(started.id)
    }

    /// Number of started requests.
    pub(crate) fn started(&self) -> usize {
        self.table().started.len()
    }
}
