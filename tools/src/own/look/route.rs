//! Routes of a host among words: "GET /user/:id/edit", "the handler of /users".

use super::answer::Lookup;
use super::query::quoted_short;
use super::token::{is_quotation, is_relative_to_host};
use searchscope::{PatternOptions, Result, Syntax};

/// Words beside a route, sorted: a path beside none of them may be one on a disk.
const WORDS: &[&str] = &[
    "delete", "endpoint", "get", "handler", "handles", "head", "options", "patch", "post", "put",
    "request", "requests", "route", "routes", "serves", "url",
];
/// Maximum length of a route.
const BYTES_MAX: usize = 200;
/// Any value or parameter of a route: `42`, `:id`, `{id}`, `<int:id>`.
const ANY: &str = r#"[^/\s"'`]+"#;
/// Minimum length of an identifier in hexadecimal digits.
const HEX_MIN: usize = 8;
/// The beginning of a route: `./users` is the path of a module.
const BEFORE: &str = r"(?:^|[^.])";
/// The end of a route: not one with more parts.
const AFTER: &str = r"/?(?:$|[^\w/.:{<-])";

impl Lookup<'_> {
    /// Searches for the route in a question, with any value or parameter in the place of each. Lines that contain the
    /// question as written come first and alone.
    pub(super) fn found_route(&mut self) -> Result<bool> {
        let Some(route) = route_in(&self.query.text) else { return Ok(false) };
        let remark = format!("the route {}:", quoted_short(route));
        let hits = self.search(PatternOptions {
            patterns: vec![pattern(route)],
            syntax: Syntax::Regex,
            ..PatternOptions::default()
        })?;
        if hits.n_lines == 0 {
            return Ok(false);
        }
        if !self.found(self.query.pattern(), None)? {
            self.answer.note(&hits.report);
            self.answer.remarks.push(remark);
            self.show(hits)?;
        }
        Ok(true)
    }
}

/// Returns the route in a question that has a word for one beside it.
fn route_in(q: &str) -> Option<&str> {
    let is_word = |token: &str| {
        let token = token.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        WORDS.binary_search(&token.as_str()).is_ok()
    };
    // A route in quotation marks is a value of a message.
    let tokens = || q.split_whitespace().filter(|token| !is_quotation(token));
    let route = tokens().map(trimmed).find(|token| is_route(token))?;
    tokens().any(is_word).then_some(route)
}

/// Returns a token without the punctuation around it, and without the query after a route.
fn trimmed(token: &str) -> &str {
    let token = token.trim_start_matches(['`', '(']);
    let token = token.split(['?', '#']).next().unwrap_or_default();
    token.trim_end_matches(['`', ')', ',', '.', ';', ':', '!']).trim_end_matches('/')
}

fn is_route(token: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.:/{}<>*$[]@~".contains(c);
    let is_fixed = |part: &str| part.contains(char::is_alphabetic) && !is_free(part);
    token.len() <= BYTES_MAX
        && token.starts_with('/')
        && token.chars().all(is_part)
        && token.split('/').any(is_fixed)
        && is_relative_to_host(token)
}

/// Returns the expression for a route.
fn pattern(route: &str) -> String {
    let parts = route[1..].split('/').map(|part| match is_free(part) {
        true => ANY.to_owned(),
        false => regex_syntax::escape(part),
    });
    format!("{BEFORE}/{}{AFTER}", parts.collect::<Vec<_>>().join("/"))
}

/// Returns whether a part of a route is a parameter or a value: a number or an identifier.
fn is_free(part: &str) -> bool {
    let has_digit = part.contains(|c: char| c.is_ascii_digit());
    let is_hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    part.starts_with([':', '{', '<', '$', '[', '*'])
        || has_digit && part.chars().all(|c| c.is_ascii_digit())
        || has_digit && part.len() >= HEX_MIN && part.chars().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_has_a_word_beside_it() {
        for (q, route) in [
            ("GET /user/:id/edit route", Some("/user/:id/edit")),
            ("handler of `/users/`", Some("/users")),
            ("POST /items?page=2 fails", Some("/items")),
            ("Method 'GET' is twice in route '/users'", None),
            ("the file /etc/hosts", None),
            ("get the entries of /etc/hosts", None),
            ("GET /:id", None),
            ("get a/b", None),
            ("GET /", None),
        ] {
            assert_eq!(route_in(q), route, "{q}");
        }
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn parameters_of_a_route_have_any_name() {
        let matches = |route: &str, line: &str| {
            regex_automata::meta::Regex::new(&pattern(route)).expect("valid").is_match(line)
        };
        for line in [
            "app.get('/user/:id/edit', f)",
            "@Get(\"/user/{name}/edit\")",
            "path('api/user/<int:id>/edit/', f)",
            "GET /user/7/edit",
        ] {
            assert!(matches("/user/:id/edit", line), "{line}");
            assert!(matches("/user/42/edit", line), "{line}");
        }
        for line in ["'/user/:id'", "'/user/:id/edit/all'", "'/user/:id/editor'", "'/user/edit'"] {
            assert!(!matches("/user/:id/edit", line), "{line}");
        }
        assert!(!matches("/users", "'/users/:id'") && matches("/users", "'/users'"));
        assert!(!matches("/users", "require('./users')") && !matches("/2fa/x", "'/users/x'"));
    }
}
