//! Long pieces of work on several threads, each result handed on as soon as it is its turn.
//!
//! Files of small molecules go through `molecule_file::in_order`, chunk by chunk. A plan takes
//! seconds: here no thread waits for the end of a chunk, and what is done is handed on at once.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use crate::failure::Failure;

/// Items in work or waiting for their turn, for each thread.
const AHEAD: usize = 8;

/// Does `work` on each item on `jobs` threads and hands the results to `take` in the order of the
/// items. When `take` fails, no further item is begun; `stop` is called so that those in work can
/// be cut short.
pub(crate) fn in_order<I: Send, T: Send>(
    jobs: usize,
    items: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> T + Sync,
    stop: impl Fn(),
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let source = Mutex::new(items.fuse().enumerate());
    let gate = Gate::default();
    let (sender, results) = mpsc::channel::<(usize, T)>();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (source, gate, work) = (&source, &gate, &work);
            scope.spawn(move || {
                loop {
                    let next = {
                        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
                        if !gate.pass(jobs * AHEAD) {
                            return;
                        }
                        source.next()
                    };
                    let Some((index, item)) = next else { return };
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                if let Err(failure) = take(result) {
                    gate.close();
                    stop();
                    return Err(failure);
                }
                gate.leave();
            }
        }
        Ok(())
    })
}

/// Keeps the threads from running far ahead of what was handed on, however slow one item is.
#[derive(Default)]
struct Gate {
    /// Items that have begun and were not handed on; `None` when no more may begin.
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    inside: usize,
    is_closed: bool,
}

impl Gate {
    /// Waits until another item may begin; false when none may.
    fn pass(&self, most: usize) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.inside >= most && !state.is_closed {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.inside += 1;
        !state.is_closed
    }

    fn leave(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).inside -= 1;
        self.moved.notify_one();
    }

    fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_and_none_is_lost() {
        for jobs in [1, 2, 5] {
            let mut seen = Vec::new();
            let work = |n: u64| {
                thread::sleep(Duration::from_micros((n * 7919) % 300));
                n
            };
            in_order(
                jobs,
                0..200,
                work,
                || (),
                |n| {
                    seen.push(n);
                    Ok(())
                },
            )
            .expect("nothing fails");
            assert!(seen.iter().copied().eq(0..200), "{jobs} jobs");
        }
    }

    #[test]
    fn an_endless_input_ends_with_the_first_failure() {
        let mut count = 0;
        let failed = in_order(
            3,
            0u64..,
            |n| n,
            || (),
            |n| {
                count += 1;
                if n == 20 { Err(Failure::input("enough")) } else { Ok(()) }
            },
        );
        assert!(failed.is_err());
        assert_eq!(count, 21);
    }
}
