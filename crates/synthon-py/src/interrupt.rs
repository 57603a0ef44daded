//! Ctrl-C while the engine works.
//!
//! Python notes a signal and lets its handlers run in the main thread, between two steps of the
//! interpreter, which is never while that thread works for us. So the budget of the work asks, a
//! few times a second, whether a handler wants to raise.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use synthon_budget::CancelFlag;

/// How often Python is asked.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` without Python's lock, with a flag for its budget that Ctrl-C raises.
///
/// # Errors
/// What a handler of signals raised, such as `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(CancelFlag) -> T + Send,
) -> PyResult<T> {
    let raised = Arc::new(Mutex::new(None));
    let asker = Asker { raised: Arc::clone(&raised), asked: Mutex::new(Instant::now()) };
    let caller = thread::current().id();
    let flag = CancelFlag::asking(move || thread::current().id() == caller && asker.ask());
    let done = py.detach(|| work(flag));
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or(Ok(done), Err)
}

struct Asker {
    raised: Arc<Mutex<Option<PyErr>>>,
    asked: Mutex<Instant>,
}

impl Asker {
    fn ask(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.elapsed() < INTERVAL {
            return false;
        }
        *asked = Instant::now();
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                true
            }
        }
    }
}
