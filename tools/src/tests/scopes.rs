//! The tools with a scope, as a caller sees them: pages, descriptors as arguments, deadlines, and
//! arguments of any kind.

use super::{call, pages, tree};
use searchscope::testing::TurnedClock;
use serde_json::{Value, json};
use std::time::Duration;

use proptest::prelude::*;

fn push(id: &str) -> Value {
    json!({"op": "PUSH_ATOM", "atomId": id})
}

fn directory(id: &str, url: &str) -> Value {
    json!({"atomId": id, "kind": "DIRECTORY", "directoryUrl": url})
}

#[test]
fn pages_in_a_scope_equal_the_whole_and_a_cursor_is_valid_for_that_scope_alone() {
    let names: Vec<String> = (0..30).map(|n| format!("{}/f{n}.log", n % 3)).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "hit\nhit\n")).collect();
    files.push((".gitignore", "*.log\n"));
    let (_dir, workspace) = tree(&files);
    let scope = json!({
        "atoms": [directory("a", "0"), directory("b", "2")],
        "tokens": [push("a"), push("b"), {"op": "OR"}],
    });
    let args = json!({"patterns": ["hit"], "scope": scope});
    let whole = call(&workspace, "search", &args).expect("found");
    assert_eq!(whole["total"], 40);
    for (name, limit) in [("matches_max", 7), ("files_max", 3), ("output_bytes_max", 1024)] {
        let mut args = args.clone();
        args[name] = limit.into();
        let given = pages(&workspace, "search", &args, "matches");
        assert!(whole["matches"] == Value::Array(given), "{name}: other matches than the whole");
    }
    let find = json!({"scope": scope, "files_max": 3});
    let given = pages(&workspace, "find", &find, "files");
    assert_eq!(given.len(), 20);
    let first = call(&workspace, "find", &find).expect("a page");
    for other in [json!("directory:0"), json!("All Places"), Value::Null] {
        let args = json!({"scope": other, "files_max": 3, "cursor": first["cursor"]});
        let error = call(&workspace, "find", &args).expect_err("another scope");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("cursor")), "{other}");
    }
}

#[cfg(feature = "modules")]
#[test]
fn a_returned_descriptor_means_the_same_scope() {
    let (_dir, workspace) = tree(&[("a/1.txt", "x"), ("a/b/2.txt", "x"), ("c/3.md", "x")]);
    let standard = |id: &str| json!({"atomId": "s", "kind": "STANDARD", "standardScopeId": id});
    for program in [
        json!({"atoms": [standard("Project Files")], "tokens": [push("s")]}),
        json!({"atoms": [{"atomId": "p", "kind": "PATTERN", "patternText": "(file:*.txt)"}],
               "tokens": [push("p"), {"op": "NOT"}]}),
        json!({"atoms": [{"atomId": "f", "kind": "FILES", "fileUrls": ["c/3.md", "a/1.txt"]}],
               "tokens": [push("f")]}),
        json!({"atoms": [{"atomId": "d", "kind": "DIRECTORY", "directoryUrl": "a",
                          "directoryWithSubdirectories": false}], "tokens": [push("d")]}),
        json!({"atoms": [directory("gone", "gone"), directory("c", "c")],
               "tokens": [push("gone"), push("c"), {"op": "AND"}],
               "strict": false, "nonStrictDefaultFailureMode": "SKIP"}),
        json!({"atoms": [{"atomId": "m", "kind": "MODULE", "moduleName": "none"}],
               "tokens": [push("m"), {"op": "NOT"}], "strict": false}),
        json!({"atoms": [standard("Current File")], "tokens": [push("s")],
               "allowUiInteractiveScopes": true, "context": {"currentFile": "a/b/2.txt"}}),
    ] {
        let resolved = call(&workspace, "scope_resolve_program", &program).expect("resolved");
        let files = |scope: &Value| {
            let found = call(&workspace, "scope_search_files", &json!({ "scope": scope }));
            let found = found.unwrap_or_else(|error| panic!("{scope}: {error}"));
            (found["matchedFilePaths"].clone(), found["scopeDisplayName"].clone())
        };
        let descriptor = &resolved["descriptor"];
        assert_eq!(files(descriptor), files(&program), "{program}");
        let again = call(&workspace, "scope_describe_program", &json!({"scope": descriptor}));
        assert_eq!(again.expect("described")["displayName"], descriptor["displayName"]);
    }
}

#[test]
fn a_deadline_returns_the_results_so_far_and_reports_it() {
    let names: Vec<String> = (0..8_000).map(|n| format!("{}/{n}", n % 40)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x\n")).collect();
    let (_dir, workspace) = tree(&files);
    for (tool, args, more) in [
        (
            "scope_search_files",
            json!({"scope": "All Places", "timeoutMillis": 60_000, "maxResults": 100_000}),
            "probablyHasMoreMatchingFiles",
        ),
        (
            "scope_search_text",
            json!({"scope": "All Places", "timeoutMillis": 60_000, "query": "x",
                   "maxUsageCount": 100_000}),
            "probablyHasMoreMatchingEntries",
        ),
    ] {
        let clock = TurnedClock::by(Duration::from_secs(1));
        let reply = clock.during(|| call(&workspace, tool, &args)).expect("a part");
        assert_eq!((&reply["timedOut"], &reply[more]), (&true.into(), &true.into()), "{tool}");
        assert_eq!(reply["canceled"], false);
    }
}

/// Generates a value for a field of an atom: right, wrong, or of another type.
fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "(a|b/c|\\.\\./x|file:///|file:a//\\*|standard:All Places|module:a:MODULE|[\\PC]{0,6})"
            .prop_map(Value::from),
        prop::collection::vec("(a/1|gone|[\\PC]{0,4})", 0..3).prop_map(Value::from),
        prop::sample::select(vec!["STANDARD", "MODULE", "FILES", "SKIP", "PUSH_ATOM", "NOT", "OR"])
            .prop_map(Value::from),
    ]
}

fn any_object(fields: &'static [&'static str]) -> impl Strategy<Value = Value> {
    prop::collection::vec((prop::sample::select(fields), any_value()), 0..5).prop_map(|fields| {
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Value>()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_scope_argument_has_a_reply_or_an_error_that_names_it(
        atoms in prop::collection::vec(
            (any_object(&["scopeRefId", "standardScopeId", "moduleName", "patternText",
                "directoryUrl", "fileUrls", "directoryWithSubdirectories", "onResolveFailure",
                "namedScopeName", "providerScopeId", "moduleFlavor", "since", "other"]),
             prop::sample::select(vec!["STANDARD", "MODULE", "NAMED_SCOPE", "PATTERN",
                "DIRECTORY", "FILES", "PROVIDER_SCOPE", "GIT_CHANGED", "ATOM"])),
            0..4,
        ),
        words in prop::collection::vec(
            prop::sample::select(vec!["AND", "OR", "NOT", "0", "1", "2", "AN"]), 0..6),
        more in any_object(&["strict", "version", "context", "displayName", "scopeShape", "x"]),
    ) {
        let (_dir, workspace) = tree(&[("a/1", "x"), ("b/c/2", "x")]);
        let atoms: Vec<Value> = atoms.into_iter().enumerate().map(|(n, (mut atom, kind))| {
            atom["atomId"] = n.to_string().into();
            atom["kind"] = kind.into();
            atom
        }).collect();
        let tokens: Vec<Value> = words.iter().map(|word| match word.parse::<u8>() {
            Ok(_) => push(word),
            Err(_) => json!({ "op": word }),
        }).collect();
        let mut scope = more;
        scope["atoms"] = atoms.into();
        scope["tokens"] = tokens.into();
        for tool in ["scope_describe_program", "scope_search_files", "find"] {
            if let Err(error) = call(&workspace, tool, &json!({ "scope": scope })) {
                let param = error.param().unwrap_or_default();
                prop_assert!(param.starts_with("scope"), "{}: {:?}", scope, error);
            }
        }
    }
}
