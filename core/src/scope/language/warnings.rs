//! Warnings about valid patterns that probably do not mean what their author intends.
//!
//! Most people know gitignore lines and shell globs, whose signs mean other things here.

use super::ast::{Leaf, Op, PackageSet, Prefix};

/// The maximum number of warnings per pattern; the rest is counted.
const WARNINGS_MAX: usize = 20;
/// The maximum length of a leaf in a warning, in characters.
const SHOWN_CHARS_MAX: usize = 120;

/// File extensions of commonly searched files that are not words of class or key names, in order.
const EXTENSIONS: &[&str] = &[
    "bash",
    "bat",
    "c",
    "cc",
    "cfg",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cxx",
    "dart",
    "ex",
    "exs",
    "go",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "html",
    "ini",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "lua",
    "m",
    "md",
    "mjs",
    "mm",
    "php",
    "pl",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sql",
    "svelte",
    "svg",
    "swift",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
];

/// Returns whether `extension` is a usual one of files and hardly a word of a name.
pub fn is_file_extension(extension: &str) -> bool {
    EXTENSIONS.binary_search(&extension).is_ok()
}

/// Returns sentences about leaves that probably mean something else than their author intends.
pub(crate) fn warnings(set: &PackageSet) -> Vec<String> {
    let mut warnings = Vec::new();
    for op in set.ops() {
        match op {
            Op::Leaf(leaf) => about_leaf(leaf, &mut warnings),
            Op::Ref(name) if name.is_empty() => {
                warnings.push("`$` alone refers to a scope without a name.".to_owned());
            }
            _ => {}
        }
    }
    if warnings.len() > WARNINGS_MAX {
        let n_more = warnings.len() - WARNINGS_MAX;
        warnings.truncate(WARNINGS_MAX);
        warnings.push(format!("There are {n_more} more warnings about this pattern."));
    }
    warnings
}

fn about_leaf(leaf: &Leaf, warnings: &mut Vec<String>) {
    let shown = shown(&leaf.text());
    let warning = if leaf.prefix.is_path() {
        about_path(leaf.prefix, leaf.match_body(), &shown)
    } else {
        about_class(&leaf.body, &shown)
    };
    warnings.extend(warning);
    warnings.extend(leaf.filter.as_ref().and_then(|filter| about_filter(leaf.prefix, filter)));
}

fn about_path(prefix: Prefix, body: &str, shown: &str) -> Option<String> {
    let prefix = prefix.text();
    if body.starts_with(' ') || body.ends_with(' ') {
        return Some(format!(
            "`{shown}` begins or ends with a blank, and the blank is part of the path: only names \
             with one match."
        ));
    }
    if body.starts_with('/') {
        return Some(format!("`{shown}` matches nothing: paths do not begin with `/`."));
    }
    if body == "*//*" {
        return Some(format!(
            "`{shown}` matches no file at the top, because it requires a `/`: `{prefix}:*/` is \
             every file."
        ));
    }
    if let Some(meant) = as_in_gitignore(prefix, body) {
        return Some(format!(
            "`**` in `{shown}` stays within one segment of the path; `//` matches any \
             directories. For any depth write `{meant}`."
        ));
    }
    if body.contains("**") {
        let any = body.replace("**", "*");
        return Some(format!(
            "`**` in `{shown}` stays within one segment of the path; `*` does not. For any depth \
             write `{prefix}:{}`.",
            self::shown(&any)
        ));
    }
    if body.ends_with('/') && !body.ends_with("*/") {
        let directory = self::shown(body.trim_end_matches('/'));
        return Some(format!(
            "`{shown}` matches no file below a directory. For everything below it write \
             `{prefix}:{directory}//*`."
        ));
    }
    None
}

/// Returns the scope pattern with gitignore's meaning of a body in which `**` is a whole segment.
fn as_in_gitignore(prefix: &str, body: &str) -> Option<String> {
    if !body.split('/').any(|segment| segment == "**") {
        return None;
    }
    let is_leading = body.starts_with("**/");
    let is_trailing = body.ends_with("/**");
    let mut meant = String::new();
    let mut is_deep = false;
    for segment in body.split('/') {
        if segment == "**" {
            is_deep = true;
            continue;
        }
        if !meant.is_empty() {
            meant.push_str(if is_deep { "//" } else { "/" });
        }
        meant.push_str(segment);
        is_deep = false;
    }
    if meant.is_empty() {
        return Some(format!("{prefix}:*/"));
    }
    if is_trailing {
        meant.push_str("//*");
    }
    let meant = shown(&meant);
    Some(match is_leading && !meant.starts_with('*') {
        true => format!("({prefix}:{meant}||{prefix}:*/{meant})"),
        false => format!("{prefix}:{meant}"),
    })
}

fn about_class(body: &str, shown: &str) -> Option<String> {
    let (before, extension) = body.rsplit_once('.')?;
    let is_lower = !extension.is_empty()
        && extension.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_glob =
        (before == "*" && is_lower) || (is_file_extension(extension) && !before.contains('.'));
    is_glob.then(|| {
        format!(
            "`{shown}` is a pattern of class names and looks like one of files. For files write \
             `file:{body}`."
        )
    })
}

fn about_filter(prefix: Prefix, filter: &str) -> Option<String> {
    let groups = filter.strip_prefix("group:")?;
    if matches!(prefix, Prefix::Ext | Prefix::Lib) {
        let text = format!("[{filter}]");
        return Some(format!(
            "Libraries have no groups: the group in `{}` is ignored.",
            shown(&text)
        ));
    }
    let (group, _) = groups.split_once(':').unwrap_or((groups, ""));
    let (_, last) = group.rsplit_once('/')?;
    let (group, last) = (shown(group), shown(last));
    Some(format!(
        "`group:{group}` matches no group: each name of a group's path is matched alone. Write \
         `group:{last}`."
    ))
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn of(text: &str) -> Vec<String> {
        warnings(&parse(text).expect(text))
    }

    #[test]
    fn probable_mistakes_have_warnings() {
        for (text, expected) in [
            ("*.js", "For files write `file:*.js`"),
            ("README.md", "For files write `file:README.md`"),
            ("test:*.kts", "For files write `file:*.kts`"),
            ("*.odd9", "For files write `file:*.odd9`"),
            ("file:/src/*", "matches nothing"),
            ("projectPath://src/*", "matches nothing"),
            ("file:a ||file:b", "`file:a ` begins or ends with a blank"),
            ("file: a", "`file: a` begins or ends with a blank"),
            ("file:src/**", "write `file:src//*`"),
            ("file:src/**/*.js", "write `file:src//*.js`"),
            ("ext:a/**/**/b/**/c", "write `ext:a//b//c`"),
            ("file:**/*.js", "write `file:*.js`"),
            ("file:**/x.js", "write `(file:x.js||file:*/x.js)`"),
            ("file:**", "write `file:*/`"),
            ("file:**/**", "write `file:*/`"),
            ("file:**.js", "write `file:*.js`"),
            ("file:*//*", "`file:*/` is every file"),
            ("file:src/", "write `file:src//*`"),
            ("file:src//", "write `file:src//*`"),
            ("file[group:a/b]:*/", "Write `group:b`"),
            ("src[group:a/b:m]:x", "Write `group:b`"),
            ("lib[group:a]:x", "Libraries have no groups"),
            ("$", "without a name"),
        ] {
            let warnings = of(text);
            assert_eq!(warnings.len(), 1, "{text}: {warnings:?}");
            assert!(warnings[0].contains(expected), "{text}: {warnings:?}");
        }
    }

    #[test]
    fn plausible_patterns_have_no_warnings() {
        for text in [
            "com.foo.*",
            "*..*",
            "*.Foo",
            "com.acme.md",
            "*Test",
            "file:*/",
            "file:src/*/",
            "file:src//*",
            "file:*.js",
            "file:a b",
            "file:src/main",
            "file[a/b]:*/",
            "src[group:a]:x",
            "projectPath:/src/*",
            "$a&&!$b",
        ] {
            assert!(of(text).is_empty(), "{text}: {:?}", of(text));
        }
    }

    #[test]
    fn warnings_are_few_and_short() {
        let many = vec!["file:/a"; 100].join("||");
        let warnings = of(&many);
        assert_eq!(warnings.len(), WARNINGS_MAX + 1);
        assert!(warnings[WARNINGS_MAX].contains("80 more"), "{warnings:?}");
        for body in ["**/", "/**", "/", "", "**"] {
            let long = format!("file:{}{body}/{}", "é".repeat(9_000), "x".repeat(9_000));
            assert!(of(&long).iter().all(|warning| warning.len() < 1_500), "{body}");
        }
        let long = format!("file[group:{}/{}]:*/", "g".repeat(9_000), "h".repeat(9_000));
        assert!(of(&long)[0].len() < 1_000);
    }
}
