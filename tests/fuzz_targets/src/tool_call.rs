//! Calls of every tool with any arguments: the reply is JSON, or an error with a known code that is not
//! `internal`, in time.

use super::bytes::Bytes;
use super::{add, fixed_tree, open};
use parking_lot::Mutex;
use searchscope::{Call, Error, ErrorKind, Workspace};
use searchscope_tools::CallTools;
use searchscope_tools::{TOOLS, Tool};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const INPUT_BYTES_MAX: usize = 2 * 1024;
const DEPTH_MAX: usize = 6;
/// Time for a call in a dozen small files; the slowest build of the engine needs a tenth of it.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Texts with a meaning to some tool.
const TEXTS: &[&str] = &[
    "a",
    "",
    ".",
    "src",
    "docs/guide.md",
    "../x",
    "/",
    "/etc/passwd",
    "*.rs",
    "**/*.md",
    "{a,b}",
    "[a",
    "!*.rs",
    "a|b",
    "(a",
    "\\b\\w+",
    "(?i)a",
    "$",
    "PUSH_ATOM",
    "AND",
    "OR",
    "NOT",
    "p",
    "PATTERN",
    "STANDARD",
    "DIRECTORY",
    "FILES",
    "MODULE",
    "NAMED_SCOPE",
    "PROVIDER_SCOPE",
    "file:*//*",
    "file:src//*&&!ext:*.js",
    "$x",
    "All Places",
    "standard:Project Files",
    "module:app:MODULE",
    "EMPTY_SCOPE",
    "SKIP",
    "FAIL",
    "GLOBAL",
    "1d",
    "2h",
    "+10k",
    "2024-01-01",
    "2024-13-40 99:99:99",
    "-1M",
    "utf-16le",
    "latin1",
    "path",
    "mtime",
    "relevance",
    "size",
    "REGEX",
    "PLAIN",
    "IN_COMMENTS",
    "CLASS",
    "file:///etc",
    "file://%00",
    "\u{0}",
    "ä",
    "😀",
    "count_matches",
    "files_with_matches",
    "content",
    "rust",
    "f",
    "d",
    "l",
    "x",
    "e",
    "smart",
    "main",
    "Grüße",
    "GLOB",
    "NAME",
    "~",
    "C:\\x",
    "\\\\?\\x",
];

const NUMBERS: &[i64] = &[
    0,
    1,
    2,
    3,
    10,
    50,
    100,
    500,
    -1,
    1_000,
    2_000,
    10_000,
    30_000,
    i64::MAX,
    i64::MIN,
    4_294_967_296,
];

/// A little of each language with a grammar, in addition to the Rust of the tree.
const SOURCES: &[(&str, &str)] = &[
    ("langs/a.c", "/* a */ int a(void) { return 'a'; }\n#define A \"a\"\n"),
    ("langs/a.cpp", "namespace a { class A { int a = 1; }; } // a \"a\"\n"),
    ("langs/a.cs", "namespace a { class A { string a = $\"a {1}\"; } } // a\n"),
    ("langs/a.go", "package a\nfunc a() string { return `a` } // a\n"),
    ("langs/A.java", "/** a */ class A { String a = \"a\"; }\n"),
    ("langs/a.js", "class A { a() { return `a ${'a'}`; } } // a\n"),
    ("langs/a.kt", "class A { fun a() = \"a ${1}\" } // a\n"),
    ("langs/a.php", "<?php function a() { return 'a'; } # a\n"),
    ("langs/a.py", "def a():\n    return f'a {1}'  # a\n"),
    ("langs/a.rb", "def a\n  \"a #{1}\" # a\nend\n"),
    ("langs/a.sh", "a() { echo \"a $a\"; } # a\n"),
    ("langs/a.ts", "interface A { a: 'a' } // a\n"),
    ("langs/a.tsx", "const a = <a b=\"a\">{/* a */ 1}</a>;\n"),
];

/// The tool, then its arguments: as JSON text, or generated from the tool's schema, with slips.
pub fn tool_call(data: &[u8]) {
    let mut bytes = Bytes::new(&data[..data.len().min(INPUT_BYTES_MAX)]);
    let tool = &TOOLS[bytes.below(TOOLS.len())];
    let args = if bytes.below(4) == 0 {
        bytes.rest().to_vec()
    } else {
        let schema = &schema_of(tool);
        let value = Made { schema, bytes: &mut bytes }.value(schema, DEPTH_MAX);
        value.to_string().into_bytes()
    };
    let started = Instant::now();
    let reply = workspace().call(tool.name, &args, &Call::new());
    let (name, args) = (tool.name, String::from_utf8_lossy(&args));
    assert!(started.elapsed() < TIME_MAX, "{name} took {:?} for {args}", started.elapsed());
    match reply {
        Ok(reply) => {
            let reply: Value = serde_json::from_slice(&reply)
                .unwrap_or_else(|error| panic!("{name}: {error} for {args}"));
            // Some errors have the shape of their tool's contract, without a code.
            let text = reply.to_string();
            assert!(!text.contains("this is a defect"), "{name}: {text} for {args}");
        }
        Err(error) => check_error(name, &args, &error),
    }
}

/// Returns the schema of a tool's arguments. Cached, since building it takes longer than most calls.
fn schema_of(tool: &Tool) -> Arc<Value> {
    static SCHEMAS: Mutex<BTreeMap<&str, Arc<Value>>> = Mutex::new(BTreeMap::new());
    let mut schemas = SCHEMAS.lock();
    let schema = schemas.entry(tool.name).or_insert_with(|| Arc::new(tool.input_schema()));
    Arc::clone(schema)
}

fn check_error(name: &str, args: &str, error: &Error) {
    assert!(ErrorKind::ALL.contains(&error.kind()), "{name}: {error:?}");
    assert!(error.kind() != ErrorKind::Internal, "{name}: {error:?} for {args}");
    assert!(!error.message().is_empty(), "{name}: empty error message for {args}");
}

fn workspace() -> &'static Workspace {
    static OPENED: OnceLock<(TempDir, Workspace)> = OnceLock::new();
    let (_, workspace) = OPENED.get_or_init(|| {
        let dir = fixed_tree();
        add(dir.path(), SOURCES);
        let workspace = open(dir.path(), 2);
        (dir, workspace)
    });
    workspace
}

/// Generates a value that mostly conforms to a schema.
struct Made<'a, 'b, 'd> {
    schema: &'a Value,
    bytes: &'b mut Bytes<'d>,
}

impl Made<'_, '_, '_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if self.bytes.below(32) == 31 {
            return self.any(depth);
        }
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or_default();
            let defined = self.schema.get("$defs").and_then(|all| all.get(name)).cloned();
            return defined.map_or(Value::Null, |schema| self.value(&schema, depth));
        }
        for key in ["anyOf", "oneOf", "enum"] {
            let Some(all) = schema.get(key).and_then(Value::as_array) else { continue };
            if !all.is_empty() {
                let chosen = all[self.bytes.below(all.len().min(256))].clone();
                return if key == "enum" { chosen } else { self.value(&chosen, depth) };
            }
        }
        let types = match schema.get("type") {
            Some(Value::Array(types)) => types.clone(),
            Some(one) => vec![one.clone()],
            None => return schema.get("const").cloned().unwrap_or_else(|| self.any(depth)),
        };
        match types[self.bytes.below(types.len())].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") if depth > 0 => {
                let n = self.bytes.below(4);
                let items = schema.get("items").cloned().unwrap_or(Value::Bool(true));
                (0..n).map(|_| self.value(&items, depth - 1)).collect()
            }
            Some("array") => json!([]),
            Some("string") => Value::from(self.text()),
            Some("integer" | "number") => Value::from(self.bytes.pick(NUMBERS)),
            Some("boolean") => Value::from(self.bytes.is_set()),
            _ => Value::Null,
        }
    }

    /// Generates the required properties, and some of the others.
    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required =
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_object);
        if depth == 0 {
            return Value::Object(object);
        }
        for (name, schema) in properties.into_iter().flatten() {
            let is_required = required.iter().any(|required| required == name);
            let chance = self.bytes.below(8);
            if is_required && chance < 7 || chance == 1 {
                object.insert(name.clone(), self.value(schema, depth - 1));
            }
        }
        if self.bytes.below(64) == 63 {
            object.insert(self.text(), self.any(depth - 1));
        }
        Value::Object(object)
    }

    fn text(&mut self) -> String {
        if self.bytes.below(3) > 0 {
            return self.bytes.pick(TEXTS).to_owned();
        }
        let len = self.bytes.below(24);
        String::from_utf8_lossy(self.bytes.take(len)).into_owned()
    }

    fn any(&mut self, depth: usize) -> Value {
        match self.bytes.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => Value::from(self.bytes.is_set()),
            2 => Value::from(self.bytes.pick(NUMBERS)),
            3 => Value::from(self.text()),
            4 => Value::from(f64::from(self.bytes.byte()) / 3.0),
            5 => (0..self.bytes.below(4)).map(|_| self.any(depth - 1)).collect(),
            _ => {
                let n = self.bytes.below(4);
                Value::Object((0..n).map(|_| (self.text(), self.any(depth - 1))).collect())
            }
        }
    }
}
