//! What a call runs in: its budget, its listener, and what the server was configured with.

use std::time::Duration;

use synthon_budget::{Budget, CancelFlag};

use crate::catalogue::Catalogue;

/// Time that a whole call may take when the door sets no other: below the 60 s at which common
/// clients give up.
pub const DEFAULT_CALL_TIMEOUT: Duration = Duration::from_secs(55);

/// Bytes of a reply, text and object together, beyond which its lists are cut: 10,000 tokens of
/// four bytes.
pub const MAX_REPLY_BYTES: usize = 40_000;

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Rises from report to report.
    pub done: f64,
    /// What `done` will be at the end, where that is known.
    pub total: Option<f64>,
    /// The same in words.
    pub message: String,
}

/// Hears of progress.
pub type ProgressListener<'a> = &'a (dyn Fn(Progress) + Sync);

/// What one call runs in.
#[derive(Clone)]
pub struct CallContext<'a> {
    catalogue: &'a Catalogue,
    budget: Budget,
    call_timeout: Duration,
    progress: Option<ProgressListener<'a>>,
    reply_bytes: usize,
    threads: usize,
}

impl<'a> CallContext<'a> {
    /// A call that starts now and may take [`DEFAULT_CALL_TIMEOUT`] as a whole.
    pub fn new(catalogue: &'a Catalogue) -> Self {
        Self::limited(catalogue, DEFAULT_CALL_TIMEOUT, CancelFlag::new())
    }

    /// A call that starts now, may take `call_timeout` as a whole, and stops when `cancel` is
    /// raised.
    pub fn limited(catalogue: &'a Catalogue, call_timeout: Duration, cancel: CancelFlag) -> Self {
        let budget = Budget::unlimited().with_time_limit(call_timeout).with_cancel_flag(cancel);
        CallContext {
            catalogue,
            budget,
            call_timeout,
            progress: None,
            reply_bytes: MAX_REPLY_BYTES,
            threads: 1,
        }
    }

    /// Reports progress to `listener`.
    pub fn with_progress(mut self, listener: ProgressListener<'a>) -> Self {
        self.progress = Some(listener);
        self
    }

    /// Cuts no list, for callers that are programs or people and not models.
    pub fn with_whole_lists(mut self) -> Self {
        self.reply_bytes = usize::MAX;
        self
    }

    /// Lets a search for routes use so many threads, at least 1; answers do not depend on it.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Threads of a search for routes.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Bytes of a reply beyond which its lists are cut.
    pub fn reply_bytes(&self) -> usize {
        self.reply_bytes
    }

    /// The libraries and stocks that may be asked for.
    pub fn catalogue(&self) -> &'a Catalogue {
        self.catalogue
    }

    /// The budget of the whole call; parts of the work take [`Budget::child`]ren of it.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Time that the whole call may take.
    pub fn call_timeout(&self) -> Duration {
        self.call_timeout
    }

    /// Tells the listener, if there is one.
    pub fn report(&self, progress: impl FnOnce() -> Progress) {
        if let Some(listener) = self.progress {
            listener(progress());
        }
    }
}
