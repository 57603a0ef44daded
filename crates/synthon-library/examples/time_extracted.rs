//! How long a built library takes to open, and to be tried on molecules as a whole: `cargo run
//! --release --example time_extracted -p synthon-library -- FOLDER MOLECULES.smi [EVERY]`
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use synthon_budget::Budget;
use synthon_library::{ExtractedLibrary, LibraryLimits};
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::{ApplyOptions, IndexScratch, Scratch, Template};

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().expect("a folder"));
    let molecules = words.next().expect("a file of molecules");
    let every: usize = words.next().map_or(1, |n| n.parse().expect("a number"));
    let start = Instant::now();
    let library = ExtractedLibrary::open(&folder, &LibraryLimits::default()).expect("a library");
    println!("{} templates opened in {:?}", library.len(), start.elapsed());
    let texts = std::fs::read_to_string(molecules).expect("a file");
    let molecules: Vec<Molecule> = texts
        .lines()
        .step_by(every)
        .filter_map(|line| Molecule::from_smiles(line.split_whitespace().next()?).ok())
        .collect();
    let start = Instant::now();
    let fixed = library
        .iter()
        .filter(|t| Template::from_smarts(t.smarts()).is_ok_and(|read| read.smarts() == t.smarts()))
        .count();
    println!("{fixed} of {} texts are canonical ({:?})", library.len(), start.elapsed());
    let start = Instant::now();
    let compiled = library.iter().filter(|t| t.template().is_some()).count();
    println!("{compiled} compiled in {:?}", start.elapsed());
    let (mut indexing, mut scratch) = (IndexScratch::default(), Scratch::new());
    let mut found = Vec::new();
    for round in 0..2 {
        let (mut search, mut whole) = (Duration::ZERO, Vec::new());
        let (mut tried, mut applicable, mut outcomes) = (0, 0, 0);
        for molecule in &molecules {
            let start = Instant::now();
            let profile = TargetProfile::new(molecule);
            library.candidates(&profile, &mut indexing, &mut found);
            search += start.elapsed();
            let target = Target::with_profile(molecule, &profile);
            tried += found.len();
            for &position in &found {
                let Some(template) = library.get(position as usize).template() else { continue };
                let options = ApplyOptions::default();
                let applied =
                    template.apply_to(&target, &options, &mut scratch, &mut Budget::unlimited());
                applicable += usize::from(!applied.is_empty());
                outcomes += applied.outcomes.len();
            }
            whole.push(start.elapsed());
        }
        let n = molecules.len();
        whole.sort_unstable();
        let mean = whole.iter().sum::<Duration>() / n as u32;
        println!(
            "round {round}: {n} molecules, whole library mean {mean:?} median {:?} ({:.3} us a template), index {:?}; {} tried, {} applicable, {} outcomes",
            whole[n / 2],
            mean.as_secs_f64() * 1e6 / library.len() as f64,
            search / n as u32,
            tried / n,
            applicable / n,
            outcomes / n
        );
    }
}
