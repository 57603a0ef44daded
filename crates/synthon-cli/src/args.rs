//! Commands and flags.

use clap::{Args, Parser, Subcommand};
use synthon_tools::Shape;

/// Chemistry from the command line: plan syntheses, standardise molecules, call any tool.
#[derive(Debug, Parser)]
#[command(name = "synthon", version, arg_required_else_help = true)]
pub(crate) struct Synthon {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write molecules as canonical SMILES.
    #[command(alias = "standardize")]
    Standardise(StandardiseArgs),
    /// Call one tool: JSON arguments in, JSON result out.
    Call(CallArgs),
    /// Print the definitions of the tools as JSON.
    Tools(ToolsArgs),
    /// Serve the tools to an MCP client on standard input and output.
    Mcp(McpArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StandardiseArgs {
    /// SMILES to write; `-` reads them from standard input, one a line.
    #[arg(required = true, allow_hyphen_values = true)]
    pub(crate) smiles: Vec<String>,
    /// Leave out atom-map numbers.
    #[arg(long)]
    pub(crate) remove_atom_maps: bool,
    /// Print the whole result, one object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool.
    pub(crate) tool: String,
    /// The arguments as a JSON object; `-` reads it from standard input.
    #[arg(conflicts_with = "jsonl", allow_hyphen_values = true)]
    pub(crate) arguments: Option<String>,
    /// Read one arguments object a line and write one result a line, in the same order.
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Calls that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "jsonl",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// Time that a whole call may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 55,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) call_timeout: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// Shape of the definitions.
    #[arg(long, default_value = "mcp", value_parser = parse_shape, value_name = "SHAPE",
          hide_possible_values = true, help = SHAPE_HELP)]
    pub(crate) shape: Shape,
}

const SHAPE_HELP: &str = "Shape of the definitions: mcp, input-schema, function, chat-function";

fn parse_shape(name: &str) -> Result<Shape, String> {
    Shape::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Shape::ALL.iter().map(|shape| shape.name()).collect();
        format!("accepted: {}", names.join(", "))
    })
}

/// The MCP server of Synthon, on standard input and output. Started by an MCP client; run by
/// hand, it waits silently for protocol messages.
#[derive(Debug, Parser)]
#[command(name = "synthon-mcp", version)]
pub(crate) struct McpProgram {
    #[command(flatten)]
    pub(crate) server: McpArgs,
}

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Tools to serve: all, planning, molecules, or names with commas between.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) tools: String,
    /// Most calls that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) max_jobs: u16,
    /// Time that a whole call may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 55,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) call_timeout: u32,
}
