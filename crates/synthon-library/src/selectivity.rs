//! Which of several places reacts.
//!
//! A template shows the place that reacts and not those that would react sooner. Some of this is
//! decided by rank orders that hold whatever the conditions are: acyl groups and organometallic
//! compounds find a free amine before anything else, the weaker bond to a halogen couples first, fluoride leaves an
//! activated ring before the other halides, and an alcohol gives its oxygen up to an acidic N-H (in
//! the reaction of Mitsunobu), not to an amine. Where an electrophile goes on a ring is told in
//! [`crate::ring_positions`].

use synthon_mol::{BondOrder, Element, Molecule};
use synthon_reaction::Outcome;

use crate::ring_positions::{
    halogenates_beside_nitrogen, is_activated, misses_the_richest_position,
};
use crate::sense::{Leaving, Place, places};

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
        if tells_imide_carbonyls_apart(product, place) {
            return Some("an imide is not reduced at one of its acyl groups alone");
        }
        for neighbour in product.neighbours(place.after) {
            let Some(other) = places[neighbour.atom()] else { continue };
            if place.was_tied_to(neighbour.atom()) {
                continue;
            }
            let reason = passes_an_amine(product, place, other, &reacting, outcome)
                .or_else(|| alkylates_an_amine(place, other))
                .or_else(|| aminates_with_an_amide(product, place, other))
                .or_else(|| sulfonylates_a_urea(place, other))
                .or_else(|| spoils_an_organometallic(product, place, other, outcome))
                .or_else(|| leaves_the_weaker_bond(place, other))
                .or_else(|| leaves_the_better_fluoride(place, other))
                .or_else(|| keeps_its_mustard(product, place, other))
                .or_else(|| aminomethylates_an_azole(product, place, other));
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

/// A sulfonyl halide that is to take the nitrogen of a urea: it dehydrates the urea instead.
fn sulfonylates_a_urea(sulfonyl: Place<'_>, to: Place<'_>) -> Option<&'static str> {
    let molecule = to.molecule;
    let is_urea = |atom: usize| {
        let mut around = molecule.neighbours(atom).iter().filter(|n| n.atom() != to.before);
        has_carbonyl(molecule, atom)
            && around.any(|n| molecule.atom(n.atom()).element() == Element::N)
    };
    (sulfonyl.which != to.which
        && sulfonyl.molecule.atom(sulfonyl.before).element() == Element::S
        && sulfonyl.leaving() == Leaving::Halide
        && is_acyl(sulfonyl.molecule, sulfonyl.before)
        && molecule.atom(to.before).element() == Element::N
        && molecule.neighbours(to.before).iter().any(|n| is_urea(n.atom())))
    .then_some("a urea is dehydrated by a sulfonyl halide, not sulfonylated")
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

/// An amine with a halide two atoms away, which is to be alkylated or arylated and keep the halide:
/// it would close to an aziridine, or alkylate itself.
fn keeps_its_mustard(
    product: &Molecule,
    nitrogen: Place<'_>,
    carbon: Place<'_>,
) -> Option<&'static str> {
    let is_halide = |atom: usize| {
        matches!(product.atom(atom).element(), Element::CL | Element::BR | Element::I)
    };
    let is_haloethyl = |first: usize| {
        is_saturated(product, first)
            && nitrogen.was_tied_to(first)
            && product.neighbours(first).iter().any(|n| {
                let second = n.atom();
                second != nitrogen.after
                    && product.atom(second).element() == Element::C
                    && is_saturated(product, second)
                    && product.neighbours(second).iter().any(|n| is_halide(n.atom()))
            })
    };
    (product.atom(carbon.after).element() == Element::C
        && !is_acyl(product, carbon.after)
        && amine(nitrogen.molecule, nitrogen.before).is_some()
        && product.neighbours(nitrogen.after).iter().any(|n| is_haloethyl(n.atom())))
    .then_some("an amine with a halide two atoms away reacts with itself")
}

/// A Mannich reaction at a carbon of an azole with two nitrogens or more and no donor.
fn aminomethylates_an_azole(
    product: &Molecule,
    ring: Place<'_>,
    to: Place<'_>,
) -> Option<&'static str> {
    let molecule = ring.molecule;
    let is_poor_azole = |atoms: &[u32]| {
        let around = atoms.iter().flat_map(|&atom| molecule.neighbours(atom as usize));
        let nitrogens =
            atoms.iter().filter(|&&a| molecule.atom(a as usize).element() == Element::N);
        atoms.len() == 5
            && atoms.contains(&(ring.before as u32))
            && nitrogens.count() > 1
            && !around.into_iter().any(|n| {
                matches!(molecule.atom(n.atom()).element(), Element::N | Element::O)
                    && !atoms.contains(&(n.atom() as u32))
                    && is_saturated(molecule, n.atom())
            })
    };
    let ties_nitrogen = |atom: usize| {
        let mut around = product.neighbours(atom).iter();
        around.any(|n| product.atom(n.atom()).element() == Element::N)
    };
    (molecule.atom(ring.before).is_aromatic()
        && molecule.atom(ring.before).element() == Element::C
        && ring.leaving() == Leaving::Nothing
        && to.molecule.atom(to.before).element() == Element::C
        && has_carbonyl(to.molecule, to.before)
        && is_saturated(product, to.after)
        && ties_nitrogen(to.after)
        && molecule.rings().iter().any(is_poor_azole))
    .then_some("an azole without a donor is not aminomethylated at carbon")
}

/// Whether one acyl group of an open imide becomes an alkyl group while the other stays.
fn tells_imide_carbonyls_apart(product: &Molecule, carbon: Place<'_>) -> bool {
    let shares_ring = |a: usize, b: usize| {
        let rings = product.rings();
        rings.iter().any(|ring| ring.contains(&(a as u32)) && ring.contains(&(b as u32)))
    };
    has_carbonyl(carbon.molecule, carbon.before)
        && is_saturated(product, carbon.after)
        && product.atom(carbon.after).element() == Element::C
        && product
            .neighbours(carbon.after)
            .iter()
            .all(|n| !matches!(product.atom(n.atom()).element(), Element::O))
        && product.neighbours(carbon.after).iter().any(|n| {
            let nitrogen = n.atom();
            product.atom(nitrogen).element() == Element::N
                && carbon.was_tied_to(nitrogen)
                && product.neighbours(nitrogen).iter().any(|other| {
                    other.atom() != carbon.after
                        && product.atom(other.atom()).element() == Element::C
                        && is_acyl(product, other.atom())
                        && !is_carbonate(product, other.atom())
                        && !shares_ring(carbon.after, other.atom())
                })
        })
}

/// Whether an acyl carbon has a second heteroatom with a single bond, beside a nitrogen: that of a
/// carbamate or urea.
fn is_carbonate(molecule: &Molecule, acyl: usize) -> bool {
    let single = molecule.neighbours(acyl).iter().filter(|n| {
        matches!(molecule.atom(n.atom()).element(), Element::N | Element::O | Element::S)
            && molecule.bond(n.bond()).order() == BondOrder::Single
    });
    single.count() > 1
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

pub(crate) fn is_saturated(molecule: &Molecule, atom: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use crate::trial::some_hold;

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
    fn what_reacts_with_itself_is_not_coupled() {
        let aryl = "[c:1]-[NX3:2](-[CH2:3])-[CH2:4]>>[c:1]Br.[NH:2](-[CH2:3])-[CH2:4]";
        assert!(!some_hold(aryl, "OC(=O)CCCc1ccc(N(CCCl)CCCl)cc1"));
        assert!(some_hold(aryl, "OC(=O)CCCc1ccc(N(CCO)CCO)cc1"));
        let alkyl = "[CH2:1](-[CH2:2]-[Cl:3])-[N:4]>>[CH2:1](-[CH2:2]-[Cl:3])Br.[NH:4]";
        assert!(some_hold(alkyl, "ClCCN1CCOCC1"), "the halide comes with the electrophile");
        let phosphoryl = "[P:1]-[N:2](-[CH2:3])-[CH2:4]>>[P:1]Cl.[NH:2](-[CH2:3])-[CH2:4]";
        assert!(some_hold(phosphoryl, "ClCCN(CCCl)P1(=O)OCCCN1"));
    }

    #[test]
    fn azoles_ureas_and_imides_have_their_own_ways() {
        let mannich = "[c:1]-[CH2:2]-[N:3]>>[cH:1].[CH2:2]=O.[NH:3]";
        assert!(!some_hold(mannich, "CN(C)Cc1cn(-c2ccccc2)nc1C"));
        assert!(some_hold(mannich, "CN(C)Cc1c[nH]c2ccccc12"));
        assert!(some_hold(mannich, "CN(C)Cc1cn(-c2ccccc2)nc1O"));
        let amide = "[C:1]-[CH2:2]-[N;!R:3]>>[C:1]-[C:2](=O)-[N:3]";
        assert!(!some_hold(amide, "O=C(NCC1CCCN1C)c1ccccc1"));
        assert!(some_hold(amide, "O=C(OC(C)(C)C)NCC1CCCN1C"));
        assert!(some_hold(amide, "CN(C)CC1CCCN1C"));
        let sulfonyl = "[c:1]-[S:2]-[N:3]>>[c:1]-[S:2]Cl.[N:3]";
        assert!(!some_hold(sulfonyl, "NC(=O)NS(=O)(=O)c1ccccc1"));
        assert!(some_hold(sulfonyl, "CC(=O)NS(=O)(=O)c1ccccc1"));
        let lactam = "[c:1]-[CH2:2]-[N:3]>>[c:1]-[C:2](=O)-[N:3]";
        assert!(some_hold(lactam, "O=C1NCc2ccccc21"), "a cyclic imide is reduced to the lactam");
    }
}
