//! `synthon mcp`, and `synthon-mcp`.

mod config;
mod install;

pub(crate) use install::installed;

use std::io;
use std::io::Write;
use std::time::Duration;

use synthon_mcp::{HttpSettings, Settings, serve, serve_http};
use synthon_tools::{Catalogue, Registry, Toolset};

use crate::args::{McpArgs, McpCommand, ServerArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::programs::Programs;
use crate::sources;

pub(crate) fn run(args: McpArgs, programs: &Programs) -> Result<(), Failure> {
    if let Some(McpCommand::Install(args)) = &args.command {
        let mut out = Output::stdout();
        install::run(args, programs, &mut out)?;
        return out.flush();
    }
    let args = config::complete(args.settings)?;
    let settings = settings(&args)?;
    match http(&args)? {
        None => serve(settings, io::stdin(), io::stdout()),
        Some(http) => serve_http(settings, http, |address| {
            // Standard output stays free, as with the other door.
            let _ = writeln!(io::stderr(), "listening at http://{address}/mcp");
        }),
    }
    .map_err(|error| Failure::file("the server cannot start", &error))
}

fn settings(args: &ServerArgs) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(which) = args.tools.as_deref().filter(|which| *which != "all") {
        settings.registry = choose_tools(which)?;
        settings.tools_are_chosen = true;
    }
    let mut catalogue = Catalogue::shipped();
    for (name, file) in &args.stock {
        sources::add_named_stock(&mut catalogue, name, file)?;
    }
    for (name, path) in &args.library {
        sources::add_named_library(&mut catalogue, name, path)?;
    }
    settings.catalogue = catalogue;
    if let Some(seconds) = args.call_timeout {
        settings.call_timeout = Duration::from_secs(seconds.into());
    }
    if let Some(jobs) = args.max_jobs {
        settings.max_jobs = jobs.into();
    }
    Ok(settings)
}

fn http(args: &ServerArgs) -> Result<Option<HttpSettings>, Failure> {
    let Some(address) = args.http else {
        let idle = [
            ("--http-token-file", args.http_token_file.is_some()),
            ("--http-host", !args.http_host.is_empty()),
            ("--http-origin", !args.http_origin.is_empty()),
            ("--http-rate", args.http_rate.is_some()),
        ];
        return match idle.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Failure::input(format!("{flag} goes with --http"))),
            None => Ok(None),
        };
    };
    let mut http = HttpSettings::at(address);
    if let Some(file) = &args.http_token_file {
        let token = std::fs::read_to_string(file)
            .map_err(|error| Failure::file(&file.display().to_string(), &error))?;
        http.token = Some(token.trim().to_owned());
    }
    http.hosts.clone_from(&args.http_host);
    http.origins.clone_from(&args.http_origin);
    if let Some(rate) = args.http_rate {
        http.requests_per_second = rate;
    }
    Ok(Some(http))
}

fn choose_tools(which: &str) -> Result<Registry, Failure> {
    match which {
        "planning" => return Ok(Registry::of(Toolset::Planning)),
        "molecules" => return Ok(Registry::of(Toolset::Molecules)),
        _ => {}
    }
    let all = Registry::standard();
    let names: Vec<&str> = which.split(',').map(str::trim).collect();
    if let Some(unknown) = names.iter().find(|name| all.find(name).is_none()) {
        let known: Vec<_> = all.tools().iter().map(|tool| tool.name).collect();
        return Err(Failure::input(format!(
            "--tools: unknown tool {unknown:?}; accepted: all, planning, molecules, {}",
            known.join(", ")
        )));
    }
    Ok(all.only(|tool| names.contains(&tool.name)))
}
