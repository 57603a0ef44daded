//! Which of several places reacts.
//!
//! A template shows the place that reacts and not those that would react sooner. Some of this is
//! decided by rank orders that hold whatever the conditions are: acyl groups and organometallic
//! compounds find a free amine before anything else, an electrophile goes to the position of a ring
//! that its substituents favour, the weaker bond to a halogen couples first, fluoride leaves an
//! activated ring before the other halides, and an alcohol gives its oxygen up to an acidic N-H (in
//! the reaction of Mitsunobu), not to an amine.

use synthon_mol::{BondOrder, Element, Molecule};
use synthon_reaction::Outcome;

use crate::sense::{Leaving, Place, places};

/// How much richer another position of the same ring must be, on the scale of [`influence`].
const SAME_RING: f64 = 1.0;
/// The same for a position of another ring.
const OTHER_RING: f64 = 2.0;
/// How much poorer a position is for standing between two substituents.
const CROWDED: f64 = 1.0;

/// Families of electrophilic aromatic substitution.
const SUBSTITUTIONS: [&str; 4] = ["friedel_crafts", "halogenation", "nitration", "sulfonation"];

/// Why something else would react; `None` where nothing is known to. A named template of another
/// `family` than those of electrophilic substitution says itself which positions of rings it takes.
pub(crate) fn misplaced(
    product: &Molecule,
    outcome: &Outcome,
    named_family: Option<&str>,
) -> Option<&'static str> {
    let places = places(product, outcome);
    let knows_rings = named_family.is_some_and(|family| !SUBSTITUTIONS.contains(&family));
    let changed = || outcome.changed_atoms.iter().filter_map(|&atom| places[atom as usize]);
    let reacting: Vec<(usize, usize)> = changed().map(|at| (at.which, at.before)).collect();
    for place in changed() {
        for neighbour in product.neighbours(place.after) {
            let Some(other) = places[neighbour.atom()] else { continue };
            if place.was_tied_to(neighbour.atom()) {
                continue;
            }
            let reason = passes_an_amine(product, place, other, &reacting, outcome)
                .or_else(|| alkylates_an_amine(place, other))
                .or_else(|| aminates_with_an_amide(product, place, other))
                .or_else(|| spoils_an_organometallic(product, place, other, outcome))
                .or_else(|| leaves_the_weaker_bond(place, other))
                .or_else(|| leaves_the_better_fluoride(place, other));
            if reason.is_some() {
                return reason;
            }
            if knows_rings {
                continue;
            }
            if misses_the_richest_position(place, other) {
                return Some("another position of the ring is more reactive");
            }
            if halogenates_beside_nitrogen(place, other) {
                return Some("halogens do not attack an azine beside its nitrogen");
            }
        }
    }
    None
}

/// An acyl group (`acyl`) that goes to something else although a free amine is there.
fn passes_an_amine(
    product: &Molecule,
    acyl: Place<'_>,
    to: Place<'_>,
    reacting: &[(usize, usize)],
    outcome: &Outcome,
) -> Option<&'static str> {
    if acyl.which == to.which
        || acyl.leaving() == Leaving::Nothing
        || !is_acyl(acyl.molecule, acyl.before)
        || !is_acyl(product, acyl.after)
    {
        return None;
    }
    let chosen = amine(to.molecule, to.before);
    let is_nitrogen = to.molecule.atom(to.before).element() == Element::N;
    match to.molecule.atom(to.before).element() {
        Element::N => {}
        // An acid and an alcohol may meet in strong acid, which keeps amines out.
        Element::O if !gives_up_hydroxyl(acyl) => {}
        // Acylation of an arene.
        Element::C
            if to.molecule.atom(to.before).is_aromatic() && to.leaving() == Leaving::Nothing =>
        {
            let has_amine = |m: &Molecule| (0..m.atom_count()).any(|atom| amine(m, atom).is_some());
            let is_passed = outcome.precursors.iter().any(has_amine) || is_basic_azole(to);
            return is_passed.then_some("a free nitrogen would be acylated instead");
        }
        _ => return None,
    }
    for (which, precursor) in outcome.precursors.iter().enumerate() {
        for atom in 0..precursor.atom_count() {
            if reacting.contains(&(which, atom)) || is_hindered(precursor, atom) {
                continue;
            }
            let Some(free) = amine(precursor, atom) else { continue };
            let own = which == acyl.which && free == Amine::Aliphatic;
            // Between an azole or amide N-H and an aniline it depends on the base.
            let better = free == Amine::Aliphatic && chosen != Some(Amine::Aliphatic)
                || free == Amine::Aromatic && chosen.is_none() && !is_nitrogen && which == to.which
                || own;
            if better {
                return Some("a free amine would be acylated instead");
            }
        }
    }
    None
}

/// An alcohol that alkylates an amine.
fn alkylates_an_amine(alkyl: Place<'_>, to: Place<'_>) -> Option<&'static str> {
    let aryls = |place: Place<'_>| {
        let around = place.molecule.neighbours(place.before).iter();
        around.filter(|n| place.molecule.atom(n.atom()).is_aromatic()).count()
    };
    let is_alcohol = alkyl.molecule.atom(alkyl.before).element() == Element::C
        && gives_up_hydroxyl(alkyl)
        && is_saturated(alkyl.molecule, alkyl.before);
    // Benzhydryl and trityl alcohols ionise in acid; rings may close.
    (is_alcohol
        && aryls(alkyl) < 2
        && alkyl.which != to.which
        && amine(to.molecule, to.before).is_some())
    .then_some("an alcohol does not alkylate an amine")
}

/// A ketone that is to take an amide, urea or sulfonamide in a reductive amination.
fn aminates_with_an_amide(
    product: &Molecule,
    ketone: Place<'_>,
    to: Place<'_>,
) -> Option<&'static str> {
    let is_amide = || {
        to.molecule.neighbours(to.before).iter().any(|n| {
            matches!(to.molecule.atom(n.atom()).element(), Element::C | Element::S)
                && has_carbonyl(to.molecule, n.atom())
        })
    };
    let is_carbon =
        |n: &&synthon_mol::Neighbour| ketone.molecule.atom(n.atom()).element() == Element::C;
    (ketone.which != to.which
        && to.molecule.atom(to.before).element() == Element::N
        && has_carbonyl(ketone.molecule, ketone.before)
        && ketone.molecule.neighbours(ketone.before).iter().filter(is_carbon).count() == 2
        && ketone.leaving() != Leaving::Nothing
        && is_saturated(product, ketone.after)
        && product.total_hydrogens(ketone.after) > 0
        && is_amide())
    .then_some("a ketone is not aminated with an amide")
}

/// An organometallic compound, made of a halide where none is shown, that is to be added to a
/// carbonyl group, or to an amide of Weinreb's kind, where something else takes it first: a free
/// amine, or a carbonyl or nitro group of the aryl halide itself.
fn spoils_an_organometallic(
    product: &Molecule,
    carbonyl: Place<'_>,
    to: Place<'_>,
    outcome: &Outcome,
) -> Option<&'static str> {
    let from = to.leaving();
    let takes = match carbonyl.leaving() {
        Leaving::Nothing => is_saturated(product, carbonyl.after),
        Leaving::Other => is_acyl(product, carbonyl.after),
        _ => false,
    };
    if !takes
        || to.molecule.atom(to.before).element() != Element::C
        || !matches!(from, Leaving::Metal | Leaving::Halide)
        || !has_carbonyl(carbonyl.molecule, carbonyl.before)
    {
        return None;
    }
    let has_amine = |molecule: &Molecule| {
        (0..molecule.atom_count()).any(|atom| amine(molecule, atom) == Some(Amine::Aliphatic))
    };
    if outcome.precursors.iter().any(has_amine) {
        return Some("a free amine destroys the organometallic compound");
    }
    let takes_metal = |atom: usize| {
        let held = to.molecule.atom(atom);
        let is_amide = || {
            let mut around = to.molecule.neighbours(atom).iter();
            around.any(|n| to.molecule.atom(n.atom()).element() == Element::N)
        };
        held.element() == Element::C && has_carbonyl(to.molecule, atom) && !is_amide()
            || held.element() == Element::N && held.charge() > 0 && !held.is_aromatic()
    };
    (from == Leaving::Halide
        && carbonyl.which != to.which
        && to.molecule.atom(to.before).is_aromatic()
        && (0..to.molecule.atom_count()).any(takes_metal))
    .then_some("the organometallic compound would react with itself")
}

/// A coupling with a metal compound in which a halide reacts and a weaker bond to a halogen does
/// not.
fn leaves_the_weaker_bond(halide: Place<'_>, to: Place<'_>) -> Option<&'static str> {
    let molecule = halide.molecule;
    if to.leaving() != Leaving::Metal || halide.which == to.which {
        return None;
    }
    let lost = lost_halogen(halide)?;
    let weaker: &[Element] = match lost {
        Element::CL if !is_activated(molecule, halide.before, false) => &[Element::BR, Element::I],
        Element::BR => &[Element::I],
        _ => return None,
    };
    let stays = |atom: usize| {
        weaker.contains(&molecule.atom(atom).element())
            && molecule
                .neighbours(atom)
                .iter()
                .any(|n| n.atom() != halide.before && molecule.atom(n.atom()).is_aromatic())
    };
    (0..molecule.atom_count())
        .any(stays)
        .then_some("the weaker bond to a halogen would react instead")
}

/// A nucleophile that displaces another halide of a ring from which it would displace fluoride.
fn leaves_the_better_fluoride(halide: Place<'_>, to: Place<'_>) -> Option<&'static str> {
    let molecule = halide.molecule;
    let is_nucleophile =
        matches!(to.molecule.atom(to.before).element(), Element::N | Element::O | Element::S);
    if !is_nucleophile
        || halide.which == to.which
        || lost_halogen(halide).is_none_or(|lost| lost == Element::F)
        || !is_activated(molecule, halide.before, true)
    {
        return None;
    }
    let holds_fluoride = |&atom: &u32| {
        let atom = atom as usize;
        let mut around = molecule.neighbours(atom).iter();
        around.any(|n| molecule.atom(n.atom()).element() == Element::F)
            && is_activated(molecule, atom, true)
    };
    molecule
        .rings()
        .iter()
        .filter(|ring| ring.contains(&(halide.before as u32)))
        .any(|ring| ring.iter().any(holds_fluoride))
        .then_some("fluoride would be displaced instead")
}

/// Whether a halogen (`to`) takes the hydrogen ortho or para to the nitrogen of an azine that no
/// donor enriches.
fn halogenates_beside_nitrogen(ring: Place<'_>, to: Place<'_>) -> bool {
    let molecule = ring.molecule;
    matches!(to.molecule.atom(to.before).element(), Element::CL | Element::BR | Element::I)
        && to.leaving() != Leaving::Nothing
        && ring.leaving() == Leaving::Nothing
        && molecule.atom(ring.before).is_aromatic()
        && is_activated(molecule, ring.before, false)
        && !molecule.rings().iter().filter(|r| r.contains(&(ring.before as u32))).any(|atoms| {
            atoms.iter().flat_map(|&atom| molecule.neighbours(atom as usize)).any(|n| {
                let other = molecule.atom(n.atom());
                !other.is_aromatic()
                    && matches!(other.element(), Element::N | Element::O)
                    && is_saturated(molecule, n.atom())
            })
        })
}

/// Whether a position of a six-membered aromatic ring is ortho or para to a neutral nitrogen of the
/// ring, or (`by_groups`) to a strong acceptor on it.
pub(crate) fn is_activated(molecule: &Molecule, at: usize, by_groups: bool) -> bool {
    let rings = molecule.rings();
    rings.iter().filter(|ring| ring.len() == 6 && ring.contains(&(at as u32))).any(|ring| {
        let place = ring.iter().position(|&atom| atom as usize == at).unwrap_or(0);
        [1, 3, 5].into_iter().any(|apart| {
            let atom = ring[(place + apart) % 6] as usize;
            let held = molecule.atom(atom);
            let is_aza = held.element() == Element::N && held.is_aromatic() && held.charge() == 0;
            let by_group = || {
                let mut around = molecule.neighbours(atom).iter();
                around.any(|n| {
                    !ring.contains(&(n.atom() as u32)) && influence(molecule, n.atom(), 3) <= -1.5
                })
            };
            held.is_aromatic() && (is_aza || by_groups && by_group())
        })
    })
}

/// The halogen that the step takes off an aromatic carbon.
fn lost_halogen(place: Place<'_>) -> Option<Element> {
    let molecule = place.molecule;
    if !molecule.atom(place.before).is_aromatic() {
        return None;
    }
    let mut around = molecule.neighbours(place.before).iter();
    let gone = around.find(|n| place.loses(n.atom()))?;
    let element = molecule.atom(gone.atom()).element();
    matches!(element, Element::F | Element::CL | Element::BR | Element::I).then_some(element)
}

/// Whether an electrophile (`to`) goes to a poor position of a benzene ring.
fn misses_the_richest_position(ring: Place<'_>, to: Place<'_>) -> bool {
    let molecule = ring.molecule;
    let electrophile = to.molecule.atom(to.before);
    let is_electrophile = match electrophile.element() {
        Element::C => {
            !electrophile.is_aromatic() && matches!(to.leaving(), Leaving::Halide | Leaving::Other)
        }
        Element::CL | Element::BR | Element::I | Element::S => true,
        Element::N => electrophile.charge() > 0,
        _ => false,
    };
    if ring.which == to.which
        || !is_electrophile
        || !molecule.atom(ring.before).is_aromatic()
        || ring.leaving() != Leaving::Nothing
    {
        return false;
    }
    let rings: Vec<&[u32]> =
        molecule.rings().iter().filter(|ring| is_lone_benzene(molecule, ring)).collect();
    let Some(own) = rings.iter().find(|atoms| atoms.contains(&(ring.before as u32))) else {
        return false;
    };
    let chosen = richness(molecule, own, ring.before);
    for atoms in &rings {
        let margin = if atoms == own { SAME_RING } else { OTHER_RING };
        let free = atoms.iter().filter(|&&atom| molecule.total_hydrogens(atom as usize) > 0);
        let mut richer = free.map(|&atom| richness(molecule, atoms, atom as usize));
        if richer.any(|other| other >= chosen + margin) {
            return true;
        }
    }
    false
}

/// Kinds of free amines, the more nucleophilic first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Amine {
    Aliphatic,
    Aromatic,
}

/// What kind of free amine an atom is, if it is one with a hydrogen and a free lone pair.
fn amine(molecule: &Molecule, atom: usize) -> Option<Amine> {
    let nitrogen = molecule.atom(atom);
    if nitrogen.element() != Element::N
        || nitrogen.charge() != 0
        || nitrogen.is_aromatic()
        || molecule.total_hydrogens(atom) == 0
        || !is_saturated(molecule, atom)
    {
        return None;
    }
    let mut kind = Amine::Aliphatic;
    for neighbour in molecule.neighbours(atom) {
        let other = molecule.atom(neighbour.atom());
        if other.element() == Element::H {
            continue;
        }
        if other.element() != Element::C {
            return None;
        }
        if other.is_aromatic() {
            kind = Amine::Aromatic;
        } else if !is_saturated(molecule, neighbour.atom()) {
            return None;
        }
    }
    Some(kind)
}

/// Whether an atom is in a five-membered ring with an N-H and another nitrogen, which electrophiles
/// find first.
fn is_basic_azole(place: Place<'_>) -> bool {
    let molecule = place.molecule;
    molecule.rings().iter().any(|ring| {
        let nitrogens =
            || ring.iter().filter(|&&atom| molecule.atom(atom as usize).element() == Element::N);
        ring.len() == 5
            && ring.contains(&(place.before as u32))
            && nitrogens().count() > 1
            && nitrogens().any(|&atom| molecule.total_hydrogens(atom as usize) > 0)
    })
}

/// Whether an amine stands on a tertiary carbon, or between two branched ones.
fn is_hindered(molecule: &Molecule, atom: usize) -> bool {
    let branches = |carbon: usize| molecule.degree(carbon) - 1;
    let around = molecule.neighbours(atom);
    around.iter().any(|n| branches(n.atom()) > 2)
        || around.iter().filter(|n| branches(n.atom()) > 1).count() > 1
}

fn is_saturated(molecule: &Molecule, atom: usize) -> bool {
    let mut bonds = molecule.neighbours(atom).iter();
    bonds.all(|n| molecule.bond(n.bond()).order() == BondOrder::Single)
}

/// Whether an atom is the carbon of an acyl group, or the sulfur of a sulfonyl group.
fn is_acyl(molecule: &Molecule, atom: usize) -> bool {
    let held = molecule.atom(atom);
    !held.is_aromatic()
        && matches!(held.element(), Element::C | Element::S)
        && molecule.degree(atom) > 1
        && has_carbonyl(molecule, atom)
}

/// Whether an atom has a double bond to oxygen.
fn has_carbonyl(molecule: &Molecule, atom: usize) -> bool {
    molecule.neighbours(atom).iter().any(|n| {
        molecule.atom(n.atom()).element() == Element::O
            && molecule.bond(n.bond()).order() == BondOrder::Double
    })
}

/// Whether the step takes a hydroxyl group off an atom.
fn gives_up_hydroxyl(place: Place<'_>) -> bool {
    let molecule = place.molecule;
    molecule.neighbours(place.before).iter().any(|n| {
        molecule.atom(n.atom()).element() == Element::O
            && molecule.total_hydrogens(n.atom()) > 0
            && place.loses(n.atom())
    })
}

/// Whether a ring is a benzene ring that shares no bond with another aromatic ring.
fn is_lone_benzene(molecule: &Molecule, ring: &[u32]) -> bool {
    ring.len() == 6
        && ring.iter().all(|&atom| {
            let atom = atom as usize;
            let aromatic = molecule.neighbours(atom).iter();
            molecule.atom(atom).element() == Element::C
                && molecule.atom(atom).is_aromatic()
                && aromatic.filter(|n| molecule.bond(n.bond()).is_aromatic()).count() == 2
        })
}

/// How well a position of a benzene ring takes up an electrophile: the influences of all
/// substituents added, less where it stands between two of them.
fn richness(molecule: &Molecule, ring: &[u32], at: usize) -> f64 {
    let place = ring.iter().position(|&atom| atom as usize == at).expect("an atom of the ring");
    let is_taken = |apart: usize| {
        let beside = ring[(place + apart) % 6] as usize;
        molecule.degree(beside) > 2
    };
    let mut sum = if is_taken(1) && is_taken(5) { -CROWDED } else { 0.0 };
    for (other, &atom) in ring.iter().enumerate() {
        let apart = place.abs_diff(other).min(6 - place.abs_diff(other));
        for neighbour in molecule.neighbours(atom as usize) {
            if !ring.contains(&(neighbour.atom() as u32)) && apart > 0 {
                sum += influence(molecule, neighbour.atom(), apart);
            }
        }
    }
    sum
}

/// Influence of a substituent on a position 1 (ortho), 2 (meta) or 3 (para) bonds away: roughly
/// the logarithm of a partial rate factor, scaled so that 1 is a clear preference.
fn influence(molecule: &Molecule, atom: usize, apart: usize) -> f64 {
    let around = || molecule.neighbours(atom).iter();
    let has_acceptor = || {
        around().any(|n| {
            let other = n.atom();
            let mut bonds = molecule.neighbours(other).iter();
            matches!(molecule.atom(other).element(), Element::C | Element::S | Element::P)
                && bonds.any(|b| {
                    b.atom() != atom
                        && molecule.atom(b.atom()).element() == Element::O
                        && molecule.bond(b.bond()).order() == BondOrder::Double
                })
        })
    };
    let held = molecule.atom(atom);
    let donor = |strength: f64| match apart {
        1 => 0.85 * strength,
        3 => strength,
        _ => 0.0,
    };
    let acceptor = |strength: f64| if apart == 2 { -0.5 * strength } else { -strength };
    match held.element() {
        Element::N if held.charge() > 0 => acceptor(2.0),
        Element::N if !is_saturated(molecule, atom) => 0.0,
        Element::N | Element::O => donor(if has_acceptor() { 1.8 } else { 3.0 }),
        Element::S if is_saturated(molecule, atom) => donor(1.8),
        Element::S => acceptor(2.0),
        Element::F | Element::CL | Element::BR | Element::I => donor(0.5) - 0.3,
        Element::C if is_saturated(molecule, atom) => {
            let fluorines = around().filter(|n| molecule.atom(n.atom()).element() == Element::F);
            if fluorines.count() > 1 { acceptor(1.5) } else { donor(1.0) }
        }
        Element::C if held.is_aromatic() => donor(0.7),
        Element::C => {
            let mut to_hetero = around().filter(|n| {
                matches!(molecule.atom(n.atom()).element(), Element::O | Element::N | Element::S)
                    && molecule.bond(n.bond()).order() != BondOrder::Single
            });
            if to_hetero.next().is_some() { acceptor(1.5) } else { donor(0.7) }
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::outcomes;

    /// Whether anything that a template gives for a product goes where it should.
    fn some_hold(template: &str, product: &str) -> bool {
        let (product, outcomes) = outcomes(template, product);
        outcomes.iter().any(|outcome| misplaced(&product, outcome, None).is_none())
    }

    const AMIDE: &str = "[#6:1]-[C:2](=[O:3])-[NH:4]-[#6:5]>>[#6:1]-[C:2](=[O:3])-O.[NH2:4]-[#6:5]";
    const TERTIARY: &str =
        "[#6:1]-[C:2](=[O:3])-[NH0:4]-[#6:5]>>[#6:1]-[C:2](=[O:3])-O.[NH:4]-[#6:5]";
    const ESTER: &str = "[#6:1]-[C:2](=[O:3])-[O:4]-[#6:5]>>[#6:1]-[C:2](=[O:3])-Cl.[OH:4]-[#6:5]";
    const FISCHER: &str = "[#6:1]-[C:2](=[O:3])-[O:4]-[#6:5]>>[#6:1]-[C:2](=[O:3])-O.[OH:4]-[#6:5]";
    const COUPLING: &str = "[c:1]-[CH3:2]>>[c:1]-Cl.OB(O)[CH3:2]";
    const SNAR: &str = "[c:1]-[O:2]-[CH3:3]>>[c:1]-Cl.[OH:2]-[CH3:3]";
    const KETONE: &str = "[c:1]-[C:2](=[O:3])-[CH3:4]>>[cH:1].[C:2](=[O:3])(Cl)-[CH3:4]";
    const BROMIDE: &str = "[c:1]-[Br:2]>>[cH:1].[Br:2]Br";
    const ALCOHOL: &str = "[CH3:1]-[CH2:2]-[N:3]>>[CH3:1]-[CH2:2]-O.[NH:3]";

    #[test]
    fn acyl_groups_go_to_the_most_nucleophilic_nitrogen() {
        assert!(some_hold(AMIDE, "CC(=O)NCCc1ccc(N)cc1"), "the aliphatic amine before the aniline");
        assert!(!some_hold(AMIDE, "CC(=O)Nc1ccc(CCN)cc1"), "not the aniline before it");
        assert!(some_hold(AMIDE, "CC(=O)Nc1ccc(C(C)(C)N)cc1"), "a hindered amine waits");
        assert!(!some_hold(TERTIARY, "NCC(=O)N1CCOCC1"), "a free amino acid acylates itself");
        assert!(some_hold(TERTIARY, "Nc1ccc(C(=O)N2CCOCC2)cc1"), "an aminobenzoic acid does not");
        assert!(!some_hold(ESTER, "CC(=O)OCCN"));
        assert!(some_hold(ESTER, "CC(=O)OCCN(C)C"));
        assert!(some_hold(FISCHER, "NCC(=O)OC"), "in acid the amine is no nucleophile");
        let ketal = "[C:1]1-[NH:2]-[C:3]-[C:4]-[O:5]1>>[C:1]=O.[NH2:2]-[C:3]-[C:4]-[OH:5]";
        assert!(some_hold(ketal, "CC1(C)NCCO1"), "a ketone is no acyl group, and both ends react");
    }

    #[test]
    fn alcohols_alkylate_no_amines() {
        assert!(!some_hold(ALCOHOL, "CCN1CCNCC1"));
        assert!(some_hold(ALCOHOL, "CCN1C(=O)c2ccccc2C1=O"));
        assert!(some_hold("[CH3:1]-[CH2:2]-[N:3]>>[CH3:1]-[CH2:2]-Br.[NH:3]", "CCN1CCNCC1"));
    }

    #[test]
    fn amines_come_before_arenes_and_metals_before_nothing() {
        assert!(!some_hold(KETONE, "CC(=O)c1ccc(N)cc1"), "an aniline is acylated first");
        assert!(some_hold(KETONE, "CC(=O)c1ccc(NC(C)=O)cc1"));
        let azole = "[c:1]-[C:2](=[O:3])-[CH3:4]>>[cH:1].[C:2](=[O:3])(Cl)-[CH3:4]";
        assert!(!some_hold(azole, "CC(=O)c1c[nH]cn1") && some_hold(azole, "CC(=O)c1ccc[nH]1"));
        let grignard = "[C:1](-[OH:2])-[c:3]>>[C:1]=[O:2].Br[Mg][c:3]";
        assert!(!some_hold(grignard, "OC(c1ccccc1)C1CCNCC1"));
        assert!(some_hold(grignard, "OC(c1ccccc1)C1CCN(C)CC1"));
        let weinreb = "[C:1](=[O:2])-[c:3]>>[C:1](=[O:2])N(C)OC.Br[c:3]";
        assert!(!some_hold(weinreb, "CC(=O)c1ccccc1C(=O)OCC"));
        assert!(some_hold(weinreb, "CC(=O)c1ccccc1OC"));
        let amination = "[CH:1](-[C:2])(-[C:3])-[N:4]>>[C:1](-[C:2])(-[C:3])=O.[N:4]";
        assert!(!some_hold(amination, "CC(C)NC(=O)N1CCCCC1"));
        assert!(some_hold(amination, "CC(C)N1CCCCC1"));
    }

    #[test]
    fn halides_leave_in_their_order() {
        assert!(!some_hold(COUPLING, "Cc1ccc(Br)cc1"), "bromide couples before chloride");
        assert!(some_hold(COUPLING, "Cc1ccc(F)cc1"));
        assert!(some_hold(COUPLING, "Cc1ncc(Br)cn1"), "an activated chloride may");
        assert!(!some_hold(SNAR, "COc1cc(F)c(N)cc1[N+](=O)[O-]"), "fluoride leaves first");
        assert!(some_hold(SNAR, "COc1cc(C)c(N)cc1[N+](=O)[O-]"));
        assert!(!some_hold(BROMIDE, "Brc1ccncc1"));
        assert!(some_hold(BROMIDE, "Brc1cccnc1"));
        assert!(some_hold(BROMIDE, "Nc1ccc(Br)cn1"));
    }

    #[test]
    fn electrophiles_go_where_the_substituents_send_them() {
        for (template, yes, no) in [
            (KETONE, "COc1ccc(C(C)=O)cc1", "COc1cccc(C(C)=O)c1"),
            (KETONE, "Cc1ccc(C(C)=O)cc1", "Cc1cccc(C(C)=O)c1"),
            (KETONE, "COc1ccc(Cc2ccccc2F)cc1C(C)=O", "COc1ccc(Cc2ccc(F)c(C(C)=O)c2)cc1"),
            (KETONE, "CCc1ccc(C(C)=O)c(CC)c1", "CCc1cccc(CC)c1C(C)=O"),
            (BROMIDE, "Nc1ccc(Br)cc1", "Nc1cccc(Br)c1"),
            (BROMIDE, "O=[N+]([O-])c1cccc(Br)c1", "O=[N+]([O-])c1ccc(Br)cc1OC"),
        ] {
            assert!(some_hold(template, yes), "{yes}");
            assert!(!some_hold(template, no), "{no}");
        }
    }
}
