//! The tools, with dicts in and out.

use std::sync::LazyLock;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyMapping};
use serde_json::{Map, Value};
use synthon_budget::Budget;
use synthon_report::{RouteForm, render};
use synthon_tools::arguments::SchemaDetail;
use synthon_tools::{
    CallContext, Catalogue, DEFAULT_CALL_TIMEOUT, Registry, Shape, Tool, ToolError,
    check_arguments, get_tool_definitions,
};

use crate::errors::{self, bad_argument};
use crate::pattern::duration;
use crate::{interrupt, json};

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::shipped);

/// Runs a tool. `timeout` bounds the whole call, in seconds.
#[pyfunction]
#[pyo3(signature = (name, arguments, timeout=None))]
pub(crate) fn call_tool<'py>(
    py: Python<'py>,
    name: &str,
    arguments: &Bound<'py, PyAny>,
    timeout: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    call_within(py, &CATALOGUE, name, arguments, timeout, false)
}

/// Runs a tool with the libraries and stocks of a catalogue; `whole_lists` for callers
/// that want no list cut.
pub(crate) fn call_within<'py>(
    py: Python<'py>,
    catalogue: &Catalogue,
    name: &str,
    arguments: &Bound<'py, PyAny>,
    timeout: Option<f64>,
    whole_lists: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let refused = |error| errors::raise(py, &error);
    let tool = REGISTRY.find(name).ok_or_else(|| refused(REGISTRY.unknown_tool(name)))?;
    let arguments = arguments_of(tool, arguments)?;
    let checked = check_arguments(tool, &arguments).map_err(refused)?;
    let timeout = timeout.map_or(Ok(DEFAULT_CALL_TIMEOUT), duration)?;
    let reply = interrupt::interruptible(py, |flag| {
        let context = CallContext::limited(catalogue, timeout, flag);
        let context = if whole_lists { context.with_whole_lists() } else { context };
        synthon_tools::run(tool, &checked, &context)
    })?;
    json::object(py, &reply.map_err(refused)?.structured)
}

/// The arguments of a call as JSON. What has no JSON form is refused in the words of the check,
/// and only for an argument that the tool knows; the check itself reports all else.
fn arguments_of(tool: &Tool, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    let py = given.py();
    let Ok(mapping) = given.cast::<PyMapping>() else { return Ok(Value::Null) };
    let mut object = Map::new();
    for item in mapping.items()?.iter() {
        let (key, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name = match key.extract::<String>() {
            Ok(name) => name,
            Err(_) => key.repr()?.to_string(),
        };
        let value = match json::from_python(&value)? {
            Some(value) => value,
            None => match tool.arguments.iter().find(|known| known.name == name) {
                Some(known) => {
                    let (code, sentence) = if value.is_instance_of::<PyFloat>() {
                        ("argument.range", format!("{name} is outside its supported range"))
                    } else {
                        let wanted = known.kind.json_type();
                        ("argument.type", format!("{name} must have JSON type {wanted}"))
                    };
                    return Err(errors::raise(
                        py,
                        &ToolError::argument(code, sentence).about(name),
                    ));
                }
                None => Value::Null,
            },
        };
        object.insert(name, value);
    }
    Ok(Value::Object(object))
}

/// The definitions of all tools in one shape.
#[pyfunction]
pub(crate) fn tool_definitions<'py>(py: Python<'py>, shape: &str) -> PyResult<Bound<'py, PyList>> {
    let Some(known) = Shape::from_name(shape) else {
        let names: Vec<_> = Shape::ALL.iter().map(|shape| shape.name()).collect();
        let hint = format!("one of {}", names.join(", "));
        return Err(bad_argument(py, "provider", format!("Unknown provider: {shape}"), &hint));
    };
    let definitions = get_tool_definitions(&REGISTRY, known);
    PyList::new(
        py,
        definitions.iter().map(|tool| json::to_python(py, tool)).collect::<PyResult<Vec<_>>>()?,
    )
}

/// What there is to know of each tool: name, title, description, toolset, schemas of input and
/// output, and the description of each argument.
#[pyfunction]
pub(crate) fn tools<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for tool in REGISTRY.tools() {
        let dict = PyDict::new(py);
        dict.set_item("name", tool.name)?;
        dict.set_item("title", tool.title)?;
        dict.set_item("description", tool.description)?;
        dict.set_item("toolset", tool.toolset.name())?;
        let input = Value::Object(tool.input_schema(SchemaDetail::Plain));
        dict.set_item("input_schema", json::to_python(py, &input)?)?;
        dict.set_item("output_schema", json::to_python(py, &tool.published_schema())?)?;
        let arguments = PyDict::new(py);
        for argument in tool.arguments {
            arguments.set_item(argument.name, argument.description.trim())?;
        }
        dict.set_item("arguments", arguments)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// Writes a planning result (a dict as `find_routes` gives it) as `svg`, `html`, `mermaid` or
/// `aizynthfinder`. `timeout` bounds the drawings, in seconds.
#[pyfunction]
#[pyo3(signature = (result, form, timeout=60.0))]
pub(crate) fn render_routes(
    py: Python<'_>,
    result: &Bound<'_, PyAny>,
    form: &str,
    timeout: f64,
) -> PyResult<String> {
    let refused =
        |sentence: String| errors::raise(py, &ToolError::argument("report.refused", sentence));
    let known = RouteForm::from_name(form).ok_or_else(|| {
        let names: Vec<&str> = RouteForm::ALL.iter().map(|form| form.name()).collect();
        refused(format!("Unknown form {form}; there are {}", names.join(", ")))
    })?;
    let Some(result) = json::from_python(result)? else {
        return Err(refused("The result has no JSON form".to_owned()));
    };
    let timeout = duration(timeout)?;
    let rendered = interrupt::interruptible(py, |flag| {
        let mut budget = Budget::unlimited().with_time_limit(timeout).with_cancel_flag(flag);
        render(known, &result, &mut budget)
    })?;
    rendered.map_err(|error| refused(error.to_string()))
}
