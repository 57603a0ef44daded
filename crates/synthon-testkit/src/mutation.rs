//! Texts that are nearly right.

use crate::Random;

/// Characters that mean something in SMILES, the rare ones too.
const ALPHABET: &[u8] = b"CNOPSFIBHclnospbraei[]()=#$:-+@/\\.%0123456789*~";

/// One random change of one character: inserted, left out, replaced, or swapped with the next.
/// The text should be ASCII; the result of an empty text is one character.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let letter = *random.pick(ALPHABET);
    match (random.below(4), bytes.len()) {
        (0, length) => bytes.insert(random.below(length + 1), letter),
        (_, 0) => bytes.push(letter),
        (1, length) => {
            bytes.remove(random.below(length));
        }
        (3, length) if length > 1 => {
            let at = random.below(length - 1);
            bytes.swap(at, at + 1);
        }
        (_, length) => bytes[random.below(length)] = letter,
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_changes_at_most_one_place() {
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            let text = mutate("CC(=O)Nc1ccc(O)cc1", &mut random);
            assert!((17..=19).contains(&text.len()), "{text}");
        }
        assert_eq!(mutate("", &mut random).len(), 1);
    }
}
