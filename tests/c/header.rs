//! Generates include/searchscope.h: a handwritten prologue, then the output of cbindgen and the macros of
//! ffi/macros.h, in the order of ffi/chapters.txt.

use super::{read, repository};
use std::collections::BTreeMap;

/// Returns the header generated from the sources and the files beside them.
pub(super) fn generated() -> String {
    let ffi = repository().join("ffi");
    let mut config =
        cbindgen::Config::from_file(ffi.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    config.header = Some(read("ffi/prologue.h").trim_end().to_owned());
    let builder = cbindgen::Builder::new().with_src(ffi.join("src/lib.rs"));
    let bindings = builder.with_config(config).generate().expect("ffi/src can be read");
    let mut header = Vec::new();
    bindings.write(&mut header);
    in_chapters(&String::from_utf8(header).expect("the header is text"))
}

/// Puts the declarations in the order of the chapters.
fn in_chapters(header: &str) -> String {
    const OPENS: &str = "extern \"C\" {\n#endif\n\n";
    const CLOSES: &str = "#ifdef __cplusplus\n}\n";
    let (start, rest) = header.split_once(OPENS).expect("the declarations begin");
    let (body, end) = rest.rsplit_once(CLOSES).expect("the declarations end");
    let macros = read("ffi/macros.h");
    let items =
        body.split("\n\n").chain(macros.split("\n\n")).filter(|item| !item.trim().is_empty());
    let mut items: BTreeMap<&str, &str> = items.map(|item| (name(item), item.trim_end())).collect();
    let mut ordered = format!("{start}{OPENS}");
    for line in read("ffi/chapters.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(item) = items.remove(line) {
            ordered += &format!("{}\n\n", without_tags(item));
        } else if !line.is_empty() {
            let is_name = line.to_lowercase().starts_with("searchscope_");
            assert!(!is_name, "ffi/chapters.txt has an undeclared name: {line}");
            ordered += &format!("/* {line} {} */\n\n", "-".repeat(90 - line.len()));
        }
    }
    assert!(items.is_empty(), "ffi/chapters.txt lacks {:?}", items.keys());
    ordered + CLOSES + end
}

/// Removes the tags of structs and enums. Each has a typedef: its tag only names it before its declaration.
fn without_tags(item: &str) -> String {
    // C89 has no comma after the last enumerator.
    let item = item.replace(",\n} ", "\n} ");
    let is_aligned = item.lines().any(|line| line.starts_with("enum "));
    let lines = item.split('\n').map(|line| match line.strip_prefix("enum ") {
        _ if line.starts_with("typedef ") => line.to_owned(),
        Some(line) => line.to_owned(),
        // The parameters stay below the first one.
        None if is_aligned && line.starts_with("     ") => line["enum ".len()..].to_owned(),
        None => line.to_owned(),
    });
    let lines = lines.map(|line| match line.starts_with("typedef struct ") {
        true => line,
        false => line.replace("struct searchscope_", "searchscope_"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the name that a declaration declares.
pub(super) fn name(item: &str) -> &str {
    let declaration = item.rsplit_once(" */\n").map_or(item, |(_, declaration)| declaration);
    // The last comment of a struct is inside it.
    let is_struct = item.ends_with(';') && item.contains("\n} ");
    let name = if is_struct {
        item.rsplit(' ').next()
    } else if let Some(define) = declaration.strip_prefix("#define ") {
        define.split([' ', '(']).next()
    } else if let Some((_, pointer)) = declaration.split_once("(*") {
        pointer.split(')').next()
    } else {
        let until = declaration.find('(').unwrap_or(declaration.len());
        declaration[..until].rsplit([' ', '*']).next()
    };
    name.unwrap_or_default().trim_end_matches(';')
}
