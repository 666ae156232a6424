//! Results of a reply as files with rows, with one reader per shape that results have in JSON.

use super::frame::{Mark, Row, common_indent, heading};
use super::json::{pairs, remark};
use searchscope::toolkit::excerpt;
use serde_json::{Map, Value};

/// A file and its rows.
#[derive(Debug, Default)]
pub(super) struct Block {
    path: String,
    /// Properties of the file, as fields in one line.
    about: Map<String, Value>,
    rows: Vec<BlockRow>,
    keeps_indent: bool,
}

#[derive(Debug)]
struct BlockRow {
    mark: Mark,
    line: u64,
    part_of: Option<(usize, usize)>,
    text: String,
    /// In a matching line, the definition around it.
    enclosing: Option<String>,
    /// In a matching line, the uses of its matches.
    uses: String,
}

/// A longer line is cut to this many bytes, unless the tool has limited it.
const LINE_BYTES_MAX: usize = 500;

/// Removes the results from a reply, or from a part of one. Other fields stay. Long lines are cut around `wanted`,
/// the text of the call, where they have it.
pub(super) fn take(reply: &mut Map<String, Value>, wanted: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for key in ["matches", "results", "occurrences", "sample_matches"] {
        for item in take_objects(reply, key) {
            match item.get("matches") {
                Some(Value::Array(_)) => blocks.push(group(item, wanted)),
                _ => add_match(item, wanted, &mut blocks),
            }
        }
    }
    for item in take_objects(reply, "items") {
        add_symbol(&item, &mut blocks);
    }
    for key in ["files", "documents", "top_files"] {
        let items = take_objects(reply, key).into_iter();
        blocks.extend(items.map(|item| group(item, wanted)));
    }
    for key in ["files", "matchedFilePaths"] {
        if is_list(reply, key, Value::is_string) {
            blocks.extend(take_array(reply, key).into_iter().filter_map(named));
        }
    }
    if let Some(Value::Object(counts)) = reply.shift_remove("file_counts") {
        blocks.extend(counts.into_iter().map(|(path, n)| Block {
            path,
            about: Map::from_iter([("matches".to_owned(), n)]),
            ..Block::default()
        }));
    }
    blocks.extend(document(reply));
    blocks
}

fn is_list(reply: &Map<String, Value>, key: &str, is_item: impl Fn(&Value) -> bool) -> bool {
    reply.get(key).and_then(Value::as_array).is_some_and(|items| items.iter().all(is_item))
}

/// Removes an array whose items are all objects with a path.
fn take_objects(reply: &mut Map<String, Value>, key: &str) -> Vec<Map<String, Value>> {
    let has_path = |item: &Value| PATHS.iter().any(|name| item.get(name).is_some());
    if !is_list(reply, key, has_path) {
        return Vec::new();
    }
    let items = take_array(reply, key).into_iter();
    items
        .filter_map(|item| if let Value::Object(item) = item { Some(item) } else { None })
        .collect()
}

fn take_array(reply: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match reply.shift_remove(key) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

const PATHS: [&str; 4] = ["path", "file_path", "file", "filePath"];
const LINES: [&str; 4] = ["file_line", "line", "line_number", "lineNumber"];
/// Fields of matches whose lines their tools have limited.
const LIMITED_FIELDS: [&str; 3] = ["spans", "lineText", "excerpt"];
const TEXTS: [&str; 5] = ["text", "line_content", "content", "lineText", "excerpt"];

fn take_text(item: &mut Map<String, Value>, names: &[&str]) -> String {
    let value = names.iter().find_map(|name| item.shift_remove(*name));
    if let Some(Value::String(text)) = value { text } else { String::new() }
}

fn number(item: &Map<String, Value>, names: &[&str]) -> u64 {
    names.iter().find_map(|name| item.get(*name)?.as_u64()).unwrap_or(0)
}

fn named(path: Value) -> Option<Block> {
    let Value::String(path) = path else { return None };
    Some(Block { path, ..Block::default() })
}

/// Converts a file with an array of matches, or none; its other fields go into its heading.
fn group(mut item: Map<String, Value>, wanted: &str) -> Block {
    let path = take_text(&mut item, &PATHS);
    let mut rows = Vec::new();
    if item.get("matches").is_some_and(Value::is_array) {
        for mut hit in take_array(&mut item, "matches").into_iter().filter_map(object) {
            add_rows(&mut hit, wanted, &mut rows);
        }
        // It repeats the number of rows.
        item.shift_remove("match_count");
    }
    Block { path, about: item, rows, keeps_indent: false }
}

fn object(value: Value) -> Option<Map<String, Value>> {
    if let Value::Object(fields) = value { Some(fields) } else { None }
}

/// Returns the block for a file: the last one, or a new one.
fn block_of(path: String, about: Map<String, Value>, blocks: &mut Vec<Block>) -> &mut Block {
    if blocks.last().is_none_or(|last| last.path != path || last.about != about) {
        blocks.push(Block { path, about, ..Block::default() });
    }
    blocks.last_mut().expect("because one was added")
}

fn add_match(mut item: Map<String, Value>, wanted: &str, blocks: &mut Vec<Block>) {
    let path = take_text(&mut item, &PATHS);
    // Properties that the reader should know before the rows.
    let about = ["path_base64", "lossy", "text_base64", "encoding"].into_iter();
    let about = about.filter_map(|key| item.shift_remove(key).map(|value| (key.to_owned(), value)));
    let block = block_of(path, about.collect(), blocks);
    add_rows(&mut item, wanted, &mut block.rows);
}

/// Cuts the text of a line that is too long, and returns its start and its length; `None` if it is whole. The part
/// has the byte at `column`, from 1, or the first `wanted`.
fn cut(text: &mut String, column: u64, wanted: &str) -> Option<(usize, usize)> {
    let len = text.len();
    if len <= LINE_BYTES_MAX {
        return None;
    }
    let column = usize::try_from(column).unwrap_or(len).min(len);
    let start = match column {
        0 if wanted.is_empty() => 0,
        0 => text.to_lowercase().find(&wanted.to_lowercase()).unwrap_or(0).min(len),
        column => column - 1,
    };
    let end = (start + wanted.len().max(1)).min(len);
    let window = excerpt::window(text.as_bytes(), start..end, LINE_BYTES_MAX);
    *text = text.get(window.clone())?.to_owned();
    Some((window.start, len))
}

/// Adds the rows of a match: its context and each of its lines.
fn add_rows(item: &mut Map<String, Value>, wanted: &str, rows: &mut Vec<BlockRow>) {
    let is_limited = LIMITED_FIELDS.iter().any(|key| item.contains_key(*key));
    let mut text = take_text(item, &TEXTS);
    let first = number(item, &LINES);
    let part_of = item.get("text_start").and_then(Value::as_u64).map(|start| {
        let len = number(item, &["line_bytes"]);
        (usize::try_from(start).unwrap_or(usize::MAX), usize::try_from(len).unwrap_or(usize::MAX))
    });
    let part_of = match part_of {
        None if !is_limited && !text.contains('\n') => {
            cut(&mut text, number(item, &["column"]), wanted)
        }
        part_of => part_of,
    };
    let uses = uses_of(item);
    let enclosing = item.get("enclosing").and_then(Value::as_str).map(str::to_owned);
    let mut context = |key: &str| -> Vec<String> {
        let items = take_array(item, key).into_iter();
        items.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let mut before = context("before");
    before.extend(context("context_before"));
    let mut after = context("after");
    after.extend(context("context_after"));
    let row = BlockRow::new;
    let start = first.saturating_sub(before.len() as u64);
    rows.extend((start..).zip(before).map(|(line, text)| row(Mark::Context, line, text)));
    let next = first + 1 + text.matches('\n').count() as u64;
    if part_of.is_some() || !text.contains('\n') {
        rows.push(BlockRow { part_of, enclosing, uses, ..row(Mark::Match, first, text) });
    } else {
        let texts = (first..).zip(text.split('\n'));
        rows.extend(texts.map(|(line, text)| BlockRow {
            enclosing: enclosing.clone(),
            uses: uses.clone(),
            ..row(Mark::Match, line, text.to_owned())
        }));
    }
    rows.extend((next..).zip(after).map(|(line, text)| row(Mark::Context, line, text)));
}

/// Returns the different uses of the matches of a line, in order.
fn uses_of(item: &Map<String, Value>) -> String {
    let spans = item.get("spans").and_then(Value::as_array).into_iter().flatten();
    let mut uses: Vec<&str> = Vec::new();
    for kind in spans.filter_map(|span| span.get("use")?.as_str()) {
        if !uses.contains(&kind) {
            uses.push(kind);
        }
    }
    uses.join(",")
}

impl BlockRow {
    fn new(mark: Mark, line: u64, text: String) -> BlockRow {
        BlockRow { mark, line, part_of: None, text, enclosing: None, uses: String::new() }
    }
}

/// Adds a definition with its keyword, qualified name, language, score and signature.
fn add_symbol(item: &Map<String, Value>, blocks: &mut Vec<Block>) {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    let score = number(item, &["score"]);
    let kind = if item.contains_key("keyword") { "keyword" } else { "kind" };
    let mut shown = format!("{} {}", text(kind), text("qualifiedName"));
    if !text("qualifiedName").ends_with(text("name")) {
        shown = format!("{shown} ({})", text("name"));
    }
    shown = format!("{shown} [{}, score {score}]", text("language"));
    if item.contains_key("signature") {
        shown = format!("{shown}: {}", text("signature"));
    }
    let line = number(item, &["line"]);
    let row = BlockRow::new(Mark::Definition, line, shown);
    block_of(text("filePath").to_owned(), Map::new(), blocks).rows.push(row);
}

/// Removes the document of a reply; its lines are rows.
fn document(reply: &mut Map<String, Value>) -> Option<Block> {
    if !reply.contains_key("content") || !reply.contains_key("start_line") {
        return None;
    }
    let path = take_text(reply, &["path"]);
    let content = take_text(reply, &["content"]);
    let about = ["name", "description"].iter();
    let about = about.filter_map(|key| Some(((*key).to_owned(), reply.shift_remove(*key)?)));
    let about = about.collect();
    let lines = (number(reply, &["start_line"])..).zip(content.split_inclusive('\n'));
    let rows = lines.map(|(line, text)| {
        BlockRow::new(Mark::Match, line, text.strip_suffix('\n').unwrap_or(text).to_owned())
    });
    Some(Block { path, about, rows: rows.collect(), keeps_indent: true })
}

impl Block {
    /// Writes the heading and the rows.
    pub(super) fn write(mut self, out: &mut String) {
        out.push_str(&heading(&self.path));
        if !self.about.is_empty() {
            out.push('\t');
            out.push_str(&pairs(&self.about));
        }
        out.push('\n');
        self.merge_context();
        let whole = self.rows.iter().filter(|row| row.part_of.is_none());
        let indent = match self.keeps_indent {
            true => 0,
            false => common_indent(whole.map(|row| row.text.as_str())),
        };
        let mut enclosing: Option<&str> = None;
        for row in &self.rows {
            if row.mark == Mark::Match && row.enclosing.as_deref() != enclosing {
                enclosing = row.enclosing.as_deref();
                remark("in", &enclosing.unwrap_or_default().into(), out);
            }
            let BlockRow { mark, line, part_of, text, uses, .. } = row;
            let indent = if part_of.is_some() { 0 } else { indent };
            let row = Row { mark: *mark, line: *line, part_of: *part_of, text };
            row.write_with(uses, out, indent);
        }
    }

    /// Sorts rows by line and drops context that a match or other context already shows.
    fn merge_context(&mut self) {
        if self.rows.iter().all(|row| row.mark != Mark::Context) {
            return;
        }
        self.rows.sort_by_key(|row| (row.line, row.mark == Mark::Context));
        let mut last = None;
        self.rows.retain(|row| {
            let is_repeated = row.mark == Mark::Context && last == Some(row.line);
            last = Some(row.line);
            !is_repeated
        });
    }
}
