//! A sheet in pixels with drawings, arrows and lines of text placed on it.

use synthon_mol::is_steering;

use crate::drawing::Drawing;
use crate::geometry::{Point, Rect};
use crate::letters;

/// Something on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Drawing {
        drawing: Drawing,
        /// Pixels of a bond.
        scale: f64,
        /// Where the drawing's own origin lies.
        origin: Point,
    },
    /// From the tail to the point.
    Arrow {
        from: Point,
        to: Point,
    },
    /// A plus sign of this size.
    Plus {
        middle: Point,
        size: f64,
    },
    Text {
        text: String,
        middle: Point,
        size: f64,
    },
}

/// A sheet: width and height in pixels, y down, and what stands on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) items: Vec<Item>,
    pub(crate) title: Option<String>,
}

impl Scene {
    /// An empty sheet.
    pub fn new(width: f64, height: f64) -> Scene {
        Scene { width: width.max(1.0), height: height.max(1.0), items: Vec::new(), title: None }
    }

    /// Names the sheet for readers who cannot see it.
    pub fn with_title(mut self, title: impl Into<String>) -> Scene {
        self.title = Some(title.into());
        self
    }

    /// Width in pixels.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The most pixels for a bond with which a drawing fits a room of this size.
    pub fn scale_to_fit(drawing: &Drawing, width: f64, height: f64) -> f64 {
        let bounds = drawing.bounds();
        let along = |room: f64, need: f64| if need > 1e-9 { room / need } else { f64::INFINITY };
        along(width, bounds.width()).min(along(height, bounds.height()))
    }

    /// Places a drawing in the middle of a room, with this many pixels for a bond.
    pub fn place(&mut self, drawing: Drawing, room: Rect, scale: f64) {
        let (middle, own) = (room.centre(), drawing.bounds().centre());
        let origin = [middle[0] - own[0] * scale, middle[1] + own[1] * scale];
        self.items.push(Item::Drawing { drawing, scale, origin });
    }

    /// An arrow, with the head at `to`.
    pub fn arrow(&mut self, from: Point, to: Point) {
        self.items.push(Item::Arrow { from, to });
    }

    /// A plus sign.
    pub fn plus(&mut self, middle: Point, size: f64) {
        self.items.push(Item::Plus { middle, size });
    }

    /// A line of text around `middle`, shortened to `width` where it is longer. Control characters
    /// and those that turn the direction of writing become blanks.
    pub fn text(&mut self, text: &str, middle: Point, size: f64, width: f64) {
        let text: String = text.chars().map(|c| if is_steering(c) { ' ' } else { c }).collect();
        let text = text.trim();
        let mut shown = String::new();
        let room = width - letters::width("...") * size;
        let fits = letters::width(text) * size <= width;
        for c in text.chars().take(400) {
            if !fits && letters::width(&shown) * size + letters::width("m") * size > room {
                break;
            }
            shown.push(c);
        }
        if shown.len() < text.len() {
            shown.push_str("...");
        }
        if !shown.is_empty() {
            self.items.push(Item::Text { text: shown, middle, size });
        }
    }

    /// Words in at most `most` lines of this width, for [`text`](Self::text), which shortens what
    /// is still too long. The last line holds all that is left.
    pub fn wrapped(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let fits = |line: &String| {
                (letters::width(line) + letters::width(" ") + letters::width(word)) * size <= width
            };
            let is_full = lines.len() >= most.max(1);
            match lines.last_mut() {
                Some(line) if is_full || fits(line) => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}
