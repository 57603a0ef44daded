//! Which pieces of a map in several pieces count.

use crate::bits::Bits;
use crate::problem::Problem;

/// Least size of a piece and greatest number of pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceLimits {
    pub(crate) least_atoms: usize,
    pub(crate) most_pieces: usize,
}

impl PieceLimits {
    /// The atoms of the pieces that count: those large enough, and of these the most that are
    /// allowed, those with required atoms first and then the greatest in the sense of
    /// `value(atoms, bonds)`.
    pub(crate) fn keep<const W: usize>(
        &self,
        problem: &Problem<W>,
        atoms: &Bits<W>,
        joined: &Bits<W>,
        value: impl Fn(&Bits<W>, u32) -> (u32, u32),
    ) -> Bits<W> {
        if self.least_atoms <= 1 && self.most_pieces >= atoms.len() {
            return *atoms;
        }
        let side = &problem.query;
        let mut pieces = Vec::new();
        let mut rest = *atoms;
        while let Some(seed) = rest.lowest() {
            let piece = side.flood_over(Bits::single(seed), joined);
            rest = rest.minus(&piece);
            if piece.len() >= self.least_atoms {
                let bonds = side.touched_bonds(&piece).common(joined) as u32;
                let required = problem.required.as_ref().is_some_and(|r| r.meets(&piece));
                pieces.push(((required, value(&piece, bonds)), piece));
            }
        }
        // Stable: of equals the piece with the lowest atom comes first.
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.0));
        pieces
            .iter()
            .take(self.most_pieces)
            .fold(Bits::EMPTY, |all: Bits<W>, (_, piece)| all.or(piece))
    }
}
