//! Networks that choose templates and judge steps, as AiZynthFinder asks them.

use synthon_fp::{Fingerprinter, Scheme};
use synthon_library::TemplateModel;
use synthon_mol::Molecule;

use crate::configuration::{Expansion, Filter};
use crate::error::{ForeignError, ForeignErrorKind};
use crate::network::Network;
use crate::templates::Table;

/// The networks of a policy and its filters.
#[derive(Debug)]
pub(crate) struct Model {
    network: Network,
    /// For each output of the network, the position of its template.
    rows: Vec<Option<u32>>,
    cutoff_cumulative: f32,
    cutoff_number: usize,
    rescale_prior: bool,
    filters: Vec<(Network, f32)>,
}

impl Model {
    pub fn open(
        expansion: &Expansion,
        filters: &[Filter],
        table: &Table,
    ) -> Result<Model, ForeignError> {
        let network = Network::open(&expansion.model, 1)?;
        if network.output != table.rows.len() {
            let message = format!("{} outputs for {} templates", network.output, table.rows.len());
            let file = expansion.model.display().to_string();
            return Err(ForeignError::new(ForeignErrorKind::Network, &file, message));
        }
        let filters = filters.iter().filter(|filter| !filter.excludes.contains(&expansion.name));
        let filters = filters.map(|filter| {
            let network = Network::open(&filter.model, 2)?;
            if network.output != 1 || network.inputs[0] != network.inputs[1] {
                let message = "a filter has two inputs of equal width and one output";
                let file = filter.model.display().to_string();
                return Err(ForeignError::new(ForeignErrorKind::Network, &file, message));
            }
            Ok((network, filter.cutoff))
        });
        Ok(Model {
            filters: filters.collect::<Result<_, _>>()?,
            network,
            rows: table.rows.clone(),
            cutoff_cumulative: expansion.cutoff_cumulative,
            cutoff_number: expansion.cutoff_number.max(1),
            rescale_prior: expansion.rescale_prior,
        })
    }

    /// The outputs that count, largest first: so many that their sum reaches the limit, and at most
    /// a number.
    fn cut(&self, shares: &[f32]) -> Vec<(usize, f32)> {
        let mut order: Vec<(usize, f32)> = shares.iter().copied().enumerate().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut sum = 0.0;
        let before = order.iter().take_while(|(_, share)| {
            sum += share;
            sum < self.cutoff_cumulative
        });
        let number = before.count().min(self.cutoff_number).max(1);
        order.truncate(number);
        order
    }
}

impl TemplateModel for Model {
    fn choose(&self, molecule: &Molecule) -> Vec<(u32, f32)> {
        let input = bits(molecule, self.network.inputs[0]);
        let Some(shares) = input.and_then(|input| self.network.run(&[input])) else {
            return Vec::new();
        };
        let cut = self.cut(&shares);
        let sum: f32 = if self.rescale_prior { cut.iter().map(|c| c.1).sum() } else { 1.0 };
        let mut chosen: Vec<(u32, f32)> = Vec::with_capacity(cut.len());
        for (row, share) in cut {
            let Some(position) = self.rows.get(row).copied().flatten() else { continue };
            let share = (share / sum.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            // Rows of one template: the first has the largest share.
            if share.is_finite() && chosen.iter().all(|&(known, _)| known != position) {
                chosen.push((position, share));
            }
        }
        chosen
    }

    fn allows(&self, product: &Molecule, precursors: &[Molecule]) -> bool {
        self.filters.iter().all(|(network, cutoff)| {
            let judge = || {
                let before = bits(product, network.inputs[0])?;
                // What the step adds and takes away, read backwards.
                let mut change: Vec<f32> = before.iter().map(|bit| -bit).collect();
                for precursor in precursors {
                    let own = bits(precursor, network.inputs[1])?;
                    change.iter_mut().zip(own).for_each(|(sum, bit)| *sum += bit);
                }
                network.run(&[before, change])?.first().copied()
            };
            judge().is_some_and(|probability| probability >= *cutoff)
        })
    }
}

/// RDKit's Morgan fingerprint of radius 2, as numbers.
fn bits(molecule: &Molecule, size: usize) -> Option<Vec<f32>> {
    let bits = Fingerprinter::new(Scheme::ECFP4, size).ok()?.bits(molecule).ok()?;
    let mut row = vec![0.0; size];
    bits.on_bits().for_each(|bit| row[bit] = 1.0);
    Some(row)
}
