//! How alike the surroundings of two atoms are: the order in which searches try pairs.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::problem::Problem;

/// Rounds of neighbourhood comparison; four bonds reach across a ring.
const ROUNDS: usize = 4;

/// Number of neighbours of a target atom that are looked at.
const MOST_NEIGHBOURS: usize = 64;

/// `similarity[q * target.atoms + t]`: higher for pairs whose surroundings match further out,
/// 0 for pairs that may not match. A heuristic only: no bound leans on it.
pub(crate) fn similarity<const W: usize>(
    problem: &Problem<W>,
    budget: &mut Budget,
) -> Result<Vec<u32>, Stop> {
    let (nq, nt) = (problem.query.atoms, problem.target.atoms);
    let mut now = vec![0u32; nq * nt];
    for q in 0..nq {
        for t in problem.domain[q].iter() {
            now[q * nt + t] = 16;
        }
    }
    let mut next = vec![0u32; nq * nt];
    for _ in 0..ROUNDS {
        for q in 0..nq {
            budget.check()?;
            let neighbours = &problem.query.neighbours[q];
            for t in problem.domain[q].iter() {
                let around = &problem.target.neighbours[t];
                let (mut sum, mut taken) = (0, 0u64);
                for &(n, bond) in neighbours {
                    let row = &now[n as usize * nt..][..nt];
                    let reach = problem.reach(bond as usize, t);
                    let mut best = (0, u32::MAX, 0);
                    for (at, &(image, _)) in around.iter().enumerate().take(MOST_NEIGHBOURS) {
                        let value = row[image as usize];
                        if (value > best.0 || (value == best.0 && image < best.1))
                            && taken >> at & 1 == 0
                            && reach.contains(image as usize)
                        {
                            best = (value, image, at);
                        }
                    }
                    if best.0 > 0 {
                        taken |= 1 << best.2;
                        sum += best.0;
                    }
                }
                let spare = neighbours.len().abs_diff(around.len()) as u32;
                next[q * nt + t] = (16 + sum / 2).saturating_sub(4 * spare).max(1);
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    Ok(now)
}

/// The member of `options` with the greatest value above zero; the lowest of equals.
#[inline(always)]
pub(crate) fn best_of<const W: usize>(row: &[u32], options: Bits<W>) -> Option<(usize, u32)> {
    let mut best = None;
    for t in options.iter() {
        if row[t] > best.map_or(0, |(_, value)| value) {
            best = Some((t, row[t]));
        }
    }
    best
}
