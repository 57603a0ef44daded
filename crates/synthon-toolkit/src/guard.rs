//! A fence around the port: size, stack and panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use synthon_mol::Molecule;

use crate::{MAX_ATOMS, ToolkitError, ToolkitErrorKind};

/// The port recurses on the size of a molecule. Below this many atoms any thread's stack will do.
const SMALL: usize = 64;

/// Stack for a molecule of [`MAX_ATOMS`] atoms, with room to spare.
const STACK: usize = 64 << 20;

/// Puts a question about `molecule` to the port: refuses what is too large, gives it the stack
/// that it needs, and turns a panic into an error.
pub(crate) fn ask<T: Send>(
    molecule: &Molecule,
    question: &str,
    answer: impl FnOnce() -> Result<T, ToolkitError> + Send,
) -> Result<T, ToolkitError> {
    if molecule.atom_count() > MAX_ATOMS {
        return Err(ToolkitError::new(
            ToolkitErrorKind::TooLarge,
            format!("No {question} for {} atoms", molecule.atom_count()),
        )
        .with_hint("at most 1,024 atoms are accepted"));
    }
    let guarded =
        || catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(panicked(question)));
    if molecule.atom_count() <= SMALL {
        return guarded();
    }
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, guarded);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(panicked(question)),
            Err(error) => Err(ToolkitError::new(
                ToolkitErrorKind::Internal,
                format!("No thread for the {question}: {error}"),
            )),
        }
    })
}

fn panicked(question: &str) -> ToolkitError {
    ToolkitError::new(
        ToolkitErrorKind::Internal,
        format!("The {question} of this molecule failed inside the toolkit"),
    )
}
