//! The C face: its header, its entry points, and C programs that use it.
//!
//! `SEARCHSCOPE_UPDATE=1` rewrites include/searchscope.h instead of comparing it. The programs are in
//! tests/c; each is built with warnings as errors and run linked statically, with the sanitizers of the C
//! compiler, and in the long run under valgrind if that is installed.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test builds programs, runs them and reads the files of the repository"
)]

use searchscope::ErrorKind;
use std::path::Path;
use std::sync::OnceLock;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are in the repository")
}

fn read(path: &str) -> String {
    let path = repository().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the committed header, or the new one if it is to be rewritten.
fn header() -> &'static str {
    static HEADER: OnceLock<String> = OnceLock::new();
    HEADER.get_or_init(|| {
        let path = repository().join("include/searchscope.h");
        if std::env::var_os("SEARCHSCOPE_UPDATE").is_some() {
            std::fs::write(path, header::generated()).expect("the header can be written");
        }
        read("include/searchscope.h")
    })
}

#[path = "../c/header.rs"]
mod header;

mod abi {
    use super::*;
    use std::collections::BTreeMap;
    use syn::visit::Visit;

    #[test]
    fn the_header_is_generated_from_the_source() {
        let (generated, committed) = (header::generated(), header());
        let mut lines = committed.lines().zip(generated.lines());
        let line = 1 + lines.position(|(old, new)| old != new).unwrap_or(0);
        assert!(
            committed == generated,
            "include/searchscope.h differs from the output of ffi (line {line} or the end); run this with SEARCHSCOPE_UPDATE=1"
        );
    }

    #[test]
    fn the_statuses_match_the_table_of_the_engine() {
        let (_, enumerators) =
            header().split_once("typedef enum searchscope_status {").expect("it");
        let (enumerators, _) = enumerators.split_once("} searchscope_status;").expect("its end");
        let in_header: BTreeMap<i32, String> = enumerators
            .lines()
            .filter_map(|line| line.trim().strip_prefix("SEARCHSCOPE_")?.split_once(" = "))
            .filter(|(name, _)| *name != "STATUS_MAX")
            .map(|(name, number)| (number.trim_end_matches(','), name.to_owned()))
            .map(|(number, name)| (number.parse().expect("a status is a number"), name))
            .collect();
        let of_engine = ErrorKind::ALL.iter().map(|kind| (kind.number(), kind.code()));
        let of_c = [
            (0, "ok"),
            (101, "null_argument"),
            (102, "invalid_utf8"),
            (103, "bad_handle"),
            (104, "panic"),
        ];
        let expected: BTreeMap<i32, String> =
            of_engine.chain(of_c).map(|(number, code)| (number, code.to_uppercase())).collect();
        assert_eq!(in_header, expected);
    }

    #[test]
    fn nothing_in_the_header_is_undocumented_or_for_tests() {
        let header = header();
        assert!(!header.contains("searchscope_test"), "the header shows test hooks");
        let lines: Vec<&str> = header.lines().collect();
        for (before, line) in lines.iter().zip(&lines[1..]) {
            let function = !line.starts_with([' ', '/'])
                && line.contains("searchscope_")
                && line.contains('(');
            let item = function
                || line.starts_with("#define SEARCHSCOPE_")
                || line.starts_with("typedef ")
                || line.starts_with("    SEARCHSCOPE_");
            assert!(!item || before.trim() == "*/" || line.ends_with("_H"), "undocumented: {line}");
        }
    }

    /// Finds the exported functions whose body is not exactly the one macro.
    #[derive(Default)]
    struct Exports {
        n_found: usize,
        bare: Vec<String>,
    }

    impl Visit<'_> for Exports {
        fn visit_item_fn(&mut self, function: &syn::ItemFn) {
            let abi = function.sig.abi.as_ref().and_then(|abi| abi.name.as_ref());
            if abi.is_none_or(|abi| abi.value() != "C") {
                return;
            }
            self.n_found += 1;
            let body = match &function.block.stmts[..] {
                [syn::Stmt::Expr(syn::Expr::Macro(body), None)] => Some(&body.mac),
                [syn::Stmt::Macro(body)] => Some(&body.mac),
                _ => None,
            };
            if body.is_none_or(|body| !body.path.is_ident("boundary")) {
                self.bare.push(function.sig.ident.to_string());
            }
        }
    }

    #[test]
    fn every_entry_point_is_inside_the_boundary() {
        let mut exports = Exports::default();
        let mut n_marked = 0;
        for entry in std::fs::read_dir(repository().join("ffi/src")).expect("ffi/src is there") {
            let path = entry.expect("ffi/src can be listed").path();
            // A fuzz target is a caller.
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("fuzz")) {
                continue;
            }
            let source = std::fs::read_to_string(path).expect("a source is text");
            n_marked += source.matches("\n#[unsafe(no_mangle)]\n").count();
            exports.visit_file(&syn::parse_file(&source).expect("a source is Rust"));
        }
        assert!(exports.bare.is_empty(), "not inside the boundary macro: {:?}", exports.bare);
        assert!(n_marked > 15, "the sources were found");
        assert_eq!(exports.n_found, n_marked, "every exported function is `extern \"C\"`");
    }
}

#[cfg(target_os = "linux")]
#[path = "../c/build.rs"]
mod build;
#[cfg(target_os = "linux")]
#[path = "../cpp/handles.rs"]
mod cpp_handles;
#[cfg(target_os = "linux")]
#[path = "../c/fixtures.rs"]
mod fixtures;
#[cfg(target_os = "linux")]
#[path = "../c/header_tests.rs"]
mod header_tests;
#[cfg(target_os = "linux")]
#[path = "../c/programs.rs"]
mod programs;
