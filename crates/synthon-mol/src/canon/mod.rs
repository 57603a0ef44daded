//! One order of the atoms for all spellings of a molecule, and its identity as a number.

mod key;
mod neighbourhood;
pub(crate) mod partition;
mod search;

use partition::{Partition, Span};

pub(crate) use partition::Invariants;

use crate::Molecule;

/// The canonical order within each component.
pub(crate) struct ComponentOrders {
    /// Atoms by component, in canonical order within each.
    pub(crate) order: Vec<u32>,
    /// Rank of each atom within its component, offset by the start of the component's span.
    pub(crate) ranks: Vec<u32>,
    pub(crate) spans: Vec<Span>,
    /// Whether the order is certain not to depend on the input.
    pub(crate) certain: bool,
    /// Connection tables in canonical order, if asked for.
    pub(crate) tables: Vec<key::Table>,
}

/// Canonical connection table of the component that holds an atom.
pub(crate) fn component_table(
    molecule: &Molecule,
    atom: u32,
    invariants: Invariants,
) -> key::Table {
    let (mut partition, spans) = Partition::new(molecule, invariants);
    let holds = |span: &&Span| partition.order[span.start..span.end].contains(&atom);
    let span = *spans.iter().find(holds).expect("every atom lies in a component");
    partition.start(span, invariants);
    search::settle(&mut partition, span);
    key::table(&partition, span, invariants)
}

/// Orders every component of a molecule.
pub(crate) fn order_components(
    molecule: &Molecule,
    invariants: Invariants,
    with_tables: bool,
) -> ComponentOrders {
    let (mut partition, spans) = Partition::new(molecule, invariants);
    let mut certain = true;
    for &span in &spans {
        partition.start(span, invariants);
        certain &= search::settle(&mut partition, span);
    }
    let tables = if with_tables {
        spans.iter().map(|&span| key::table(&partition, span, invariants)).collect()
    } else {
        Vec::new()
    };
    ComponentOrders { order: partition.order, ranks: partition.class, spans, certain, tables }
}

impl Molecule {
    /// Place of each atom in the canonical order, counted from zero: the same for all spellings
    /// of the molecule, up to symmetry. Stereo and isotopes count, atom-map numbers do not.
    pub fn canonical_ranks(&self) -> Vec<u32> {
        let invariants = Invariants { isomeric: true, atom_maps: false };
        let mut orders = order_components(self, invariants, self.atom_count() > 0);
        let mut components: Vec<usize> = (0..orders.spans.len()).collect();
        components.sort_by(|&a, &b| orders.tables[a].cmp(&orders.tables[b]));
        let mut next = 0;
        for component in components {
            let span = orders.spans[component];
            for &atom in &orders.order[span.start..span.end] {
                orders.ranks[atom as usize] = next;
                next += 1;
            }
        }
        orders.ranks
    }

    /// Identity of the molecule as a number: equal for two molecules exactly when their canonical
    /// SMILES without atom maps are equal (but for accidental equality of 128-bit digests).
    /// Stable across platforms.
    pub fn canonical_key(&self) -> u128 {
        let invariants = Invariants { isomeric: true, atom_maps: false };
        let mut orders = order_components(self, invariants, true);
        orders.tables.sort_unstable();
        key::digest(&orders.tables)
    }
}
