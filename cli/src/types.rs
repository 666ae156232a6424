//! File types by name, as in `rg --type`.

use crate::failure::{Failure, Result};
use ignore::types::TypesBuilder;

/// The minimum similarity of a type that is suggested.
const SIMILAR: f64 = 0.7;

/// Returns the types with their globs, one a line, as `rg --type-list` prints them.
pub(crate) fn type_list() -> Vec<String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let types = builder.definitions();
    types.iter().map(|one| format!("{}: {}", one.name(), one.globs().join(", "))).collect()
}

/// Returns the names of all types.
pub(crate) fn type_names() -> Vec<String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    builder.definitions().iter().map(|one| one.name().to_owned()).collect()
}

/// Returns one glob for the names of files of any of these types.
pub(crate) fn name_pattern(types: &[&str]) -> Result<String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = builder.definitions();
    let mut globs: Vec<&str> = Vec::new();
    for name in types {
        let Some(found) = known.iter().find(|known| known.name() == *name) else {
            let nearest =
                known.iter().map(|known| (strsim::jaro_winkler(known.name(), name), known));
            let nearest = nearest.max_by(|(a, _), (b, _)| a.total_cmp(b));
            let hint = match nearest.filter(|(similarity, _)| *similarity >= SIMILAR) {
                Some((_, nearest)) => format!("did you mean '{}'?", nearest.name()),
                None => "\"searchscope search --type-list\" shows the names".to_owned(),
            };
            return Err(Failure::new(format!("--type: there is no type '{name}'; {hint}")));
        };
        globs.extend(found.globs().iter().map(String::as_str));
    }
    Ok(format!("{{{}}}", globs.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_one_glob() {
        assert_eq!(name_pattern(&["rust"]).unwrap(), "{*.rs}");
        assert_eq!(name_pattern(&["rust", "toml"]).unwrap(), "{*.rs,*.toml,Cargo.lock}");
    }

    #[test]
    fn a_misspelt_type_is_corrected() {
        let failure = name_pattern(&["pyhton"]).unwrap_err();
        assert!(failure.message.ends_with("no type 'pyhton'; did you mean 'python'?"), "{failure}");
    }
}
