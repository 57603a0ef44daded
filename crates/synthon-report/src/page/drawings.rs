//! The drawings of a page: each is held once and referred to where it is shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use synthon_budget::Budget;
use synthon_depict::{Rect, Scene, SheetSize, Theme, to_svg};

use super::Escaped;
use crate::scheme::{Scheme, SchemeStep, drawing, scheme_figure};

/// Pixels of a bond in a tree, and of the target above it.
const SMALL_BOND: f64 = 18.5;
const LARGE_BOND: f64 = 27.0;
/// Most width and height of a molecule in a tree, and of the target.
const SMALL_ROOM: [f64; 2] = [176.0, 140.0];
const LARGE_ROOM: [f64; 2] = [380.0, 240.0];
const PADDING: f64 = 6.0;
/// Width of the drawing of a step.
const STEP_WIDTH: f64 = 860.0;

/// Drawings by what they show.
pub(super) struct Drawings<'b> {
    budget: &'b mut Budget,
    /// Name and size by what is drawn; `None` where it cannot be.
    known: BTreeMap<String, Option<Known>>,
    symbols: String,
}

#[derive(Clone)]
struct Known {
    name: String,
    width: f64,
    height: f64,
}

impl<'b> Drawings<'b> {
    pub fn new(budget: &'b mut Budget) -> Self {
        Drawings { budget, known: BTreeMap::new(), symbols: String::new() }
    }

    /// A molecule, or its text where it cannot be drawn.
    pub fn molecule(&mut self, smiles: &str, is_large: bool) -> String {
        let key = format!("{}{smiles}", if is_large { "large " } else { "small " });
        if !self.known.contains_key(&key) {
            let scene = self.scene(smiles, is_large);
            self.hold(&key, scene);
        }
        match &self.known[&key] {
            Some(known) => shown(known, &format!("Structure of {smiles}")),
            None => format!("<code class=\"undrawn\">{}</code>", Escaped(smiles)),
        }
    }

    fn scene(&mut self, smiles: &str, is_large: bool) -> Option<Scene> {
        let (most, room) = match is_large {
            true => (LARGE_BOND, LARGE_ROOM),
            false => (SMALL_BOND, SMALL_ROOM),
        };
        let drawing = drawing(smiles, None, self.budget).ok()?;
        let scale = Scene::scale_to_fit(&drawing, room[0], room[1]).min(most);
        let bounds = drawing.bounds();
        let width = (bounds.width() * scale + 2.0 * PADDING).max(40.0).ceil();
        let height = (bounds.height() * scale + 2.0 * PADDING).max(32.0).ceil();
        let mut scene = Scene::new(width, height);
        scene.place(drawing, Rect::new([0.0; 2], width, height), scale);
        Some(scene)
    }

    /// A step with what it changes highlighted; nothing where it cannot be drawn.
    pub fn step(&mut self, step: SchemeStep) -> String {
        let key = format!("step {step:?}");
        let label = format!("Scheme of step {}: {}", step.number, step.rule);
        if !self.known.contains_key(&key) {
            let scheme = Scheme { heading: String::new(), steps: vec![step] };
            let size = SheetSize { width: Some(STEP_WIDTH), height: None };
            let scene = scheme_figure(&[scheme], size, self.budget).ok();
            self.hold(&key, scene);
        }
        self.known[&key].as_ref().map_or_else(String::new, |known| shown(known, &label))
    }

    fn hold(&mut self, key: &str, scene: Option<Scene>) {
        let made = scene.and_then(|scene| {
            let svg = to_svg(&scene, Theme::Transparent).ok()?;
            // The outer element gives way to a symbol.
            let inner = svg.split_once('>')?.1.rsplit_once("</svg>")?.0.to_owned();
            Some((scene, inner))
        });
        let known = made.map(|(scene, inner)| {
            let known = Known {
                name: format!("d{}", self.known.len() + 1),
                width: scene.width(),
                height: scene.height(),
            };
            let Known { name, width, height } = &known;
            let _ = writeln!(
                self.symbols,
                "<symbol id=\"{name}\" viewBox=\"0 0 {width} {height}\">{inner}</symbol>"
            );
            known
        });
        self.known.insert(key.to_owned(), known);
    }

    /// All drawings, for the end of the page.
    pub fn definitions(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"symbols\" width=\"0\" height=\"0\" \
             aria-hidden=\"true\" focusable=\"false\">\n{}</svg>\n",
            self.symbols
        )
    }
}

fn shown(known: &Known, label: &str) -> String {
    let Known { name, width, height } = known;
    format!(
        "<svg class=\"drawing\" role=\"img\" aria-label=\"{}\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\"><use href=\"#{name}\"/></svg>",
        Escaped(label)
    )
}
