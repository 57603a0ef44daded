//! The tools that every door serves: their arguments and schemas, their limits and errors, the
//! reply for a program and the text for a person, and [`call_tool`], the one way to run them.
//!
//! A tool is one file under `tools/`: a table of arguments (from which the struct, the JSON
//! Schema and the checks follow), an output schema, and a function. It is listed in
//! `tools.rs`, whose order is the order of the registry everywhere.
//!
//! The doors (command line, MCP server, Python) only translate: the object that a call gives is
//! the same through each of them.
#![deny(missing_docs)]

pub mod arguments;
mod catalogue;
mod check;
mod context;
mod definitions;
mod envelope;
mod error;
mod fingerprint;
#[cfg(feature = "fixtures")]
pub mod fixtures;
mod molecule;
pub mod output;
mod planning;
mod registry;
mod search;
mod tools;

pub use catalogue::Catalogue;
pub use check::check;
pub use context::{CallContext, DEFAULT_CALL_TIMEOUT, MAX_REPLY_BYTES, Progress, ProgressListener};
pub use definitions::{Shape, get_tool_definitions};
pub use envelope::ENGINE_VERSION;
pub use error::{ToolError, ToolErrorKind};
pub use molecule::{MAX_ATOMS, read_molecule};
pub use planning::audited::audit_given_route;
pub use planning::given_route::{FoundRoute, routes_in};
pub use planning::schema::{ROUTE_SCHEMA_VERSION, published_route_schema};
pub use registry::{
    MAX_RESULT_BYTES, Registry, Run, Tool, ToolReply, Toolset, UNKNOWN_TOOL, call_tool,
    check_arguments, panicked, run,
};
