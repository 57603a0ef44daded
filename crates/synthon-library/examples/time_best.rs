//! How long the shipped library takes on the products of known reactions: its fifty best templates
//! for each, the whole library, an expansion. `benchmarks/rdchiral_times.py` times rdchiral on the
//! products and templates that are written to OUTPUT:
//!
//! `cargo run --release --example time_best -p synthon-library -- REACTIONS OUTPUT [EVERY]`
#![allow(clippy::print_stdout)]

use std::fs::{self, File};
use std::time::{Duration, Instant};

use synthon_budget::Budget;
use synthon_library::{ExtractedLibrary, ProposeOptions, ReactionColumns, ReactionReader, Scratch};
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::{ApplyOptions, IndexScratch, MappedReaction};

/// Templates a product.
const BEST: usize = 50;
/// Of this many runs the shortest counts.
const RUNS: usize = 5;

fn main() {
    let mut words = std::env::args().skip(1);
    let reactions = words.next().expect("a file of reactions");
    let output = words.next().expect("a file to write");
    let every: usize = words.next().map_or(50, |n| n.parse().expect("a number"));
    let start = Instant::now();
    let library = ExtractedLibrary::shipped();
    println!("{} templates opened in {:?}", library.len(), start.elapsed());
    library.iter().for_each(|t| assert!(t.template().is_some(), "{}", t.smarts()));
    let file = File::open(&reactions).expect("a file");
    let reader = ReactionReader::new(&reactions, file, &ReactionColumns::default()).expect("reads");
    let products: Vec<Molecule> = reader
        .step_by(every)
        .filter_map(|record| {
            let reaction = MappedReaction::from_smiles(&record.ok()?.reaction).ok()?;
            Molecule::from_smiles(&reaction.product().to_unmapped_smiles()).ok()
        })
        .collect();
    let (mut scratch, mut applying) = (Scratch::new(), synthon_reaction::Scratch::new());
    let (mut index, mut found) = (IndexScratch::default(), Vec::new());
    let options = ProposeOptions::default();
    let mut lines = String::new();
    let mut times: [Vec<Duration>; 3] = Default::default();
    for product in &products {
        let expansion = library.expand(product, &options, &mut scratch, &mut Budget::unlimited());
        let mut best: Vec<usize> = Vec::new();
        for proposal in &expansion.proposals {
            for template in std::iter::once(proposal.template).chain(proposal.also.clone()) {
                if best.len() < BEST && !best.contains(&template) {
                    best.push(template);
                }
            }
        }
        lines.push_str(&product.to_smiles());
        best.iter().for_each(|&t| lines.push_str(&format!("\t{}", library.get(t).smarts())));
        lines.push('\n');
        let mut shortest = [Duration::MAX; 3];
        for _ in 0..RUNS {
            let start = Instant::now();
            let target = Target::new(product);
            for &position in &best {
                let template = library.get(position).template().expect("checked above");
                let budget = &mut Budget::unlimited();
                template.apply_to(&target, &ApplyOptions::default(), &mut applying, budget);
            }
            shortest[0] = shortest[0].min(start.elapsed());
            let start = Instant::now();
            let profile = TargetProfile::new(product);
            let target = Target::with_profile(product, &profile);
            library.candidates(&profile, &mut index, &mut found);
            for &position in &found {
                let template = library.get(position as usize).template().expect("checked above");
                let budget = &mut Budget::unlimited();
                template.apply_to(&target, &ApplyOptions::default(), &mut applying, budget);
            }
            shortest[1] = shortest[1].min(start.elapsed());
            let start = Instant::now();
            library.expand(product, &options, &mut scratch, &mut Budget::unlimited());
            shortest[2] = shortest[2].min(start.elapsed());
        }
        times.iter_mut().zip(shortest).for_each(|(times, time)| times.push(time));
    }
    fs::write(&output, lines).expect("the output is written");
    let what = ["fifty best templates", "whole library", "expansion"];
    for (what, times) in what.into_iter().zip(&mut times) {
        times.sort_unstable();
        let n = times.len();
        let mean = times.iter().sum::<Duration>() / n.max(1) as u32;
        println!(
            "{what}: mean {mean:?}, median {:?}, nine of ten {:?} ({n} products)",
            times[n / 2],
            times[n * 9 / 10]
        );
    }
}
