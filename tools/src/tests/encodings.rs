//! Texts in declared encodings, on disk and in an overlay, as the tools report them.

use super::{call, tree_of};
use crate::call::CallTools;
use searchscope::{Workspace, WorkspaceOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

fn workspace(files: &[(&str, &[u8])], encodings: &[&str]) -> (TempDir, Workspace) {
    let dir = tree_of(files);
    let encodings = encodings.iter().map(ToString::to_string).collect();
    let options = WorkspaceOptions { encodings, ..WorkspaceOptions::default() };
    let workspace = options.open(dir.path()).expect("opened");
    (dir, workspace)
}

fn reply(workspace: &Workspace, tool: &str, args: &Value) -> Value {
    call(workspace, tool, args).expect(tool)
}

#[test]
#[cfg(feature = "symbols")]
fn definitions_of_texts_in_any_encoding_are_read() {
    let text = "// 日本\nfn alpha() {}\nfn beta() {}\n";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let files: [(&str, &[u8]); 4] = [
        ("bare.rs", &utf16(text)),
        ("mark.rs", &utf16(&format!("\u{feff}{text}"))),
        ("sjis.rs", b"// \x93\xfa\x96{\nfn alpha() {}\nfn beta() {}\n"),
        ("utf8.rs", text.as_bytes()),
    ];
    for (path, bytes) in files {
        let second = if path == "sjis.rs" { "shift_jis" } else { "utf-16le" };
        let (_dir, workspace) = workspace(&[(path, bytes)], &["utf-8", second]);
        let outline =
            workspace.outline(path, &searchscope::Call::new()).expect(path).expect("Rust");
        let symbols = outline.symbols().iter().map(|symbol| (symbol.name(), symbol.line()));
        assert_eq!(symbols.collect::<Vec<_>>(), [("alpha", 2), ("beta", 3)], "{path}");
        let shown = reply(&workspace, "read", &json!({"what": [path], "outline": true}));
        assert!(shown["text"].as_str().expect("text").contains("fn beta"), "{shown}");
        let shown = reply(&workspace, "read", &json!({"what": [format!("{path}#beta")]}));
        assert!(shown["text"].as_str().expect("text").contains("3: fn beta() {}"), "{shown}");
        let shown = reply(&workspace, "read", &json!({"what": [format!("{path}#alpha")]}));
        assert!(shown["text"].as_str().expect("text").contains("2: fn alpha() {}"), "{shown}");
    }
}

#[test]
fn occurrences_are_at_bytes_of_the_file() {
    let sjis = b"\x93\xfa\n\x96{\x96{ abc x abc\n"; // 日, 本本
    let (_dir, workspace) = workspace(&[("a.txt", sjis)], &["utf-8", "shift_jis"]);
    let args = json!({"scope": "All Places", "query": "abc"});
    let found = reply(&workspace, "scope_search_text", &args);
    let offsets = |n: usize| {
        let one = &found["occurrences"][n];
        [one["startOffset"].as_u64(), one["endOffset"].as_u64()]
    };
    assert_eq!([offsets(0), offsets(1)], [[Some(8), Some(11)], [Some(14), Some(17)]]);
    let found = reply(&workspace, "search", &json!({"patterns": ["abc"]}));
    assert_eq!(found["matches"][0]["spans"][1]["file_bytes"], json!([14, 17]));
    assert_eq!(found["matches"][0]["encoding"], "shift_jis");
    let text =
        workspace.call_text("search", br#"{"patterns": ["abc"]}"#, &searchscope::Call::new());
    assert!(text.expect("text").starts_with("a.txt\tencoding: shift_jis\n 2: "));
}

#[test]
fn a_bare_total_of_a_text_too_large_to_be_decoded_is_refused() {
    let large = [&b"\x93\xfa hit\n"[..], &b"xxxxxxx\n".repeat(17 << 17)].concat();
    let (_dir, workspace) = workspace(&[("large", &large)], &["utf-8", "shift_jis"]);
    let mut args = json!({"roots": ["."], "query": "hit", "total_only": true});
    let error = call(&workspace, "find_and_grep", &args).expect_err("it is incomplete");
    assert_eq!(error.code(), "result_too_large");
    assert!(error.message().contains("'large': larger than 16 MiB"), "{error}");
    assert!(!error.message().contains("200M"), "{error}");
    args["max_filesize"] = "16M".into();
    assert_eq!(reply(&workspace, "find_and_grep", &args), 0);
    args = json!({"roots": ["."], "query": "hit", "max_filesize": "20M"});
    let found = reply(&workspace, "find_and_grep", &args);
    let warnings = found["meta"]["warnings"].to_string();
    assert!(warnings.contains("16 MiB") && !warnings.contains("max_filesize"), "{found}");
}

#[test]
fn declared_encodings_do_not_apply_to_unsaved_text() {
    let (_dir, workspace) = workspace(&[("a.md", b"caf\xe9 saved\n")], &["windows-1252"]);
    let text = "---\nname: 日本\ndescription: é\n---\n日本 é unsaved\n";
    let code = "// 日本\nfn é() {}\n";
    let edited = workspace.with_overlay([("a.md", Some(text)), ("b.rs", Some(code))]);
    let edited = edited.expect("laid over");
    let query = |tool: &str, args: Value| reply(&edited, tool, &args);
    for extra in
        [json!({}), json!({"encodings": ["shift_jis", "latin1"]}), json!({"encoding": "latin1"})]
    {
        let mut args = extra.clone();
        args["patterns"] = json!(["本 é uns"]);
        let found = query("search", args);
        assert_eq!(found["matches"][0]["text"], "日本 é unsaved", "{extra}");
        assert_eq!(found["matches"][0].get("encoding"), None, "{extra}");
    }
    let found =
        query("find_and_grep", json!({"roots": ["."], "query": "本", "encoding": "latin1"}));
    assert!(found.to_string().contains("日本 é unsaved"), "{found}");
    let shown = query("read", json!({"what": ["a.md:5"]}));
    assert!(shown["text"].as_str().expect("text").contains("日本 é unsaved"), "{shown}");
    let found = query("search_documents", json!({"query": "本 é"}));
    assert_eq!(found["results"][0]["name"], "日本");
    let listed = query("list_documents", json!({}));
    assert_eq!(listed["documents"][0]["description"], "é", "{listed}");
    let document = query("read_document", json!({"path": "a.md"}));
    assert!(document.to_string().contains("日本 é unsaved"), "{document}");
    if cfg!(feature = "symbols") {
        let found = query("scope_search_symbols", json!({"scope": "All Places", "query": "é"}));
        assert!(found.to_string().contains("\"é\""), "{found}");
    }
    let found = query("scope_search_text", json!({"scope": "All Places", "query": "é()"}));
    assert_eq!(found["occurrences"][0]["startOffset"], 13, "{found}");
    // A byte order mark decides in an unsaved text as in a file.
    let marked: Vec<u8> = "\u{feff}日本\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let edited = workspace.with_overlay([("a.md", Some(marked))]).expect("laid over");
    let found = reply(&edited, "search", &json!({"patterns": ["本"], "encoding": "latin1"}));
    assert_eq!(found["matches"][0]["text"], "日本");
    // On disk the encoding applies.
    let found = reply(&workspace, "search", &json!({"patterns": ["café"]}));
    assert_eq!(found["matches"][0]["encoding"], "windows-1252");
}
