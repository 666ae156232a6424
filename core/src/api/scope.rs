//! Scopes from the text of a pattern.

use crate::error::Result;
use crate::{Call, Scope, ScopeAtom, ScopeContext, ScopeProgram, Workspace};

impl Workspace {
    /// Compiles a pattern of the scope language, such as `file:src//*&&!file:*.min.js`.
    /// [`SCOPE_REFERENCE`](crate::SCOPE_REFERENCE) describes it.
    ///
    /// ```
    /// use searchscope::Workspace;
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "modules") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "").unwrap();
    /// # std::fs::write(dir.path().join("b.rs"), "").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let sources = workspace.scope("file:src//*")?;
    /// let found = workspace.find().scope(&sources).run()?;
    /// assert_eq!(found.files[0].path.display(), "src/a.rs");
    /// assert_eq!(workspace.scope("file:src//* &&").unwrap_err().code(), "pattern_syntax");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `pattern_syntax` for a text that is not a pattern, `invalid_param` for names that do not
    /// resolve, `timeout` when modules are not found within 30 seconds, `unsupported` in a build without
    /// the feature `modules`.
    pub fn scope(&self, pattern: &str) -> Result<Scope> {
        let program = ScopeProgram::of(ScopeAtom::of_pattern("scope", pattern));
        let resolved = self.resolve_scope(&program, &ScopeContext::default(), &Call::new())?;
        Ok(resolved.scope)
    }
}
