//! Routes to the twelve drugs, with templates and stock loaded.

use benchmarks::{DRUGS, find_routes};
use criterion::{Criterion, criterion_group, criterion_main};
use synthon_tools::Catalogue;

fn planning(criterion: &mut Criterion) {
    let catalogue = Catalogue::shipped();
    let mut group = criterion.benchmark_group("find_routes");
    group.sample_size(10);
    for (name, smiles) in DRUGS {
        group.bench_function(name, |bencher| {
            bencher.iter(|| find_routes(&catalogue, smiles, 200).expect("the targets are right"));
        });
    }
    group.finish();
}

criterion_group!(benches, planning);
criterion_main!(benches);
