//! `synthon audit`: validate routes from a file, whoever planned them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_records::Gunzip;
use synthon_tools::{Catalogue, FoundRoute, call_tool, routes_in};

use super::routes::{catalogue, context, search_arguments, with_smiles};
use crate::args::AuditArgs;
use crate::failure::{Failure, complain};
use crate::output::{Output, written};
use crate::status;

/// Longest file of routes, unpacked.
const MAX_BYTES: u64 = 1 << 30;

pub(crate) fn run(args: &AuditArgs, out: &mut Output) -> Result<u8, Failure> {
    let name = match args.file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => args.file.display().to_string(),
    };
    let routes = routes(&read(&args.file, &name)?, &name)?;
    if routes.is_empty() {
        return Err(Failure::input(format!(
            "{name} holds no route; wanted are routes of this program, AiZynthFinder, PaRoutes, \
             Syntheseus or RetroCast"
        )));
    }
    let catalogue = catalogue(&args.search)?;
    let mut verdicts = Verdicts::default();
    written(args.output.as_deref(), out, |out| {
        for found in &routes {
            one(args, &name, found, &catalogue, &mut verdicts, out)?;
        }
        if !args.json && routes.len() > 1 {
            out.line(&format!(
                "{} routes: {} pass, {} partial, {} fail, {} could not be read",
                routes.len(),
                verdicts.pass,
                verdicts.partial,
                verdicts.fail,
                verdicts.unreadable
            ))?;
        }
        Ok(if verdicts.unreadable == routes.len() {
            status::BAD_INPUT
        } else if args.exit_status && verdicts.pass < routes.len() {
            status::EMPTY
        } else {
            status::ANSWER
        })
    })
}

#[derive(Default)]
struct Verdicts {
    pass: usize,
    partial: usize,
    fail: usize,
    unreadable: usize,
}

fn one(
    args: &AuditArgs,
    name: &str,
    found: &FoundRoute,
    catalogue: &Catalogue,
    verdicts: &mut Verdicts,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut arguments = search_arguments(&args.search);
    arguments.insert("route".into(), found.route.clone().into());
    // What has no target that can be told is refused by the tool, with its reason.
    let arguments = with_smiles(arguments, found.target.as_deref().unwrap_or("C"));
    let ask = |tool| {
        let context = context(catalogue, CancelFlag::new());
        call_tool(tool, &arguments, &context)
    };
    let place = if found.place.is_empty() { "/" } else { &found.place };
    let reply = match ask("validate_route") {
        Ok(reply) => reply,
        // What is wrong with a flag is wrong for every route.
        Err(error) if is_of_a_flag(error.argument_name()) => {
            return Err(Failure::tool(&error, None));
        }
        Err(error) => {
            verdicts.unreadable += 1;
            complain(&format!("{name}, route {place}: {error}"));
            if args.json {
                let mut line = Map::new();
                line.insert("place".into(), place.into());
                line.insert("error".into(), error.to_string().into());
                line.append(&mut error.details());
                out.line(&Value::Object(line).to_string())?;
            }
            return Ok(());
        }
    };
    match reply.structured["verdict"].as_str() {
        Some("pass") => verdicts.pass += 1,
        Some("partial") => verdicts.partial += 1,
        _ => verdicts.fail += 1,
    }
    let words = match args.explain {
        true => Some(ask("explain_route").map_err(|error| Failure::tool(&error, None))?),
        false => None,
    };
    if args.json {
        let mut line = Map::new();
        line.insert("place".into(), place.into());
        line.extend(reply.structured);
        if let Some(mut words) = words {
            line.insert("explanations".into(), words.structured["explanations"].take());
        }
        return out.line(&Value::Object(line).to_string());
    }
    out.line(&format!("Route {place} to {}", found.target.as_deref().unwrap_or_default()))?;
    out.text(&reply.text)?;
    if let Some(words) = words {
        out.text(&words.text)?;
    }
    out.line("")
}

fn is_of_a_flag(argument: Option<&str>) -> bool {
    argument.is_some_and(|name| !name.starts_with("route") && name != "smiles")
}

/// The file as text, unpacked where it is packed.
fn read(path: &Path, name: &str) -> Result<String, Failure> {
    let unreadable = |error: io::Error| Failure::file(name, &error);
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin()),
        _ => Box::new(File::open(path).map_err(unreadable)?),
    };
    source.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let packed = Gunzip::new(io::Cursor::new(bytes));
        packed.take(MAX_BYTES + 1).read_to_end(&mut unpacked).map_err(unreadable)?;
        bytes = unpacked;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::input(format!("{name}: more than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::input(format!("{name}: byte {at} is not UTF-8"))
    })
}

/// The routes of one JSON value, or of one value a line.
fn routes(text: &str, name: &str) -> Result<Vec<FoundRoute>, Failure> {
    let whole = match serde_json::from_str::<Value>(text) {
        Ok(file) => return Ok(routes_in(&file)),
        Err(error) => error,
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let mut found = Vec::new();
    for (number, line) in lines {
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            // A first line that is no JSON by itself: the file was meant as one value.
            Err(_) if found.is_empty() => {
                return Err(Failure::input(format!("{name} is not JSON: {whole}")));
            }
            Err(error) => {
                return Err(Failure::input(format!("{name}, line {number} is not JSON: {error}")));
            }
        };
        found.extend(routes_in(&value).into_iter().map(|mut route| {
            route.place = format!("{}{}", number, route.place);
            route
        }));
    }
    Ok(found)
}
