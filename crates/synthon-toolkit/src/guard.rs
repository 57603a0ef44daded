//! A fence around the port: size, stack and panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::{MAX_ATOMS, ToolkitError, ToolkitErrorKind};

/// The port recurses on the size of a molecule. Below this many atoms any thread's stack will do.
const SMALL: usize = 64;

/// How often the budget is looked at while the port works.
const PATIENCE: Duration = Duration::from_millis(10);

/// Stack for a molecule of [`MAX_ATOMS`] atoms, with room to spare.
const STACK: usize = 64 << 20;

/// Puts a question about `molecule` to the port: refuses what is too large, gives it the stack
/// that it needs, and turns a panic into an error. When the budget ends first, the answer is
/// `None`; the port then goes on in a thread of its own until it is done, since nothing can stop
/// it, and what it finds is dropped.
pub(crate) fn ask<T: Send + 'static>(
    molecule: &Molecule,
    question: &'static str,
    budget: &mut Budget,
    answer: impl FnOnce(&Molecule) -> Result<T, ToolkitError> + Send + 'static,
) -> Result<Option<T>, ToolkitError> {
    if molecule.atom_count() > MAX_ATOMS {
        return Err(ToolkitError::new(
            ToolkitErrorKind::TooLarge,
            format!("No {question} for {} atoms", molecule.atom_count()),
        )
        .with_hint("at most 1,024 atoms are accepted"));
    }
    let guarded = move |molecule: &Molecule| {
        catch_unwind(AssertUnwindSafe(|| answer(molecule)))
            .unwrap_or_else(|_| Err(panicked(question)))
    };
    if molecule.atom_count() <= SMALL {
        return guarded(molecule).map(Some);
    }
    let (sender, receiver) = mpsc::channel();
    let own = molecule.clone();
    let started = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody listens any more when the budget has ended.
        let _ = sender.send(guarded(&own));
    });
    if let Err(error) = started {
        return Err(ToolkitError::new(
            ToolkitErrorKind::Internal,
            format!("No thread for the {question}: {error}"),
        ));
    }
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(answer) => return answer.map(Some),
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(question)),
            Err(RecvTimeoutError::Timeout) if budget.check().is_err() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn panicked(question: &str) -> ToolkitError {
    ToolkitError::new(
        ToolkitErrorKind::Internal,
        format!("The {question} of this molecule failed inside the toolkit"),
    )
}
