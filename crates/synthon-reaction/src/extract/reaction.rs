//! A mapped reaction: read, its product chosen, its atoms paired.

use std::collections::HashMap;
use std::sync::OnceLock;

use synthon_mol::{Molecule, ReadOptions, read_smiles};

use super::error::{ExtractError, ExtractErrorKind as Kind};

/// Atoms of a side that are accepted.
const MAX_ATOMS: usize = 1_000;

/// No atom.
pub(super) const NONE: u32 = u32::MAX;

/// An atom of a reactant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub reactant: u32,
    pub atom: u32,
}

/// A reaction with atom maps: one product, and the reactants that give it atoms.
#[derive(Clone, Debug)]
pub struct MappedReaction {
    product: Molecule,
    reactants: Vec<Molecule>,
    /// Where each atom of the product comes from.
    sources: Vec<Source>,
    /// For each atom of each reactant, the product atom that it becomes, or [`NONE`].
    targets: Vec<Vec<u32>>,
    /// Molecules of the text that were left out: reagents, by-products.
    left_out: usize,
    keys: OnceLock<Vec<u128>>,
}

impl MappedReaction {
    /// Reads `reactants>>product` or `reactants>agents>product`, molecules with atom maps.
    ///
    /// Of several products the one with the most atoms from the reactants is taken (of equals the
    /// larger, then the first); the others count as what leaves. Reactants that give the product
    /// no atom are reagents and left out, whether or not they stand between the arrows. Text behind
    /// white space is ignored.
    ///
    /// # Errors
    /// A text that is no reaction; a molecule that cannot be read; a map number twice on one side;
    /// a product with an atom that no reactant gives, or that an atom of another element gives; a
    /// product that stands among the reactants; more than 1,000 atoms a side.
    pub fn from_smiles(text: &str) -> Result<MappedReaction, ExtractError> {
        let text = text.split_whitespace().next().unwrap_or_default();
        let sides: Vec<&str> = text.split('>').collect();
        let &[before, _, after] = sides.as_slice() else {
            return Err(ExtractError::new(Kind::Arrow, "no `>>` between reactants and products")
                .with_hint("write reactants>>product, or reactants>agents>product"));
        };
        let mapped = |part: &&str| part.contains(':');
        let candidates: Vec<Molecule> = molecules(before.split('.').filter(mapped))?;
        let products: Vec<Molecule> = molecules(after.split('.').filter(mapped))?;
        let by_map = by_map(&candidates)?;
        let product = choose(products, &by_map).ok_or_else(|| {
            ExtractError::new(
                Kind::NotMapped,
                "no atom of the products has the map number of one of the reactants",
            )
            .with_hint("map the reaction first")
        })?;
        let (sources, gives) = pair(&product, &candidates, &by_map)?;
        let written = before.split('.').count() + after.split('.').count();
        Self::without_reagents(product, candidates, sources, &gives, written)
    }

    fn without_reagents(
        product: Molecule,
        candidates: Vec<Molecule>,
        mut sources: Vec<Source>,
        gives: &[bool],
        written: usize,
    ) -> Result<MappedReaction, ExtractError> {
        let mut place = vec![NONE; candidates.len()];
        let mut reactants = Vec::with_capacity(candidates.len());
        for (i, molecule) in candidates.into_iter().enumerate().filter(|&(i, _)| gives[i]) {
            place[i] = reactants.len() as u32;
            reactants.push(molecule);
        }
        let mut targets: Vec<Vec<u32>> =
            reactants.iter().map(|m| vec![NONE; m.atom_count()]).collect();
        for (atom, source) in sources.iter_mut().enumerate() {
            source.reactant = place[source.reactant as usize];
            targets[source.reactant as usize][source.atom as usize] = atom as u32;
        }
        let left_out = written - reactants.len() - 1;
        Ok(MappedReaction { product, reactants, sources, targets, left_out, keys: OnceLock::new() })
    }

    /// The product, with its atom maps.
    pub fn product(&self) -> &Molecule {
        &self.product
    }

    /// The reactants that give the product atoms, in the order of the text, with their maps.
    pub fn reactants(&self) -> &[Molecule] {
        &self.reactants
    }

    /// How many molecules of the text were left out as reagents or further products.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Canonical keys of the reactants, ascending: two reactions with equal products and equal
    /// keys are the same step.
    pub fn reactant_keys(&self) -> &[u128] {
        self.keys.get_or_init(|| {
            let mut keys: Vec<u128> = self.reactants.iter().map(Molecule::canonical_key).collect();
            keys.sort_unstable();
            keys
        })
    }

    /// The reaction without maps, `reactants>>product`, in canonical SMILES.
    pub fn to_unmapped_smiles(&self) -> String {
        let mut reactants: Vec<String> =
            self.reactants.iter().map(Molecule::to_unmapped_smiles).collect();
        reactants.sort_unstable();
        format!("{}>>{}", reactants.join("."), self.product.to_unmapped_smiles())
    }

    /// Where an atom of the product comes from.
    pub(super) fn source(&self, atom: usize) -> (&Molecule, Source) {
        let source = self.sources[atom];
        (&self.reactants[source.reactant as usize], source)
    }

    /// The product atom that an atom of a reactant becomes, or [`NONE`].
    pub(super) fn target(&self, reactant: usize, atom: usize) -> u32 {
        self.targets[reactant][atom]
    }
}

fn molecules<'t>(parts: impl Iterator<Item = &'t str>) -> Result<Vec<Molecule>, ExtractError> {
    let options = ReadOptions { max_atoms: MAX_ATOMS, ..ReadOptions::default() };
    let mut total = 0;
    parts
        .map(|part| {
            let molecule = read_smiles(part, &options).map_err(|error| {
                ExtractError::new(Kind::Molecule, error.to_string()).in_part(part)
            })?;
            total += molecule.atom_count();
            if total > MAX_ATOMS {
                let message = format!("more than {MAX_ATOMS} atoms on a side");
                return Err(ExtractError::new(Kind::TooLarge, message));
            }
            Ok(molecule)
        })
        .collect()
}

fn by_map(reactants: &[Molecule]) -> Result<HashMap<u32, Source>, ExtractError> {
    let mut by_map = HashMap::new();
    for (reactant, molecule) in (0..).zip(reactants) {
        for (atom, map) in (0..).zip(molecule.atoms().iter().map(|a| a.map())) {
            if map != 0 && by_map.insert(map, Source { reactant, atom }).is_some() {
                return Err(repeated(map, "reactants"));
            }
        }
    }
    Ok(by_map)
}

fn repeated(map: u32, side: &str) -> ExtractError {
    ExtractError::new(
        Kind::RepeatedMap,
        format!("map number {map} occurs more than once among the {side}"),
    )
    .with_hint("give each atom of a side its own number")
}

/// The product with the most atoms from the reactants.
fn choose(products: Vec<Molecule>, by_map: &HashMap<u32, Source>) -> Option<Molecule> {
    let mut best: Option<(usize, usize, Molecule)> = None;
    for molecule in products {
        let given = molecule.atoms().iter().filter(|a| by_map.contains_key(&a.map())).count();
        let size = molecule.atom_count();
        let better = best.as_ref().is_none_or(|b| (given, size) > (b.0, b.1));
        if given > 0 && better {
            best = Some((given, size, molecule));
        }
    }
    best.map(|(_, _, molecule)| molecule)
}

/// Pairs the atoms of the product with those of the reactants, and tells which reactants give any.
fn pair(
    product: &Molecule,
    reactants: &[Molecule],
    by_map: &HashMap<u32, Source>,
) -> Result<(Vec<Source>, Vec<bool>), ExtractError> {
    let mut sources = Vec::with_capacity(product.atom_count());
    let mut gives = vec![false; reactants.len()];
    let mut used: Vec<u32> = Vec::with_capacity(product.atom_count());
    let mut missing = 0;
    for atom in product.atoms() {
        let Some(&source) = by_map.get(&atom.map()) else {
            missing += 1;
            continue;
        };
        let from = reactants[source.reactant as usize].atom(source.atom as usize);
        if from.element() != atom.element() {
            return Err(ExtractError::new(
                Kind::ElementChanges,
                format!(
                    "map number {} stands on {} among the reactants and on {} in the product",
                    atom.map(),
                    from.element(),
                    atom.element()
                ),
            ));
        }
        gives[source.reactant as usize] = true;
        used.push(atom.map());
        sources.push(source);
    }
    used.sort_unstable();
    if let Some(pair) = used.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(repeated(pair[0], "products"));
    }
    if missing > 0 {
        return Err(ExtractError::new(
            Kind::UnmappedProduct,
            format!("{missing} atoms of the product come from no reactant"),
        )
        .with_hint("add the reagent that brings them to the reactants"));
    }
    Ok((sources, gives))
}
