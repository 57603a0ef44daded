//! A table of vectors in whole numbers of a byte, with a scale for each.

/// Vectors of equal width, quantised row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    pub width: usize,
    pub scales: Vec<f32>,
    pub values: Vec<i8>,
}

impl Rows {
    /// The nearest that whole numbers from -127 to 127 allow.
    pub fn quantised(width: usize, values: &[f32]) -> Rows {
        let mut rows = Rows { width, ..Rows::default() };
        for row in values.chunks_exact(width) {
            let largest = row.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
            // A scale of two bytes is what the file holds.
            let scale = shortened(largest / 127.0);
            let scale = if scale * 127.0 < largest { next_up(scale) } else { scale };
            rows.scales.push(scale);
            let step = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            rows.values.extend(row.iter().map(|value| (value * step).round() as i8));
        }
        rows
    }

    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Adds a row to a vector of the same width.
    pub fn add_to(&self, row: u32, sum: &mut [f32]) {
        let row = row as usize;
        let scale = self.scales[row];
        let values = &self.values[row * self.width..][..self.width];
        for (sum, &value) in sum.iter_mut().zip(values) {
            *sum += scale * f32::from(value);
        }
    }

    /// The product of a row with a vector of the same width.
    pub fn dot(&self, row: u32, with: &[f32]) -> f32 {
        let row = row as usize;
        let values = &self.values[row * self.width..][..self.width];
        let sum: f32 = values.iter().zip(with).map(|(&value, with)| f32::from(value) * with).sum();
        self.scales[row] * sum
    }
}

/// The upper half of a number's bits (the format bfloat16), as a number.
pub(super) fn shortened(value: f32) -> f32 {
    f32::from_bits(value.to_bits() & 0xffff_0000)
}

/// The next larger of the shortened positive numbers.
fn next_up(value: f32) -> f32 {
    f32::from_bits((value.to_bits() & 0xffff_0000) + 0x1_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back_within_half_a_step() {
        let values = [0.5f32, -1.0, 0.25, 0.0, 0.0, 0.0, 3.0, 1e-3, -2.0];
        let rows = Rows::quantised(3, &values);
        assert_eq!(rows.len(), 3);
        for (row, wanted) in values.chunks(3).enumerate() {
            let mut sum = [0.0; 3];
            rows.add_to(row as u32, &mut sum);
            for (got, wanted) in sum.iter().zip(wanted) {
                assert!((got - wanted).abs() <= 0.5 * rows.scales[row] + 1e-9, "{got} {wanted}");
            }
            let dot = rows.dot(row as u32, &[1.0, 2.0, -1.0]);
            assert!((dot - (sum[0] + 2.0 * sum[1] - sum[2])).abs() < 1e-6);
        }
    }
}
