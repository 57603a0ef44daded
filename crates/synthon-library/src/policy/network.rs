//! The network that ranks ways to make a molecule.
//!
//! A product is the sum of what its atoms' surroundings contribute, rectified: `u`. A candidate is
//! the sum of what its features contribute, a part that follows from `u`, and one from its
//! numbers; rectified: `h`. Its score is `v h + d numbers + sum of single weights + u (t + c)`,
//! with a vector `t` of its template and `c` of its reaction centre. Scores of the candidates of
//! a product become shares by the exponential function, and shares become probabilities by a table
//! that was measured.

use super::features::{DENSE, Experience, Seen};
use super::rows::Rows;

/// Width of what describes a candidate.
pub(super) const HIDDEN: usize = 32;
/// Width of what describes a product.
pub(super) const PRODUCT: usize = 64;

/// Numbers of features or molecules, ascending, with the row of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    words: Vec<u32>,
    /// How far the bits are shifted that tell where a word may stand.
    shift: u32,
    /// The first row of each value of those bits, and the number of rows. Words are hashes, so that
    /// each value has about one; of words that are none, a search by halves takes more steps.
    starts: Vec<u32>,
}

impl Vocabulary {
    /// `words` ascend strictly.
    pub fn new(words: Vec<u32>) -> Vocabulary {
        let bits = words.len().next_power_of_two().trailing_zeros().clamp(1, 24);
        let shift = 32 - bits;
        let mut starts = vec![0u32; (1 << bits) + 1];
        for &word in &words {
            starts[(word >> shift) as usize + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        Vocabulary { words, shift, starts }
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn row(&self, word: u32) -> Option<u32> {
        let value = word.checked_shr(self.shift)? as usize;
        let (start, end) = (*self.starts.get(value)?, *self.starts.get(value + 1)?);
        let place = self.words[start as usize..end as usize].binary_search(&word).ok()?;
        Some(start + place as u32)
    }
}

/// A trained policy for the templates of one library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    pub(super) features: Vocabulary,
    /// Single weights of the features, and their vectors.
    pub(super) single: Vec<f32>,
    pub(super) vectors: Rows,
    pub(super) product_features: Vocabulary,
    pub(super) product_vectors: Rows,
    /// A row for each template, and for each reaction centre.
    pub(super) templates: Rows,
    pub(super) cores: Rows,
    /// `HIDDEN` rows of `DENSE`, `HIDDEN` rows of `PRODUCT`.
    pub(super) from_numbers: Vec<f32>,
    pub(super) from_product: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) output: Vec<f32>,
    pub(super) direct: Vec<f32>,
    /// For each template, for how many products it was right, and for how many applicable.
    pub(super) right: Vec<f32>,
    pub(super) applicable: Vec<f32>,
    pub(super) molecules: Vocabulary,
    pub(super) reactions_of: Vec<f32>,
    /// Pairs of share and probability, ascending; between them straight lines.
    pub(super) calibration: Vec<f32>,
}

impl Experience for Policy {
    fn uses(&self, template: u32) -> [f32; 2] {
        [self.right[template as usize], self.applicable[template as usize]]
    }

    fn reactions_of(&self, molecule: u32) -> f32 {
        self.molecules.row(molecule).map_or(0.0, |row| self.reactions_of[row as usize])
    }
}

impl Policy {
    /// Shares of the candidates of a product; they sum to 1.
    pub(super) fn shares(&self, product: &[u32], candidates: &[Seen]) -> Vec<f32> {
        let mut u = [0.0; PRODUCT];
        let mut known = 0;
        for row in product.iter().filter_map(|&feature| self.product_features.row(feature)) {
            self.product_vectors.add_to(row, &mut u);
            known += 1;
        }
        let scale = 1.0 / (known.max(1) as f32).sqrt();
        u.iter_mut().for_each(|value| *value = (*value * scale).max(0.0));
        let start: [f32; HIDDEN] =
            std::array::from_fn(|k| self.bias[k] + dot(&self.from_product[k * PRODUCT..], &u));
        let scores: Vec<f32> = candidates
            .iter()
            .map(|seen| {
                let mut h = start;
                let mut score = dot(&self.direct, &seen.dense);
                for row in seen.features.iter().filter_map(|&f| self.features.row(f)) {
                    self.vectors.add_to(row, &mut h);
                    score += self.single[row as usize];
                }
                for (k, value) in h.iter().enumerate() {
                    let value = value + dot(&self.from_numbers[k * DENSE..], &seen.dense);
                    score += self.output[k] * value.max(0.0);
                }
                score + self.templates.dot(seen.template, &u) + self.cores.dot(seen.core, &u)
            })
            .collect();
        shares(&scores)
    }

    /// The probability that a candidate with this share is the recorded one.
    pub(super) fn calibrated(&self, share: f32) -> f32 {
        let (points, _) = self.calibration.as_chunks::<2>();
        let above = points.partition_point(|&[at, _]| at < share);
        match (above.checked_sub(1).map(|below| points[below]), points.get(above)) {
            (Some([x, y]), Some(&[x2, y2])) => y + (y2 - y) * (share - x) / (x2 - x).max(1e-9),
            (Some([_, y]), None) | (None, Some(&[_, y])) => y,
            (None, None) => share,
        }
    }
}

/// Exponentials that sum to 1.
pub(super) fn shares(scores: &[f32]) -> Vec<f32> {
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut shares: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum.max(f32::MIN_POSITIVE));
    shares
}

/// Over the length of the second.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_others_are_not() {
        let words: Vec<u32> = (0..1000u32).map(|i| i * 64 + 5).collect();
        let vocabulary = Vocabulary::new(words.clone());
        for (row, &word) in words.iter().enumerate() {
            assert_eq!(vocabulary.row(word), Some(row as u32));
            assert_eq!(vocabulary.row(word + 1), None);
        }
        let spread: Vec<u32> = (0..1000u32).map(|i| i * 4_000_000 + 5).collect();
        let vocabulary = Vocabulary::new(spread.clone());
        assert_eq!(spread.iter().filter_map(|&word| vocabulary.row(word)).sum::<u32>(), 499_500);
        assert_eq!([0, 6, u32::MAX].map(|word| vocabulary.row(word)), [None; 3]);
        assert_eq!(Vocabulary::new(Vec::new()).row(5), None);
        assert_eq!(Vocabulary::default().row(5), None);
    }

    #[test]
    fn calibration_is_straight_between_points_and_level_beyond() {
        let policy =
            Policy { calibration: vec![0.1, 0.0, 0.5, 0.4, 1.0, 0.9], ..Policy::default() };
        for (share, wanted) in [(0.0, 0.0), (0.1, 0.0), (0.3, 0.2), (0.75, 0.65), (1.0, 0.9)] {
            assert!((policy.calibrated(share) - wanted).abs() < 1e-6, "{share}");
        }
        assert_eq!(Policy::default().calibrated(0.3), 0.3);
    }

    #[test]
    fn shares_sum_to_one() {
        let found = shares(&[1.0, 2.0, 1000.0, -1000.0]);
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(shares(&[]).is_empty());
    }
}
