//! Patterns and templates.

use std::hint::black_box;

use benchmarks::{PATTERNS, TEMPLATES, drug_like};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Matcher, Pattern, Target};
use synthon_reaction::{Scratch, Template};

fn molecules() -> Vec<Molecule> {
    drug_like()
        .map(|text| Molecule::from_smiles(text).expect("the benchmark's molecules are right"))
        .collect()
}

fn patterns() -> Vec<Pattern> {
    PATTERNS
        .iter()
        .map(|text| Pattern::from_smarts(text).expect("the benchmark's patterns are right"))
        .collect()
}

fn templates() -> Vec<Template> {
    TEMPLATES
        .iter()
        .map(|text| Template::from_smarts(text).expect("the benchmark's templates are right"))
        .collect()
}

fn smarts(criterion: &mut Criterion) {
    let molecules = molecules();
    let targets: Vec<Target> = molecules.iter().map(Target::new).collect();
    let patterns = patterns();
    let mut group = criterion.benchmark_group("smarts");
    group.throughput(Throughput::Elements(PATTERNS.len() as u64));
    group.bench_function("compile", |bencher| bencher.iter(|| black_box(patterns_from_text())));
    group.throughput(Throughput::Elements((molecules.len() * patterns.len()) as u64));
    group.bench_function("first match", |bencher| {
        let mut matcher = Matcher::new();
        bencher.iter(|| {
            let pairs = targets.iter().flat_map(|t| patterns.iter().map(move |p| (p, t)));
            pairs.filter(|(pattern, target)| matcher.matches(pattern, target)).count()
        });
    });
    group.bench_function("all matches, molecules prepared anew", |bencher| {
        bencher.iter(|| {
            let pairs = molecules.iter().flat_map(|m| patterns.iter().map(move |p| (p, m)));
            pairs
                .map(|(pattern, molecule)| {
                    pattern.find_all(molecule, usize::MAX, &mut Budget::unlimited()).len()
                })
                .sum::<usize>()
        });
    });
    group.finish();
}

fn patterns_from_text() -> usize {
    PATTERNS.iter().filter(|text| black_box(Pattern::from_smarts(text)).is_ok()).count()
}

fn template(criterion: &mut Criterion) {
    let (molecules, templates) = (molecules(), templates());
    let mut group = criterion.benchmark_group("template");
    group.throughput(Throughput::Elements((molecules.len() * templates.len()) as u64));
    group.bench_function("apply", |bencher| {
        let mut scratch = Scratch::new();
        bencher.iter(|| {
            let pairs = molecules.iter().flat_map(|m| templates.iter().map(move |t| (t, m)));
            pairs
                .map(|(template, molecule)| {
                    template.apply(molecule, &mut scratch, &mut Budget::unlimited()).outcomes.len()
                })
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, smarts, template);
criterion_main!(benches);
