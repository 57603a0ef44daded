//! R-group decomposition: tables that a chemist would draw, and parts that give the molecule
//! back when they are joined again.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::Duration;

use synthon_budget::{Budget, Status};
use synthon_mcs::{
    Core, Decomposition, DecompositionOptions, McsOptions, RGroupRow, SeriesOptions, decompose,
    find_mcs, find_series_mcs,
};
use synthon_mol::{BondStereo, Element, Hydrogens, Molecule, MoleculeBuilder};
use synthon_query::{ChemistryOptions, Pattern};
use synthon_testkit::read_shared_lines;

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn table_of(core: &Core, texts: &[&str], options: DecompositionOptions) -> Decomposition {
    let molecules: Vec<Molecule> = texts.iter().map(|text| read(text)).collect();
    let table = decompose(core, &molecules, &options, &mut Budget::unlimited()).unwrap();
    for row in &table.rows {
        assert_joins_to(row, &molecules[row.molecule]);
    }
    table
}

fn molecule_core(text: &str) -> Core {
    Core::from_molecule(&read(text), &ChemistryOptions::default()).unwrap()
}

fn pattern_core(text: &str) -> Core {
    Core::from_pattern(Pattern::from_smarts(text).unwrap())
}

/// The groups of a row in the order of the labels, `-` where there is none.
fn groups(table: &Decomposition, row: usize) -> String {
    let cells: Vec<&str> = table
        .labels
        .iter()
        .map(|label| table.rows[row].group(label.number).map_or("-", |group| &group.smiles))
        .collect();
    cells.join(" ")
}

/// What a label joins, as the two atoms that had it, by label.
#[derive(Clone, Copy, Default)]
struct Joint {
    ends: [Option<usize>; 2],
}

/// Joins the core and the groups of a row at their labels.
fn joined(row: &RGroupRow) -> Molecule {
    // Marks with mass numbers tell the ligands of a centre apart, as atom maps alone do not.
    let read = |text: &str| {
        let labels = row.groups.iter().flat_map(|group| &group.labels);
        let text = labels.fold(text.to_string(), |text, label| {
            text.replace(&format!("[*:{label}]"), &format!("[{label}*:{label}]"))
        });
        read(&text)
    };
    let mut parts = vec![read(&row.core)];
    let mut hydrogens = Vec::new();
    for group in &row.groups {
        if group.smiles.starts_with("[H][*:") {
            hydrogens.push(group.labels[0]);
        } else {
            parts.push(read(&group.smiles));
        }
    }
    let mut builder = MoleculeBuilder::new();
    let mut joints: std::collections::BTreeMap<u32, Joint> = Default::default();
    let mut placed: Vec<Vec<Option<usize>>> = Vec::new();
    for part in &parts {
        let spec = part.to_builder();
        let mut place = Vec::new();
        for (atom, this) in spec.atoms().iter().enumerate() {
            let is_label = this.element == Element::WILDCARD && this.map > 0;
            let freed = part
                .neighbours(atom)
                .iter()
                .filter(|n| hydrogens.contains(&part.atom(n.atom()).map()))
                .count() as u8;
            let mut this = *this;
            this.aromatic = false;
            if let Hydrogens::Exactly(count) = this.hydrogens {
                this.hydrogens = Hydrogens::Exactly(count + freed);
            }
            place.push((!is_label).then(|| builder.add_atom(this)));
        }
        for atom in (0..part.atom_count()).filter(|&atom| place[atom].is_none()) {
            let joint = joints.entry(part.atom(atom).map()).or_default();
            let beside = place[part.neighbours(atom)[0].atom()];
            let slot = joint.ends.iter().position(Option::is_none).unwrap();
            joint.ends[slot] = beside;
        }
        placed.push(place);
    }
    // What stands in the place of a neighbour: an atom, or `None` for hydrogen.
    let other_end = |label: u32, here: usize| {
        let ends = joints[&label].ends;
        if hydrogens.contains(&label) {
            return None;
        }
        assert!(ends.iter().all(Option::is_some), "label {label} occurs once");
        ends.into_iter().flatten().find(|&end| end != here)
    };
    let mut done = Vec::new();
    for (part, place) in parts.iter().zip(&placed) {
        for bond in part.bonds() {
            let label = [bond.begin(), bond.end()]
                .into_iter()
                .find(|&atom| place[atom].is_none())
                .map(|atom| part.atom(atom).map());
            let ends = match label {
                None => (place[bond.begin()].unwrap(), place[bond.end()].unwrap()),
                Some(label) if hydrogens.contains(&label) || done.contains(&label) => continue,
                Some(label) => {
                    done.push(label);
                    let ends = joints[&label].ends;
                    (ends[0].unwrap(), ends[1].unwrap())
                }
            };
            builder.add_bond(ends.0, ends.1, bond.kekule_order());
        }
    }
    restate_stereo(&mut builder, &parts, &placed, other_end);
    builder.build().unwrap()
}

/// Neighbours come in another order than in the parts: says the same stereo of the new order.
fn restate_stereo(
    builder: &mut MoleculeBuilder,
    parts: &[Molecule],
    placed: &[Vec<Option<usize>>],
    other_end: impl Fn(u32, usize) -> Option<usize>,
) {
    let bonds = builder.bonds().to_vec();
    let now = |atom: usize| -> Vec<usize> {
        bonds
            .iter()
            .filter(|b| b.begin as usize == atom || b.end as usize == atom)
            .map(|b| (b.begin ^ b.end) as usize ^ atom)
            .collect()
    };
    for (part, place) in parts.iter().zip(placed) {
        let then = |atom: usize| -> Vec<Option<usize>> {
            let here = place[atom].unwrap();
            part.neighbours(atom)
                .iter()
                .map(|n| place[n.atom()].or_else(|| other_end(part.atom(n.atom()).map(), here)))
                .collect()
        };
        for (atom, &here) in place.iter().enumerate() {
            let Some(here) = here else { continue };
            if !part.atom(atom).chirality().is_tetrahedral() {
                continue;
            }
            // Hydrogen is the implied ligand, which stands last.
            let order = now(here);
            let ranks: Vec<usize> = then(atom)
                .into_iter()
                .map(|n| n.map_or(usize::MAX, |n| order.iter().position(|&o| o == n).unwrap()))
                .collect();
            let odd = (0..ranks.len())
                .flat_map(|i| (i + 1..ranks.len()).map(move |j| (i, j)))
                .filter(|&(i, j)| ranks[i] > ranks[j])
                .count()
                % 2
                == 1;
            let chirality = part.atom(atom).chirality();
            builder.atom_mut(here).chirality = if odd { chirality.inverted() } else { chirality };
        }
        for bond in part.bonds().iter().filter(|b| b.stereo() != BondStereo::None) {
            let (Some(a), Some(b)) = (place[bond.begin()], place[bond.end()]) else { continue };
            let mut stereo = bond.stereo();
            for (end, here, there) in [(bond.begin(), a, b), (bond.end(), b, a)] {
                let old = then(end).into_iter().find(|&n| n != Some(there)).unwrap();
                let new = now(here).into_iter().find(|&n| n != there);
                // A hydrogen that was the reference is none any more.
                if old != new {
                    stereo = stereo.inverted();
                }
            }
            let new = bonds
                .iter()
                .position(|c| {
                    (c.begin as usize, c.end as usize) == (a, b)
                        || (c.begin as usize, c.end as usize) == (b, a)
                })
                .unwrap();
            builder.bond_mut(new).stereo = stereo;
        }
    }
}

fn without_maps_and_stereo(molecule: &Molecule, keep_geometry: bool) -> u128 {
    let mut builder = molecule.to_builder();
    for bond in 0..builder.bonds().len() {
        if !keep_geometry {
            builder.bond_mut(bond).stereo = BondStereo::None;
        }
    }
    builder.build().unwrap().canonical_key()
}

/// The parts of a row, joined, are the molecule again; the geometry of double bonds may be lost
/// where the core was cut from a group at one.
fn assert_joins_to(row: &RGroupRow, molecule: &Molecule) {
    let mut in_core = vec![false; molecule.atom_count()];
    row.core_atoms.iter().for_each(|&atom| in_core[atom as usize] = true);
    let cut_geometry = molecule
        .bonds()
        .iter()
        .any(|b| b.stereo() != BondStereo::None && in_core[b.begin()] != in_core[b.end()]);
    let again = joined(row);
    let whole = again.to_smiles();
    assert_eq!(
        without_maps_and_stereo(&again, !cut_geometry),
        without_maps_and_stereo(molecule, !cut_geometry),
        "{whole} from {row:?}, not {}",
        molecule.to_smiles()
    );
}

#[test]
fn symmetric_cores_are_turned_until_groups_agree() {
    let texts =
        ["Clc1ccccc1", "Cc1ccc(Cl)cc1", "Clc1ccc(Br)cc1", "CCc1cccc(Cl)c1", "OCc1ccc(Cl)cc1"];
    let table = table_of(&pattern_core("c1ccccc1"), &texts, DecompositionOptions::default());
    assert_eq!(table.labels.len(), 3);
    assert!(table.unmatched.is_empty() && table.undecided.is_empty());
    let chlorine = table.rows[0].groups.iter().find(|g| g.smiles.starts_with("Cl")).unwrap();
    let label = chlorine.labels[0];
    for row in &table.rows {
        assert_eq!(row.group(label).unwrap().smiles, format!("Cl[*:{label}]"));
    }
    // The para groups share a column, the meta group has one of its own.
    let para = table.rows[1].groups.iter().find(|g| g.smiles.starts_with("C[*")).unwrap().labels[0];
    assert_eq!(table.rows[2].group(para).unwrap().smiles, format!("Br[*:{para}]"));
    assert_eq!(table.rows[3].group(para).unwrap().smiles, format!("[H][*:{para}]"));
}

#[test]
fn the_table_does_not_depend_on_the_order_of_the_input() {
    let mut texts = vec![
        "Oc1ccc(F)cc1C",
        "Cc1cccc(C)c1O",
        "Fc1cc(F)cc(F)c1",
        "COc1ccccc1Br",
        "Cc1ccccc1",
        "O=C(O)c1ccc(C(=O)O)cc1",
        "CC1=CCCCC1",
    ];
    let core = pattern_core("c1ccccc1");
    let before = table_of(&core, &texts, DecompositionOptions::default());
    assert_eq!(before.unmatched, [6]);
    let cells: Vec<String> = (0..6).map(|row| groups(&before, row)).collect();
    for shift in 1..7 {
        texts.rotate_left(1);
        let after = table_of(&core, &texts, DecompositionOptions::default());
        assert_eq!(after.labels, before.labels);
        for (row, _) in after.rows.iter().enumerate() {
            let old = (after.rows[row].molecule + shift) % 7;
            assert_eq!(groups(&after, row), cells[old], "shift {shift}");
        }
    }
}

#[test]
fn labels_of_the_core_keep_their_numbers() {
    let texts = ["CC(=O)Nc1ccc(Cl)cc1", "CCC(=O)NC", "CC(=O)N(C)CC", "NC=O"];
    let core = molecule_core("[*:7]C(=O)N[*:3]");
    let table = table_of(&core, &texts, DecompositionOptions::default());
    let labels: Vec<(u32, u32)> = table.labels.iter().map(|l| (l.number, l.core_atom)).collect();
    assert_eq!(labels, [(1, 3), (3, 3), (7, 1)]);
    assert_eq!(table.rows[0].group(7).unwrap().smiles, "C[*:7]");
    assert_eq!(table.rows[0].group(3).unwrap().smiles, read("Clc1ccc([*:3])cc1").to_smiles());
    assert_eq!(table.rows[0].group(1).unwrap().smiles, "[H][*:1]");
    assert_eq!(table.rows[3].group(7).unwrap().smiles, "[H][*:7]");
    let only = DecompositionOptions { only_at_labels: true, ..DecompositionOptions::default() };
    let table = table_of(&molecule_core("[1*]C(=O)N"), &texts, only);
    assert_eq!(table.unmatched, [0, 1, 2]);
    assert_eq!(groups(&table, 0), "[H][*:1]");
}

#[test]
fn groups_at_one_atom_bridges_and_double_bonds() {
    let options = DecompositionOptions::default();
    let table = table_of(&pattern_core("C1CCCCC1"), &["CC1(F)CCCCC1", "CC1CCCCC1"], options);
    assert_eq!(groups(&table, 0), "C[*:1] F[*:2]");
    assert_eq!(groups(&table, 1), "C[*:1] [H][*:2]");
    // Fused rings: one group with two labels, in a Kekulé form.
    let table = table_of(&pattern_core("c1ccccc1"), &["Cc1ccc2ccccc2c1", "Cc1ccccc1"], options);
    let bridge = table.rows[0].groups.iter().find(|g| g.labels.len() == 2).unwrap();
    assert_eq!(read(&bridge.smiles).heavy_atom_count(), 6);
    assert_eq!(table.labels.len(), 3);
    // A ketone on a ring that is a CH2 elsewhere.
    let table = table_of(&pattern_core("C1CCNCC1"), &["O=C1CCNCC1", "CC1CCNCC1"], options);
    assert_eq!(groups(&table, 0), "O=[*:1]");
    assert_eq!(groups(&table, 1), "C[*:1]");
    // A nitrogen in the core has no room.
    let table = table_of(&pattern_core("c1cc[c,n]cc1"), &["Clc1ccncc1", "Cc1ccc(O)cc1"], options);
    assert_eq!(table.rows.len(), 2);
    // Counter-ions are no groups.
    let table = table_of(&pattern_core("c1ccccc1"), &["Cc1ccccc1"], options);
    assert_eq!(groups(&table, 0), "C[*:1]");
}

#[test]
fn handedness_is_kept_on_either_side() {
    let texts = [
        "C[C@H](O)c1ccccc1",
        "C[C@@H](O)c1ccc(F)cc1",
        "N[C@@H](Cc1ccccc1)C(=O)O",
        "C/C=C/c1ccccc1",
        "C/C(Cl)=C(/F)c1ccccc1",
    ];
    let table = table_of(&pattern_core("c1ccccc1"), &texts, DecompositionOptions::default());
    let smiles =
        |row: usize| &table.rows[row].groups.iter().find(|g| g.smiles.len() > 9).unwrap().smiles;
    assert_ne!(smiles(0), smiles(1));
    assert!(smiles(3).contains('/'), "{}", smiles(3));
    // The centre in the core, its neighbours in groups.
    let texts = ["C[C@H](F)Cl", "C[C@@H](F)Cl", "C[C@](F)(Cl)Br", "[2H][C@H](F)Cl"];
    let table = table_of(&pattern_core("[CX4](F)Cl"), &texts, DecompositionOptions::default());
    assert_eq!(table.labels.len(), 2);
    assert_ne!(table.rows[0].core, table.rows[1].core);
    assert!(table.rows.iter().all(|row| row.core.contains('@')));
}

#[test]
fn budgets_and_caps_are_told() {
    let core = pattern_core("C");
    let molecules = [read("CCCC"), read("CO")];
    let mut budget = Budget::unlimited().with_time_limit(Duration::ZERO);
    let options = DecompositionOptions::default();
    let table = decompose(&core, &molecules, &options, &mut budget).unwrap();
    assert_eq!((table.status, table.undecided), (Status::TimedOut, vec![0, 1]));
    let few = DecompositionOptions { max_embeddings: 1, ..options };
    let table = decompose(&core, &molecules, &few, &mut Budget::unlimited()).unwrap();
    assert_eq!(table.rows.iter().map(|row| row.complete).collect::<Vec<_>>(), [false, true]);
}

/// Every pair of the table, over its common part: the parts join to the molecules again.
#[test]
fn parts_of_the_shared_pairs_join_again() {
    for (name, stride) in [("default_nn", 5), ("match_stereo", 5), ("default_stress", 1)] {
        let Some(lines) = read_shared_lines(&format!("data/mcs/{name}.tsv")) else { return };
        let header: Vec<&str> = lines[0].split('\t').collect();
        let column = |title: &str| header.iter().position(|h| *h == title).unwrap();
        let (a, b) = (column("smiles_a"), column("smiles_b"));
        let mut joined = 0;
        for line in lines[1..].iter().step_by(stride) {
            let fields: Vec<&str> = line.split('\t').collect();
            let molecules = [read(fields[a]), read(fields[b])];
            let options = McsOptions::default();
            let mut budget = Budget::unlimited().with_node_limit(20_000);
            let answer = find_mcs(&molecules[0], &molecules[1], &options, &mut budget).unwrap();
            let Some(common) = answer.common else { continue };
            let smarts = common.to_smarts(&molecules[0], &molecules[1], &options);
            let core = pattern_core(&smarts.text);
            let few = DecompositionOptions { max_embeddings: 50, ..Default::default() };
            let mut budget = Budget::unlimited();
            let table = decompose(&core, &molecules, &few, &mut budget).unwrap();
            assert_eq!(table.rows.len(), 2, "{}", smarts.text);
            for row in &table.rows {
                if molecules[row.molecule].components().0 == 1 {
                    assert_joins_to(row, &molecules[row.molecule]);
                    joined += 1;
                }
            }
        }
        assert!(joined > 5, "{name}: {joined}");
    }
}

/// The common substructure of a series is a core for it.
#[test]
fn the_common_substructure_is_a_core() {
    let texts = ["CC(=O)Nc1ccc(O)cc1", "CCC(=O)Nc1ccc(OC)cc1", "CC(=O)Nc1ccc(Cl)cc1C"];
    let molecules: Vec<Molecule> = texts.iter().map(|text| read(text)).collect();
    let mut budget = Budget::unlimited();
    let common = find_series_mcs(&molecules, &SeriesOptions::default(), &mut budget).unwrap();
    assert!(common.optimal);
    let table = table_of(&pattern_core(&common.smarts), &texts, DecompositionOptions::default());
    assert_eq!((table.rows.len(), table.labels.len()), (3, 3));
}
