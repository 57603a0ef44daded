//! Prints random molecules, one a line: five spellings of each, tab separated.
//!
//! `cargo run -p synthon-testkit --example spellings -- 1000 42` (number, seed)
#![allow(clippy::print_stdout)]

use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut number = |default| numbers.next().map_or(default, |n| n.expect("a whole number"));
    let (count, seed) = (number(100), number(1));
    let mut random = Random::new(seed);
    for _ in 0..count {
        let molecule = RandomMolecule::new(&MoleculeShape::default(), &mut random);
        let spellings: Vec<String> = (0..5).map(|_| molecule.spell(&mut random)).collect();
        println!("{}", spellings.join("\t"));
    }
}
