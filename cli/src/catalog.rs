//! `scope` without a scope: the scopes of a project as people name them, each with its number of files.

use crate::failure::Result;
use crate::finish::strings;
use crate::print::{DIM, NAME, report};
use crate::verbs::{Run, list, parsed};
use searchscope::tools::{Outcome, find_each};
use searchscope::{Call, Workspace};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The time for counting the files of all scopes; the scopes after it have no number.
const COUNTING: Duration = Duration::from_secs(5);
/// The ids of scopes, and the words that the flag `--scope` takes for them.
const WORDS: &[(&str, &str)] = &[
    ("standard:Project Production Files", "production"),
    ("standard:Project Test Files", "tests"),
    ("git:changed", "changed"),
];

/// Named scopes that every project has; the standard scopes have their files.
const PREDEFINED: &[&str] = &[
    "All",
    "Generated Files",
    "Non-Project Files",
    "Open Files",
    "Problems",
    "Production",
    "Project Files",
    "Scratches and Consoles",
    "Tests",
];

impl Run<'_> {
    /// Prints the scopes that have files: short names, with the number of files.
    pub(crate) fn catalog(mut self) -> Result<Outcome> {
        let place = self.place(&[])?;
        let limit = self.args.remove("files_max");
        self.args = Map::from_iter(limit.map(|limit| ("limit".to_owned(), limit)));
        // A shell has no open or selected files.
        self.args.insert("includeInteractiveScopes".to_owned(), false.into());
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_list_catalog", form);
        }
        let workspace = self.open(&place)?;
        let (catalog, outcome) = self.call(&workspace, "scope_list_catalog")?;
        let items = list(&catalog["items"]);
        let until = Instant::now() + COUNTING;
        let mut out = self.out();
        let (mut shown, mut n_empty) = (HashSet::new(), 0);
        for item in items {
            let id = item["scopeRefId"].as_str().unwrap_or_default();
            let Some(name) = short_name(id, item).filter(|name| !shown.contains(name)) else {
                continue;
            };
            let counted = count(&workspace, id, until);
            if counted == Counted::Nothing {
                n_empty += 1;
                continue;
            }
            out.text(NAME, name.as_bytes());
            if let Counted::Files { n: n_files, is_exact } = counted {
                let least = if is_exact { "" } else { "at least " };
                let files = if n_files == 1 { "file" } else { "files" };
                out.plain("", "\t");
                out.text(DIM, format!("{least}{n_files} {files}").as_bytes());
            }
            out.end()?;
            shown.insert(name);
        }
        let total = catalog["totalItems"].as_u64().unwrap_or(0);
        let mut more = match n_empty {
            0 => String::new(),
            n => format!("; {n} more without files"),
        };
        if total > items.len() as u64 {
            more.push_str(&format!("; there are {total}: raise --limit"));
        } else {
            strings(&catalog["diagnostics"]).for_each(report);
        }
        more.push_str("; ids with --json");
        self.ended(&mut out, shown.len(), ("scope", "scopes"), &more)?;
        Ok(outcome)
    }
}

/// Returns the shortest name that `--scope` takes for a scope; `None` for the flavors of a module beside the
/// module itself, and for scopes of the view of a person.
fn short_name(id: &str, item: &Value) -> Option<String> {
    if let Some((_, word)) = WORDS.iter().find(|(known, _)| *known == id) {
        return Some((*word).to_owned());
    }
    if let Some(module) = id.strip_prefix("module:") {
        return module.strip_suffix(":MODULE").map(|name| format!("module:{name}"));
    }
    match item["kind"].as_str() {
        Some("PROVIDER_SCOPE") => None,
        Some("STANDARD") => item["displayName"].as_str().map(str::to_owned),
        Some("NAMED_SCOPE") if PREDEFINED.contains(&item["displayName"].as_str()?) => None,
        _ => Some(id.to_owned()),
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

fn count(workspace: &Workspace, id: &str, until: Instant) -> Counted {
    let Some(left) = until.checked_duration_since(Instant::now()) else { return Counted::Unknown };
    let args = json!({ "scope": id }).to_string();
    let mut n_files = 0;
    let call = Call::new().with_timeout(left);
    let counted = find_each(workspace, args.as_bytes(), &call, &mut |_| {
        n_files += 1;
        true
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
