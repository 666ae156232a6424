//! The step on small trees.

use super::super::{ByWords, FILES};
use super::reading::Read;
use super::{order, table};
use crate::clock::TurnedClock;
use crate::pattern::PatternOptions;
use crate::search::{Limits, RankedFile, Ranking, SearchRequest, Terms, rank_files};
use crate::tests::{NO_LIMITS, tree};
use crate::workspace::RelPath;
use crate::{Call, IndexMode, StopReason, Workspace, WorkspaceOptions};
use std::path::Path;
use std::time::Duration;

/// Its words are more frequent in the first file; its subject is that of the second.
const QUESTION: &str = "how is the login of a user authenticated";
const LOGIN: &[(&str, &str)] = &[
    (
        "src/menu.rs",
        "fn draw(user: &User) {\n    menu.add(\"login\");\n    menu.add(\"user\");\n    paint_border(width, height, colour);\n}\n",
    ),
    (
        "src/session.rs",
        "fn verify(user: &User, password: &str) -> bool {\n    let hash = credentials.hash(password);\n    authenticate(token, hash) && session.authorized(token)\n}\n",
    ),
];

fn open(dir: &Path, threads: usize, index: IndexMode) -> Workspace {
    let options = WorkspaceOptions { threads: Some(threads), index, ..Default::default() };
    options.open(dir).expect("opened")
}

fn ranking(workspace: &Workspace, terms: &Terms, call: &Call) -> Ranking {
    let limits = Limits { file_bytes_max: Some(1 << 20), ..NO_LIMITS };
    let request = SearchRequest::new(PatternOptions::default(), limits);
    rank_files(workspace, &request, terms, None, call).expect("ranked")
}

fn paths<'a>(files: impl IntoIterator<Item = &'a RankedFile>) -> Vec<String> {
    files.into_iter().map(|file| file.path.display().into_owned()).collect()
}

/// Returns the order by words, which the scores still have.
fn by_words(ranking: &Ranking) -> Vec<String> {
    let mut files: Vec<&RankedFile> = ranking.files.iter().collect();
    files.sort_by(|one, other| other.score.cmp(&one.score).then(one.path.cmp(&other.path)));
    paths(files)
}

fn question(text: &str) -> Terms {
    Terms::of_question(text, &[], false)
}

/// Returns more files than the step reads, all with a word of the question.
fn many_files() -> Vec<(String, String)> {
    let file = |n: usize| {
        let subject = if n.is_multiple_of(3) {
            "authenticate(password, credentials, token)"
        } else {
            "paint(widget, colour)"
        };
        let text =
            format!("fn user_{n}() {{\n    {}{subject}\n}}\n", "login();\n    ".repeat(n % 7));
        (format!("src/part_{n:02}.rs"), text)
    };
    (0..FILES + 15).map(file).collect()
}

#[test]
fn the_subject_decides_where_words_do_not() {
    let dir = tree(LOGIN);
    let workspace = open(dir.path(), 1, IndexMode::Off);
    let ranking = ranking(&workspace, &question(QUESTION), &Call::new());
    assert_eq!(by_words(&ranking), ["src/menu.rs", "src/session.rs"]);
    assert_eq!(paths(&ranking.files), ["src/session.rs", "src/menu.rs"]);
}

#[test]
fn names_and_messages_keep_the_order_by_words() {
    let dir = tree(LOGIN);
    let workspace = open(dir.path(), 1, IndexMode::Off);
    let names = ["user_login".to_owned()];
    for terms in [
        Terms::of_question("user_login", &names, true),
        Terms::of_question("user", &[], true),
        question(QUESTION).of_message(true),
    ] {
        let ranking = ranking(&workspace, &terms, &Call::new());
        assert_eq!(paths(&ranking.files), by_words(&ranking));
    }
}

#[test]
fn only_the_first_files_change_their_order() {
    let dir = tree(&many_files());
    let workspace = open(dir.path(), 2, IndexMode::Off);
    let ranking = ranking(&workspace, &question(QUESTION), &Call::new());
    let (words, order) = (by_words(&ranking), paths(&ranking.files));
    assert_eq!(order.len(), FILES + 15);
    assert_eq!(order[FILES..], words[FILES..]);
    assert_ne!(order[..FILES], words[..FILES]);
    let sorted = |files: &[String]| {
        let mut files = files.to_vec();
        files.sort();
        files
    };
    assert_eq!(sorted(&order[..FILES]), sorted(&words[..FILES]));
}

#[test]
fn ranks_do_not_depend_on_threads_or_the_index() {
    let dir = tree(&many_files());
    let of = |threads, index| {
        let workspace = open(dir.path(), threads, index);
        let terms = question(QUESTION);
        // The first search builds the index, the second one uses it.
        let first = paths(&ranking(&workspace, &terms, &Call::new()).files);
        assert_eq!(paths(&ranking(&workspace, &terms, &Call::new()).files), first);
        first
    };
    let expected = of(1, IndexMode::Off);
    for threads in [1, 2, 8] {
        for index in [IndexMode::Off, IndexMode::Auto] {
            assert_eq!(of(threads, index), expected, "{threads} {index:?}");
        }
    }
}

#[test]
fn a_deadline_in_the_step_leaves_the_order_by_words() {
    let dir = tree(&many_files());
    let workspace = open(dir.path(), 1, IndexMode::Off);
    let (mut n_in_step, mut is_over) = (0, false);
    for timeout in 1..1_000 {
        let clock = TurnedClock::by(Duration::from_millis(1));
        let ranking = clock.during(|| {
            let call = Call::new().with_timeout(Duration::from_millis(timeout));
            ranking(&workspace, &question(QUESTION), &call)
        });
        let (words, order) = (by_words(&ranking), paths(&ranking.files));
        if ranking.report.stopped == Some(StopReason::Deadline) {
            assert_eq!(order, words, "{timeout}");
            n_in_step += usize::from(order.len() == FILES + 15);
        } else if order != words {
            is_over = true;
            break;
        }
    }
    assert!(n_in_step > FILES && is_over, "{n_in_step}");
}

#[test]
fn a_cancelled_call_fails_in_the_step_too() {
    let dir = tree(LOGIN);
    let workspace = open(dir.path(), 1, IndexMode::Off);
    let call = Call::new();
    call.cancel_token().cancel();
    let request = SearchRequest::new(PatternOptions::default(), NO_LIMITS);
    let error = rank_files(&workspace, &request, &question(QUESTION), None, &call);
    assert_eq!(error.expect_err("cancelled").code(), "cancelled");
}

fn file(score: i64, part: f64) -> ByWords {
    ByWords { path: RelPath::root(), score, part }
}

fn near(cosines: &[f64]) -> Vec<Read> {
    cosines.iter().map(|cosine| Read { cosine: *cosine, is_generated: false }).collect()
}

#[test]
fn a_generated_file_comes_after_those_that_people_write() {
    let files = [file(10_000, 1.0), file(9_000, 1.0), file(3_000, 0.3)];
    let mut read = near(&[0.5, 0.4, 0.4]);
    read[0].is_generated = true;
    read[2].is_generated = true;
    assert_eq!(order(&files, &read), [1, 0, 2]);
}

#[test]
fn a_near_file_passes_one_with_a_better_score() {
    let files = [file(10_000, 1.0), file(6_000, 1.0), file(5_000, 1.0)];
    assert_eq!(order(&files, &near(&[0.2, 0.2, 0.2])), [0, 1, 2]);
    assert_eq!(order(&files, &near(&[0.2, 0.2, 0.9])), [2, 0, 1]);
    assert_eq!(order(&files, &near(&[0.0, 0.0, 0.0])), [0, 1, 2]);
}

#[test]
fn the_weight_of_a_part_applies_to_the_cosine_too() {
    let files = [file(10_000, 1.0), file(3_000, 0.3)];
    assert_eq!(order(&files, &near(&[0.1, 0.6])), [0, 1]);
}

#[test]
fn questions_without_a_known_word_have_no_vector() {
    for text in ["中文 问题", "zzqx wqzx", "!!! ???", "", "x"] {
        assert!(super::question(&question(text)).is_zero(), "{text}");
    }
    assert!(!super::question(&question("read the request")).is_zero());
}

#[test]
fn the_table_is_the_one_that_was_measured() {
    use sha2::{Digest, Sha256};
    let sum: String =
        Sha256::digest(table::BYTES).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sum, table::SHA256);
}

#[test]
fn the_stems_of_the_table_are_sorted() {
    let stems: Vec<&[u8]> = (0..table::N_STEMS).map(table::stem_at).collect();
    assert!(stems.is_sorted());
    assert!(
        stems.iter().all(|stem| stem.is_ascii() && (2..=table::STEM_MAX).contains(&stem.len()))
    );
    for (at, stem) in stems.iter().enumerate() {
        assert_eq!(table::index_of(stem).map(usize::from), Some(at));
    }
    for absent in ["", "a", "zzzz", "{", "requestz", "\u{e9}"] {
        assert_eq!(table::index_of(absent.as_bytes()), None, "{absent}");
    }
}
