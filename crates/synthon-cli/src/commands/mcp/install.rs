//! `synthon mcp install`: writes the entry for this server into a client's settings.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use serde_json::{Map, Value, json};
use synthon_records::Draft;

use crate::args::{Client, InstallArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::programs::Programs;

const NAME: &str = "synthon";

/// Where a client keeps its servers.
struct Place {
    file: PathBuf,
    /// The key of the object of servers.
    key: &'static str,
    /// Whether an entry says which transport it uses.
    typed: bool,
}

/// What a client's settings say of this server.
pub(crate) struct Installed {
    pub(crate) client: String,
    pub(crate) file: PathBuf,
    /// The program that the entry starts; none where there is no entry, or none that can be read.
    pub(crate) command: Option<String>,
}

/// The clients whose settings are on this machine.
pub(crate) fn installed() -> Vec<Installed> {
    let clients = Client::value_variants().iter().filter_map(|client| {
        let Place { file, key, .. } = place(*client).ok()?;
        let text = fs::read_to_string(&file).ok()?;
        let settings: Value = serde_json::from_str(&text).unwrap_or_default();
        let command = settings[key][NAME]["command"].as_str().map(str::to_owned);
        let client = client.to_possible_value()?.get_name().to_owned();
        Some(Installed { client, file, command })
    });
    clients.collect()
}

pub(super) fn run(
    args: &InstallArgs,
    programs: &Programs,
    out: &mut Output,
) -> Result<(), Failure> {
    let place = place(args.client)?;
    let entry = entry(&server(programs)?, &args.flags, place.typed);
    if args.print {
        let whole = json!({ place.key: { NAME: entry } });
        let text = serde_json::to_string_pretty(&whole).expect("JSON serialises");
        out.line(&format!("{text}\n\nbelongs in {}", place.file.display()))?;
        return Ok(());
    }
    let replaced = write(&place, entry)?;
    out.line(&format!(
        "{} the server {NAME} in {}; restart the client to use it",
        if replaced { "replaced" } else { "added" },
        place.file.display()
    ))?;
    Ok(())
}

/// The words that start the server: its own program, else this one with `mcp`.
fn server(programs: &Programs) -> Result<Vec<String>, Failure> {
    match (&programs.server[..], &programs.own) {
        ([], Some(own)) => Ok(vec![own.display().to_string(), "mcp".to_owned()]),
        ([], None) => Err(Failure::input("the path of this program is unknown")),
        (words, _) => Ok(words.to_vec()),
    }
}

fn entry(server: &[String], flags: &[String], typed: bool) -> Value {
    let (program, words) = server.split_first().expect("a program");
    let words: Vec<&String> = words.iter().chain(flags).collect();
    let mut entry = Map::new();
    if typed {
        entry.insert("type".into(), "stdio".into());
    }
    entry.insert("command".into(), program.as_str().into());
    entry.insert("args".into(), json!(words));
    entry.into()
}

fn place(client: Client) -> Result<Place, Failure> {
    let home = env::home_dir()
        .filter(|home| home.is_absolute())
        .ok_or_else(|| Failure::input("the home folder is unknown; use --print"))?;
    let settings = if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else if cfg!(windows) {
        env::var_os("APPDATA").map_or_else(|| home.join("AppData/Roaming"), PathBuf::from)
    } else {
        env::var_os("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from)
    };
    let servers = |file: PathBuf| Place { file, key: "mcpServers", typed: false };
    Ok(match client {
        Client::ClaudeDesktop => servers(settings.join("Claude/claude_desktop_config.json")),
        Client::ClaudeCode => {
            Place { file: home.join(".claude.json"), key: "mcpServers", typed: true }
        }
        Client::Cursor => servers(home.join(".cursor/mcp.json")),
        Client::Vscode => {
            Place { file: settings.join("Code/User/mcp.json"), key: "servers", typed: true }
        }
        Client::Windsurf => servers(home.join(".codeium/windsurf/mcp_config.json")),
        Client::GeminiCli => servers(home.join(".gemini/settings.json")),
        Client::LmStudio => servers(home.join(".lmstudio/mcp.json")),
    })
}

/// Adds the entry and keeps everything else as it is; says whether there was one before.
fn write(place: &Place, entry: Value) -> Result<bool, Failure> {
    let path = &place.file;
    let shown = path.display();
    let mut settings = match fs::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => Map::new(),
        Ok(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(settings)) => settings,
            _ => {
                return Err(Failure::input(format!(
                    "{shown} is not plain JSON, so it is left as it is; use --print and add the \
                     entry by hand"
                )));
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(Failure::file(&shown.to_string(), &error)),
    };
    let servers = settings.entry(place.key).or_insert_with(|| json!({}));
    let Value::Object(servers) = servers else {
        return Err(Failure::input(format!("{shown}: {} is not an object", place.key)));
    };
    let replaced = servers.insert(NAME.into(), entry).is_some();
    let mut text = serde_json::to_string_pretty(&settings).expect("JSON serialises");
    text.push('\n');
    replace(path, &text).map_err(|error| Failure::file(&shown.to_string(), &error))?;
    Ok(replaced)
}

/// The file is whole at every moment: the new one is written beside it and takes its place.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut draft = Draft::new(path)?;
    draft.write_all(text.as_bytes())?;
    draft.finish()
}
