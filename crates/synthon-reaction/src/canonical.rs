//! The canonical text of a template, from which its identity follows.
//!
//! The text does not depend on the order in which atoms are written, on map numbers, or on which
//! way round `/` and `\` are used. Expressions of atoms and bonds are taken as they are written:
//! `[CH3]` and `[C;H3]` are different texts.
//!
//! The two sides are one graph, joined at the mapped atoms. Its atoms are told apart by colour
//! refinement; where that leaves a choice, each is tried and the smallest text wins.

use std::fmt::Write;
use std::ops::Range;

use synthon_mol::Chirality;
use synthon_query::{BondPrimitive, Pattern};

use crate::script::Slot;

/// Refinements spent on choices; more are only needed where many atoms cannot be told apart.
const MAX_REFINEMENTS: usize = 256;

/// A side of a template: its text, its pattern, and the node of each of its atoms.
struct SideGraph<'a> {
    text: &'a str,
    pattern: &'a Pattern,
    nodes: Vec<u32>,
    /// Atom of each node.
    atoms: Vec<Option<usize>>,
    /// Words inside the brackets of each atom, without the map.
    words: Vec<&'a str>,
    /// For each bond with a direction mark, the double-bond system that it belongs to.
    systems: Vec<Option<usize>>,
}

impl<'a> SideGraph<'a> {
    fn new(text: &'a str, pattern: &'a Pattern, nodes: Vec<u32>, count: usize) -> Self {
        let mut atoms = vec![None; count];
        for (atom, &node) in nodes.iter().enumerate() {
            atoms[node as usize] = Some(atom);
        }
        let words = pattern.atoms().iter().map(|a| words(&text[a.span()], a.map())).collect();
        let systems = direction_systems(pattern);
        SideGraph { text, pattern, nodes, atoms, words, systems }
    }

    fn bond_text(&self, bond: usize) -> &'a str {
        &self.text[self.pattern.bonds()[bond].span()]
    }
}

/// What stands in the brackets of an atom, without the map; a bare symbol as it is.
fn words(text: &str, map: u32) -> &str {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    match (map, inner.rfind(':')) {
        (0, _) | (_, None) => inner,
        (_, Some(colon)) => &inner[..colon],
    }
}

/// Canonical text of a template; `slots` as in [`crate::script::compile`].
pub(crate) fn text(
    product: (&str, &Pattern),
    precursor: (&str, &Pattern),
    slots: &[Slot],
) -> String {
    let matched = product.1.atoms().len();
    let count = slots.iter().map(|&s| s as usize + 1).max().unwrap_or(0).max(matched);
    let sides = [
        SideGraph::new(product.0, product.1, (0..matched as u32).collect(), count),
        SideGraph::new(precursor.0, precursor.1, slots.to_vec(), count),
    ];
    let mut search = Search { sides: &sides, best: None, refinements: 0 };
    let colours = search.first_colours(count);
    search.descend(colours);
    search.best.unwrap_or_default()
}

/// Mixes a value into a hash (the finaliser of SplitMix64).
fn mix(hash: u64, value: u64) -> u64 {
    let mut z = (hash ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn mix_text(hash: u64, text: &str) -> u64 {
    text.bytes().fold(mix(hash, text.len() as u64), |h, b| mix(h, u64::from(b)))
}

struct Search<'a> {
    sides: &'a [SideGraph<'a>; 2],
    best: Option<String>,
    refinements: usize,
}

impl Search<'_> {
    fn first_colours(&self, count: usize) -> Vec<u64> {
        let mut colours = vec![0; count];
        for (side, graph) in self.sides.iter().enumerate() {
            for (atom, &node) in graph.nodes.iter().enumerate() {
                let colour = &mut colours[node as usize];
                // Which of the two marks stands there depends on the order of writing.
                let unmarked = graph.words[atom].replace("@@", "@");
                *colour = mix_text(mix(*colour, side as u64 + 1), &unmarked);
                *colour = mix(*colour, graph.pattern.atoms()[atom].group().is_some().into());
            }
        }
        colours
    }

    /// Refines until no colour class splits any more.
    fn refine(&mut self, colours: &mut Vec<u64>) {
        self.refinements += 1;
        let mut classes = class_count(colours);
        loop {
            let mut next = Vec::with_capacity(colours.len());
            for (node, &colour) in colours.iter().enumerate() {
                let mut around = Vec::new();
                for (side, graph) in self.sides.iter().enumerate() {
                    let Some(atom) = graph.atoms[node] else { continue };
                    for n in graph.pattern.graph().neighbours(atom) {
                        let bond = &graph.pattern.bonds()[n.bond()];
                        let text = graph.bond_text(n.bond());
                        let directed = graph.systems[n.bond()].is_some();
                        let mut hash = if directed {
                            mix_text(side as u64, &text.replace('\\', "/"))
                        } else {
                            mix_text(side as u64, text)
                        };
                        if text.contains("->") || text.contains("<-") {
                            hash = mix(hash, (bond.begin() == atom).into());
                        }
                        around.push(mix(hash, colours[graph.nodes[n.atom()] as usize]));
                    }
                }
                around.sort_unstable();
                next.push(around.into_iter().fold(mix(colour, 7), mix));
            }
            *colours = next;
            let now = class_count(colours);
            if now == classes || now == colours.len() {
                return;
            }
            classes = now;
        }
    }

    /// Explores the choices depth first, without recursion.
    fn descend(&mut self, colours: Vec<u64>) {
        let mut open = vec![colours];
        while let Some(mut colours) = open.pop() {
            self.refine(&mut colours);
            let Some(class) = first_choice(&colours) else {
                let text = self.write(&colours);
                if self.best.as_ref().is_none_or(|best| text < *best) {
                    self.best = Some(text);
                }
                continue;
            };
            let tries = if self.refinements < MAX_REFINEMENTS { class.len() } else { 1 };
            for &node in class[..tries].iter().rev() {
                let mut chosen = colours.clone();
                chosen[node] = mix(chosen[node], 0x5eed);
                open.push(chosen);
            }
            if self.refinements >= MAX_REFINEMENTS {
                // No more alternatives: finish this branch only.
                let last = open.pop().expect("one was pushed");
                open.clear();
                if self.best.is_some() {
                    return;
                }
                open.push(last);
            }
        }
    }

    /// Writes both sides in the order of the colours.
    fn write(&self, colours: &[u64]) -> String {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_by_key(|&n| colours[n]);
        let mut rank = vec![0; colours.len()];
        for (r, &node) in order.iter().enumerate() {
            rank[node] = r;
        }
        let mut maps = vec![0u32; colours.len()];
        let mut next_map = 0;
        let product = write_side(&self.sides[0], &rank, |node| {
            if self.sides[1].atoms[node].is_none() {
                return 0;
            }
            next_map += 1;
            maps[node] = next_map;
            next_map
        });
        let precursor = write_side(&self.sides[1], &rank, |node| maps[node]);
        format!("{product}>>{precursor}")
    }
}

fn class_count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// The members of the smallest class of more than one, by size and colour.
fn first_choice(colours: &[u64]) -> Option<Vec<usize>> {
    let mut sorted: Vec<(u64, usize)> = colours.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|class| class.len() > 1)
        .min_by_key(|class| (class.len(), class[0].0))
        .map(|class| class.iter().map(|&(_, node)| node).collect())
}

/// Groups the bonds with direction marks that a double bond relates to each other.
fn direction_systems(pattern: &Pattern) -> Vec<Option<usize>> {
    let bonds = pattern.bonds();
    let directed = |bond: usize| {
        pattern
            .bond_expression(&bonds[bond])
            .iter()
            .any(|l| matches!(l.primitive, BondPrimitive::Direction { .. }))
    };
    let mut system: Vec<Option<usize>> =
        (0..bonds.len()).map(|b| directed(b).then_some(b)).collect();
    if system.iter().all(Option::is_none) {
        return system;
    }
    loop {
        let mut changed = false;
        for (index, bond) in bonds.iter().enumerate() {
            let double =
                pattern.bond_expression(bond).iter().any(|l| l.primitive == BondPrimitive::Double);
            if !double {
                continue;
            }
            let around: Vec<usize> = [bond.begin(), bond.end()]
                .into_iter()
                .flat_map(|end| pattern.graph().neighbours(end))
                .map(|n| n.bond())
                .filter(|&b| b != index && system[b].is_some())
                .collect();
            let Some(least) = around.iter().filter_map(|&b| system[b]).min() else { continue };
            for b in around {
                changed |= system[b] != Some(least);
                system[b] = Some(least);
            }
        }
        if !changed {
            return system;
        }
    }
}

/// One token of a side that is being written.
enum Step {
    Atom { atom: usize, from: Option<usize>, branch: bool },
    Close,
}

/// Writes a side, atoms of low rank first; `map_of` gives the map number of a node.
fn write_side(
    graph: &SideGraph<'_>,
    rank: &[usize],
    mut map_of: impl FnMut(usize) -> u32,
) -> String {
    let pattern = graph.pattern;
    let n = pattern.atoms().len();
    let rank_of = |atom: usize| rank[graph.nodes[atom] as usize];
    let mut by_rank: Vec<usize> = (0..n).collect();
    by_rank.sort_by_key(|&a| rank_of(a));
    let plan = Plan::new(pattern, &by_rank, rank_of);
    // Components in the order of their first atoms, those of one group together.
    let mut parts: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for &root in &plan.roots {
        let group = pattern.atoms()[root].group();
        match parts.iter_mut().find(|(g, _)| group.is_some() && *g == group) {
            Some((_, roots)) => roots.push(root),
            None => parts.push((group, vec![root])),
        }
    }
    let mut writer = Writer {
        graph,
        out: String::new(),
        digits: vec![None; pattern.bonds().len()],
        used: Vec::new(),
        flips: vec![None; pattern.bonds().len()],
    };
    for (index, (group, roots)) in parts.iter().enumerate() {
        if index > 0 {
            writer.out.push('.');
        }
        if group.is_some() {
            writer.out.push('(');
        }
        for (k, &root) in roots.iter().enumerate() {
            if k > 0 {
                writer.out.push('.');
            }
            writer.component(&plan, root, &mut map_of);
        }
        if group.is_some() {
            writer.out.push(')');
        }
    }
    writer.out
}

/// The tree that the text follows, and the ring closures.
struct Plan {
    roots: Vec<usize>,
    /// Bond to the parent.
    parent: Vec<Option<usize>>,
    /// Children in the order of writing: atom and bond.
    children: Vec<Vec<(usize, usize)>>,
    /// Ring bonds at each atom in the order of their digits, with whether the digit is opened
    /// here.
    closures: Vec<Vec<(usize, bool)>>,
}

impl Plan {
    fn new(pattern: &Pattern, by_rank: &[usize], rank_of: impl Fn(usize) -> usize) -> Plan {
        let graph = pattern.graph();
        let n = pattern.atoms().len();
        let mut plan = Plan {
            roots: Vec::new(),
            parent: vec![None; n],
            children: vec![Vec::new(); n],
            closures: vec![Vec::new(); n],
        };
        let mut order = vec![usize::MAX; n];
        let mut next = 0;
        let mut tree = vec![false; pattern.bonds().len()];
        for &root in by_rank {
            if order[root] != usize::MAX {
                continue;
            }
            plan.roots.push(root);
            // A true depth-first walk: a neighbour is entered when it is taken, not when seen.
            let mut stack = vec![(root, None)];
            while let Some((atom, from)) = stack.pop() {
                if order[atom] != usize::MAX {
                    continue;
                }
                order[atom] = next;
                next += 1;
                if let Some((parent, bond)) = from {
                    let parent: usize = parent;
                    plan.parent[atom] = Some(bond);
                    plan.children[parent].push((atom, bond));
                    tree[bond] = true;
                }
                let mut around: Vec<_> = graph
                    .neighbours(atom)
                    .iter()
                    .filter(|nb| order[nb.atom()] == usize::MAX)
                    .collect();
                around.sort_by_key(|nb| std::cmp::Reverse(rank_of(nb.atom())));
                for nb in around {
                    stack.push((nb.atom(), Some((atom, nb.bond()))));
                }
            }
        }
        for &atom in by_rank {
            let mut ring: Vec<_> =
                graph.neighbours(atom).iter().filter(|nb| !tree[nb.bond()]).collect();
            // Closing digits first, in the order in which they were opened; then new ones.
            ring.sort_by_key(|nb| {
                let opens = order[nb.atom()] > order[atom];
                (opens, order[nb.atom()])
            });
            plan.closures[atom] =
                ring.iter().map(|nb| (nb.bond(), order[nb.atom()] > order[atom])).collect();
        }
        plan
    }
}

struct Writer<'a, 'b> {
    graph: &'a SideGraph<'b>,
    out: String,
    /// Ring digit of each open ring bond.
    digits: Vec<Option<usize>>,
    used: Vec<bool>,
    /// For each double-bond system, by its number, whether its marks are swapped.
    flips: Vec<Option<bool>>,
}

impl Writer<'_, '_> {
    fn component(&mut self, plan: &Plan, root: usize, map_of: &mut impl FnMut(usize) -> u32) {
        let mut stack = vec![Step::Atom { atom: root, from: None, branch: false }];
        while let Some(step) = stack.pop() {
            let (atom, from, branch) = match step {
                Step::Close => {
                    self.out.push(')');
                    continue;
                }
                Step::Atom { atom, from, branch } => (atom, from, branch),
            };
            if branch {
                self.out.push('(');
            }
            if let Some(bond) = from {
                self.bond(bond, self.graph.pattern.bonds()[bond].other(atom));
            }
            self.atom(plan, atom, map_of(self.graph.nodes[atom] as usize));
            for &(bond, opens) in &plan.closures[atom] {
                self.closure(bond, opens, atom);
            }
            let children = &plan.children[atom];
            for (k, &(child, bond)) in children.iter().enumerate().rev() {
                let branch = k + 1 < children.len();
                if branch {
                    stack.push(Step::Close);
                }
                stack.push(Step::Atom { atom: child, from: Some(bond), branch });
            }
        }
    }

    fn atom(&mut self, plan: &Plan, atom: usize, map: u32) {
        let words = self.graph.words[atom];
        let chirality = self.graph.pattern.atoms()[atom].chirality();
        let marked;
        let words = if chirality.is_tetrahedral() {
            marked = with_mark(words, self.mark(plan, atom, chirality));
            &marked
        } else {
            words
        };
        let bare = ["B", "C", "N", "O", "P", "S", "F", "Cl", "Br", "I", "b", "c", "n", "o", "p"]
            .contains(&words)
            || ["s", "*", "A", "a"].contains(&words);
        if map != 0 {
            write!(self.out, "[{words}:{map}]").expect("a string takes any text");
        } else if bare {
            self.out.push_str(words);
        } else {
            write!(self.out, "[{words}]").expect("a string takes any text");
        }
    }

    /// The mark that says in the order of writing what `chirality` says in bond order.
    fn mark(&self, plan: &Plan, atom: usize, chirality: Chirality) -> Chirality {
        let written: Vec<usize> = plan.parent[atom]
            .into_iter()
            .chain(plan.closures[atom].iter().map(|&(bond, _)| bond))
            .chain(plan.children[atom].iter().map(|&(_, bond)| bond))
            .collect();
        let neighbours = self.graph.pattern.graph().neighbours(atom);
        let places: Vec<usize> = neighbours
            .iter()
            .map(|n| written.iter().position(|&b| b == n.bond()).expect("every bond is written"))
            .collect();
        let mut odd = false;
        for (k, place) in places.iter().enumerate().take(4) {
            odd ^= places[..k].iter().filter(|p| *p > place).count() % 2 == 1;
        }
        if places.len() == 3 {
            let pattern = self.graph.pattern;
            // A stated hydrogen stands before all others where no atom leads to the centre, a
            // missing ligand before the last of a saturated centre with one ring closure.
            odd ^= if pattern.stated(atom).hydrogens == Some(1) {
                plan.parent[atom].is_none()
            } else {
                let unsaturated = |&bond: &usize| {
                    let expression = pattern.bond_expression(&pattern.bonds()[bond]);
                    expression[0].primitive.is_unsaturated()
                };
                plan.closures[atom].len() == 1 && !written.iter().any(unsaturated)
            };
        }
        if odd { chirality.inverted() } else { chirality }
    }

    fn bond(&mut self, bond: usize, from: usize) {
        let text = self.graph.bond_text(bond);
        let reversed = self.graph.pattern.bonds()[bond].begin() != from;
        let mut text = text.to_owned();
        if reversed {
            text = text.replace("->", "\0").replace("<-", "->").replace('\0', "<-");
        }
        if let Some(system) = self.graph.systems[bond] {
            let swap = |t: &str| t.replace('/', "\0").replace('\\', "/").replace('\0', "\\");
            if reversed {
                text = swap(&text);
            }
            // The first mark of a system is always `/`.
            let first = text.find(['/', '\\']).map(|at| text.as_bytes()[at]);
            let flip = *self.flips[system].get_or_insert(first == Some(b'\\'));
            if flip {
                text = swap(&text);
            }
        }
        self.out.push_str(&text);
    }

    fn closure(&mut self, bond: usize, opens: bool, atom: usize) {
        let digit = if opens {
            let free = self.used.iter().position(|used| !used).unwrap_or(self.used.len());
            if free == self.used.len() {
                self.used.push(false);
            }
            self.used[free] = true;
            self.digits[bond] = Some(free);
            self.bond(bond, atom);
            free
        } else {
            let digit = self.digits[bond].take().expect("a ring digit is opened before it closes");
            self.used[digit] = false;
            digit
        } + 1;
        match digit {
            0..=9 => write!(self.out, "{digit}"),
            10..=99 => write!(self.out, "%{digit}"),
            _ => write!(self.out, "%({digit})"),
        }
        .expect("a string takes any text");
    }
}

/// Exchanges the mark in an atom's words; recursive parts keep theirs.
fn with_mark(words: &str, chirality: Chirality) -> String {
    let place = mark_place(words);
    let mark = if chirality == Chirality::Clockwise { "@@" } else { "@" };
    format!("{}{mark}{}", &words[..place.start], &words[place.end..])
}

/// Where the handedness mark of an atom stands in its words, recursive parts aside; empty at the
/// end when there is none.
pub(crate) fn mark_place(words: &str) -> Range<usize> {
    let (mut depth, mut start) = (0, None);
    for (at, byte) in words.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'@' if depth == 0 => {
                start.get_or_insert(at);
                continue;
            }
            _ => {}
        }
        if let Some(start) = start {
            return start..at;
        }
    }
    start.map_or(words.len()..words.len(), |start| start..words.len())
}

#[cfg(test)]
mod tests {
    use crate::Template;

    fn canonical(text: &str) -> String {
        Template::from_smarts(text).expect(text).smarts().to_owned()
    }

    #[test]
    fn spelling_does_not_matter() {
        for (one, other) in [
            ("[C:1](=[O:2])-[N:3]>>[C:1](=[O:2])O.[N:3]", "[N:7]-[C:3]=[O:9]>>[N:7].O[C:3]=[O:9]"),
            ("[C:1]-[O:2]>>[C:1]Br.[O:2]", "[O:1]-[C:2]>>[O:1].[Br][C:2]"),
            (
                "[C@H:1]([#6:2])([#6:3])[N:4]>>[C@@H:1]([#6:2])([#6:3])Br.[N:4]",
                "[N:4][C@@H:1]([#6:2])[#6:3]>>[N:4].[#6:2][C@@H:1](Br)[#6:3]",
            ),
            (
                "[C:1]/[C:2]=[C:3]/[C:4]>>[C:1][C:2]#[C:3][C:4]",
                "[C:4]\\[C:3]=[C:2]\\[C:1]>>[C:4][C:3]#[C:2][C:1]",
            ),
            ("([C:1].[O:2])>>[C:1][O:2]", "([O:5].[C:6])>>[C:6][O:5]"),
            (
                "[c:1]1[n:2][c:3][c:4][o:5]1>>[c:1]1[n:2][c:3][c:4][o:5]1-Br",
                "[n:1]1[c:2][c:3][o:4][c:5]1>>Br-[o:4]1[c:3][c:2][n:1][c:5]1",
            ),
        ] {
            assert_eq!(canonical(one), canonical(other));
        }
    }

    #[test]
    fn different_templates_differ() {
        for (one, other) in [
            (
                "[C@:1]([C:2])([N:3])[O:4]>>[C@:1]([C:2])([N:3])[O:4]-C",
                "[C@:1]([C:2])([N:3])[O:4]>>[C@@:1]([C:2])([N:3])[O:4]-C",
            ),
            (
                "[C:1]/[C:2]=[C:3]/[C:4]>>[C:1][C:2]#[C:3][C:4]",
                "[C:1]/[C:2]=[C:3]\\[C:4]>>[C:1][C:2]#[C:3][C:4]",
            ),
            ("([C:1].[O:2])>>[C:1][O:2]", "[C:1].[O:2]>>[C:1][O:2]"),
        ] {
            assert_ne!(canonical(one), canonical(other));
        }
    }

    #[test]
    fn canonical_text_is_a_fixed_point() {
        for text in [
            "[C@H:1]([#6:2])([#6:3])[N:4]>>[C@@H:1]([#6:2])([#6:3])Br.[N:4]",
            "[C:9]1=[C:4][C:5]2[C:6]1[N@@+:8]2([C:1])[O-:2]>>[C:9]1=[C:4][C:5]2[C:6]1[N:8]2[C:1].[O-:2]",
            "[C:1]/[C:2]=[C:3](/[F,Cl;!$(C@O):5])[C:4]>>[C:1][C:2]#[C:3][C:4].[*:5]",
            "([C:1].[O:2]).[N;$(N(:C):C):3]>>[C:1]([O:2])[N:3]",
        ] {
            let once = canonical(text);
            assert_eq!(canonical(&once), once);
        }
    }
}
