//! The atom for files that differ from a commit of git.

use super::request_atom::RequestAtom;
use super::resolver::{Resolved, Resolver};
use crate::error::Result;
use crate::git::changed_files;
use crate::nearest::shorten;
use crate::scope::compiled::{Leaf, Step};
use crate::scope::language::ScopeShape;

/// The ref id of the files that differ from `HEAD`; `:` and a revision may follow.
pub(super) const CHANGED_REF: &str = "git:changed";
/// The name of the files that differ from `HEAD`.
pub(super) const CHANGED_NAME: &str = "Changed Files";

impl Resolver<'_> {
    /// Resolves the files that differ from `HEAD` or from a revision.
    pub(super) fn git_changed(
        &mut self,
        atom: &RequestAtom<'_>,
        since: &Option<String>,
    ) -> Result<Resolved> {
        let (param, since) = match &atom.atom.scope_ref_id {
            Some(ref_id) => {
                let param = atom.param("scopeRefId");
                let rest = atom.after(CHANGED_REF, &param, ref_id)?;
                let since = rest.strip_prefix(':').filter(|since| !since.is_empty());
                if since.is_none() && !rest.is_empty() {
                    let why = format!(
                        "'{}' must be {CHANGED_REF} or {CHANGED_REF}:REVISION",
                        shorten(ref_id)
                    );
                    return Err(atom.error(&param, why));
                }
                (param, since.map(str::to_owned))
            }
            None => (atom.param("since"), since.clone().filter(|since| !since.is_empty())),
        };
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
                Resolved { step, shape, ref_id: format!("{CHANGED_REF}:{since}"), name }
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
