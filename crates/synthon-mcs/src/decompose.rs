//! R-group decomposition: a series of molecules as a core and what hangs on it.

use std::collections::BTreeMap;

use synthon_budget::{Budget, Status};
use synthon_mol::{Element, MolError, Molecule};
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target};

use crate::alignment::{Way, align};
use crate::cut::{Attachment, Site, cut_out, labelled_smiles};

/// What the molecules of a series have in common, with the places that have a label already.
#[derive(Clone, Debug)]
pub struct Core {
    pattern: Pattern,
    matching: MatchOptions,
    /// Pattern atom and label, sorted.
    labels: Vec<(u32, u32)>,
    /// For each pattern atom the atom of the molecule that the core was made of; of a pattern the
    /// atom itself.
    origin: Vec<u32>,
}

impl Core {
    /// A core given as a pattern. Every atom of the pattern is a part of the core, `*` too.
    pub fn from_pattern(pattern: Pattern) -> Core {
        let origin = (0..pattern.atoms().len() as u32).collect();
        Core { pattern, matching: MatchOptions::default(), labels: Vec::new(), origin }
    }

    /// A core given as a molecule, matched as these options say. An atom `*` with one neighbour
    /// is no part of the core but marks a place for an R-group there; its atom map, or else its
    /// mass number, is the label (`[*:1]`, `[1*]`).
    ///
    /// # Errors
    /// When the core without its marks is no molecule.
    pub fn from_molecule(
        molecule: &Molecule,
        chemistry: &ChemistryOptions,
    ) -> Result<Core, MolError> {
        let is_mark = |atom: usize| {
            molecule.atom(atom).element() == Element::WILDCARD
                && molecule.degree(atom) == 1
                && molecule.atom(molecule.neighbours(atom)[0].atom()).element() != Element::WILDCARD
        };
        let (core, origin) = cut_out(molecule, |atom| !is_mark(atom), &[])?;
        let mut labels: Vec<(u32, u32)> = (0..molecule.atom_count())
            .filter(|&atom| is_mark(atom))
            .filter_map(|atom| {
                let place = molecule.neighbours(atom)[0].atom() as u32;
                let at = origin.iter().position(|&o| o == place)?;
                let mark = molecule.atom(atom);
                let label = if mark.map() > 0 { mark.map() } else { u32::from(mark.isotope()) };
                Some((at as u32, label))
            })
            .collect();
        let mut next = labels.iter().map(|&(_, label)| label).max().unwrap_or(0);
        for (_, label) in labels.iter_mut().filter(|(_, label)| *label == 0) {
            next += 1;
            *label = next;
        }
        labels.sort_unstable();
        let pattern = Pattern::from_molecule(&core, chemistry);
        Ok(Core { pattern, matching: chemistry.match_options(false), labels, origin })
    }

    /// The pattern that is laid on the molecules.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

/// How a series is to be decomposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecompositionOptions {
    /// Molecules with a group at a place of the core without a label do not match.
    pub only_at_labels: bool,
    /// Most ways to lay the core on one molecule that are compared (default 1,000); of more, the
    /// first are.
    pub max_embeddings: usize,
}

impl Default for DecompositionOptions {
    fn default() -> Self {
        DecompositionOptions { only_at_labels: false, max_embeddings: 1000 }
    }
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RGroupLabel {
    /// The number n of `[*:n]`.
    pub number: u32,
    /// The core atom it is at, as the core was given.
    pub core_atom: u32,
}

/// A group that hangs on the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RGroup {
    /// The labels where it is attached, ascending; more than one for a bridge between places of
    /// the core.
    pub labels: Vec<u32>,
    /// The group with its attachment points, as canonical SMILES; `[H][*:n]` for hydrogen.
    pub smiles: String,
}

/// One molecule of the series, decomposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RGroupRow {
    /// Index of the molecule.
    pub molecule: usize,
    /// For each atom of the core the atom of the molecule; marks of a core that was given as a
    /// molecule are not counted.
    pub core_atoms: Vec<u32>,
    /// The core as it is in this molecule, with its attachment points.
    pub core: String,
    /// The groups, by their first label.
    pub groups: Vec<RGroup>,
    /// Whether all ways to lay the core were compared.
    pub complete: bool,
}

impl RGroupRow {
    /// The group at a label; `None` where the core has no room for one.
    pub fn group(&self, label: u32) -> Option<&RGroup> {
        self.groups.iter().find(|group| group.labels.contains(&label))
    }
}

/// A series as a table of R-groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// The columns, by number.
    pub labels: Vec<RGroupLabel>,
    /// The molecules that hold the core, in the order of the input.
    pub rows: Vec<RGroupRow>,
    /// The molecules that do not.
    pub unmatched: Vec<usize>,
    /// The molecules that the budget did not reach.
    pub undecided: Vec<usize>,
    /// How the work ended.
    pub status: Status,
}

/// Takes the molecules of a series apart into a core and R-groups.
///
/// The core is laid on each molecule; what is left hangs on it in groups, each cut off with its
/// attachment points. A label is given to every place of the core where some molecule of the
/// series has a group; labels of the core itself come first and keep their numbers. A place with
/// two groups in some molecule has two labels. Where the core can be laid on a molecule in
/// several ways, as with symmetric cores, the table with the fewest groups outside given labels,
/// then the most equal groups in a column, then the fewest columns is looked for, by improving
/// one molecule after the other: good and the same for every order of the input, but not proved
/// to be the best.
///
/// The bond between core and group belongs to both sides with its order; the geometry of a
/// double bond there is not kept. Two groups at one atom of the core are put under its labels in
/// the order of their texts. Groups that are attached twice are one entry with both labels.
/// Components of a molecule that the core does not touch, such as counter-ions, are left out.
///
/// ```
/// use synthon_budget::Budget;
/// use synthon_mcs::{Core, DecompositionOptions, decompose};
/// use synthon_mol::Molecule;
/// use synthon_query::ChemistryOptions;
///
/// let core = Molecule::from_smiles("[*:1]c1ccccc1")?;
/// let core = Core::from_molecule(&core, &ChemistryOptions::default())?;
/// let series = ["Cc1ccc(Cl)cc1", "Brc1ccc(C)cc1", "CCO"];
/// let series = series.map(|text| Molecule::from_smiles(text).unwrap());
/// let options = DecompositionOptions::default();
/// let table = decompose(&core, &series, &options, &mut Budget::unlimited())?;
/// assert_eq!(table.unmatched, [2]);
/// let groups = |row: usize| [1, 2].map(|n| table.rows[row].group(n).unwrap().smiles.as_str());
/// // The core is turned so that the methyl groups come under one label.
/// assert_eq!(groups(0), ["Cl[*:1]", "C[*:2]"]);
/// assert_eq!(groups(1), ["Br[*:1]", "C[*:2]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a part of a molecule is refused as a molecule of its own.
pub fn decompose(
    core: &Core,
    molecules: &[Molecule],
    options: &DecompositionOptions,
    budget: &mut Budget,
) -> Result<Decomposition, MolError> {
    let mut matcher = Matcher::new();
    let mut table = Decomposition {
        labels: Vec::new(),
        rows: Vec::new(),
        unmatched: Vec::new(),
        undecided: Vec::new(),
        status: Status::Completed,
    };
    let places = core.pattern.atoms().len();
    let mut labelled = vec![false; places];
    for &(place, _) in &core.labels {
        labelled[place as usize] = true;
    }
    let mut laid: Vec<Laid> = Vec::new();
    for (index, molecule) in molecules.iter().enumerate() {
        let target = Target::new(molecule);
        let limit = options.max_embeddings.max(1);
        let found = matcher.all_within(&core.pattern, &target, &core.matching, limit, budget);
        let mut ways: BTreeMap<Way, Vec<u32>> = BTreeMap::new();
        for atoms in found.iter() {
            if budget.check().is_err() {
                break;
            }
            let way = hanging(molecule, atoms)?;
            let only_at_labels = way.iter().all(|(place, _)| labelled[*place as usize]);
            if only_at_labels || !options.only_at_labels {
                ways.entry(way).or_insert_with(|| atoms.to_vec());
            }
        }
        if !ways.is_empty() {
            let complete = found.is_complete() && budget.stopped().is_none();
            let (ways, embeddings) = ways.into_iter().unzip();
            laid.push(Laid { molecule: index, ways, embeddings, complete });
        } else if budget.stopped().is_none() && (found.is_complete() || found.is_truncated()) {
            table.unmatched.push(index);
        } else {
            table.undecided.push(index);
        }
    }
    let mut ways: Vec<Vec<Way>> = Vec::with_capacity(laid.len());
    for molecule in &mut laid {
        ways.push(std::mem::take(&mut molecule.ways));
    }
    let chosen = align(&ways, &labelled);
    let chosen_ways: Vec<&Way> = ways.iter().zip(&chosen).map(|(ways, &i)| &ways[i]).collect();
    let columns = columns(core, &chosen_ways);
    for (row, molecule) in laid.iter().enumerate() {
        let atoms = &molecule.embeddings[chosen[row]];
        let mut new = fill_row(&molecules[molecule.molecule], atoms, &columns)?;
        new.molecule = molecule.molecule;
        new.complete = molecule.complete;
        table.rows.push(new);
    }
    table.labels = columns
        .iter()
        .enumerate()
        .flat_map(|(place, labels)| labels.iter().map(move |&number| (number, place)))
        .map(|(number, place)| RGroupLabel { number, core_atom: core.origin[place] })
        .collect();
    table.labels.sort_unstable_by_key(|label| label.number);
    table.status = budget.status();
    Ok(table)
}

/// A molecule with the ways to lay the core on it and an embedding for each.
struct Laid {
    molecule: usize,
    ways: Vec<Way>,
    embeddings: Vec<Vec<u32>>,
    complete: bool,
}

/// A group of atoms outside the core, and the bonds that join it to places of the core.
struct Hanging {
    atoms: Vec<bool>,
    /// Bond and place, by place.
    joints: Vec<(u32, u32)>,
}

fn groups_of(molecule: &Molecule, core_atoms: &[u32]) -> Vec<Hanging> {
    let mut place = vec![None; molecule.atom_count()];
    for (at, &atom) in core_atoms.iter().enumerate() {
        place[atom as usize] = Some(at as u32);
    }
    let mut seen = vec![false; molecule.atom_count()];
    let mut groups = Vec::new();
    for start in 0..molecule.atom_count() {
        if place[start].is_some() || std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut group = Hanging { atoms: vec![false; molecule.atom_count()], joints: Vec::new() };
        let mut todo = vec![start];
        while let Some(atom) = todo.pop() {
            group.atoms[atom] = true;
            for n in molecule.neighbours(atom) {
                if let Some(at) = place[n.atom()] {
                    group.joints.push((n.bond() as u32, at));
                } else if !std::mem::replace(&mut seen[n.atom()], true) {
                    todo.push(n.atom());
                }
            }
        }
        group.joints.sort_unstable_by_key(|&(bond, at)| (at, bond));
        // Parts that do not touch the core, such as counter-ions, are no groups.
        if !group.joints.is_empty() {
            groups.push(group);
        }
    }
    groups
}

/// The group as text, its attachment points labelled by `label(joint)`.
fn group_text(
    molecule: &Molecule,
    group: &Hanging,
    label: impl Fn(usize) -> u32,
) -> Result<String, MolError> {
    let attachments: Vec<Attachment> = group
        .joints
        .iter()
        .enumerate()
        .map(|(joint, &(bond, _))| Attachment { site: Site::Bond(bond), label: label(joint) })
        .collect();
    labelled_smiles(molecule, |atom| group.atoms[atom], &attachments)
}

/// What hangs on the core when it lies on these atoms. Attachment points are named after the
/// places of the core, so that equal groups at one place have equal texts.
fn hanging(molecule: &Molecule, core_atoms: &[u32]) -> Result<Way, MolError> {
    let mut way = Way::new();
    for group in groups_of(molecule, core_atoms) {
        let text = group_text(molecule, &group, |joint| group.joints[joint].1 + 1)?;
        way.extend(group.joints.iter().map(|&(_, place)| (place, text.clone())));
    }
    way.sort_unstable();
    Ok(way)
}

/// The labels at each place of the core.
fn columns(core: &Core, ways: &[&Way]) -> Vec<Vec<u32>> {
    let mut columns = vec![Vec::new(); core.pattern.atoms().len()];
    for &(place, label) in &core.labels {
        columns[place as usize].push(label);
    }
    let mut most = vec![0; columns.len()];
    for way in ways {
        let mut counts = vec![0; columns.len()];
        for &(place, _) in way.iter() {
            counts[place as usize] += 1;
        }
        for (most, count) in most.iter_mut().zip(counts) {
            *most = count.max(*most);
        }
    }
    let mut taken: Vec<u32> = core.labels.iter().map(|&(_, label)| label).collect();
    let mut next = 1;
    for (labels, most) in columns.iter_mut().zip(most) {
        while labels.len() < most {
            while taken.contains(&next) {
                next += 1;
            }
            labels.push(next);
            taken.push(next);
        }
    }
    columns
}

fn fill_row(
    molecule: &Molecule,
    core_atoms: &[u32],
    columns: &[Vec<u32>],
) -> Result<RGroupRow, MolError> {
    let groups = groups_of(molecule, core_atoms);
    // Joints at one place take its labels in the order of their groups' texts.
    let mut joints: Vec<(u32, String, usize, usize)> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let text = group_text(molecule, group, |joint| group.joints[joint].1 + 1)?;
        for (joint, &(_, place)) in group.joints.iter().enumerate() {
            joints.push((place, text.clone(), index, joint));
        }
    }
    joints.sort_unstable();
    let mut label_of: Vec<Vec<u32>> =
        groups.iter().map(|group| vec![0; group.joints.len()]).collect();
    let mut used = vec![0; columns.len()];
    for (place, _, group, joint) in &joints {
        let slot = &mut used[*place as usize];
        label_of[*group][*joint] = columns[*place as usize][*slot];
        *slot += 1;
    }
    let mut row = RGroupRow {
        molecule: 0,
        core_atoms: core_atoms.to_vec(),
        core: String::new(),
        groups: Vec::new(),
        complete: true,
    };
    let mut attachments = Vec::new();
    for (group, labels) in groups.iter().zip(&label_of) {
        let smiles = group_text(molecule, group, |joint| labels[joint])?;
        for (&(bond, _), &label) in group.joints.iter().zip(labels) {
            attachments.push(Attachment { site: Site::Bond(bond), label });
        }
        let mut labels = labels.clone();
        labels.sort_unstable();
        row.groups.push(RGroup { labels, smiles });
    }
    for (place, labels) in columns.iter().enumerate() {
        let atom = core_atoms[place];
        let hydrogens = usize::from(molecule.atom(atom as usize).hydrogens());
        for &label in labels.iter().skip(used[place]).take(hydrogens) {
            attachments.push(Attachment { site: Site::Hydrogen(atom), label });
            row.groups.push(RGroup { labels: vec![label], smiles: format!("[H][*:{label}]") });
        }
    }
    row.groups.sort_unstable_by(|a, b| a.labels.cmp(&b.labels));
    let mut in_core = vec![false; molecule.atom_count()];
    for &atom in core_atoms {
        in_core[atom as usize] = true;
    }
    row.core = labelled_smiles(molecule, |atom| in_core[atom], &attachments)?;
    Ok(row)
}
