//! Handedness carried from one set of neighbours to another.

use synthon_mol::Chirality;

/// The implied ligand (hydrogen or lone pair) of a centre with three neighbours.
pub(crate) const IMPLIED: u32 = u32::MAX;

/// The four ligands of a tetrahedral centre in an order that a mark refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ligands([u32; 4]);

impl Ligands {
    /// From the neighbours in order; three of them are completed by the implied ligand, last.
    /// `None` for fewer than three or more than four.
    pub fn new(neighbours: impl IntoIterator<Item = u32>) -> Option<Ligands> {
        let (mut ids, mut len) = ([IMPLIED; 4], 0);
        for id in neighbours {
            *ids.get_mut(len)? = id;
            len += 1;
        }
        (len >= 3).then_some(Ligands(ids))
    }
}

/// The mark that says of the ligands `to` what `mark` says of the ligands `from`. One ligand may
/// be another in `to`: it stands where the one that it replaces stood. `None` when more than one
/// was replaced, for then no order follows.
pub(crate) fn transfer(mark: Chirality, from: Ligands, to: Ligands) -> Option<Chirality> {
    let mut place = [usize::MAX; 4];
    let (mut used, mut replaced) = ([false; 4], None);
    for (i, id) in to.0.iter().enumerate() {
        match (0..4).find(|&k| from.0[k] == *id && !used[k]) {
            Some(k) => {
                place[i] = k;
                used[k] = true;
            }
            None if replaced.is_none() => replaced = Some(i),
            None => return None,
        }
    }
    if let Some(i) = replaced {
        place[i] = used.iter().position(|used| !used)?;
    }
    let mut odd = false;
    for i in 0..4 {
        for k in i + 1..4 {
            odd ^= place[i] > place[k];
        }
    }
    Some(if odd { mark.inverted() } else { mark })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Chirality::{Anticlockwise, Clockwise};

    fn ligands(ids: &[u32]) -> Ligands {
        Ligands::new(ids.iter().copied()).expect("three or four")
    }

    #[test]
    fn odd_permutations_invert() {
        let from = ligands(&[1, 2, 3, 4]);
        assert_eq!(transfer(Anticlockwise, from, ligands(&[2, 1, 3, 4])), Some(Clockwise));
        assert_eq!(transfer(Anticlockwise, from, ligands(&[2, 3, 1, 4])), Some(Anticlockwise));
        assert_eq!(transfer(Clockwise, from, ligands(&[4, 3, 2, 1])), Some(Clockwise));
    }

    #[test]
    fn one_ligand_may_be_replaced_or_become_implied() {
        let from = ligands(&[1, 2, 3, 4]);
        assert_eq!(transfer(Clockwise, from, ligands(&[1, 2, 3, 9])), Some(Clockwise));
        assert_eq!(transfer(Clockwise, from, ligands(&[9, 1, 2, 3])), Some(Anticlockwise));
        assert_eq!(transfer(Clockwise, from, ligands(&[1, 2, 3])), Some(Clockwise));
        assert_eq!(transfer(Clockwise, from, ligands(&[1, 3, 4])), Some(Clockwise));
        assert_eq!(transfer(Clockwise, from, ligands(&[1, 2, 8, 9])), None);
    }

    #[test]
    fn too_few_or_too_many_neighbours_are_no_centre() {
        assert!(Ligands::new([1, 2]).is_none() && Ligands::new([1, 2, 3, 4, 5]).is_none());
    }
}
