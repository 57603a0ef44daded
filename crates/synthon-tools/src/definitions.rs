//! The tools as JSON, in the shapes that model APIs and MCP clients take.

use serde_json::{Map, Value, json};

use crate::arguments::SchemaDetail;
use crate::registry::{Registry, Tool};

/// Shape of a tool definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `name`, `description`, `inputSchema`.
    Mcp,
    /// `name`, `description`, `input_schema`.
    InputSchema,
    /// Flat function definitions with `parameters` and `strict`.
    Function,
    /// The same nested under `function`, for chat-completion APIs.
    ChatFunction,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 4] =
        [Shape::Mcp, Shape::InputSchema, Shape::Function, Shape::ChatFunction];

    /// The name of the shape: `mcp`, `input-schema`, `function` or `chat-function`.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Mcp => "mcp",
            Shape::InputSchema => "input-schema",
            Shape::Function => "function",
            Shape::ChatFunction => "chat-function",
        }
    }

    /// The shape of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

impl Tool {
    /// JSON Schema of the arguments. The root is always an object that allows no other keys.
    pub fn input_schema(&self, detail: SchemaDetail) -> Map<String, Value> {
        let properties: Map<String, Value> = self
            .arguments
            .iter()
            .map(|argument| (argument.name.to_owned(), argument.schema(detail)))
            .collect();
        let required: Vec<&str> = self
            .arguments
            .iter()
            .filter(|argument| argument.required)
            .map(|argument| argument.name)
            .collect();
        let mut out = Map::new();
        out.insert("type".into(), "object".into());
        out.insert("properties".into(), properties.into());
        out.insert("required".into(), required.into());
        out.insert("additionalProperties".into(), false.into());
        out
    }

    /// The definition of this tool in one shape.
    pub fn definition(&self, shape: Shape) -> Value {
        let schema = self.input_schema(SchemaDetail::Plain);
        match shape {
            Shape::Mcp => json!({
                "name": self.name, "description": self.description, "inputSchema": schema,
            }),
            Shape::InputSchema => json!({
                "name": self.name, "description": self.description, "input_schema": schema,
            }),
            Shape::Function => json!({
                "type": "function", "name": self.name, "description": self.description,
                "parameters": schema, "strict": false,
            }),
            Shape::ChatFunction => json!({
                "type": "function",
                "function": {
                    "name": self.name, "description": self.description,
                    "parameters": schema, "strict": false,
                },
            }),
        }
    }
}

/// The definitions of all tools of a registry, in its order.
pub fn get_tool_definitions(registry: &Registry, shape: Shape) -> Vec<Value> {
    registry.tools().iter().map(|tool| tool.definition(shape)).collect()
}
