//! Fingerprints of molecules that are read already.

use std::hint::black_box;

use benchmarks::{HARD, drug_like};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use synthon_fp::{Fingerprinter, Scheme};
use synthon_mol::Molecule;

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).expect("the benchmark's molecules are right")
}

fn bits(criterion: &mut Criterion) {
    let molecules: Vec<Molecule> = drug_like().map(read).collect();
    for name in Scheme::NAMES {
        let scheme = Scheme::from_name(name).expect("a scheme");
        let size = scheme.fixed_size().unwrap_or(2048);
        let mut maker = Fingerprinter::new(scheme, size).expect("the size fits");
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(molecules.len() as u64));
        group.bench_function("drug_like", |bencher| {
            bencher.iter(|| {
                for molecule in &molecules {
                    black_box(maker.bits(molecule).expect("a fingerprint"));
                }
            });
        });
        group.throughput(Throughput::Elements(1));
        for (hard, text) in HARD {
            let molecule = read(text);
            group.bench_function(hard, |bencher| {
                bencher.iter(|| maker.bits(black_box(&molecule)).expect("a fingerprint"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bits);
criterion_main!(benches);
