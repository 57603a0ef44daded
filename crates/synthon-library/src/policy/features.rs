//! What the policy sees of a way to make a molecule.

use synthon_mol::Molecule;
use synthon_reaction::{Note, Origin, Outcome};

use super::environment::{PRECURSOR_RADIUS, PRODUCT_RADIUS, environments, feature, mix};

/// Numbers that describe a set of precursors beside its features.
pub(super) const DENSE: usize = 24;
/// Templates that give the same precursors, beside the best, which the policy sees.
const OTHERS: usize = 3;
/// A share of nothing seen, so that a template without applications has a low one.
const PRIOR: [f32; 2] = [0.2, 4.0];
/// Least share against which odds are reckoned.
const LEAST: f32 = 0.02;

/// A product, looked at once for all ways to make it.
#[derive(Debug, Default)]
pub(super) struct Product {
    around: [Vec<u64>; PRODUCT_RADIUS + 1],
    pub atoms: usize,
    /// Surroundings of all atoms, as features, each once, ascending.
    pub features: Vec<u32>,
}

impl Product {
    pub fn of(molecule: &Molecule) -> Product {
        let around = environments(molecule);
        let mut features: Vec<u32> = around[..PRODUCT_RADIUS]
            .iter()
            .enumerate()
            .flat_map(|(radius, atoms)| {
                atoms.iter().map(move |&code| feature(40 + radius as u64, code, 0))
            })
            .collect();
        features.sort_unstable();
        features.dedup();
        Product { around, atoms: molecule.atom_count(), features }
    }
}

/// The parts of a candidate that depend on its precursors alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Surroundings of each atom of the centre in the product.
    centre: Vec<[u64; PRODUCT_RADIUS + 1]>,
    /// Surroundings of each atom of the centre, and of each new atom, in the precursors.
    changed: Vec<[u64; PRECURSOR_RADIUS + 1]>,
    /// Numbers of the precursors.
    pub molecules: Vec<u32>,
    /// Atoms of the precursors: all, of the largest, of the smallest.
    sizes: [usize; 3],
    new_atoms: usize,
    /// Stereocentres lost and made, double bonds whose geometry is lost.
    stereo: [bool; 3],
}

impl Shape {
    /// `keys` are the canonical keys of the precursors, in their order.
    pub fn of(product: &Product, outcome: &Outcome, keys: &[u128]) -> Shape {
        let centre = outcome
            .changed_atoms
            .iter()
            .map(|&atom| std::array::from_fn(|radius| product.around[radius][atom as usize]))
            .collect();
        let mut shape = Shape { centre, sizes: [0, 0, usize::MAX], ..Shape::default() };
        shape.molecules = keys.iter().copied().map(number).collect();
        for (molecule, origins) in outcome.precursors.iter().zip(&outcome.origins) {
            let around: [Vec<u64>; PRECURSOR_RADIUS + 1] = environments(molecule);
            for (atom, origin) in origins.iter().enumerate() {
                let changes = match origin {
                    Origin::New => true,
                    Origin::Product(atom) => outcome.changed_atoms.binary_search(atom).is_ok(),
                };
                shape.new_atoms += usize::from(*origin == Origin::New);
                if changes {
                    shape.changed.push(std::array::from_fn(|radius| around[radius][atom]));
                }
            }
            let atoms = molecule.atom_count();
            shape.sizes =
                [shape.sizes[0] + atoms, shape.sizes[1].max(atoms), shape.sizes[2].min(atoms)];
        }
        for note in &outcome.notes {
            match note {
                Note::CentreLost(_) => shape.stereo[0] = true,
                Note::CentreMade(_) => shape.stereo[1] = true,
                Note::DoubleBondLost(..) => shape.stereo[2] = true,
                _ => {}
            }
        }
        shape
    }

    /// Features, each once, ascending.
    pub fn features(&self, template: u32, core: u32, others: &[u32], out: &mut Vec<u32>) {
        out.clear();
        let (template, core) = (u64::from(template), u64::from(core));
        out.push(feature(1, template, 0));
        out.push(feature(3, core, 0));
        out.extend(others.iter().map(|&other| feature(2, u64::from(other), 0)));
        let mut whole_centre = [0u64; PRODUCT_RADIUS + 1];
        for atom in &self.centre {
            for (radius, &code) in atom.iter().enumerate() {
                let kind = radius as u64;
                if radius < PRODUCT_RADIUS {
                    out.push(feature(4 + kind, code, 0));
                }
                out.push(feature(8 + kind, core, code));
                whole_centre[radius] = whole_centre[radius].wrapping_add(mix(code));
            }
        }
        for (kind, &whole) in (12..).zip(&whole_centre).skip(1) {
            out.push(feature(kind, core, whole));
        }
        for atom in &self.changed {
            for (radius, &code) in atom.iter().enumerate() {
                out.push(feature(16 + radius as u64, code, 0));
            }
            out.push(feature(20, core, atom[1]));
        }
        out.extend(self.molecules.iter().map(|&number| feature(30, u64::from(number), 0)));
        out.sort_unstable();
        out.dedup();
    }
}

/// What is known of templates and molecules beside what they are.
pub(super) trait Experience {
    /// Products for which the template gave the recorded precursors, and those for which it gave
    /// any.
    fn uses(&self, template: u32) -> [f32; 2];
    /// Reactions that the molecule was a reactant of.
    fn reactions_of(&self, molecule: u32) -> f32;

    /// How often a template is right where it applies, as the logarithm of the odds.
    fn odds(&self, template: u32) -> f32 {
        log_odds(self.share(template))
    }

    fn share(&self, template: u32) -> f32 {
        let [right, applicable] = self.uses(template);
        (right + PRIOR[0]) / (applicable + PRIOR[1])
    }
}

fn log_odds(share: f32) -> f32 {
    (share / (1.0 - share).max(LEAST)).ln()
}

/// A candidate as the policy sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Of the templates that give it, the one that is right most often.
    pub template: u32,
    pub core: u32,
    /// Features, each once.
    pub features: Vec<u32>,
    pub dense: [f32; DENSE],
    /// What is to be thought of it when nothing else is known.
    pub prior: f32,
}

/// Looks at a candidate. `by` are the templates that give it, each with the number of distinct
/// sets that it gives for the product; there is at least one.
pub(super) fn look(
    product: &Product,
    shape: &Shape,
    by: &[(u32, u32)],
    core_of: impl Fn(u32) -> u32,
    experience: &impl Experience,
) -> Seen {
    let mut ranked: Vec<(f32, u32, u32)> =
        by.iter().map(|&(template, sets)| (experience.odds(template), template, sets)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (odds, template, sets) = ranked[0];
    let others: Vec<u32> = ranked[1..].iter().take(OTHERS).map(|&(_, other, _)| other).collect();
    let core = core_of(template);
    let mut features = Vec::new();
    shape.features(template, core, &others, &mut features);
    let right = |template: u32| experience.uses(template)[0];
    let most = by.iter().map(|&(template, _)| right(template)).fold(0.0, f32::max);
    let shares: f32 = by.iter().map(|&(template, _)| experience.share(template)).sum();
    let seen = shape.molecules.iter().map(|&m| experience.reactions_of(m).ln_1p());
    let (least_seen, most_seen) = seen.fold((9.0f32, 0.0f32), |(a, b), n| (a.min(n), b.max(n)));
    let [all, largest, smallest] = shape.sizes.map(|size| size as f32);
    let atoms = product.atoms as f32;
    let number = shape.molecules.len();
    let flag = |yes: bool| f32::from(u8::from(yes));
    let ln_sets = (sets as f32).ln();
    let values = [
        right(template).ln_1p() * 0.3,
        odds * 0.4,
        (by.len() as f32).ln(),
        most.ln_1p() * 0.3,
        ln_sets,
        flag(number == 1),
        flag(number >= 3),
        largest / all,
        shape.new_atoms as f32 / 10.0,
        least_seen * 0.5,
        most_seen * 0.5,
        flag(most_seen == 0.0),
        flag(least_seen > 0.0),
        flag(shape.stereo[0]),
        flag(shape.stereo[1]),
        flag(shape.stereo[2]),
        atoms / 40.0,
        smallest / 10.0,
        log_odds(shares) * 0.4,
        largest / atoms,
        (all - atoms) / 10.0,
        1.0,
    ];
    let mut dense = [0.0; DENSE];
    dense[..values.len()].copy_from_slice(&values);
    Seen { template, core, features, dense, prior: odds - 0.3 * ln_sets }
}

/// The number by which the policy knows a molecule.
pub(super) fn number(key: u128) -> u32 {
    (mix(key as u64 ^ (key >> 64) as u64) >> 32) as u32
}
