//! Record of a run: a CSV with everything, and Markdown tables to read.

use crate::definitions::{Definition, Goal, GoalOf, Peer, Plan, Setting};
use crate::pair::{Measured, Outcome, Verdict};
use std::path::Path;

/// The tables of the last run are between these two lines of README.md.
const BEGIN: &str = "<!-- begin: the last record, written by npm run bench -->";
const END: &str = "<!-- end: the last record -->";

/// Row with its definition, case and corpus.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) case: &'a str,
    pub(crate) corpus: &'a str,
    pub(crate) corpus_version: &'a str,
    pub(crate) peer: &'a Peer,
    pub(crate) peer_version: String,
    pub(crate) goal: Option<&'a Goal>,
    pub(crate) outcome: Outcome,
}

const CSV_HEADER: &str = "date,cpu,definition,case,corpus,corpus_version,ours,peer,peer_version,runs,\
results,ours_wall_q1_ms,ours_wall_ms,ours_wall_q3_ms,peer_wall_q1_ms,peer_wall_ms,peer_wall_q3_ms,\
wall_ratio,ours_cpu_ms,peer_cpu_ms,cpu_ratio,ours_peak_mib,peer_peak_mib,must,goal,verdict,why\n";

const HEADER: &str = "\
| case | results | peer | ours ms | peer ms | wall | CPU | ours MiB | peer MiB | must, goal | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

pub(crate) fn csv(setting: &Setting, rows: &[Row]) -> String {
    let mut csv = CSV_HEADER.to_owned();
    for row in rows {
        let mut fields: Vec<String> = [
            &setting.date,
            &setting.cpu,
            &row.definition.name,
            row.case,
            row.corpus,
            row.corpus_version,
            &row.peer.ours,
            &row.peer.engine,
            &row.peer_version,
        ]
        .map(str::to_owned)
        .into();
        fields.push(row.peer.runs(setting).to_string());
        let why = match &row.outcome {
            Outcome::Measured(measured) => {
                fields.push(measured.n_results.to_string());
                fields.extend(numbers(measured).map(|number| format!("{number:.4}")));
                ""
            }
            Outcome::Wrong(why) | Outcome::Missing(why) => {
                fields.extend(std::iter::repeat_n(String::new(), 13));
                why
            }
        };
        let bound = |of: fn(&Goal) -> f64| row.goal.map(|goal| of(goal).to_string());
        fields.push(bound(|goal| goal.must).unwrap_or_default());
        fields.push(bound(|goal| goal.goal).unwrap_or_default());
        fields.push(verdict(row));
        fields.push(why.to_owned());
        csv += &fields.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",");
        csv.push('\n');
    }
    csv
}

/// Returns the figures in the order of the header.
fn numbers(of: &Measured) -> [f64; 12] {
    let (ours, peer) = (&of.ours, &of.peer);
    [
        ours.wall_ms.first_quartile,
        ours.wall_ms.median,
        ours.wall_ms.third_quartile,
        peer.wall_ms.first_quartile,
        peer.wall_ms.median,
        peer.wall_ms.third_quartile,
        of.wall_ratio,
        ours.cpu_ms,
        peer.cpu_ms,
        of.cpu_ratio,
        ours.peak_mib,
        peer.peak_mib,
    ]
}

fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Returns the table of one definition; `rows` are its own.
pub(crate) fn table(definition: &Definition, rows: &[&Row]) -> String {
    let mut table = format!("### {}\n\n`{}`\n\n{HEADER}\n", definition.title, definition.name);
    for row in rows {
        table += &markdown(row);
        table.push('\n');
    }
    table
}

/// Returns one row as a line of a table.
pub(crate) fn markdown(row: &Row) -> String {
    let peer = match row.peer.ours.as_str() {
        "rust" => row.peer.engine.clone(),
        ours => format!("{} (ours from {})", row.peer.engine, spoken(ours)),
    };
    match &row.outcome {
        Outcome::Wrong(why) => {
            let why = why.replace('|', "\\|");
            format!("| {} | {why} | {peer} | | | | | | | | **wrong** |", row.case)
        }
        Outcome::Missing(why) => {
            format!("| {} | {why} | {peer} | | | | | | | | SKIPPED |", row.case)
        }
        Outcome::Measured(measured) => {
            let (ours, theirs) = (&measured.ours, &measured.peer);
            let bounds = row.goal.map(|goal| match goal.of {
                GoalOf::Wall => format!("{:.2}, {:.2}", goal.must, goal.goal),
                GoalOf::Memory => format!("{} MiB, {} MiB", goal.must, goal.goal),
                GoalOf::Share => format!("{} %, {} %", goal.must, goal.goal),
            });
            format!(
                "| {} | {} | {peer} | {} | {} | **{}** | {} | {:.1} | {:.1} | {} | {} |",
                row.case,
                measured.n_results,
                spread(ours.wall_ms),
                spread(theirs.wall_ms),
                ratio(measured.wall_ratio),
                ratio(measured.cpu_ratio),
                ours.peak_mib,
                theirs.peak_mib,
                bounds.unwrap_or_default(),
                verdict(row),
            )
        }
    }
}

fn spoken(ours: &str) -> &str {
    match ours {
        "c" => "C",
        "node" => "Node",
        "command" => "the command",
        other => other,
    }
}

fn verdict(row: &Row) -> String {
    match (&row.outcome, row.goal) {
        (Outcome::Measured(measured), Some(goal)) => {
            let verdict = match goal.judge(measured) {
                Verdict::Goal => "goal".to_owned(),
                Verdict::Must => "must".to_owned(),
                Verdict::Missed(by) => format!("missed by {}", ratio(by)),
            };
            match measured.share_percent {
                Some(share) => format!("{verdict}: {share:.1} % of the source kept"),
                None => verdict,
            }
        }
        (Outcome::Measured(_), None) => String::new(),
        (Outcome::Wrong(_), _) => "wrong".to_owned(),
        (Outcome::Missing(_), _) => "skipped".to_owned(),
    }
}

/// Formats the median, and the quartiles around it.
fn spread(ms: crate::measure::Spread) -> String {
    let digits = if ms.median < 10.0 { 2 } else { usize::from(ms.median < 100.0) };
    let (low, middle, high) = (ms.first_quartile, ms.median, ms.third_quartile);
    format!("{middle:.digits$} ({low:.digits$}–{high:.digits$})")
}

fn ratio(ratio: f64) -> String {
    if ratio < 0.095 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
}

/// Returns the whole record as Markdown.
pub(crate) fn document(plan: &Plan, setting: &Setting, rows: &[Row], image: &str) -> String {
    let mut text = format!(
        "{}, {}, {} runs of each but the longest. [Everything]({}), with versions and quartiles.\n\n![Ours and the peers]({})\n",
        setting.date,
        setting.cpu,
        setting.runs,
        image.replace(".svg", ".csv"),
        image
    );
    for definition in &plan.definitions {
        let of: Vec<&Row> =
            rows.iter().filter(|row| std::ptr::eq(row.definition, definition)).collect();
        if !of.is_empty() {
            text += &format!("\n{}", table(definition, &of));
        }
    }
    text
}

/// Replaces the previous record.
pub(crate) fn replace_block(readme: &Path, record: &str) -> Result<(), String> {
    let name = readme.display();
    let text = std::fs::read_to_string(readme).map_err(|error| format!("{name}: {error}"))?;
    let parts = text.split_once(BEGIN).and_then(|(above, rest)| {
        let (_, below) = rest.split_once(END)?;
        Some(format!("{above}{BEGIN}\n\n{record}\n{END}{below}"))
    });
    let text = parts.ok_or(format!("{name} has no markers for the record"))?;
    std::fs::write(readme, text).map_err(|error| format!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_with_a_comma_stays_one() {
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn the_readme_has_a_place_for_the_record() {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        let text = std::fs::read_to_string(readme).expect("the README is there");
        let place = (text.find(BEGIN), text.find(END));
        assert!(matches!(place, (Some(begin), Some(end)) if begin < end), "{place:?}");
    }

    #[test]
    fn the_header_names_every_field() {
        assert_eq!(CSV_HEADER.split(',').count(), 10 + 1 + 12 + 4);
        assert_eq!(HEADER.lines().next().map(|line| line.matches('|').count()), Some(12));
    }
}
