//! Reports from where the path of a `file:` pattern is matched: a content root, or the project's root.
//!
//! Most surprises with path patterns are a literal directory that exists, but not below the root from which
//! the pattern is matched. The literal start of a pattern is therefore compared with the tree when the
//! pattern is resolved: a few stats per pattern, and no walk.

use crate::budget::{Budget, Stopped};
use crate::scope::compiled::Regions;
use crate::scope::language::{Leaf, Prefix};
use crate::suggest::shorten;
use crate::workspace::{RelPath, Workspace, is_plain_name};

/// The maximum number of paths examined for all patterns of a scope.
const STATS_MAX: usize = 2_000;
/// The maximum number of patterns examined.
const LEAVES_MAX: usize = 1_000;

/// The paths that may still be examined.
pub(super) struct Anchors {
    stats_left: usize,
    leaves_left: usize,
}

impl Default for Anchors {
    fn default() -> Anchors {
        Anchors { stats_left: STATS_MAX, leaves_left: LEAVES_MAX }
    }
}

/// The innermost content root above a path, other than the project's root.
struct Home<'a> {
    root: RelPath,
    module: &'a str,
    /// Whether the module filter selects it.
    passes: bool,
}

impl Anchors {
    /// Returns a sentence about a `file:` pattern whose literal start exists below the project's root and
    /// belongs to a content root of its own; `None` if nothing about it may surprise.
    ///
    /// `passing` contains for each module whether the filter of the pattern selects it.
    pub(super) fn about(
        &mut self,
        leaf: &Leaf,
        passing: Option<&[bool]>,
        regions: &Regions,
        workspace: &Workspace,
        budget: &Budget,
    ) -> Result<Option<String>, Stopped> {
        if leaf.prefix != Prefix::File || self.leaves_left == 0 {
            return Ok(None);
        }
        self.leaves_left -= 1;
        let Some(start) = literal_start(&leaf.body) else { return Ok(None) };
        let path = RelPath::from_components(start.split('/').map(str::as_bytes));
        let home = home_of(regions, &path, passing);
        let is_parent = regions.has_content_below(&path);
        if home.is_none() && !is_parent || !self.exists(workspace, &path) {
            return Ok(None);
        }
        let pattern = shorten(&leaf.text());
        let below = self.content_with(&path, passing, regions, workspace, budget)?;
        if regions.modules.is_of_ide {
            return Ok(below.is_none().then(|| match &home {
                Some(home) => of_ide(leaf, &pattern, home),
                None => format!(
                    "`{pattern}` does not match the files of the modules below `{}`: their paths \
                     begin at their own content roots. Write `projectPath:{}`.",
                    path.display(),
                    shorten(&leaf.body)
                ),
            }));
        }
        Ok(Some(match (home, below) {
            (Some(home), below) if !home.passes => {
                if below.is_some() {
                    return Ok(None);
                }
                let written = from_content(leaf, &home);
                format!(
                    "`{pattern}` matches nothing: `{}` belongs to the module '{}', which the \
                     filter does not select.{}",
                    path.display(),
                    home.module,
                    write(written, leaf)
                )
            }
            (_, Some((root, module))) => format!(
                "`{pattern}` is matched from the project's root and from content roots, such as \
                 `{}` of the module '{module}'.",
                root.display()
            ),
            (Some(home), None) => {
                let from = format!("`{pattern}` is matched from the project's root");
                match from_content(leaf, &home) {
                    Some(written) => format!(
                        "{from}; from the content root `{}` it is `{}`.",
                        home.root.display(),
                        shorten(&written)
                    ),
                    None => format!("{from}."),
                }
            }
            (None, None) => format!("`{pattern}` is matched from the project's root."),
        }))
    }

    /// Returns whether `path` exists. Denied paths and those that exceed the limit do not.
    fn exists(&mut self, workspace: &Workspace, path: &RelPath) -> bool {
        if self.stats_left == 0 {
            return false;
        }
        self.stats_left -= 1;
        workspace.refuse_denied(path).is_ok() && workspace.fs().stat(path, false).is_ok()
    }

    /// Returns the first content root below the project's root that contains `path`, with its module.
    fn content_with<'r>(
        &mut self,
        path: &RelPath,
        passing: Option<&[bool]>,
        regions: &'r Regions,
        workspace: &Workspace,
        budget: &Budget,
    ) -> Result<Option<(&'r RelPath, &'r str)>, Stopped> {
        for (index, module) in regions.modules.modules.iter().enumerate() {
            budget.poll()?;
            if passing.is_some_and(|passing| passing.get(index) != Some(&true)) {
                continue;
            }
            for content in module.content.iter().filter(|content| !content.path.is_root()) {
                let names = content.path.components().chain(path.components());
                if self.exists(workspace, &RelPath::from_components(names)) {
                    return Ok(Some((&content.path, &module.name)));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the warning about a pattern that misses the content root of an IDE's module.
fn of_ide(leaf: &Leaf, pattern: &str, home: &Home<'_>) -> String {
    format!(
        "`{pattern}` matches nothing: the paths of the module '{}' begin at its content root `{}`.{}",
        home.module,
        home.root.display(),
        write(from_content(leaf, home), leaf)
    )
}

/// Returns the advice to write a pattern from a content root, or else from the project's root.
fn write(from_content: Option<String>, leaf: &Leaf) -> String {
    let written = from_content.unwrap_or_else(|| format!("projectPath:{}", leaf.body));
    format!(" Write `{}`.", shorten(&written))
}

/// Returns the innermost content root at or above `path`; `None` if it is the project's root.
fn home_of<'r>(regions: &'r Regions, path: &RelPath, passing: Option<&[bool]>) -> Option<Home<'r>> {
    let mut above = std::iter::successors(Some(path.clone()), RelPath::parent);
    let (root, content) = above.find_map(|dir| {
        let content = regions.content_at(&dir)?;
        Some((dir, content))
    })?;
    let passes = |module: &u32| passing.is_none_or(|all| all.get(*module as usize) == Some(&true));
    // A source set comes after the project that contains it.
    let module = *content.modules.last()? as usize;
    let module = regions.modules.modules[module].name.as_str();
    let passes = content.modules.iter().any(passes);
    (!root.is_root()).then_some(Home { root, module, passes })
}

/// Returns the segments of a path body before the first one with a wildcard, if a path can have them.
fn literal_start(body: &str) -> Option<&str> {
    let is_literal = |name: &&str| !name.is_empty() && !name.contains('*');
    let len: usize = body.split('/').take_while(is_literal).map(|name| name.len() + 1).sum();
    let start = &body[..len.checked_sub(1)?];
    start.split('/').all(|name| is_plain_name(name.as_bytes())).then_some(start)
}

/// Returns the pattern with the same meaning that is matched from a content root; `None` if there is no
/// simple one.
fn from_content(leaf: &Leaf, home: &Home<'_>) -> Option<String> {
    let root = std::str::from_utf8(home.root.as_bytes()).ok()?;
    let rest = leaf.body.strip_prefix(root)?;
    let body = match rest.strip_prefix("//") {
        Some("*") => "*/",
        Some(any) if any.starts_with('*') => any,
        Some(_) => return None,
        None => rest.strip_prefix('/').filter(|rest| !rest.is_empty())?,
    };
    let is_valid = !home.module.is_empty() && !home.module.contains(']');
    is_valid.then(|| format!("file[{}]:{body}", home.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_starts() {
        for (body, expected) in [
            ("packages/a/src//*", Some("packages/a/src")),
            ("a/b.txt", Some("a/b.txt")),
            ("src/", Some("src")),
            ("src/x*/y", Some("src")),
            ("*/src", None),
            ("/src", None),
            ("a/../b/*", None),
            ("a\0b/*", None),
            ("日本/*", Some("日本")),
        ] {
            assert_eq!(literal_start(body), expected, "{body}");
        }
    }

    #[test]
    fn patterns_from_a_content_root() {
        let of = |body: &str| {
            let root = RelPath::of_bytes(b"packages/a");
            let home = Home { root, module: "m", passes: true };
            let leaf = Leaf { prefix: Prefix::File, filter: None, body: body.to_owned() };
            from_content(&leaf, &home)
        };
        for (body, expected) in [
            ("packages/a/src//*", Some("file[m]:src//*")),
            ("packages/a//*", Some("file[m]:*/")),
            ("packages/a//*.js", Some("file[m]:*.js")),
            ("packages/a/*", Some("file[m]:*")),
            ("packages/a//src/*", None),
            ("packages/a/", None),
            ("packages/a", None),
        ] {
            assert_eq!(of(body).as_deref(), expected, "{body}");
        }
    }
}
