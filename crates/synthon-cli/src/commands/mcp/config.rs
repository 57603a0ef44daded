//! The server's settings out of a TOML file.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::args::ServerArgs;
use crate::failure::Failure;

/// The keys are the names of the flags. Relative paths count from the folder of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    tools: Option<Tools>,
    #[serde(default)]
    stock: BTreeMap<String, PathBuf>,
    #[serde(default)]
    library: BTreeMap<String, PathBuf>,
    max_jobs: Option<u16>,
    call_timeout: Option<u32>,
    http: Option<SocketAddr>,
    http_token_file: Option<PathBuf>,
    #[serde(default)]
    http_host: Vec<String>,
    #[serde(default)]
    http_origin: Vec<String>,
    http_rate: Option<u32>,
}

/// A word or words as on the command line, or a list of tools.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Tools {
    Word(String),
    List(Vec<String>),
}

/// What is not given as a flag is taken from the file, if there is one.
pub(super) fn complete(mut args: ServerArgs) -> Result<ServerArgs, Failure> {
    let Some(path) = args.config.take() else { return Ok(args) };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::file(&path.display().to_string(), &error))?;
    let config: Config = toml::from_str(&text)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    check(&path, "max-jobs", config.max_jobs.map(u32::from), 256)?;
    check(&path, "call-timeout", config.call_timeout, 86_400)?;
    check(&path, "http-rate", config.http_rate, 100_000)?;

    args.tools = args.tools.or(config.tools.map(|tools| match tools {
        Tools::Word(word) => word,
        Tools::List(list) => list.join(","),
    }));
    args.stock = merged(&folder, config.stock, args.stock);
    args.library = merged(&folder, config.library, args.library);
    args.max_jobs = args.max_jobs.or(config.max_jobs);
    args.call_timeout = args.call_timeout.or(config.call_timeout);
    args.http = args.http.or(config.http);
    args.http_token_file =
        args.http_token_file.or(config.http_token_file.map(|file| folder.join(file)));
    args.http_host.extend(config.http_host);
    args.http_origin.extend(config.http_origin);
    args.http_rate = args.http_rate.or(config.http_rate);
    Ok(args)
}

fn check(path: &Path, key: &str, value: Option<u32>, most: u32) -> Result<(), Failure> {
    match value {
        Some(value) if !(1..=most).contains(&value) => Err(Failure::input(format!(
            "{}: {key} is {value}; accepted: 1 to {most}",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Those of the file first; a flag of the same name takes its place.
fn merged(
    folder: &Path,
    file: BTreeMap<String, PathBuf>,
    flags: Vec<(String, PathBuf)>,
) -> Vec<(String, PathBuf)> {
    file.into_iter()
        .filter(|(name, _)| flags.iter().all(|(flag, _)| flag != name))
        .map(|(name, path)| (name, folder.join(path)))
        .chain(flags.iter().cloned())
        .collect()
}
