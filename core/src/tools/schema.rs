//! The JSON schema of a tool, from the Rust types that read and write its JSON.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// Where the schema has the objects that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Once each, by name in `$defs`, so that programs can share their types.
    Named,
    /// In each place, so that a reader needs to follow nothing.
    Inline,
}

/// Returns the schema of arguments.
pub(super) fn of_input<T: JsonSchema>(parts: Parts) -> Value {
    let mut schema = generate::<T>(settings(parts).for_deserialize());
    // Arguments that share a part cannot say so themselves.
    schema["additionalProperties"] = false.into();
    schema
}

/// Returns the schema of a reply.
pub(super) fn of_output<T: JsonSchema>() -> Value {
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
    // The title is the Rust name of the type, which is nobody's business.
    schema.remove("title");
    schema.remove("description");
    schema.to_value()
}

/// Marks a field of a reply that may be `null`, and not only left out.
pub(super) const MAY_BE_NULL: &str = "x-may-be-null";

/// A field of a reply that need not be there is left out where it has no value, and not `null`.
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
                // The property's own words go before those of its type.
                for (key, value) in only {
                    fields.entry(key).or_insert(value);
                }
            }
        }
    }
}

/// Takes out what only says how Rust stores a number.
#[derive(Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("format");
        transform_subschemas(self, schema);
    }
}
