//! Error messages are for people: no code branches on one, and none rewrites one.

use crate::source::{Source, sources};
use crate::{assert_none, collect};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprBinary, ExprMethodCall, ItemFn, ItemMod};

#[test]
fn no_code_decides_by_a_message_or_rewrites_it() {
    for crate_sources in ["core/src", "ffi/src", "node/src", "cli/src"] {
        assert_none(&collect(&sources(crate_sources), message_offences));
    }
}

#[test]
fn a_decision_by_a_message_is_found() {
    let of = |text: &str| message_offences(&Source::new("core/src/x.rs", text)).len();
    assert_eq!(of("fn f(e: E) -> bool { e.message().contains(\"x\") }"), 1);
    assert_eq!(
        of("fn f(e: E) { match e { e if e.message().starts_with(\"x\") => {} _ => {} } }"),
        1
    );
    assert_eq!(of("fn f(e: E) { if e.message() == \"x\" {} }"), 1);
    assert_eq!(of("fn f(e: E) -> bool { e.message_without_remedy().contains(\"x\") }"), 1);
    assert_eq!(of("fn f(e: E) -> S { format!(\"{}; y\", e.message()) }"), 0);
    assert_eq!(
        of("#[cfg(test)] mod tests { fn f(e: E) -> bool { e.message().contains(\"x\") } }"),
        0
    );
    assert_eq!(of("#[test] fn f() { g(e.message() == \"x\"); }"), 0);
}

#[test]
fn a_message_that_is_rewritten_is_found() {
    let of = |text: &str| message_offences(&Source::new("core/src/x.rs", text)).len();
    assert_eq!(of("fn f(e: E) -> E { let m = e.message().replacen(\"a\", \"b\", 1); e.m(m) }"), 1);
    assert_eq!(of("fn f(e: E) -> S { e.message().trim_start_matches(\"x \").to_owned() }"), 1);
    assert_eq!(of("fn f(e: E) -> S { e.message().to_owned().replace(\"x\", \"y\") }"), 1);
    assert_eq!(of("fn f(e: E) -> S { e.to_string().replace(\"x\", \"y\") }"), 0);
    assert_eq!(of("fn f(t: &str) -> S { t.replace(\"x\", \"y\") }"), 0);
}

fn message_offences(source: &Source) -> Vec<String> {
    if source.is_test() {
        return Vec::new();
    }
    let file =
        syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
    let mut decisions = Decisions { path: &source.path, offences: Vec::new() };
    decisions.visit_file(&file);
    decisions.offences
}

/// Methods that query a text.
const QUESTIONS: &[&str] = &["contains", "starts_with", "ends_with", "find", "is_empty"];

/// Methods that take a text apart to compose another. The error has the parameter, the path and the span
/// as fields, and `Error::with_param_named` renames the parameter.
const REWRITES: &[&str] = &[
    "replace",
    "replacen",
    "replace_range",
    "split",
    "split_at",
    "split_once",
    "rsplit_once",
    "strip_suffix",
    "trim_matches",
    "trim_start_matches",
    "trim_end_matches",
];

struct Decisions<'a> {
    path: &'a str,
    offences: Vec<String>,
}

impl Decisions<'_> {
    fn report(&mut self, at: &impl Spanned, what: &str) {
        let line = at.span().start().line;
        self.offences.push(format!("{}:{line}: {what} the text of a message", self.path));
    }
}

impl<'ast> Visit<'ast> for Decisions<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if QUESTIONS.iter().any(|question| call.method == question) && is_message(&call.receiver) {
            self.report(call, "a decision by");
        }
        if REWRITES.iter().any(|rewrite| call.method == rewrite) && is_message(&call.receiver) {
            self.report(call, "a rewrite of");
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let compares = matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_));
        if compares && (is_message(&binary.left) || is_message(&binary.right)) {
            self.report(binary, "a decision by");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !function.attrs.iter().any(|attribute| attribute.path().is_ident("test")) {
            visit::visit_item_fn(self, function);
        }
    }
}

/// Reports whether an expression is the message of an error, or a copy of it.
fn is_message(expression: &Expr) -> bool {
    let Expr::MethodCall(call) = expression else { return false };
    let is_text = call.method == "message" || call.method == "message_without_remedy";
    let is_copy = call.method == "to_owned" || call.method == "to_string";
    call.args.is_empty() && (is_text || is_copy && is_message(&call.receiver))
}
