//! `made_library COUNT`: a library of molecules that nobody owns, as SMILES lines, the same ones on
//! every machine. Each is what a curated template makes forwards of blocks of the shipped stock.
#![allow(clippy::print_stdout)]

use std::collections::HashSet;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_library::Library;
use synthon_mol::Molecule;
use synthon_query::{Matcher, Pattern, Target};
use synthon_reaction::{ApplyOptions, Scratch, Template, combine};
use synthon_stock::Stock;
use synthon_testkit::Random;

/// Blocks tried for one side of a template.
const POOL: usize = 4_000;
/// Heavy atoms of a product, as in libraries that are screened.
const SIZES: std::ops::RangeInclusive<usize> = 12..=45;
/// Draws for each template in one round.
const DRAWS: usize = 2_000;
const ROUNDS: usize = 400;

/// A template and, for each component that it wants, the blocks that have it.
struct Recipe<'l> {
    id: &'l str,
    forward: &'l Template,
    pools: Vec<Vec<u32>>,
}

fn main() -> Result<()> {
    let wanted: usize = std::env::args().nth(1).context("how many molecules?")?.parse()?;
    let stock = Stock::embedded();
    let blocks: Vec<Molecule> = stock
        .entries()
        .filter_map(|entry| Molecule::from_smiles(entry.smiles).ok())
        .filter(|block| block.atom_count() <= 30 && block.components().0 == 1)
        .collect();
    let library = Library::curated();
    let recipes: Vec<Recipe<'_>> = library
        .templates()
        .par_iter()
        .filter_map(|template| recipe(template.id(), template.forward()?, &blocks))
        .collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut seen: HashSet<u128> = HashSet::new();
    for round in 0..ROUNDS {
        for (number, recipe) in recipes.iter().enumerate() {
            let made: Vec<Option<(u128, String)>> = (0..DRAWS)
                .into_par_iter()
                .map_init(Scratch::new, |scratch, draw| {
                    let seed = ((round * recipes.len() + number) * DRAWS + draw) as u64;
                    make(recipe, &blocks, &mut Random::new(seed), scratch)
                })
                .collect();
            for (key, smiles) in made.into_iter().flatten() {
                if seen.insert(key) {
                    writeln!(out, "{smiles} {}-{}", recipe.id, seen.len())?;
                    if seen.len() == wanted {
                        return Ok(out.flush()?);
                    }
                }
            }
        }
    }
    anyhow::bail!("no more than {} molecules came out", seen.len())
}

fn recipe<'l>(id: &'l str, forward: &'l Template, blocks: &[Molecule]) -> Option<Recipe<'l>> {
    let text = forward.smarts();
    let sides = components(text.split_once(">>")?.0);
    if sides.len() > 2 {
        return None;
    }
    let mut order: Vec<u32> = (0..blocks.len() as u32).collect();
    Random::new(id.bytes().map(u64::from).sum()).shuffle(&mut order);
    let mut matcher = Matcher::new();
    let mut pools = Vec::new();
    for side in sides {
        let pattern = Pattern::from_smarts(side).ok()?;
        let pool: Vec<u32> = order
            .iter()
            .copied()
            .filter(|&b| matcher.matches(&pattern, &Target::new(&blocks[b as usize])))
            .take(POOL)
            .collect();
        if pool.is_empty() {
            return None;
        }
        pools.push(pool);
    }
    Some(Recipe { id, forward, pools })
}

/// The components of a reaction's side: the pieces between dots outside of brackets.
fn components(side: &str) -> Vec<&str> {
    let (mut depth, mut start, mut pieces) = (0i32, 0, Vec::new());
    for (at, byte) in side.bytes().enumerate() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth -= 1,
            b'.' if depth == 0 => {
                pieces.push(&side[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&side[start..]);
    pieces
}

fn make(
    recipe: &Recipe<'_>,
    blocks: &[Molecule],
    random: &mut Random,
    scratch: &mut Scratch,
) -> Option<(u128, String)> {
    let picked: Vec<Molecule> =
        recipe.pools.iter().map(|pool| blocks[*random.pick(pool) as usize].clone()).collect();
    let mixture = combine(&picked).ok()?;
    let mut budget = Budget::unlimited().with_node_limit(100_000);
    let options = ApplyOptions::default().max_matches(8);
    let applied = recipe.forward.apply_with(&mixture, &options, scratch, &mut budget);
    let product = applied.outcomes.first()?.precursors.first()?;
    let good = SIZES.contains(&product.atom_count());
    good.then(|| (product.canonical_key(), product.to_unmapped_smiles()))
}
