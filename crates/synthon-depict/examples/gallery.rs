//! Draws what stands in lines of standard input into PNG files of a folder, to be looked at:
//! `name TAB SMILES`, `name TAB SMILES TAB SMILES` for a pair with the atoms of equal map numbers
//! highlighted, or `name TAB reactants>agents>products`.
//!
//!     cargo run -p synthon-depict --example gallery -- FOLDER [light|dark|transparent]
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;

use synthon_budget::Budget;
use synthon_depict::{
    DrawOptions, PairMap, Reaction, Scene, SheetSize, Theme, molecule_figure, pair_figure,
    reaction_figure, to_png, to_svg,
};
use synthon_mol::Molecule;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("a folder is needed")?);
    let theme = match arguments.next().as_deref() {
        Some("dark") => Theme::Dark,
        Some("transparent") => Theme::Transparent,
        _ => Theme::Light,
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut fields = line.split('\t');
        let (Some(name), Some(text)) = (fields.next(), fields.next()) else { continue };
        let scene = scene(text, fields.next())?;
        let svg = to_svg(&scene, theme)?;
        std::fs::write(folder.join(format!("{name}.png")), to_png(&scene, theme, 1.5)?)?;
        println!("{name}: {} by {}, {} bytes", scene.width(), scene.height(), svg.len());
    }
    Ok(())
}

fn scene(text: &str, second: Option<&str>) -> Result<Scene, Box<dyn Error>> {
    let mut budget = Budget::unlimited();
    let options = DrawOptions::default();
    if let Some(second) = second {
        let (first, second) = (Molecule::from_smiles(text)?, Molecule::from_smiles(second)?);
        let mut map = PairMap::default();
        for (a, atom) in first.atoms().iter().enumerate().filter(|(_, atom)| atom.map() != 0) {
            let partner = second.atoms().iter().position(|other| other.map() == atom.map());
            map.atoms.extend(partner.map(|b| (a, b)));
        }
        for (index, bond) in first.bonds().iter().enumerate() {
            let image = |a| map.atoms.iter().find(|pair| pair.0 == a).map(|pair| pair.1);
            if let (Some(a), Some(b)) = (image(bond.begin()), image(bond.end()))
                && let Some(other) = second.bond_between(a, b)
            {
                map.first_bonds.push(index);
                map.second_bonds.push(other);
            }
        }
        return Ok(pair_figure(&first, &second, &map, 800.0, 360.0, &mut budget)?);
    }
    if text.contains('>') && !text.contains("->") {
        let parts: Vec<&str> = text.split('>').collect();
        let side = |part: &str| -> Result<Vec<Molecule>, synthon_mol::MolError> {
            part.split('.').filter(|t| !t.is_empty()).map(Molecule::from_smiles).collect()
        };
        let reaction = Reaction {
            reactants: side(parts[0])?,
            agents: side(parts[1])?,
            products: side(parts[2])?,
        };
        return Ok(reaction_figure(&reaction, &options, SheetSize::default(), &mut budget)?);
    }
    let molecule = Molecule::from_smiles(text)?;
    Ok(molecule_figure(&molecule, &options, SheetSize::default(), &mut budget)?)
}
