//! The tools as each protocol revision lists them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as WireTool, ToolAnnotations};
use serde_json::{Map, Value};
use synthon_tools::arguments::SchemaDetail;
use synthon_tools::{Catalogue, Tool};

use crate::revision::Revision;
use crate::settings::Settings;

const SCHEMA_DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The tool list of a revision.
pub(crate) fn tools(settings: &Settings, revision: Revision) -> Vec<WireTool> {
    let tools = settings.registry.tools().iter();
    tools.map(|tool| wire_tool(tool, &settings.catalogue, revision)).collect()
}

fn wire_tool(tool: &Tool, catalogue: &Catalogue, revision: Revision) -> WireTool {
    let mut input = tool.input_schema(SchemaDetail::Full);
    name_configured(&mut input, catalogue);
    let input = shape_schema(input, revision);
    let mut out = WireTool::new(tool.name, tool.description, input);
    if revision.has_annotations() {
        out = out.with_annotations(
            ToolAnnotations::new()
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        );
    }
    if revision.has_structured_results() {
        let Value::Object(output) = tool.published_schema() else {
            unreachable!("an output schema is an object");
        };
        out = out.with_title(tool.title).with_raw_output_schema(shape_schema(output, revision));
    }
    out
}

/// Names the configured libraries and stocks where one of them is asked for.
fn name_configured(schema: &mut Map<String, Value>, catalogue: &Catalogue) {
    let libraries = catalogue.library_names().join(", ");
    let stocks = catalogue.stock_names().join(", ");
    for (argument, names) in
        [("library", &libraries), ("coverage_templates", &libraries), ("stock", &stocks)]
    {
        let description = schema
            .get_mut("properties")
            .and_then(|properties| properties.get_mut(argument))
            .and_then(|property| property.get_mut("description"));
        if let Some(Value::String(description)) = description {
            description.push_str(" Configured: ");
            description.push_str(names);
            description.push('.');
        }
    }
}

fn shape_schema(mut schema: Map<String, Value>, revision: Revision) -> Arc<JsonObject> {
    if revision.has_strict_schemas() {
        let mut strict = Map::new();
        strict.insert("$schema".into(), SCHEMA_DIALECT.into());
        strict.append(&mut schema);
        return Arc::new(strict);
    }
    loosen(&mut schema);
    Arc::new(schema)
}

/// Takes `additionalProperties` off a schema and all schemas in it: the older revisions show
/// their tools without it. Calls are checked against the strict rules all the same.
fn loosen(schema: &mut Map<String, Value>) {
    schema.remove("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, property) in properties.iter_mut() {
            if let Value::Object(property) = property {
                loosen(property);
            }
        }
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        loosen(items);
    }
}
