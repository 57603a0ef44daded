//! Fitting the network: stochastic gradients of the logarithmic loss over the candidates of a
//! product, with steps that shrink where gradients were large (J. Duchi, E. Hazan, Y. Singer,
//! *J. Mach. Learn. Res.* 2011, 12, 2121).

use super::environment::mix;
use super::features::{DENSE, Seen};
use super::network::{HIDDEN, PRODUCT, dot, shares};

/// A product whose recorded precursors are among its candidates; features are rows.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub product: Vec<u32>,
    pub candidates: Vec<Seen>,
    pub recorded: usize,
}

/// Numbers in the order of their making; the same for the same seed.
#[derive(Clone, Debug)]
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    fn unit(&mut self) -> f32 {
        unit(self.next())
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}

fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1u64 << 24) as f32
}

/// Vectors that learn row by row.
#[derive(Clone, Debug)]
pub(super) struct Table {
    width: usize,
    pub values: Vec<f32>,
    squares: Vec<f32>,
}

impl Table {
    fn new(rows: usize, width: usize, spread: f32, random: &mut Random) -> Table {
        let values = (0..rows * width).map(|_| (random.unit() - 0.5) * 2.0 * spread).collect();
        Table { width, values, squares: vec![1e-3; rows] }
    }

    fn row(&self, row: u32) -> &[f32] {
        &self.values[row as usize * self.width..][..self.width]
    }

    fn step(&mut self, row: u32, gradient: &[f32], rate: f32) {
        let square = gradient.iter().map(|g| g * g).sum::<f32>() / self.width as f32;
        let squares = &mut self.squares[row as usize];
        *squares += square;
        let by = rate / squares.sqrt();
        let values = &mut self.values[row as usize * self.width..][..self.width];
        values.iter_mut().zip(gradient).for_each(|(value, g)| *value -= by * g);
    }
}

/// Numbers that learn one by one.
#[derive(Clone, Debug)]
pub(super) struct Vector {
    pub values: Vec<f32>,
    squares: Vec<f32>,
}

impl Vector {
    fn new(length: usize, spread: f32, random: &mut Random) -> Vector {
        let values = (0..length).map(|_| (random.unit() - 0.5) * 2.0 * spread).collect();
        Vector { values, squares: vec![0.1; length] }
    }

    fn step(&mut self, gradient: &[f32], rate: f32) {
        for ((value, square), g) in self.values.iter_mut().zip(&mut self.squares).zip(gradient) {
            *square += g * g;
            *value -= rate * g / square.sqrt();
        }
    }
}

/// How the network is fitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// First step size; it falls to a tenth.
    pub rate: f32,
    /// The same for the rows of tables.
    pub table_rate: f32,
    /// Share of the features that are hidden in each step, so that none is relied upon.
    pub hidden: f32,
}

/// The network while it learns.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub single: Table,
    pub vectors: Table,
    pub product_vectors: Table,
    pub templates: Table,
    pub cores: Table,
    pub from_numbers: Vector,
    pub from_product: Vector,
    pub bias: Vector,
    pub output: Vector,
    pub direct: Vector,
}

/// What stays of an example when features are hidden.
struct Shown {
    salt: u64,
    share: f32,
}

impl Shown {
    fn is(&self, row: u32) -> bool {
        unit(mix(self.salt ^ u64::from(row))) < self.share
    }
}

impl Network {
    /// A network that knows nothing but that templates which were right are right.
    pub fn new(
        features: usize,
        product_features: usize,
        templates: usize,
        cores: usize,
        random: &mut Random,
    ) -> Network {
        let mut network = Network {
            single: Table::new(features, 1, 0.0, random),
            vectors: Table::new(features, HIDDEN, 0.05, random),
            product_vectors: Table::new(product_features, PRODUCT, 0.05, random),
            templates: Table::new(templates, PRODUCT, 0.02, random),
            cores: Table::new(cores, PRODUCT, 0.02, random),
            from_numbers: Vector::new(HIDDEN * DENSE, 0.2, random),
            from_product: Vector::new(HIDDEN * PRODUCT, 0.05, random),
            bias: Vector::new(HIDDEN, 0.0, random),
            output: Vector::new(HIDDEN, 0.2, random),
            direct: Vector::new(DENSE, 0.0, random),
        };
        // The odds of the template, which stand there times 0.4.
        network.direct.values[1] = 2.5;
        network
    }

    /// Goes through the examples of each pass once; the mean loss of each is returned.
    pub fn learn(
        &mut self,
        passes: &[&[Example]],
        course: &Course,
        random: &mut Random,
    ) -> Vec<f32> {
        (0..passes.len())
            .map(|pass| {
                let examples = passes[pass];
                let mut order: Vec<usize> = (0..examples.len()).collect();
                random.shuffle(&mut order);
                let fall = 1.0 - 0.9 * pass as f32 / passes.len() as f32;
                let now = Course {
                    rate: course.rate * fall,
                    table_rate: course.table_rate * fall,
                    ..*course
                };
                let loss: f64 =
                    order.iter().map(|&i| f64::from(self.step(&examples[i], &now, random))).sum();
                (loss / examples.len().max(1) as f64) as f32
            })
            .collect()
    }

    /// Learns from one example; its loss is returned.
    fn step(&mut self, example: &Example, course: &Course, random: &mut Random) -> f32 {
        let shown = Shown { salt: random.next(), share: 1.0 - course.hidden };
        let full = 1.0 / shown.share;
        let mut u = [0.0; PRODUCT];
        let product: Vec<u32> =
            example.product.iter().copied().filter(|&row| shown.is(!row)).collect();
        for &row in &product {
            u.iter_mut().zip(self.product_vectors.row(row)).for_each(|(u, x)| *u += x);
        }
        let scale = full / (example.product.len().max(1) as f32).sqrt();
        u.iter_mut().for_each(|value| *value = (*value * scale).max(0.0));
        let start: [f32; HIDDEN] = std::array::from_fn(|k| {
            self.bias.values[k] + dot(&self.from_product.values[k * PRODUCT..], &u)
        });
        let mut layers: Vec<[f32; HIDDEN]> = Vec::with_capacity(example.candidates.len());
        let mut scores = Vec::with_capacity(example.candidates.len());
        for seen in &example.candidates {
            let mut h = start;
            let mut score = dot(&self.direct.values, &seen.dense);
            for &row in seen.features.iter().filter(|&&row| shown.is(row)) {
                h.iter_mut().zip(self.vectors.row(row)).for_each(|(h, x)| *h += x * full);
                score += self.single.values[row as usize] * full;
            }
            for (k, h) in h.iter_mut().enumerate() {
                *h = (*h + dot(&self.from_numbers.values[k * DENSE..], &seen.dense)).max(0.0);
            }
            score += dot(&self.output.values, &h)
                + dot(self.templates.row(seen.template), &u)
                + dot(self.cores.row(seen.core), &u);
            scores.push(score);
            layers.push(h);
        }
        let shares = shares(&scores);
        let wrong = |place: usize| shares[place] - f32::from(u8::from(place == example.recorded));
        let mut of_u = [0.0; PRODUCT];
        let mut of_start = [0.0; HIDDEN];
        let mut of_output = [0.0; HIDDEN];
        let mut of_direct = [0.0; DENSE];
        let mut of_numbers = [0.0; HIDDEN * DENSE];
        for (place, seen) in example.candidates.iter().enumerate() {
            let g = wrong(place);
            if g.abs() < 1e-3 {
                continue;
            }
            let mut of_h = [0.0; HIDDEN];
            for (k, &h) in layers[place].iter().enumerate() {
                of_output[k] += g * h;
                if h > 0.0 {
                    of_h[k] = g * self.output.values[k];
                    of_start[k] += of_h[k];
                    let row = &mut of_numbers[k * DENSE..][..DENSE];
                    row.iter_mut().zip(&seen.dense).for_each(|(o, x)| *o += of_h[k] * x);
                }
            }
            of_direct.iter_mut().zip(&seen.dense).for_each(|(o, x)| *o += g * x);
            let of_vector = of_h.map(|value| value * full);
            for &row in seen.features.iter().filter(|&&row| shown.is(row)) {
                self.vectors.step(row, &of_vector, course.table_rate);
                self.single.step(row, &[g * full], course.table_rate);
            }
            let (t, c) = (self.templates.row(seen.template), self.cores.row(seen.core));
            of_u.iter_mut().zip(t.iter().zip(c)).for_each(|(o, (t, c))| *o += g * (t + c));
            let of_row = u.map(|value| g * value);
            self.templates.step(seen.template, &of_row, course.table_rate);
            self.cores.step(seen.core, &of_row, course.table_rate);
        }
        let mut of_product = [0.0; HIDDEN * PRODUCT];
        for (k, &g) in of_start.iter().enumerate() {
            let weights = &self.from_product.values[k * PRODUCT..][..PRODUCT];
            of_u.iter_mut().zip(weights).for_each(|(o, w)| *o += g * w);
            let row = &mut of_product[k * PRODUCT..][..PRODUCT];
            row.iter_mut().zip(&u).for_each(|(o, u)| *o = g * u);
        }
        for (o, &u) in of_u.iter_mut().zip(&u) {
            *o = if u > 0.0 { *o * scale } else { 0.0 };
        }
        for &row in &product {
            self.product_vectors.step(row, &of_u, course.table_rate);
        }
        self.from_product.step(&of_product, course.rate);
        self.bias.step(&of_start, course.rate);
        self.output.step(&of_output, course.rate);
        self.from_numbers.step(&of_numbers, course.rate);
        self.direct.step(&of_direct, course.rate);
        -shares[example.recorded].max(1e-9).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two candidates the one whose feature is that of the product is recorded.
    fn examples() -> Vec<Example> {
        (0..200u32)
            .map(|i| {
                let seen = |feature: u32| Seen {
                    template: feature,
                    features: vec![feature],
                    dense: [0.0; DENSE],
                    ..Seen::default()
                };
                let kind = i % 2;
                let candidates = vec![seen(0), seen(1)];
                Example { product: vec![kind], candidates, recorded: kind as usize }
            })
            .collect()
    }

    #[test]
    fn it_learns_what_follows_from_the_product() {
        let course = Course { rate: 0.05, table_rate: 0.05, hidden: 0.0 };
        let run = || {
            let mut random = Random(7);
            let mut network = Network::new(2, 2, 2, 1, &mut random);
            let losses = network.learn(&[examples().as_slice(); 20], &course, &mut random);
            (losses, network.templates.values)
        };
        let (losses, templates) = run();
        assert!(losses[0] > 10.0 * losses[19] && losses[19] < 0.01, "{losses:?}");
        assert_eq!(run(), (losses, templates), "the same seed gives the same network");
    }
}
