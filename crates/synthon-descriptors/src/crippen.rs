//! Octanol-water partition coefficient and molar refractivity by contributions of atoms.
//!
//! Types and values are those of Wildman and Crippen (J. Chem. Inf. Comput. Sci. 1999, 39,
//! 868), their patterns as RDKit has them. The first type that matches counts.

use std::sync::LazyLock;

use synthon_mol::{BondOrder, Element, Molecule};
use synthon_query::{Pattern, Target};

use crate::Describer;
use crate::counts::pattern;

/// What an atom adds to logP and to the refractivity.
type Contribution = (f64, f64);

/// A type of atoms: patterns of which the first atom is meant.
struct Row {
    patterns: &'static [&'static str],
    contribution: Contribution,
}

const fn row(patterns: &'static [&'static str], log_p: f64, refractivity: f64) -> Row {
    Row { patterns, contribution: (log_p, refractivity) }
}

/// Carbon.
const CARBON: &[Row] = &[
    row(&["[CH4]", "[CH3]C", "[CH2](C)C"], 0.1441, 2.503), // C1
    row(&["[CH](C)(C)C", "[C](C)(C)(C)C"], 0.0, 2.433),    // C2
    row(&["[CH3][N,O,P,S,F,Cl,Br,I]", "[CH2X4]([N,O,P,S,F,Cl,Br,I])[A;!#1]"], -0.2035, 2.753), // C3
    row(
        &[
            "[CH1X4]([N,O,P,S,F,Cl,Br,I])([A;!#1])[A;!#1]",
            "[CH0X4]([N,O,P,S,F,Cl,Br,I])([A;!#1])([A;!#1])[A;!#1]",
        ],
        -0.2051,
        2.731,
    ), // C4
    row(&["[C]=[!C;A;!#1]"], -0.2783, 5.007),              // C5
    row(&["[CH2]=C", "[CH1](=C)[A;!#1]", "[CH0](=C)([A;!#1])[A;!#1]", "[C](=C)=C"], 0.1551, 3.513), // C6
    row(&["[CX2]#[A;!#1]"], 0.0017, 3.888), // C7
    row(&["[CH3]c"], 0.08452, 2.464),       // C8
    row(&["[CH3]a"], -0.1444, 2.412),       // C9
    row(&["[CH2X4]a"], -0.0516, 2.488),     // C10
    row(&["[CHX4]a"], 0.1193, 2.582),       // C11
    row(&["[CH0X4]a"], -0.0967, 2.576),     // C12
    row(&["[cH0]-[A;!C;!N;!O;!S;!F;!Cl;!Br;!I;!#1]"], -0.5443, 4.041), // C13
    row(&["[c][#9]"], 0.0, 3.257),          // C14
    row(&["[c][#17]"], 0.245, 3.564),       // C15
    row(&["[c][#35]"], 0.198, 3.18),        // C16
    row(&["[c][#53]"], 0.0, 3.104),         // C17
    row(&["[cH]"], 0.1581, 3.35),           // C18
    row(&["[c](:a)(:a):a"], 0.2955, 4.346), // C19
    row(&["[c](:a)(:a)-a"], 0.2713, 3.904), // C20
    row(&["[c](:a)(:a)-C"], 0.136, 3.509),  // C21
    row(&["[c](:a)(:a)-N"], 0.4619, 4.067), // C22
    row(&["[c](:a)(:a)-O"], 0.5437, 3.853), // C23
    row(&["[c](:a)(:a)-S"], 0.1893, 2.673), // C24
    row(&["[c](:a)(:a)=[C,N,O]"], -0.8186, 3.135), // C25
    row(&["[C](=C)(a)[A;!#1]", "[C](=C)(c)a", "[CH1](=C)a", "[C]=c"], 0.264, 4.305), // C26
    row(&["[CX4][A;!C;!N;!O;!P;!S;!F;!Cl;!Br;!I;!#1]"], 0.2148, 2.693), // C27
    row(&["[#6]"], 0.08129, 3.243),         // CS
];

/// Nitrogen.
const NITROGEN: &[Row] = &[
    row(&["[NH2+0][A;!#1]"], -1.019, 2.262),             // N1
    row(&["[NH+0]([A;!#1])[A;!#1]"], -0.7096, 2.173),    // N2
    row(&["[NH2+0]a"], -1.027, 2.827),                   // N3
    row(&["[NH1+0]([!#1;A,a])a"], -0.5188, 3.0),         // N4
    row(&["[NH+0]=[!#1;A,a]"], 0.08387, 1.757),          // N5
    row(&["[N+0](=[!#1;A,a])[!#1;A,a]"], 0.1836, 2.428), // N6
    row(&["[N+0]([A;!#1])([A;!#1])[A;!#1]"], -0.3187, 1.839), // N7
    row(&["[N+0](a)([!#1;A,a])[A;!#1]", "[N+0](a)(a)a"], -0.4458, 2.819), // N8
    row(&["[N+0]#[A;!#1]"], 0.01508, 1.725),             // N9
    row(&["[NH3,NH2,NH;+,+2,+3]"], -1.95, 0.0),          // N10
    row(&["[n+0]"], -0.3239, 2.202),                     // N11
    row(&["[n;+,+2,+3]"], -1.119, 0.0),                  // N12
    row(
        &[
            "[NH0;+,+2,+3]([A;!#1])([A;!#1])([A;!#1])[A;!#1]",
            "[NH0;+,+2,+3](=[A;!#1])([A;!#1])[!#1;A,a]",
            "[NH0;+,+2,+3](=[#6])=[#7]",
        ],
        -0.3396,
        0.2604,
    ), // N13
    row(&["[N;+,+2,+3]#[A;!#1]", "[N;-,-2,-3]", "[N;+,+2,+3](=[N;-,-2,-3])=N"], 0.2887, 3.359), // N14
    row(&["[#7]"], -0.4806, 2.134), // NS
];

/// Oxygen.
const OXYGEN: &[Row] = &[
    row(&["[o]"], 0.1552, 1.08),                                      // O1
    row(&["[OH,OH2]"], -0.2893, 0.8238),                              // O2
    row(&["[O]([A;!#1])[A;!#1]"], -0.0684, 1.085),                    // O3
    row(&["[O](a)[!#1;A,a]"], -0.4195, 1.182),                        // O4
    row(&["[O]=[#7,#8]", "[OX1;-,-2,-3][#7]"], 0.0335, 3.367),        // O5
    row(&["[OX1;-,-2,-2][#16]", "[O;-0]=[#16;-0]"], -0.3339, 0.7774), // O6
    row(&["[O-]C(=O)"], -1.326, 0.0),                                 // O12
    row(&["[OX1;-,-2,-3][!#1;!N;!S]"], -1.189, 0.0),                  // O7
    row(&["[O]=c"], 0.1788, 3.135),                                   // O8
    row(
        &["[O]=[CH]C", "[O]=C(C)([A;!#1])", "[O]=[CH][N,O]", "[O]=[CH2]", "[O]=[CX2]=O"],
        -0.1526,
        0.0,
    ), // O9
    row(&["[O]=[CH]c", "[O]=C([C,c])[a;!#1]", "[O]=C(c)[A;!#1]"], 0.1129, 0.2215), // O10
    row(&["[O]=C([!#1;!#6])[!#1;!#6]"], 0.4833, 0.389),               // O11
    row(&["[#8]"], -0.1188, 0.6865),                                  // OS
];

/// Sulphur.
const SULPHUR: &[Row] = &[
    row(&["[S;-,-2,-3,-4,+1,+2,+3,+5,+6]", "[S-0]=[N,O,P,S]"], -0.0024, 7.365), // S2
    row(&["[S;A]"], 0.6482, 7.591),                                             // S1
    row(&["[s;a]"], 0.6237, 6.691),                                             // S3
];

/// Hydrogen on carbon, in alcohols and on other elements, on or beside nitrogen, in acids and
/// peroxides, elsewhere.
const HYDROGEN: [Contribution; 5] =
    [(0.123, 1.057), (-0.2677, 1.395), (0.2142, 0.9627), (0.298, 1.805), (0.1125, 1.112)];

/// The types of one element, ready to search with.
struct Types {
    element: Element,
    types: Vec<(Pattern, Contribution)>,
}

static TYPES: LazyLock<[Types; 4]> = LazyLock::new(|| {
    [
        Types::new(Element::C, CARBON),
        Types::new(Element::N, NITROGEN),
        Types::new(Element::O, OXYGEN),
        Types::new(Element::S, SULPHUR),
    ]
});

impl Types {
    fn new(element: Element, rows: &[Row]) -> Self {
        let types = rows.iter().map(|row| {
            let alternatives: Vec<String> =
                row.patterns.iter().map(|text| format!("$({text})")).collect();
            (pattern(&format!("[{}]", alternatives.join(","))), row.contribution)
        });
        Types { element, types: types.collect() }
    }
}

/// logP and refractivity of a molecule.
pub(crate) fn sums(describer: &mut Describer, target: &Target<'_>) -> Contribution {
    let molecule = target.molecule();
    let mut contributions: Vec<Option<Contribution>> =
        (0..molecule.atom_count()).map(|atom| by_element(molecule, atom)).collect();
    for Types { element, types } in TYPES.iter() {
        let mut open = molecule.atoms().iter().filter(|a| a.element() == *element).count();
        for (pattern, contribution) in types {
            if open == 0 {
                break;
            }
            for found in describer.embeddings(pattern, target).iter() {
                let place = &mut contributions[found[0] as usize];
                if place.is_none() {
                    *place = Some(*contribution);
                    open -= 1;
                }
            }
        }
    }
    let mut sums = (0.0, 0.0);
    for (atom, contribution) in contributions.iter().enumerate() {
        let (log_p, refractivity) = contribution.unwrap_or_default();
        let hydrogens = f64::from(molecule.atom(atom).hydrogens());
        let each = if hydrogens > 0.0 { hydrogen_on(molecule, atom) } else { (0.0, 0.0) };
        sums.0 += log_p + hydrogens * each.0;
        sums.1 += refractivity + hydrogens * each.1;
    }
    sums
}

/// What an atom adds whose element and charge alone tell; `None` where its surroundings count.
fn by_element(molecule: &Molecule, index: usize) -> Option<Contribution> {
    let atom = molecule.atom(index);
    let charge = atom.charge();
    let contribution = match atom.atomic_number() {
        1 => match molecule.neighbours(index).first() {
            Some(n) => hydrogen_on(molecule, n.atom()),
            None if atom.hydrogens() > 0 => HYDROGEN[0],
            None => HYDROGEN[4],
        },
        9 if charge == 0 => (0.4202, 1.108),
        17 if charge == 0 => (0.6895, 5.853),
        35 if charge == 0 => (0.8456, 8.927),
        53 if charge == 0 => (0.8857, 14.02),
        9 | 17 | 35 | 53 if charge == -1 => (-2.996, 0.0),
        53 if (1..=3).contains(&charge) => (-2.996, 0.0),
        3 | 11 | 19 | 37 | 55 if charge == 1 => (-2.996, 0.0),
        15 => (0.8612, 6.92),
        // Main groups 1, 2 and 13 to 16.
        3 | 11 | 19 | 37 | 55 | 4 | 12 | 20 | 38 | 56 | 5 | 13 | 31 | 49 | 81 | 14 | 32 | 50
        | 82 | 33 | 51 | 83 | 34 | 52 | 84 => (-0.3808, 5.754),
        21..=30 | 39..=48 | 72..=80 => (-0.0025, 0.0),
        6..=8 | 16 => return None,
        _ => (0.0, 0.0),
    };
    Some(contribution)
}

/// What a hydrogen on this atom adds.
fn hydrogen_on(molecule: &Molecule, index: usize) -> Contribution {
    let atom = molecule.atom(index);
    let [on_carbon, alcohol, on_nitrogen, acid, other] = HYDROGEN;
    match atom.element() {
        Element::C | Element::H => return on_carbon,
        Element::N => return on_nitrogen,
        Element::O if atom.is_aromatic() => return other,
        Element::O => {}
        _ => return alcohol,
    }
    let beside = |wanted: &dyn Fn(usize) -> bool| {
        molecule.neighbours(index).iter().any(|n| {
            let order = molecule.bond(n.bond()).order();
            matches!(order, BondOrder::Single | BondOrder::Aromatic) && wanted(n.atom())
        })
    };
    let element = |a: usize| molecule.atom(a).element();
    let connections = |a: usize| molecule.degree(a) + usize::from(molecule.atom(a).hydrogens());
    let alcohol_carbon =
        |a| element(a) == Element::C && (molecule.atom(a).is_aromatic() || connections(a) == 4);
    let other_element =
        |a| !matches!(element(a), Element::C | Element::N | Element::O | Element::S);
    let hydrogens = molecule.total_hydrogens(index);
    let other_hydrogen = hydrogens > 1;
    if beside(&alcohol_carbon)
        || other_hydrogen
        || beside(&|a| other_element(a) && element(a) != Element::H)
    {
        return alcohol;
    }
    if beside(&|a| element(a) == Element::N) {
        return on_nitrogen;
    }
    let enol_or_acid = |a: usize| {
        element(a) == Element::C
            && !molecule.atom(a).is_aromatic()
            && molecule.neighbours(a).iter().any(|n| {
                let there = molecule.atom(n.atom());
                molecule.bond(n.bond()).order() == BondOrder::Double
                    && match there.element() {
                        Element::C | Element::N => true,
                        Element::O | Element::S => !there.is_aromatic(),
                        _ => false,
                    }
            })
    };
    let chalcogen =
        |a: usize| matches!(element(a), Element::O | Element::S) && !molecule.atom(a).is_aromatic();
    if beside(&enol_or_acid) || beside(&chalcogen) { acid } else { other }
}
