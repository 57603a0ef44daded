//! `cargo xtask data precedents`: counts for each curated template the reactions of the shared data
//! that it accounts for.
//!
//! A reaction counts when the template, applied to its product, proposes its reactants, commodity
//! reagents of the shipped stock aside: the data leave them out, or name another oxidant. Where
//! some template proposes exactly the reactants, only such count. Stereo is counted. The file has
//! the template's word, the number of those reactions, and the number of products for which the
//! template proposed anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use synthon_budget::Budget;
use synthon_library::{Library, Scratch};
use synthon_mol::Molecule;
use synthon_stock::Stock;

use crate::workspace;

/// Files of reactions and the column of each that holds them.
pub const REACTIONS: [(&str, usize); 2] =
    [("uspto50k_train_mapped.tsv.gz", 2), ("uspto_mit_70k_mapped.smi.gz", 0)];

#[derive(Clone, Copy, Default)]
struct Count {
    accounts_for: u32,
    proposes: u32,
}

pub fn run() -> Result<()> {
    let shared = workspace::shared_data()?.context("the shared data are not there")?;
    let library = Library::curated();
    let stock = Stock::embedded();
    let mut counts = vec![Count::default(); library.len()];
    let (mut reactions, mut explained) = (0u32, 0u32);
    let mut by_class: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut scratch = Scratch::new();
    for (file, column) in REACTIONS {
        let path = shared.join("reactions").join(file);
        let reader = BufReader::new(GzDecoder::new(fs::File::open(path)?));
        for line in reader.lines() {
            let line = line?;
            let Some(reaction) = line.split('\t').nth(column) else { continue };
            let reaction = reaction.split_whitespace().next().unwrap_or_default();
            let Some((reactants, products)) = reaction.split_once(">>") else { continue };
            let Some((product, reactants)) = step(reactants, products, &stock) else { continue };
            reactions += 1;
            let class = if column == 0 { "-" } else { line.split('\t').next().unwrap_or("-") };
            let found = explain(&library, &stock, &product, &reactants, &mut counts, &mut scratch);
            explained += u32::from(found);
            let entry = by_class.entry(class.to_owned()).or_default();
            entry.0 += 1;
            entry.1 += u32::from(found);
        }
    }
    let mut text = String::from(
        "# template, reactions that it accounts for, products for which it proposes anything\n",
    );
    for (named, count) in library.templates().iter().zip(&counts) {
        text.push_str(&format!("{}\t{}\t{}\n", named.id(), count.accounts_for, count.proposes));
    }
    fs::write(workspace::root().join("data/curated/precedents.tsv"), text)?;
    println!("{explained} of {reactions} reactions accounted for");
    for (class, (all, found)) in by_class {
        println!("  class {class}: {found} of {all}");
    }
    Ok(())
}

/// Keys of the reactants of a reaction.
struct Reactants {
    all: BTreeSet<u128>,
    /// Those that are no commodity reagents.
    special: BTreeSet<u128>,
}

fn is_reagent(stock: &Stock, molecule: &Molecule) -> bool {
    stock.contains(molecule).entry().is_some_and(|entry| entry.name.is_some())
}

/// The product, read without maps, and the reactants; `None` where a side cannot be read or there
/// is not one product.
fn step(reactants: &str, products: &str, stock: &Stock) -> Option<(Molecule, Reactants)> {
    let plain = |text: &str| {
        let molecule = Molecule::from_smiles(text).ok()?;
        Molecule::from_smiles(&molecule.to_unmapped_smiles()).ok()
    };
    if products.contains('.') {
        return None;
    }
    let molecules: Vec<Molecule> = reactants.split('.').map(plain).collect::<Option<_>>()?;
    let special = molecules.iter().filter(|m| !is_reagent(stock, m));
    let reactants = Reactants {
        all: molecules.iter().map(Molecule::canonical_key).collect(),
        special: special.map(Molecule::canonical_key).collect(),
    };
    Some((plain(products)?, reactants))
}

fn explain(
    library: &Library,
    stock: &Stock,
    product: &Molecule,
    reactants: &Reactants,
    counts: &mut [Count],
    scratch: &mut Scratch,
) -> bool {
    let expansion = library.expand(product, scratch, &mut Budget::unlimited());
    let mut proposing = BTreeSet::new();
    let (mut exactly, mut reagents_aside) = (BTreeSet::new(), BTreeSet::new());
    for proposal in &expansion.proposals {
        let templates = || proposal.also.iter().copied().chain([proposal.template]);
        proposing.extend(templates());
        let precursors = &proposal.outcome.precursors;
        let keys: BTreeSet<u128> = precursors.iter().map(Molecule::canonical_key).collect();
        if keys == reactants.all {
            exactly.extend(templates());
        }
        let special: BTreeSet<u128> = precursors
            .iter()
            .filter(|molecule| !is_reagent(stock, molecule))
            .map(Molecule::canonical_key)
            .collect();
        if !special.is_empty() && special == reactants.special {
            reagents_aside.extend(templates());
        }
    }
    let explaining = if exactly.is_empty() { reagents_aside } else { exactly };
    for template in proposing {
        counts[template].proposes += 1;
    }
    for &template in &explaining {
        counts[template].accounts_for += 1;
    }
    !explaining.is_empty()
}
