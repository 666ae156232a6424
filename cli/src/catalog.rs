//! `scope` without a scope: the scopes of a project as people name them, each with its number of files.

use crate::failure::Result;
use crate::print::{DIM, NAME, report};
use crate::verbs::{Run, parsed};
use searchscope::{Call, CatalogRequest, Workspace};
use searchscope_tools::{Outcome, find_each, short_scope_names};
use serde_json::{Map, json};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The time for counting the files of all scopes; the scopes after it have no number.
const COUNTING: Duration = Duration::from_secs(5);

impl Run<'_> {
    /// Prints the scopes that have files: short names, with the number of files.
    pub(crate) fn catalog(mut self) -> Result<Outcome> {
        let place = self.place(&[])?;
        let limit = self.args.remove("files_max");
        let n_max = limit.as_ref().and_then(|limit| usize::try_from(limit.as_u64()?).ok());
        self.args = Map::from_iter(limit.map(|limit| ("limit".to_owned(), limit)));
        // A shell has no open or selected files.
        self.args.insert("includeInteractiveScopes".to_owned(), false.into());
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_list_catalog", form);
        }
        let workspace = self.open(&place)?;
        let request = CatalogRequest { without_interactive: true, ..Default::default() };
        let catalog = workspace.scope_catalog(&request, &Call::new());
        let catalog = catalog.map_err(|error| self.failure(error))?;
        let until = Instant::now() + COUNTING;
        let mut out = self.out();
        let (mut n_shown, mut n_empty, mut n_uncounted) = (0, 0_usize, 0_usize);
        let names = short_scope_names(&catalog.items);
        let mut is_cut = false;
        for name in &names {
            let counted = count(&workspace, name, until);
            if counted == Counted::Nothing {
                n_empty += 1;
                continue;
            }
            if n_max == Some(n_shown) {
                is_cut = true;
                break;
            }
            out.text(NAME, name.as_bytes());
            if let Counted::Files { n: n_files, is_exact } = counted {
                let least = if is_exact { "" } else { "at least " };
                let files = if n_files == 1 { "file" } else { "files" };
                out.plain("", "\t");
                out.text(DIM, format!("{least}{n_files} {files}").as_bytes());
            } else {
                n_uncounted += 1;
            }
            out.end()?;
            n_shown += 1;
        }
        let mut more = String::new();
        if n_empty > 0 {
            more.push_str(&format!("; {n_empty} more without files"));
        }
        if n_uncounted > 0 {
            let time = COUNTING.as_secs();
            more.push_str(&format!("; {n_uncounted} not counted within {time} s"));
        }
        if is_cut {
            more.push_str("; there are more: raise --limit");
        }
        catalog.diagnostics.iter().for_each(|line| report(line));
        more.push_str("; ids with --json");
        self.ended(&mut out, n_shown, ("scope", "scopes"), &more)?;
        Ok(Outcome::Found)
    }
}

/// The files of a scope.
#[derive(PartialEq, Eq)]
enum Counted {
    /// There are none, or only the view of a person says which.
    Nothing,
    Files {
        n: u64,
        /// Whether these are all.
        is_exact: bool,
    },
    /// There was no time left to count them.
    Unknown,
}

fn count(workspace: &Workspace, name: &str, until: Instant) -> Counted {
    let Some(left) = until.checked_duration_since(Instant::now()) else { return Counted::Unknown };
    let args = json!({ "scope": name }).to_string();
    let mut n_files = 0;
    let call = Call::new().with_timeout(left);
    let counted = find_each(workspace, args.as_bytes(), &call, &mut |_| {
        n_files += 1;
        ControlFlow::Continue(())
    });
    let report = counted.ok().and_then(|reply| parsed(&reply).ok());
    match report {
        None => Counted::Nothing,
        Some((report, _)) if report["complete"] == true && n_files == 0 => Counted::Nothing,
        Some((report, _)) if n_files > 0 => {
            Counted::Files { n: n_files, is_exact: report["complete"] == true }
        }
        Some(_) => Counted::Unknown,
    }
}
