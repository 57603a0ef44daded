//! Outcomes in order, each once.
//!
//! Canonical keys tell whether two sets of precursors are the same, but cost as much as building
//! the molecules. Most outcomes differ in much simpler properties; keys are worked out only where
//! those are equal.

use synthon_mol::{Chirality, Molecule};

use crate::outcome::Outcome;

/// Sorts outcomes by the digests of their precursors, then by their keys, and drops repetitions.
pub(crate) fn distinct(outcomes: Vec<Outcome>) -> Vec<Outcome> {
    if outcomes.len() < 2 {
        return outcomes;
    }
    let mut sorted: Vec<(u64, Outcome)> =
        outcomes.into_iter().map(|outcome| (digest_of_set(&outcome), outcome)).collect();
    sorted.sort_by_key(|(digest, _)| *digest);
    let mut found = Vec::with_capacity(sorted.len());
    let mut rest = sorted.into_iter().peekable();
    while let Some((digest, outcome)) = rest.next() {
        if rest.peek().is_none_or(|(next, _)| *next != digest) {
            found.push(outcome);
            continue;
        }
        let mut equal = vec![(keys(&outcome), outcome)];
        while let Some((_, outcome)) = rest.next_if(|(next, _)| *next == digest) {
            equal.push((keys(&outcome), outcome));
        }
        equal.sort_by(|a, b| a.0.cmp(&b.0));
        equal.dedup_by(|b, a| a.0 == b.0);
        found.extend(equal.into_iter().map(|(_, outcome)| outcome));
    }
    found
}

fn keys(outcome: &Outcome) -> Vec<u128> {
    let mut keys: Vec<u128> = outcome.precursors.iter().map(Molecule::canonical_key).collect();
    keys.sort_unstable();
    keys
}

/// The same for equal sets of precursors, however they are numbered.
fn digest_of_set(outcome: &Outcome) -> u64 {
    outcome.precursors.iter().map(|m| mix(digest(m))).fold(0, u64::wrapping_add)
}

/// The same for equal molecules, however they are numbered: the sum over all atoms of what
/// stands around them up to three bonds away.
fn digest(molecule: &Molecule) -> u64 {
    let mut around: Vec<u64> = molecule
        .atoms()
        .iter()
        .enumerate()
        .map(|(index, atom)| {
            let properties = u64::from(atom.atomic_number())
                | u64::from(atom.charge() as u8) << 8
                | u64::from(atom.hydrogens()) << 16
                | u64::from(atom.is_aromatic()) << 24
                | u64::from(atom.in_ring()) << 25
                | u64::from(atom.chirality() != Chirality::None) << 26
                | u64::from(atom.isotope()) << 32
                | (molecule.degree(index) as u64) << 48;
            mix(properties)
        })
        .collect();
    let mut next = Vec::with_capacity(around.len());
    for _ in 0..3 {
        next.clear();
        next.extend((0..around.len()).map(|atom| {
            let neighbours = molecule.neighbours(atom).iter();
            let sum = neighbours
                .map(|n| mix(around[n.atom()] ^ molecule.bond(n.bond()).order() as u64))
                .fold(0, u64::wrapping_add);
            mix(around[atom].rotate_left(17) ^ sum)
        }));
        std::mem::swap(&mut around, &mut next);
    }
    around.into_iter().fold(0, u64::wrapping_add)
}

/// The finaliser of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::digest;
    use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};

    #[test]
    fn the_digest_does_not_depend_on_the_numbering() {
        for text in [
            "CC(=O)Nc1ccc(O)cc1",
            "C[C@H](N)C(=O)O",
            "OC/C=C/c1c[nH]c2ccccc12",
            "[O-][N+](=O)c1ccc2nsnc2c1",
            "[Na+].CC(=O)[O-]",
        ] {
            let molecule = Molecule::from_smiles(text).expect(text);
            for seed in 0..20 {
                let order = AtomOrder::Random(seed);
                let other = write_smiles(&molecule, &WriteOptions { order, ..Default::default() });
                let other = Molecule::from_smiles(&other.text).expect("its own text");
                assert_eq!(digest(&other), digest(&molecule), "{text}, seed {seed}");
            }
        }
    }

    #[test]
    fn unlike_molecules_have_unlike_digests() {
        let texts = ["CCCCO", "CCC(C)O", "CCOCC", "CC(C)CO", "CCCC=O", "CCCC[O-]", "C1CCC1O"];
        let mut digests: Vec<u64> =
            texts.iter().map(|text| digest(&Molecule::from_smiles(text).expect(text))).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), texts.len());
    }
}
