//! A common subgraph as SMARTS that matches every molecule it was found in.
//!
//! An atom says its element, or the list of those that were matched on each other; a bond says
//! the orders that it has in any of the molecules (`-,:` where a single bond was matched on an
//! aromatic one). Options that forbade a match are said too: ring membership, charge, mass
//! number, aromaticity. Stereo is not said, nor that two atoms are not bonded.

use std::collections::BTreeSet;

use synthon_mol::{BondOrder, Molecule};
use synthon_query::ChemistryOptions;

use crate::answer::CommonSubgraph;
use crate::options::McsOptions;

/// SMARTS, and which atom of the query and of the target each of its atoms stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonSmarts {
    /// The pattern; empty when nothing is common.
    pub text: String,
    /// Query atom and target atom of every pattern atom, in the order of the text.
    pub atoms: Vec<(u32, u32)>,
}

impl CommonSubgraph {
    /// The common part as SMARTS that matches both molecules at the atoms of this map.
    ///
    /// `query`, `target` and `options` must be those that it was found with. The pattern is no
    /// narrower than the map: it also matches where atoms that are not bonded in the common part
    /// are bonded, and it does not ask for stereo.
    pub fn to_smarts(
        &self,
        query: &Molecule,
        target: &Molecule,
        options: &McsOptions,
    ) -> CommonSmarts {
        let mut writer = SmartsWriter::default();
        for &(q, t) in &self.atoms {
            writer.atoms.push(atom_term(&[(query, q), (target, t)], &options.chemistry));
        }
        let place = |q: u32| self.atoms.partition_point(|pair| pair.0 < q) as u32;
        for bond in &self.bonds {
            let images = [(query, bond.query), (target, bond.target)];
            let (a, b) = (place(bond.query.0), place(bond.query.1));
            writer.add_bond(a, b, &images, &options.chemistry);
        }
        let (text, order) = writer.write();
        CommonSmarts { text, atoms: order.iter().map(|&at| self.atoms[at as usize]).collect() }
    }
}

fn rings_apart(options: &ChemistryOptions) -> bool {
    options.ring_matches_ring_only || options.complete_rings_only
}

/// The term for one atom that stands for all of these.
pub(crate) fn atom_term(images: &[(&Molecule, u32)], options: &ChemistryOptions) -> String {
    let atoms = || images.iter().map(|&(molecule, atom)| molecule.atom(atom as usize));
    let numbers: BTreeSet<u8> = atoms().map(|atom| atom.atomic_number()).collect();
    let numbers: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
    let mut term = numbers.join(",");
    let Some(first) = atoms().next() else { return "*".to_string() };
    if options.isotope && atoms().all(|atom| atom.isotope() == first.isotope()) {
        let isotope = first.isotope();
        if isotope != 0 {
            term = format!("{isotope}*;{term}");
        }
    }
    if options.formal_charge {
        term.push_str(&format!(";{:+}", first.charge()));
    }
    if options.aromaticity_strict {
        term.push_str(if first.is_aromatic() { ";a" } else { ";A" });
    }
    if rings_apart(options) {
        term.push_str(if first.in_ring() { ";R" } else { ";!R" });
    }
    format!("[{term}]")
}

/// The term for one bond that stands for all of these, walked from the first to the second atom
/// of each.
fn bond_term(images: &[(&Molecule, (u32, u32))], options: &ChemistryOptions) -> String {
    let bonds: Vec<_> = images
        .iter()
        .filter_map(|&(molecule, (a, b))| {
            let bond = molecule.bond_between(a as usize, b as usize)?;
            Some((molecule.bond(bond), a as usize))
        })
        .collect();
    let orders: BTreeSet<&str> = bonds
        .iter()
        .map(|&(bond, from)| match bond.order() {
            BondOrder::Single => "-",
            BondOrder::Double => "=",
            BondOrder::Triple => "#",
            BondOrder::Quadruple => "$",
            BondOrder::Aromatic => ":",
            BondOrder::Dative if bond.begin() == from => "->",
            BondOrder::Dative => "<-",
            BondOrder::Unspecified => "~",
        })
        .collect();
    let mut term = if orders.contains("~") {
        "~".to_string()
    } else {
        ["-", "=", "#", "$", ":", "->", "<-"]
            .into_iter()
            .filter(|order| orders.contains(order))
            .collect::<Vec<&str>>()
            .join(",")
    };
    if rings_apart(options)
        && let Some((bond, _)) = bonds.first()
    {
        term.push_str(if bond.in_ring() { ";@" } else { ";!@" });
    }
    term
}

/// A bond to be written, with its term walked from either end.
struct WrittenBond {
    ends: (u32, u32),
    forward: String,
    backward: String,
}

/// Writes a graph of finished terms as SMARTS.
#[derive(Default)]
pub(crate) struct SmartsWriter {
    pub(crate) atoms: Vec<String>,
    bonds: Vec<WrittenBond>,
}

impl SmartsWriter {
    /// Adds the bond between two pattern atoms that stands for these bonds, each given by its
    /// two atoms in the same order.
    pub(crate) fn add_bond(
        &mut self,
        begin: u32,
        end: u32,
        images: &[(&Molecule, (u32, u32))],
        options: &ChemistryOptions,
    ) {
        let turned: Vec<_> = images.iter().map(|&(m, (a, b))| (m, (b, a))).collect();
        self.bonds.push(WrittenBond {
            ends: (begin, end),
            forward: bond_term(images, options),
            backward: bond_term(&turned, options),
        });
    }

    fn term_from(&self, bond: usize, atom: u32) -> &str {
        let bond = &self.bonds[bond];
        if bond.ends.0 == atom { &bond.forward } else { &bond.backward }
    }

    /// The text and the order in which the atoms stand in it.
    pub(crate) fn write(&self) -> (String, Vec<u32>) {
        let n = self.atoms.len();
        let mut neighbours: Vec<Vec<(u32, usize)>> = vec![Vec::new(); n];
        for (index, bond) in self.bonds.iter().enumerate() {
            neighbours[bond.ends.0 as usize].push((bond.ends.1, index));
            neighbours[bond.ends.1 as usize].push((bond.ends.0, index));
        }
        for list in &mut neighbours {
            list.sort_unstable();
        }
        let (children, closures) = self.span(&neighbours);
        let mut text = String::new();
        let mut order = Vec::with_capacity(n);
        let mut written = vec![false; n];
        let mut numbers: Vec<Option<usize>> = Vec::new();
        for root in 0..n {
            if written[root] {
                continue;
            }
            if !text.is_empty() {
                text.push('.');
            }
            // What is still to be written, the next thing last.
            let mut todo = vec![Step::Atom(root as u32, None)];
            while let Some(step) = todo.pop() {
                let (atom, via) = match step {
                    Step::Text(piece) => {
                        text.push_str(piece);
                        continue;
                    }
                    Step::Atom(atom, via) => (atom, via),
                };
                if let Some((bond, from)) = via {
                    text.push_str(self.term_from(bond, from));
                }
                written[atom as usize] = true;
                order.push(atom);
                text.push_str(&self.atoms[atom as usize]);
                for &bond in &closures[atom as usize] {
                    let (number, opens) = match numbers.iter().position(|&b| b == Some(bond)) {
                        Some(open) => (open, false),
                        None => match numbers.iter().position(Option::is_none) {
                            Some(free) => (free, true),
                            None => {
                                numbers.push(None);
                                (numbers.len() - 1, true)
                            }
                        },
                    };
                    numbers[number] = opens.then_some(bond);
                    if opens {
                        text.push_str(self.term_from(bond, atom));
                    }
                    text.push_str(&match number + 1 {
                        digit @ 1..=9 => digit.to_string(),
                        pair @ 10..=99 => format!("%{pair}"),
                        more => format!("%({more})"),
                    });
                }
                let branches = &children[atom as usize];
                for (place, &(child, bond)) in branches.iter().enumerate().rev() {
                    let last = place + 1 == branches.len();
                    if !last {
                        todo.push(Step::Text(")"));
                    }
                    todo.push(Step::Atom(child, Some((bond, atom))));
                    if !last {
                        todo.push(Step::Text("("));
                    }
                }
            }
        }
        (text, order)
    }

    /// A spanning forest, depth first from the lowest atoms: children of each atom with the
    /// bonds to them, and the ring-closing bonds at each atom.
    #[allow(clippy::type_complexity, reason = "two parallel lists by atom, taken apart at once")]
    fn span(&self, neighbours: &[Vec<(u32, usize)>]) -> (Vec<Vec<(u32, usize)>>, Vec<Vec<usize>>) {
        let n = self.atoms.len();
        let mut children = vec![Vec::new(); n];
        let mut closures = vec![Vec::new(); n];
        let mut seen = vec![false; n];
        let mut used = vec![false; self.bonds.len()];
        for root in 0..n {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((atom, next)) = path.last_mut() {
                let atom = *atom;
                let Some(&(other, bond)) = neighbours[atom].get(*next) else {
                    path.pop();
                    continue;
                };
                *next += 1;
                if std::mem::replace(&mut used[bond], true) {
                    continue;
                }
                if std::mem::replace(&mut seen[other as usize], true) {
                    closures[other as usize].push(bond);
                    closures[atom].push(bond);
                } else {
                    children[atom].push((other, bond));
                    path.push((other as usize, 0));
                }
            }
        }
        (children, closures)
    }
}

/// Something still to be written.
enum Step {
    /// A parenthesis.
    Text(&'static str),
    /// An atom, with the bond that leads to it and the atom it comes from.
    Atom(u32, Option<(usize, u32)>),
}
