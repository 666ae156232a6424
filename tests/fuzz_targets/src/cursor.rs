//! Cursors: an invalid token is refused, printing a parsed cursor reproduces it, and a forged one
//! neither breaks the order nor repeats a result.

use super::bytes::Bytes;
use super::{fixed_tree, open};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use searchscope::{
    Call, Cursor, ErrorKind, FileMatches, FindRequest, Limits, Order, PatternOptions,
    SearchRequest, Workspace,
};
use std::hash::Hasher;
use std::str::FromStr;
use std::sync::OnceLock;
use tempfile::TempDir;

const INPUT_BYTES_MAX: usize = 512;
/// Maximum number of pages of a few files.
const PAGES_MAX: usize = 64;

/// The request of a page and a token: any text, a token with a valid checksum, or a real one with some
/// bytes changed.
pub fn cursor(data: &[u8]) {
    let mut bytes = Bytes::new(&data[..data.len().min(INPUT_BYTES_MAX)]);
    let request = request(&mut bytes);
    match bytes.below(3) {
        0 => any_text(&String::from_utf8_lossy(bytes.rest()), &request),
        1 => forged(bytes.rest().to_vec(), &request),
        _ => changed(&mut bytes, &request),
    }
}

/// A search or a find in the fixed tree.
#[derive(Clone)]
enum Request {
    Search(Box<SearchRequest>),
    Find(Box<FindRequest>),
}

fn request(bytes: &mut Bytes<'_>) -> Request {
    let order = bytes.pick(&[Order::Path, Order::Mtime, Order::Size, Order::Relevance]);
    let max = 1 + bytes.below(4) as u64;
    let limits = Limits {
        matches_max: Some(max),
        matches_per_file_max: Some(100),
        files_max: Some(100),
        output_bytes_max: Some(1 << 20),
        file_bytes_max: Some(1 << 20),
        line_bytes_max: Some(100),
        spans_per_line_max: Some(4),
    };
    if bytes.is_set() {
        let mut find = FindRequest::new(Default::default(), Some(max), Some(1 << 20));
        // Only file contents have a relevance.
        find.order = if order == Order::Relevance { Order::Path } else { order };
        find.resumable = true;
        return Request::Find(Box::new(find));
    }
    let mut search = SearchRequest::new(PatternOptions::literal("a"), limits);
    (search.order, search.resumable) = (order, true);
    Request::Search(Box::new(search))
}

fn workspace() -> &'static Workspace {
    static OPENED: OnceLock<(TempDir, Workspace)> = OnceLock::new();
    let (_, workspace) = OPENED.get_or_init(|| {
        let dir = fixed_tree();
        let workspace = open(dir.path(), 1);
        (dir, workspace)
    });
    workspace
}

/// One result: the file and, for a search, the line.
type Place = (Vec<u8>, u64);

/// Returns a page from `cursor` on, and the cursor of the next one.
fn page(
    request: &Request,
    cursor: Option<Cursor>,
) -> searchscope::Result<(Vec<Place>, Option<Cursor>)> {
    let call = Call::new();
    match request.clone() {
        Request::Search(mut search) => {
            search.cursor = cursor;
            let (files, report) = workspace().run_search(&search, &call)?;
            let lines = |file: FileMatches| {
                let path = file.path.as_bytes().to_vec();
                file.lines.into_iter().map(move |line| (path.clone(), line.number))
            };
            Ok((files.into_iter().flat_map(lines).collect(), report.cursor))
        }
        Request::Find(mut find) => {
            find.cursor = cursor;
            let (files, report) = workspace().run_find(&find, &call)?;
            let paths = files.into_iter().map(|file| (file.path.as_bytes().to_vec(), 0));
            Ok((paths.collect(), report.cursor))
        }
    }
}

/// Returns the results of all pages from `cursor` on.
fn pages(request: &Request, cursor: Option<Cursor>) -> searchscope::Result<Vec<Place>> {
    let (mut all, mut next) = page(request, cursor)?;
    for _ in 0..PAGES_MAX {
        let Some(cursor) = next else { return Ok(all) };
        let (places, behind) = page(request, Some(cursor)).expect("a returned cursor is valid");
        all.extend(places);
        next = behind;
    }
    panic!("{PAGES_MAX} pages do not come to an end: {all:?}");
}

fn any_text(text: &str, request: &Request) {
    match Cursor::from_str(text) {
        Ok(cursor) => {
            assert_eq!(Cursor::from_str(&cursor.to_string()).expect("its own text"), cursor);
            check_page(request, cursor);
        }
        Err(error) => {
            assert_eq!((error.kind(), error.param()), (ErrorKind::InvalidParam, Some("cursor")));
        }
    }
}

/// Checks a token with a valid checksum.
fn forged(mut token: Vec<u8>, request: &Request) {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&token);
    token.extend_from_slice(&hasher.finish().to_le_bytes());
    any_text(&URL_SAFE_NO_PAD.encode(token), request);
}

/// Checks a token of this very request with some bytes changed after the version and the request: with
/// these 9 bytes changed too, the engine would refuse nearly every token at once.
fn changed(bytes: &mut Bytes<'_>, request: &Request) {
    let mut given = page(request, None).expect("the first page").1;
    for _ in 0..bytes.below(4) {
        if let Some(cursor) = given.clone() {
            given = page(request, Some(cursor)).expect("the next page").1;
        }
    }
    let Some(given) = given else { return };
    let text = given.to_string();
    let mut token = URL_SAFE_NO_PAD.decode(&text).expect("base64");
    token.truncate(token.len() - 8);
    while !bytes.is_empty() {
        let (at, byte) = (9 + bytes.below(96), bytes.byte());
        match at.checked_sub(token.len()) {
            None => token[at] = byte,
            Some(0) => token.push(byte),
            Some(_) => token.truncate(token.len().max(10) - 1),
        }
    }
    forged(token, request);
}

/// Checks the results after a cursor with any contents: a part of the whole, in its order, each once.
///
/// A changed token may denote any position, even one that no page ended at. The exact suffix is therefore
/// unknown, and a subsequence of the whole result is the strongest property to check.
fn check_page(request: &Request, cursor: Cursor) {
    let all = pages(request, None).expect("without a cursor");
    match pages(request, Some(cursor)) {
        Ok(places) => {
            let mut rest = all.iter();
            let is_part = places.iter().all(|place| rest.any(|known| known == place));
            assert!(is_part, "{places:?} in {all:?}");
        }
        Err(error) => assert_eq!(error.kind(), ErrorKind::InvalidParam, "{error:?}"),
    }
}
