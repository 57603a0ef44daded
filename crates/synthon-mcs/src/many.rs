//! One query against many targets, in parallel.

use std::num::NonZeroUsize;

use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::answer::{McsAnswer, McsError};
use crate::options::McsOptions;
use crate::strategy::find_mcs;

/// Finds the largest common subgraph of one query and each of many targets, on up to `threads`
/// threads.
///
/// The answers stand in the order of the targets, each as [`find_mcs`] gives it. `budget` makes
/// the budget of a target, by its index; it is called when the search for that target begins, on
/// the thread that does it. With node limits alone the answers are the same for any number of
/// threads and on any machine; a deadline common to all is
/// [`child`](Budget::child) of one budget, and a [`CancelFlag`](synthon_budget::CancelFlag) that
/// the budgets share stops them all. A target that is refused does not stop the others.
///
/// ```
/// use std::num::NonZeroUsize;
/// use synthon_budget::Budget;
/// use synthon_mcs::{McsOptions, find_mcs_many};
/// use synthon_mol::Molecule;
///
/// let query = Molecule::from_smiles("CC(=O)NC")?;
/// let targets = ["CCC(=O)N", "c1ccccc1"].map(|text| Molecule::from_smiles(text).unwrap());
/// let budget = |_| Budget::unlimited().with_node_limit(100_000);
/// let threads = NonZeroUsize::new(2).unwrap();
/// let answers = find_mcs_many(&query, &targets, &McsOptions::default(), budget, threads);
/// let sizes: Vec<usize> = answers
///     .into_iter()
///     .map(|answer| answer.unwrap().common.map_or(0, |common| common.atoms.len()))
///     .collect();
/// assert_eq!(sizes, [4, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_mcs_many(
    query: &Molecule,
    targets: &[Molecule],
    options: &McsOptions,
    budget: impl Fn(usize) -> Budget + Sync,
    threads: NonZeroUsize,
) -> Vec<Result<McsAnswer, McsError>> {
    let one =
        |(index, target): (usize, &Molecule)| find_mcs(query, target, options, &mut budget(index));
    let threads = threads.get().min(targets.len());
    let pool = (threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
        .flatten();
    match pool {
        // One target at a time: they differ widely in what they cost.
        Some(pool) => {
            pool.install(|| targets.par_iter().with_max_len(1).enumerate().map(one).collect())
        }
        None => targets.iter().enumerate().map(one).collect(),
    }
}
