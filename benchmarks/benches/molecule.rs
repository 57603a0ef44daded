//! Reading and writing molecules.

use std::hint::black_box;

use benchmarks::{HARD, drug_like};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use synthon_mol::Molecule;

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).expect("the benchmark's molecules are right")
}

fn parse(criterion: &mut Criterion) {
    let texts: Vec<&str> = drug_like().collect();
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("drug_like", |bencher| {
        bencher.iter(|| texts.iter().for_each(|text| drop(black_box(read(text)))));
    });
    group.throughput(Throughput::Elements(1));
    for (name, text) in HARD {
        group.bench_function(name, |bencher| bencher.iter(|| read(black_box(text))));
    }
    group.finish();
}

fn canonical(criterion: &mut Criterion) {
    let molecules: Vec<Molecule> = drug_like().map(read).collect();
    let mut group = criterion.benchmark_group("canonical");
    group.throughput(Throughput::Elements(molecules.len() as u64));
    group.bench_function("drug_like", |bencher| {
        bencher
            .iter(|| molecules.iter().for_each(|molecule| drop(black_box(molecule.to_smiles()))));
    });
    group.throughput(Throughput::Elements(1));
    for (name, text) in HARD {
        let molecule = read(text);
        group.bench_function(name, |bencher| bencher.iter(|| black_box(&molecule).to_smiles()));
    }
    group.finish();
}

criterion_group!(benches, parse, canonical);
criterion_main!(benches);
