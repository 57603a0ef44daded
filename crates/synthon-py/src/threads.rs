//! Work on many molecules at once: on all cores, without Python's lock, and stopped by Ctrl-C.

use std::panic::resume_unwind;
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use synthon_budget::CancelFlag;

use crate::interrupt::INTERVAL;

/// Runs `work` on the threads of a pool while this thread waits for it and for signals. The flag
/// is raised when a handler of signals raises; `work` then ends soon, and what it gives is
/// dropped.
///
/// # Errors
/// What a handler raised.
pub(crate) fn on_all_cores<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelFlag) -> T + Send,
) -> PyResult<T> {
    let pool = pool()?;
    let flag = CancelFlag::new();
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = mpsc::channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped at the end, or when the work panics.
                let _ended = ended;
                pool.install(|| work(&flag))
            });
            let mut raised = None;
            while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    raised = Some(error);
                    flag.cancel();
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(Ok(done), Err)
        })
    })
}

/// The pool of this process. Threads do not survive a fork, so a child makes its own.
fn pool() -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*kept
        && *owner == process::id()
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .thread_name(|index| format!("synthon-{index}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(pool);
    let before = kept.replace((process::id(), Arc::clone(&pool)));
    // The parent's threads are not here to be told to end.
    std::mem::forget(before);
    Ok(pool)
}
