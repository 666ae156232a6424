//! The JSON schema of a tool, from the Rust types that read and write its JSON.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of arguments.
pub(super) fn of_input<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(settings().for_deserialize());
    // Arguments that share a part cannot say so themselves.
    schema["additionalProperties"] = false.into();
    schema
}

/// The schema of a reply.
pub(super) fn of_output<T: JsonSchema>() -> Value {
    generate::<T>(settings().for_serialize())
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
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

/// Takes out what only says how Rust stores a number.
#[derive(Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("format");
        transform_subschemas(self, schema);
    }
}
