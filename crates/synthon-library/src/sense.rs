//! Changes that no reaction makes, whatever a template says.
//!
//! Patent reactions are mapped by machine, and where an atom of the product comes from a reagent
//! that is not written, the map takes it from whatever is at hand: a methyl group from the solvent
//! tetrahydrofuran, from the base potassium carbonate or from sodium cyanoborohydride. Templates
//! extracted from these give precursors that balance and replay, and are nonsense. Others leave
//! out what a reaction needs, and then apply where it is missing. Both are told by what happens to
//! single atoms and to the bonds that are made.

use synthon_mol::{BondOrder, Element, Molecule};
use synthon_reaction::{Origin, Outcome};

use crate::ring_positions::is_activated;

/// Electrons by which a carbon may be reduced in a step that ties it to something new.
const MOST_REDUCTION: i32 = 3;

/// Why a step makes no sense; `None` where nothing speaks against it.
///
/// A carbon of the product that changes
/// - does not let go of a carbon that then leaves, unless as an acyl, carboxyl or cyano group for
///   a hydrogen, by the cleavage of a double bond, diol or acyloin to a carbonyl group, or from a
///   carbonyl group that stays one;
/// - is not reduced by four electrons while it is tied to a new atom;
/// - is no methyl group out of a silane, sulfide, phosphine or amine, onium salts apart, nor any
///   alkyl group out of a silane;
/// - is not reduced on one side of a heteroatom while another is oxidised on its other side;
/// - does not let go of fluoride where it is saturated, nor of any halide or sulfonate for a
///   nucleophile where it stands in a three-membered ring, nor of oxygen for hydrogen where it is
///   aromatic, sulfonates apart.
///
/// A chlorine of the product does not come from dichloromethane, chloroform or their like. A bond
/// between two carbons is not made of two halides, nor of two metal compounds, nor in place of an
/// aromatic amine, nor between an arene and a C-H of a six-membered ring, nor at a saturated carbon
/// with nothing beside it that makes its hydrogen acidic, nor by an electrophile at a double bond
/// that nothing enriches. A phenol is no electrophile.
pub(crate) fn absurdity(product: &Molecule, outcome: &Outcome) -> Option<&'static str> {
    let places = places(product, outcome);
    for &after in &outcome.changed_atoms {
        let Some(place) = places[after as usize] else { continue };
        let element = product.atom(after as usize).element();
        let reason = match element {
            Element::C => place.absurd_carbon(),
            Element::CL => place.is_solvent_chlorine(),
            _ => None,
        };
        if reason.is_some() {
            return reason;
        }
        if element == Element::N && place.trades_an_alkyl_group() {
            return Some("a nitrogen does not let go of an alkyl group for another");
        }
        if element != Element::C {
            if is_tied_both_ways(product, after as usize, &places) {
                return Some(
                    "of two carbons that are tied together one is not oxidised as the \
                             other is reduced",
                );
            }
            continue;
        }
        for neighbour in product.neighbours(after as usize) {
            let Some(other) =
                places[neighbour.atom()].filter(|_| neighbour.atom() > after as usize)
            else {
                continue;
            };
            if product.atom(neighbour.atom()).element() == Element::C
                && !place.was_tied_to(neighbour.atom())
                && let Some(reason) = absurd_bond(place, other)
            {
                return Some(reason);
            }
        }
    }
    None
}

/// The atoms of a product before and after the step; `None` for one that no precursor has.
pub(crate) fn places<'a>(product: &'a Molecule, outcome: &'a Outcome) -> Vec<Option<Place<'a>>> {
    let mut places = vec![None; product.atom_count()];
    for (which, (molecule, origins)) in outcome.precursors.iter().zip(&outcome.origins).enumerate()
    {
        for (before, origin) in origins.iter().enumerate() {
            let Origin::Product(after) = *origin else { continue };
            let after = after as usize;
            places[after] = Some(Place { which, molecule, origins, before, product, after });
        }
    }
    places
}

/// Aromatic carbons that a step ties to a carbon electrophile in place of their hydrogen, as in
/// the Friedel-Crafts reaction: precursor and atom.
pub(crate) fn attacked_arenes(product: &Molecule, outcome: &Outcome) -> Vec<(usize, u32)> {
    let places = places(product, outcome);
    let mut attacked = Vec::new();
    for place in outcome.changed_atoms.iter().filter_map(|&after| places[after as usize]) {
        let is_arene = place.molecule.atom(place.before).is_aromatic()
            && place.molecule.atom(place.before).element() == Element::C
            && place.leaving() == Leaving::Nothing;
        let by_electrophile = |neighbour: usize| {
            !place.was_tied_to(neighbour)
                && product.atom(neighbour).element() == Element::C
                && !product.atom(neighbour).is_aromatic()
                && places[neighbour].is_some_and(|other| {
                    matches!(other.leaving(), Leaving::Halide | Leaving::Other)
                })
        };
        if is_arene && product.neighbours(place.after).iter().any(|n| by_electrophile(n.atom())) {
            attacked.push((place.which, place.before as u32));
        }
    }
    attacked
}

/// Whether a heteroatom ties a carbon that is oxidised to one that is reduced, by two electrons or
/// more, so that a step would have to do both at once.
fn is_tied_both_ways(product: &Molecule, atom: usize, places: &[Option<Place<'_>>]) -> bool {
    let carbons = product.neighbours(atom).iter().filter_map(|n| {
        let is_carbon = product.atom(n.atom()).element() == Element::C;
        places[n.atom()].filter(|_| is_carbon)
    });
    let (mut oxidised, mut reduced) = (false, false);
    for carbon in carbons {
        let by = carbon.oxidised_by();
        oxidised |= by >= 2;
        reduced |= by <= -2;
    }
    oxidised && reduced
}

/// What is wrong with a new bond between two carbons.
fn absurd_bond(a: Place<'_>, b: Place<'_>) -> Option<&'static str> {
    let (a_loses, b_loses) = (a.leaving(), b.leaving());
    if a_loses == Leaving::Halide && b_loses == Leaving::Halide {
        return Some("two halides do not couple");
    }
    if a_loses == Leaving::Metal && b_loses == Leaving::Metal {
        return Some("two metal compounds do not couple");
    }
    if [a, b].into_iter().any(Place::loses_aryl_amine) {
        return Some("an aromatic amine does not leave for carbon");
    }
    let idle_ring =
        |place: Place<'_>, loses| loses == Leaving::Nothing && place.is_six_ring_arene();
    let is_aryl = |place: Place<'_>| place.molecule.atom(place.before).is_aromatic();
    if idle_ring(a, a_loses) && is_aryl(b) || idle_ring(b, b_loses) && is_aryl(a) {
        return Some("a six-membered ring is not arylated at a carbon-hydrogen bond");
    }
    let attacks = |alkene: Place<'_>, loses, other: Place<'_>, other_loses| {
        loses == Leaving::Nothing
            && alkene.is_poor_alkene()
            && other.is_plain_electrophile(other_loses)
    };
    if attacks(a, a_loses, b, b_loses) || attacks(b, b_loses, a, a_loses) {
        return Some("an electrophile does not replace the hydrogen of a plain alkene");
    }
    let inert = |place: Place<'_>, loses| loses == Leaving::Nothing && place.is_inert();
    (inert(a, a_loses) || inert(b, b_loses))
        .then_some("a carbon-hydrogen bond with nothing to make it acidic does not react")
}

/// What a carbon lets go of that is not in the product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    Nothing,
    Halide,
    Metal,
    Other,
}

/// An atom before and after a step.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Which precursor it is in.
    pub which: usize,
    pub molecule: &'a Molecule,
    origins: &'a [Origin],
    /// The atom there.
    pub before: usize,
    product: &'a Molecule,
    /// The atom in the product.
    pub after: usize,
}

impl Place<'_> {
    fn absurd_carbon(self) -> Option<&'static str> {
        for neighbour in self.molecule.neighbours(self.before) {
            if self.origins[neighbour.atom()] != Origin::New {
                continue;
            }
            let element = self.molecule.atom(neighbour.atom()).element();
            match element {
                Element::C if !self.may_let_go_of(neighbour.atom(), neighbour.bond()) => {
                    return Some("a carbon-carbon bond breaks for no reason");
                }
                Element::F if self.is_saturated() => {
                    return Some("an alkyl fluoride is no electrophile");
                }
                Element::SI | Element::N | Element::S | Element::P
                    if self.is_idle_alkyl_of(neighbour.atom()) =>
                {
                    return Some("an alkyl group does not come from there");
                }
                Element::O if self.is_ester_made_ether() => {
                    return Some("an ester is not reduced to an ether");
                }
                Element::O
                    if self.molecule.atom(self.before).is_aromatic()
                        && self.gains_hydrogen()
                        && !self.is_sulfonate(neighbour.atom()) =>
                {
                    return Some("an aryl-oxygen bond is not reduced");
                }
                Element::O
                    if self.is_six_ring_arene()
                        && self.has_new_neighbour()
                        && self.molecule.total_hydrogens(neighbour.atom()) > 0 =>
                {
                    return Some("a phenol is no electrophile");
                }
                Element::CL | Element::BR | Element::I | Element::O
                    if self.is_saturated()
                        && self.molecule.atom(self.before).smallest_ring() == 3
                        && self.gains_nucleophile() =>
                {
                    return Some("a three-membered ring is not substituted by way of its halide");
                }
                _ => {}
            }
        }
        (-self.oxidised_by() > MOST_REDUCTION && self.has_new_neighbour())
            .then_some("a carbon cannot be reduced so far while it is tied to a new atom")
    }

    /// Electrons that the step takes from a carbon.
    fn oxidised_by(self) -> i32 {
        oxidation(self.product, self.after) - oxidation(self.molecule, self.before)
    }

    /// Whether the atom is an alkyl carbon that a neutral heteroatom, which leaves, does not give
    /// away: a methyl group on nitrogen, sulfur or phosphorus, any with nothing beside the silicon
    /// to make it a nucleophile.
    fn is_idle_alkyl_of(self, gone: usize) -> bool {
        let from = self.molecule.atom(gone);
        let around = self.molecule.neighbours(self.before);
        let is_methyl = around.len() == 1;
        let activated = |atom: usize| {
            let mut bonds = self.molecule.neighbours(atom).iter();
            self.molecule.atom(atom).element() == Element::F
                || bonds.any(|n| self.molecule.bond(n.bond()).order() != BondOrder::Single)
        };
        from.charge() == 0
            && self.is_saturated()
            && self.has_new_neighbour()
            && (is_methyl
                || from.element() == Element::SI && !around.iter().any(|n| activated(n.atom())))
    }

    /// Whether the atom is the carbon of an open ester that becomes that of an ether.
    fn is_ester_made_ether(self) -> bool {
        let ties = |molecule: &Molecule, atom: usize, order: BondOrder| {
            let bonds = molecule.neighbours(atom).iter();
            let to_oxygen = bonds.filter(|n| {
                let bond = molecule.bond(n.bond());
                molecule.atom(n.atom()).element() == Element::O
                    && molecule.degree(n.atom()) + usize::from(order == BondOrder::Double) == 2
                    && bond.order() == order
                    && !bond.in_ring()
            });
            to_oxygen.count()
        };
        ties(self.molecule, self.before, BondOrder::Double) == 1
            && ties(self.molecule, self.before, BondOrder::Single) == 1
            && ties(self.product, self.after, BondOrder::Double) == 0
            && ties(self.product, self.after, BondOrder::Single) == 1
            && !self.has_new_neighbour()
    }

    /// Whether the atom, a nitrogen, is tied to something new while a plain alkyl group leaves:
    /// none that is benzylic, allylic, tertiary, acyl or an aminal's.
    fn trades_an_alkyl_group(self) -> bool {
        let is_plain = |carbon: usize| {
            let around = self.molecule.neighbours(carbon);
            let atom = self.molecule.atom(carbon);
            atom.element() == Element::C
                && !atom.is_aromatic()
                && around.len() < 4
                && around.iter().all(|n| {
                    let other = self.molecule.atom(n.atom());
                    let mut bonds = self.molecule.neighbours(n.atom()).iter();
                    n.atom() == self.before
                        || other.element() == Element::C
                            && bonds
                                .all(|b| self.molecule.bond(b.bond()).order() == BondOrder::Single)
                })
        };
        self.molecule.atom(self.before).charge() == 0
            && self.has_new_neighbour()
            && self
                .molecule
                .neighbours(self.before)
                .iter()
                .any(|n| self.origins[n.atom()] == Origin::New && is_plain(n.atom()))
    }

    fn is_solvent_chlorine(self) -> Option<&'static str> {
        let held_by_solvent = self.molecule.neighbours(self.before).iter().any(|n| {
            let carbon = self.molecule.atom(n.atom());
            self.origins[n.atom()] == Origin::New
                && carbon.element() == Element::C
                && self.molecule.total_hydrogens(n.atom()) > 0
        });
        held_by_solvent.then_some("a chlorinated solvent does not chlorinate")
    }

    /// Whether a carbon that leaves has a reason to.
    fn may_let_go_of(self, gone: usize, bond: usize) -> bool {
        let becomes_carbonyl = has_multiple(self.product, self.after, Element::O);
        if self.molecule.bond(bond).order() != BondOrder::Single {
            // Oxidative cleavage; metathesis has new neighbours.
            return becomes_carbonyl || self.has_new_neighbour();
        }
        if has_multiple(self.molecule, self.before, Element::O) {
            return becomes_carbonyl;
        }
        let is_acyl = has_multiple(self.molecule, gone, Element::O)
            || has_multiple(self.molecule, gone, Element::N);
        let oxygen_on = |atom: usize| {
            let mut around = self.molecule.neighbours(atom).iter();
            around.any(|n| self.molecule.atom(n.atom()).element() == Element::O)
        };
        is_acyl && !self.has_new_neighbour()
            || becomes_carbonyl && oxygen_on(self.before) && oxygen_on(gone)
    }

    /// Whether the precursor ties the atom to that of the product.
    pub fn was_tied_to(self, wanted: usize) -> bool {
        self.molecule
            .neighbours(self.before)
            .iter()
            .any(|n| self.origins[n.atom()] == Origin::Product(wanted as u32))
    }

    /// Whether the product ties the atom to one that it was not tied to.
    fn has_new_neighbour(self) -> bool {
        self.product.neighbours(self.after).iter().any(|n| !self.was_tied_to(n.atom()))
    }

    fn gains_nucleophile(self) -> bool {
        self.product.neighbours(self.after).iter().any(|n| {
            matches!(self.product.atom(n.atom()).element(), Element::N | Element::O | Element::S)
                && !self.was_tied_to(n.atom())
        })
    }

    /// Whether the step breaks the bond to this neighbour.
    pub fn loses(self, neighbour: usize) -> bool {
        match self.origins[neighbour] {
            Origin::New => true,
            Origin::Product(atom) => self.product.bond_between(self.after, atom as usize).is_none(),
        }
    }

    pub fn leaving(self) -> Leaving {
        let mut loses = Leaving::Nothing;
        for neighbour in self.molecule.neighbours(self.before) {
            if self.loses(neighbour.atom()) {
                loses = match self.molecule.atom(neighbour.atom()).element() {
                    Element::CL | Element::BR | Element::I => Leaving::Halide,
                    Element::B | Element::SN | Element::ZN | Element::MG | Element::LI => {
                        Leaving::Metal
                    }
                    _ => Leaving::Other,
                };
            }
        }
        loses
    }

    /// Whether the atom is a neutral, saturated carbon with a hydrogen, and no neighbour makes
    /// that acidic or easy to take.
    fn is_inert(self) -> bool {
        let atom = self.molecule.atom(self.before);
        let easy = |neighbour: usize| {
            let other = self.molecule.atom(neighbour);
            let mut bonds = self.molecule.neighbours(neighbour).iter();
            other.charge() > 0
                || match other.is_aromatic() {
                    true => self.is_acidified_by(neighbour),
                    false => {
                        bonds.any(|n| self.molecule.bond(n.bond()).order() != BondOrder::Single)
                    }
                }
                || !matches!(other.element(), Element::C | Element::N | Element::O | Element::H)
        };
        atom.charge() == 0
            && self.is_saturated()
            && atom.smallest_ring() != 3
            && self.molecule.total_hydrogens(self.before) > 0
            && self.gives_up_hydrogen()
            && !self.molecule.neighbours(self.before).iter().any(|n| easy(n.atom()))
    }

    /// Whether an aromatic neighbour makes the hydrogen of the atom acidic: an atom of a
    /// five-membered ring, or of a six-membered one that takes up charge, or one of two arenes.
    fn is_acidified_by(self, arene: usize) -> bool {
        let around = self.molecule.neighbours(self.before).iter();
        self.molecule.atom(arene).smallest_ring() != 6
            || is_activated(self.molecule, arene, true)
            || around.filter(|n| self.molecule.atom(n.atom()).is_aromatic()).count() > 1
    }

    /// Whether the atom is a carbon of a double bond that keeps it while the hydrogen is lost, with
    /// no nitrogen or oxygen on the bond to enrich it.
    fn is_poor_alkene(self) -> bool {
        let molecule = self.molecule;
        let is_rich = |atom: usize| {
            molecule
                .neighbours(atom)
                .iter()
                .any(|n| matches!(molecule.atom(n.atom()).element(), Element::N | Element::O))
        };
        self.gives_up_hydrogen()
            && has_multiple(molecule, self.before, Element::C)
            && has_multiple(self.product, self.after, Element::C)
            && !is_rich(self.before)
            && !molecule
                .neighbours(self.before)
                .iter()
                .any(|n| molecule.bond(n.bond()).order() == BondOrder::Double && is_rich(n.atom()))
            && molecule
                .neighbours(self.before)
                .iter()
                .all(|n| molecule.bond(n.bond()).order() != BondOrder::Triple)
    }

    /// Whether the atom is the carbon of an electrophile that is no aryl or vinyl halide.
    fn is_plain_electrophile(self, loses: Leaving) -> bool {
        matches!(loses, Leaving::Halide | Leaving::Other)
            && !self.molecule.atom(self.before).is_aromatic()
            && !has_multiple(self.molecule, self.before, Element::C)
    }

    /// Whether the atom is a carbon of an aromatic six-membered ring with no nitrogen beside it.
    fn is_six_ring_arene(self) -> bool {
        let atom = self.molecule.atom(self.before);
        let is_carbon = |n: &synthon_mol::Neighbour| {
            let other = self.molecule.atom(n.atom());
            !other.is_aromatic() || other.element() == Element::C
        };
        atom.is_aromatic()
            && atom.smallest_ring() == 6
            && self.molecule.neighbours(self.before).iter().all(is_carbon)
    }

    /// Whether a neutral amine leaves an aromatic carbon; diazonium salts and nitro groups are
    /// charged.
    fn loses_aryl_amine(self) -> bool {
        self.molecule.atom(self.before).is_aromatic()
            && self.molecule.neighbours(self.before).iter().any(|n| {
                let other = self.molecule.atom(n.atom());
                self.origins[n.atom()] == Origin::New
                    && other.element() == Element::N
                    && other.charge() == 0
            })
    }

    fn is_sulfonate(self, oxygen: usize) -> bool {
        let mut around = self.molecule.neighbours(oxygen).iter();
        around.any(|n| self.molecule.atom(n.atom()).element() == Element::S)
    }

    fn gains_hydrogen(self) -> bool {
        self.product.total_hydrogens(self.after) > self.molecule.total_hydrogens(self.before)
    }

    fn gives_up_hydrogen(self) -> bool {
        self.product.total_hydrogens(self.after) < self.molecule.total_hydrogens(self.before)
    }

    fn is_saturated(self) -> bool {
        self.molecule
            .neighbours(self.before)
            .iter()
            .all(|n| self.molecule.bond(n.bond()).order() == BondOrder::Single)
    }
}

/// Whether an atom has a double or triple bond to this element.
fn has_multiple(molecule: &Molecule, atom: usize, element: Element) -> bool {
    molecule.neighbours(atom).iter().any(|n| {
        molecule.atom(n.atom()).element() == element
            && matches!(molecule.bond(n.bond()).order(), BondOrder::Double | BondOrder::Triple)
    })
}

/// Oxidation number of a carbon atom: by its bonds to more and to less electronegative atoms.
fn oxidation(molecule: &Molecule, atom: usize) -> i32 {
    let mut number = i32::from(molecule.atom(atom).charge());
    number -= i32::try_from(molecule.total_hydrogens(atom)).unwrap_or(0);
    for neighbour in molecule.neighbours(atom) {
        let order = match molecule.bond(neighbour.bond()).kekule_order() {
            BondOrder::Double => 2,
            BondOrder::Triple => 3,
            _ => 1,
        };
        number += match molecule.atom(neighbour.atom()).element() {
            Element::C | Element::H => 0,
            Element::N
            | Element::O
            | Element::F
            | Element::S
            | Element::CL
            | Element::SE
            | Element::BR
            | Element::I => order,
            _ => -order,
        };
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::outcomes;

    /// Verdicts on what a template gives for a product.
    fn verdicts(template: &str, product: &str) -> Vec<Option<&'static str>> {
        let (product, outcomes) = outcomes(template, product);
        outcomes.iter().map(|outcome| absurdity(&product, outcome)).collect()
    }

    #[test]
    fn what_no_reaction_does_is_refused() {
        for (template, product) in [
            // Atoms taken from solvents, bases and hydrides.
            ("[C:1]-[O:2]-[CH3:3]>>[C:1]-[OH:2].C1CCO[CH2:3]1", "CC(C)OC"),
            ("[c:1]-[O:2]-[CH3:3]>>[c:1]-[OH:2].[CH3:3]C(C)(C)O", "COc1ccccc1"),
            ("[c:1]-[O:2]-[CH3:3]>>[c:1]-[OH:2].[CH0:3](=O)([O-])[O-]", "COc1ccccc1"),
            ("[CH2:1]-[N:2]-[CH3:3]>>[CH2:1]-[NH:2].[CH0:3](#N)[BH3-]", "CCN(CC)C"),
            ("[CH2:1]-[N:2]-[CH3:3]>>[CH2:1]-[NH:2].[CH3:3]C(=O)O", "CCN(CC)C"),
            ("[C:1]-[O:2]-[CH3:3]>>[C:1]-[OH:2].[CH3:3][Si](C)(C)NC(C)=O", "CC(C)OC"),
            ("[C:1]-[N:2]-[CH3:3]>>[C:1]-[NH:2].[CH3:3]N(C)C=O", "CCN(CC)C"),
            ("[C:1]-[N:2]-[CH3:3]>>[C:1]-[NH:2].[CH3:3]S(C)=O", "CCN(CC)C"),
            ("[C:1]-[O:2]-[CH2:3]-[C:4]>>[C:1]-[O:2]-[CH0:3](=O)-[C:4]", "COCCN"),
            ("[C:1](=[O:2])-[NH2:3]>>[C:1](=[O:2])-O.[NH0:3](CC)(CC)CC", "CC(N)=O"),
            // An ester of the wrong alcohol and the wrong acid.
            (
                "[C:1]-[C:2](=[O:3])-[O:4]-[CH2:5]-[c:6]>>[C:1]-[CH2:2]-[OH:3].[OH:4]-[C:5](=O)-[c:6]",
                "CC(=O)OCc1ccccc1",
            ),
            ("[c:1]-[CH3:2]>>[cH:1].[Li][CH2:2]CCC", "Cc1ccccc1"),
            ("[O:1]=[CH:2]-[c:3]>>[cH:3].[OH0:1]1[CH2:2]CCC1", "O=Cc1ccccc1"),
            ("[c:1]-[Cl:2]>>[cH:1].ClC(Cl)[Cl:2]", "Clc1ccccc1"),
            // Electrophiles that are none, and partners that do not react.
            ("[CH2:1]-[N:2]>>[CH2:1]F.[NH:2]", "CCN(CC)C"),
            ("[C:1]-[CH:2](-[C:3])-[n:4]>>[C:1]-[CH:2](-[C:3])-Br.[nH:4]", "C1CC1n1cccc1"),
            ("[cH:1]>>[c:1]O", "Cc1ccccc1"),
            ("[c:1]-[c:2]>>[c:1]Br.[c:2]I", "c1ccc(-c2ccccn2)cc1"),
            ("[c:1]-[c:2]>>[c:1]N.[cH:2]", "c1ccc(-c2ccccc2)cc1"),
            ("[c:1]-[c:2]>>[c:1]Br.[cH:2]", "c1ccc(-c2ccccc2)cc1"),
            ("[c:1]-[N:2]>>[c:1]O.[NH:2]", "c1ccc(N2CCOCC2)cc1"),
            // Hydrogens that are not acidic enough, and alkenes that are not rich enough.
            ("[c:1]-[CH2:2]-[C:3]=[O:4]>>[c:1]-[CH3:2].[C:3](=[O:4])OC", "CC(=O)Cc1ccccc1"),
            ("[C:1]=[C:2]-[CH:3]=[O:4]>>[C:1]=[CH:2].[CH:3](=[O:4])N(C)C", "C=C(C=O)C(=O)O"),
            ("[c:1]-[c:2]>>[c:1]B(O)O.[c:2]B(O)O", "c1ccc(-c2ccccn2)cc1"),
            (
                "[C:1](-[N:2])-[C:3](=[O:4])-[OH:5]>>[C:1]-[N:2].[CH:3](=[O:4])-[OH:5]",
                "CC(N)C(=O)O",
            ),
        ] {
            let found = verdicts(template, product);
            assert!(found.iter().all(Option::is_some), "{template}");
        }
    }

    #[test]
    fn reactions_that_exist_are_let_pass() {
        for (template, product) in [
            ("[cH:1]>>[c:1]C(=O)O", "c1ccccc1"),
            ("[cH:1]>>[c:1]OS(=O)(=O)C(F)(F)F", "Cc1ccccc1"),
            ("[C:1]-[CH2:2]-[OH:3]>>[C:1]-[CH0:2](=[O:3])OCC", "CCO"),
            ("[C:1]-[CH2:2]-[NH2:3]>>[C:1]-[CH0:2]#[N:3]", "CCN"),
            ("[C:1]-[CH:2]=[O:3]>>[C:1]-[CH:2]=C.[O:3]", "CC=O"),
            ("[C:1]-[CH:2]=[O:3]>>[C:1]-[CH:2]([OH:3])-CO", "CC=O"),
            ("[C:1]-[C:2](=[O:3])-[NH:4]>>[C:1]-[C:2](=[O:3])-C(Cl)(Cl)Cl.[NH2:4]", "CC(=O)NC"),
            ("[c:1]-[O:2]-[C:3]>>[c:1]F.[OH:2][C:3]", "COc1ccccn1"),
            ("[c:1]-[CH:2]=[O:3]>>[cH:1].[CH:2](=[O:3])N(C)C", "O=Cc1ccccc1"),
            ("[CH2:1]-[N:2]-[CH3:3]>>[CH2:1]-[NH:2].[CH2:3]=O", "CCN(CC)C"),
            ("[CH2:1]-[N:2]-[CH3:3]>>[CH2:1]-[NH:2].[CH3:3]I", "CCN(CC)C"),
            ("[CH2:1]-[N:2]-[CH3:3]>>[CH2:1]-[NH:2].[CH3:3][S+](C)(C)=O", "CCN(CC)C"),
            ("[c:1]-[CH2:2]-[C:3]=[O:4]>>[c:1]-[CH3:2].[C:3](=[O:4])OC", "CC(=O)Cc1ccccn1"),
            ("[c:1]-[CH2:2]-[C:3]=[O:4]>>[c:1]-[CH3:2].[C:3](=[O:4])OC", "CC(=O)Cc1ccccc1C#N"),
            ("[C:1]=[C:2]-[CH:3]=[O:4]>>[C:1]=[CH:2].[CH:3](=[O:4])N(C)C", "COC=C(C)C=O"),
            ("[C:1](=[O:2])-[NH:3]-[C:4]>>[C:1](=[O:2])-Cl.[NH0:3](Cc1ccccc1)-[C:4]", "CC(=O)NC"),
            ("[C:1]-[C:2]#[N:3]>>[C:1]-Br.[Si](C)(C)(C)[C:2]#[N:3]", "CCC#N"),
            ("[C:1]-[CH2:2]-[c:3]>>[C:1]-[CH2:2]-[NH2].[cH:3]", "CCc1ccccc1"),
            ("[c:1]-[Cl:2]>>[cH:1].O=C1CCC(=O)N1[Cl:2]", "Clc1ccccc1"),
            ("[c:1]-[c;r5:2]>>[c:1]Br.[cH:2]", "c1ccc(-c2ccco2)cc1"),
            ("[c:1]-[N:2]>>[c:1]O.[NH:2]", "c1ccc(N2CCOCC2)nc1"),
            ("[c:1]-[c:2]>>[c:1]Br.[c:2]B(O)O", "c1ccc(-c2ccccn2)cc1"),
            (
                "[C:1](=[O:2])-[CH2:3]-[CH2:4]-[C:5]>>[C:1](=[O:2])-[CH3:3].[CH2:4](I)-[C:5]",
                "CC(=O)CCC",
            ),
            ("[OH:1]-[CH2:2]-[CH2:3]-[C:4]>>[O:1]1-[CH2:2]-[CH2:3]1.[Mg+]-[C:4]", "OCCCC"),
            ("[C:1]-[CH:2](-[OH:3])-[CH3:4]>>[C:1]-[CH:2]=[O:3].[CH3:4][Mg+]", "CCC(C)O"),
        ] {
            let found = verdicts(template, product);
            assert!(found.iter().any(Option::is_none), "{template}: {found:?}");
        }
    }
}
