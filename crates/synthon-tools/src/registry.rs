//! Which tools there are, in their fixed order, and the one way to call them.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::{Argument, Checked};
use crate::check::{check, closest, shorten};
use crate::context::CallContext;
use crate::error::{ToolError, ToolErrorKind};
use crate::output;
use crate::tools;

/// The largest result of a call, in bytes of JSON text.
pub const MAX_RESULT_BYTES: usize = 2 * 1024 * 1024;

/// The groups that a door can choose tools by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Toolset {
    /// Questions about a few molecules.
    Molecules,
    /// Questions about making a molecule.
    Planning,
}

impl Toolset {
    /// The name in settings and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Toolset::Molecules => "molecules",
            Toolset::Planning => "planning",
        }
    }
}

/// The answer of a call: an object for programs, and text for people.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolReply {
    /// The result object; keys in their fixed order.
    pub structured: Map<String, Value>,
    /// The same for a reader who sees nothing else. The molecular tools give the object itself
    /// as JSON, so that nothing is lost to clients without structured results.
    pub text: String,
}

impl ToolReply {
    /// A reply whose text is the object as JSON.
    pub fn json(structured: Map<String, Value>) -> Self {
        let text = serde_json::to_string(&structured).expect("a JSON object serialises");
        ToolReply { structured, text }
    }
}

/// What a tool does with arguments that passed their check.
pub type Run = fn(&Checked, &CallContext<'_>) -> Result<ToolReply, ToolError>;

/// One tool: what it is called, what it takes and gives, and how it runs.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name, unique in the registry.
    pub name: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// When to use it, what it cannot tell, what its limits are.
    pub description: &'static str,
    /// The group that it belongs to.
    pub toolset: Toolset,
    /// What it takes, in the order of the schema.
    pub arguments: &'static [Argument],
    /// JSON Schema of the result object, in full strictness; clients see
    /// [`published`](Tool::published_schema).
    pub output_schema: fn() -> Value,
    /// The tool itself.
    pub run: Run,
}

impl Tool {
    /// JSON Schema of the result object as clients see it.
    pub fn published_schema(&self) -> Value {
        output::published((self.output_schema)())
    }
}

/// A list of tools in a fixed order.
#[derive(Clone, Debug)]
pub struct Registry {
    tools: Vec<&'static Tool>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::standard()
    }
}

impl Registry {
    /// Every tool there is: the molecular ones first, then the planning ones.
    pub fn standard() -> Self {
        Registry { tools: tools::ALL.to_vec() }
    }

    /// The tools of one group.
    pub fn of(toolset: Toolset) -> Self {
        Self::standard().only(|tool| tool.toolset == toolset)
    }

    /// A registry of just these tools.
    pub fn with(tools: Vec<&'static Tool>) -> Self {
        Registry { tools }
    }

    /// The tools that `wanted` accepts, in the same order.
    pub fn only(mut self, wanted: impl Fn(&Tool) -> bool) -> Self {
        self.tools.retain(|tool| wanted(tool));
        self
    }

    /// The tools in order.
    pub fn tools(&self) -> &[&'static Tool] {
        &self.tools
    }

    /// A tool by name.
    pub fn find(&self, name: &str) -> Option<&'static Tool> {
        self.tools.iter().copied().find(|tool| tool.name == name)
    }

    /// Checks the arguments and runs a tool.
    ///
    /// Nothing that the tool does gets out as a panic, and no result is larger than
    /// [`MAX_RESULT_BYTES`].
    ///
    /// # Errors
    /// [`ToolErrorKind::Argument`] for an unknown tool or bad arguments, decided before the tool
    /// runs; [`ToolErrorKind::Tool`] when it failed on its data; [`ToolErrorKind::Internal`] for
    /// a fault of ours.
    pub fn call(
        &self,
        name: &str,
        arguments: &Value,
        context: &CallContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        let Some(tool) = self.find(name) else { return Err(self.unknown_tool(name)) };
        let checked = check_arguments(tool, arguments)?;
        run(tool, &checked, context)
    }

    /// The error that there is no tool of this name.
    pub fn unknown_tool(&self, name: &str) -> ToolError {
        let error = ToolError::argument(UNKNOWN_TOOL, "Unknown tool").found(shorten(name));
        match closest(name, self.tools.iter().map(|tool| tool.name)) {
            Some(known) => error.with_hint(format!("did you mean {known}?")),
            None => error,
        }
    }
}

/// Code of the fault that there is no such tool.
pub const UNKNOWN_TOOL: &str = "tool.unknown";

/// Checks an arguments value, which must be an object, against a tool's table.
///
/// # Errors
/// The first fault found.
pub fn check_arguments(tool: &Tool, arguments: &Value) -> Result<Checked, ToolError> {
    let Value::Object(object) = arguments else {
        return Err(ToolError::argument("argument.type", "arguments must have JSON type object")
            .about("arguments"));
    };
    check(tool.arguments, object)
}

/// Runs a tool on checked arguments, as [`Registry::call`] does.
///
/// # Errors
/// As [`Registry::call`].
pub fn run(
    tool: &Tool,
    checked: &Checked,
    context: &CallContext<'_>,
) -> Result<ToolReply, ToolError> {
    let reply = catch_unwind(AssertUnwindSafe(|| (tool.run)(checked, context)))
        .unwrap_or_else(|_| Err(panicked(tool.name)))?;
    let size = json_size(&reply.structured);
    if size > MAX_RESULT_BYTES {
        return Err(ToolError::tool("result.too_large", "The result is larger than its limit")
            .found(format!("{size} bytes"))
            .accepting(format!("at most {MAX_RESULT_BYTES}"))
            .with_hint("ask for fewer results"));
    }
    Ok(reply)
}

/// The error of a tool that panicked.
pub fn panicked(tool: &str) -> ToolError {
    ToolError::new(ToolErrorKind::Internal, "internal.panic", format!("internal error in {tool}"))
        .with_hint("this is a fault of the engine; please report the arguments that caused it")
}

/// Runs a tool of the [standard registry](Registry::standard).
///
/// # Errors
/// As [`Registry::call`].
pub fn call_tool(
    name: &str,
    arguments: &Value,
    context: &CallContext<'_>,
) -> Result<ToolReply, ToolError> {
    Registry::standard().call(name, arguments, context)
}

/// Length of the JSON text without making it.
pub(crate) fn json_size(value: &(impl Serialize + ?Sized)) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).expect("a JSON value serialises");
    count.0
}

#[cfg(all(test, feature = "fixtures"))]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use synthon_budget::CancelFlag;

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::fixtures;

    fn call(name: &str, arguments: Value) -> Result<ToolReply, ToolError> {
        fixtures::registry().call(name, &arguments, &CallContext::new(&Catalogue::default()))
    }

    #[test]
    fn a_call_gives_object_and_text() {
        let reply = call("count_atoms", json!({"formula": "C9H8O4"})).expect("runs");
        assert_eq!(Value::from(reply.structured), json!({"formula": "C9H8O4", "atoms": 21}));
        assert_eq!(reply.text, r#"{"formula":"C9H8O4","atoms":21}"#);
    }

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let error = call("count_atoms", json!({"formula": "panic"})).expect_err("fails");
        assert_eq!((error.kind(), error.code()), (ToolErrorKind::Internal, "internal.panic"));
        assert!(error.to_string().starts_with("internal error"));
    }

    #[test]
    fn an_unknown_tool_is_named() {
        let error = call("count_atom", json!({})).expect_err("refused");
        assert_eq!(error.kind(), ToolErrorKind::Argument);
        assert_eq!(error.to_string(), "Unknown tool: count_atom; did you mean count_atoms?");
    }

    #[test]
    fn arguments_that_are_no_object_are_refused() {
        for arguments in [json!(null), json!([]), json!("{}")] {
            assert_eq!(
                call("count_atoms", arguments).expect_err("refused").to_string(),
                "arguments must have JSON type object"
            );
        }
    }

    #[test]
    fn a_raised_flag_stops_a_slow_tool() {
        let (catalogue, cancel) = (Catalogue::default(), CancelFlag::new());
        cancel.cancel();
        let context = CallContext::limited(&catalogue, Duration::from_secs(5), cancel);
        let error = fixtures::registry()
            .call("slow_count", &json!({"seconds": 5}), &context)
            .expect_err("stopped");
        assert_eq!(error.code(), "stopped");
        assert!(context.budget().elapsed() < Duration::from_secs(1));
    }
}
