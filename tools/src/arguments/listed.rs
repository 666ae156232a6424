//! The schema of arguments in lists of tools: the same parameters in fewer bytes.
//!
//! An agent pays for the list before its first call. The listed schema is derived from the schema
//! that arguments are checked against, by the rules below and no others, so both change together. A
//! hand-written second schema was rejected: it would drift. The listed schema omits but never
//! contradicts: arguments that match it are accepted, except for fields of an object that it omits,
//! which the description names.

use serde_json::{Map, Value, json};

/// Returns the schema of arguments for lists.
pub(crate) fn of(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for_each_property(&mut schema, &mut shorten);
    schema
}

/// Calls `change` for each property of an object, and of the objects in the lists among these.
fn for_each_property(object: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    let mut open = vec![object];
    while let Some(object) = open.pop() {
        let Some(Value::Object(properties)) = object.get_mut("properties") else { continue };
        for property in properties.values_mut() {
            if let Value::Object(fields) = &mut *property {
                change(fields);
            }
            if let Some(items) = property.get_mut("items") {
                if let Some(fields) = items.as_object_mut() {
                    fields.remove("description");
                    constants_as_enum(fields);
                }
                open.push(items);
            }
        }
    }
}

/// Applies the rules to one property.
fn shorten(property: &mut Map<String, Value>) {
    without_null(property);
    text_of_choice(property);
    constants_as_enum(property);
    if property.get("type").is_some_and(|kind| kind == "object") {
        // Its description names the fields.
        for key in ["properties", "required", "additionalProperties"] {
            property.remove(key);
        }
    }
    if property.get("default").is_some_and(is_nothing) {
        property.remove("default");
    }
    for key in ["minLength", "minItems"] {
        // Few callers pass an empty value, and the error explains it.
        if property.get(key).is_some_and(|least| *least == 1) {
            property.remove(key);
        }
    }
    if let Some(Value::String(description)) = property.get_mut("description") {
        // The line breaks are those of the source.
        *description = description.replace('\n', " ");
    }
}

/// Returns whether a default equals omitting the parameter.
fn is_nothing(default: &Value) -> bool {
    default.is_null() || *default == json!(false) || *default == json!("") || *default == json!([])
}

/// Removes `null`: callers omit a parameter instead.
fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

/// Replaces a choice between a string and an object by the string, and other choices by their
/// types.
fn text_of_choice(property: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = property.remove("anyOf") else { return };
    let flat = choices.iter().flat_map(|choice| match choice["anyOf"].as_array() {
        Some(inner) => inner.iter().collect(),
        None => vec![choice],
    });
    let text = flat.clone().find(|choice| choice["type"] == "string");
    let mut types: Vec<&Value> = flat.clone().map(|choice| &choice["type"]).collect();
    types.retain(|name| name.is_string() && *name != "null");
    if text.is_none() && types.len() > 1 {
        property.insert("type".to_owned(), json!(types));
        return;
    }
    let given = text.or_else(|| flat.clone().find(|choice| choice["type"] != "null"));
    let Some(Value::Object(given)) = given else { return };
    // The property's own description takes precedence over that of its choice.
    for (key, value) in given {
        property.entry(key.as_str()).or_insert_with(|| value.clone());
    }
}

/// Replaces constants with descriptions by an enum.
fn constants_as_enum(schema: &mut Map<String, Value>) {
    let constants: Option<Vec<Value>> = schema
        .get("oneOf")
        .and_then(Value::as_array)
        .and_then(|choices| choices.iter().map(|choice| choice.get("const").cloned()).collect());
    if let Some(constants) = constants {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), constants.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(property: Value) -> Value {
        of(&json!({"type": "object", "properties": {"x": property}}))["properties"]["x"].clone()
    }

    #[test]
    fn a_property_is_listed_by_the_rules() {
        let text = json!({"type": "string"});
        let program = json!({"type": "object", "properties": {"atoms": {"type": "array"}}});
        for (property, expected) in [
            (json!({"type": ["string", "null"], "default": null}), text.clone()),
            (json!({"type": "boolean", "default": false}), json!({"type": "boolean"})),
            (
                json!({"type": "boolean", "default": true}),
                json!({"type": "boolean", "default": true}),
            ),
            (
                json!({"type": "array", "items": text, "default": []}),
                json!({"type": "array", "items": text}),
            ),
            (json!({"type": "string", "minLength": 1}), text.clone()),
            (json!({"anyOf": [text, program]}), text.clone()),
            (
                json!({"anyOf": [{"anyOf": [program, text]}, {"type": "null"}], "description": "a\nb"}),
                json!({"type": "string", "description": "a b"}),
            ),
            (
                json!({"anyOf": [{"anyOf": [{"type": "boolean"}, program]}, {"type": "null"}]}),
                json!({"type": ["boolean", "object"]}),
            ),
            (
                json!({"anyOf": [program, {"type": "null"}], "description": "d"}),
                json!({"type": "object", "description": "d"}),
            ),
            (
                json!({"oneOf": [{"type": "string", "const": "a", "description": "A."},
                                 {"type": "string", "const": "b", "description": "B."}]}),
                json!({"type": "string", "enum": ["a", "b"]}),
            ),
            (
                json!({"type": ["string", "null"], "enum": ["a", null]}),
                json!({"type": "string", "enum": ["a"]}),
            ),
        ] {
            assert_eq!(listed(property.clone()), expected, "{property}");
        }
    }

    #[test]
    fn the_fields_of_objects_in_a_list_are_listed() {
        let atom = |kind: Value| json!({"type": "object", "properties": {"kind": kind}});
        let nullable = json!({"type": ["string", "null"]});
        let list = json!({"type": "array", "items": atom(nullable)});
        let expected = json!({"type": "array", "items": atom(json!({"type": "string"}))});
        assert_eq!(listed(list), expected);
    }
}
