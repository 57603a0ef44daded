//! Which bonds of a drawing become wedges.

use super::drawn::{self, Ray};
use crate::{BondOrder, Element, Molecule};

/// A bond to be drawn as a wedge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wedge {
    /// Index of the bond.
    pub bond: usize,
    /// The stereo centre, at the narrow end.
    pub centre: usize,
    /// Towards the viewer (a full wedge), or away (a hashed one).
    pub towards_viewer: bool,
}

/// What [`Molecule::wedges`] gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wedging {
    /// The wedges, by centre.
    pub wedges: Vec<Wedge>,
    /// Marked atoms that cannot be drawn with wedges: no tetrahedral mark, or bonds that lie on
    /// each other at these coordinates.
    pub undrawn: Vec<usize>,
}

impl Molecule {
    /// Chooses for each tetrahedral centre the bond that shows its handedness in a drawing with
    /// these coordinates (one pair for each atom, y upwards).
    ///
    /// A bond is a wedge for one centre only. Bonds to ends of chains come first, ring bonds and
    /// bonds between centres last; where every choice is taken, earlier ones move over.
    ///
    /// # Panics
    /// When there are fewer coordinates than atoms.
    pub fn wedges(&self, coordinates: &[[f64; 2]]) -> Wedging {
        assert!(coordinates.len() >= self.atom_count(), "one pair of coordinates for each atom");
        let mut wedging = Wedging::default();
        let mut centres = Vec::new();
        for atom in 0..self.atom_count() {
            let mark = self.atom(atom).chirality();
            if mark == crate::Chirality::None {
                continue;
            }
            let choices =
                if mark.is_tetrahedral() { self.choices(atom, coordinates) } else { Vec::new() };
            if choices.is_empty() {
                wedging.undrawn.push(atom);
            } else {
                centres.push((atom, choices));
            }
        }
        let mut owner = vec![None; self.bond_count()];
        let mut asked = vec![usize::MAX; centres.len()];
        for centre in 0..centres.len() {
            if !take_bond(&centres, &mut owner, &mut asked, centre) {
                wedging.undrawn.push(centres[centre].0);
            }
        }
        for (bond, centre) in owner.into_iter().enumerate() {
            let Some(centre) = centre else { continue };
            let (atom, choices) = &centres[centre];
            let choice = choices.iter().find(|c| c.bond == bond).expect("a bond of its choices");
            wedging.wedges.push(Wedge { bond, centre: *atom, towards_viewer: choice.up });
        }
        wedging.wedges.sort_unstable_by_key(|w| w.centre);
        wedging.undrawn.sort_unstable();
        wedging
    }

    /// The bonds that would show the handedness of a centre, the best first.
    fn choices(&self, atom: usize, coordinates: &[[f64; 2]]) -> Vec<Choice> {
        let neighbours = self.neighbours(atom);
        let orders = neighbours.iter().map(|n| self.bond(n.bond()).kekule_order());
        if neighbours.len() > 4 || !drawn::may_be_drawn(self.atom(atom).element(), orders) {
            return Vec::new();
        }
        let ray = |to: usize| Ray {
            x: coordinates[to][0] - coordinates[atom][0],
            y: coordinates[to][1] - coordinates[atom][1],
            lift: 0.0,
        };
        let mut choices = Vec::new();
        for (place, neighbour) in neighbours.iter().enumerate() {
            if self.bond(neighbour.bond()).kekule_order() != BondOrder::Single {
                continue;
            }
            let mut rays = [Ray::default(); 4];
            for (ray_there, n) in rays.iter_mut().zip(neighbours) {
                *ray_there = ray(n.atom());
            }
            rays[place].lift = 1.0;
            let seen = drawn::chirality(&mut rays[..neighbours.len()]);
            if seen.is_tetrahedral() {
                choices.push(Choice {
                    bond: neighbour.bond(),
                    up: seen == self.atom(atom).chirality(),
                    penalty: self.penalty(neighbour.atom(), neighbour.bond()),
                });
            }
        }
        choices.sort_by_key(|c| (c.penalty, c.bond));
        choices
    }

    /// How unusual a wedge on the bond to this neighbour would look.
    fn penalty(&self, neighbour: usize, bond: usize) -> u32 {
        let there = self.atom(neighbour);
        let ring = if self.bond(bond).in_ring() { 40 } else { 0 };
        let centre = if there.chirality() == crate::Chirality::None { 0 } else { 20 };
        let double = self
            .neighbours(neighbour)
            .iter()
            .any(|n| self.bond(n.bond()).kekule_order() == BondOrder::Double);
        let size = match self.degree(neighbour) {
            1 if there.element() == Element::H => 0,
            1 => 1,
            degree => 2 + degree as u32,
        };
        ring + centre + size + if double { 3 } else { 0 }
    }
}

struct Choice {
    bond: usize,
    up: bool,
    penalty: u32,
}

/// Finds a bond for a centre, moving others to their next choices where needed. Notes for whose
/// sake each centre was asked last.
fn take_bond(
    centres: &[(usize, Vec<Choice>)],
    owner: &mut [Option<usize>],
    asked: &mut [usize],
    centre: usize,
) -> bool {
    // The path of centres that ask, each with the number of its next choice.
    let mut path = vec![(centre, 0)];
    asked[centre] = centre;
    while let Some((asking, next)) = path.last_mut() {
        let Some(choice) = centres[*asking].1.get(*next) else {
            path.pop();
            continue;
        };
        *next += 1;
        match owner[choice.bond] {
            Some(holder) if asked[holder] != centre => {
                asked[holder] = centre;
                path.push((holder, 0));
            }
            Some(_) => {}
            None => {
                for &(asking, next) in path.iter().rev() {
                    owner[centres[asking].1[next - 1].bond] = Some(asking);
                }
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::Molecule;

    #[test]
    fn the_end_of_a_chain_is_lifted() {
        let molecule = Molecule::from_smiles("CC[C@H](F)CCC").unwrap();
        let places = [
            [-2.6, 0.0],
            [-1.3, 0.75],
            [0.0, 0.0],
            [0.0, -1.5],
            [1.3, 0.75],
            [2.6, 0.0],
            [3.9, 0.75],
        ];
        let wedging = molecule.wedges(&places);
        assert_eq!(wedging.undrawn, [0; 0]);
        let [wedge] = wedging.wedges[..] else { panic!("{wedging:?}") };
        assert_eq!(molecule.bond(wedge.bond).other(2), 3);
        assert_eq!(wedge.centre, 2);
        let mirrored = Molecule::from_smiles("CC[C@@H](F)CCC").unwrap().wedges(&places);
        assert_eq!(mirrored.wedges[0].towards_viewer, !wedge.towards_viewer);
    }

    #[test]
    fn centres_without_a_free_bond_move_others_over() {
        // Every carbon of the cube is a centre, with three bonds to others.
        let cubane = "[C@]12(F)[C@@]3(Cl)[C@]4(F)[C@@]1(Br)[C@@]1(I)[C@]4(F)[C@@]3(Cl)[C@]21Br";
        let Ok(molecule) = Molecule::from_smiles(cubane) else { panic!("{cubane}") };
        let places: Vec<[f64; 2]> = (0..molecule.atom_count())
            .map(|i| {
                [
                    (i as f64 * 2.4).sin() * (1.0 + i as f64),
                    (i as f64 * 2.4).cos() * (2.0 + i as f64),
                ]
            })
            .collect();
        let wedging = molecule.wedges(&places);
        let marked = molecule.atoms().iter().filter(|a| a.chirality().is_tetrahedral()).count();
        assert_eq!(wedging.wedges.len(), marked);
        let mut bonds: Vec<usize> = wedging.wedges.iter().map(|w| w.bond).collect();
        bonds.sort_unstable();
        bonds.dedup();
        assert_eq!(bonds.len(), marked);
    }
}
