//! Small pieces that output schemas are made of.
//!
//! Every object lists all its keys as required and allows no others, so that a test against
//! real results finds any drift. What clients get to see is [`published`].

use serde_json::{Map, Value, json};

/// An object with these properties, all of them always there.
pub fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    object_with(properties, [])
}

/// An object with properties that are always there and ones that may be absent.
pub fn object_with<'a>(
    required: impl IntoIterator<Item = (&'a str, Value)>,
    optional: impl IntoIterator<Item = (&'a str, Value)>,
) -> Value {
    let mut properties: Map<String, Value> =
        required.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let names: Value = properties.keys().map(String::as_str).collect();
    properties.extend(optional.into_iter().map(|(name, schema)| (name.to_owned(), schema)));
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

/// The schema as clients see it: only the result object itself says which keys it must have and
/// that there are no others, and limits and timings, of which nothing depends, are not spelled
/// out. All schemas together have to stay small, and the objects inside would say the same
/// hundreds of times.
pub fn published(mut schema: Value) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties {
            if ["limits", "timings"].contains(&name.as_str()) {
                *property = json!({"type": "object"});
            }
            relax(property);
        }
    }
    schema
}

fn relax(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    schema.shift_remove("required");
    schema.shift_remove("additionalProperties");
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(relax);
    }
    if let Some(items) = schema.get_mut("items") {
        relax(items);
    }
}

/// Text.
pub fn string() -> Value {
    json!({"type": "string"})
}

/// One of a few names.
pub fn one_of(names: &[&str]) -> Value {
    json!({"type": "string", "enum": names})
}

/// A whole number, never negative. The bound is left unsaid: it stands for hundreds of fields, and
/// all schemas together have to stay small.
pub fn count() -> Value {
    json!({"type": "integer"})
}

/// A number.
pub fn real() -> Value {
    json!({"type": "number"})
}

/// True or false.
pub fn boolean() -> Value {
    json!({"type": "boolean"})
}

/// A list.
pub fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// The value or null.
pub fn nullable(mut schema: Value) -> Value {
    if let Some(kind) = schema.get("type").and_then(Value::as_str) {
        schema["type"] = json!([kind, "null"]);
    }
    schema
}

/// The same with a description.
pub fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

/// The names of a search status.
pub fn status() -> Value {
    one_of(&["COMPLETED", "TIMED_OUT", "LIMIT_REACHED", "CANCELLED"])
}
