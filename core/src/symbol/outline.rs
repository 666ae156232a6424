//! Outlines: the definitions of one file.

use crate::budget::{Budget, Stopped};
use crate::encoding::decode_bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::syntax::{Outline, PARSE_BYTES_MAX, Symbol, SyntaxParts, Unparsed};
use crate::workspace::{RelPath, Unread, read};
use crate::{Call, Workspace};
use std::sync::Arc;

impl Workspace {
    /// Returns the definitions of one file; `None` if its language has no grammar. The text is UTF-8 or close
    /// to it, begins with a byte order mark, or is in one of
    /// [`WorkspaceOptions::encodings`](crate::WorkspaceOptions::encodings). `docs/syntax.md` lists the
    /// languages.
    ///
    /// ```
    /// use searchscope::{Call, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "impl Job { fn run() {} }\n").unwrap();
    /// # let workspace = Workspace::open(dir.path())?;
    /// # if !cfg!(feature = "symbols") { return Ok(()); }
    /// let outline = workspace.outline("a.rs", &Call::new())?.expect("it is Rust");
    /// let names: Vec<String> =
    ///     outline.symbols().iter().map(|symbol| outline.label(symbol)).collect();
    /// assert_eq!(names, ["impl Job", "fn Job::run"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `not_found`, `access_denied` and `io` for the path; `unsupported` without the feature `symbols`, and
    /// for a file of more than 8 MiB or with more parts, nesting or errors than a parser has room for;
    /// `timeout` and `cancelled`.
    pub fn outline(&self, path: &str, call: &Call) -> Result<Option<Arc<Outline>>> {
        self.outline_with(path, call, |outline, _| Arc::clone(outline))
    }

    /// Calls `with_outline` with the outline of a file and a function that returns the signature of a definition in it, and
    /// returns its result, as [`Workspace::outline`] does.
    pub fn outline_with<T>(
        &self,
        path: &str,
        call: &Call,
        with_outline: impl FnOnce(&Arc<Outline>, &dyn Fn(&Symbol) -> String) -> T,
    ) -> Result<Option<T>> {
        let grammars = self.grammars()?;
        let budget = Budget::of(call);
        let path = self.resolve(path)?;
        self.stat(&path)?;
        let shown = path.display();
        let unread = |why: Unread| match why.reason() {
            None => unparsed(Unparsed::Stopped, &path, &budget),
            Some(_) if matches!(why, Unread::TooLarge(_)) => {
                unparsed(Unparsed::TooLarge, &path, &budget)
            }
            Some(why) => Error::new(ErrorKind::Io, format!("'{shown}': {why}")).with_path(&*shown),
        };
        let file = self.fs().open_file(&path, true).map_err(|error| unread(error.into()))?;
        let stamp = file.meta().file_stamp();
        let encodings = file.encodings(self.encodings());
        let mut bytes = Vec::new();
        let bytes = read(file, PARSE_BYTES_MAX as u64, &mut bytes, &budget).map_err(unread)?;
        let text = &*decode_bytes(bytes, true, &encodings, &budget)
            .map_err(|Stopped| unparsed(Unparsed::Stopped, &path, &budget))?;
        let reader = grammars.reader();
        let Some(language) = reader.language(path.file_name(), text) else {
            return Ok(None);
        };
        let wanted = SyntaxParts { outline: true, ..SyntaxParts::default() };
        let syntax = reader.read(language, text, wanted, Some(&stamp), &budget);
        let outline = syntax.map_err(|why| unparsed(why, &path, &budget))?.outline;
        Ok(outline.map(|outline| {
            with_outline(&outline, &|symbol| reader.signature(&outline, symbol, text, &budget))
        }))
    }
}

fn unparsed(why: Unparsed, path: &RelPath, budget: &Budget) -> Error {
    let shown = path.display();
    let (kind, message) = match why.reason() {
        Some(reason) => (ErrorKind::Unsupported, format!("'{shown}' was not parsed: {reason}")),
        None if budget.is_cancelled() => {
            (ErrorKind::Cancelled, "the call was cancelled".to_owned())
        }
        None => (ErrorKind::Timeout, format!("the deadline passed before '{shown}' was parsed")),
    };
    Error::new(kind, message).with_path(&*shown)
}

#[cfg(all(test, feature = "symbols"))]
#[expect(clippy::disallowed_methods, reason = "tests change the trees that they search")]
mod tests {
    use super::*;
    use crate::tests::tree;
    use std::time::Duration;

    #[test]
    fn the_outline_of_a_file_is_that_of_its_current_text() {
        let dir = tree(&[("a.py", "class A:\n  def f(self): pass\n"), ("a.md", "# A\n")]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let names = |path: &str| {
            let outline = workspace.outline(path, &Call::new()).expect(path)?;
            let names = outline.symbols().iter().map(|symbol| outline.label(symbol));
            Some(names.collect::<Vec<_>>())
        };
        let found = names("a.py");
        assert_eq!(names("a.md"), None);
        std::fs::write(dir.path().join("a.py"), "class B:\n  def g(self): pass\n")
            .expect("written");
        let found_now = names("a.py");
        assert_eq!(found.expect("Python"), ["class A", "def A.f"]);
        assert_eq!(found_now.expect("Python"), ["class B", "def B.g"]);
    }

    #[test]
    fn a_path_without_a_source_file_is_an_error() {
        let dir = tree(&[("a.rs", "fn f() {}"), ("d/b.rs", "")]);
        let options = crate::WorkspaceOptions { deny: vec!["d".into()], ..Default::default() };
        let workspace = options.open(dir.path()).expect("opened");
        let call = Call::new();
        let code = |path: &str, call: &Call| {
            workspace.outline(path, call).map(|_| ()).expect_err(path).code()
        };
        assert_eq!(code("none.rs", &call), "not_found");
        assert_eq!(code("../a.rs", &call), "access_denied");
        assert_eq!(code("d/b.rs", &call), "access_denied");
        assert_eq!(code(".", &call), "io");
        assert_eq!(code("a.rs", &call.within(Duration::ZERO)), "timeout");
        call.cancel_token().cancel();
        assert_eq!(code("a.rs", &call), "cancelled");
        let large = vec![b' '; PARSE_BYTES_MAX + 1];
        std::fs::write(dir.path().join("large.rs"), large).expect("written");
        assert_eq!(code("large.rs", &Call::new()), "unsupported");
    }
}
