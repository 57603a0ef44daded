//! The outer loop that both connected searches share: first answers, then one root after the
//! other until no piece of the query is left that could beat the best.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::incumbent::Incumbent;
use crate::problem::Problem;
use crate::similarity::best_of;

/// Number of quick first answers that are tried before the proof begins.
const DIVES: usize = 4;

/// Number of atoms of a piece that are compared as roots.
const MOST_ROOTS: usize = 128;

/// A search for the best common graph that holds one given pair.
pub(crate) trait Rooted<const W: usize> {
    fn problem(&self) -> &Problem<W>;

    /// While diving, the search follows its first choice everywhere and never looks back.
    fn set_diving(&mut self, diving: bool);

    /// The most that `piece` of the query can give, as the first size of the objective.
    fn piece_bound(&self, piece: &Bits<W>) -> u32;

    /// Whether `piece`, of this bound, can beat the best in hand.
    fn piece_can_beat(&self, bound: u32, piece: &Bits<W>, best: &Incumbent) -> bool;

    /// Everything that holds the pair `root` and otherwise only query atoms of `piece`.
    fn search(
        &mut self,
        root: (usize, usize),
        piece: &Bits<W>,
        best: &mut Incumbent,
        budget: &mut Budget,
    ) -> Result<(), Stop>;
}

/// Runs to the proved optimum or to the end of the budget. True when the first answers met the
/// bound, so that no search was needed.
pub(crate) fn run<const W: usize>(
    search: &mut impl Rooted<W>,
    similarity: &[u32],
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    if best.all.is_none() {
        search.set_diving(true);
        dive(search, similarity, best, budget)?;
        search.set_diving(false);
    }
    let mut alive = Bits::EMPTY;
    for (q, row) in search.problem().domain.iter().enumerate() {
        if !row.is_empty() {
            alive.insert(q);
        }
    }
    let mut proved_by_dives = true;
    while let Some(piece) = widest_piece(search, &alive, best) {
        proved_by_dives = false;
        let root = choose_root(search, &piece, budget)?;
        let width = search.problem().target.atoms;
        let mut options = search.problem().domain[root];
        while let Some((t, _)) = best_of(&similarity[root * width..], options) {
            options.remove(t);
            search.search((root, t), &piece, best, budget)?;
        }
        alive.remove(root);
    }
    Ok(proved_by_dives)
}

/// Runs to the proved optimum of the maps that hold the pair `root`; of all maps without one.
pub(crate) fn run_from<const W: usize>(
    root: Option<(usize, usize)>,
    search: &mut impl Rooted<W>,
    similarity: &[u32],
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let Some(root) = root else { return run(search, similarity, best, budget) };
    let all = Bits::first(search.problem().query.atoms);
    search.search(root, &all, best, budget)?;
    Ok(false)
}

/// First answers: from a few promising pairs grow without ever looking back.
fn dive<const W: usize>(
    search: &mut impl Rooted<W>,
    similarity: &[u32],
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let (atoms, width) = (search.problem().query.atoms, search.problem().target.atoms);
    let all = Bits::first(atoms);
    let mut seen = Bits::<W>::EMPTY;
    for _ in 0..DIVES {
        let start = (0..atoms)
            .filter(|&q| !seen.contains(q))
            .filter_map(|q| {
                best_of(&similarity[q * width..], search.problem().domain[q])
                    .map(|(t, value)| (value, std::cmp::Reverse((q, t))))
            })
            .max();
        let Some((_, std::cmp::Reverse(root))) = start else { return Ok(()) };
        search.search(root, &all, best, budget)?;
        // Atoms of the common graph in hand would lead to it again.
        for &(q, _) in &best.map.pairs {
            seen.insert(q as usize);
        }
        seen.insert(root.0);
    }
    Ok(())
}

/// The connected piece of `alive` with the greatest bound, if any can beat the best.
fn widest_piece<const W: usize>(
    search: &impl Rooted<W>,
    alive: &Bits<W>,
    best: &Incumbent,
) -> Option<Bits<W>> {
    let mut rest = *alive;
    let mut widest: Option<(u32, Bits<W>)> = None;
    while let Some(seed) = rest.lowest() {
        let piece = search.problem().query.flood(Bits::single(seed), &rest);
        rest = rest.minus(&piece);
        let bound = search.piece_bound(&piece);
        if widest.as_ref().is_none_or(|&(old, _)| bound > old)
            && search.piece_can_beat(bound, &piece, best)
        {
            widest = Some((bound, piece));
        }
    }
    widest.map(|(_, piece)| piece)
}

/// The atom whose removal leaves the least to search, for the fewest places to try.
fn choose_root<const W: usize>(
    search: &impl Rooted<W>,
    piece: &Bits<W>,
    budget: &mut Budget,
) -> Result<usize, Stop> {
    let problem = search.problem();
    let whole = search.piece_bound(piece);
    let mut chosen: Option<(u64, usize)> = None;
    // In a large piece a sample is good enough, and the choice itself must not take long.
    let stride = piece.len().div_ceil(MOST_ROOTS).max(1);
    for q in piece.iter().step_by(stride) {
        budget.check()?;
        let mut rest = *piece;
        rest.remove(q);
        let mut left = 0;
        while let Some(seed) = rest.lowest() {
            let part = problem.query.flood(Bits::single(seed), &rest);
            rest = rest.minus(&part);
            left = left.max(search.piece_bound(&part));
        }
        let gain = 2 * u64::from(whole.saturating_sub(left)) + 1;
        let value = (gain << 20) / (problem.domain[q].len() as u64 + 2);
        if chosen.is_none_or(|(best, _)| value > best) {
            chosen = Some((value, q));
        }
    }
    Ok(chosen.map_or(0, |(_, q)| q))
}
