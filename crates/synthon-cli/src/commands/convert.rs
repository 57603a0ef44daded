//! `synthon convert`: molecules from one notation to another, record by record.

use std::path::Path;

use synthon_mol::{
    Dimension, MolError, Molecule, MolfileForm, MolfileOptions, ReadOptions, read_molfile,
    write_molfile,
};
use synthon_records::{Notation, RawRecord, RecordError};
use synthon_toolkit::{LayoutOptions, ToolkitError, coordinates, inchi, inchi_key};

use crate::args::{ConvertArgs, Target};
use crate::failure::Failure;
use crate::molecule_file::{Made, each_record, open_or_text};
use crate::one_line::one_line;
use crate::output::{Output, written};

pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> Result<u8, Failure> {
    let target = match (args.to, &args.output) {
        (Some(to), _) => to,
        (None, Some(path)) => target_of(path)?,
        (None, None) => Target::Smiles,
    };
    let form = if args.v3000 { MolfileForm::V3000 } else { MolfileForm::Fitting };
    let records = open_or_text(&args.input, &args.flags)?;
    let mut count = 0;
    let work = |record: RawRecord| convert(record, target, form);
    written(args.output.as_deref(), out, |out| {
        each_record(records, &args.input, &args.flags, work, |text| {
            if target == Target::Mol && count == 1 {
                return Err(Failure::input(
                    "--to mol: a molfile holds one molecule, and there are more; use --to sdf",
                ));
            }
            count += 1;
            out.text(text)
        })
    })
}

/// The notation that a file name asks for.
fn target_of(path: &Path) -> Result<Target, Failure> {
    let mut name = path.to_string_lossy().to_ascii_lowercase();
    if let Some(packed) = name.strip_suffix(".gz") {
        name = packed.to_owned();
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    Ok(match ending {
        "smi" | "smiles" => Target::Smiles,
        "mol" | "mdl" => Target::Mol,
        "sdf" | "sd" => Target::Sdf,
        "inchi" => Target::Inchi,
        "inchikey" | "key" => Target::Inchikey,
        _ => {
            return Err(Failure::input(format!(
                "--output: {} names no notation by its ending; add --to",
                path.display()
            )));
        }
    })
}

/// A molecule with what of its record goes on.
struct Input {
    molecule: Molecule,
    /// Its places, where the record has some.
    places: Option<Vec<[f64; 3]>>,
    /// Data fields of an SDF record, as they stand there.
    data: String,
    name: String,
}

fn convert(record: RawRecord, target: Target, form: MolfileForm) -> Result<Made, RecordError> {
    let line = record.line;
    let Input { molecule, places, data, name } = input(record)?;
    let toolkit = |error: ToolkitError| RecordError::unfit(line, error.code(), error.to_string());
    let unwritable = |error: MolError| RecordError::unfit(line, error.code(), error.to_string());
    let mut warnings = molecule.warnings().to_vec();
    let named = |text: String| match name.as_str() {
        "" => format!("{text}\n"),
        name => format!("{text} {name}\n"),
    };
    let text = match target {
        Target::Smiles => named(molecule.to_smiles()),
        Target::Inchi => named(inchi(&molecule).map_err(toolkit)?),
        Target::Inchikey => named(inchi_key(&molecule).map_err(toolkit)?),
        Target::Mol | Target::Sdf => {
            let places = match places {
                Some(places) => places,
                None => {
                    let flat = coordinates(&molecule, &LayoutOptions::default());
                    flat.map_err(toolkit)?.into_iter().map(|[x, y]| [x, y, 0.0]).collect()
                }
            };
            let options = MolfileOptions { form, name };
            let file = write_molfile(&molecule, &places, &options).map_err(unwritable)?;
            warnings.extend(file.warnings);
            match target {
                Target::Mol => file.text,
                _ => format!("{}{data}$$$$\n", file.text),
            }
        }
    };
    Ok(Made { line, text, warnings })
}

fn input(record: RawRecord) -> Result<Input, RecordError> {
    if record.notation != Notation::Molfile {
        let read = record.read();
        let molecule = read.molecule?;
        let name = one_line(&read.name).into_owned();
        return Ok(Input { molecule, places: None, data: String::new(), name });
    }
    let text = record.text?;
    let file = read_molfile(&text, &ReadOptions::default())
        .map_err(|error| RecordError::molecule(&error, record.line))?;
    let mut data: String = text[file.length..].lines().flat_map(|line| [line, "\n"]).collect();
    if !data.is_empty() && !data.ends_with("\n\n") {
        data.push('\n');
    }
    Ok(Input {
        places: (file.dimension != Dimension::None).then_some(file.coordinates),
        molecule: file.molecule,
        data: if data.trim().is_empty() { String::new() } else { data },
        name: one_line(&record.name).into_owned(),
    })
}
