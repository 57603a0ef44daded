//! `cargo xtask data stock`: makes the shipped stock from the reactions of the shared data.
//!
//! The rule. A molecule counts as *used* once for each reaction that has it among its reactants
//! and not among its products, and as *made* once for each reaction that has it among its products
//! only. It is taken when
//!
//! 1. it consists of the elements of ordinary reagents, is uncharged as a whole and no radical;
//! 2. it is used often for its size: at least twice up to 8 heavy atoms, 3 times up to 12, 4 times
//!    up to 15, 6 times up to 18; larger ones are intermediates of single projects and stay out;
//! 3. it is not mainly made: at most half as often made as used, a quarter above 10 heavy atoms;
//! 4. with more than 12 heavy atoms, it has at most three rings.
//!
//! The commodity chemicals of `data/stock/reagents.tsv` are added. Equal molecules are one entry.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use synthon_mol::Molecule;
use synthon_stock::build_index;

use crate::precedents::REACTIONS;
use crate::workspace;

/// H B C N O F Si P S Cl Br I, Li Na Mg K Cu Zn Sn.
const ELEMENTS: [u8; 19] = [1, 3, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 19, 29, 30, 35, 50, 53];

#[derive(Default)]
struct Count {
    used: u32,
    made: u32,
}

pub fn run() -> Result<()> {
    let root = workspace::root();
    let shared = workspace::shared_data()?.context("the shared data are not there")?;
    let reactions = shared.join("reactions");
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for (file, column) in REACTIONS {
        count(&reactions.join(file), column, &mut counts)?;
    }
    let mut entries: BTreeMap<(usize, String), (String, &str)> = BTreeMap::new();
    for (smiles, count) in &counts {
        let molecule = Molecule::from_smiles(smiles)?;
        if taken(&molecule, count) {
            entries.insert((molecule.heavy_atom_count(), smiles.clone()), (String::new(), ""));
        }
    }
    let from_reactions = entries.len();
    let folder = root.join("data/stock");
    let reagents = fs::read_to_string(folder.join("reagents.tsv"))?;
    for (number, line) in reagents.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        let (smiles, name) = line.split_once('\t').context("reagents.tsv: SMILES, tab, name")?;
        let molecule = Molecule::from_smiles(smiles)
            .with_context(|| format!("reagents.tsv, line {}", number + 1))?;
        let key = (molecule.heavy_atom_count(), molecule.to_smiles());
        let entry = entries.entry(key).or_insert((String::new(), "reagents"));
        if !entry.0.is_empty() {
            bail!("reagents.tsv: {smiles} stands there twice");
        }
        entry.0 = name.to_owned();
    }
    let mut text = String::new();
    for ((_, smiles), (name, source)) in &entries {
        text.push_str(smiles);
        if !name.is_empty() {
            text.push('\t');
            text.push_str(name);
            if !source.is_empty() {
                text.push('\t');
                text.push_str(source);
            }
        }
        text.push('\n');
    }
    fs::write(folder.join("uspto-blocks.smi"), &text)?;
    fs::write(folder.join("uspto-blocks.index"), build_index(&text)?)?;
    println!(
        "{} molecules: {from_reactions} of {} reactants, and {} reagents beside them",
        entries.len(),
        counts.values().filter(|c| c.used > 0).count(),
        entries.len() - from_reactions
    );
    Ok(())
}

fn taken(molecule: &Molecule, count: &Count) -> bool {
    let heavy = molecule.heavy_atom_count();
    let least = match heavy {
        0..=8 => 2,
        9..=12 => 3,
        13..=15 => 4,
        16..=18 => 6,
        _ => return false,
    };
    let allowed = if heavy <= 10 { 2 } else { 4 };
    count.used >= least
        && count.made * allowed <= count.used
        && molecule.charge() == 0
        && molecule.atoms().iter().all(|a| {
            a.radical_electrons() == 0 && ELEMENTS.contains(&a.atomic_number()) && a.isotope() == 0
        })
        && (heavy <= 12 || molecule.rings().sssr_count() <= 3)
}

/// Counts the molecules of a file of reactions, `reactants>>products` in a tab-separated column.
fn count(file: &Path, column: usize, counts: &mut BTreeMap<String, Count>) -> Result<()> {
    let reader = BufReader::new(GzDecoder::new(fs::File::open(file)?));
    for line in reader.lines() {
        let line = line?;
        let Some(field) = line.split('\t').nth(column) else { continue };
        let reaction = field.split_whitespace().next().unwrap_or_default();
        // A header has no arrow.
        let Some((reactants, products)) = reaction.split_once(">>") else { continue };
        let (reactants, products) = (molecules(reactants), molecules(products));
        for smiles in reactants.difference(&products) {
            counts.entry(smiles.clone()).or_default().used += 1;
        }
        for smiles in products.difference(&reactants) {
            counts.entry(smiles.clone()).or_default().made += 1;
        }
    }
    Ok(())
}

/// The molecules of one side, without atom maps; what cannot be read is left out.
fn molecules(side: &str) -> BTreeSet<String> {
    side.split('.')
        .filter_map(|text| Molecule::from_smiles(text).ok())
        .map(|molecule| molecule.to_unmapped_smiles())
        // Written without maps some hydrogens and stereo marks go; read once more for the rest.
        .filter_map(|text| Some(Molecule::from_smiles(&text).ok()?.to_smiles()))
        .collect()
}
