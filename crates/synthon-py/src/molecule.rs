//! `synthon.Molecule`.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use synthon_budget::Budget;
use synthon_depict::{DrawOptions, Scene, SheetSize, Theme, molecule_figure, to_png, to_svg};
use synthon_descriptors::{Descriptors, Value, describe, generic_scaffold, murcko_scaffold};
use synthon_mol::{
    AtomOrder, BondOrder, BondStereo, Chirality, Molecule, MolfileForm, MolfileOptions,
    ReadOptions, WriteOptions, read_molfile, write_molfile, write_smiles,
};
use synthon_toolkit::{LayoutOptions, coordinates};

use crate::errors::{Fault, bad_argument};
use crate::given;
use crate::interrupt::interruptible;
use crate::pickle::{self, reduced};

/// A molecule, or several in one: read once, never changed.
///
/// Takes SMILES, another molecule or an RDKit ``Mol``. Atoms are numbered from zero in the order
/// of the input; plain hydrogen atoms become part of their neighbours. Two molecules are equal
/// when their canonical SMILES without atom maps are.
///
/// Raises `SynthonError` for a text that is no molecule.
#[pyclass(frozen, name = "Molecule", module = "synthon")]
pub(crate) struct PyMolecule {
    pub(crate) molecule: Arc<Molecule>,
}

impl From<Molecule> for PyMolecule {
    fn from(molecule: Molecule) -> Self {
        PyMolecule { molecule: Arc::new(molecule) }
    }
}

#[pymethods]
impl PyMolecule {
    #[new]
    fn new(molecule: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(PyMolecule { molecule: given::molecule(molecule)? })
    }

    /// Reads a molfile (V2000 or V3000), or the first record of an SD file.
    #[staticmethod]
    fn from_molfile(py: Python<'_>, text: &str) -> PyResult<Self> {
        match py.detach(|| read_molfile(text, &ReadOptions::default())) {
            Ok(record) => Ok(record.molecule.into()),
            Err(error) => Err(error.raised(py)),
        }
    }

    /// Canonical SMILES with stereo, isotopes and atom maps: one text for all spellings.
    #[getter]
    fn smiles(&self) -> String {
        self.molecule.to_smiles()
    }

    /// SMILES as wanted: without stereo and isotopes, without atom maps, with single and double
    /// bonds instead of aromatic ones, in the order of the input.
    #[pyo3(signature = (*, isomeric=true, atom_maps=true, kekule=false, canonical=true))]
    fn to_smiles(&self, isomeric: bool, atom_maps: bool, kekule: bool, canonical: bool) -> String {
        let order = if canonical { AtomOrder::Canonical } else { AtomOrder::Input };
        write_smiles(&self.molecule, &WriteOptions { isomeric, atom_maps, kekule, order }).text
    }

    /// A molfile with 2D coordinates, V2000 unless asked for V3000 or too large.
    ///
    /// Raises `SynthonError` when the molecule cannot be laid out or written.
    #[pyo3(signature = (*, name="", v3000=false))]
    fn to_molfile(&self, py: Python<'_>, name: &str, v3000: bool) -> PyResult<String> {
        let molecule = &self.molecule;
        let flat = py.detach(|| coordinates(molecule, &LayoutOptions::default()));
        let flat = flat.map_err(|error| error.raised(py))?;
        let places: Vec<[f64; 3]> = flat.into_iter().map(|[x, y]| [x, y, 0.0]).collect();
        let form = if v3000 { MolfileForm::V3000 } else { MolfileForm::Fitting };
        let options = MolfileOptions { form, name: name.to_owned() };
        match write_molfile(molecule, &places, &options) {
            Ok(written) => Ok(written.text),
            Err(error) => Err(error.raised(py)),
        }
    }

    /// Molecular formula in Hill order, with the charge.
    #[getter]
    fn formula(&self) -> String {
        self.molecule.formula()
    }

    /// Sum of the formal charges, in elementary charges.
    #[getter]
    fn charge(&self) -> i32 {
        self.molecule.charge()
    }

    /// Average molar mass in g/mol.
    #[getter]
    fn molecular_weight(&self) -> f64 {
        self.molecule.average_mass()
    }

    /// Monoisotopic mass in unified atomic mass units.
    #[getter]
    fn exact_mass(&self) -> f64 {
        self.molecule.exact_mass()
    }

    /// Standard InChI. Raises `SynthonError` where there is none.
    #[getter]
    fn inchi(&self, py: Python<'_>) -> PyResult<String> {
        let molecule = &self.molecule;
        py.detach(|| synthon_toolkit::inchi(molecule)).map_err(|error| error.raised(py))
    }

    /// InChIKey. Raises `SynthonError` where there is none.
    #[getter]
    fn inchi_key(&self, py: Python<'_>) -> PyResult<String> {
        let molecule = &self.molecule;
        py.detach(|| synthon_toolkit::inchi_key(molecule)).map_err(|error| error.raised(py))
    }

    /// Descriptors by name, equal to RDKit's of the same names: masses in g/mol and u, ``tpsa``
    /// in Å², ``molar_refractivity`` in cm³/mol, the rest counts, parts and logarithms.
    fn descriptors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let molecule = &self.molecule;
        let values = py.detach(|| describe(molecule)).values();
        let dict = PyDict::new(py);
        for (name, value) in Descriptors::NAMES.into_iter().zip(values) {
            match value {
                Value::Count(count) => dict.set_item(name, count)?,
                Value::Measure(measure) => dict.set_item(name, measure)?,
            }
        }
        Ok(dict)
    }

    /// The Murcko scaffold: rings and what links them. With `generic`, of carbon and single bonds
    /// only. An acyclic molecule has none, and gives a molecule without atoms.
    #[pyo3(signature = (*, generic=false))]
    fn scaffold(&self, py: Python<'_>, generic: bool) -> PyResult<Self> {
        let molecule = &self.molecule;
        let scaffold = py.detach(|| murcko_scaffold(molecule)).map_err(|error| error.raised(py))?;
        match generic.then(|| generic_scaffold(&scaffold)).flatten() {
            Some(generic) => Ok(generic.into()),
            None => Ok(scaffold.into()),
        }
    }

    /// The atoms in order.
    #[getter]
    fn atoms(&self) -> Vec<PyAtom> {
        (0..self.molecule.atom_count()).map(|index| PyAtom::new(&self.molecule, index)).collect()
    }

    /// The bonds in order.
    #[getter]
    fn bonds(&self) -> Vec<PyBond> {
        (0..self.molecule.bond_count()).map(|index| PyBond::new(&self.molecule, index)).collect()
    }

    /// Number of atoms, hydrogens that belong to another atom not counted.
    #[getter]
    fn num_atoms(&self) -> usize {
        self.molecule.atom_count()
    }

    /// Number of bonds.
    #[getter]
    fn num_bonds(&self) -> usize {
        self.molecule.bond_count()
    }

    /// The rings (symmetrised smallest set), each as atoms in the order of the ring.
    #[getter]
    fn rings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.molecule.rings().iter().map(|ring| tuple(py, ring)).collect()
    }

    /// What was changed or dropped on reading, in words.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.molecule.warnings().to_vec()
    }

    /// Number of the molecule that is the same for all spellings, atom maps apart.
    #[getter]
    fn key(&self) -> u128 {
        self.molecule.canonical_key()
    }

    /// A drawing as SVG text. Sizes are in pixels and follow from the molecule where not given;
    /// the atoms and bonds (by index) of the lists are highlighted.
    ///
    /// Raises `SynthonError` when the molecule cannot be laid out.
    #[pyo3(signature = (*, width=None, height=None, atoms=Vec::new(), bonds=Vec::new()))]
    fn to_svg(
        &self,
        py: Python<'_>,
        width: Option<f64>,
        height: Option<f64>,
        atoms: Vec<usize>,
        bonds: Vec<usize>,
    ) -> PyResult<String> {
        let scene = self.drawn(py, SheetSize { width, height }, atoms, bonds)?;
        to_svg(&scene, Theme::Auto).map_err(|error| error.raised(py))
    }

    /// The same as a PNG picture, `zoom` times as large.
    #[pyo3(signature = (*, width=None, height=None, atoms=Vec::new(), bonds=Vec::new(), zoom=1.0))]
    fn to_png<'py>(
        &self,
        py: Python<'py>,
        width: Option<f64>,
        height: Option<f64>,
        atoms: Vec<usize>,
        bonds: Vec<usize>,
        zoom: f64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scene = self.drawn(py, SheetSize { width, height }, atoms, bonds)?;
        let picture = py.detach(|| to_png(&scene, Theme::Auto, zoom));
        picture.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| error.raised(py))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.to_svg(py, None, None, Vec::new(), Vec::new())
    }

    fn __len__(&self) -> usize {
        self.molecule.atom_count()
    }

    fn __str__(&self) -> String {
        self.smiles()
    }

    fn __repr__(&self) -> String {
        format!("Molecule('{}')", self.smiles())
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.molecule, &other.molecule) || self.key() == other.key()
    }

    fn __hash__(&self) -> u64 {
        self.key() as u64
    }

    /// The text in the order of the input and the places of its atoms, so that atoms keep their
    /// numbers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = WriteOptions { order: AtomOrder::Input, ..WriteOptions::default() };
        let written = write_smiles(&self.molecule, &options);
        let read = py.import("synthon._native")?.getattr("molecule_in_order")?;
        (read, (written.text, written.atom_order)).into_bound_py_any(py)
    }
}

impl PyMolecule {
    fn drawn(
        &self,
        py: Python<'_>,
        size: SheetSize,
        atoms: Vec<usize>,
        bonds: Vec<usize>,
    ) -> PyResult<Scene> {
        let molecule = &self.molecule;
        for (name, list, count) in
            [("atoms", &atoms, molecule.atom_count()), ("bonds", &bonds, molecule.bond_count())]
        {
            if let Some(wrong) = list.iter().find(|&&index| index >= count) {
                let sentence = format!("{name} names {wrong}, of {count}");
                return Err(bad_argument(py, name, sentence, "they are counted from 0"));
            }
        }
        let options =
            DrawOptions { highlight_atoms: atoms, highlight_bonds: bonds, hide_atom_maps: false };
        interruptible(py, |flag| {
            let mut budget = Budget::unlimited().with_cancel_flag(flag);
            molecule_figure(molecule, &options, size, &mut budget)
        })?
        .map_err(|error| error.raised(py))
    }
}

/// A molecule out of SMILES whose atoms get these numbers, in the order of the text.
#[pyfunction]
pub(crate) fn molecule_in_order(
    py: Python<'_>,
    text: &str,
    order: Vec<usize>,
) -> PyResult<PyMolecule> {
    given::from_ordered(py, text, &order).map(PyMolecule::from)
}

/// Numbers of atoms as a tuple.
pub(crate) fn tuple<'py>(py: Python<'py>, atoms: &[u32]) -> PyResult<Bound<'py, PyAny>> {
    Ok(pyo3::types::PyTuple::new(py, atoms)?.into_any())
}

/// An atom of a molecule.
#[pyclass(frozen, get_all, name = "Atom", module = "synthon")]
pub(crate) struct PyAtom {
    /// Its number in the molecule, from 0.
    index: usize,
    /// Symbol of its element; ``*`` for a wildcard.
    symbol: &'static str,
    /// Number of its element; 0 for a wildcard.
    atomic_number: u8,
    /// Formal charge, in elementary charges.
    charge: i8,
    /// Hydrogens that belong to it and are no atoms of the molecule.
    hydrogens: u8,
    /// Unpaired electrons.
    radical_electrons: u8,
    /// Mass number; 0 where it is not stated.
    isotope: u16,
    /// Atom-map number; 0 for none.
    map_number: u32,
    /// Whether it is part of an aromatic ring.
    is_aromatic: bool,
    /// Whether it is part of a ring.
    in_ring: bool,
    /// Whether it has a stereo mark that means something.
    is_stereocentre: bool,
    /// The atoms bonded to it.
    neighbours: Vec<usize>,
}

impl PyAtom {
    fn new(molecule: &Molecule, index: usize) -> Self {
        let atom = molecule.atom(index);
        PyAtom {
            index,
            symbol: atom.element().symbol(),
            atomic_number: atom.atomic_number(),
            charge: atom.charge(),
            hydrogens: atom.hydrogens(),
            radical_electrons: atom.radical_electrons(),
            isotope: atom.isotope(),
            map_number: atom.map(),
            is_aromatic: atom.is_aromatic(),
            in_ring: atom.in_ring(),
            is_stereocentre: atom.chirality() != Chirality::None,
            neighbours: molecule.neighbours(index).iter().map(|n| n.atom()).collect(),
        }
    }
}

#[pymethods]
impl PyAtom {
    fn __repr__(&self) -> String {
        format!("<Atom {} {}>", self.index, self.symbol)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = (self.index, self.atomic_number, self.charge, self.hydrogens);
        let marks = (self.radical_electrons, self.isotope, self.map_number);
        let places = (self.is_aromatic, self.in_ring, self.is_stereocentre);
        reduced(py, "Atom", (numbers, marks, places, self.neighbours.clone()))
    }
}

impl PyAtom {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (numbers, marks, places, neighbours) = parts.extract()?;
        let (index, atomic_number, charge, hydrogens) = numbers;
        let (radical_electrons, isotope, map_number) = marks;
        let (is_aromatic, in_ring, is_stereocentre) = places;
        Ok(PyAtom {
            index,
            symbol: pickle::symbol(atomic_number)?,
            atomic_number,
            charge,
            hydrogens,
            radical_electrons,
            isotope,
            map_number,
            is_aromatic,
            in_ring,
            is_stereocentre,
            neighbours,
        })
    }
}

/// A bond of a molecule.
#[pyclass(frozen, get_all, name = "Bond", module = "synthon")]
pub(crate) struct PyBond {
    /// Its number in the molecule, from 0.
    index: usize,
    /// One of its atoms; of a dative bond the one that gives.
    begin: usize,
    /// The other.
    end: usize,
    /// ``single``, ``double``, ``triple``, ``quadruple``, ``aromatic``, ``dative`` or
    /// ``unspecified``.
    order: &'static str,
    /// The same with aromatic bonds as single or double ones.
    kekule_order: &'static str,
    /// Whether it is aromatic.
    is_aromatic: bool,
    /// Whether it is part of a ring.
    in_ring: bool,
    /// Whether its geometry is stated.
    has_stereo: bool,
}

impl PyBond {
    fn new(molecule: &Molecule, index: usize) -> Self {
        let bond = molecule.bond(index);
        PyBond {
            index,
            begin: bond.begin(),
            end: bond.end(),
            order: order_name(bond.order()),
            kekule_order: order_name(bond.kekule_order()),
            is_aromatic: bond.is_aromatic(),
            in_ring: bond.in_ring(),
            has_stereo: bond.stereo() != BondStereo::None,
        }
    }
}

#[pymethods]
impl PyBond {
    fn __repr__(&self) -> String {
        format!("<Bond {} {} {}>", self.begin, self.order, self.end)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let places = (self.index, self.begin, self.end);
        let truths = (self.is_aromatic, self.in_ring, self.has_stereo);
        reduced(py, "Bond", (places, (self.order, self.kekule_order), truths))
    }
}

impl PyBond {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (places, orders, truths): (_, (String, String), _) = parts.extract()?;
        let (index, begin, end) = places;
        let (order, kekule_order) = (pickle::order(&orders.0)?, pickle::order(&orders.1)?);
        let (is_aromatic, in_ring, has_stereo) = truths;
        Ok(PyBond { index, begin, end, order, kekule_order, is_aromatic, in_ring, has_stereo })
    }
}

/// The text for a bond order.
pub(crate) fn order_name(order: BondOrder) -> &'static str {
    match order {
        BondOrder::Single => "single",
        BondOrder::Double => "double",
        BondOrder::Triple => "triple",
        BondOrder::Quadruple => "quadruple",
        BondOrder::Aromatic => "aromatic",
        BondOrder::Dative => "dative",
        BondOrder::Unspecified => "unspecified",
    }
}
