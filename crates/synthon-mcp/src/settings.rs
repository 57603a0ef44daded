//! What a server is started with.

use std::time::Duration;

use synthon_tools::{Catalogue, DEFAULT_CALL_TIMEOUT, Registry};

/// What a server is started with; the default is what it does without arguments.
#[derive(Debug)]
pub struct Settings {
    /// The tools that are served, in order.
    pub registry: Registry,
    /// The libraries and stocks that may be asked for by name.
    pub catalogue: Catalogue,
    /// Whether the tools were chosen by a setting, so that the list is this server's own.
    pub tools_are_chosen: bool,
    /// Time that a whole call may take.
    pub call_timeout: Duration,
    /// Most calls that run at the same time; more wait.
    pub max_jobs: usize,
    /// Time that running calls get after the end of input.
    pub grace: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            registry: Registry::standard(),
            catalogue: Catalogue::shipped(),
            tools_are_chosen: false,
            call_timeout: DEFAULT_CALL_TIMEOUT,
            max_jobs: 8,
            grace: Duration::from_secs(5),
        }
    }
}

impl Settings {
    /// What a model should know before it reads any result.
    pub(crate) fn instructions(&self) -> String {
        format!(
            "Synthon answers questions about molecules and plans syntheses, from its own data, \
             offline. Read `status`, `optimal` and `complete` in every result, and say no more \
             than its `claim`: a search that was stopped is neither a maximum nor proof of \
             absence. Template libraries: {}. Stocks: {}.",
            self.catalogue.library_names().join(", "),
            self.catalogue.stock_names().join(", ")
        )
    }
}
