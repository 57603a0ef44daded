//! `synthon mcs`, `substructure` and `smarts`: the search tools, with a picture of the result.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use synthon_mol::Molecule;
use synthon_query::{ChemistryOptions, MatchOptions, Pattern, Target, explain};
use synthon_tools::{CallContext, Catalogue, call_tool};

use crate::args::{McsArgs, MoleculeFile, SearchSwitches, SmartsArgs, SubstructureArgs};
use crate::commands::call::stopped_without_answer;
use crate::commands::search_file::{FileSearch, smarts_query, smiles_query};
use crate::failure::Failure;
use crate::molecule_file::{is_file, tell_warnings, text_of};
use crate::output::Output;
use crate::picture::{AtomText, LABEL, Marks, wrapped};
use crate::status;

pub(crate) fn mcs(args: &McsArgs, out: &mut Output) -> Result<u8, Failure> {
    let arguments = json!({
        "query_smiles": args.query,
        "target_smiles": args.target,
        "objective": args.objective,
        "connected": args.connected,
    });
    let result = ask("find_mcs", arguments, &args.switches, &args.query, &args.target)?;
    let texts =
        Texts { query: AtomText::smiles(&args.query), target: AtomText::smiles(&args.target) };
    print(&result, &texts, &args.switches, out)
}

pub(crate) fn substructure(args: &SubstructureArgs, out: &mut Output) -> Result<u8, Failure> {
    let is_smarts = args.query_format == "smarts";
    if is_file(&args.target) {
        let pattern = if is_smarts {
            smarts_query("query", &args.query)?
        } else {
            smiles_query("query", &args.query, &chemistry(&args.switches))?
        };
        return over_file(pattern, args.induced, 1, &args.target, &args.file, &args.switches, out);
    }
    let target = text_of(&args.target)?;
    let arguments = json!({
        "query": args.query,
        "target_smiles": target,
        "query_format": args.query_format,
        "induced": args.induced,
    });
    let result = ask("find_substructure", arguments, &args.switches, &args.query, target)?;
    let query = if is_smarts { AtomText::smarts } else { AtomText::smiles }(&args.query);
    let texts = Texts { query, target: AtomText::smiles(target) };
    print(&result, &texts, &args.switches, out)
}

pub(crate) fn smarts(args: &SmartsArgs, out: &mut Output) -> Result<u8, Failure> {
    if is_file(&args.target) {
        let pattern = smarts_query("query_smarts", &args.pattern)?;
        let most = usize::try_from(args.max_matches).unwrap_or(0);
        if most == 0 {
            return Err(Failure::input("--max-matches is at least 1"));
        }
        return over_file(pattern, false, most, &args.target, &args.file, &args.switches, out);
    }
    let target = text_of(&args.target)?;
    let arguments = json!({
        "query_smarts": args.pattern,
        "target_smiles": target,
        "max_matches": args.max_matches,
    });
    let mut result = ask("search_smarts", arguments, &args.switches, &args.pattern, target)?;
    let why = if args.explain { explain_miss(args, target) } else { None };
    if let (true, Some(why), Some(object)) = (args.switches.json, &why, result.as_object_mut()) {
        object.insert("explanation".into(), why.as_str().into());
    }
    let texts = Texts { query: AtomText::smarts(&args.pattern), target: AtomText::smiles(target) };
    let code = print(&result, &texts, &args.switches, out)?;
    if let (false, Some(why)) = (args.switches.json, why) {
        out.line(&why)?;
    }
    Ok(code)
}

fn over_file(
    pattern: Pattern,
    induced: bool,
    most: usize,
    file: &OsStr,
    flags: &MoleculeFile,
    switches: &SearchSwitches,
    out: &mut Output,
) -> Result<u8, Failure> {
    let complete_rings_only = switches.complete_rings_only;
    let options = MatchOptions { induced, complete_rings_only };
    FileSearch { pattern, options, most, file, flags, switches }.run(out)
}

fn chemistry(switches: &SearchSwitches) -> ChemistryOptions {
    ChemistryOptions {
        match_stereo: switches.match_stereo,
        complete_rings_only: switches.complete_rings_only,
        ring_matches_ring_only: switches.ring_matches_ring_only,
        ..ChemistryOptions::default()
    }
}

/// Calls the tool; the two texts are those that an error may point into.
fn ask(
    tool: &str,
    arguments: Value,
    switches: &SearchSwitches,
    query: &str,
    target: &str,
) -> Result<Value, Failure> {
    let mut arguments = match arguments {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    for (key, number) in [("timeout_ms", switches.timeout_ms), ("node_limit", switches.node_limit)]
    {
        if let Some(number) = number {
            arguments.insert(key.into(), number.into());
        }
    }
    for (key, flag) in [
        ("match_stereo", switches.match_stereo),
        ("complete_rings_only", switches.complete_rings_only),
        ("ring_matches_ring_only", switches.ring_matches_ring_only),
    ] {
        arguments.insert(key.into(), flag.into());
    }
    let catalogue = Catalogue::shipped();
    let reply = call_tool(tool, &Value::Object(arguments), &CallContext::new(&catalogue));
    match reply {
        Ok(reply) => {
            tell_warnings(&reply.structured);
            Ok(Value::Object(reply.structured))
        }
        Err(error) => {
            let is_target = error.argument_name() == Some("target_smiles");
            Err(Failure::tool(&error, Some(if is_target { target } else { query })))
        }
    }
}

/// The two inputs, as they are drawn.
struct Texts<'a> {
    query: AtomText<'a>,
    target: AtomText<'a>,
}

fn print(
    result: &Value,
    texts: &Texts<'_>,
    switches: &SearchSwitches,
    out: &mut Output,
) -> Result<u8, Failure> {
    if switches.json {
        out.json(result)?;
    } else {
        let text = describe(result, texts, out.is_coloured());
        out.text(&text)?;
    }
    out.flush()?;
    Ok(if result.as_object().is_some_and(stopped_without_answer) {
        status::STOPPED
    } else if result["found"] == false && switches.exit_status {
        status::EMPTY
    } else {
        status::ANSWER
    })
}

/// One match: query and target atom of each pair, piece by piece.
struct Found {
    pieces: Vec<Vec<(usize, usize)>>,
    bonds: u64,
}

impl Found {
    fn of(object: &Value) -> Self {
        let pairs: BTreeMap<usize, usize> = list(&object["atom_mapping"])
            .filter_map(|p| Some((index(&p[0])?, index(&p[1])?)))
            .collect();
        let piece = |atoms: &Value| {
            list(atoms)
                .filter_map(|q| pairs.get_key_value(&index(q)?))
                .map(|(&q, &t)| (q, t))
                .collect()
        };
        let pieces = list(&object["fragments"]).map(piece).collect();
        Found { pieces, bonds: object["bond_count"].as_u64().unwrap_or(0) }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pieces.iter().flatten().copied()
    }

    /// Target atoms in ascending order.
    fn place(&self) -> Vec<usize> {
        let mut atoms: Vec<usize> = self.pairs().map(|(_, t)| t).collect();
        atoms.sort_unstable();
        atoms
    }

    /// The pairs as words, with bars between the pieces.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for piece in &self.pieces {
            if !words.is_empty() {
                words.push("|".into());
            }
            words.extend(piece.iter().map(|(q, t)| format!("{q}-{t}")));
        }
        words
    }
}

/// The result in words, with the matched atoms marked under both texts.
fn describe(result: &Value, texts: &Texts<'_>, coloured: bool) -> String {
    let matches: Vec<Found> = list(&result["matches"]).map(Found::of).collect();
    let mut text = match matches.as_slice() {
        [] => String::new(),
        [only] => describe_one(only, texts, coloured),
        several => describe_several(several, texts, coloured),
    };
    if let Some(claim) = result["claim"].as_str() {
        text.push_str(claim);
        text.push('\n');
    }
    text
}

fn describe_one(found: &Found, texts: &Texts<'_>, coloured: bool) -> String {
    let marks = |atoms: Vec<usize>| vec![Marks { label: String::new(), atoms }];
    let query = found.pairs().map(|(q, _)| q).collect();
    let mut text = texts.query.draw("query", &marks(query), coloured);
    text.push_str(&texts.target.draw("target", &marks(found.place()), coloured));
    text.push_str(&wrapped("atoms", found.words()));
    let _ = writeln!(
        text,
        "{:<LABEL$}{}, {}",
        "size",
        counted(found.pairs().count() as u64, "atom"),
        counted(found.bonds, "bond")
    );
    text
}

/// Each place in the target once, with a number; below, every embedding under the number of its
/// place.
fn describe_several(matches: &[Found], texts: &Texts<'_>, coloured: bool) -> String {
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut rows = String::new();
    for found in matches {
        let place = found.place();
        let number = places.iter().position(|known| *known == place).unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        });
        rows.push_str(&wrapped(&format!("{}", number + 1), found.words()));
    }
    let count = counted(places.len() as u64, "place");
    let marks: Vec<Marks> = places
        .into_iter()
        .enumerate()
        .map(|(number, atoms)| Marks { label: format!("{}", number + 1), atoms })
        .collect();
    let mut text = texts.query.draw("query", &[], false);
    text.push_str(&texts.target.draw("target", &marks, coloured));
    let _ =
        writeln!(text, "{} in {count}, atom by atom:", counted(matches.len() as u64, "embedding"));
    text.push_str(&rows);
    text
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok())
}

/// For a miss, which query atoms could not be placed, and on which primitive.
fn explain_miss(args: &SmartsArgs, target: &str) -> Option<String> {
    let pattern = Pattern::from_smarts(args.pattern.trim()).ok()?;
    let molecule = Molecule::from_smiles(target.trim()).ok()?;
    let options =
        MatchOptions { induced: false, complete_rings_only: args.switches.complete_rings_only };
    let catalogue = Catalogue::shipped();
    let mut budget = CallContext::new(&catalogue).budget().child();
    match explain(&pattern, &Target::new(&molecule), &options, &mut budget) {
        Ok(explanation) if explanation.matches => None,
        Ok(explanation) => Some(explanation.to_string()),
        Err(_) => Some("The explanation was stopped by its time limit.".into()),
    }
}
