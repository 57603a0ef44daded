//! Ready-made sheets: one molecule, a mapped pair, a reaction, a grid.

use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::drawing::{DrawOptions, Drawing, draw};
use crate::geometry::Rect;
use crate::scene::Scene;
use crate::{DepictError, DepictErrorKind, Layout};

/// Pixels of a bond where there is room.
pub const BOND_PIXELS: f64 = 36.0;

/// Room around a drawing, in pixels.
const PADDING: f64 = 14.0;

/// Most molecules on one sheet.
pub const MAX_DRAWINGS: usize = 1_000;

/// Size of a sheet in pixels; what is not given follows from what is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SheetSize {
    /// Width.
    pub width: Option<f64>,
    /// Height.
    pub height: Option<f64>,
}

impl SheetSize {
    /// Both sides given.
    pub fn exactly(width: f64, height: f64) -> Self {
        SheetSize { width: Some(width), height: Some(height) }
    }
}

/// One molecule.
///
/// # Errors
/// When it cannot be laid out.
pub fn molecule_figure(
    molecule: &Molecule,
    options: &DrawOptions,
    size: SheetSize,
    budget: &mut Budget,
) -> Result<Scene, DepictError> {
    let drawing = draw(molecule, &Layout::new(molecule, budget)?, options);
    let bounds = drawing.bounds();
    let side = |given: Option<f64>, need: f64| {
        given.unwrap_or((need * BOND_PIXELS + 2.0 * PADDING).ceil().clamp(60.0, 8_000.0))
    };
    let mut scene =
        Scene::new(side(size.width, bounds.width()), side(size.height, bounds.height()));
    let room = Rect::new([0.0; 2], scene.width, scene.height).grown(-PADDING);
    let mut scale = fitting(&drawing, &room);
    if size == SheetSize::default() {
        scale = scale.min(BOND_PIXELS);
    }
    scene.place(drawing, room, scale);
    Ok(scene)
}

/// Most pixels of a bond on a sheet of a given size.
const MOST_PIXELS: f64 = 48.0;

fn fitting(drawing: &Drawing, room: &Rect) -> f64 {
    Scene::scale_to_fit(drawing, room.width(), room.height()).min(MOST_PIXELS)
}

/// What two molecules share: pairs of atoms, and the bonds of either that are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairMap {
    /// Atom of the first, atom of the second.
    pub atoms: Vec<(usize, usize)>,
    /// Bonds of the first, by index.
    pub first_bonds: Vec<usize>,
    /// Bonds of the second, by index.
    pub second_bonds: Vec<usize>,
}

/// Two molecules side by side (one above the other on a tall sheet), the second turned as the
/// first is, with what they share highlighted.
///
/// # Errors
/// When one cannot be laid out.
pub fn pair_figure(
    first: &Molecule,
    second: &Molecule,
    map: &PairMap,
    width: f64,
    height: f64,
    budget: &mut Budget,
) -> Result<Scene, DepictError> {
    let layout = Layout::new(first, budget)?;
    let aligned = Layout::aligned(second, &layout, &map.atoms, budget)?;
    let options = |atoms: Vec<usize>, bonds: &[usize]| DrawOptions {
        highlight_atoms: atoms,
        highlight_bonds: bonds.to_vec(),
        hide_atom_maps: false,
    };
    let left = options(map.atoms.iter().map(|pair| pair.0).collect(), &map.first_bonds);
    let right = options(map.atoms.iter().map(|pair| pair.1).collect(), &map.second_bonds);
    let drawings = [draw(first, &layout, &left), draw(second, &aligned, &right)];
    let mut scene = Scene::new(width, height);
    let rooms = if width >= height {
        // Each gets its share of the width.
        let need = |k: usize| drawings[k].bounds().width() + 1.0;
        let cut = (width * need(0) / (need(0) + need(1))).clamp(0.3 * width, 0.7 * width);
        [Rect::new([0.0; 2], cut, height), Rect::new([cut, 0.0], width - cut, height)]
    } else {
        let half = height / 2.0;
        [Rect::new([0.0; 2], width, half), Rect::new([0.0, half], width, half)]
    };
    let rooms = rooms.map(|room| room.grown(-PADDING));
    let scale = (0..2).map(|k| fitting(&drawings[k], &rooms[k])).fold(MOST_PIXELS, f64::min);
    for (drawing, room) in drawings.into_iter().zip(rooms) {
        scene.place(drawing, room, scale);
    }
    Ok(scene)
}

/// A reaction to draw.
#[derive(Clone, Debug, Default)]
pub struct Reaction {
    /// What goes in.
    pub reactants: Vec<Molecule>,
    /// What stands above the arrow.
    pub agents: Vec<Molecule>,
    /// What comes out.
    pub products: Vec<Molecule>,
}

/// A reaction: reactants with plus signs, an arrow with the agents above it, products. Where atoms
/// carry map numbers, products are turned as the reactant is from which most of their atoms come.
///
/// # Errors
/// When a molecule cannot be laid out, or there are too many.
pub fn reaction_figure(
    reaction: &Reaction,
    options: &DrawOptions,
    size: SheetSize,
    budget: &mut Budget,
) -> Result<Scene, DepictError> {
    check_count(reaction.reactants.len() + reaction.agents.len() + reaction.products.len())?;
    let lay_out = |molecules: &[Molecule], budget: &mut Budget| {
        molecules.iter().map(|m| Layout::new(m, budget)).collect::<Result<Vec<_>, _>>()
    };
    let reactants = lay_out(&reaction.reactants, budget)?;
    let mut products = Vec::new();
    for product in &reaction.products {
        let best = reaction
            .reactants
            .iter()
            .zip(&reactants)
            .map(|(reactant, layout)| (same_maps(reactant, product), layout))
            .max_by_key(|(map, _)| map.len());
        products.push(match best {
            Some((map, layout)) if map.len() > 1 => Layout::aligned(product, layout, &map, budget)?,
            _ => Layout::new(product, budget)?,
        });
    }
    let drawn = |molecules: &[Molecule], layouts: &[Layout]| -> Vec<Drawing> {
        molecules.iter().zip(layouts).map(|(m, l)| draw(m, l, options)).collect()
    };
    let left = drawn(&reaction.reactants, &reactants);
    let right = drawn(&reaction.products, &products);
    let above = drawn(&reaction.agents, &lay_out(&reaction.agents, budget)?);

    // Agents are drawn smaller.
    const AGENT: f64 = 0.7;
    const PLUS: f64 = 30.0;
    let wide = |d: &Drawing| d.bounds().width();
    let agents_wide = above.iter().map(wide).sum::<f64>() * AGENT + 0.6 * above.len() as f64;
    let agents_high = above.iter().map(|d| d.bounds().height()).fold(0.0, f64::max) * AGENT;
    let bonds: f64 = left.iter().chain(&right).map(wide).sum::<f64>() + agents_wide;
    let high = left.iter().chain(&right).map(|d| d.bounds().height()).fold(0.0, f64::max);
    let high = high.max(2.0 * agents_high + 0.5);
    let signs = (left.len().saturating_sub(1) + right.len().saturating_sub(1)) as f64;
    let fixed = signs * PLUS + 70.0 + 4.0 * PADDING;
    let width = size.width.unwrap_or((bonds * BOND_PIXELS + fixed).ceil().clamp(120.0, 8_000.0));
    let height =
        size.height.unwrap_or((high * BOND_PIXELS + 2.0 * PADDING).ceil().clamp(80.0, 8_000.0));
    let scale = ((width - fixed).max(1.0) / bonds.max(1e-6))
        .min((height - 2.0 * PADDING).max(1.0) / high.max(1e-6))
        .min(BOND_PIXELS);

    let mut scene = Scene::new(width, height);
    let middle = height / 2.0;
    let mut at = (width - bonds * scale - fixed) / 2.0 + PADDING;
    let row = |scene: &mut Scene, drawings: Vec<Drawing>, at: &mut f64| {
        for (k, drawing) in drawings.into_iter().enumerate() {
            if k > 0 {
                scene.plus([*at + PLUS / 2.0, middle], 11.0);
                *at += PLUS;
            }
            let wide = drawing.bounds().width() * scale;
            scene.place(drawing, Rect::new([*at, 0.0], wide, height), scale);
            *at += wide;
        }
    };
    row(&mut scene, left, &mut at);
    at += PADDING;
    let shaft = agents_wide * scale + 70.0;
    scene.arrow([at, middle], [at + shaft, middle]);
    let mut agent_at = at + 30.0 + 0.3 * scale;
    for drawing in above {
        let (wide, high) =
            (drawing.bounds().width() * scale * AGENT, drawing.bounds().height() * scale * AGENT);
        let room = Rect::new([agent_at, middle - 8.0 - high], wide, high);
        scene.place(drawing, room, scale * AGENT);
        agent_at += wide + 0.6 * scale;
    }
    at += shaft + PADDING;
    row(&mut scene, right, &mut at);
    Ok(scene)
}

/// Atoms with the same map number.
fn same_maps(from: &Molecule, to: &Molecule) -> Vec<(usize, usize)> {
    let mut by_map: Vec<(u32, usize)> = (0..from.atom_count())
        .map(|atom| (from.atom(atom).map(), atom))
        .filter(|(map, _)| *map != 0)
        .collect();
    by_map.sort_unstable();
    (0..to.atom_count())
        .filter_map(|atom| {
            let map = to.atom(atom).map();
            let found = by_map.binary_search_by_key(&map, |entry| entry.0).ok()?;
            (map != 0).then_some((by_map[found].1, atom))
        })
        .collect()
}

/// A drawing of a grid, with the line below it.
#[derive(Clone, Debug)]
pub struct Cell {
    drawing: Drawing,
    caption: String,
}

impl Cell {
    /// Draws a molecule, with a line below: shortened where it is too long, none if empty.
    ///
    /// # Errors
    /// When the molecule cannot be laid out.
    pub fn new(
        molecule: &Molecule,
        caption: impl Into<String>,
        options: &DrawOptions,
        budget: &mut Budget,
    ) -> Result<Cell, DepictError> {
        let drawing = draw(molecule, &Layout::new(molecule, budget)?, options);
        Ok(Cell { drawing, caption: caption.into() })
    }
}

/// Molecules in rows of `columns`, each in a cell of this size in pixels.
///
/// # Errors
/// When there are too many.
pub fn grid_figure(
    cells: Vec<Cell>,
    columns: usize,
    cell_width: f64,
    cell_height: f64,
) -> Result<Scene, DepictError> {
    const CAPTION: f64 = 13.0;
    check_count(cells.len())?;
    let columns = columns.clamp(1, cells.len().max(1));
    let rows = cells.len().div_ceil(columns).max(1);
    let mut scene = Scene::new(columns as f64 * cell_width, rows as f64 * cell_height);
    for (k, Cell { drawing, caption }) in cells.into_iter().enumerate() {
        let low = [(k % columns) as f64 * cell_width, (k / columns) as f64 * cell_height];
        let mut room = Rect::new(low, cell_width, cell_height).grown(-PADDING);
        if !caption.trim().is_empty() {
            room.high[1] -= CAPTION + 6.0;
            let middle = [low[0] + cell_width / 2.0, low[1] + cell_height - PADDING];
            scene.text(&caption, middle, CAPTION, cell_width - PADDING);
        }
        let scale = fitting(&drawing, &room);
        scene.place(drawing, room, scale);
    }
    Ok(scene)
}

fn check_count(count: usize) -> Result<(), DepictError> {
    if count <= MAX_DRAWINGS {
        return Ok(());
    }
    Err(DepictError::new(DepictErrorKind::TooLarge, format!("{count} molecules on one sheet"))
        .with_hint(format!("at most {MAX_DRAWINGS}")))
}
