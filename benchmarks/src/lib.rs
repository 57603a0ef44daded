//! The inputs that all benchmarks share, so that their figures can be held side by side.
#![deny(missing_docs)]

use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use synthon_budget::CancelFlag;
use synthon_tools::{CallContext, Catalogue, call_tool};

/// The twelve drugs of the planning benchmarks: name and SMILES.
pub const DRUGS: [(&str, &str); 12] = [
    ("paracetamol", "CC(=O)Nc1ccc(O)cc1"),
    ("aspirin", "CC(=O)Oc1ccccc1C(=O)O"),
    ("lidocaine", "CCN(CC)CC(=O)Nc1c(C)cccc1C"),
    ("procaine", "CCN(CC)CCOC(=O)c1ccc(N)cc1"),
    ("benzocaine", "CCOC(=O)c1ccc(N)cc1"),
    ("ibuprofen", "CC(C)Cc1ccc(C(C)C(=O)O)cc1"),
    ("atenolol", "CC(C)NCC(O)COc1ccc(CC(N)=O)cc1"),
    ("diazepam", "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21"),
    ("celecoxib", "Cc1ccc(-c2cc(C(F)(F)F)nn2-c2ccc(S(N)(=O)=O)cc2)cc1"),
    ("sildenafil", "CCCc1nn(C)c2c(=O)[nH]c(-c3cc(S(=O)(=O)N4CCN(C)CC4)ccc3OCC)nc12"),
    ("imatinib", "Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1"),
    ("fluoxetine", "CNCCC(Oc1ccc(C(F)(F)F)cc1)c1ccccc1"),
];

/// 200 molecules of 16 to 38 heavy atoms (26 on average), evenly spaced through the products and
/// reactants of USPTO-50k (CC0).
pub fn drug_like() -> impl Iterator<Item = &'static str> + Clone {
    include_str!("../molecules.smi").lines()
}

/// Text of hard cases: many rings, many centres, symmetry.
pub const HARD: [(&str, &str); 4] = [
    (
        "buckminsterfullerene",
        "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1\
         c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41",
    ),
    ("cubane", "C12C3C4C1C5C2C3C45"),
    (
        "vancomycin aglycone",
        "CC(C)C[C@H](NC)C(=O)N[C@@H]1C(=O)N[C@@H](CC(N)=O)C(=O)N[C@H]2C(=O)N[C@H]3C(=O)N[C@H](\
         C(=O)N[C@@H](C(=O)O)c4cc(O)cc(O)c4-c4cc3ccc4O)[C@H](O)c3ccc(c(Cl)c3)Oc3cc2cc(c3O)Oc2ccc(\
         cc2Cl)[C@H]1O",
    ),
    (
        "taxol",
        "CC1=C2[C@@]([C@]([C@H]([C@@H]3[C@]4([C@H](OC4)C[C@@H]([C@]3(C(=O)[C@@H]2OC(=O)C)C)O)OC(=O)\
         C)OC(=O)c2ccccc2)(C[C@@H]1OC(=O)[C@H](O)[C@@H](NC(=O)c1ccccc1)c1ccccc1)O)(C)C",
    ),
];

/// Patterns of the kinds that chemists search with: functional groups, rings, recursion, logic.
pub const PATTERNS: [&str; 12] = [
    "C(=O)[OH]",
    "[NX3;H2,H1;!$(NC=O)]",
    "[$([#6](=[O,N,S])),$([#16](=O))]-[NX3;H2,H1,H0]",
    "c1ccncc1",
    "c1ccc(-c2ccccc2)cc1",
    "[OX2H][CX4;!$(C([OX2H])[O,S,#7,#15])]",
    "[#7;R]1~[#6]~[#7]~[#6]~[#6]~1",
    "[CX4][CX4]([CX4])[CX4]",
    "[F,Cl,Br,I][c;$(c1ccccc1)]",
    "S(=O)(=O)N",
    "[C@H](N)(C)C(=O)O",
    "[r6;$(*~[!#6])]:[r6]:[r6]",
];

/// 60 patterns, as a file so that peers read the same.
pub fn patterns() -> impl Iterator<Item = &'static str> + Clone {
    include_str!("../patterns.smarts").lines()
}

/// Retro templates, product side first.
pub const TEMPLATES: [&str; 8] = [
    "[C:1](=[O:2])-[N;H1,H2;!$(N-[C,S]=O):3]>>[C:1](=[O:2])-[OH].[N:3]",
    "[C:1](=[O:2])-[O;H0:3]-[C;!$(C=O):4]>>[C:1](=[O:2])-[OH].[OH:3]-[C:4]",
    "[c:1]-!@[c:2]>>[c:1]-Br.[c:2]-B(O)O",
    "[c:1]-[N;H1:2]-[C:3]>>[c:1]-F.[NH2:2]-[C:3]",
    "[S:1](=[O:2])(=[O:3])-[N:4]>>[S:1](=[O:2])(=[O:3])-Cl.[N:4]",
    "[C;H2:1]-[N;!$(N-C=O):2]>>[C;H1:1]=O.[N:2]",
    "[c:1]-[O:2]-[C;H2:3]>>[c:1]-[OH:2].[C:3]-Br",
    "[C@@H:1]([C:2])([C:3])-[O:4]-[c:5]>>[C@H:1]([C:2])([C:3])-[OH].[OH:4]-[c:5]",
];

/// A `find_routes` call with the named templates and default options otherwise, and the number of
/// routes that it found. A limit in molecules rather than in time makes every call do the same work.
///
/// # Errors
/// The tool's own.
pub fn find_routes(catalogue: &Catalogue, smiles: &str, node_limit: u64) -> Result<u64> {
    let hour = Duration::from_secs(3_600);
    let arguments = json!({
        "smiles": smiles, "library": "curated", "node_limit": node_limit, "timeout_secs": 3_600,
    });
    let context = CallContext::limited(catalogue, hour, CancelFlag::new());
    let reply = call_tool("find_routes", &arguments, &context).map_err(|e| anyhow!("{e}"))?;
    let found = reply.structured.get("routes_found").and_then(Value::as_u64);
    found.ok_or_else(|| anyhow!("no routes_found in the reply"))
}

/// The middle one of the values, which must not be empty.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
