//! `cargo xtask data stock`: makes the shipped stock from the reactions of the shared data.
//!
//! The rule. A molecule counts as *used* once for each distinct reaction of the two files that has
//! it among its reactants and not among its products, and as *made* once for each that has it among
//! its products only. Sides are taken apart at their dots, so that an entry is one molecule or ion.
//! It is taken when
//!
//! 1. its InChIKey is in a list of starting materials of PaRoutes (Genheden and Bjerrum 2022), or
//!    it is used at least twice, is not mainly made (at most half as often made as used) and has at
//!    most 25 heavy atoms: what is larger, and in no list, is an intermediate of a single project;
//! 2. it is no radical, which is how a metal or a carbene without its ligands is read, and has no
//!    isotope but deuterium.
//!
//! An ion enters as its neutral parent, by which it is found; those that have none (azide, cyanide,
//! phosphonium, the metal part of a Grignard reagent) as they are.
//!
//! The commodity chemicals of `data/stock/reagents.tsv` are added. Equal molecules are one entry,
//! stereo counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use flate2::read::GzDecoder;
use synthon_mol::Molecule;
use synthon_stock::{build_index, neutral_parent};
use synthon_toolkit::inchi_key;

use crate::precedents::REACTIONS;
use crate::workspace;

const LISTS: [&str; 2] = ["paroutes_n1_inchikeys.txt.gz", "paroutes_n5_inchikeys.txt.gz"];

/// Heavy atoms of the largest molecule that is taken for its use alone.
const LARGEST: usize = 25;

#[derive(Default)]
struct Count {
    used: u32,
    made: u32,
}

/// What the reactions say.
#[derive(Default)]
struct Reactions {
    counts: BTreeMap<String, Count>,
    seen: BTreeSet<(BTreeSet<String>, BTreeSet<String>)>,
}

/// Why a molecule is in the stock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Used,
    Listed,
}

pub fn run() -> Result<()> {
    let root = workspace::root();
    let shared = workspace::shared_data()?.context("the shared data are not there")?;
    let mut reactions = Reactions::default();
    for (file, column) in REACTIONS {
        reactions.read(&shared.join("reactions").join(file), column)?;
    }
    let listed = lists(&shared.join("stock"))?;
    let mut entries: BTreeMap<(usize, String), (String, &str)> = BTreeMap::new();
    let (mut used, mut beside) = (0, 0);
    for (key, why) in chosen(&reactions.counts, &listed)? {
        let source = if why == Why::Listed { "paroutes" } else { "" };
        *(if why == Why::Listed { &mut beside } else { &mut used }) += 1;
        entries.insert(key, (String::new(), source));
    }
    let folder = root.join("data/stock");
    let reagents = fs::read_to_string(folder.join("reagents.tsv"))?;
    for (number, line) in reagents.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        let (smiles, name) = line.split_once('\t').context("reagents.tsv: SMILES, tab, name")?;
        let molecule = Molecule::from_smiles(smiles)
            .with_context(|| format!("reagents.tsv, line {}", number + 1))?;
        let entry = entries.entry(key_of(&molecule)).or_insert((String::new(), "reagents"));
        if !entry.0.is_empty() {
            bail!("reagents.tsv: {smiles} stands there twice");
        }
        entry.0 = name.to_owned();
    }
    let mut text = String::new();
    for ((_, smiles), (name, source)) in &entries {
        text.push_str(format!("{smiles}\t{name}\t{source}").trim_end());
        text.push('\n');
    }
    fs::write(folder.join("uspto-blocks.smi"), &text)?;
    fs::write(folder.join("uspto-blocks.index"), build_index(&text)?)?;
    println!(
        "{} molecules: of {} reactants in {} reactions {used} for their use, {beside} for the lists \
         alone, and {} reagents beside them",
        entries.len(),
        reactions.counts.values().filter(|c| c.used > 0).count(),
        reactions.seen.len(),
        entries.len() - used - beside
    );
    Ok(())
}

/// The InChIKeys of the lists.
fn lists(folder: &Path) -> Result<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    for file in LISTS {
        let path = folder.join(file);
        let open = fs::File::open(&path).with_context(|| path.display().to_string())?;
        for line in BufReader::new(GzDecoder::new(open)).lines() {
            keys.insert(line?.trim().to_owned());
        }
    }
    Ok(keys)
}

/// Place in the order of the stock: heavy atoms, then text.
type Key = (usize, String);

fn key_of(molecule: &Molecule) -> Key {
    (molecule.heavy_atom_count(), molecule.to_smiles())
}

/// What is taken, and why.
fn chosen(
    counts: &BTreeMap<String, Count>,
    listed: &BTreeSet<String>,
) -> Result<BTreeMap<Key, Why>> {
    let used: Vec<(&String, &Count)> = counts.iter().filter(|(_, c)| c.used > 0).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = used.len().div_ceil(workers).max(1);
    let judge = |part: &[(&String, &Count)]| -> Result<Vec<(Key, Why)>> {
        let mut taken = Vec::new();
        for (smiles, count) in part {
            let molecule = Molecule::from_smiles(smiles)?;
            if let Some(why) = why(&molecule, count, listed) {
                let sold = neutral_parent(&molecule).unwrap_or(molecule);
                taken.push((key_of(&Molecule::from_smiles(&sold.to_smiles())?), why));
            }
        }
        Ok(taken)
    };
    thread::scope(|scope| {
        let parts: Vec<_> =
            used.chunks(share).map(|part| scope.spawn(move || judge(part))).collect();
        let mut all: BTreeMap<Key, Why> = BTreeMap::new();
        for part in parts {
            for (key, why) in part.join().map_err(|_| anyhow!("a worker panicked"))?? {
                // An ion and its parent are one entry; use counts for more than a list.
                let known = all.entry(key).or_insert(why);
                *known = (*known).min(why);
            }
        }
        Ok(all)
    })
}

fn why(molecule: &Molecule, count: &Count, listed: &BTreeSet<String>) -> Option<Why> {
    let whole = molecule.atoms().iter().all(|atom| {
        let deuterium = atom.atomic_number() == 1 && atom.isotope() == 2;
        atom.radical_electrons() == 0 && (atom.isotope() == 0 || deuterium)
    });
    if !whole {
        return None;
    }
    let by_use =
        count.used >= 2 && count.made * 2 <= count.used && molecule.heavy_atom_count() <= LARGEST;
    if by_use {
        return Some(Why::Used);
    }
    // A molecule without an InChIKey is in no list.
    let key = inchi_key(molecule).ok()?;
    listed.contains(&key).then_some(Why::Listed)
}

impl Reactions {
    /// Counts the molecules of a file of reactions, `reactants>>products` in a tab-separated
    /// column.
    fn read(&mut self, file: &Path, column: usize) -> Result<()> {
        let reader = BufReader::new(GzDecoder::new(fs::File::open(file)?));
        for line in reader.lines() {
            let line = line?;
            let Some(field) = line.split('\t').nth(column) else { continue };
            let reaction = field.split_whitespace().next().unwrap_or_default();
            // A header has no arrow.
            let Some((reactants, products)) = reaction.split_once(">>") else { continue };
            let (reactants, products) = (molecules(reactants), molecules(products));
            if self.seen.contains(&(reactants.clone(), products.clone())) {
                continue;
            }
            for smiles in reactants.difference(&products) {
                self.counts.entry(smiles.clone()).or_default().used += 1;
            }
            for smiles in products.difference(&reactants) {
                self.counts.entry(smiles.clone()).or_default().made += 1;
            }
            self.seen.insert((reactants, products));
        }
        Ok(())
    }
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
