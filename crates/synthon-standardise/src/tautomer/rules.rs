//! The rules: paths along which a proton may move.
//!
//! Derived by RDKit (2026.09) from Sitzmann et al. (2010). The proton leaves the first atom of a
//! path and arrives at the last; bonds change between single and double unless the rule states
//! their orders.

use std::sync::LazyLock;

use synthon_budget::Stop;
use synthon_mol::{BondOrder, Molecule};
use synthon_query::{Pattern, Target, TargetProfile};

use crate::order::ByRank;
use crate::search::{Finder, compiled};

use BondOrder::{Double, Single, Triple};

/// A rule, compiled.
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    /// Orders of the pattern's bonds afterwards; empty: single and double change places.
    pub(super) orders: &'static [BondOrder],
    /// Changes of charge of the pattern's atoms; empty: none.
    pub(super) charges: &'static [i32],
}

type Row = (&'static str, &'static [BondOrder], &'static [i32]);

const fn path(smarts: &'static str) -> Row {
    (smarts, &[], &[])
}

#[rustfmt::skip]
const RULES: [Row; 37] = [
    // Keto and enol, and with the heavier chalcogens; across two bonds and across four.
    path("[CX4!H0R{0-2}]-[C;z{1-2}]=[O,S,Se,Te;X1]"),
    path("[O,S,Se,Te;X2!H0]-[#6;z{1-2}]=[C,cz{0-1}R{0-1}]"),
    path("[CX4z0,NX3;!H0]-[C]=[C][Cz1H0]=[O,S,Se,Te;X1]"),
    path("[O,S,Se,Te;X2!H0]-[Cz1H0]=[C]-[C]=[Cz0,N]"),
    // Imine and enamine; ring imines.
    path("[CX4R{0-2}!H0]-[Cz1]=[NX2;N!H0,$(N-a)]"),
    path("[NX3;NH2,$([NH1]-a)]-[C;z{1-2}]=[CX3]"),
    path("[Nz0!H0]-[C]=[Cz0X3R0]"),
    path("[Cz0R0X4!H0]-[c]=[nz0]"),
    ("[Cz0R0X4!H0]-[cr6](=[cr6])-[nr6H0z0]", &[Double, Double, Single], &[]),
    // Between heteroatoms: across two, four, six, eight and ten bonds.
    path("[#7+0!H0]-[#6R1]=[O,#7X2+0]"),
    path("[O,#7+0;!H0]-[#6R1]=[#7+0X2]"),
    path("[#7+0,S,O,Se,Te;!H0]-[#7X2,#6,#15X3H0]=[#7+0,#16,#8,Se,Te]"),
    path("[#7+0,#16,#8;!H0]-[#6,#7]=[#6]-[#6,#7]=[#7+0,#16,#8;H0]"),
    path("[#7+0,#16,#8,Se,Te;!H0]-[#6,nX2]=[#6,nX2]-[#6,#7X2]=[#7X2+0,S,O,Se,Te]"),
    path("[#7+0,S,O,Se,Te;!H0]-[#6,#7X2]=[#6,nX2]-[#6,nX2]=[#7+0,#16,#8,Se,Te]"),
    path("[#7+0,#8,#16,Se,Te;!H0]-[#6,#7X2]=[#6,#7X2]-[#6,#7X2]=[#6]-[#6,#7X2]=[#7X2+0,S,O,Se,Te,Cz0X3]"),
    path("[#7+0,S,O,Se,Te,Cz0X4;!H0]-[#6,#7X2]=[#6]-[#6,#7X2]=[#6,#7X2]-[#6,#7X2]=[NX2,S,O,Se,Te]"),
    path("[#7+0,O;!H0]-[#6,#7X2]=[#6,#7X2]-[#6,#7X2]=[#6,#7X2]-[#6,#7X2]=[#6,#7X2]-[#6,#7X2]=[#7+0,O]"),
    path("[#7+0,O;!H0]-[#6,nX2]=[#6,nX2]-[#6,nX2]=[#6,nX2]-[#6,nX2]=[#6,nX2]-[#6,nX2]=[#6,nX2]-[#6,nX2]=[#7X2+0,O]"),
    // Furanone.
    path("[O,S,N;!H0]-[#6z2r5]=,:[#6X3r5;$([#6]([#6;r5])=,:[#6X3r5])]"),
    path("[#6r5!H0;$([#6]([#6r5])[#6r5])][#6z2r5]=[O,S,N]"),
    // Ketene and ynol.
    ("[C!H0]=[C]=[O,S,Se,Te;X1]", &[Triple, Single], &[]),
    ("[O,S,Se,Te;!H0X2]-[C]#[C]", &[Double, Double], &[]),
    // Nitro and aci-nitro, oxime and nitroso.
    path("[C!H0]-[N+;$([N][O-])]=[O]"),
    path("[O!H0]-[N+;$([N][O-])]=[C]"),
    path("[O!H0]-[Nz1]=[C]"),
    path("[C!H0]-[Nz1]=[O]"),
    path("[O!H0]-[N]=[C]-[C]=[C]-[C]=[OH0]"),
    path("[O!H0]-[c]=,:[c][c]=,:[c]-[N]=[OH0]"),
    // Cyanic and isocyanic acid.
    ("[O!H0]-[C]#[N]", &[Double, Double], &[]),
    ("[N!H0]=[C]=[O]", &[Triple, Single], &[]),
    // Formamidinesulphinic acid.
    ("[O,N;!H0]-[C]=[S,Se,Te;v6]=[O]", &[Double, Single, Single], &[]),
    ("[O!H0]-[S,Se,Te;v4]-[C]=[O,N]", &[Double, Double, Single], &[]),
    // Hydrogen cyanide and isocyanide.
    ("[C-0!H0]#[N+0]", &[Triple], &[-1, 1]),
    ("[N+!H0]#[C-]", &[Triple], &[-1, 1]),
    // Phosphonic acid.
    ("[OH]-[PX3H0]", &[Double], &[]),
    ("[PX4H]=[O]", &[Single], &[]),
];

static COMPILED: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    RULES
        .iter()
        .map(|&(smarts, orders, charges)| Rule { pattern: compiled(smarts), orders, charges })
        .collect()
});

/// The rules, in the order in which they are tried.
pub(super) fn rules() -> &'static [Rule] {
    &COMPILED
}

/// Whether some rule applies to a molecule.
pub(super) fn any_applies(molecule: &Molecule, finder: &mut Finder<'_>) -> Result<bool, Stop> {
    // A path needs a proton to move and a bond to move it along.
    if molecule.atoms().iter().all(|atom| atom.hydrogens() == 0) {
        return Ok(false);
    }
    let ordered = ByRank::of(molecule);
    let profile = TargetProfile::kekulised(&ordered.molecule);
    let target = Target::with_profile(&ordered.molecule, &profile);
    for rule in rules() {
        if finder.first(&rule.pattern, &target)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
