//! Which position of an aromatic ring an electrophile takes.

use synthon_mol::{BondOrder, Element, Molecule};

use crate::selectivity::is_saturated;
use crate::sense::{Leaving, Place};

/// How much richer another position of the same ring must be, on the scale of [`influence`].
const SAME_RING: f64 = 1.0;
/// The same for a position of another ring.
const OTHER_RING: f64 = 2.0;
/// How much poorer a position is for standing between two substituents.
const CROWDED: f64 = 1.0;

/// Whether a halogen (`to`) takes the hydrogen ortho or para to the nitrogen of an azine that no
/// donor enriches.
pub(crate) fn halogenates_beside_nitrogen(ring: Place<'_>, to: Place<'_>) -> bool {
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

/// Whether an electrophile (`to`) goes to a poor position of a benzene ring.
pub(crate) fn misses_the_richest_position(ring: Place<'_>, to: Place<'_>) -> bool {
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
    use crate::trial::some_hold;

    const KETONE: &str = "[c:1]-[C:2](=[O:3])-[CH3:4]>>[cH:1].[C:2](=[O:3])(Cl)-[CH3:4]";
    const BROMIDE: &str = "[c:1]-[Br:2]>>[cH:1].[Br:2]Br";

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
