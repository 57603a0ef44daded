//! Arguments of the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    #[command(flatten)]
    pub(crate) settings: ServerArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Write the entry for this server into the settings of a client.
    Install(InstallArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// A TOML file with these settings; flags win over it.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Tools to serve: all, planning, molecules, or names with commas between [default: all].
    #[arg(long, value_name = "WHICH")]
    pub(crate) tools: Option<String>,
    /// A stock to offer under a name, from a file; may be given several times.
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_named_file)]
    pub(crate) stock: Vec<(String, PathBuf)>,
    /// A template library to offer under a name, from a file or folder; may be given several
    /// times.
    #[arg(long, value_name = "NAME=PATH", value_parser = parse_named_file)]
    pub(crate) library: Vec<(String, PathBuf)>,
    /// Most calls that run at the same time [default: 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) max_jobs: Option<u16>,
    /// Time that a whole call may take, in seconds [default: 55].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) call_timeout: Option<u32>,
    /// Serve Streamable HTTP at this address under /mcp, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) http: Option<SocketAddr>,
    /// File with the bearer token that requests must carry; needed for an address that other
    /// machines can reach.
    #[arg(long, value_name = "FILE")]
    pub(crate) http_token_file: Option<PathBuf>,
    /// A host name under which clients call the server; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) http_host: Vec<String>,
    /// A web origin whose pages may call the server; may be given several times.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) http_origin: Vec<String>,
    /// Most requests a second over HTTP [default: 200].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) http_rate: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// The client.
    #[arg(long, value_enum)]
    pub(crate) client: Client,
    /// Print the entry and where it belongs; write nothing.
    #[arg(long)]
    pub(crate) print: bool,
    /// Settings for the server, after `--`.
    #[arg(last = true, value_name = "FLAG")]
    pub(crate) flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    Vscode,
    Windsurf,
    GeminiCli,
    LmStudio,
}

fn parse_named_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(file)))
        }
        _ => Err("a name, an equals sign and a file are wanted, such as mine=stock.smi".into()),
    }
}
