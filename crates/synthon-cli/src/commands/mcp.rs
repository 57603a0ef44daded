//! `synthon mcp`, and `synthon-mcp`.

use std::io;
use std::time::Duration;

use synthon_mcp::{Settings, serve};
use synthon_tools::{Catalogue, Registry, Toolset};

use crate::args::McpArgs;
use crate::failure::Failure;
use crate::sources;

pub(crate) fn run(args: &McpArgs) -> Result<(), Failure> {
    let registry = choose_tools(&args.tools)?;
    let mut catalogue = Catalogue::shipped();
    for (name, file) in &args.stock {
        sources::add_named_stock(&mut catalogue, name, file)?;
    }
    for (name, path) in &args.library {
        sources::add_named_library(&mut catalogue, name, path)?;
    }
    let settings = Settings {
        registry,
        catalogue,
        tools_are_chosen: args.tools != "all",
        call_timeout: Duration::from_secs(args.call_timeout.into()),
        max_jobs: args.max_jobs.into(),
        ..Settings::default()
    };
    serve(settings, io::stdin(), io::stdout())
        .map_err(|error| Failure::file("the server cannot start", &error))
}

fn choose_tools(which: &str) -> Result<Registry, Failure> {
    match which {
        "all" => return Ok(Registry::standard()),
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
