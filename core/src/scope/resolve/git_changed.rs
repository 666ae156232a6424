//! The atom for files that differ from a commit of git.

use super::atom_steps::{Resolved, Resolver};
use super::request_atom::RequestAtom;
use crate::error::Result;
use crate::git::changed_files;
use crate::scope::compiled::{Leaf, Step};
use crate::scope::language::ScopeShape;
use crate::suggest::shorten;

/// The ref id of the files that differ from `HEAD`; `:` and a revision may follow.
pub(super) const CHANGED_REF: &str = "git:changed";
/// The name of the files that differ from `HEAD`.
pub(super) const CHANGED_NAME: &str = "Changed Files";
/// The ref id in the catalog of the files that differ from a revision, which the caller adds to it or passes
/// as `since`.
pub(super) const SINCE_REF: &str = "git:changed:";
/// The name in the catalog of the files that differ from a revision.
pub(super) const SINCE_NAME: &str = "Changed since …";

impl Resolver<'_> {
    /// Resolves the files that differ from `HEAD` or from a revision.
    pub(super) fn git_changed(
        &mut self,
        atom: &RequestAtom<'_>,
        since: &Option<String>,
    ) -> Result<Resolved> {
        let (param, since) = revision(atom, since)?;
        let step = match self.changed.iter().find(|(_, known)| *known == since) {
            Some((list, _)) => self.formula.leaf(Leaf::Files(*list)),
            None => self.changed_list(&param, since.clone())?,
        };
        let shape = ScopeShape::Global;
        Ok(match since {
            None => Resolved {
                step,
                shape,
                ref_id: CHANGED_REF.to_owned(),
                name: CHANGED_NAME.to_owned(),
            },
            Some(since) => {
                let name = format!("Changed since {since}");
                Resolved { step, shape, ref_id: format!("{SINCE_REF}{since}"), name }
            }
        })
    }

    fn changed_list(&mut self, param: &str, since: Option<String>) -> Result<Step> {
        let changed = changed_files(self.workspace, since.as_deref(), self.budget);
        let changed = changed.map_err(|error| match error.param() {
            Some(_) => error.with_param_named(param.to_owned()),
            None => error.with_param(param),
        })?;
        self.is_complete &= changed.is_complete();
        for problem in changed.problems() {
            self.patterns.told.insert(problem.clone());
        }
        let list = self.list(changed.paths().to_vec());
        self.changed.push((list, since));
        Ok(self.formula.leaf(Leaf::Files(list)))
    }
}

/// Returns the revision of an atom, from its field or its ref id, with the parameter that names it.
fn revision(atom: &RequestAtom<'_>, since: &Option<String>) -> Result<(String, Option<String>)> {
    let since = since.clone().filter(|since| !since.is_empty());
    let Some(ref_id) = &atom.atom.scope_ref_id else {
        return Ok((atom.param("since"), since));
    };
    let param = atom.param("scopeRefId");
    let rest = atom.after(CHANGED_REF, &param, ref_id)?;
    let in_ref = rest.strip_prefix(':');
    let why = match (in_ref, since) {
        (Some(""), None) => {
            format!("'{SINCE_REF}' needs a revision: {SINCE_REF}main, or the field 'since'")
        }
        (None, None) if rest.is_empty() => return Ok((param, None)),
        (Some(""), Some(since)) => return Ok((atom.param("since"), Some(since))),
        (None, Some(since)) if rest.is_empty() => return Ok((atom.param("since"), Some(since))),
        (Some(in_ref), None) => return Ok((param, Some(in_ref.to_owned()))),
        (Some(in_ref), Some(since)) if in_ref == since => return Ok((param, Some(since))),
        (Some(in_ref), Some(since)) => format!(
            "the scopeRefId names the revision '{}' and the field 'since' '{}'",
            shorten(in_ref),
            shorten(&since)
        ),
        (None, _) => {
            format!("'{}' must be {CHANGED_REF} or {SINCE_REF}REVISION", shorten(ref_id))
        }
    };
    Err(atom.error(&param, why))
}
