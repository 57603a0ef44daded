//! Which bonds of the target a route makes.
//!
//! A bond is made by a route when in no building block its two atoms are still bonded. Atoms are
//! followed from the target down to every place where a building block is used, a molecule that
//! is used twice being followed twice.

use synthon_mol::Molecule;

use crate::chemistry::Chemistry;
use crate::marks::unmapped;
use crate::request::PlanRequest;
use crate::search::enumerate::Derivation;
use crate::search::graph::{Graph, MoleculeId, TARGET};

/// Most places followed in one route; no route that is returned comes near it.
const MAX_PLACES: usize = 10_000;

/// The bonds that must be made and those that must not, as pairs of places in the target's text.
#[derive(Clone, Debug, Default)]
pub(crate) struct BondRule {
    made: Vec<[u32; 2]>,
    kept: Vec<[u32; 2]>,
}

impl BondRule {
    /// The rule of a request, whose bonds are pairs of atoms of its target.
    pub fn new(request: &PlanRequest) -> Self {
        let asked = &request.constraints;
        if asked.break_bonds.is_empty() && asked.freeze_bonds.is_empty() {
            return BondRule::default();
        }
        let place = places_in_text(&request.target);
        let placed = |bonds: &[[u32; 2]]| {
            bonds
                .iter()
                .map(|bond| bond.map(|atom| place.get(atom as usize).copied().unwrap_or(u32::MAX)))
                .collect()
        };
        BondRule { made: placed(&asked.break_bonds), kept: placed(&asked.freeze_bonds) }
    }

    /// The constraint that a derivation fails, by name.
    pub fn fails(&self, graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Option<&'static str> {
        if self.made.is_empty() && self.kept.is_empty() {
            return None;
        }
        let intact = |bond: &[u32; 2], blocks: &[Block]| blocks.iter().any(|b| b.holds(*bond));
        let blocks = blocks(graph, route);
        if self.made.iter().any(|bond| intact(bond, &blocks)) {
            return Some("break_bonds");
        }
        self.kept.iter().any(|bond| !intact(bond, &blocks)).then_some("freeze_bonds")
    }
}

/// For each atom its place in the canonical text without maps.
fn places_in_text(molecule: &Molecule) -> Vec<u32> {
    let mut place = vec![u32::MAX; molecule.atom_count()];
    for (at, atom) in (0..).zip(unmapped(molecule).1) {
        place[atom as usize] = at;
    }
    place
}

/// A building block at one place of a route, and which atom of the target each of its atoms is.
struct Block {
    molecule: Molecule,
    atoms: Vec<Option<u32>>,
}

impl Block {
    fn holds(&self, [a, b]: [u32; 2]) -> bool {
        let find = |wanted: u32| self.atoms.iter().position(|&atom| atom == Some(wanted));
        match (find(a), find(b)) {
            (Some(a), Some(b)) => self.molecule.bond_between(a, b).is_some(),
            _ => false,
        }
    }
}

fn blocks(graph: &Graph<Chemistry<'_>>, route: &Derivation) -> Vec<Block> {
    let mut blocks = Vec::new();
    let target = Molecule::from_smiles(&graph.molecule(TARGET).molecule);
    let atoms = target.map_or(0, |target| target.atom_count() as u32);
    let mut waiting: Vec<(MoleculeId, Vec<Option<u32>>)> =
        vec![(TARGET, (0..atoms).map(Some).collect())];
    let mut places = 0;
    while let Some((molecule, atoms)) = waiting.pop() {
        places += 1;
        if places > MAX_PLACES {
            break;
        }
        let Some(Some(reaction)) = route.reaction_of(molecule) else {
            if let Ok(molecule) = Molecule::from_smiles(&graph.molecule(molecule).molecule) {
                blocks.push(Block { molecule, atoms });
            }
            continue;
        };
        let node = graph.reaction(reaction);
        let Some(replayed) = &node.reaction.replayed else { continue };
        for (which, &precursor) in node.precursors.iter().enumerate() {
            let mut below = Vec::new();
            for (atom, source) in replayed.sources.iter().enumerate() {
                if let Some((_, place)) = source.filter(|source| source.0 as usize == which) {
                    let place = place as usize;
                    below.resize(below.len().max(place + 1), None);
                    below[place] = atoms.get(atom).copied().flatten();
                }
            }
            waiting.push((precursor, below));
        }
    }
    blocks
}
