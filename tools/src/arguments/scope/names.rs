//! The names of scopes that a text of the argument `scope` may have: short ones, and the nearest ones to a
//! mistyped name.

use crate::arguments::scope::is_module_alone;
use searchscope::toolkit::{ErrorExt, suggest::question, suggest::shorten, suggest::similar};
use searchscope::{
    AtomKind, Call, CatalogItem, CatalogRequest, Error, ErrorKind, ModuleFlavor, Result,
    ScopeContext, Workspace,
};
use std::collections::HashMap;

/// Words for the most frequent scopes, and the scope of each.
pub(crate) const WORDS: &[(&str, &str)] = &[
    ("production", "Project Production Files"),
    ("tests", "Project Test Files"),
    ("changed", "git:changed"),
];
/// The word for all libraries, and its pattern: no standard scope consists of libraries alone.
pub(crate) const LIBRARIES: (&str, &str) = ("libraries", "ext:*/");
/// Words that begin a pattern, before `:` or `[`.
pub(crate) const PATTERN_WORDS: &[&str] =
    &["file", "ext", "projectPath", "src", "test", "lib", "problem"];
/// Other words before a colon.
const OTHER_WORDS: &[&str] =
    &["directory", "files", "git", "module", "named", "pattern", "provider", "standard"];
/// Minimum similarity of a suggested name.
const SIMILAR: f64 = 0.8;
/// Maximum number of suggestions.
const SUGGESTIONS_MAX: usize = 3;

const FORMS: &str = "give 'production', 'tests', 'libraries', 'module:NAME' or 'directory:src', a \
    scopeRefId of scope_list_catalog, the id of a standard scope such as 'Project Files', a pattern \
    such as 'file:src//*', or an object with atoms and tokens";

/// Returns the shortest text of the argument `scope` for each scope of a catalog, in its order but the words
/// first; `production` and `tests` are always among them.
///
/// Scopes of a user's view, the predefined ones among the named scopes, which repeat standard scopes, and the
/// flavors of a module other than the module itself have no short name.
pub fn short_scope_names(items: &[CatalogItem]) -> Vec<String> {
    named(items).into_iter().map(|(name, _)| name).collect()
}

/// Returns the short names, each with its item if the catalog has one.
fn named(items: &[CatalogItem]) -> Vec<(String, Option<&CatalogItem>)> {
    let mut holders: HashMap<&str, usize> = HashMap::new();
    for name in items.iter().filter_map(|item| item.named_scope_name.as_deref()) {
        *holders.entry(name).or_default() += 1;
    }
    let mut words: Vec<_> = WORDS.iter().map(|(word, _)| ((*word).to_owned(), None)).collect();
    let mut others = Vec::new();
    for item in items {
        let Some(name) = short_name(item, &holders) else { continue };
        match words.iter_mut().find(|(word, _)| *word == name) {
            Some(word) => word.1 = Some(item),
            None => others.push((name, Some(item))),
        }
    }
    // Any tree has production code and tests, but not every one is a repository.
    words.retain(|(word, item)| word != "changed" || item.is_some());
    words.extend(others);
    words
}

fn short_name(item: &CatalogItem, holders: &HashMap<&str, usize>) -> Option<String> {
    let id = &item.scope_ref_id;
    match item.kind {
        AtomKind::Standard | AtomKind::GitChanged => {
            let name = id.strip_prefix("standard:").unwrap_or(id);
            let word = WORDS.iter().find(|(_, known)| *known == name);
            // An id that ends with a colon lacks a revision.
            (!id.ends_with(':')).then(|| word.map_or(name, |(word, _)| *word).to_owned())
        }
        AtomKind::Module if item.module_flavor == Some(ModuleFlavor::Module) => {
            let name = item.module_name.as_deref().filter(|name| is_module_alone(name));
            Some(name.map_or(id.clone(), |name| format!("module:{name}")))
        }
        AtomKind::NamedScope if !item.is_predefined => {
            let name = item.named_scope_name.as_deref()?;
            let is_only = holders.get(name) == Some(&1);
            Some(if is_only { format!("named:{name}") } else { id.clone() })
        }
        _ => None,
    }
}

/// Returns the error for a text in none of the forms, with suggestions from the catalog.
pub(crate) fn unknown(
    workspace: &Workspace,
    text: &str,
    context: &ScopeContext,
    call: &Call,
) -> Result<Error> {
    let request = CatalogRequest { context: context.clone(), ..CatalogRequest::default() };
    // If the catalog takes too long, there are no suggestions.
    let items = match workspace.scope_catalog(&request, call) {
        Ok(catalog) => catalog.items,
        Err(error) if error.kind() == ErrorKind::Timeout => Vec::new(),
        Err(error) => return Err(error),
    };
    let shown = shorten(text);
    let near = corrected(text).map_or_else(|| nearest(&shown, &items), |pattern| vec![pattern]);
    let hint = question(&near);
    let predicate = format!("names no scope: {shown:?}; {hint}{FORMS}");
    Ok(Error::invalid_param("scope", predicate))
}

/// Returns the pattern that a text with a mistyped prefix means.
fn corrected(text: &str) -> Option<String> {
    let end = text.find([':', '[']).filter(|end| *end > 0)?;
    let (word, rest) = text.split_at(end);
    let known = [PATTERN_WORDS, OTHER_WORDS].concat();
    let near = *known.get(*similar(word, &known, SIMILAR).first()?)?;
    PATTERN_WORDS.contains(&near).then(|| shorten(&format!("{near}{rest}")))
}

/// Returns the short names nearest to a text, which may also resemble an id or the name in an IDE.
fn nearest(text: &str, items: &[CatalogItem]) -> Vec<String> {
    let names = named(items);
    let mut known: Vec<(&str, &str)> = vec![(LIBRARIES.0, LIBRARIES.0)];
    for (name, item) in &names {
        known.push((name, name));
        known.extend(name.split_once(':').map(|(_, own)| (own, name.as_str())));
        known.extend(item.iter().flat_map(|item| {
            [(item.display_name.as_str(), name.as_str()), (item.scope_ref_id.as_str(), name)]
        }));
    }
    let texts: Vec<&str> = known.iter().map(|(text, _)| *text).collect();
    let mut near: Vec<String> = Vec::new();
    for n in similar(text, &texts, SIMILAR) {
        if near.len() < SUGGESTIONS_MAX && !near.iter().any(|name| name == known[n].1) {
            near.push(known[n].1.to_owned());
        }
    }
    near
}

#[cfg(all(test, feature = "modules"))]
mod tests {
    use super::*;
    use crate::call::CallTools;
    use crate::tests::trees::tree;

    fn stored(name: &str) -> String {
        format!(
            "<component name=\"DependencyValidationManager\"><scope name=\"{name}\" \
             pattern=\"file:*/\"/></component>"
        )
    }

    #[test]
    fn each_scope_has_a_short_name_that_resolves() {
        let local = "<project><component name=\"NamedScopeManager\">\
                     <scope name=\"both\" pattern=\"file:*/\"/></component></project>";
        let dir = tree(&[
            (".git/HEAD", ""),
            (".idea/scopes/a.xml", &*stored("both")),
            (".idea/scopes/b.xml", &stored("Web sources")),
            (".idea/scopes/c.xml", &stored("block:hero")),
            (".idea/scopes/d.xml", &stored("Tests")),
            (".idea/workspace.xml", local),
            ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let call = Call::new();
        let catalog = workspace.scope_catalog(&CatalogRequest::default(), &call).expect("listed");
        let names = short_scope_names(&catalog.items);
        assert_eq!(names[..4], ["production", "tests", "changed", "All Places"], "{names:?}");
        for name in ["named:Web sources", "named:block:hero", "named:Tests", "module:m"] {
            assert!(names.iter().any(|listed| listed == name), "{name}: {names:?}");
        }
        let both: Vec<_> = names.iter().filter(|name| name.ends_with("both")).collect();
        assert_eq!(both.len(), 2, "{both:?}");
        for name in names.iter().filter(|name| *name != "changed") {
            let args = format!("{{\"scope\": {name:?}}}");
            let reply = workspace.call("find", args.as_bytes(), &call);
            let is_of_view = reply.as_ref().is_err_and(|error| {
                error.code() == "invalid_param" && error.message().contains("context.")
                    || error.message().contains("depends on the user")
            });
            assert!(reply.is_ok() || is_of_view, "{name}: {reply:?}");
        }
    }

    #[test]
    fn near_names_are_short() {
        let dir = tree(&[
            (".idea/scopes/b.xml", &*stored("Web sources")),
            ("a/Cargo.toml", "[package]\nname = \"core\"\n"),
            ("b/Cargo.toml", "[package]\nname = \"core-net\"\n"),
        ]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        for (text, expected) in [
            ("prodction", "did you mean 'production'? give"),
            ("Tets", "did you mean 'tests'? give"),
            ("librarys", "did you mean 'libraries'? give"),
            ("core", "did you mean 'module:core' or 'module:core-net'? give"),
            ("modul:core-nt", "did you mean 'module:core-net' or 'module:core'? give"),
            ("web source", "did you mean 'named:Web sources'? give"),
            ("project files", "did you mean 'Project Files' or"),
            ("fil:src//*", "did you mean 'file:src//*'? give"),
            ("file [core]:a", "did you mean 'file[core]:a'? give"),
            ("files", "; give"),
            ("qqq", "\"qqq\"; give"),
        ] {
            let error = unknown(&workspace, text, &ScopeContext::default(), &Call::new());
            let error = error.expect(text);
            assert!(error.message().contains(expected), "{text}: {}", error.message());
        }
    }
}
