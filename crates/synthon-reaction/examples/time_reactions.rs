//! Times the application of templates: reads `template<TAB>molecule` lines, then reports the mean
//! time of applying each template to its own molecule, of trying all templates on a molecule with
//! and without the index, and of the parts.
#![allow(clippy::print_stdout)]

use std::io::BufRead;
use std::time::Instant;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::{ApplyOptions, IndexScratch, Scratch, Template, TemplateIndex};

fn main() {
    let lines: Vec<String> =
        std::io::stdin().lock().lines().collect::<Result<_, _>>().expect("readable input");
    let start = Instant::now();
    let pairs: Vec<(Template, Molecule)> = lines
        .iter()
        .filter_map(|line| {
            let (template, molecule) = line.split_once('\t')?;
            Some((Template::from_smarts(template).ok()?, Molecule::from_smiles(molecule).ok()?))
        })
        .collect();
    println!("{} pairs read in {:?}", pairs.len(), start.elapsed());
    let profiles: Vec<TargetProfile> = pairs.iter().map(|p| TargetProfile::new(&p.1)).collect();
    let mut scratch = Scratch::new();
    let options = ApplyOptions::default();
    for _ in 0..3 {
        let start = Instant::now();
        let (mut outcomes, mut matches) = (0, 0);
        for ((template, molecule), profile) in pairs.iter().zip(&profiles) {
            let target = Target::with_profile(molecule, profile);
            let applied =
                template.apply_to(&target, &options, &mut scratch, &mut Budget::unlimited());
            outcomes += applied.outcomes.len();
            matches += applied.matches;
        }
        let each = start.elapsed().as_secs_f64() / pairs.len() as f64 * 1e6;
        println!("own template: {each:.2} us each, {matches} matches, {outcomes} outcomes");
    }
    let start = Instant::now();
    let index = TemplateIndex::new(pairs.iter().map(|p| &p.0));
    println!("index of {} templates built in {:?}", index.len(), start.elapsed());
    let molecules: Vec<usize> = (0..pairs.len()).step_by(10).collect();
    let start = Instant::now();
    let mut indexing = IndexScratch::default();
    let (mut found, mut candidates, mut applied, mut made) = (Vec::new(), 0, 0, 0);
    let mut searching = 0.0;
    for &m in &molecules {
        let target = Target::with_profile(&pairs[m].1, &profiles[m]);
        let began = Instant::now();
        index.candidates(&profiles[m], &mut indexing, &mut found);
        searching += began.elapsed().as_secs_f64();
        candidates += found.len();
        for &template in &found {
            let template = &pairs[template as usize].0;
            let answer =
                template.apply_to(&target, &options, &mut scratch, &mut Budget::unlimited());
            applied += usize::from(!answer.outcomes.is_empty());
            made += answer.outcomes.len();
        }
    }
    let each = start.elapsed().as_secs_f64() / molecules.len() as f64 * 1e6;
    let n = molecules.len();
    println!(
        "whole library: {each:.0} us a molecule ({:.1} us index), {:.4} us a template; {} candidates, {} apply, {} outcomes",
        searching / n as f64 * 1e6,
        each / pairs.len() as f64,
        candidates / n,
        applied / n,
        made / n,
    );
    let start = Instant::now();
    let mut without = 0;
    for &m in &molecules {
        let target = Target::with_profile(&pairs[m].1, &profiles[m]);
        for (template, _) in &pairs {
            let answer =
                template.apply_to(&target, &options, &mut scratch, &mut Budget::unlimited());
            without += answer.outcomes.len();
        }
    }
    let each = start.elapsed().as_secs_f64() / n as f64 * 1e6;
    println!(
        "without index: {each:.0} us a molecule, {} outcomes (must be equal: {made})",
        without
    );
}
