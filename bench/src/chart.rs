//! Chart of the headline rows as SVG: the whole bar is the peer's time, and ours is a part of it.

use crate::pair::Outcome;
use crate::record::Row;

const WIDTH: f64 = 900.0;
const BAR_LEFT: f64 = 330.0;
const BAR_WIDTH: f64 = 400.0;
const ROW_HEIGHT: f64 = 44.0;
const TOP: f64 = 62.0;

/// Colours that are readable on white and on black. A viewer that supports dark mode makes the text
/// light.
const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 16px; font-weight: 600 }
.small { font-size: 11px; fill: #57606a }
.ratio { font-weight: 600 }
.ours { fill: #d9480f }
.peer { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .small { fill: #9da7b3 } .peer { fill: #6e7681 } }";

/// Returns the chart of the measured rows that have a label for it.
pub(crate) fn svg(rows: &[Row], caption: &str) -> String {
    let bars: Vec<String> = rows
        .iter()
        .filter_map(|row| match (&row.peer.chart, &row.outcome) {
            (Some(label), Outcome::Measured(measured)) => Some((label, row, measured)),
            _ => None,
        })
        .enumerate()
        .map(|(n, (label, row, measured))| {
            let times = (measured.ours.wall_ms.median, measured.peer.wall_ms.median);
            bar(TOP + n as f64 * ROW_HEIGHT, label, &row.peer.engine, times, measured.wall_ratio)
        })
        .collect();
    let height = TOP + bars.len() as f64 * ROW_HEIGHT + 8.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<title>Wall time against the peers</title>\n\
         <style>{STYLE}</style>\n\
         <text class=\"title\" x=\"12\" y=\"26\">Wall time, searchscope against its peers</text>\n\
         <text class=\"small\" x=\"12\" y=\"44\">{}; shorter is better, the peer is the whole bar</text>\n\
         {}</svg>\n",
        escaped(caption),
        bars.concat()
    )
}

fn bar(top: f64, label: &str, peer: &str, (ours, theirs): (f64, f64), ratio: f64) -> String {
    // A bar longer than the peer's must still fit.
    let longest = ratio.max(1.0);
    let width = |part: f64| (BAR_WIDTH * part / longest).max(1.0);
    let (ours_width, peer_width) = (width(ratio), width(1.0));
    let (ours, theirs) = (milliseconds(ours), milliseconds(theirs));
    let ratio = if ratio < 0.095 { format!("{ratio:.3}") } else { format!("{ratio:.2}") };
    let (first, second, middle) = (top + 11.0, top + 27.0, top + 20.0);
    let (label, peer) = (escaped(label), escaped(peer));
    format!(
        "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{label}</text>\n\
         <rect class=\"ours\" x=\"{BAR_LEFT}\" y=\"{top}\" width=\"{ours_width:.1}\" height=\"14\" rx=\"2\"/>\n\
         <rect class=\"peer\" x=\"{BAR_LEFT}\" y=\"{}\" width=\"{peer_width:.1}\" height=\"14\" rx=\"2\"/>\n\
         <text class=\"small\" x=\"{:.1}\" y=\"{first}\"><tspan class=\"ratio\">{ratio}</tspan>  {ours}</text>\n\
         <text class=\"small\" x=\"{:.1}\" y=\"{second}\">{peer} {theirs}</text>\n",
        BAR_LEFT - 10.0,
        top + 16.0,
        BAR_LEFT + ours_width + 6.0,
        BAR_LEFT + peer_width + 6.0,
    )
}

fn milliseconds(ms: f64) -> String {
    let digits = usize::from(ms < 100.0) + usize::from(ms < 10.0);
    format!("{ms:.digits$} ms")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_ratio_says() {
        let bar = bar(0.0, "a < b", "rg", (5.0, 20.0), 0.25);
        assert!(bar.contains("width=\"100.0\"") && bar.contains("width=\"400.0\""), "{bar}");
        assert!(bar.contains("a &lt; b") && bar.contains("5.00 ms") && bar.contains("20.0 ms"));
        let bar = super::bar(0.0, "slow", "rg", (40.0, 20.0), 2.0);
        assert!(bar.contains("width=\"400.0\"") && bar.contains("width=\"200.0\""), "{bar}");
    }
}
