//! Inputs on which searches run out of time: symmetric cages, chains of equal units, loose pieces.

/// Buckminsterfullerene, C60.
pub const FULLERENE_60: &str = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41";

/// C70, of symmetry D5h.
pub const FULLERENE_70: &str = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c%12c%13c%14c%15c%16c%17c%14c%14c%18c%13c%11c1c1c5c%10c5c(c%14c%10c%17c%11c%13c%16c%14c%16c%15c%12c%12c%16c(c2c7c%126)c2c8c3c(c%13c%142)c2c9c4c5c%10c%112)c%181";

/// The skeleton of a prism over a polygon of `sides` sides, two rings joined side by side.
pub fn prism(sides: usize) -> String {
    let ring = |from: usize| -> String {
        (0..sides)
            .map(|k| match k {
                0 => format!("C%({})%({})", from, 10 + k),
                k if k + 1 == sides => format!("C%({})%({})", from, 10 + k),
                k => format!("C%({})", 10 + k),
            })
            .collect()
    };
    format!("{}.{}", ring(1), ring(2))
}

/// A sheet of four-membered rings, `size` by `size` atoms: bipartite, so without odd rings.
pub fn sheet(size: usize) -> String {
    let closure = |r: usize, c: usize| format!("%({})", 1_000 + r * size + c);
    let atom = |r: usize, c: usize| {
        let up = if r > 0 { closure(r - 1, c) } else { String::new() };
        let down = if r + 1 < size { closure(r, c) } else { String::new() };
        format!("C{up}{down}")
    };
    let row = |r: usize| -> String { (0..size).map(|c| atom(r, c)).collect() };
    (0..size).map(row).collect::<Vec<_>>().join(".")
}

/// Every branch splits in three, `depth` times.
pub fn dendrimer(depth: usize) -> String {
    (0..depth).fold("C".to_string(), |branch, _| format!("C({branch})({branch}){branch}"))
}

/// `count` times the same piece, not joined.
pub fn pieces(piece: &str, count: usize) -> String {
    vec![piece; count].join(".")
}

/// Pairs of molecules of up to 1,024 atoms by name, whose common parts are many and large.
pub fn hostile_pairs() -> Vec<(&'static str, String, String)> {
    let pair = |name, a: &str, b: &str| (name, a.to_string(), b.to_string());
    vec![
        pair("C60, C60", FULLERENE_60, FULLERENE_60),
        pair("C60, C70", FULLERENE_60, FULLERENE_70),
        pair("prisms", &prism(12), &prism(13)),
        pair("cubane, sheet", "C12C3C4C1C5C2C3C45", &sheet(8)),
        pair("sheets", &sheet(7), &sheet(9)),
        pair("dendrimers", &dendrimer(4), &format!("C{}C", "C(C)".repeat(60))),
        pair("polyethers", &"CCO".repeat(341), &"CCCO".repeat(256)),
        pair("branched chains", &"C(C)(C)".repeat(341), &"C(C)".repeat(512)),
        pair("polyphenyls", &"c1ccc(cc1)".repeat(170), &"c1ccc(nc1)".repeat(170)),
        pair("1,000 atoms apart", &pieces("C", 1_000), &pieces("C", 1_000)),
        pair("400 and 300 pieces", &pieces("CC", 400), &pieces("CCC", 300)),
    ]
}

/// Patterns by name, and targets in which they are hard to find: SMARTS and SMILES.
pub fn hostile_patterns() -> Vec<(&'static str, String, String)> {
    let pair = |name, a: String, b: String| (name, a, b);
    let ring = |n: usize| format!("*1{}~1", "~*".repeat(n - 1));
    let perfluoro = |n: usize| {
        let branch = "C(C(F)(F)F)(C(F)(F)F)";
        format!("Oc1nc({}C(F)(F)F)nc(N)n1", branch.repeat(n))
    };
    let cage = "C12C3C4C5C1C6C7C2C8C3C9C4C1C5C6C2C7C8C9C12".to_string();
    // One leaf moved from where the pattern needs it.
    let broken = dendrimer(4).replacen("C(C)(C)C", "C(C)CCC", 1);
    let centre = |last: &str| format!("C({0})({0})({0}){last}", dendrimer(4));
    vec![
        pair("symmetric leaves", perfluoro(4), perfluoro(4)),
        pair(
            "symmetric leaves, absent",
            perfluoro(4).replace("nc(N)n1", "nc(NCl)n1"),
            perfluoro(4),
        ),
        pair("a piece too many", format!("{}.[Cl]", perfluoro(3)), perfluoro(3)),
        pair("32 pieces", pieces("C", 32), "C".repeat(1_024)),
        pair("32 pieces, absent", pieces("CC", 31) + ".CN", "C".repeat(200)),
        pair("99 pieces", pieces("CC", 99), "C".repeat(100) + "." + &"C".repeat(99)),
        pair("hundreds of pieces", pieces("C", 500), pieces("C", 499) + ".N"),
        pair("10,000 atoms", "C".repeat(10_000), "C".repeat(1_024)),
        pair("10,000 atoms in rings", "C1CC1".repeat(3_333), "C1CC1".repeat(341)),
        pair("long walk in a ring", "*".repeat(1_000), format!("C1{}1", "C".repeat(1_022))),
        pair("large ring", format!("C1{}1", "C".repeat(200)), "C1CCCCC1".repeat(120)),
        pair("odd ring in a cage", ring(13), cage.clone()),
        pair("no ring of 41", ring(41), cage),
        pair("odd ring in a sheet", ring(31), sheet(12)),
        pair("C60", FULLERENE_60.to_string(), FULLERENE_60.to_string()),
        pair("C60 in C70", FULLERENE_60.to_string(), FULLERENE_70.to_string()),
        pair("almost all around C60", ring(59), FULLERENE_60.to_string()),
        pair("dendrimers", centre(&dendrimer(4)), centre(&broken)),
        pair(
            "recursion 20 deep",
            "[$(".repeat(20) + "C" + &"~*)]".repeat(20),
            "C1CCCCC1".repeat(100),
        ),
        pair(
            "50 recursive parts",
            format!("[{}]", vec!["!$(*~*~*~*~*~*~*~*~*~*~*N)"; 50].join(";")),
            "C1CC2CC1CC2".repeat(40),
        ),
        pair("recursive odd ring", format!("[$({})]", ring(31)), sheet(12)),
    ]
}
