//! Sizes: of files in lines of code, of functions in lines.

use crate::source::{Source, sources};
use crate::{assert_none, collect};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const FILE_LINES_MAX: usize = 700;
const FUNCTION_LINES_MAX: usize = 70;

/// Nine files in ten stay below this.
const USUAL_FILE_LINES: usize = 400;

fn all_sources() -> Vec<Source> {
    ["core", "ffi", "node", "tests", "bench", "fuzz"]
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

/// Lines of code: blank lines and lines of comment do not count.
fn file_offences(source: &Source, lines_max: usize) -> Vec<String> {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let n_lines = source.text.lines().filter(is_code).count();
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
