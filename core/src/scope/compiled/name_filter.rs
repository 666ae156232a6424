//! The filter in the brackets of a pattern, which selects modules or libraries.
//!
//! `*` matches any run of characters; every other character matches itself. A filter matches the whole name,
//! case-sensitively. `group:G` selects the modules in a group, `group:G:M` the modules named `M` or in a
//! group `G`.

use crate::wildcard::intellij::Stars;

/// A compiled filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameFilter {
    name: Option<Stars>,
    group: Option<Stars>,
}

impl NameFilter {
    /// Compiles the text in the brackets. Every text is a valid filter.
    pub(crate) fn new(filter: &str) -> NameFilter {
        let Some(rest) = filter.strip_prefix("group:") else {
            return NameFilter { name: Some(Stars::new(filter)), group: None };
        };
        let (group, name) = rest.split_once(':').unwrap_or((rest, ""));
        let name = (!name.is_empty()).then(|| Stars::new(name));
        NameFilter { name, group: Some(Stars::new(group)) }
    }

    /// Returns whether a module passes, given its full name and the names of its groups.
    pub(crate) fn matches_module(&self, name: &str, groups: &[String]) -> bool {
        let matches = |wildcard: &Option<Stars>, name: &str| {
            wildcard.as_ref().is_some_and(|wildcard| wildcard.matches(name))
        };
        matches(&self.name, name) || groups.iter().any(|group| matches(&self.group, group))
    }

    /// Returns whether a library passes. Libraries have no groups, so the group part is ignored.
    pub(crate) fn matches_library(&self, name: &str) -> bool {
        self.name.as_ref().is_none_or(|wildcard| wildcard.matches(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(filter: &str, name: &str, groups: &[&str]) -> bool {
        let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
        NameFilter::new(filter).matches_module(name, &groups)
    }

    /// Section 1.8 of the facts.
    #[test]
    fn section_1_8_modules() {
        for (filter, name, expected) in [
            ("web", "web", true),
            ("web", "Web", false),
            ("web", "webs", false),
            ("web", "a.web", false),
            ("*web*", "shop.web.api", true),
            ("*web*", "web", true),
            ("app*", "app.core", true),
            ("*.web", "shop.web", true),
            ("*.web", "shop-web", false), // a dot is a dot
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false), // no character is used twice
            ("*", "", true),
            ("*", "anything / at (all)", true),
            ("a+b [1]?", "a+b [1]?", true),
            ("@scope/pkg", "@scope/pkg", true),
            ("my module_1", "my module_1", true),
            ("ż*", "żółw", true),
        ] {
            assert_eq!(module(filter, name, &[]), expected, "{filter} {name}");
            // Filters of names ignore groups.
            assert_eq!(module(filter, name, &["web", "a"]), expected, "{filter} {name}");
        }
    }

    #[test]
    fn section_1_8_groups() {
        let groups = ["outer", "inner"];
        for (filter, name, expected) in [
            ("group:outer", "m", true),
            ("group:inner", "m", true),
            ("group:in*", "m", true),
            ("group:Inner", "m", false),
            ("group:outer/inner", "m", false),
            ("group:outer*inner", "m", false),
            ("group:other", "m", false),
            ("group:m", "m", false),
            // Either the group or the name suffices.
            ("group:inner:x", "m", true),
            ("group:other:m", "m", true),
            ("group:inner:m", "m", true),
            ("group:other:x", "m", false),
            ("group:other:*", "m", true),
            ("group:inner:", "m", true),
            ("group:other:", "m", false),
            ("group:other:a:b", "a:b", true),
            ("group:", "m", false),
            ("group:*", "m", true),
            ("Group:inner", "Group:inner", true),
        ] {
            assert_eq!(module(filter, name, &groups), expected, "{filter}");
        }
        assert!(!module("group:*", "m", &[]), "a module that is in no group");
    }

    /// Section 1.9 of the facts.
    #[test]
    fn section_1_9_libraries() {
        for (filter, expected) in [
            ("java 1.7", true),
            ("java*", true),
            ("java", false),
            ("group:x", true),
            ("group:x:", true),
            ("group:x:java*", true),
            ("group:java*:x", false),
        ] {
            assert_eq!(NameFilter::new(filter).matches_library("java 1.7"), expected, "{filter}");
        }
    }
}
