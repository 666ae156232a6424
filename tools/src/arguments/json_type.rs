//! The types of arguments, parsed from their JSON schema once.
//!
//! Arguments are checked at every call, and checking this form needs no lookup of schema keys. It
//! contains no hash tables, because memory checkers report those that live as long as the process
//! as possibly lost: the only pointer to such a table points into its middle.

use serde_json::Value;

/// The type of a JSON value, as a schema describes it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct JsonType {
    /// The accepted JSON types; empty if any is accepted.
    pub(crate) types: Vec<String>,
    /// The types of which one must match; empty without a choice.
    pub(crate) choices: Vec<JsonType>,
    /// The strings of which the value must be one.
    pub(crate) variants: Option<Vec<String>>,
    /// The fields of an object, in the order of the schema.
    pub(crate) fields: Vec<(String, JsonType)>,
    /// The names of the required fields.
    pub(crate) required: Vec<String>,
    /// Whether other fields are refused.
    pub(crate) is_closed: bool,
    /// The type of the items of a list.
    pub(crate) item: Option<Box<JsonType>>,
    /// Whether an empty string or list is refused.
    pub(crate) refuses_empty: bool,
    /// Maximum length of a list.
    pub(crate) items_max: Option<u64>,
    /// The bounds of a number.
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
}

impl JsonType {
    /// Parses a schema that this library has generated. Other keywords are for readers only.
    pub(crate) fn of(schema: &Value) -> JsonType {
        let types_at = |key: &str| -> Vec<JsonType> {
            schema[key].as_array().into_iter().flatten().map(JsonType::of).collect()
        };
        let is_one = |key: &str| schema[key].as_u64() == Some(1);
        let fields = schema["properties"].as_object().into_iter().flatten();
        let item = schema.get("items").map(|item| Box::new(JsonType::of(item)));
        JsonType {
            types: match &schema["type"] {
                Value::String(one) => vec![one.clone()],
                several => texts(several),
            },
            choices: types_at("anyOf"),
            variants: variants(schema),
            fields: fields.map(|(name, field)| (name.clone(), JsonType::of(field))).collect(),
            required: texts(&schema["required"]),
            is_closed: schema["additionalProperties"] == false,
            item,
            refuses_empty: is_one("minLength") || is_one("minItems"),
            items_max: schema["maxItems"].as_u64(),
            min: schema["minimum"].as_f64(),
            max: schema["maximum"].as_f64(),
        }
    }

    /// Returns the type of the field `name`.
    pub(crate) fn field(&self, name: &str) -> Option<&JsonType> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    /// Returns the names of the fields, in the order of the schema.
    pub(crate) fn field_names(&self) -> Vec<&str> {
        self.fields.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns whether values of the JSON type `wanted` may match.
    pub(crate) fn takes(&self, wanted: &str) -> bool {
        let is_variant = wanted == "string" && self.variants.is_some();
        is_variant
            || self.types.iter().any(|kind| kind == wanted)
            || self.choices.iter().any(|choice| choice.takes(wanted))
    }

    /// Returns whether a string that matches is one of some values.
    pub(crate) fn is_choice(&self) -> bool {
        let is_text = self.types.iter().any(|kind| kind == "string");
        self.variants.is_some() || !is_text && self.choices.iter().any(JsonType::is_choice)
    }

    /// Returns whether a list of strings may match.
    pub(crate) fn takes_texts(&self) -> bool {
        self.takes("array") && self.item.as_ref().is_some_and(|item| item.takes("string"))
    }
}

/// Returns the values of an enum. If each value has a description, the schema is a choice of
/// constants.
fn variants(schema: &Value) -> Option<Vec<String>> {
    if schema["enum"].is_array() {
        return Some(texts(&schema["enum"]));
    }
    let choices = schema["oneOf"].as_array()?;
    choices.iter().map(|choice| choice["const"].as_str().map(str::to_owned)).collect()
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::schema::Parts;
    use crate::table::TOOLS;
    use std::collections::BTreeSet;

    /// Keywords that the checks use, and those that only readers of a schema need.
    const READ: &[&str] = &[
        "type",
        "anyOf",
        "oneOf",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "additionalProperties",
        "minLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
    ];
    // The tool with a maxLength clamps the text and reports it.
    const FOR_READERS: &[&str] = &["description", "default", "title", "maxLength"];

    #[test]
    fn every_keyword_of_every_schema_is_known() {
        for tool in TOOLS {
            let schema = (tool.input_schema)(Parts::Inline);
            let mut open = vec![&schema];
            let mut unknown = BTreeSet::new();
            while let Some(schema) = open.pop() {
                let fields = schema.as_object().into_iter().flatten();
                for (key, value) in fields {
                    let is_known = READ.contains(&key.as_str());
                    if !is_known && !FOR_READERS.contains(&key.as_str()) {
                        unknown.insert(key);
                    }
                    match key.as_str() {
                        "properties" => {
                            open.extend(value.as_object().into_iter().flat_map(|map| map.values()))
                        }
                        "items" => open.push(value),
                        "anyOf" | "oneOf" => open.extend(value.as_array().into_iter().flatten()),
                        _ => {}
                    }
                }
                let bound = |key: &str| schema[key].as_u64().is_none_or(|n| n == 1);
                assert!(bound("minLength") && bound("minItems"), "{}: {schema}", tool.name);
                let constants = variants(schema).is_some() || schema.get("oneOf").is_none();
                assert!(constants, "{}: a oneOf of other than constants: {schema}", tool.name);
            }
            assert!(unknown.is_empty(), "{}: {unknown:?}", tool.name);
        }
    }
}
