//! What drawings have to hold: room between atoms, the right stereo, clean SVG, bounded work.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::{Duration, Instant};

use synthon_budget::{Budget, CancelFlag};
use synthon_depict::{
    Cell, DepictErrorKind, DrawOptions, Layout, PairMap, Reaction, SheetSize, Theme, check_svg,
    draw, grid_figure, molecule_figure, pair_figure, reaction_figure, to_png, to_svg,
};
use synthon_mol::{Atom, BondStereo, Chirality, Molecule, MoleculeBuilder};

fn read(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).unwrap_or_else(|error| panic!("{smiles}: {error}"))
}

fn svg_of(smiles: &str) -> String {
    let mut budget = Budget::unlimited();
    let options = DrawOptions::default();
    let scene =
        molecule_figure(&read(smiles), &options, SheetSize::default(), &mut budget).unwrap();
    to_svg(&scene, Theme::Auto).unwrap()
}

/// The stereo that a drawing shows, found from plain geometry: the sign of the volume that the
/// ligands span, the wedge lifted, an implied ligand opposite to the others.
fn shown(molecule: &Molecule, places: &[[f64; 2]]) -> (Vec<Chirality>, Vec<BondStereo>) {
    let mut lifted = vec![(usize::MAX, 0.0); molecule.bond_count()];
    for wedge in molecule.wedges(places).wedges {
        lifted[wedge.bond] = (wedge.centre, if wedge.towards_viewer { 1.0 } else { -1.0 });
    }
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let centre = |atom: usize| {
        let mut ligands: Vec<[f64; 3]> = Vec::new();
        let mut marked = false;
        for n in molecule.neighbours(atom) {
            let (from, lift) = lifted[n.bond()];
            let lift = if from == atom { lift } else { 0.0 };
            marked |= lift != 0.0;
            let (x, y) =
                (places[n.atom()][0] - places[atom][0], places[n.atom()][1] - places[atom][1]);
            let long = x.hypot(y);
            ligands.push([x / long, y / long, lift]);
        }
        if !marked {
            return Chirality::None;
        }
        if ligands.len() == 3 {
            // Below or above the plane, not in it: its direction there says nothing.
            let lift: f64 = ligands.iter().map(|l| l[2]).sum();
            ligands.push([0.0, 0.0, -2.0 * lift]);
        }
        let [a, b, c] = [0, 1, 2].map(|k| minus(ligands[k], ligands[3]));
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        assert!(volume.abs() > 1e-3, "flat centre {atom}");
        // Seen with the last ligand away, the others run anticlockwise when the volume is positive.
        if volume > 0.0 { Chirality::Anticlockwise } else { Chirality::Clockwise }
    };
    let geometry = |bond: usize| {
        if molecule.bond(bond).stereo() == BondStereo::None {
            return BondStereo::None;
        }
        let (b, e) = (molecule.bond(bond).begin(), molecule.bond(bond).end());
        let (x, y) = molecule.stereo_references(bond).unwrap();
        let side = |p: usize| {
            (places[e][0] - places[b][0]) * (places[p][1] - places[b][1])
                - (places[e][1] - places[b][1]) * (places[p][0] - places[b][0])
        };
        if side(x) * side(y) > 0.0 { BondStereo::Cis } else { BondStereo::Trans }
    };
    (
        (0..molecule.atom_count()).map(centre).collect(),
        (0..molecule.bond_count()).map(geometry).collect(),
    )
}

fn stereo_holds(molecule: &Molecule, layout: &Layout) -> Result<(), String> {
    let (centres, bonds) = shown(molecule, layout.places());
    let stated = |atom: &Atom| {
        if atom.chirality().is_tetrahedral() { atom.chirality() } else { Chirality::None }
    };
    for (atom, drawn) in molecule.atoms().iter().zip(&centres) {
        if stated(atom) != *drawn {
            return Err(format!("a centre is drawn as {drawn:?}"));
        }
    }
    for (bond, drawn) in molecule.bonds().iter().zip(&bonds) {
        if bond.stereo() != *drawn {
            return Err(format!("a double bond is drawn as {drawn:?}"));
        }
    }
    Ok(())
}

#[test]
fn rdkit_7400_the_bridged_ring_has_room() {
    let smiles = "Cc1cc(C(=O)O)cc2sc(N3C4CCC3CC(OCc3c(-c5ccccc5OC(F)(F)F)noc3C3CC3)C4)nc12";
    let molecule = read(smiles);
    let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
    assert!(layout.crowding(&molecule).is_free());
}

#[test]
fn smilesdrawer_217_the_alkene_is_drawn_e() {
    let molecule = read("C/C(=C\\C(=O)OC)/C1=CC=C(C=C1)C(C)(F)F");
    let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
    stereo_holds(&molecule, &layout).unwrap();
    // E: the ester and the ring, which rank first at either end, lie on opposite sides.
    let p = layout.places();
    let side = |q: usize| {
        (p[2][0] - p[1][0]) * (p[q][1] - p[1][1]) - (p[2][1] - p[1][1]) * (p[q][0] - p[1][0])
    };
    assert!(side(3) * side(7) < 0.0);
}

#[test]
fn drawn_stereo_is_that_of_the_molecule() {
    for smiles in [
        "C[C@H](CCCC(C)C)[C@H]1CC[C@@H]2[C@@]1(CC[C@H]3[C@H]2CC=C4[C@@]3(CC[C@@H](C4)O)C)C",
        "OC[C@H]1O[C@@](CO)(O[C@H]2O[C@H](CO)[C@@H](O)[C@H](O)[C@H]2O)[C@@H](O)[C@@H]1O",
        "CN1CC[C@]23[C@@H]4[C@H]1CC5=C2C(=C(C=C5)O)O[C@H]3[C@H](C=C4)O",
        "C[S@](=O)c1ccccc1",
        "F[C@](Cl)(Br)I",
        "[2H][C@](Cl)(Br)I",
        "C1CCCCCC/C=C/CC1",
        "C/C=C/C=C\\C",
    ] {
        let molecule = read(smiles);
        let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
        stereo_holds(&molecule, &layout).unwrap_or_else(|fault| panic!("{smiles}: {fault}"));
    }
}

#[test]
fn natural_products_keep_their_stereo_and_their_room() {
    let Some(texts) = synthon_testkit::read_shared_lines("data/smiles/znp_natural_products.smi.gz")
    else {
        return;
    };
    let (mut crowded, mut drawn) = (0, 0);
    for line in texts.iter().step_by(40) {
        let smiles = line.split_whitespace().next().unwrap();
        let Ok(molecule) = Molecule::from_smiles(smiles) else { continue };
        let layout = Layout::new(&molecule, &mut Budget::unlimited()).unwrap();
        stereo_holds(&molecule, &layout).unwrap_or_else(|fault| panic!("{smiles}: {fault}"));
        crowded += usize::from(!layout.crowding(&molecule).is_free());
        drawn += 1;
    }
    assert!(drawn > 200 && crowded * 50 <= drawn, "{crowded} of {drawn} are crowded");
}

#[test]
fn the_second_of_a_pair_is_turned_as_the_first() {
    let first = read("CC(=O)Nc1ccc(O)cc1");
    let second = read("Oc1ccc(NC(=O)C(C)C)cc1");
    let map =
        vec![(1, 6), (2, 7), (3, 5), (4, 4), (5, 3), (6, 2), (7, 1), (8, 0), (9, 12), (10, 11)];
    let layout = Layout::new(&first, &mut Budget::unlimited()).unwrap();
    let aligned = Layout::aligned(&second, &layout, &map, &mut Budget::unlimited()).unwrap();
    let square: f64 = map
        .iter()
        .map(|&(a, b)| {
            let (p, q) = (layout.places()[a], aligned.places()[b]);
            (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)
        })
        .sum();
    assert!(square < 0.5, "{square}");
}

#[test]
fn a_pair_of_thirty_atoms_each_takes_ten_kilobytes_at_most() {
    let imatinib = read("Cc1ccc(NC(=O)c2ccc(CN3CCNCC3)cc2)cc1Nc1nccc(-c2cccnc2)n1");
    let cousin = read("Cc1ccc(NC(=O)c2ccc(CN3CCOCC3)cc2)cc1Nc1nccc(-c2ccccc2)n1");
    let map = PairMap {
        atoms: (0..imatinib.atom_count()).map(|a| (a, a)).collect(),
        first_bonds: (0..imatinib.bond_count()).collect(),
        second_bonds: (0..cousin.bond_count()).collect(),
    };
    let scene =
        pair_figure(&imatinib, &cousin, &map, 800.0, 360.0, &mut Budget::unlimited()).unwrap();
    let svg = to_svg(&scene, Theme::Auto).unwrap();
    assert!(svg.len() <= 10_000, "{} bytes", svg.len());
}

#[test]
fn only_the_bonds_named_are_highlighted() {
    let molecule = read("C1CC1");
    let options = DrawOptions {
        highlight_atoms: vec![0, 1, 2],
        highlight_bonds: vec![0, 1],
        ..DrawOptions::default()
    };
    let mut budget = Budget::unlimited();
    let scene = molecule_figure(&molecule, &options, SheetSize::default(), &mut budget).unwrap();
    let svg = to_svg(&scene, Theme::Light).unwrap();
    let halos = svg.split("<g ").find(|g| g.contains("opacity")).unwrap();
    let halos = halos.split("</g>").next().unwrap();
    assert_eq!(halos.matches('L').count(), 2, "{halos}");
    assert_eq!(halos.matches("h0").count(), 3, "{halos}");
}

#[test]
fn titles_and_captions_are_escaped_and_cut() {
    let cell = |caption: &str| {
        Cell::new(&read("CCO"), caption, &DrawOptions::default(), &mut Budget::unlimited()).unwrap()
    };
    let cells = vec![
        cell("<script>alert(\"1\")</script> & more]]>"),
        cell(&"long ".repeat(1_000)),
        cell("a\u{0}b\tc\u{1b}\u{ffff}"),
        cell("d\u{202e}e\u{2066}f\u{2028}g\u{9b}h\u{200f}"),
        cell(""),
    ];
    let scene = grid_figure(cells, 2, 300.0, 200.0).unwrap().with_title("</title><script>");
    let svg = to_svg(&scene, Theme::Auto).unwrap();
    assert!(!svg.contains("<script") && svg.contains(">d e f g h</text>"));
    assert!(!svg.contains(|c| c != '\n' && synthon_mol::is_steering(c)));
    check_svg(&svg).unwrap();
}

#[test]
fn every_theme_and_picture_can_be_made() {
    let reaction = Reaction {
        reactants: vec![read("CC(=O)Cl"), read("Nc1ccccc1")],
        agents: vec![read("CCN(CC)CC")],
        products: vec![read("CC(=O)Nc1ccccc1")],
    };
    let options = DrawOptions::default();
    let mut budget = Budget::unlimited();
    let scene = reaction_figure(&reaction, &options, SheetSize::default(), &mut budget).unwrap();
    for theme in [Theme::Auto, Theme::Light, Theme::Dark, Theme::Transparent] {
        check_svg(&to_svg(&scene, theme).unwrap()).unwrap();
        let png = to_png(&scene, theme, 1.0).unwrap();
        assert_eq!(&png[1..4], b"PNG");
    }
    // Letters are there without any font of the system.
    let with = to_png(&scene, Theme::Light, 1.0).unwrap();
    let bare = Reaction { agents: Vec::new(), ..reaction };
    let less = reaction_figure(&bare, &options, SheetSize::default(), &mut budget).unwrap();
    assert_ne!(with, to_png(&less, Theme::Light, 1.0).unwrap());
    for zoom in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let error = to_png(&scene, Theme::Light, zoom).unwrap_err();
        assert_eq!(error.kind(), DepictErrorKind::TooLarge);
    }
}

#[test]
fn hostile_molecules_are_drawn_or_refused() {
    let fullerene = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41";
    for smiles in [
        fullerene.to_string(),
        ["C"; 1_000].join("."),
        ["CC(=O)[O-].[Na+]"; 60].join("."),
        "C".repeat(256),
        format!("C1{}CC1", "C".repeat(200)),
        "*".into(),
        "[999*]~[*-15]$*".into(),
        "[Og+9]".into(),
        "C(C)(C)(C)C".into(),
        "S(F)(F)(F)(F)(F)F".into(),
    ] {
        check_svg(&svg_of(&smiles)).unwrap();
    }
    let empty = MoleculeBuilder::new().build().unwrap();
    let scene = molecule_figure(
        &empty,
        &DrawOptions::default(),
        SheetSize::default(),
        &mut Budget::unlimited(),
    )
    .unwrap();
    check_svg(&to_svg(&scene, Theme::Auto).unwrap()).unwrap();
    let error = Layout::new(&read(&"C".repeat(1_025)), &mut Budget::unlimited()).unwrap_err();
    assert_eq!(error.kind(), DepictErrorKind::TooLarge);
}

#[test]
fn a_deadline_ends_the_work_on_a_large_molecule() {
    let limit = Duration::from_millis(50);
    for smiles in ["C".repeat(1_024), format!("C1{}CC1", "C(CC)".repeat(300))] {
        let molecule = read(&smiles);
        let once = || {
            let started = Instant::now();
            let mut budget = Budget::unlimited().with_time_limit(limit);
            if let Err(error) = Layout::new(&molecule, &mut budget) {
                assert_eq!(error.kind(), DepictErrorKind::TimedOut);
            }
            started.elapsed()
        };
        // Once of a few: the machine may be busy with other things.
        assert!((0..3).any(|_| once() < limit + Duration::from_millis(500)), "{smiles}");
    }
}

#[test]
fn a_spent_budget_stops_before_the_work() {
    let molecule = read("CCO");
    let mut spent = Budget::unlimited().with_time_limit(Duration::ZERO);
    assert_eq!(Layout::new(&molecule, &mut spent).unwrap_err().kind(), DepictErrorKind::TimedOut);
    let flag = CancelFlag::new();
    flag.cancel();
    let mut cancelled = Budget::unlimited().with_cancel_flag(flag);
    assert!(Layout::new(&molecule, &mut cancelled).is_err());
}

#[test]
fn places_from_elsewhere_are_taken_at_any_scale() {
    let molecule = read("CCO");
    let places = [[0.0, 0.0], [100.0, 0.0], [150.0, 86.0]];
    let layout = Layout::from_places(&molecule, &places).unwrap();
    let drawing = draw(&molecule, &layout, &DrawOptions::default());
    assert!(drawing.bounds().width() < 3.0);
    assert!(Layout::from_places(&molecule, &places[..2]).is_none());
    assert!(Layout::from_places(&molecule, &[[f64::NAN, 0.0]; 3]).is_none());
    assert!(Layout::from_places(&molecule, &[[0.0, 0.0]; 3]).is_none());
}
