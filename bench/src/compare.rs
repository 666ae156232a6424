//! Comparison of the answers of two engines. Each becomes lines, `path:number:text` or paths.

use crate::definitions::Compare;
use serde_json::Value;
use std::path::Path;

/// Returns the lines of a reply of ours, or of JavaScript that returns the same shape.
pub(crate) fn lines_of_reply(reply: &[u8], root: &Path) -> Result<Vec<String>, String> {
    let mut reply: Value = serde_json::from_slice(reply).map_err(|error| error.to_string())?;
    if reply.get("total_files").is_some() {
        return Ok(lines_of_documents(&mut reply));
    }
    let prefix = format!("{}/", root.display());
    let line = |found: &Value, [path, number, line]: [&str; 3]| {
        let path = text(&found[path]);
        let path = path.strip_prefix(&prefix).unwrap_or(&path);
        format!("{path}:{}:{}", found[number], text(&found[line]))
    };
    let lists = [
        (&reply["matches"], ["file_path", "line_number", "line_content"]),
        (&reply["matches"], ["path", "line", "text"]),
        (&reply["data"]["matches"], ["file", "line", "text"]),
        (&reply["results"], ["file", "line_number", "content"]),
    ];
    let matches = lists.iter().flat_map(|(list, fields)| {
        let list = list.as_array().into_iter().flatten();
        list.filter(|found| found.get(fields[0]).is_some()).map(|found| line(found, *fields))
    });
    let files = reply["files"].as_array().into_iter().flatten();
    let files = files.map(|file| text(file.get("path").unwrap_or(file)));
    Ok(matches.chain(files).collect())
}

/// Returns the lines of a program's output.
pub(crate) fn lines_of_output(output: &[u8]) -> Vec<String> {
    let output = String::from_utf8_lossy(output);
    let lines = output.split('\n').filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
    // `git grep` leaves the byte order mark in the first line.
    let plain = |line: &str| line.replace(":1:\u{feff}", ":1:");
    lines.map(|line| plain(line.strip_prefix("./").unwrap_or(line))).collect()
}

/// Returns the number of results of the peer if both agree, else an error that describes the difference.
pub(crate) fn compare(
    how: Compare,
    mut ours: Vec<String>,
    mut theirs: Vec<String>,
) -> Result<usize, String> {
    match how {
        Compare::First => {
            let n_results = theirs.len();
            theirs.truncate(ours.len());
            let place = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
            return match place {
                Some(n) => Err(format!("result {n}: {:?}, the peer's is {:?}", ours[n], theirs[n])),
                None if theirs.len() < ours.len() || (ours.is_empty() && n_results > 0) => {
                    Err(format!("{} results, the peer has {n_results}", ours.len()))
                }
                None => Ok(n_results),
            };
        }
        Compare::Files => {
            for lines in [&mut ours, &mut theirs] {
                for line in lines.iter_mut() {
                    line.truncate(line.find(':').unwrap_or(line.len()));
                }
                lines.sort_unstable();
                lines.dedup();
            }
        }
        Compare::Set => {
            ours.sort_unstable();
            theirs.sort_unstable();
        }
    }
    if ours == theirs {
        return Ok(theirs.len());
    }
    let only = |these: &[String], those: &[String]| {
        let missing: Vec<_> =
            these.iter().filter(|line| those.binary_search(line).is_err()).collect();
        format!("{} (first: {:?})", missing.len(), missing.first())
    };
    Err(format!(
        "results differ: {} of ours, {} of the peer; only ours: {}, only the peer's: {}",
        ours.len(),
        theirs.len(),
        only(&ours, &theirs),
        only(&theirs, &ours)
    ))
}

/// Returns one line for each match, which repeats the fields of its document and of the whole reply. The
/// field `file_line` is removed, because only ours has it.
fn lines_of_documents(reply: &mut Value) -> Vec<String> {
    let mut documents = reply["results"].take();
    let of_all = reply.to_string();
    let mut lines = Vec::new();
    for document in documents.as_array_mut().into_iter().flatten() {
        let mut matches = document["matches"].take();
        for found in matches.as_array_mut().into_iter().flatten() {
            if let Some(found) = found.as_object_mut() {
                found.shift_remove("file_line");
            }
            lines.push(format!("{document}{found}{of_all}"));
        }
    }
    lines
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn differences_are_found() {
        let of = |how, ours, theirs| compare(how, lines(ours), lines(theirs));
        assert_eq!(of(Compare::Set, "b:1:x a:1:x", "a:1:x b:1:x"), Ok(2));
        assert!(of(Compare::Set, "a:1:x", "a:1:x b:1:x").is_err_and(|why| why.contains("b:1:x")));
        assert!(of(Compare::Set, "a:1:x a:1:x", "a:1:x").is_err());
        assert_eq!(of(Compare::First, "b a", "b a c"), Ok(3));
        assert!(of(Compare::First, "a b", "b a c").is_err());
        assert!(of(Compare::First, "", "a").is_err());
        assert!(of(Compare::First, "a b", "a").is_err());
        assert_eq!(of(Compare::Files, "b:1:x a:1:x a:2:y", "a b"), Ok(2));
        assert!(of(Compare::Files, "a:1:x", "b:1:x").is_err());
    }

    #[test]
    fn replies_and_outputs_become_the_same_lines() {
        let root = Path::new("/tree");
        let of = |reply: &str| lines_of_reply(reply.as_bytes(), root);
        let expected = Ok(vec!["a/b.c:3:text".to_owned()]);
        let found = r#"{"matches":[{"file_path":"a/b.c","line_number":3,"line_content":"text"}]}"#;
        assert_eq!(of(found), expected);
        let found = r#"{"results":[{"file":"/tree/a/b.c","line_number":3,"content":"text"}]}"#;
        assert_eq!(of(found), expected);
        assert_eq!(Ok(lines_of_output(b"./a/b.c:3:text\r\n")), expected);
        assert_eq!(lines_of_output("a:1:\u{feff}x\nb:1:y".as_bytes()), ["a:1:x", "b:1:y"]);
        assert_eq!(of(r#"{"files":["a","b"]}"#), Ok(lines("a b")));
        let documents = |line: u8, found: &str| {
            of(&format!(
                r#"{{"total_files":1,"results":[{{"path":"a","matches":[{{"file_line":{line},"excerpt":"{found}"}}]}}]}}"#
            ))
        };
        assert_eq!(documents(1, "x"), documents(2, "x"));
        assert_ne!(documents(1, "x"), documents(1, "y"));
    }
}
