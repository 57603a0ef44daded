//! What a step says when it is run forwards: balance, atom economy, the products that the
//! template gives from its precursors.

use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_mol::{
    AtomSpec, BondStereo, Chirality, Hydrogens, MolError, Molecule, MoleculeBuilder,
};

use crate::apply::Scratch;
use crate::outcome::{ApplyOptions, Components};
use crate::template::Template;

/// Elements of a step counted on both sides, hydrogen left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Elements of which the target has more atoms than the precursors together, by atomic
    /// number, with how many are missing.
    pub missing: Vec<(u8, u32)>,
    /// Elements of which the precursors have more, with how many are left over.
    pub left_over: Vec<(u8, u32)>,
}

impl Balance {
    /// From how many atoms of each element the target has more than the precursors.
    pub(crate) fn from_counts(counts: impl IntoIterator<Item = (u8, i64)>) -> Balance {
        let mut balance = Balance::default();
        for (element, count) in counts {
            match u32::try_from(count.unsigned_abs()).unwrap_or(u32::MAX) {
                0 => {}
                n if count > 0 => balance.missing.push((element, n)),
                n => balance.left_over.push((element, n)),
            }
        }
        balance
    }

    /// Whether no element is missing.
    pub fn is_balanced(&self) -> bool {
        self.missing.is_empty()
    }
}

/// Counts the elements of a step; hydrogen is left out, since reagents that bring or take it are
/// not written.
pub fn balance<'a>(
    precursors: impl IntoIterator<Item = &'a Molecule>,
    target: &Molecule,
) -> Balance {
    let mut counts: BTreeMap<u8, i64> = BTreeMap::new();
    for atom in target.atoms() {
        *counts.entry(atom.atomic_number()).or_default() += 1;
    }
    for atom in precursors.into_iter().flat_map(Molecule::atoms) {
        *counts.entry(atom.atomic_number()).or_default() -= 1;
    }
    counts.remove(&1);
    Balance::from_counts(counts)
}

/// Whether the atom economy of a step can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomEconomyStatus {
    /// It can.
    Evaluated,
    /// The target has atoms other than hydrogen that no precursor brings.
    Unbalanced,
    /// The target has more hydrogen than the precursors: a reducing agent is not written.
    HydrogenFromReagent,
}

impl AtomEconomyStatus {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            AtomEconomyStatus::Evaluated => "evaluated",
            AtomEconomyStatus::Unbalanced => "unbalanced",
            AtomEconomyStatus::HydrogenFromReagent => "hydrogen_from_reagent",
        }
    }
}

/// How much of the precursors' mass ends up in the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtomEconomy {
    /// Average mass of the target divided by that of the precursors together, above 0 and at
    /// most 1; `None` unless the status is [`AtomEconomyStatus::Evaluated`].
    pub value: Option<f64>,
    /// Whether, and if not why not.
    pub status: AtomEconomyStatus,
}

/// Atom economy of a step (B. M. Trost, *Science* 1991, 254, 1471): molar mass of the target over
/// that of all precursors. Precursors count once for each time that they are listed; reagents and
/// catalysts that the template does not write are not counted.
pub fn atom_economy(precursors: &[Molecule], target: &Molecule) -> AtomEconomy {
    let none = |status| AtomEconomy { value: None, status };
    if !balance(precursors, target).is_balanced() {
        return none(AtomEconomyStatus::Unbalanced);
    }
    let hydrogens = |m: &Molecule| -> u64 {
        m.atoms().iter().map(|a| u64::from(a.hydrogens()) + u64::from(a.atomic_number() == 1)).sum()
    };
    if hydrogens(target) > precursors.iter().map(hydrogens).sum() {
        return none(AtomEconomyStatus::HydrogenFromReagent);
    }
    let mass: f64 = precursors.iter().map(Molecule::average_mass).sum();
    AtomEconomy {
        value: Some((target.average_mass() / mass).min(1.0)),
        status: AtomEconomyStatus::Evaluated,
    }
}

/// What the forward template makes of a step's precursors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardCheck {
    /// Whether the target, stereo included, is among the products.
    pub reproduces_target: bool,
    /// Whether it is when stereo is left out.
    pub reproduces_without_stereo: bool,
    /// How many distinct products (sets of products, where a template makes several) there are.
    pub distinct_products: usize,
    /// Set when the same template also gives other products from the same precursors: a sentence
    /// that says how many.
    pub selectivity_warning: Option<String>,
    /// Whether a limit cut the enumeration; the count is then a lower bound.
    pub truncated: bool,
}

/// Runs a template forwards on precursors and compares what comes out with the target.
///
/// `forward` is the reversed template, see [`Template::reversed`]. Precursors react with each
/// other, each with its own component of the template; only where there are fewer precursors than
/// components (a ring closes) may two components lie in one precursor.
pub fn forward_check(
    forward: &Template,
    precursors: &[Molecule],
    target: &Molecule,
    options: &ApplyOptions,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> ForwardCheck {
    let Ok(mixture) = combine(precursors) else { return ForwardCheck::default() };
    let free = precursors.len() < forward.product_pattern().graph().component_count();
    let options = if free { options.components(Components::Free) } else { *options };
    let applied = forward.apply_with(&mixture, &options, scratch, budget);
    let wanted = target.canonical_key();
    let mut check = ForwardCheck {
        distinct_products: applied.outcomes.len(),
        truncated: applied.truncated,
        ..ForwardCheck::default()
    };
    let mut products = applied.outcomes.iter().flat_map(|o| &o.precursors);
    check.reproduces_target = products.any(|m| m.canonical_key() == wanted);
    check.reproduces_without_stereo = check.reproduces_target || {
        let wanted = without_stereo(target).map(|m| m.canonical_key()).ok();
        wanted.is_some()
            && applied.outcomes.iter().flat_map(|o| &o.precursors).any(|m| {
                m.atom_count() == target.atom_count()
                    && without_stereo(m).map(|m| m.canonical_key()).ok() == wanted
            })
    };
    if check.distinct_products > 1 {
        let others = check.distinct_products - usize::from(check.reproduces_without_stereo);
        check.selectivity_warning = Some(format!(
            "the same reaction can also give {}{others} other product{} from these precursors",
            if check.truncated { "at least " } else { "" },
            if others == 1 { "" } else { "s" },
        ));
    }
    check
}

/// Puts molecules side by side in one.
///
/// # Errors
/// None for molecules that were built; the builder's, should it refuse what it has built before.
pub fn combine(molecules: &[Molecule]) -> Result<Molecule, MolError> {
    let mut builder = MoleculeBuilder::new();
    for molecule in molecules {
        copy_into(&mut builder, molecule, true);
    }
    builder.build()
}

fn without_stereo(molecule: &Molecule) -> Result<Molecule, MolError> {
    let mut builder = MoleculeBuilder::new();
    copy_into(&mut builder, molecule, false);
    builder.build()
}

/// Appends a molecule to a builder, with or without its stereo.
pub(crate) fn copy_into(builder: &mut MoleculeBuilder, molecule: &Molecule, stereo: bool) {
    let offset = builder.atoms().len();
    for atom in molecule.atoms() {
        let mut spec = AtomSpec::new(atom.element());
        spec.charge = atom.charge();
        spec.isotope = atom.isotope();
        spec.hydrogens = Hydrogens::Exactly(atom.hydrogens());
        spec.aromatic = atom.is_aromatic();
        spec.map = atom.map();
        spec.chirality = if stereo { atom.chirality() } else { Chirality::None };
        builder.add_atom(spec);
    }
    for bond in molecule.bonds() {
        let index = builder.add_bond(bond.begin() + offset, bond.end() + offset, bond.order());
        builder.bond_mut(index).stereo = if stereo { bond.stereo() } else { BondStereo::None };
    }
}
