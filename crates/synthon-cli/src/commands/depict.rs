//! `synthon depict`: a molecule, a pair with its common part, a reaction or a file of molecules
//! as SVG or PNG.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_depict::{
    Cell, DepictError, DrawOptions, MAX_DRAWINGS, PairMap, Reaction, Scene, SheetSize, Theme,
    grid_figure, molecule_figure, pair_figure, reaction_figure, to_png, to_svg,
};
use synthon_mol::Molecule;
use synthon_records::{RecordError, RecordReport};
use synthon_tools::{CallContext, Catalogue, call_tool, read_molecule};

use crate::args::{DepictArgs, DepictTheme, MoleculeFile};
use crate::failure::Failure;
use crate::molecule_file::{self, tell_dropped, tell_report, tell_warnings, text_of, title, warn};
use crate::one_line::one_line;
use crate::output::{Output, written};
use crate::status;

/// Atoms of a molecule from the command line; the same as for searches.
const MAX_ATOMS: usize = 1_024;

/// Size of a pair and of a cell in a grid, where none is given.
const PAIR: (f64, f64) = (800.0, 360.0);
const CELL: (f64, f64) = (250.0, 200.0);
/// Columns of a grid, and its molecules at most.
const COLUMNS: u16 = 4;
const LIMIT: u32 = 100;
/// Pixels of a PNG for each of the drawing.
const ZOOM: f64 = 2.0;

pub(crate) fn run(args: &DepictArgs, out: &mut Output) -> Result<u8, Failure> {
    let as_png = wants_png(args)?;
    let mut code = status::ANSWER;
    let scene = match (&args.file, args.molecules.as_slice()) {
        (Some(file), []) => grid(args, file, &mut code)?,
        (None, [text]) if molecule_file::is_file(text) => grid(args, text, &mut code)?,
        (None, [text]) => {
            let text = text_of(text)?;
            match reaction_parts(text)? {
                Some(parts) => reaction(args, parts)?,
                None => single(args, text)?,
            }
        }
        (None, [first, second]) => pair(args, text_of(first)?, text_of(second)?)?,
        (Some(_), _) => return Err(Failure::input("give molecules or --file, not both")),
        (None, _) => {
            return Err(Failure::input(
                "give one SMILES, two for their common part, a reaction, or a file of molecules",
            ));
        }
    };
    let theme = match args.theme {
        DepictTheme::Auto => Theme::Auto,
        DepictTheme::Light => Theme::Light,
        DepictTheme::Dark => Theme::Dark,
        DepictTheme::Transparent => Theme::Transparent,
    };
    let picture = if as_png {
        to_png(&scene, theme, args.zoom.unwrap_or(ZOOM)).map_err(told)?
    } else {
        to_svg(&scene, theme).map_err(told)?.into_bytes()
    };
    written(args.output.as_deref(), out, |out| {
        out.bytes(&picture)?;
        Ok(code)
    })
}

/// What there is to draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Molecule,
    Reaction,
    Pair,
    File,
}

/// Refuses flags that say nothing of what is drawn.
fn refuse_idle(args: &DepictArgs, subject: Subject) -> Result<(), Failure> {
    let (pair, file) = (subject == Subject::Pair, subject == Subject::File);
    let flags = [
        ("column", args.column.is_some(), file),
        ("name-column", args.name_column.is_some(), file),
        ("from", args.from.is_some(), file),
        ("columns", args.columns.is_some(), file),
        ("limit", args.limit.is_some(), file),
        ("hide-atom-maps", args.hide_atom_maps, !pair),
        ("objective", args.objective.is_some(), pair),
        ("connected", args.connected.is_some(), pair),
        ("timeout-ms", args.timeout_ms.is_some(), pair),
        ("node-limit", args.node_limit.is_some(), pair),
        ("match-stereo", args.match_stereo, pair),
        ("complete-rings-only", args.complete_rings_only, pair),
        ("ring-matches-ring-only", args.ring_matches_ring_only, pair),
    ];
    let what = match subject {
        Subject::Molecule => "one molecule",
        Subject::Reaction => "a reaction",
        Subject::Pair => "two molecules",
        Subject::File => "a file",
    };
    match flags.iter().find(|(_, is_given, fits)| *is_given && !fits) {
        None => Ok(()),
        Some((flag, ..)) => Err(Failure::input(format!(
            "--{flag} does nothing to the drawing of {what}; leave it out"
        ))),
    }
}

fn wants_png(args: &DepictArgs) -> Result<bool, Failure> {
    let is_png = match &args.output {
        Some(path) => names_png(path)?,
        None => false,
    };
    if args.zoom.is_some() && !is_png {
        return Err(Failure::input("--zoom is for PNG; name an --output that ends in .png"));
    }
    Ok(is_png)
}

fn names_png(path: &Path) -> Result<bool, Failure> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => {
            Err(Failure::input(format!("{}: the name has to end in .svg or .png", path.display())))
        }
    }
}

fn told(error: DepictError) -> Failure {
    Failure::input(error.to_string())
}

fn read(text: &str) -> Result<Molecule, Failure> {
    read_molecule("SMILES", text, MAX_ATOMS).map_err(|error| Failure::tool(&error, Some(text)))
}

/// Reads a molecule, and tells what was dropped from it.
fn read_and_tell(text: &str) -> Result<Molecule, Failure> {
    let molecule = read(text)?;
    tell_dropped(&one_line(text.trim()), &molecule);
    Ok(molecule)
}

/// The sides of a reaction, and what stands between; `None` for a molecule. A `>` of `->` is a
/// bond.
fn reaction_parts(text: &str) -> Result<Option<[&str; 3]>, Failure> {
    let bytes = text.as_bytes();
    let signs: Vec<usize> = (0..bytes.len())
        .filter(|&k| bytes[k] == b'>' && (k == 0 || bytes[k - 1] != b'-'))
        .collect();
    match signs[..] {
        [] => Ok(None),
        [first, second] => {
            Ok(Some([&text[..first], &text[first + 1..second], &text[second + 1..]]))
        }
        _ => Err(Failure::input(format!(
            "{text}: a reaction has two `>`, this has {}; write reactants>agents>products, or \
             reactants>>products",
            signs.len()
        ))),
    }
}

fn size(args: &DepictArgs) -> SheetSize {
    SheetSize { width: args.width.map(f64::from), height: args.height.map(f64::from) }
}

fn options(args: &DepictArgs) -> DrawOptions {
    DrawOptions { hide_atom_maps: args.hide_atom_maps, ..DrawOptions::default() }
}

fn single(args: &DepictArgs, text: &str) -> Result<Scene, Failure> {
    refuse_idle(args, Subject::Molecule)?;
    let molecule = read_and_tell(text)?;
    molecule_figure(&molecule, &options(args), size(args), &mut Budget::unlimited()).map_err(told)
}

fn reaction(args: &DepictArgs, parts: [&str; 3]) -> Result<Scene, Failure> {
    refuse_idle(args, Subject::Reaction)?;
    if parts.iter().all(|part| part.trim().is_empty()) {
        return Err(Failure::input("the reaction has no molecules; write reactants>>products"));
    }
    let side = |part: &str| -> Result<Vec<Molecule>, Failure> {
        part.split('.').filter(|text| !text.trim().is_empty()).map(read_and_tell).collect()
    };
    let reaction =
        Reaction { reactants: side(parts[0])?, agents: side(parts[1])?, products: side(parts[2])? };
    reaction_figure(&reaction, &options(args), size(args), &mut Budget::unlimited()).map_err(told)
}

fn pair(args: &DepictArgs, first: &str, second: &str) -> Result<Scene, Failure> {
    refuse_idle(args, Subject::Pair)?;
    let mut arguments = json!({
        "query_smiles": first,
        "target_smiles": second,
        "match_stereo": args.match_stereo,
        "complete_rings_only": args.complete_rings_only,
        "ring_matches_ring_only": args.ring_matches_ring_only,
    });
    let given = [
        ("objective", args.objective.as_deref().map(Value::from)),
        ("connected", args.connected.map(Value::from)),
        ("timeout_ms", args.timeout_ms.map(Value::from)),
        ("node_limit", args.node_limit.map(Value::from)),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            arguments[key] = value;
        }
    }
    let catalogue = Catalogue::shipped();
    let reply =
        call_tool("find_mcs", &arguments, &CallContext::new(&catalogue)).map_err(|error| {
            let text = if error.argument_name() == Some("target_smiles") { second } else { first };
            Failure::tool(&error, Some(text))
        })?;
    tell_warnings(&reply.structured);
    let (query, target) = (read(first)?, read(second)?);
    let found = reply.structured.get("matches").map_or(&Value::Null, |matches| &matches[0]);
    let rows = |key: &str| -> Vec<Vec<usize>> {
        let row = |row: &Value| -> Vec<usize> {
            row.as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .map(|n| n as usize)
                .collect()
        };
        found[key].as_array().into_iter().flatten().map(row).collect()
    };
    let mut map = PairMap::default();
    for row in rows("atom_mapping") {
        if let [q, t] = row[..] {
            map.atoms.push((q, t));
        }
    }
    for row in rows("bond_mapping") {
        if let [a, b, c, d] = row[..] {
            map.first_bonds.extend(query.bond_between(a, b));
            map.second_bonds.extend(target.bond_between(c, d));
        }
    }
    if let Some(claim) = reply.structured.get("claim").and_then(Value::as_str) {
        // Drawings go to standard output; what they show goes beside it.
        let _ = writeln!(std::io::stderr(), "{claim}");
    }
    let width = args.width.map_or(PAIR.0, f64::from);
    let height = args.height.map_or(PAIR.1, f64::from);
    pair_figure(&query, &target, &map, width, height, &mut Budget::unlimited()).map_err(told)
}

/// The molecules of a file; records that give no molecule or no drawing are told of, and the
/// others go on. Where the file broke off, `code` becomes that of bad input.
fn grid(args: &DepictArgs, file: &OsStr, code: &mut u8) -> Result<Scene, Failure> {
    refuse_idle(args, Subject::File)?;
    let flags = MoleculeFile {
        from: args.from.clone(),
        column: args.column.clone(),
        name_column: args.name_column.clone(),
        jobs: None,
    };
    let mut records = molecule_file::open(file, &flags)?;
    let limit = args.limit.unwrap_or(LIMIT) as usize;
    let options = options(args);
    let mut report = RecordReport::default();
    let mut cells = Vec::new();
    while cells.len() < limit
        && let Some(raw) = records.next()
    {
        let record = raw.read();
        let drawn = record.molecule.and_then(|molecule| {
            let cell =
                Cell::new(&molecule, record.name.as_str(), &options, &mut Budget::unlimited());
            let cell = cell.map_err(|error| {
                let of = if record.name.is_empty() { "" } else { " of " };
                let reason = format!("No drawing{of}{}: {error}", record.name);
                RecordError::unfit(record.line, error.code(), reason)
            })?;
            report.take_good(record.line, molecule.warnings());
            Ok(cell)
        });
        match drawn {
            Ok(cell) => cells.push(cell),
            Err(error) => report.take_fault(error),
        }
    }
    tell_report(file, &report);
    if report.broken_off.is_some() {
        *code = status::BAD_INPUT;
    }
    if cells.is_empty() {
        return Err(Failure::input(format!("{}: no molecules to draw", title(file))));
    }
    if cells.len() == limit && records.next().is_some() {
        warn(&format!(
            "{}: only the first {limit} molecules are drawn; --limit takes more, to {MAX_DRAWINGS}",
            title(file)
        ));
    }
    let columns = usize::from(args.columns.unwrap_or(COLUMNS));
    let (width, height) =
        (args.width.map_or(CELL.0, f64::from), args.height.map_or(CELL.1, f64::from));
    grid_figure(cells, columns, width, height).map_err(told)
}
