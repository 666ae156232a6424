//! URLs in IDE files: `file://` or `jar://`, then a path that may begin with a macro.
//!
//! They are not percent-encoded: `%2e` is literal.

use super::reader::ManifestReader;
use crate::workspace::RelPath;

/// The directories of path macros.
pub(super) struct Macros {
    /// The value of `$MODULE_DIR$` in an `.iml` file.
    module_dir: Option<RelPath>,
}

impl Macros {
    /// Returns the macros of project files.
    pub(super) fn of_project() -> Macros {
        Macros { module_dir: None }
    }

    /// Returns the macros of the `.iml` file at `path`. In `.idea` the module directory is the one above.
    pub(super) fn of_module(path: &RelPath) -> Macros {
        let dir = path.parent().unwrap_or_default();
        let is_idea = dir.file_name() == b".idea";
        let dir = if is_idea { dir.parent().unwrap_or_default() } else { dir };
        Macros { module_dir: Some(dir) }
    }

    /// Resolves a URL to a file or directory; `None` if it is outside the root or unknown. A path inside an
    /// archive resolves to the archive.
    pub(super) fn resolve(&self, reader: &ManifestReader<'_>, url: &str) -> Option<RelPath> {
        if let Some(path) = url.strip_prefix("file://") {
            return self.resolve_path(reader, path);
        }
        let path = url.strip_prefix("jar://")?;
        self.resolve_path(reader, path.split_once("!/").map_or(path, |(archive, _)| archive))
    }

    /// Like [`Macros::resolve`], for a path with macros.
    pub(super) fn resolve_path(&self, reader: &ManifestReader<'_>, path: &str) -> Option<RelPath> {
        let below = |dir: &RelPath, rest: &str| {
            let rest = rest.strip_prefix('/').or_else(|| rest.is_empty().then_some(""))?;
            // A second `/` does not make the path absolute.
            reader.resolve(dir, rest.trim_start_matches('/'))
        };
        if let Some(rest) = path.strip_prefix("$PROJECT_DIR$") {
            return below(&RelPath::root(), rest);
        }
        if let Some(rest) = path.strip_prefix("$MODULE_DIR$") {
            return below(self.module_dir.as_ref()?, rest);
        }
        // The path is relative to an unknown directory or contains another macro.
        let is_absolute = std::path::Path::new(path).has_root() && !path.contains('$');
        if is_absolute { reader.workspace.resolve_in_tree(path) } else { None }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::call::Call;
    use crate::tests::tree;
    use crate::workspace::Workspace;

    #[test]
    fn urls() {
        let dir = tree(&[("a/x.iml", "")]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let budget = Budget::of(&Call::new());
        let reader = ManifestReader::new(&workspace, &budget);
        let root = workspace.root().to_str().expect("text");
        let iml = |path: &str| Macros::of_module(&RelPath::of_bytes(path.as_bytes()));
        let (module, idea) = (iml("a/x.iml"), iml(".idea/x.iml"));
        let (gradle, top) = (iml(".idea/modules/x.iml"), iml("x.iml"));
        let project = Macros::of_project();
        let inside = format!("file://{root}/in/../b");
        let beside = format!("file://{root}-evil/b");
        for (macros, url, expected) in [
            (&project, "file://$PROJECT_DIR$", Some(".")),
            (&project, "file://$PROJECT_DIR$/", Some(".")),
            (&project, "file://$PROJECT_DIR$//b", Some("b")),
            (&project, "file://$PROJECT_DIR$/a/../b", Some("b")),
            (&project, "file://$PROJECT_DIR$/..", None),
            (&project, "file://$PROJECT_DIR$x", None),
            (&project, "file://$PROJECT_DIR$/%2e%2e/b", Some("%2e%2e/b")),
            (&project, "file://$MODULE_DIR$/b", None),
            (&module, "file://$MODULE_DIR$", Some("a")),
            (&module, "file://$MODULE_DIR$/../b", Some("b")),
            (&module, "file://$MODULE_DIR$/../../b", None),
            (&module, "jar://$MODULE_DIR$/l.jar!/", Some("a/l.jar")),
            (&module, "jar://$MODULE_DIR$/l.jar!/x/y", Some("a/l.jar")),
            (&module, "jar://$MODULE_DIR$/l.jar", Some("a/l.jar")),
            (&idea, "file://$MODULE_DIR$/src", Some("src")),
            (&gradle, "file://$MODULE_DIR$/../../src", Some("src")),
            (&top, "file://$MODULE_DIR$/src", Some("src")),
            (&module, inside.as_str(), Some("b")),
            (&module, beside.as_str(), None),
            (&module, "file:///etc/passwd", None),
            (&module, "file://host/b", None),
            (&module, "file://b", None),
            (&module, "file://$USER_HOME$/b", None),
            (&module, "jar://$MAVEN_REPOSITORY$/x.jar!/", None),
            (&module, "file://$APPLICATION_HOME_DIR$/x", None),
            (&module, "http://$PROJECT_DIR$/b", None),
            (&module, "$PROJECT_DIR$/b", None),
            (&module, "file://$PROJECT_DIR$/a\0b", None),
            (&module, "", None),
        ] {
            let found = macros.resolve(&reader, url);
            assert_eq!(found.as_ref().map(RelPath::display).as_deref(), expected, "{url}");
        }
    }
}
