//! The verb `symbols`.

use crate::failure::Result;
use crate::finish::strings;
use crate::print::{DIM, NAME, NUMBER, report};
use crate::verbs::{Run, list, text};
use searchscope::tools::Outcome;
use serde_json::Value;

impl Run<'_> {
    pub(crate) fn symbols(mut self) -> Result<Outcome> {
        if let Some(Value::Array(kinds)) = self.args.get_mut("kinds") {
            for kind in kinds {
                *kind = kind.as_str().unwrap_or_default().to_uppercase().into();
            }
        }
        let place = self.place(&[])?;
        if let Some(form) = self.reply_form()? {
            return self.print_reply(&place, "scope_search_symbols", form);
        }
        let workspace = self.open(&place)?;
        let (found, outcome) = self.call(&workspace, "scope_search_symbols")?;
        let mut out = self.out();
        let items = list(&found["items"]);
        for item in items {
            let path = text(item, "filePath");
            out.path(&place.shown(path), || place.absolute(path));
            out.plain("", ":");
            out.plain(NUMBER, &item["line"].to_string());
            out.plain("", ":");
            out.plain(DIM, &item["kind"].as_str().unwrap_or_default().to_lowercase());
            out.plain("", " ");
            out.text(NAME, text(item, "qualifiedName"));
            out.end()?;
        }
        if out.form.is_pretty || items.is_empty() {
            strings(&found["diagnostics"]).for_each(report);
        }
        let has_more = found["probablyHasMoreMatchingEntries"] == true;
        let more = match (has_more, items.is_empty()) {
            (false, _) => "",
            (true, true) => "; not complete: not everything could be searched",
            (true, false) => "; there are more, or may be: raise --limit or narrow --scope",
        };
        self.ended(&mut out, items.len(), ("definition", "definitions"), more)?;
        Ok(outcome)
    }
}
