//! From a molecule with coordinates to a molfile.

mod geometry;
mod table;
mod v2000;
mod v3000;

use crate::{BondOrder, MolError, MolErrorKind, Molecule};
use table::Table;

/// How a molfile is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MolfileOptions {
    /// The form of the file.
    pub form: MolfileForm,
    /// The first line: a name. Only its first line is taken, and of that at most 80 characters,
    /// with a warning where there are more or where it begins like a mark of SD files.
    pub name: String,
}

/// The two forms of molfiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MolfileForm {
    /// V2000 where the molecule fits it: at most 999 atoms and bonds, no dative bonds.
    #[default]
    Fitting,
    /// V3000 in any case.
    V3000,
}

/// A molfile, and what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMolfile {
    /// The text, from the name to `M  END` and a line end.
    pub text: String,
    /// What of the molecule could not be expressed, in words.
    pub warnings: Vec<String>,
}

/// Most atoms, and most bonds, that the V2000 form counts.
const MOST_V2000: usize = 999;
/// Coordinates beyond this do not fit the columns of the V2000 form.
const FARTHEST_V2000: f64 = 9_999.0;

/// Writes a molecule with a place for each atom: those of a drawing where all third coordinates
/// are zero, those of a conformation otherwise.
///
/// Aromatic rings are written as single and double bonds, hydrogens only where they are atoms of
/// the molecule; wedges show the stereo centres, and double bonds that could have a geometry but
/// have none are marked as such. What is read back is the same molecule, unless `warnings` say
/// what is lost.
///
/// # Errors
/// When there are not as many places as atoms, a coordinate is not finite, or a bond has no
/// code in the format (quadruple).
///
/// ```
/// use synthon_mol::{MolfileOptions, Molecule, ReadOptions, read_molfile, write_molfile};
///
/// let alanine = Molecule::from_smiles("C[C@H](N)C(=O)O").unwrap();
/// let places = [[-1.3, 0.75, 0.0], [0.0, 0.0, 0.0], [0.0, -1.5, 0.0], [1.3, 0.75, 0.0], [1.3, 2.25, 0.0], [2.6, 0.0, 0.0]];
/// let file = write_molfile(&alanine, &places, &MolfileOptions::default()).unwrap();
/// let again = read_molfile(&file.text, &ReadOptions::default()).unwrap();
/// assert_eq!(again.molecule.to_smiles(), "C[C@H](N)C(=O)O");
/// ```
pub fn write_molfile(
    molecule: &Molecule,
    coordinates: &[[f64; 3]],
    options: &MolfileOptions,
) -> Result<WrittenMolfile, MolError> {
    check(molecule, coordinates)?;
    let table = Table::new(molecule, coordinates);
    let fits = molecule.atom_count() <= MOST_V2000
        && molecule.bond_count() <= MOST_V2000
        && coordinates.iter().flatten().all(|x| x.abs() < FARTHEST_V2000)
        && molecule.bonds().iter().all(|b| b.kekule_order() != BondOrder::Dative)
        && molecule.atoms().iter().all(|a| a.map() <= 999);
    let v2000 = options.form == MolfileForm::Fitting && fits;
    let mut text = String::with_capacity(80 * (molecule.atom_count() + 4));
    let mut warnings = table.warnings.clone();
    text.push_str(&title(&options.name, &mut warnings));
    text.push_str("\n  Synthon           ");
    text.push_str(if table.is_flat { "2D\n\n" } else { "3D\n\n" });
    if v2000 {
        v2000::write(&table, &mut text);
    } else {
        v3000::write(&table, &mut text);
    }
    text.push_str("M  END\n");
    Ok(WrittenMolfile { text, warnings })
}

/// Most characters of the first line.
const LONGEST_TITLE: usize = 80;

/// The first line. Readers of SD files end a record at any line that begins with `$$$$`, and take
/// one with `>` for a data field: a blank before it keeps the name and hinders that.
fn title(name: &str, warnings: &mut Vec<String>) -> String {
    let line = name.lines().next().unwrap_or_default();
    let mut title: String = line.chars().filter(|c| !c.is_control()).collect();
    if ["$$$$", ">", "M  END"].iter().any(|mark| title.starts_with(mark)) {
        title.insert(0, ' ');
        warnings.push(format!(
            "a blank was put before the name, which begins like a mark of SD files: {}",
            title.chars().take(20).collect::<String>().trim()
        ));
    }
    if let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) {
        title.truncate(end);
        warnings.push(format!(
            "the name was cut after {LONGEST_TITLE} characters, the most that a molfile holds"
        ));
    }
    title
}

fn check(molecule: &Molecule, coordinates: &[[f64; 3]]) -> Result<(), MolError> {
    let refuse = |sentence: String| Err(MolError::new(MolErrorKind::MolfileUnwritable, sentence));
    if coordinates.len() != molecule.atom_count() {
        return refuse(format!("{} places for {} atoms", coordinates.len(), molecule.atom_count()));
    }
    if let Some(atom) = coordinates.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        return refuse(format!("The place of atom {atom} is not finite"));
    }
    let quadruple = |b: &crate::Bond| b.kekule_order() == BondOrder::Quadruple;
    match molecule.bonds().iter().find(|b| quadruple(b)) {
        Some(bond) => refuse(format!(
            "The quadruple bond between atoms {} and {} has no code in a molfile",
            bond.begin(),
            bond.end()
        )),
        None => Ok(()),
    }
}
