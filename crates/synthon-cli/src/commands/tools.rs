//! `synthon tools`: the definitions as JSON.

use serde_json::Value;
use synthon_tools::{Registry, get_tool_definitions, published_route_schema};

use crate::args::ToolsArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

pub(crate) fn run(args: &ToolsArgs, out: &mut Output) -> Result<u8, Failure> {
    if args.route_schema {
        out.json(&published_route_schema())?;
        return Ok(status::ANSWER);
    }
    let definitions = get_tool_definitions(&Registry::standard(), args.shape);
    out.json(&Value::Array(definitions))?;
    Ok(status::ANSWER)
}
