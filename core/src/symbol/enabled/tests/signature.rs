//! Signatures, language by language.

use super::TreeSitter;
use crate::budget::Budget;
use crate::call::Call;
use crate::syntax::{Symbol, SyntaxParts, SyntaxReader};

/// Returns the signature of the last definition of `name`.
fn signature(language: &'static str, text: &[u8], name: &str) -> String {
    let wanted = SyntaxParts { outline: true, ..SyntaxParts::default() };
    let (reader, budget) = (TreeSitter::default(), Budget::of(&Call::new()));
    let syntax = reader.read(language, text, wanted, None, &budget).expect("it is parsed");
    let outline = syntax.outline.expect("an outline");
    let named = |symbol: &&Symbol| symbol.name() == name;
    let symbol = outline.symbols().iter().rfind(named);
    let symbol = symbol.unwrap_or_else(|| panic!("{language}: {name} is missing"));
    reader.signature(&outline, symbol, text, &budget)
}

fn check(language: &'static str, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(signature(language, text.as_bytes(), "name"), *expected, "{language}: {text}");
    }
}

#[test]
#[cfg(feature = "symbols-rust")]
fn rust() {
    check(
        "Rust",
        &[
            ("impl A {\n    pub fn name(&self) -> u8 { 1 }\n}\n", "pub fn name(&self) -> u8"),
            ("const name: u8 = 1;\n", "const name: u8 = 1"),
            ("pub const name: char = '(';\nfn next() {}\n", "pub const name: char = '('"),
            (
                "#[cfg(feature = \"(\")] pub fn name() {}\nfn b() {}\n",
                "#[cfg(feature = \"(\")] pub fn name()",
            ),
            (
                "fn name<'a>(a: &'a str,\n    b: u8) -> &'a str { a }\n",
                "fn name<'a>(a: &'a str, b: u8) -> &'a str",
            ),
            ("fn name() -> Foo<{ N + 1 }> { f() }\n", "fn name() -> Foo<{ N + 1 }>"),
            ("fn name(a: u8, // the first (of two\n  b: u8) {}\n", "fn name(a: u8, b: u8)"),
            ("pub struct name<T> where T: Copy {\r\n a: T }\n", "pub struct name<T> where T: Copy"),
            ("const name: &str = \"{} {}\";\n", "const name: &str = \"{} {}\""),
        ],
    );
    let text = "fn name(\n    root: &Path,\n    options: &[\n        u8\n    ],\n) -> Result<()> {\n    a()\n}\n";
    assert_eq!(
        signature("Rust", text.as_bytes(), "name"),
        "fn name(root: &Path, options: &[u8]) -> Result<()>"
    );
}

#[test]
#[cfg(feature = "symbols-typescript")]
fn typescript() {
    check(
        "TypeScript",
        &[
            ("export const name = (a: A) => {\n  b()\n}\n", "export const name = (a: A)"),
            ("class name extends Base { a = 1 }\n", "class name extends Base"),
            ("class name extends B<{ x: 1 }> {\n}\n", "class name extends B<{ x: 1 }>"),
            (
                "async function name(): Promise<{ id: string }> {\n}\n",
                "async function name(): Promise<{ id: string }>",
            ),
            (
                "function name<T extends { id: string }>(x: T): T {\n}\n",
                "function name<T extends { id: string }>(x: T): T",
            ),
            (
                "function name(a: { b: 1 }): { y: number } {\n}\n",
                "function name(a: { b: 1 }): { y: number }",
            ),
            ("export const name = /\\(/;\nconst b = 1\n", "export const name = /\\(/"),
            ("const name = 1; // see (1\nconst b = 1\n", "const name = 1"),
            (
                "app.get('/x', function name(req, res) {\n  f()\n})\n",
                "app.get('/x', function name(req, res)",
            ),
            ("const name = debounce((a) => { f(); }, 10)\n", "const name = debounce((a)"),
        ],
    );
}

#[test]
#[cfg(feature = "symbols-python")]
fn python() {
    check(
        "Python",
        &[
            ("def name(self):\n    pass\n", "def name(self)"),
            ("def name(self) -> Dict[str, int]: return {}\n", "def name(self) -> Dict[str, int]"),
            ("def name(sep=\"(\", n=1):\n    pass\n", "def name(sep=\"(\", n=1)"),
            ("name = \"(\"\nNEXT = 1\n", "name = \"(\""),
            ("name = re.compile(r\"\\(\")\nNEXT = 1\n", "name = re.compile(r\"\\(\")"),
            ("name: dict = {\n    'a': 1,\n}\n", "name: dict"),
            ("class name(A, B): pass\n", "class name(A, B)"),
        ],
    );
}

#[test]
#[cfg(feature = "symbols-cpp")]
fn c_and_cpp() {
    check(
        "C++",
        &[
            ("A::name(int a) : x{a}, y(2) {\n}\n", "A::name(int a)"),
            ("class name : public Base {\n};\n", "class name : public Base"),
            ("template <class T>\nclass name {\n};\n", "class name"),
            ("static int\nname (int a)\n{\n}\n", "static int name (int a)"),
            ("void /* called (once */ name(int a) {\n}\n", "void name(int a)"),
        ],
    );
}

#[test]
#[cfg(feature = "symbols")]
fn other_languages() {
    check(
        "Go",
        &[
            (
                "package a\nfunc name(a map[string]int) interface{ Foo() } {\n}\n",
                "func name(a map[string]int) interface{ Foo() }",
            ),
            ("package a\ntype name struct {\n\ta int\n}\n", "type name struct"),
            ("package a\nconst name = \"(\"\nconst b = 1\n", "const name = \"(\""),
        ],
    );
    check(
        "Java",
        &[
            ("class A {\n  record name(int a) { name { } }\n}\n", "name"),
            ("class A {\n  char name = '(';\n  int b;\n}\n", "char name = '('"),
        ],
    );
    check(
        "C#",
        &[
            (
                "class A {\n  void name(string s = \"(\") { }\n  int b;\n}\n",
                "void name(string s = \"(\")",
            ),
            ("class A {\n  public int name { get; set; }\n}\n", "public int name"),
        ],
    );
    check(
        "Kotlin",
        &[("class A {\n  companion object { const val name = 1 }\n}\n", "const val name = 1")],
    );
    check("Bash", &[("name() {\n  echo\n}\n", "name()")]);
}

#[test]
#[cfg(feature = "symbols-rust")]
fn a_signature_is_bounded_and_valid_text() {
    let long = format!("fn name({}) {{}}\n", "é: u8, ".repeat(500));
    let long = signature("Rust", long.as_bytes(), "name");
    assert_eq!(long.chars().count(), 161, "{long}");
    assert!(long.ends_with('…'), "{long}");
    let indented =
        format!("fn name(\n{}) {{}}\n", format!("{}a: u8,\n", " ".repeat(100)).repeat(20));
    let indented = signature("Rust", indented.as_bytes(), "name");
    assert!(indented.ends_with('…') && indented.len() < 200, "{indented}");
    let minified = format!("{}fn name(a: u8) {{}}\n", "fn f() {} ".repeat(10_000));
    assert_eq!(signature("Rust", minified.as_bytes(), "name"), "fn name(a: u8)");
    let far = format!("#[doc = \"{}\"] fn name() {{}}\n", "é".repeat(200));
    let far = signature("Rust", far.as_bytes(), "name");
    assert!(far.starts_with("…é") && far.ends_with("fn name()"), "{far}");
    assert_eq!(signature("Rust", b"fn name(a: A\xff) {}\n", "name"), "fn name(a: A\u{fffd})");
}
