//! The calls whose instructions `cargo xtask bench-guard` counts.
//!
//! Each call prepares its input and then does its work inside `guarded_call`, the only function
//! that callgrind counts in.
#![allow(clippy::print_stdout)]

use std::hint::black_box;

use anyhow::{Result, bail};
use benchmarks::{DRUGS, HARD, PATTERNS, TEMPLATES, drug_like, find_routes};
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::Pattern;
use synthon_reaction::{Scratch, Template};
use synthon_tools::Catalogue;

/// A name, and a function that prepares the work and hands it to [`guarded_call`].
type Call = (&'static str, fn() -> Result<()>);

const CALLS: &[Call] = &[
    ("parse_drug_like", parse_drug_like),
    ("parse_hard", parse_hard),
    ("canonical_drug_like", canonical_drug_like),
    ("canonical_hard", canonical_hard),
    ("compile_smarts", compile_smarts),
    ("match_smarts", match_smarts),
    ("load_templates", load_templates),
    ("apply_templates", apply_templates),
    ("first_find_routes", first_find_routes),
    ("find_routes", find_routes_of_drugs),
];

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("--list") => {
            for (name, _) in CALLS {
                println!("{name}");
            }
            Ok(())
        }
        Some(name) => match CALLS.iter().find(|(call, _)| *call == name) {
            Some((_, call)) => call(),
            None => bail!("no call `{name}`"),
        },
        None => bail!("name a call, or --list"),
    }
}

/// Where instructions count. Never inlined, so that callgrind finds it by its name.
#[inline(never)]
fn guarded_call(work: &mut dyn FnMut()) {
    work();
}

fn read_all(texts: impl Iterator<Item = &'static str>) -> Result<Vec<Molecule>> {
    Ok(texts.map(Molecule::from_smiles).collect::<Result<_, _>>()?)
}

fn parse(texts: impl Iterator<Item = &'static str> + Clone) -> Result<()> {
    read_all(texts.clone())?;
    guarded_call(&mut || {
        texts.clone().for_each(|text| drop(black_box(Molecule::from_smiles(text))));
    });
    Ok(())
}

fn canonical(texts: impl Iterator<Item = &'static str>) -> Result<()> {
    let molecules = read_all(texts)?;
    guarded_call(&mut || {
        molecules.iter().for_each(|molecule| drop(black_box(molecule.to_smiles())));
    });
    Ok(())
}

fn parse_drug_like() -> Result<()> {
    parse(drug_like())
}

fn parse_hard() -> Result<()> {
    parse(HARD.iter().map(|(_, text)| *text))
}

fn canonical_drug_like() -> Result<()> {
    canonical(drug_like())
}

fn canonical_hard() -> Result<()> {
    canonical(HARD.iter().map(|(_, text)| *text))
}

fn compile_smarts() -> Result<()> {
    guarded_call(&mut || {
        PATTERNS.iter().for_each(|smarts| drop(black_box(Pattern::from_smarts(smarts))));
    });
    Ok(())
}

fn match_smarts() -> Result<()> {
    let molecules = read_all(drug_like())?;
    let patterns = PATTERNS.iter().map(|smarts| Pattern::from_smarts(smarts));
    let patterns = patterns.collect::<Result<Vec<_>, _>>()?;
    guarded_call(&mut || {
        for molecule in &molecules {
            for pattern in &patterns {
                let mut budget = Budget::unlimited();
                drop(black_box(pattern.find_all(molecule, usize::MAX, &mut budget)));
            }
        }
    });
    Ok(())
}

fn templates() -> Result<Vec<Template>> {
    Ok(TEMPLATES.iter().map(|text| Template::from_smarts(text)).collect::<Result<_, _>>()?)
}

fn load_templates() -> Result<()> {
    guarded_call(&mut || drop(black_box(templates())));
    Ok(())
}

fn apply_templates() -> Result<()> {
    let (molecules, templates) = (read_all(drug_like())?, templates()?);
    let mut scratch = Scratch::new();
    guarded_call(&mut || {
        for molecule in &molecules {
            for template in &templates {
                let mut budget = Budget::unlimited();
                drop(black_box(template.apply(molecule, &mut scratch, &mut budget)));
            }
        }
    });
    Ok(())
}

/// What a fresh process does for its first answer.
fn first_find_routes() -> Result<()> {
    let mut found = Ok(0);
    guarded_call(&mut || found = find_routes(&Catalogue::shipped(), DRUGS[0].1, 20));
    found.map(drop)
}

fn find_routes_of_drugs() -> Result<()> {
    let catalogue = Catalogue::shipped();
    find_routes(&catalogue, DRUGS[0].1, 1)?;
    let mut found = Vec::new();
    guarded_call(&mut || {
        found.extend(DRUGS.iter().map(|(_, smiles)| find_routes(&catalogue, smiles, 20)));
    });
    found.into_iter().collect::<Result<Vec<_>>>().map(drop)
}
