//! What a reaction changes, told so coarsely that reactions of one kind are told alike: bonds that
//! come, go or change, and the kinds of groups that leave, without the rest of the molecules.

use std::collections::BTreeMap;

use synthon_mol::{BondOrder, Molecule};
use synthon_reaction::MappedReaction;

/// The changes of a reaction in words, sorted.
pub(crate) fn change(reaction: &MappedReaction) -> String {
    let product = reaction.product();
    let at: BTreeMap<u32, usize> = (0..product.atom_count())
        .map(|atom| (product.atom(atom).map(), atom))
        .filter(|(map, _)| *map != 0)
        .collect();
    let mut from: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut words = Vec::new();
    for (place, reactant) in reaction.reactants().iter().enumerate() {
        let target = |atom: usize| at.get(&reactant.atom(atom).map()).copied();
        for atom in 0..reactant.atom_count() {
            let Some(kept) = target(atom) else { continue };
            from.insert(kept, (place, atom));
            for n in reactant.neighbours(atom) {
                let order = reactant.bond(n.bond()).order();
                match target(n.atom()) {
                    None => words.push(format!(
                        "{} loses {}{}",
                        kind(reactant, atom),
                        sign(order),
                        leaving(reactant, n.atom(), atom)
                    )),
                    Some(other) if atom < n.atom() => {
                        let now =
                            product.bond_between(kept, other).map(|b| product.bond(b).order());
                        if now != Some(order) {
                            let ends = pair(kind(reactant, atom), kind(reactant, n.atom()));
                            let now = now.map_or("nothing", sign);
                            words.push(format!("{ends} from {} to {now}", sign(order)));
                        }
                    }
                    Some(_) => {}
                }
            }
        }
    }
    for bond in product.bonds() {
        let (Some(a), Some(b)) = (from.get(&bond.begin()), from.get(&bond.end())) else { continue };
        let reactants = reaction.reactants();
        let joined = a.0 == b.0 && reactants[a.0].bond_between(a.1, b.1).is_some();
        if !joined {
            let ends = pair(kind(&reactants[a.0], a.1), kind(&reactants[b.0], b.1));
            words.push(format!("{ends} gains {}", sign(bond.order())));
        }
    }
    words.sort_unstable();
    words.join("; ")
}

fn pair(a: String, b: String) -> String {
    if a <= b { format!("{a} {b}") } else { format!("{b} {a}") }
}

fn sign(order: BondOrder) -> &'static str {
    match order {
        BondOrder::Double => "=",
        BondOrder::Triple => "#",
        BondOrder::Aromatic => ":",
        _ => "-",
    }
}

/// An atom by element and, for carbon, by what it is bound to manifoldly.
fn kind(molecule: &Molecule, atom: usize) -> String {
    let own = molecule.atom(atom);
    let symbol = own.element().symbol();
    if own.is_aromatic() {
        return symbol.to_ascii_lowercase();
    }
    let manifold = (own.atomic_number() == 6)
        .then(|| {
            molecule.neighbours(atom).iter().find_map(|n| {
                let order = molecule.bond(n.bond()).order();
                let other = molecule.atom(n.atom()).atomic_number();
                match (order, other) {
                    (BondOrder::Triple, _) => Some("#"),
                    (BondOrder::Double, 6) => Some("="),
                    (BondOrder::Double, _) => Some("=O"),
                    _ => None,
                }
            })
        })
        .flatten();
    format!("{symbol}{}", manifold.unwrap_or_default())
}

/// The kind of a group that leaves, by its first atoms.
fn leaving(molecule: &Molecule, atom: usize, seen_from: usize) -> &'static str {
    let behind = |wanted: &dyn Fn(u8) -> bool| {
        molecule
            .neighbours(atom)
            .iter()
            .any(|n| n.atom() != seen_from && wanted(molecule.atom(n.atom()).atomic_number()))
    };
    let has_oxo = molecule.neighbours(atom).iter().any(|n| {
        molecule.bond(n.bond()).order() == BondOrder::Double
            && molecule.atom(n.atom()).atomic_number() != 6
    });
    match molecule.atom(atom).atomic_number() {
        9 => "fluoride",
        17 | 35 | 53 => "halide",
        5 => "boron",
        14 => "silyl",
        50 => "tin",
        3 | 12 | 29 | 30 => "metal",
        15 => "phosphorus",
        // Sulfonates leave as halides do, and borates are boronic acids.
        8 if behind(&|n| n == 16) => "halide",
        8 if behind(&|n| n == 5) => "boron",
        8 if behind(&|n| n == 15) => "phosphorus",
        8 if behind(&|n| n == 14) => "silyl oxide",
        8 if behind(&|n| n == 6) => "alkoxide",
        8 => "oxygen",
        16 if has_oxo => "sulfonyl",
        16 => "sulfur",
        7 if behind(&|n| n == 8) => "nitro",
        7 => "nitrogen",
        6 if has_oxo && behind(&|n| n == 8) => "carboxyl",
        6 => "carbon",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        change(&MappedReaction::from_smiles(text).expect(text))
    }

    #[test]
    fn reactions_of_one_kind_are_told_alike() {
        let bromide = told(
            "Br[c:1]1[cH:2][cH:3][cH:4][cH:5][cH:6]1.OB(O)[c:7]1[cH:8][cH:9][cH:10][cH:11][n:12]1\
             >>[c:1]1([cH:2][cH:3][cH:4][cH:5][cH:6]1)-[c:7]1[cH:8][cH:9][cH:10][cH:11][n:12]1",
        );
        let triflate_with_pinacol = told(
            "CC1(C)OB([c:7]2[cH:8][cH:9][s:10][cH:11]2)OC1(C)C.FC(F)(F)S(=O)(=O)O[c:1]1[cH:2][cH:3][cH:4][cH:5][n:6]1\
             >>[c:1]1([cH:2][cH:3][cH:4][cH:5][n:6]1)-[c:7]1[cH:8][cH:9][s:10][cH:11]1",
        );
        assert_eq!(bromide, triflate_with_pinacol);
        assert_eq!(bromide, "c c gains -; c loses -boron; c loses -halide");
        let amine = "[NH2:1][CH3:2]";
        let acid =
            told(&format!("{amine}.O[C:3](=[O:4])[CH3:5]>>[CH3:2][NH:1][C:3](=[O:4])[CH3:5]"));
        let chloride =
            told(&format!("{amine}.Cl[C:3](=[O:4])[CH3:5]>>[CH3:2][NH:1][C:3](=[O:4])[CH3:5]"));
        assert_ne!(acid, chloride);
        assert_eq!(told("[CH3:1][CH:2]=[O:3]>>[CH3:1][CH2:2][OH:3]"), "C=O O from = to -");
    }
}
