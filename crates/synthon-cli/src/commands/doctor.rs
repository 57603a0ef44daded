//! `synthon doctor`: what is installed, loaded and reachable, and what to do about what is not.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synthon_budget::CancelFlag;
use synthon_tools::{CallContext, Catalogue, ENGINE_VERSION, Registry, call_tool};

use super::mcp::installed;
use crate::args::DoctorArgs;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::output::Output;
use crate::programs::Programs;
use crate::status;

/// Time for the trial calls.
const TRIAL: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Worth a look; nothing is broken.
    Note,
    /// Something that belongs to the program does not work.
    Broken,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Good => "ok",
            State::Note => "note",
            State::Broken => "broken",
        }
    }
}

struct Finding {
    what: String,
    state: State,
    found: String,
    /// What to do about it.
    advice: Option<String>,
}

pub(crate) fn run(args: &DoctorArgs, programs: &Programs, out: &mut Output) -> Result<u8, Failure> {
    let mut findings = Vec::new();
    program(programs, &mut findings);
    let catalogue = Catalogue::shipped();
    libraries(&catalogue, &mut findings);
    stocks(&catalogue, &mut findings);
    trials(&catalogue, &mut findings);
    clients(&mut findings);
    terminal(&mut findings);
    if args.json {
        let list: Vec<Value> = findings
            .iter()
            .map(|finding| {
                json!({"what": finding.what, "state": finding.state.name(),
                       "found": finding.found, "advice": finding.advice})
            })
            .collect();
        out.json(&json!({"engine_version": ENGINE_VERSION, "findings": list}))?;
    } else {
        for finding in &findings {
            out.line(&format!(
                "{:<7} {:<22} {}",
                finding.state.name(),
                finding.what,
                one_line(&finding.found)
            ))?;
            if let Some(advice) = &finding.advice {
                out.line(&format!("{:<30} -> {advice}", ""))?;
            }
        }
    }
    let any = |state| findings.iter().any(|finding| finding.state == state);
    Ok(if any(State::Broken) {
        status::FAULT
    } else if args.exit_status && any(State::Note) {
        status::EMPTY
    } else {
        status::ANSWER
    })
}

fn add(findings: &mut Vec<Finding>, what: &str, state: State, found: String, advice: &str) {
    let advice = (!advice.is_empty()).then(|| advice.to_owned());
    findings.push(Finding { what: what.to_owned(), state, found, advice });
}

fn program(programs: &Programs, findings: &mut Vec<Finding>) {
    let place =
        programs.own.as_ref().map_or("an unknown place".into(), |p| p.display().to_string());
    add(findings, "program", State::Good, format!("synthon {ENGINE_VERSION} at {place}"), "");
    if programs.server.is_empty() {
        add(
            findings,
            "server",
            State::Note,
            "no synthon-mcp beside this program".to_owned(),
            "`synthon mcp` is the same server; clients may start that",
        );
    } else {
        add(findings, "server", State::Good, programs.server.join(" "), "");
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    add(findings, "processors", State::Good, format!("{threads}, the default of --jobs"), "");
}

fn libraries(catalogue: &Catalogue, findings: &mut Vec<Finding>) {
    for name in catalogue.library_names() {
        let what = format!("library {name}");
        let start = Instant::now();
        match catalogue.library("library", name) {
            Ok(library) => {
                let extracted = library.extracted();
                let more = extracted.map_or(String::new(), |extracted| {
                    let policy = if extracted.has_policy() { "with" } else { "without" };
                    format!(", {} extracted {policy} a policy", extracted.len())
                });
                let found = format!(
                    "{} named templates{more}, opened in {:.0} ms",
                    library.len(),
                    milliseconds(start)
                );
                let is_empty = library.is_empty() && extracted.is_none();
                let state = if is_empty { State::Broken } else { State::Good };
                add(findings, &what, state, found, "");
            }
            Err(error) => add(findings, &what, State::Broken, error.to_string(), REINSTALL),
        }
    }
}

/// What helps against a broken part of the program itself.
const REINSTALL: &str = "this belongs to the program: install it again, and report it if that \
                         does not help";

fn stocks(catalogue: &Catalogue, findings: &mut Vec<Finding>) {
    for name in catalogue.stock_names() {
        let what = format!("stock {name}");
        let start = Instant::now();
        match catalogue.stock("stock", name) {
            Ok(stock) => {
                let (count, time) = (stock.len(), milliseconds(start));
                let state = if stock.is_empty() { State::Broken } else { State::Good };
                add(
                    findings,
                    &what,
                    state,
                    format!("{count} molecules, opened in {time:.0} ms"),
                    "",
                );
            }
            Err(error) => add(findings, &what, State::Broken, error.to_string(), REINSTALL),
        }
    }
}

fn trials(catalogue: &Catalogue, findings: &mut Vec<Finding>) {
    let tools = Registry::standard().tools().len();
    add(findings, "tools", State::Good, format!("{tools} in the registry"), "");
    let mut trial = |what: &str, tool: &str, arguments: Value, holds: fn(&Value) -> bool| {
        let start = Instant::now();
        let context = CallContext::limited(catalogue, TRIAL, CancelFlag::new());
        match call_tool(tool, &arguments, &context) {
            Ok(reply) if holds(&Value::Object(reply.structured.clone())) => {
                let found = format!("{tool} answered in {:.0} ms", milliseconds(start));
                add(findings, what, State::Good, found, "");
            }
            Ok(_) => {
                add(findings, what, State::Broken, format!("{tool} gave no answer"), REINSTALL)
            }
            Err(error) => add(findings, what, State::Broken, error.to_string(), REINSTALL),
        }
    };
    trial("planning", "find_routes", json!({"smiles": "CC(=O)Nc1ccc(O)cc1"}), |reply| {
        reply["routes_found"].as_u64().is_some_and(|found| found > 0)
    });
    trial("comparing", "find_mcs", json!({"query_smiles": "CCO", "target_smiles": "CCN"}), |r| {
        r["status"] == "COMPLETED"
    });
    trial("drawing", "depict_route", json!({"smiles": "CC(=O)Nc1ccc(O)cc1"}), |reply| {
        reply["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg"))
    });
}

fn clients(findings: &mut Vec<Finding>) {
    let clients = installed();
    if clients.is_empty() {
        let found = "no settings of a known MCP client on this machine".to_owned();
        add(
            findings,
            "MCP clients",
            State::Note,
            found,
            "`synthon mcp install --client NAME --print` shows the entry that a client needs",
        );
    }
    for client in clients {
        let what = format!("client {}", client.client);
        let file = client.file.display();
        match client.command {
            None => add(
                findings,
                &what,
                State::Note,
                format!("no entry in {file}"),
                &format!("`synthon mcp install --client {}` writes it", client.client),
            ),
            Some(command) if Path::new(&command).is_absolute() && !Path::new(&command).exists() => {
                add(
                    findings,
                    &what,
                    State::Note,
                    format!("starts {command}, which is not there"),
                    &format!("`synthon mcp install --client {}` mends it", client.client),
                );
            }
            Some(command) => add(findings, &what, State::Good, format!("starts {command}"), ""),
        }
    }
}

fn terminal(findings: &mut Vec<Finding>) {
    let is_set = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let found = match (io::stdout().is_terminal(), is_set) {
        (true, false) => "output goes to a terminal, in colour",
        (true, true) => "output goes to a terminal, without colour (NO_COLOR)",
        (false, _) => "output goes to a file or a pipe, without colour",
    };
    add(findings, "terminal", State::Good, found.to_owned(), "");
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
