//! JSON schemas of tools, from the Rust types that read and write their JSON.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// Placement of the objects that a schema consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Once each, by name in `$defs`, so that client code can share their types.
    Named,
    /// In each place, so that a reader follows no references.
    Inline,
}

/// Returns the schema of arguments.
pub(crate) fn of_input<T: JsonSchema>(parts: Parts) -> Value {
    let mut schema = generate::<T>(settings(parts).for_deserialize());
    // A struct with flattened fields cannot deny unknown fields itself.
    schema["additionalProperties"] = false.into();
    schema
}

/// Returns the schema of a reply.
pub(crate) fn of_output<T: JsonSchema>() -> Value {
    generate::<T>(settings(Parts::Named).for_serialize().with_transform(LeftOut))
}

fn settings(parts: Parts) -> SchemaSettings {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = parts == Parts::Inline;
            settings.meta_schema = None;
        })
        .with_transform(Plain)
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // The title is the Rust name of the type, which callers do not need.
    schema.remove("title");
    schema.remove("description");
    schema.to_value()
}

/// Marks a field of a reply that may be `null`, and not only absent.
pub(crate) const MAY_BE_NULL: &str = "x-may-be-null";

/// Declares optional fields of a reply as absent instead of `null`.
#[derive(Clone)]
struct LeftOut;

impl Transform for LeftOut {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |name: &str| {
            required.as_array().is_some_and(|names| names.iter().any(|required| required == name))
        };
        let Some(Value::Object(properties)) = schema.get_mut("properties") else {
            return;
        };
        for (name, property) in properties.iter_mut() {
            let Value::Object(fields) = &mut *property else { continue };
            if is_required(name) || fields.remove(MAY_BE_NULL).is_some() {
                continue;
            }
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    fields["type"] = only.clone();
                }
            }
            let Some(Value::Array(choices)) = fields.get_mut("anyOf") else { continue };
            choices.retain(|choice| choice["type"] != "null");
            if let [Value::Object(only)] = choices.as_mut_slice() {
                let only = std::mem::take(only);
                fields.remove("anyOf");
                // The property's own description takes precedence over that of its type.
                for (key, value) in only {
                    fields.entry(key).or_insert(value);
                }
            }
        }
    }
}

/// Removes formats, which only say how Rust stores a number.
#[derive(Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("format");
        transform_subschemas(self, schema);
    }
}
