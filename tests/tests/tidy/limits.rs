//! Size limits: of files in lines of code, of functions in lines.

use crate::source::{Source, sources};
use crate::{assert_none, collect};
use std::ops::RangeInclusive;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const FILE_LINES_MAX: usize = 700;
const FUNCTION_LINES_MAX: usize = 70;

/// Maximum lines of code in the front file of an area or crate, which only shows its contents.
const FRONT_LINES_MAX: usize = 60;

/// Front files that still exceed it.
const LONG_FRONTS: &[&str] = &[
    "core/src/api/mod.rs",
    "core/src/search/file/long_lines/mod.rs",
    "tools/src/",
    "core/src/workspace/",
    "ffi/src/lib.rs",
    "node/src/lib.rs",
];

/// Nine files in ten stay below this.
const USUAL_FILE_LINES: usize = 400;

fn all_sources() -> Vec<Source> {
    ["core", "tools", "ffi", "node", "cli", "tests", "bench", "fuzz"]
        .iter()
        .flat_map(|part| sources(part))
        .collect()
}

#[test]
fn files_are_short() {
    let all = all_sources();
    assert_none(&collect(&all, |source| file_offences(source, FILE_LINES_MAX)));
    let long = collect(&all, |source| file_offences(source, USUAL_FILE_LINES));
    let n_allowed = all.len() / 10;
    assert!(long.len() <= n_allowed, "{n_allowed} may be long, these are:\n{}", long.join("\n"));
}

#[test]
fn a_long_file_is_found() {
    let file = |n: usize| Source::new("x.rs", &"// comment\n\nlet x;\n".repeat(n));
    assert!(file_offences(&file(700), FILE_LINES_MAX).is_empty());
    assert_eq!(file_offences(&file(701), FILE_LINES_MAX).len(), 1);
}

#[test]
fn fronts_are_short() {
    let parts = ["core/src", "tools/src", "ffi/src", "node/src"];
    let all: Vec<Source> = parts.iter().flat_map(|part| sources(part)).collect();
    assert_none(&collect(&all, |source| front_offences(source, LONG_FRONTS)));
}

#[test]
fn a_long_front_is_found() {
    let front = |path: &str, n: usize| {
        let text = "// Why.\n\nuse a::b;\n".repeat(n);
        front_offences(&Source::new(path, &text), &["core/src/long/", "core/src/old/mod.rs"]).len()
    };
    assert_eq!(front("core/src/x/mod.rs", 60), 0);
    assert_eq!(front("core/src/x/mod.rs", 61), 1);
    assert_eq!(front("ffi/src/lib.rs", 61), 1);
    assert_eq!(front("core/src/x/run.rs", 61), 0);
    assert_eq!(front("core/src/x/tests/mod.rs", 61), 0);
    assert_eq!(front("core/src/long/x/mod.rs", 61), 0);
    assert_eq!(front("core/src/old/mod.rs", 61), 0);
    assert_eq!(front("core/src/old/x/mod.rs", 61), 1);
    let tests = format!("mod a;\n#[cfg(test)]\nmod tests {{\n{}}}\n", "use a::b;\n".repeat(60));
    assert_none(&front_offences(&Source::new("core/src/x/mod.rs", &tests), &[]));
}

#[test]
fn functions_are_short() {
    assert_none(&collect(&all_sources(), function_offences));
}

#[test]
fn a_long_function_is_found() {
    let body = |n: usize| "    x();\n".repeat(n);
    let free = |n| format!("/// Doc.\n#[inline]\nfn f() {{\n{}}}\n", body(n));
    let method = |n| format!("impl X {{ fn f() {{\n{}}} }}\n", body(n));
    let inner = |n| format!("mod m {{ trait X {{ fn f() {{\n{}}} }} }}\n", body(n));
    for text in [free(68), method(68), inner(68)] {
        assert_none(&function_offences(&Source::new("x.rs", &text)));
    }
    for text in [free(69), method(69), inner(69)] {
        assert_eq!(function_offences(&Source::new("x.rs", &text)).len(), 1, "{text}");
    }
}

/// Returns whether a line is code: neither blank nor a comment.
fn is_code(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with("//")
}

/// Reports a front file with too much code outside its test modules. An exception is a file, or a folder
/// with a slash at its end.
fn front_offences(source: &Source, exceptions: &[&str]) -> Vec<String> {
    let path = &source.path;
    let is_front = path.ends_with("/mod.rs") || path.ends_with("/lib.rs");
    let is_exception = exceptions.iter().any(|exception| {
        path == exception || exception.ends_with('/') && path.starts_with(exception)
    });
    if !is_front || is_exception || source.is_test() {
        return Vec::new();
    }
    let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let tests: Vec<_> = file.items.iter().filter_map(test_lines).collect();
    let lines = source.text.lines().enumerate();
    let is_counted =
        |n: usize, line: &str| is_code(line) && !tests.iter().any(|lines| lines.contains(&(n + 1)));
    let n_lines = lines.filter(|(n, line)| is_counted(*n, line)).count();
    let offence =
        || format!("{path}: {n_lines} lines of code, {FRONT_LINES_MAX} are allowed at a front");
    (n_lines > FRONT_LINES_MAX).then(offence).into_iter().collect()
}

/// Returns the lines of an item if it is a test module: a module with a condition.
fn test_lines(item: &syn::Item) -> Option<RangeInclusive<usize>> {
    let syn::Item::Mod(module) = item else { return None };
    let is_test = module.attrs.iter().any(|attribute| {
        let condition = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("cfg") && condition.is_ok_and(|text| text.contains("test"))
    });
    let span = module.span();
    is_test.then(|| span.start().line..=span.end().line)
}

fn file_offences(source: &Source, lines_max: usize) -> Vec<String> {
    let n_lines = source.text.lines().filter(|line| is_code(line)).count();
    let offence = || format!("{}: {n_lines} lines of code, {lines_max} are allowed", source.path);
    (n_lines > lines_max).then(offence).into_iter().collect()
}

fn function_offences(source: &Source) -> Vec<String> {
    let file =
        syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
    let mut functions = Functions { path: &source.path, offences: Vec::new() };
    functions.visit_file(&file);
    functions.offences
}

struct Functions<'a> {
    path: &'a str,
    offences: Vec<String>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let start = signature.span().start().line;
        let n_lines = body.span().end().line - start + 1;
        if n_lines > FUNCTION_LINES_MAX {
            let (path, name) = (self.path, &signature.ident);
            self.offences.push(format!(
                "{path}:{start}: {name} has {n_lines} lines, {FUNCTION_LINES_MAX} are allowed"
            ));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.measure(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}
