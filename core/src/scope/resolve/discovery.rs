//! Reads the facts about a tree that scopes depend on: its modules, and the scopes stored in it. A build
//! without the feature `modules` refuses: without these facts, a scope would contain other files.

use super::named::NamedScopes;
use crate::budget::Budget;
#[cfg(feature = "modules")]
use crate::budget::Stopped;
use crate::error::{Error, ErrorKind, Result};
use crate::module::Modules;
use crate::workspace::Workspace;

/// Discovers the modules of the tree.
pub(super) fn modules(workspace: &Workspace, budget: &Budget) -> Result<Modules> {
    #[cfg(feature = "modules")]
    return Modules::discover(workspace, budget).map_err(|Stopped| stopped(budget));
    #[cfg(not(feature = "modules"))]
    refused(workspace, budget)
}

/// Reads the stored scopes of the tree.
pub(super) fn named_scopes(workspace: &Workspace, budget: &Budget) -> Result<NamedScopes> {
    #[cfg(feature = "modules")]
    return super::stored_scopes::read(workspace, budget).map_err(|Stopped| stopped(budget));
    #[cfg(not(feature = "modules"))]
    refused(workspace, budget)
}

#[cfg(not(feature = "modules"))]
fn refused<T>(_: &Workspace, _: &Budget) -> Result<T> {
    let message =
        "scopes that depend on modules need the feature 'modules', which is off in this build";
    Err(Error::new(ErrorKind::Unsupported, message))
}

/// Returns the error of an interrupted call.
pub(super) fn stopped(budget: &Budget) -> Error {
    match budget.is_cancelled() {
        true => Error::new(ErrorKind::Cancelled, "the call was cancelled"),
        false => Error::new(ErrorKind::Timeout, "the scope did not resolve in time"),
    }
}

#[cfg(all(test, not(feature = "modules")))]
mod tests {
    use crate::{AtomKind, Call, CatalogRequest, ErrorKind, ScopeAtom, ScopeProgram, Workspace};

    #[test]
    fn scopes_that_depend_on_modules_are_refused() {
        let dir = crate::tests::tree(&[("src/a.rs", "")]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let resolve = |atom: ScopeAtom| {
            let program = ScopeProgram::of(atom);
            workspace.resolve_scope(&program, &Default::default(), &Call::new())
        };
        let of_ref = |kind, ref_id: &str| ScopeAtom::of_ref("a", kind, ref_id);
        let refused = [
            (ScopeAtom::of_pattern("a", "file:src//*"), "patternText"),
            (of_ref(AtomKind::Standard, "standard:Project Files"), "scopeRefId"),
            (of_ref(AtomKind::Standard, "standard:Recently Changed Files"), "scopeRefId"),
            (of_ref(AtomKind::Module, "module:a:MODULE"), "scopeRefId"),
            (of_ref(AtomKind::NamedScope, "named:Shared:a"), "scopeRefId"),
        ];
        for (atom, param) in refused {
            let error = resolve(atom).expect_err(param);
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            assert!(error.param().is_some_and(|at| at.ends_with(param)), "{error:?}");
            assert!(error.message().contains("'modules'"), "{error}");
        }
        let catalog = workspace.scope_catalog(&CatalogRequest::default(), &Call::new());
        assert_eq!(catalog.expect_err("refused").kind(), ErrorKind::Unsupported);
        let mistake = workspace.scope("file:src//* &&").expect_err("not a pattern");
        assert_eq!(mistake.kind(), ErrorKind::PatternSyntax);
    }

    #[test]
    fn scopes_of_paths_resolve_without_modules() {
        let dir = crate::tests::tree(&[("src/a.rs", ""), ("b.rs", "")]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        let everywhere = ScopeAtom::of_ref("a", AtomKind::Standard, "standard:All Places");
        for (atom, expected) in [
            (ScopeAtom::of_directory("a", "src"), &["src/a.rs"][..]),
            (everywhere, &["b.rs", "src/a.rs"]),
        ] {
            let program = ScopeProgram::of(atom);
            let resolved = workspace.resolve_scope(&program, &Default::default(), &Call::new());
            let scope = resolved.expect("resolved").scope;
            let found = workspace.find().scope(&scope).run().expect("found");
            let paths: Vec<String> =
                found.files.iter().map(|file| file.path.display().into_owned()).collect();
            assert_eq!(paths, expected);
        }
    }
}
