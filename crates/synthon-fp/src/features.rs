//! The pharmacophoric roles that FCFP starts from.

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};

/// Donor, acceptor, aromatic, halogen, basic, acidic: the definitions that RDKit uses, after
/// Gobbi and Poppinger, Biotechnol. Bioeng. 61 (1998) 47. Role `i` is bit `i` of a code.
const ROLES: [&str; 6] = [
    "[$([N;!H0;v3,v4&+1]),$([O,S;H1;+0]),n&H1&+0]",
    "[$([O,S;H1;v2;!$(*-*=[O,N,P,S])]),$([O,S;H0;v2]),$([O,S;-]),$([N;v3;!$(N-*=[O,N,P,S])]),\
     n&H0&+0,$([o,s;+0;!$([o,s]:n);!$([o,s]:c:n)])]",
    "[a]",
    "[F,Cl,Br,I]",
    "[#7;+,$([N;H2&+0][$([C,a]);!$([C,a](=O))]),\
     $([N;H1&+0]([$([C,a]);!$([C,a](=O))])[$([C,a]);!$([C,a](=O))]),\
     $([N;H0&+0]([C;!$(C(=O))])([C;!$(C(=O))])[C;!$(C(=O))])]",
    "[$([C,S](=[O,S,P])-[O;H1,-1])]",
];

/// RDKit looks at this many matches of a pattern at most.
const MOST_MATCHES: usize = 1_000;

/// The compiled roles.
#[derive(Debug)]
pub(crate) struct Features {
    roles: Vec<Pattern>,
}

impl Default for Features {
    fn default() -> Self {
        let compile = |text| Pattern::from_smarts(text).expect("the definitions are SMARTS");
        Features { roles: ROLES.into_iter().map(compile).collect() }
    }
}

impl Features {
    /// The roles of every atom.
    pub(crate) fn of(&self, molecule: &Molecule, budget: &mut Budget) -> Result<Vec<u32>, Stop> {
        let target = Target::new(molecule);
        let mut matcher = Matcher::new();
        let mut codes = vec![0; molecule.atom_count()];
        for (bit, role) in self.roles.iter().enumerate() {
            let options = MatchOptions::default();
            let found = matcher.all_within(role, &target, &options, MOST_MATCHES, budget);
            budget.check()?;
            for image in found.iter() {
                codes[image[0] as usize] |= 1 << bit;
            }
        }
        Ok(codes)
    }
}
