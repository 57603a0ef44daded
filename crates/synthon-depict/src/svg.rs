//! A scene as SVG text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use synthon_mol::is_steering;

use crate::DepictError;
use crate::check::check_svg;
use crate::drawing::{Drawing, HALO_ATOM, HALO_BOND, Ink, LINE};
use crate::geometry::{Point, add, direction, left, sub, times};
use crate::letters::CAPITALS;
use crate::scene::{Item, Scene};
use crate::theme::{DARK_INK, DARK_PAPER, HALO, HALO_OPACITY, Theme};

/// Thinnest line, in pixels.
const THINNEST: f64 = 0.8;

/// The style that turns a drawing dark with the reader's screen: paper and ink change together,
/// so that one is always legible on the other.
pub(crate) fn dark_style() -> String {
    format!(
        "@media(prefers-color-scheme:dark){{.p{{fill:{DARK_PAPER}}}.s{{stroke:{DARK_INK}}}.f{{fill:{DARK_INK}}}}}"
    )
}

/// Writes a scene as SVG, checked before it is returned: no script, no reference to anything
/// outside, no document type, at most 1 MiB.
///
/// # Errors
/// When the drawing is larger than that.
pub fn to_svg(scene: &Scene, theme: Theme) -> Result<String, DepictError> {
    let text = Writer::new(theme).write(scene);
    check_svg(&text)?;
    Ok(text)
}

struct Writer {
    out: String,
    theme: Theme,
    ink: &'static str,
}

impl Writer {
    fn new(theme: Theme) -> Self {
        Writer { out: String::with_capacity(8 << 10), theme, ink: theme.colours().1 }
    }

    fn write(mut self, scene: &Scene) -> String {
        let (width, height) = (number(scene.width), number(scene.height));
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">"
        );
        if let Some(title) = &scene.title {
            self.out.push_str("<title>");
            escape(&mut self.out, title);
            self.out.push_str("</title>");
        }
        if self.theme == Theme::Auto {
            let _ = write!(self.out, "<style>{}</style>", dark_style());
        }
        if let Some(paper) = self.theme.colours().0 {
            let _ = write!(
                self.out,
                "<rect class=\"p\" width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>"
            );
        }
        self.out.push_str(
            "<g font-family=\"Helvetica,Arial,Roboto,sans-serif\" text-anchor=\"middle\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">",
        );
        for item in &scene.items {
            match item {
                Item::Drawing { drawing, scale, origin } => self.drawing(drawing, *scale, *origin),
                Item::Arrow { from, to } => self.arrow(*from, *to),
                Item::Plus { middle, size } => {
                    let half = size / 2.0;
                    let data = format!(
                        "{}{}",
                        path(&[sub(*middle, [half, 0.0]), add(*middle, [half, 0.0])]),
                        path(&[sub(*middle, [0.0, half]), add(*middle, [0.0, half])])
                    );
                    self.strokes(&data, (size / 9.0).max(1.0));
                }
                Item::Text { text, middle, size } => {
                    let _ = write!(
                        self.out,
                        "<g class=\"f\" fill=\"{}\" font-size=\"{}\">",
                        self.ink,
                        number(*size)
                    );
                    self.text(text, *middle, *size);
                    self.out.push_str("</g>");
                }
            }
        }
        self.out.push_str("</g></svg>\n");
        self.out
    }

    fn strokes(&mut self, data: &str, width: f64) {
        if !data.is_empty() {
            let _ = write!(
                self.out,
                "<path class=\"s\" d=\"{data}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
                self.ink,
                number(width)
            );
        }
    }

    fn fills(&mut self, data: &str) {
        if !data.is_empty() {
            let _ = write!(self.out, "<path class=\"f\" d=\"{data}\" fill=\"{}\"/>", self.ink);
        }
    }

    /// A text with the middle of its capitals at a place.
    fn text(&mut self, text: &str, middle: Point, size: f64) {
        let (x, y) = (number(middle[0]), number(middle[1] + size * CAPITALS / 2.0));
        let _ = write!(self.out, "<text x=\"{x}\" y=\"{y}\">");
        escape(&mut self.out, text);
        self.out.push_str("</text>");
    }

    fn arrow(&mut self, from: Point, to: Point) {
        let axis = direction(from, to);
        let neck = sub(to, times(axis, 10.0));
        let across = times(left(axis), 4.0);
        self.strokes(&path(&[from, neck]), 1.6);
        self.fills(&format!("{}Z", path(&[to, add(neck, across), sub(neck, across)])));
    }

    fn drawing(&mut self, drawing: &Drawing, scale: f64, origin: Point) {
        let at = |p: Point| [origin[0] + p[0] * scale, origin[1] - p[1] * scale];
        self.halos(drawing, scale, at);
        let lines: String = drawing
            .strokes
            .iter()
            .map(|line| path(&line.iter().map(|p| at(*p)).collect::<Vec<_>>()))
            .collect();
        self.strokes(&lines, (LINE * scale).max(THINNEST));
        let fills: String = drawing
            .fills
            .iter()
            .map(|line| format!("{}Z", path(&line.iter().map(|p| at(*p)).collect::<Vec<_>>())))
            .collect();
        self.fills(&fills);
        // Letters of one colour and size share a group.
        let mut groups: BTreeMap<(Ink, u64), Vec<usize>> = BTreeMap::new();
        for (k, letters) in drawing.letters.iter().enumerate() {
            groups.entry((letters.ink, (letters.size * 1e6) as u64)).or_default().push(k);
        }
        for ((ink, _), members) in groups {
            let size = drawing.letters[members[0]].size * scale;
            let (class, fill) = match ink {
                Ink::Line => (" class=\"f\"", self.ink),
                Ink::Fixed(colour) => ("", colour),
            };
            let _ = write!(self.out, "<g{class} fill=\"{fill}\" font-size=\"{}\">", number(size));
            for k in members {
                let letters = &drawing.letters[k];
                self.text(&letters.text, at(letters.middle), size);
            }
            self.out.push_str("</g>");
        }
    }

    /// Halos lie below everything, in one group, so that overlaps are not darker.
    fn halos(&mut self, drawing: &Drawing, scale: f64, at: impl Fn(Point) -> Point) {
        if drawing.halo_atoms.is_empty() && drawing.halo_bonds.is_empty() {
            return;
        }
        let _ = write!(self.out, "<g fill=\"none\" stroke=\"{HALO}\" opacity=\"{HALO_OPACITY}\">");
        let bonds: String =
            drawing.halo_bonds.iter().map(|(a, b)| path(&[at(*a), at(*b)])).collect();
        let dots: String = drawing
            .halo_atoms
            .iter()
            .map(|p| {
                let p = at(*p);
                format!("M{} {}h0", number(p[0]), number(p[1]))
            })
            .collect();
        for (data, width) in [(bonds, HALO_BOND), (dots, HALO_ATOM)] {
            if !data.is_empty() {
                let _ = write!(
                    self.out,
                    "<path d=\"{data}\" stroke-width=\"{}\"/>",
                    number(width * scale)
                );
            }
        }
        self.out.push_str("</g>");
    }
}

/// A number with one decimal at most.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, tenths) = if tenths < 0 { ("-", -tenths) } else { ("", tenths) };
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// A line through points as path data.
fn path(points: &[Point]) -> String {
    let mut data = String::with_capacity(12 * points.len());
    for (k, p) in points.iter().enumerate() {
        let y = number(p[1]);
        let gap = if y.starts_with('-') { "" } else { " " };
        let _ = write!(data, "{}{}{gap}{y}", if k == 0 { "M" } else { "L" }, number(p[0]));
    }
    data
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // What XML does not allow at all.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if is_steering(c) => out.push(' '),
            c => out.push(c),
        }
    }
}
