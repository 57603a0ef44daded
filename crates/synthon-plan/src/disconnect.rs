//! One step back: the ways to make a molecule that hold when run forwards.

use serde::Serialize;
use synthon_budget::{Budget, Status};
use synthon_library::Library;
use synthon_mol::Molecule;
use synthon_stock::Stock;

use crate::chemistry::{Chemistry, block_of};
use crate::marks::{Kept, Marked};
use crate::request::PlanRequest;
use crate::route::{InStock, Leaf, Step};

/// A way to make a molecule in one step.
#[derive(Clone, Debug, Serialize)]
pub struct Disconnection {
    /// Place in the list, from 1.
    pub rank: usize,
    /// What to start from, each with its stock state, in the order of the step's precursors.
    pub precursors: Vec<Leaf>,
    /// The step.
    #[serde(skip)]
    pub step: Step,
}

/// All that a library proposes for a molecule.
#[derive(Clone, Debug)]
pub struct Disconnections {
    /// The steps that hold, the most confident first.
    pub list: Vec<Disconnection>,
    /// How the work ended.
    pub status: Status,
    /// Whether there may be more than those in the list.
    pub truncated: bool,
    /// Proposals looked at a second time.
    pub looked_at: usize,
    /// Of those, how many did not replay forwards or did not balance.
    pub refused: usize,
    /// Templates tried, and how many of them gave precursors.
    pub templates: (u64, u64),
}

/// The best `most` ways to make a molecule in one step. Each was run forwards and balanced.
pub fn disconnect(
    target: &Molecule,
    library: &Library,
    stock: &Stock,
    most: usize,
    budget: &mut Budget,
) -> Disconnections {
    let request = PlanRequest::new(target.clone());
    let mut world = Chemistry::new(library, stock, &request);
    let kept = Marked::plain(target.clone()).keep();
    let (proposals, cut) = world.proposals(target, budget);
    let mut found = Disconnections {
        list: Vec::new(),
        status: Status::Completed,
        truncated: cut,
        looked_at: 0,
        refused: 0,
        templates: (world.templates_tried, world.templates_matched),
    };
    for proposal in proposals {
        if found.list.len() == most || budget.check().is_err() {
            found.truncated = true;
            break;
        }
        found.looked_at += 1;
        let precursors: Vec<&Kept> = proposal.precursors.iter().collect();
        match world.second_look(&kept, &precursors, &proposal.known, budget) {
            Some(held) => found.list.push(Disconnection {
                rank: found.list.len() + 1,
                precursors: precursors.iter().map(|smiles| block_of(stock, smiles).leaf).collect(),
                step: held.step,
            }),
            None => found.refused += 1,
        }
    }
    if let Some(stop) = budget.stopped() {
        found.status = stop.into();
        found.truncated = true;
    }
    found
}

impl Disconnection {
    /// Whether everything that the step starts from is in stock.
    pub fn is_stocked(&self) -> bool {
        self.precursors.iter().all(|leaf| leaf.in_stock == InStock::Yes)
    }
}
