//! Questions about a name that is defined somewhere: the lines inside its definition.

use super::questions::first_in;
use super::{text, workspace};
use serde_json::json;

#[test]
fn the_rows_of_a_name_are_those_inside_its_definition() {
    let filler = "    x = 1\n".repeat(30);
    let python = format!(
        "class DechunkedInput(Base):\n    \"\"\"Reads chunks of a length.\"\"\"\n\n{filler}    def read(self):\n        if size < 0:\n            raise OSError(\"Negative chunk length\")\n\n\ndef other():\n    raise OSError(\"Negative chunk length elsewhere\")\n"
    );
    let elixir = "  def fetch_params(conn, opts \\\\ [])\n\n  def fetch_params(conn, opts) do\n    %{params: params} = conn\n    length = Keyword.get(opts, :length, 1_000_000)\n    decode(params, length)\n  end\n\n  def next(conn), do: conn.length\n";
    let cpp = "// Limits.\nstatic int64_t\nByteSizeLimit(const Options* options)\n{\n  return 25 * TargetSize(options);\n}\n\nint other(int size) { return size; }\n";
    let swift = "public struct RefreshWindow {\n    /// The interval and `maximumAttempts` of 30 seconds.\n    public let maximumAttempts: Int\n\n    public init(interval: TimeInterval = 30.0, maximumAttempts: Int = 5) {\n    }\n}\n";
    let (_dir, workspace) = workspace(&[
        ("src/serving.py", &python),
        ("lib/conn.ex", elixir),
        ("db/limits.cc", cpp),
        ("Source/Window.swift", swift),
        ("src/notes.py", "length = -1  # negative length, the default limit of a window\n"),
    ]);
    for (q, path, row) in [
        (
            "DechunkedInput negative length",
            "src/serving.py",
            "raise OSError(\"Negative chunk length\")",
        ),
        ("DechunkedInput negative", "src/serving.py", "raise OSError(\"Negative chunk length\")"),
        ("fetch_params length limit", "lib/conn.ex", ":length, 1_000_000"),
        ("ByteSizeLimit formula", "db/limits.cc", "return 25 * TargetSize"),
        (
            "RefreshWindow maximumAttempts default",
            "Source/Window.swift",
            "maximumAttempts: Int = 5",
        ),
    ] {
        let text = first_in(&workspace, q, path);
        assert!(text.contains(row), "{q}: {text}");
        assert!(!text.contains("elsewhere") && !text.contains("def next"), "{q}: {text}");
    }
    let reply = text(&workspace, json!({ "q": "ByteSizeLimit formula" }));
    assert!(reply.contains("[all 1 line in 1 file and 1 inside a definition; "), "{reply}");
    // A name alone has its own rows, and a total that counts them.
    let reply = text(&workspace, json!({ "q": "DechunkedInput" }));
    assert!(!reply.contains("Negative") && reply.contains("[all 1 line in 1 file"), "{reply}");
}

#[test]
fn the_definition_of_a_name_comes_before_files_with_its_parts() {
    let mut files: Vec<(String, String)> = (0..12)
        .map(|n| {
            let text = format!(
                "export function matchKey{n}(actual, expect) {{\n  // key actual expect\n  return expect.match(actual)\n}}\n"
            );
            (format!("src/match_{n}.js"), text)
        })
        .collect();
    let def = "export function isKeyNotMatch(expect, actual) {\n  return expect !== actual\n}\n";
    files.push(("src/def.js".to_owned(), def.to_owned()));
    let user = "// value header\nisKeyNotMatch(value, header)\nisKeyNotMatch(header, value)\n";
    files.push(("src/value_header.js".to_owned(), user.to_owned()));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_dir, workspace) = workspace(&files);
    for q in ["isKeyNotMatch actual expect", "isKeyNotMatch value header"] {
        let text = first_in(&workspace, q, "src/def.js");
        assert!(text.contains("export function isKeyNotMatch"), "{text}");
    }
}

#[test]
fn a_definition_ends_where_its_language_says() {
    let body = "timeout(1);";
    for (path, head, inner, end) in [
        ("a.rs", "pub fn fetch_params<T>(a: T) -> u32\nwhere\n    T: Send,\n{\n", "    ", "}\n"),
        ("a.tsx", "function fetch_params({\n  a,\n  b,\n}: Props) {\n", "  ", "}\n"),
        ("a.c", "int fetch_params(int a)\n{\n#ifdef A\n\tb();\n#endif\nfail:\n", "\t", "}\n"),
        ("a.py", "def fetch_params(a):\n    b()\n# a comment\n", "    ", ""),
        ("b.py", "def fetch_params(a):\n    b()\n", "    ", "\nclass Next:\n    x = timeout(2)\n"),
        ("a.rb", "def fetch_params(a)\n  b\nrescue E\n", "  ", "end\n"),
        ("a.cc", "    int fetch_params(int a)\n    {\n", "\t", "    }\n"),
    ] {
        let source =
            format!("{head}{inner}{body}\n{end}\n# next\n// next\nint next() {{ timeout(2); }}\n");
        let (_dir, workspace) = workspace(&[(path, &source), ("b.txt", "fetch_params(1)\n")]);
        let reply = text(&workspace, json!({ "q": "fetch_params timeout" }));
        assert!(reply.contains(body), "{path}: {reply}");
        assert!(!reply.contains("timeout(2)"), "{path}: {reply}");
    }
}
