//! Chooses the engines for a pair and shapes what they find.

use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;

use crate::answer::{CommonSubgraph, Engine, McsAnswer, McsError};
use crate::connected_atoms::AtomSearch;
use crate::connected_bonds::BondSearch;
use crate::fragments_atoms::FragmentAtomSearch;
use crate::fragments_bonds::FragmentBondSearch;
use crate::incumbent::Incumbent;
use crate::measure::Count;
use crate::options::{McsOptions, Objective};
use crate::peel;
use crate::pieces::PieceLimits;
use crate::placement::place_whole;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::similarity::similarity;

/// The most atoms or bonds of one molecule.
pub(crate) const LARGEST: usize = 2048;

/// Finds one largest common subgraph of two molecules.
///
/// The sizes of a proved answer depend neither on which molecule is the query nor on the order
/// of atoms. A budget that runs out leaves the best map found so far.
///
/// # Errors
/// [`McsError::TooLarge`] above 2,048 atoms or bonds in one molecule; [`McsError::ZeroLimit`]
/// when a limit on the pieces is 0.
pub fn find_mcs(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    budget: &mut Budget,
) -> Result<McsAnswer, McsError> {
    let mut best = Incumbent::default();
    let engine = search(query, target, options, &mut best, budget)?;
    let map = &best.map;
    let common = (!map.pairs.is_empty()).then(|| build_asked(query, target, map));
    let status = budget.status();
    Ok(McsAnswer {
        common,
        status,
        optimal: status == Status::Completed,
        nodes: budget.nodes(),
        engine,
    })
}

/// Finds every largest common subgraph, up to `limit` of them: all atom maps of the greatest
/// size on both levels, symmetry images included, sorted by their pairs.
///
/// With more than `limit` maps the list is cut: the status is
/// [`LimitReached`](Status::LimitReached), while the flag `optimal` of the answer still says
/// whether the size is proved. Returns the list and whether it is complete beside the answer for
/// its first entry.
///
/// # Errors
/// As [`find_mcs`]; also [`McsError::ZeroLimit`] for a `limit` of 0.
pub fn find_all_mcs(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    limit: usize,
    budget: &mut Budget,
) -> Result<(Vec<CommonSubgraph>, bool, McsAnswer), McsError> {
    if limit == 0 {
        return Err(McsError::ZeroLimit("limit"));
    }
    let mut best = Incumbent::default();
    let engine = search(query, target, options, &mut best, budget)?;
    let proved = budget.status() == Status::Completed;
    let mut complete = proved;
    let mut list = Vec::new();
    if !best.map.pairs.is_empty() {
        best.all = Some((Vec::new(), limit));
        search(query, target, options, &mut best, budget)?;
        complete = budget.status() == Status::Completed && !best.overflow;
        let maps = best.all.take().map(|(maps, _)| maps).unwrap_or_default();
        list = maps.iter().map(|map| build_asked(query, target, map)).collect();
        if list.is_empty() {
            list.push(build_asked(query, target, &best.map));
        }
        list.sort_unstable_by(|a, b| a.atoms.cmp(&b.atoms));
        list.dedup_by(|a, b| a.atoms == b.atoms);
    }
    let status = match budget.status() {
        Status::Completed if !complete => Status::LimitReached,
        status => status,
    };
    let answer = McsAnswer {
        common: list.first().cloned(),
        status,
        optimal: proved,
        nodes: budget.nodes(),
        engine,
    };
    Ok((list, complete, answer))
}

/// The smaller molecule is searched as the query.
pub(crate) fn is_swapped(query: &Molecule, target: &Molecule) -> bool {
    query.atom_count() > target.atom_count()
}

/// The map in terms of its query, or turned round for the molecule that was asked about as the
/// query.
pub(crate) fn build(
    query: &Molecule,
    turned_to: Option<&Molecule>,
    map: &crate::incumbent::Map,
) -> CommonSubgraph {
    let bonds = map.bonds.iter().map(|&bond| bond as usize);
    let common = CommonSubgraph::new(query, map.pairs.clone(), bonds);
    match turned_to {
        Some(query) => common.swapped(query),
        None => common,
    }
}

fn build_asked(query: &Molecule, target: &Molecule, map: &crate::incumbent::Map) -> CommonSubgraph {
    if is_swapped(query, target) {
        build(target, Some(query), map)
    } else {
        build(query, None, map)
    }
}

/// Refuses limits on the pieces that nothing can keep to.
pub(crate) fn check_limits(options: &McsOptions) -> Result<(), McsError> {
    if options.min_fragment_atoms == 0 {
        return Err(McsError::ZeroLimit("min_fragment_atoms"));
    }
    if options.max_fragments == 0 {
        return Err(McsError::ZeroLimit("max_fragments"));
    }
    Ok(())
}

/// The greatest number of atoms or bonds of one molecule.
pub(crate) fn largest_size(query: &Molecule, target: &Molecule) -> usize {
    [query, target].iter().flat_map(|m| [m.atom_count(), m.bond_count()]).max().unwrap_or(0)
}

fn search(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<Engine, McsError> {
    check_limits(options)?;
    let (query, target) = if is_swapped(query, target) { (target, query) } else { (query, target) };
    match largest_size(query, target) {
        0..=64 => Ok(search_sized::<1>(query, target, options, best, budget)),
        65..=128 => Ok(search_sized::<2>(query, target, options, best, budget)),
        129..=256 => Ok(search_sized::<4>(query, target, options, best, budget)),
        257..=LARGEST => Ok(search_sized::<32>(query, target, options, best, budget)),
        found => Err(McsError::TooLarge { found, limit: LARGEST }),
    }
}

fn search_sized<const W: usize>(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Engine {
    // A stop only ends the search: what was found by then is in `best`, why it stopped in
    // `budget`.
    run_engines::<W>(query, target, options, best, budget).unwrap_or(if options.connected {
        Engine::Connected
    } else {
        Engine::Fragments
    })
}

fn run_engines<const W: usize>(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<Engine, Stop> {
    budget.check()?;
    let rules = Rules { query, target, options: &options.chemistry };
    let mut problem = Problem::<W>::new(&rules);
    if best.all.is_some() {
        problem.tell_twins_apart();
    }
    let counts_whole = options.connected || options.min_fragment_atoms <= problem.query.atoms;
    if best.all.is_none() && counts_whole && place_whole(&problem, options.objective, best, budget)?
    {
        return Ok(Engine::Greedy);
    }
    let similarity = similarity(&problem, budget)?;
    // The best connected answer is also a first answer in several pieces, if it is one of the
    // pieces that count.
    let proved_by_dives = match options.objective {
        Objective::Mcis => {
            let mut search = AtomSearch::new(&problem, &similarity, Count);
            peel::run(&mut search, &similarity, best, budget)?
        }
        Objective::Mces => {
            peel::run(&mut BondSearch::new(&problem, &similarity), &similarity, best, budget)?
        }
    };
    if options.connected {
        return Ok(if proved_by_dives { Engine::Greedy } else { Engine::Connected });
    }
    let limits =
        PieceLimits { least_atoms: options.min_fragment_atoms, most_pieces: options.max_fragments };
    if best.map.pairs.len() < limits.least_atoms || best.all.is_some() {
        best.forget();
    }
    match options.objective {
        Objective::Mcis => {
            FragmentAtomSearch::new(&problem, &similarity, Count, limits).run(best, budget)?;
        }
        Objective::Mces => {
            FragmentBondSearch::new(&problem, &similarity, limits).run(best, budget)?;
        }
    }
    Ok(Engine::Fragments)
}
