//! The source directories that a build script assigns to source sets, in Groovy and in Kotlin.
//!
//! Both languages nest blocks and chain names: `sourceSets { main { java.srcDir 'a' } }` and
//! `sourceSets["main"].java.srcDir("a")` mean the same. One pass keeps the names before each open brace; the
//! names around a call of `srcDir` then contain the source set after the word `sourceSets`, whichever way they
//! were written.

use super::lexer::Token;
use super::script::below_known_dir;

/// The maximum number of directories of a script.
const DIRS_MAX: usize = 2_000;
/// The maximum depth of blocks. Deeper ones are counted and not read.
const DEPTH_MAX: usize = 32;
/// The maximum number of names before a brace or a call; the first ones are kept.
const NAMES_MAX: usize = 16;
/// The maximum number of tokens of one list of directories.
const LIST_TOKENS_MAX: usize = 1_000;
/// Words around the name of a source set that do not name anything.
const CONNECTORS: &[&str] = &[
    "all",
    "apply",
    "by",
    "configure",
    "create",
    "creating",
    "get",
    "getByName",
    "getting",
    "maybeCreate",
    "named",
    "register",
    "registering",
    "val",
    "with",
];

/// A directory of a source set.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SourceDir {
    pub set: String,
    /// The path relative to the project's directory, or to the root of the build.
    pub path: String,
    pub is_from_root: bool,
    /// Whether the sources are the directories in it, as Android's `setRoot` says.
    pub contains_roots: bool,
}

/// The names before an open brace.
type Names<'t> = Vec<&'t str>;

/// Returns the directories that a build script adds to its source sets. Others than literal paths are left
/// out.
pub(super) fn source_dirs(tokens: &[Token]) -> Vec<SourceDir> {
    let mut found = Vec::new();
    let mut blocks: Vec<Names<'_>> = Vec::new();
    let mut n_deeper = 0_usize;
    let mut names = Names::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('{') if blocks.len() < DEPTH_MAX => {
                blocks.push(std::mem::take(&mut names));
            }
            Token::Sign('{') => n_deeper += 1,
            Token::Sign('}') if n_deeper > 0 => n_deeper -= 1,
            Token::Sign('}') => {
                blocks.pop();
                names.clear();
            }
            // A brace may follow on the next line only in Kotlin's and Groovy's rarest styles.
            Token::End | Token::Sign(';') => names.clear(),
            Token::Word(word) => {
                let is_root = word == "setRoot";
                if is_root || matches!(word.as_str(), "srcDir" | "srcDirs" | "setSrcDirs") {
                    if let Some(set) = set_of(&blocks, &names) {
                        let paths = paths(&tokens[at + 1..]);
                        found.extend(paths.into_iter().map(|(path, is_from_root)| SourceDir {
                            set: set.to_owned(),
                            path,
                            is_from_root,
                            contains_roots: is_root,
                        }));
                    }
                    if found.len() >= DIRS_MAX {
                        found.truncate(DIRS_MAX);
                        return found;
                    }
                } else if names.len() < NAMES_MAX && !CONNECTORS.contains(&word.as_str()) {
                    names.push(word);
                }
            }
            Token::Text(text) if names.len() < NAMES_MAX => names.push(text),
            _ => {}
        }
    }
    found
}

/// Returns the name after the last `sourceSets` of the blocks and the statement.
fn set_of<'t>(blocks: &[Names<'t>], names: &[&'t str]) -> Option<&'t str> {
    let all = || blocks.iter().flatten().chain(names).copied();
    let last = all().enumerate().filter(|(_, name)| *name == "sourceSets").last()?.0;
    let set = all().nth(last + 1)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    (!set.is_empty() && set.len() <= 200 && set.chars().all(is_name)).then_some(set)
}

/// Returns the literal paths of a call or an assignment, and whether each is relative to the build's root.
/// It ends with the line, unless a bracket is open or a comma precedes the line end.
fn paths(rest: &[Token]) -> Vec<(String, bool)> {
    let mut paths = Vec::new();
    let mut n_open = 0_usize;
    let mut is_root = false;
    let mut is_built = false;
    let mut before = None;
    for token in rest.iter().take(LIST_TOKENS_MAX) {
        match token {
            Token::Sign('(' | '[') => n_open += 1,
            Token::Sign(')' | ']') if n_open == 0 => break,
            Token::Sign(')' | ']') => n_open -= 1,
            Token::Sign('{' | '}' | ';') => break,
            Token::End if n_open == 0 && before != Some(&Token::Sign(',')) => break,
            // In `File(rootDir, 'a')` the word applies to the text after the comma.
            Token::Sign(',') if matches!(before, Some(Token::Word(_))) => {}
            Token::Sign(',') => (is_root, is_built) = (false, false),
            Token::Word(word) => match word.as_str() {
                "rootDir" | "rootProject" => is_root = true,
                "buildDir" | "buildDirectory" => is_built = true,
                // Another call, whose paths it adds itself.
                "srcDir" | "srcDirs" | "setSrcDirs" | "setRoot" => break,
                _ => {}
            },
            // Generated by the build, and in no checkout.
            Token::Text(_) | Token::Template(_) if is_built => {}
            Token::Text(path) => paths.push((path.clone(), is_root)),
            Token::Template(path) => {
                let own = ["$projectDir/", "${projectDir}/"];
                let own = own.iter().find_map(|start| path.strip_prefix(start));
                let own = own.filter(|path| !path.contains('$'));
                let root = || below_known_dir(path).map(|path| (path, true));
                paths.extend(own.map(|path| (path.to_owned(), false)).or_else(root));
            }
            _ => {}
        }
        before = Some(token);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;
    use proptest::prelude::*;

    fn shown(script: &str, is_kotlin: bool) -> String {
        let one = |dir: SourceDir| {
            let root = if dir.is_from_root { "/" } else { "" };
            let all = if dir.contains_roots { "/*" } else { "" };
            format!("{}={root}{}{all}", dir.set, dir.path)
        };
        let dirs = source_dirs(&tokens(script, is_kotlin)).into_iter().map(one);
        dirs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn groovy() {
        for (script, expected) in [
            ("sourceSets { main { java { srcDirs = ['a', 'b'] } } }", "main=a main=b"),
            ("sourceSets {\n  main {\n    java {\n      srcDir 'a'\n    }\n  }\n}", "main=a"),
            ("sourceSets { main.java.srcDirs += ['a'] }", "main=a"),
            ("sourceSets.main.java.srcDirs = [\n 'a',\n 'b'\n]\nx = ['c']", "main=a main=b"),
            ("sourceSets.main.java.srcDir('a')", "main=a"),
            (
                "sourceSets { test { java.srcDirs 'a', 'b' \n resources.srcDir \"c\" } }",
                "test=a test=b test=c",
            ),
            ("sourceSets { main { java.srcDirs = files('a', 'b') } }", "main=a main=b"),
            ("android { sourceSets { main { java.srcDirs = ['a'] } } }", "main=a"),
            ("android.sourceSets { androidTest.setRoot('tests') }", "androidTest=tests/*"),
            ("android.sourceSets.main { kotlin.setSrcDirs(['a']) }", "main=a"),
            (
                "sourceSets { main { java { srcDir \"$rootDir/s\"; srcDir \"${x}/s\" } } }",
                "main=/s",
            ),
            ("sourceSets { main.java.srcDir file(\"$projectDir/g\") }", "main=g"),
            (
                "sourceSets { integ {\n java.srcDir file('a')\n }\n main { java.srcDir 'b' } }",
                "integ=a main=b",
            ),
            ("srcDir 'a'; main { java.srcDir 'a' }", ""),
            ("sourceSets { main { java.srcDir \"$buildDir/a\" } }", ""),
            ("sourceSets.main.java.srcDirs = [new File(rootDir, 'a'), 'b']", "main=/a main=b"),
            ("sourceSets { main { java.srcDir new File(buildDir, 'a') } }", ""),
        ] {
            assert_eq!(shown(script, false), expected, "{script}");
        }
    }

    #[test]
    fn kotlin() {
        for (script, expected) in [
            ("sourceSets { main { java { srcDir(\"a\") } } }", "main=a"),
            ("sourceSets { named(\"main\") { java.srcDir(\"a\") } }", "main=a"),
            ("sourceSets[\"main\"].java.srcDirs(\"a\", \"b\")", "main=a main=b"),
            ("java.sourceSets[\"main\"].java {\n srcDir(\"a\")\n}", "main=a"),
            ("sourceSets.getByName(\"main\").java.setSrcDirs(listOf(\"a\"))", "main=a"),
            ("sourceSets.main.get().java.srcDir(\"a\")", "main=a"),
            ("sourceSets { create(\"integ\") { java.srcDir(file(\"a\")) } }", "integ=a"),
            ("sourceSets { val jvmMain by getting { kotlin.srcDir(\"a\") } }", "jvmMain=a"),
            ("kotlin { sourceSets { commonMain { kotlin.srcDirs(\"a\") } } }", "commonMain=a"),
            ("kotlin.sourceSets.main { kotlin.srcDir(\"a\") }", "main=a"),
            ("sourceSets { main { java.srcDir(rootDir.resolve(\"a\")) } }", "main=/a"),
            ("sourceSets { main { java.srcDir(layout.projectDirectory.dir(\"a\")) } }", "main=a"),
            ("sourceSets { main { java.srcDir(layout.buildDirectory.dir(\"a\")) } }", ""),
            ("sourceSets { main { kotlin.srcDir(tasks.x.map { \"a\" }) } }", ""),
        ] {
            assert_eq!(shown(script, true), expected, "{script}");
        }
    }

    #[test]
    fn scripts_are_read_within_limits() {
        let many = "sourceSets.main.java.srcDir('a')\n".repeat(DIRS_MAX + 10);
        assert_eq!(source_dirs(&tokens(&many, false)).len(), DIRS_MAX);
        let deep = format!("sourceSets {{ main {}", "{ java.srcDir 'a'\n".repeat(50_000));
        assert!(source_dirs(&tokens(&deep, false)).len() <= DIRS_MAX);
        let open = "sourceSets.main.java.srcDir(".repeat(20_000);
        assert_eq!(source_dirs(&tokens(&open, false)), []);
    }

    proptest! {
        #[test]
        fn any_script_is_handled(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("sourceSets"), Just("main"), Just("{"), Just("}"), Just("("), Just(")"),
                    Just("'a'"), Just("["), Just("]"), Just("srcDir"), Just("setRoot"), Just("="),
                    Just("."), Just("\n"), Just(";"), Just(","), Just("rootDir"),
                ],
                0..60,
            )
        ) {
            prop_assert!(source_dirs(&tokens(&words.join(" "), false)).len() <= 60 * 60);
        }
    }
}
