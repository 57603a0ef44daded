//! A route as a drawn scheme: one step a row, in the order in which they are run. Steps carry the
//! numbers that they have in the route, where the first one makes the target.

use synthon_budget::Budget;
use synthon_depict::{
    DepictError, DepictErrorKind, DrawOptions, Drawing, Layout, Rect, Scene, SheetSize, draw,
};
use synthon_mol::Molecule;
use synthon_plan::{BondChanges, InStock, Leaf, Route, Step, bond_changes};

/// Width of a scheme when none is asked for, in pixels.
pub const DEFAULT_WIDTH: f64 = 900.0;

/// Room around everything and between rows.
const PADDING: f64 = 14.0;
/// Column of the step numbers.
const GUTTER: f64 = 30.0;
const PLUS: f64 = 26.0;
const ARROW: f64 = 172.0;
/// Size of letters: names, and what stands below them.
const LETTERS: f64 = 12.5;
const SMALL: f64 = 11.0;
const HEADING: f64 = 15.0;
/// Distance of lines of text, of their size.
const LEADING: f64 = 1.3;
/// Lines above and below an arrow.
const ABOVE: usize = 2;
const BELOW: usize = 4;
/// Least width of a molecule, so that its stock state fits below.
const BLOCK: f64 = 84.0;
/// Pixels of a bond: most, and the size at which the target goes into a line of its own.
const MOST: f64 = 30.0;
const CRAMPED: f64 = 19.0;
const LEAST: f64 = 3.0;

/// One step of a scheme.
#[derive(Clone, Debug, Default)]
pub struct SchemeStep {
    /// Its number.
    pub number: usize,
    /// SMILES of what it makes.
    pub target: String,
    /// SMILES of what it starts from.
    pub precursors: Vec<String>,
    /// What stands above the arrow.
    pub rule: String,
    /// What stands below it.
    pub conditions: Option<String>,
    /// Stock state of each precursor; `None` for one that another step makes.
    pub stock: Vec<Option<InStock>>,
    /// What is highlighted.
    pub changes: Option<BondChanges>,
}

impl SchemeStep {
    /// A step of a route that ends in these leaves.
    pub fn new(number: usize, step: &Step, leaves: &[Leaf]) -> Self {
        SchemeStep {
            number,
            target: step.target.clone(),
            precursors: step.precursors.clone(),
            rule: step.rule.clone(),
            conditions: step.conditions.as_ref().map(|known| known.text.clone()),
            stock: stock_of(&step.precursors, leaves),
            changes: bond_changes(step),
        }
    }
}

/// Stock states of molecules, in their order.
pub fn stock_of(smiles: &[String], leaves: &[Leaf]) -> Vec<Option<InStock>> {
    smiles
        .iter()
        .map(|text| leaves.iter().find(|leaf| leaf.smiles == *text).map(|leaf| leaf.in_stock))
        .collect()
}

/// Steps under a heading.
#[derive(Clone, Debug, Default)]
pub struct Scheme {
    /// Line above the steps; none if empty.
    pub heading: String,
    /// The steps in the order in which they are run, the one that makes the target last.
    pub steps: Vec<SchemeStep>,
}

impl Scheme {
    /// All steps of a route, without a heading.
    pub fn of(route: &Route) -> Self {
        let numbered = (1..).zip(&route.steps);
        let mut steps: Vec<SchemeStep> =
            numbered.map(|(number, step)| SchemeStep::new(number, step, &route.leaves)).collect();
        steps.reverse();
        Scheme { heading: String::new(), steps }
    }

    /// The same under a heading.
    pub fn under(mut self, heading: impl Into<String>) -> Self {
        self.heading = heading.into();
        self
    }
}

/// Draws routes one below the other. Without a height the sheet is as high as they need; with one
/// they are drawn smaller until they fit.
///
/// # Errors
/// When a molecule cannot be read or laid out, or the budget is spent.
pub fn scheme_figure(
    schemes: &[Scheme],
    size: SheetSize,
    budget: &mut Budget,
) -> Result<Scene, DepictError> {
    let width = size.width.unwrap_or(DEFAULT_WIDTH).max(200.0);
    let mut rows = Vec::new();
    for scheme in schemes {
        if !scheme.heading.is_empty() {
            rows.push(Row::Heading(&scheme.heading));
        }
        for step in &scheme.steps {
            rows.push(Row::Step(Drawn::new(step, budget)?));
        }
    }
    let mut most = MOST;
    let mut plans: Vec<Plan> = rows.iter().map(|row| row.plan(width, most)).collect();
    let total = |plans: &[Plan]| plans.iter().map(|plan| plan.height).sum::<f64>() + 2.0 * PADDING;
    if let Some(height) = size.height {
        while total(&plans) > height && most > LEAST {
            most *= 0.9;
            plans = rows.iter().map(|row| row.plan(width, most)).collect();
        }
    }
    let need = total(&plans);
    let height = size.height.unwrap_or(need.ceil());
    // Rows share what is left, or give way where even the smallest drawing is too high.
    let stretch = (height - 2.0 * PADDING).max(1.0) / (need - 2.0 * PADDING).max(1.0);
    let mut scene = Scene::new(width, height);
    let mut top = PADDING;
    for (row, plan) in rows.into_iter().zip(plans) {
        let room = plan.height * stretch;
        row.place(&mut scene, &plan, top + (room - plan.height) / 2.0, width);
        top += room;
    }
    Ok(scene)
}

enum Row<'s> {
    Heading(&'s str),
    Step(Drawn<'s>),
}

/// A step whose molecules were laid out.
struct Drawn<'s> {
    step: &'s SchemeStep,
    precursors: Vec<Drawing>,
    target: Drawing,
}

/// How large a row is drawn.
struct Plan {
    /// Pixels of a bond.
    scale: f64,
    /// Whether arrow and target stand in a line of their own.
    is_split: bool,
    /// Height of the line of precursors, and of the other one.
    lines: [f64; 2],
    height: f64,
}

impl Row<'_> {
    fn plan(&self, width: f64, most: f64) -> Plan {
        match self {
            Row::Heading(_) => {
                Plan { scale: 0.0, is_split: false, lines: [0.0; 2], height: 3.0 * HEADING }
            }
            Row::Step(drawn) => drawn.plan(width, most),
        }
    }

    fn place(self, scene: &mut Scene, plan: &Plan, top: f64, width: f64) {
        match self {
            Row::Heading(text) => {
                let middle = [width / 2.0, top + 1.2 * HEADING];
                scene.text(text, middle, HEADING, width - 2.0 * PADDING);
            }
            Row::Step(drawn) => drawn.place(scene, plan, top, width),
        }
    }
}

impl<'s> Drawn<'s> {
    fn new(step: &'s SchemeStep, budget: &mut Budget) -> Result<Self, DepictError> {
        let changes = step.changes.as_ref();
        let target = drawing(&step.target, changes.map(|c| c.target.as_slice()), budget)?;
        let mut precursors = Vec::with_capacity(step.precursors.len());
        for (which, smiles) in step.precursors.iter().enumerate() {
            let bonds = changes.and_then(|c| c.precursors.get(which)).map(Vec::as_slice);
            precursors.push(drawing(smiles, bonds, budget)?);
        }
        Ok(Drawn { step, precursors, target })
    }

    fn plan(&self, width: f64, most: f64) -> Plan {
        let room = width - 2.0 * PADDING - GUTTER;
        let left: Vec<f64> = self.precursors.iter().map(|d| d.bounds().width()).collect();
        let right = self.target.bounds().width();
        let signs = PLUS * left.len().saturating_sub(1) as f64;
        let wide = |bonds: f64, scale: f64| (bonds * scale).max(BLOCK);
        let first = |scale: f64| signs + left.iter().map(|w| wide(*w, scale)).sum::<f64>();
        let second = |scale: f64| ARROW + wide(right, scale);
        let fitting = |need: &dyn Fn(f64) -> f64| {
            let mut scale = most;
            while need(scale) > room && scale > LEAST {
                scale *= 0.95;
            }
            scale
        };
        let together = fitting(&|scale| first(scale) + second(scale));
        let apart = fitting(&|scale| first(scale).max(second(scale)));
        let is_split = together < CRAMPED.min(most) && apart > 1.15 * together;
        let scale = if is_split { apart } else { together };
        let high = |drawings: &[Drawing]| {
            drawings.iter().map(|d| d.bounds().height() * scale).fold(0.0, f64::max)
        };
        let (above, below) = self.labels();
        let label = LEADING
            * (2.0 * (above.len() as f64 * LETTERS).max(below.len() as f64 * SMALL) + LETTERS);
        let caption = LEADING * SMALL + 6.0;
        let from = high(&self.precursors).max(24.0) + caption;
        let to = high(std::slice::from_ref(&self.target)).max(24.0).max(label);
        let lines = if is_split { [from, to + 8.0] } else { [from.max(to), 0.0] };
        Plan { scale, is_split, lines, height: lines[0] + lines[1] + 1.6 * PADDING }
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let room = ARROW - 26.0;
        let conditions = self.step.conditions.as_deref().unwrap_or_default();
        (
            Scene::wrapped(&self.step.rule, LETTERS, room, ABOVE),
            Scene::wrapped(conditions, SMALL, room, BELOW),
        )
    }

    fn place(self, scene: &mut Scene, plan: &Plan, top: f64, width: f64) {
        let scale = plan.scale;
        let caption = LEADING * SMALL + 6.0;
        let (above, below) = self.labels();
        let mut at = PADDING + GUTTER;
        let number = format!("{}.", self.step.number);
        let first = plan.lines[0] - caption;
        scene.text(&number, [PADDING + GUTTER / 2.0 - 4.0, top + first / 2.0], HEADING, GUTTER);
        for (which, drawing) in self.precursors.into_iter().enumerate() {
            if which > 0 {
                scene.plus([at + PLUS / 2.0, top + first / 2.0], 10.0);
                at += PLUS;
            }
            let wide = (drawing.bounds().width() * scale).max(BLOCK);
            scene.place(drawing, Rect::new([at, top], wide, first), scale);
            let words = match self.step.stock.get(which).copied().flatten() {
                Some(state) => state.in_words(),
                None => "made before",
            };
            scene.text(words, [at + wide / 2.0, top + first + caption / 2.0 + 2.0], SMALL, wide);
            at += wide;
        }
        let (mut top, mut high) = (top, first);
        if plan.is_split {
            top += plan.lines[0];
            high = plan.lines[1];
            at = PADDING + GUTTER;
        }
        let middle = top + high / 2.0;
        let (from, to) = (at + 12.0, at + ARROW - 12.0);
        scene.arrow([from, middle], [to, middle]);
        let centre = (from + to) / 2.0;
        for (line, words) in above.iter().rev().enumerate() {
            let y = middle - LETTERS * (0.75 + LEADING * line as f64);
            scene.text(words, [centre, y], LETTERS, ARROW - 26.0);
        }
        for (line, words) in below.iter().enumerate() {
            let y = middle + SMALL * (0.95 + LEADING * line as f64);
            scene.text(words, [centre, y], SMALL, ARROW - 26.0);
        }
        at += ARROW;
        let wide = (self.target.bounds().width() * scale).max(BLOCK).min(width - at);
        scene.place(self.target, Rect::new([at, top], wide, high), scale);
    }
}

/// A molecule with these bonds highlighted.
pub(crate) fn drawing(
    smiles: &str,
    bonds: Option<&[[u32; 2]]>,
    budget: &mut Budget,
) -> Result<Drawing, DepictError> {
    let molecule = Molecule::from_smiles(smiles)
        .map_err(|error| DepictError::new(DepictErrorKind::Layout, format!("{smiles}: {error}")))?;
    let layout = Layout::new(&molecule, budget)?;
    let mut options = DrawOptions { hide_atom_maps: true, ..DrawOptions::default() };
    for [a, b] in bonds.unwrap_or_default() {
        let (a, b) = (*a as usize, *b as usize);
        let last = molecule.atom_count();
        if let Some(bond) = (a < last && b < last).then(|| molecule.bond_between(a, b)).flatten() {
            options.highlight_bonds.push(bond);
            options.highlight_atoms.extend([a, b]);
        }
    }
    options.highlight_atoms.sort_unstable();
    options.highlight_atoms.dedup();
    Ok(draw(&molecule, &layout, &options))
}
