//! `synthon depict`: a molecule, a pair with its common part, a reaction or a file of molecules
//! as SVG or PNG.

use std::io::Write as _;

use serde_json::{Value, json};
use synthon_budget::Budget;
use synthon_depict::{
    Cell, DepictError, DrawOptions, PairMap, Reaction, Scene, SheetSize, Theme, grid_figure,
    molecule_figure, pair_figure, reaction_figure, to_png, to_svg,
};
use synthon_mol::Molecule;
use synthon_tools::{CallContext, Catalogue, call_tool, read_molecule};

use crate::args::{DepictArgs, DepictTheme, MoleculeFile};
use crate::failure::{Failure, complain};
use crate::output::{Output, written};
use crate::{molecule_file, status};

/// Atoms of a molecule from the command line; the same as for searches.
const MAX_ATOMS: usize = 1_024;

/// Size of a pair and of a cell in a grid, where none is given.
const PAIR: (f64, f64) = (800.0, 360.0);
const CELL: (f64, f64) = (250.0, 200.0);

pub(crate) fn run(args: &DepictArgs, out: &mut Output) -> Result<u8, Failure> {
    let as_png = wants_png(args)?;
    let mut code = status::ANSWER;
    let scene = match (&args.file, args.molecules.as_slice()) {
        (Some(file), []) => grid(args, file, &mut code)?,
        (None, [text]) if molecule_file::is_file(text) => grid(args, text, &mut code)?,
        (None, [text]) => match reaction_parts(text)? {
            Some(parts) => reaction(args, parts)?,
            None => single(args, text)?,
        },
        (None, [first, second]) => pair(args, first, second)?,
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
        to_png(&scene, theme, args.zoom).map_err(told)?
    } else {
        to_svg(&scene, theme).map_err(told)?.into_bytes()
    };
    written(args.output.as_deref(), out, |out| {
        out.bytes(&picture)?;
        Ok(code)
    })
}

fn wants_png(args: &DepictArgs) -> Result<bool, Failure> {
    let Some(path) = &args.output else { return Ok(false) };
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
    let molecule = read(text)?;
    molecule_figure(&molecule, &options(args), size(args), &mut Budget::unlimited()).map_err(told)
}

fn reaction(args: &DepictArgs, parts: [&str; 3]) -> Result<Scene, Failure> {
    if parts.iter().all(|part| part.trim().is_empty()) {
        return Err(Failure::input("the reaction has no molecules; write reactants>>products"));
    }
    let side = |part: &str| -> Result<Vec<Molecule>, Failure> {
        part.split('.').filter(|text| !text.trim().is_empty()).map(read).collect()
    };
    let reaction =
        Reaction { reactants: side(parts[0])?, agents: side(parts[1])?, products: side(parts[2])? };
    reaction_figure(&reaction, &options(args), size(args), &mut Budget::unlimited()).map_err(told)
}

fn pair(args: &DepictArgs, first: &str, second: &str) -> Result<Scene, Failure> {
    let arguments = json!({
        "query_smiles": first,
        "target_smiles": second,
        "objective": args.objective,
        "connected": args.connected,
        "timeout_ms": args.timeout_ms,
        "node_limit": args.node_limit,
        "match_stereo": args.match_stereo,
        "complete_rings_only": args.complete_rings_only,
        "ring_matches_ring_only": args.ring_matches_ring_only,
    });
    let catalogue = Catalogue::shipped();
    let reply =
        call_tool("find_mcs", &arguments, &CallContext::new(&catalogue)).map_err(|error| {
            let text = if error.argument_name() == Some("target_smiles") { second } else { first };
            Failure::tool(&error, Some(text))
        })?;
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

/// The molecules of a file; bad records are told of, and the others go on. Where the file broke
/// off, `code` becomes that of bad input.
fn grid(args: &DepictArgs, file: &str, code: &mut u8) -> Result<Scene, Failure> {
    let columns = MoleculeFile {
        from: None,
        column: args.column.clone(),
        name_column: args.name_column.clone(),
        jobs: None,
    };
    let records = molecule_file::open(file, &columns)?;
    let mut cells = Vec::new();
    for raw in records {
        let record = raw.read();
        match record.molecule {
            Ok(molecule) => {
                cells.push(Cell { molecule, caption: record.name.clone(), options: options(args) })
            }
            Err(error) => {
                if error.ends_input() {
                    *code = status::BAD_INPUT;
                }
                complain(&format!("{file}: {error}"));
            }
        }
        if cells.len() >= args.limit as usize {
            break;
        }
    }
    if cells.is_empty() {
        return Err(Failure::input(format!("{file}: no molecules to draw")));
    }
    let (columns, width, height) = (usize::from(args.columns), args.width, args.height);
    grid_figure(
        &cells,
        columns,
        width.map_or(CELL.0, f64::from),
        height.map_or(CELL.1, f64::from),
        &mut Budget::unlimited(),
    )
    .map_err(told)
}
