//! The published schemas and descriptions of the tools, compared with their behaviour.
//!
//! Every reply of the corpus must conform to the tool's output schema, without unnamed fields; every
//! parameter must be described, and every argument of a good call must conform to the schema that
//! arguments are checked against and to the short one in lists of tools.

use jsonschema::Validator;
use searchscope_tests::case::load;
use searchscope_tests::face::{Call, CoreFace, Face, Outcome};
use searchscope_tests::samples::{Words, samples};
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tests::{repository, say};
use searchscope_tools::tools_json;
use serde_json::Value;
use std::collections::HashMap;

/// Its contract clamps or replaces invalid values, so it accepts more than its schema.
const LENIENT: &str = "search_documents";
/// Its cases use other names and shapes than the schemas, which the tools also accept.
const OTHER_FORMS: &str = "other_forms";
/// An agent receives the list of every tool before its first call.
const LIST_BYTES_MAX: usize = 36 << 10;

struct Schemas {
    input: Validator,
    list: Validator,
    output: Validator,
}

fn schemas() -> HashMap<String, Schemas> {
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let compile = |mut schema: Value| {
        close(&mut schema);
        jsonschema::validator_for(&schema).expect("a schema")
    };
    let schemas = tools.into_iter().map(|tool| {
        let name = tool["name"].as_str().expect("a name").to_owned();
        let schema = |key: &str| compile(tool[key].clone());
        let (input, list) = (schema("inputSchema"), schema("listSchema"));
        (name, Schemas { input, list, output: schema("outputSchema") })
    });
    schemas.collect()
}

/// Forbids fields that the schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties") {
                fields.entry("additionalProperties").or_insert(false.into());
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn every_tool_has_a_sample_that_its_schema_allows() {
    let schemas = schemas();
    for (tool, args) in samples(&Words { text: "needle", document: "a.md", symbol: "main" }) {
        let allowed = schemas[tool].input.validate(&args);
        allowed.unwrap_or_else(|error| panic!("the sample of {tool}: {error}"));
    }
}

#[test]
fn replies_and_arguments_conform_to_their_schemas() {
    let schemas = schemas();
    let (mut n_replies, mut wrong) = (HashMap::new(), Vec::new());
    for (file_name, file) in load(&repository().join("tests/cases")) {
        for cases in &file.workspace {
            if cases.unprivileged && user_is_refused_nothing() {
                continue;
            }
            let tree = Tree::build(&cases.tree).expect("a tree");
            let options = Value::from(cases.options.clone()).to_string();
            let calls: Vec<Call> =
                cases.case.iter().map(|case| case.call(&file.tool, tree.root())).collect();
            let outcomes = CoreFace::default().run(tree.root(), &options, &calls);
            for ((case, call), outcome) in cases.case.iter().zip(&calls).zip(outcomes) {
                let (Outcome::Reply(reply), Some(schemas)) = (outcome, schemas.get(&call.tool))
                else {
                    continue;
                };
                let reply: Value = serde_json::from_slice(&reply).expect("a reply is JSON");
                let at = format!("{file_name}: {}: {}", cases.name, case.name);
                if let Err(error) = schemas.output.validate(&reply) {
                    wrong.push(format!("{at}: the reply: {error} at {}", error.instance_path()));
                }
                let failed = reply["status"] == "error" || reply["success"] == false;
                let args: Value = serde_json::from_slice(&call.args).expect("arguments are JSON");
                let is_allowed = schemas.input.is_valid(&args);
                if file_name.starts_with(OTHER_FORMS) {
                    if !failed && is_allowed {
                        wrong.push(format!("{at}: the arguments have the form of the contract"));
                    }
                } else if !failed && call.tool != LENIENT {
                    if !is_allowed {
                        wrong.push(format!("{at}: the arguments were taken but are not allowed"));
                    }
                    if !schemas.list.is_valid(&as_listed(args)) {
                        wrong.push(format!("{at}: the list does not allow the arguments"));
                    }
                }
                *n_replies.entry(call.tool.clone()).or_insert(0) += 1;
            }
        }
    }
    say(&format!("replies compared with schemas: {n_replies:?}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_replies.len() >= schemas.len(), "a tool without replies: {n_replies:?}");
}

/// Returns the arguments as a caller writes them who knows the list alone: without `null`, and with a
/// scope object as its JSON text.
fn as_listed(mut args: Value) -> Value {
    let mut open = vec![&mut args];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                fields.retain(|_, value| !value.is_null());
                open.extend(fields.values_mut());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    if let Some(scope) = args.get_mut("scope").filter(|scope| scope.is_object()) {
        *scope = scope.to_string().into();
    }
    args
}

#[test]
fn the_list_of_every_tool_is_short_and_names_every_parameter() {
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let names = |schema: &Value| -> Vec<String> {
        schema["properties"].as_object().expect("parameters").keys().cloned().collect()
    };
    let mut n_bytes = 0;
    for tool in &tools {
        let (name, list) = (&tool["name"], &tool["listSchema"]);
        assert_eq!(names(list), names(&tool["inputSchema"]), "{name}");
        assert_eq!(list["required"], tool["inputSchema"]["required"], "{name}");
        if let Some(scope) = list["properties"].get("scope") {
            assert_eq!(scope["type"], "string", "{name}");
        }
        let listed = format!("{name}{}{list}", tool["description"]);
        say(&format!("{name}: {} bytes in the list", listed.len()));
        n_bytes += listed.len();
    }
    assert!(n_bytes <= LIST_BYTES_MAX, "{n_bytes} bytes");
}

#[test]
fn a_reply_with_a_field_too_many_is_noticed() {
    let schemas = schemas();
    let reply = |extra: &str| -> Value {
        let text = format!(r#"{{"files": [], "total_found": 0{extra}}}"#);
        serde_json::from_str(&text).expect("JSON")
    };
    let output = &schemas["find_files_by_name"].output;
    assert!(output.is_valid(&reply("")) && !output.is_valid(&reply(r#", "more": 1"#)));
}

#[test]
fn every_enum_value_is_described_in_its_schema() {
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    for tool in &tools {
        let properties = tool["inputSchema"]["properties"].as_object().expect("parameters");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{}.{name}", tool["name"]);
            for variant in property["oneOf"].as_array().into_iter().flatten() {
                assert!(
                    variant["const"].is_string() && variant["description"].is_string(),
                    "{name}"
                );
            }
        }
    }
}

/// Agents that see descriptions alone must not have to guess.
#[test]
fn every_enum_value_of_scopes_is_in_the_description_of_its_field() {
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let (mut n_enums, mut missing) = (0, Vec::new());
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let schema = &tool["inputSchema"];
        let scope = &schema["properties"]["scope"];
        let looked_at = if name.starts_with("scope_") { schema } else { scope };
        let looked_at = in_full(looked_at, &schema["$defs"]);
        for (field, property) in fields(&looked_at) {
            let description = property["description"].as_str().unwrap_or_default();
            for value in enum_values(property) {
                n_enums += 1;
                let words = description.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                if !words.into_iter().any(|word| word == value) {
                    missing.push(format!("{name}: {field}: {value} is not in {description:?}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(n_enums > 100, "only {n_enums} values were found");
}

/// Returns the schema with each reference replaced by its definition.
fn in_full(schema: &Value, definitions: &Value) -> Value {
    match schema {
        Value::Object(parts) => {
            let parts = parts.iter().filter(|(part, _)| *part != "$defs");
            let full = parts.map(|(part, inside)| match name_of(part, inside) {
                Some(name) => ("definition".to_owned(), in_full(&definitions[name], definitions)),
                None => (part.clone(), in_full(inside, definitions)),
            });
            full.collect()
        }
        Value::Array(items) => items.iter().map(|item| in_full(item, definitions)).collect(),
        other => other.clone(),
    }
}

/// Returns the name of the definition that a part of a schema refers to.
fn name_of<'a>(part: &str, inside: &'a Value) -> Option<&'a str> {
    inside.as_str().filter(|_| part == "$ref")?.strip_prefix("#/$defs/")
}

#[test]
fn an_object_in_a_schema_is_defined_once_and_lists_of_tools_need_no_definitions() {
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let mut n_definitions = 0;
    for tool in &tools {
        for key in ["inputSchema", "outputSchema"] {
            let mut schema = tool[key].as_object().expect("a schema").clone();
            let definitions = schema.remove("$defs").unwrap_or_default();
            let definitions = definitions.as_object().cloned().unwrap_or_default();
            n_definitions += definitions.len();
            for (name, object) in definitions.into_iter().chain([(key.to_owned(), schema.into())]) {
                let inside =
                    fields(&object).into_iter().flat_map(|(_, field)| fields(field)).count();
                assert_eq!(inside, 0, "{}: {name} contains an object", tool["name"]);
            }
        }
        let list = tool["listSchema"].to_string();
        assert!(!list.contains("$ref") && !list.contains("$defs"), "{}: {list}", tool["name"]);
    }
    assert!(n_definitions > 40, "only {n_definitions} definitions");
}

/// Returns every field of every object in a schema, at any depth.
fn fields(schema: &Value) -> Vec<(&str, &Value)> {
    let (mut open, mut fields) = (vec![schema], Vec::new());
    while let Some(schema) = open.pop() {
        match schema {
            Value::Object(parts) => {
                for (part, inside) in parts {
                    match inside.as_object().filter(|_| part == "properties") {
                        Some(all) => {
                            fields.extend(all.iter().map(|(name, field)| (name.as_str(), field)));
                            open.extend(all.values());
                        }
                        None => open.push(inside),
                    }
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    fields
}

/// Returns the values of a field, or of the items of its list, if these are an enum.
fn enum_values(field: &Value) -> Vec<&str> {
    let items = &field["items"];
    let inside = field["anyOf"].as_array().into_iter().flatten();
    let all = inside.chain([field, items]);
    all.flat_map(|schema| {
        let listed = schema["enum"].as_array().into_iter().flatten();
        let described = schema["oneOf"].as_array().into_iter().flatten();
        listed.chain(described.map(|choice| &choice["const"])).filter_map(Value::as_str)
    })
    .collect()
}
