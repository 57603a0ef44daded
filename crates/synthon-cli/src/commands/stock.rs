//! `synthon stock`: what is in a stock, whether molecules are, and making one.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use synthon_mol::Molecule;
use synthon_records::RecordError;
use synthon_stock::{Membership, StereoMatch, Stock};
use synthon_tools::Catalogue;

use crate::args::{StockBuildArgs, StockCommand, StockContainsArgs, StockForm, StockInfoArgs};
use crate::failure::Failure;
use crate::molecule_file;
use crate::one_line::one_line;
use crate::output::{Output, written};
use crate::sources;
use crate::status;

pub(crate) fn run(command: &StockCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        StockCommand::Info(args) => info(args, out),
        StockCommand::Build(args) => build(args, out),
        StockCommand::Contains(args) => contains(args, out),
    }
}

/// The stock of a configured name or a file.
fn open(catalogue: &mut Catalogue, given: &str) -> Result<std::sync::Arc<Stock>, Failure> {
    sources::add_stock_file(catalogue, "--stock", given)?;
    catalogue.stock("stock", given).map_err(|error| Failure::tool(&error, None))
}

fn info(args: &StockInfoArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut catalogue = Catalogue::shipped();
    let names: Vec<String> = match args.stocks.as_slice() {
        [] => catalogue.stock_names().into_iter().map(str::to_owned).collect(),
        given => given.to_vec(),
    };
    let mut values = Vec::new();
    for name in &names {
        let stock = open(&mut catalogue, name)?;
        values.push(describe(&stock));
    }
    if args.json {
        out.json(&values.into())?;
        return Ok(status::ANSWER);
    }
    for value in &values {
        let text = |key: &str| value[key].as_str().unwrap_or_default();
        out.line(&format!(
            "{}: {} molecules, kept as {}",
            one_line(text("name")),
            value["molecules"].as_u64().map_or("an unknown number of".into(), |n| n.to_string()),
            text("kept_as")
        ))?;
        for (key, words) in [("version", "version"), ("priced", "with a price")] {
            match &value[key] {
                Value::String(known) => out.line(&format!("  {words} {known}"))?,
                Value::Number(count) => out.line(&format!("  {count} {words}"))?,
                _ => {}
            }
        }
        for (source, count) in value["sources"].as_object().into_iter().flatten() {
            out.line(&format!("  {count} from {}", one_line(source)))?;
        }
    }
    Ok(status::ANSWER)
}

const FILTER: &str = "a filter, whose answers are probable at most";

fn describe(stock: &Stock) -> Value {
    let (mut sources, mut priced) = (std::collections::BTreeMap::<&str, u64>::new(), 0u64);
    let mut lines = 0u64;
    for entry in stock.entries() {
        lines += 1;
        *sources.entry(entry.source).or_insert(0) += 1;
        priced += u64::from(entry.price.is_some());
    }
    let kept_as = match (lines, stock.len()) {
        (0, 0) => FILTER,
        (0, _) => "InChIKeys",
        _ => "structures",
    };
    let mut value = Map::new();
    value.insert("name".into(), stock.name().into());
    if !stock.version().is_empty() {
        value.insert("version".into(), stock.version().into());
    }
    // A filter does not know how many it holds.
    let is_known = stock.is_empty() || kept_as != FILTER;
    value.insert("molecules".into(), if is_known { json!(stock.len()) } else { Value::Null });
    value.insert("kept_as".into(), kept_as.into());
    if lines > 0 {
        value.insert("entries".into(), lines.into());
        value.insert("priced".into(), priced.into());
        value.insert("sources".into(), json!(sources));
    }
    Value::Object(value)
}

fn build(args: &StockBuildArgs, out: &mut Output) -> Result<u8, Failure> {
    let (mut seen, mut repeated, mut status) = (HashSet::new(), 0u64, status::ANSWER);
    let done = written(Some(&args.output), out, |out| {
        for input in &args.inputs {
            let work = |(): &mut (), line, molecule: &Molecule| {
                let text = match args.to {
                    StockForm::Smiles => molecule.to_unmapped_smiles(),
                    StockForm::Inchikey => {
                        synthon_toolkit::inchi_key(molecule).map_err(|error| {
                            RecordError::unfit(
                                line,
                                "stock.no_key",
                                format!("No InChIKey: {error}"),
                            )
                        })?
                    }
                };
                Ok((molecule.canonical_key(), text))
            };
            let write =
                |place: &molecule_file::Place, (key, text): (u128, String), out: &mut Output| {
                    if !seen.insert(key) {
                        repeated += 1;
                        return Ok(());
                    }
                    match args.to {
                        StockForm::Smiles if !place.name.is_empty() => {
                            out.line(&format!("{text} {}", one_line(&place.name)))
                        }
                        _ => out.line(&text),
                    }
                };
            let done =
                molecule_file::each_molecule(input, &args.file, false, out, || (), work, write)?;
            status = status.max(done);
        }
        Ok(status)
    })?;
    let name = args.output.display().to_string();
    if args.json {
        out.json(&json!({"output": name, "molecules": seen.len(), "repeated": repeated}))?;
    } else {
        out.line(&format!("{name}: {} molecules; {repeated} repeated ones left out", seen.len()))?;
    }
    Ok(done)
}

fn contains(args: &StockContainsArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut catalogue = Catalogue::shipped();
    let stock = open(&mut catalogue, args.stock.as_deref().unwrap_or(Stock::EMBEDDED_NAME))?;
    let stereo = if args.ignore_stereo { StereoMatch::Ignore } else { StereoMatch::Exact };
    let stock = Stock::clone(&stock).with_stereo(stereo);
    let (mut any, mut status) = (false, status::ANSWER);
    for argument in &args.molecules {
        let mut tell = |title: &str, molecule: &Molecule, out: &mut Output| {
            let found = stock.contains(molecule);
            any |= found.may_be();
            match args.json {
                true => out.line(&value_of(molecule, title, &found).to_string()),
                false => out.line(&words_of(molecule, title, &found)),
            }
        };
        if molecule_file::is_file(argument) {
            let work = |(): &mut (), _, molecule: &Molecule| Ok(molecule.clone());
            let write = |place: &molecule_file::Place, molecule: Molecule, out: &mut Output| {
                tell(&place.name, &molecule, out)
            };
            let done = molecule_file::each_molecule(
                argument,
                &args.file,
                args.json,
                out,
                || (),
                work,
                write,
            )?;
            status = status.max(done);
        } else {
            let text = molecule_file::text_of(argument)?;
            let molecule = Molecule::from_smiles(text)
                .map_err(|error| Failure::input(format!("{}: {error}", one_line(text))))?;
            molecule_file::tell_dropped(text, &molecule);
            tell("", &molecule, out)?;
        }
    }
    Ok(if status == status::ANSWER && args.exit_status && !any { status::EMPTY } else { status })
}

fn value_of(molecule: &Molecule, title: &str, found: &Membership<'_>) -> Value {
    let mut value = Map::new();
    value.insert("smiles".into(), molecule.to_unmapped_smiles().into());
    if !title.is_empty() {
        value.insert("name".into(), title.into());
    }
    let state = match found {
        Membership::Yes(_) => "yes",
        Membership::Probable { .. } => "probable",
        _ => "no",
    };
    value.insert("in_stock".into(), state.into());
    if let Membership::Probable { false_positives } = found {
        value.insert("false_positives".into(), json!(false_positives));
    }
    if let Some(entry) = found.entry() {
        value.insert("source".into(), entry.source.into());
        for (key, known) in [("sold_as", entry.sold_as()), ("listed_name", entry.name)] {
            if let Some(known) = known {
                value.insert(key.into(), known.into());
            }
        }
        if let Some(price) = entry.price {
            value.insert("price".into(), json!(price));
        }
    }
    Value::Object(value)
}

fn words_of(molecule: &Molecule, title: &str, found: &Membership<'_>) -> String {
    let mut line = match found {
        Membership::Yes(_) => "yes       ".to_owned(),
        Membership::Probable { .. } => "probable  ".to_owned(),
        _ => "no        ".to_owned(),
    };
    line.push_str(&molecule.to_unmapped_smiles());
    if !title.is_empty() {
        line.push_str(&format!("  {}", one_line(title)));
    }
    if let Membership::Probable { false_positives } = found {
        line.push_str(&format!("  (wrong for {:.1} % of others)", 100.0 * false_positives));
    }
    if let Some(entry) = found.entry() {
        if let Some(form) = entry.sold_as() {
            line.push_str(&format!("  sold as {form}"));
        }
        if let Some(price) = entry.price {
            line.push_str(&format!("  price {price}"));
        }
    }
    line
}
