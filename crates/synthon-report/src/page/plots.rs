//! Bar charts as SVG, with their figures in words for those who do not see them.

use std::fmt::Write as _;

use super::Escaped;

const WIDTH: f64 = 360.0;
const BAR: f64 = 22.0;
const GAP: f64 = 7.0;
/// Room of the names at the left and of the figures at the right.
const LEFT: f64 = 96.0;
const RIGHT: f64 = 84.0;

/// A bar of a chart.
pub(super) struct Bar {
    pub name: String,
    pub value: usize,
    /// Class of its colour.
    pub class: &'static str,
}

/// Lying bars, one below the other, each with its count and its share of `all`.
pub(super) fn chart(title: &str, bars: &[Bar], all: usize) -> String {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1) as f64;
    let height = bars.len() as f64 * (BAR + GAP) + GAP;
    let words: Vec<String> =
        bars.iter().map(|bar| format!("{}: {}", bar.name, bar.value)).collect();
    let mut out = format!(
        "<figure class=\"panel\"><figcaption><h2>{0}</h2></figcaption><svg class=\"plot\" \
         role=\"img\" aria-label=\"{0}. {1}\" viewBox=\"0 0 {WIDTH} {height}\">",
        Escaped(title),
        Escaped(&words.join("; "))
    );
    let _ = write!(
        out,
        "<path class=\"axis\" d=\"M{LEFT} 0V{height}\" fill=\"none\" stroke-width=\"1\"/>"
    );
    for (row, bar) in bars.iter().enumerate() {
        let top = GAP + row as f64 * (BAR + GAP);
        let length = (bar.value as f64 / most * (WIDTH - LEFT - RIGHT) * 10.0).round() / 10.0;
        let share = match all {
            0 => String::new(),
            all => format!(" ({:.0} %)", 100.0 * bar.value as f64 / all as f64),
        };
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><rect class=\"{}\" x=\"{LEFT}\" \
             y=\"{top}\" width=\"{length}\" height=\"{BAR}\"/><text x=\"{}\" y=\"{}\">{}{share}\
             </text>",
            LEFT - 6.0,
            top + BAR * 0.7,
            Escaped(&bar.name),
            bar.class,
            LEFT + length + 6.0,
            top + BAR * 0.7,
            bar.value
        );
    }
    out.push_str("</svg></figure>\n");
    out
}
