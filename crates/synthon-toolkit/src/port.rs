//! A molecule of ours in the port's terms, and back.

use cosmolkit::{BondOrder as Order, BondStereo as Geometry, ChiralTag, SmilesParseParams};
use synthon_mol::{
    Atom, AtomOrder, AtomSpec, BondOrder, BondStereo, Chirality, Element, Hydrogens, Molecule,
    MoleculeBuilder, WriteOptions, write_smiles,
};

use crate::{ToolkitError, ToolkitErrorKind};

/// A molecule of the port with the atoms of ours that it stands for.
pub(crate) struct Ported {
    pub inner: cosmolkit::Molecule,
    /// Our atom for each atom of the port; `None` for a hydrogen that we fold into its neighbour
    /// and the port keeps as an atom, since it tells the geometry of a double bond.
    pub ours: Vec<Option<u32>>,
}

impl Ported {
    /// Hands the molecule over as SMILES in the order of its atoms, so that the port perceives
    /// it as it would perceive a user's text.
    pub(crate) fn new(molecule: &Molecule, atom_maps: bool) -> Result<Self, ToolkitError> {
        let options =
            WriteOptions { order: AtomOrder::Input, atom_maps, ..WriteOptions::default() };
        let written = write_smiles(molecule, &options);
        let params = SmilesParseParams {
            // Hydrogens that are atoms of the text are atoms of ours, or tell a geometry.
            remove_hs: false,
            allow_cxsmiles: false,
            parse_name: false,
            ..SmilesParseParams::default()
        };
        let inner = cosmolkit::Molecule::from_smiles_with_params(&written.text, &params)
            .map_err(|e| ToolkitError::refused("answer", e))?;
        let ours = align(molecule, &inner, &written.atom_order).ok_or_else(|| {
            ToolkitError::new(
                ToolkitErrorKind::Internal,
                "The toolkit read other atoms than were written",
            )
        })?;
        Ok(Ported { inner, ours })
    }

    /// The molecule that the port made of this one, with atoms in our order. Bonds keep the
    /// port's order.
    ///
    /// # Errors
    /// When a perceived molecule cannot be built of it.
    pub(crate) fn adopt(&self, inner: &cosmolkit::Molecule) -> Result<Molecule, ToolkitError> {
        let inconsistent = |reason: String| {
            ToolkitError::new(
                ToolkitErrorKind::Internal,
                format!("The toolkit returned no molecule: {reason}"),
            )
        };
        if inner.num_atoms() != self.ours.len() {
            return Err(inconsistent("atoms came or went".into()));
        }
        // Hydrogens that are not ours go last: building folds them away, and ours stay put.
        let mut extra = self.ours.iter().flatten().count();
        let place: Vec<usize> = self
            .ours
            .iter()
            .map(|ours| match ours {
                Some(atom) => *atom as usize,
                None => {
                    extra += 1;
                    extra - 1
                }
            })
            .collect();
        let mut specs = vec![AtomSpec::new(Element::WILDCARD); place.len()];
        for (atom, &at) in inner.atoms().iter().zip(&place) {
            specs[at] =
                spec(atom).ok_or_else(|| inconsistent("an atom without hydrogens".into()))?;
        }
        let mut builder = MoleculeBuilder::new();
        for spec in specs {
            builder.add_atom(spec);
        }
        for bond in inner.bonds() {
            let (mut begin, mut end) = (bond.begin().index(), bond.end().index());
            if bond.order() == Order::DativeLeft {
                std::mem::swap(&mut begin, &mut end);
            }
            builder.add_bond(place[begin], place[end], order(bond.order()));
        }
        for (index, bond) in inner.bonds().iter().enumerate() {
            builder.bond_mut(index).stereo = geometry(inner, bond);
        }
        builder.build().map_err(|e| inconsistent(e.to_string()))
    }
}

/// Our atom for each atom that the port read, given the order of ours in the text.
fn align(
    molecule: &Molecule,
    inner: &cosmolkit::Molecule,
    order: &[u32],
) -> Option<Vec<Option<u32>>> {
    let extra = inner.num_atoms().checked_sub(order.len())?;
    let mut rest = order.iter().copied().peekable();
    let mut skipped = 0;
    let mut ours = Vec::with_capacity(inner.num_atoms());
    for atom in inner.atoms() {
        let next = rest.peek().map(|&next| molecule.atom(next as usize));
        let same = next.is_some_and(|next: &Atom| {
            next.atomic_number() == atom.atomic_number()
                && u32::from(next.isotope()) == u32::from(atom.isotope().unwrap_or(0))
        });
        if same {
            ours.push(rest.next());
        } else if atom.atomic_number() == 1 && skipped < extra {
            skipped += 1;
            ours.push(None);
        } else {
            return None;
        }
    }
    rest.next().is_none().then_some(ours)
}

fn spec(atom: &cosmolkit::MoleculeAtom) -> Option<AtomSpec> {
    let hydrogens = u8::try_from(atom.total_hydrogens().ok()?).ok()?;
    Some(AtomSpec {
        charge: atom.formal_charge(),
        isotope: atom.isotope().unwrap_or(0),
        hydrogens: Hydrogens::Exactly(hydrogens),
        aromatic: atom.is_aromatic(),
        map: atom.atom_map().unwrap_or(0),
        chirality: chirality(atom),
        ..AtomSpec::new(Element::new(atom.atomic_number())?)
    })
}

/// The port counts the ligands as we do: neighbours by the indices of their bonds, the implied
/// ligand last.
fn chirality(atom: &cosmolkit::MoleculeAtom) -> Chirality {
    let permutation = u8::try_from(atom.value().chiral_permutation().unwrap_or(0)).unwrap_or(0);
    match atom.chiral_tag() {
        ChiralTag::TetrahedralCw => Chirality::Clockwise,
        ChiralTag::TetrahedralCcw => Chirality::Anticlockwise,
        _ if permutation == 0 => Chirality::None,
        ChiralTag::Allene => Chirality::Allene(permutation),
        ChiralTag::SquarePlanar => Chirality::SquarePlanar(permutation),
        ChiralTag::TrigonalBipyramidal => Chirality::TrigonalBipyramidal(permutation),
        ChiralTag::Octahedral => Chirality::Octahedral(permutation),
        _ => Chirality::None,
    }
}

fn order(order: Order) -> BondOrder {
    match order {
        Order::Single => BondOrder::Single,
        Order::Double => BondOrder::Double,
        Order::Triple => BondOrder::Triple,
        Order::Quadruple => BondOrder::Quadruple,
        Order::Aromatic => BondOrder::Aromatic,
        Order::Dative | Order::DativeRight | Order::DativeLeft => BondOrder::Dative,
        _ => BondOrder::Unspecified,
    }
}

/// Geometry of a double bond relative to the first other bond at either end; the port says it of
/// two atoms that it names.
fn geometry(inner: &cosmolkit::Molecule, bond: &cosmolkit::Bond) -> BondStereo {
    let stated = match bond.stereo() {
        Geometry::Z | Geometry::Cis => BondStereo::Cis,
        Geometry::E | Geometry::Trans => BondStereo::Trans,
        _ => return BondStereo::None,
    };
    let Some(named) = bond.stereo_atoms() else { return BondStereo::None };
    let first = |end: cosmolkit::AtomId| {
        inner.bonds().iter().filter(|other| other.id() != bond.id()).find_map(|other| {
            (other.begin() == end)
                .then(|| other.end())
                .or_else(|| (other.end() == end).then(|| other.begin()))
        })
    };
    let same = |end, named| first(end) == Some(named);
    if same(bond.begin(), named[0]) == same(bond.end(), named[1]) {
        stated
    } else {
        stated.inverted()
    }
}
