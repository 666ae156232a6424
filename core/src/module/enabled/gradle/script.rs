//! Parses settings and build scripts, as far as they contain literal values.

use super::lexer::Token;
use crate::module::DependencyScope;

/// The maximum number of projects, and of dependencies, of a script.
const ENTRIES_MAX: usize = 5_000;
/// The maximum number of words of an accessor; a project is seldom more than five deep.
const WORDS_MAX: usize = 32;
/// The maximum number of tokens between two projects of one list: a comma, parentheses and ends of lines.
const BETWEEN_MAX: usize = 32;
/// Functions around a project reference that do not change which project it names.
const WRAPPERS: &[&str] =
    &["platform", "enforcedPlatform", "testFixtures", "dependencies", "create", "files"];

/// A parsed settings script.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub root_name: Option<String>,
    /// Paths such as `:lib:core`, possibly without the first colon.
    pub included: Vec<String>,
    /// Project paths and the directories assigned to them, relative to the root.
    pub dirs: Vec<(String, String)>,
    /// Statements that were not understood.
    pub problems: Vec<String>,
}

/// A dependency of a build script on a project.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needed {
    pub project: Project,
    pub scope: DependencyScope,
}

/// A reference to a project in a build script.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Project {
    /// By its path.
    Path(String),
    /// By the words after `projects.`, possibly followed by unrelated ones.
    Accessor(Vec<String>),
}

pub(super) fn settings(tokens: &[Token]) -> Settings {
    let mut settings = Settings::default();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else {
            continue;
        };
        let rest = &tokens[at + 1..];
        match word.as_str() {
            "include" if !is_below_word(tokens, at) => settings.include(rest),
            "includeFlat" => {
                settings
                    .problems
                    .push("'includeFlat' names directories outside the root and is skipped".into());
            }
            "rootProject" => {
                if let [Token::Sign('.'), name, Token::Sign('='), Token::Text(text), ..] = rest
                    && name.is_word("name")
                {
                    settings.root_name = Some(text.clone());
                }
            }
            "project" if settings.dirs.len() < ENTRIES_MAX => settings.set_dir(rest),
            _ => {}
        }
        if settings.included.len() + settings.problems.len() > ENTRIES_MAX {
            settings.problems.push(format!("more than {ENTRIES_MAX} projects"));
            break;
        }
    }
    settings
}

/// Returns whether the word at `at` is a member of something other than the settings.
fn is_below_word(tokens: &[Token], at: usize) -> bool {
    matches!(&tokens[..at], [.., owner, Token::Sign('.')] if !owner.is_word("settings"))
}

impl Settings {
    /// Parses `include(':a', ":b")` or `include ':a', ':b'`, also over several lines.
    fn include(&mut self, rest: &[Token]) {
        let is_open = matches!(rest.first(), Some(Token::Sign('(')));
        let mut takes_more = true;
        for token in &rest[usize::from(is_open)..] {
            match token {
                Token::Text(text) if takes_more => {
                    // A file path, so this is a different `include`.
                    if text.contains(['*', '/', '\\']) {
                        let shown = text.escape_debug();
                        self.problems.push(format!("'{shown}' is not a project path"));
                    } else if self.included.len() <= ENTRIES_MAX {
                        self.included.push(text.clone());
                    }
                    takes_more = false;
                }
                Token::Sign(',') => takes_more = true,
                // Lists in Kotlin and arrays in Groovy.
                Token::Sign('[' | '*') => {}
                Token::End if is_open || takes_more => {}
                Token::Template(_) | Token::Word(_) if takes_more => {
                    self.problems.push("an 'include' without a literal path".to_owned());
                    return;
                }
                _ => return,
            }
        }
    }

    /// Parses `(':x').projectDir = file('dir')`, also with `new File(settingsDir, 'dir')`.
    fn set_dir(&mut self, rest: &[Token]) {
        let [
            Token::Sign('('),
            Token::Text(path),
            Token::Sign(')'),
            Token::Sign('.'),
            name,
            Token::Sign('='),
            value @ ..,
        ] = rest
        else {
            return;
        };
        if !name.is_word("projectDir") {
            return;
        }
        let value =
            if value.first().is_some_and(|word| word.is_word("new")) { &value[1..] } else { value };
        let is_known_dir =
            |word: &str| matches!(word, "settingsDir" | "rootDir" | "rootProjectDir");
        let dir = match value {
            [Token::Word(call), Token::Sign('('), Token::Text(dir), Token::Sign(')'), ..]
                if matches!(call.as_str(), "file" | "File") =>
            {
                Some(dir.clone())
            }
            [Token::Word(call), Token::Sign('('), Token::Template(dir), Token::Sign(')'), ..]
                if matches!(call.as_str(), "file" | "File") =>
            {
                below_known_dir(dir)
            }
            [
                Token::Word(call),
                Token::Sign('('),
                Token::Word(base),
                Token::Sign(','),
                Token::Text(dir),
                Token::Sign(')'),
                ..,
            ] if call == "File" && is_known_dir(base) => Some(dir.clone()),
            [
                Token::Word(base),
                Token::Sign('.'),
                Token::Word(call),
                Token::Sign('('),
                Token::Text(dir),
                Token::Sign(')'),
                ..,
            ] if call == "resolve" && is_known_dir(base) => Some(dir.clone()),
            _ => None,
        };
        match dir {
            Some(dir) => self.dirs.push((path.clone(), dir)),
            None => {
                let shown = path.escape_debug();
                self.problems.push(format!("the directory of '{shown}' is not a literal path"));
            }
        }
    }
}

/// Returns the path after `$rootDir/` or a synonym, unless it contains another expression.
pub(super) fn below_known_dir(template: &str) -> Option<String> {
    let starts = ["$rootDir/", "${rootDir}/", "$settingsDir/", "${settingsDir}/"];
    let rest = starts.iter().find_map(|start| template.strip_prefix(start))?;
    (!rest.contains('$')).then(|| rest.to_owned())
}

/// Returns the projects that a build script depends on.
pub(super) fn needed(tokens: &[Token]) -> Vec<Needed> {
    let mut needed: Vec<Needed> = Vec::new();
    // The end and scope of the last one, for `implementation project(':a'), project(':b')`.
    let mut last: Option<(usize, DependencyScope)> = None;
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else {
            continue;
        };
        let parse = match word.as_str() {
            "project" => project_path,
            "projects" => accessor,
            _ => continue,
        };
        let follows = last.filter(|&(end, _)| {
            let between = &tokens[end.min(at)..at];
            between.len() <= BETWEEN_MAX
                && between.contains(&Token::Sign(','))
                && between.iter().all(|token| matches!(token, Token::Sign(',' | ')') | Token::End))
        });
        let scope = follows.map(|(_, scope)| scope).or_else(|| configuration(&tokens[..at]));
        let Some(scope) = scope else {
            continue;
        };
        let Some((project, n_tokens)) = parse(&tokens[at + 1..]) else {
            continue;
        };
        last = Some((at + 1 + n_tokens, scope));
        needed.push(Needed { project, scope });
        if needed.len() == ENTRIES_MAX {
            break;
        }
    }
    needed
}

/// Parses `(":x")`, `(path: ":x")` or `(path = ":x")`, and counts its tokens.
fn project_path(rest: &[Token]) -> Option<(Project, usize)> {
    let (path, n_tokens) = match rest {
        [Token::Sign('('), Token::Text(path), Token::Sign(')'), ..] => (path, 3),
        [Token::Sign('('), Token::Text(path), ..] => (path, 2),
        [Token::Sign('('), name, Token::Sign(':' | '='), Token::Text(path), ..]
            if name.is_word("path") =>
        {
            (path, 4)
        }
        _ => return None,
    };
    Some((Project::Path(path.clone()), n_tokens))
}

/// Parses `.x.y`, and counts its tokens.
fn accessor(rest: &[Token]) -> Option<(Project, usize)> {
    let words: Vec<String> = rest
        .chunks_exact(2)
        .take(WORDS_MAX)
        .map_while(|pair| match pair {
            [Token::Sign('.'), Token::Word(word)] => Some(word.clone()),
            _ => None,
        })
        .collect();
    let n_tokens = 2 * words.len();
    (!words.is_empty()).then_some((Project::Accessor(words), n_tokens))
}

/// Returns the scope of a dependency after these tokens, or `None` without a configuration.
fn configuration(before: &[Token]) -> Option<DependencyScope> {
    let word = before.iter().rev().find_map(|token| match token {
        Token::Sign('(') => None,
        Token::Word(word) if WRAPPERS.contains(&word.as_str()) => None,
        Token::Word(word) | Token::Text(word) => Some(Some(word.as_str())),
        _ => Some(None),
    });
    scope(word??)
}

fn scope(configuration: &str) -> Option<DependencyScope> {
    let ends = |names: &[&str]| {
        let lower = configuration.to_ascii_lowercase();
        names.iter().any(|name| lower.ends_with(name))
    };
    let is_test = configuration.starts_with("test") || configuration.contains("Test");
    let is_provided = ends(&[
        "compileonly",
        "compileonlyapi",
        "annotationprocessor",
        "kapt",
        "ksp",
        "providedcompile",
    ]);
    let is_known = ends(&["api", "implementation", "compile", "runtime", "runtimeonly"]);
    match () {
        () if !is_provided && !is_known => None,
        () if is_test => Some(DependencyScope::Test),
        () if is_provided => Some(DependencyScope::Provided),
        () if ends(&["runtimeonly", "runtime"]) => Some(DependencyScope::Runtime),
        () => Some(DependencyScope::Compile),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;
    use proptest::prelude::*;

    fn included(script: &str) -> Vec<String> {
        settings(&tokens(script, false)).included
    }

    #[test]
    fn includes() {
        for (script, expected) in [
            ("include ':a'", &[":a"][..]),
            ("include ':a', \":b\"\ninclude 'c'", &[":a", ":b", "c"]),
            ("include ':a',\n  ':b' // no ':x'\n':c'", &[":a", ":b"]),
            (
                "include(':a',\n\":b:c\",\n)\ninclude(':d'); include ':e'",
                &[":a", ":b:c", ":d", ":e"],
            ),
            ("include(\n  ':a'\n)", &[":a"]),
            ("include([':a', ':b'] as String[])", &[":a", ":b"]),
            ("settings.include(':a')", &[":a"]),
            ("// include ':a'\n/* include ':b' */ \"include ':c'\"", &[]),
            ("includeBuild 'x'", &[]),
            ("spec.include('a')", &[]),
            ("include name", &[]),
            ("include \"$x\", ':a'", &[]),
            ("fileTree('.') { include '**/x.gradle' }", &[]),
        ] {
            assert_eq!(included(script), expected, "{script}");
        }
        assert_eq!(settings(&tokens("include name", false)).problems.len(), 1);
    }

    #[test]
    fn directories() {
        for (value, expected) in [
            ("file('d')", Some("d")),
            ("file(\"$rootDir/d/e\")", Some("d/e")),
            ("file(\"${settingsDir}/d\")", Some("d")),
            ("new File(settingsDir, 'd')", Some("d")),
            ("File(rootDir, \"d\")", Some("d")),
            ("rootDir.resolve(\"d\")", Some("d")),
            ("file(\"$other/d\")", None),
            ("file(\"$rootDir/$x\")", None),
            ("somewhere", None),
        ] {
            let script = format!("project(':x').projectDir = {value}\n");
            let settings = settings(&tokens(&script, false));
            let found = settings.dirs.first().map(|(path, dir)| (path.as_str(), dir.as_str()));
            assert_eq!(found, expected.map(|dir| (":x", dir)), "{script}");
            assert_eq!(settings.problems.len(), usize::from(expected.is_none()), "{script}");
        }
        let name = settings(&tokens("rootProject.name = \"top\"", true)).root_name;
        assert_eq!(name.as_deref(), Some("top"));
    }

    fn shown(script: &str) -> String {
        let one = |needed: &Needed| {
            let project = match &needed.project {
                Project::Path(path) => path.clone(),
                Project::Accessor(words) => words.join("."),
            };
            format!("{project} {:?}", needed.scope)
        };
        needed(&tokens(script, false)).iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn dependencies() {
        for (script, expected) in [
            ("api(project(\":a\"))", ":a Compile"),
            ("implementation project(':a')", ":a Compile"),
            ("implementation project(':a'), project(':b')", ":a Compile, :b Compile"),
            ("testImplementation(project(':a')),\nproject(':b')", ":a Test, :b Test"),
            ("implementation(project(path: ':a', configuration: 'x'))", ":a Compile"),
            ("implementation(project(path = \":a\"))", ":a Compile"),
            ("implementation platform(project(':a'))", ":a Compile"),
            ("androidTestImplementation(testFixtures(project(':a')))", ":a Test"),
            ("commonTestImplementation project(':a')", ":a Test"),
            ("compileOnly project(':a')\nksp(project(':b'))", ":a Provided, :b Provided"),
            ("runtimeOnly(project(':a'))", ":a Runtime"),
            ("\"debugApi\"(project(':a'))", ":a Compile"),
            ("api(projects.core.util)", "core.util Compile"),
            ("evaluationDependsOn(':a'); dependsOn(project(':a').tasks)", ""),
            ("project(':a') { implementation 'x' }", ""),
            ("// api(project(':a'))\n'api(project(\":b\"))'", ""),
            ("implementation(project)", ""),
        ] {
            assert_eq!(shown(script), expected, "{script}");
        }
    }

    proptest! {
        #[test]
        fn any_script_is_handled(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("include"), Just("("), Just(")"), Just("'a'"), Just(","), Just("\n"),
                    Just("project"), Just("."), Just("projectDir"), Just("="), Just("file"),
                    Just("projects"), Just("api"), Just("rootProject"), Just("name"), Just("new"),
                    Just("\"$x\""), Just("["),
                ],
                0..40,
            )
        ) {
            let tokens = tokens(&words.join(" "), false);
            prop_assert!(settings(&tokens).included.len() <= words.len());
            prop_assert!(needed(&tokens).len() <= words.len());
        }
    }
}
