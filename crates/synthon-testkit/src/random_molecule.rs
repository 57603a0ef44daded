//! Random molecules as graphs, and any number of SMILES spellings of each.
//!
//! The writer here shares nothing with the engine's: what two spellings of one graph must have in
//! common is therefore a test of the engine.

use crate::Random;

/// What random molecules look like.
#[derive(Clone, Copy, Debug)]
pub struct MoleculeShape {
    /// Atoms beside those of aromatic rings, at most; at least one.
    pub atoms: usize,
    /// Rings closed between atoms that are there already, at most.
    pub closures: usize,
    /// Aromatic rings of five or six atoms hung on, at most.
    pub aromatic_rings: usize,
    /// Whether stereo centres and double-bond geometries are marked.
    pub stereo: bool,
    /// Whether there are charges and isotopes.
    pub exotic: bool,
}

impl Default for MoleculeShape {
    /// About the size of a small drug, with everything.
    fn default() -> Self {
        MoleculeShape { atoms: 20, closures: 3, aromatic_rings: 2, stereo: true, exotic: true }
    }
}

/// Stands for the hydrogen among the ligands of a stereo centre.
const HYDROGEN: usize = usize::MAX;

#[derive(Clone, Debug)]
struct Vertex {
    symbol: &'static str,
    valence: usize,
    used: usize,
    charge: i8,
    isotope: u16,
    /// Ligands of a stereo centre and whether the later ones run clockwise seen from the first.
    centre: Option<(Vec<usize>, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [usize; 2],
    order: usize,
    /// A neighbour of either end, and whether they lie on opposite sides.
    geometry: Option<([usize; 2], bool)>,
}

/// A molecular graph in kekulé form.
#[derive(Clone, Debug, Default)]
pub struct RandomMolecule {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
}

impl RandomMolecule {
    /// Draws a connected molecule that obeys the valences of its elements.
    pub fn new(shape: &MoleculeShape, random: &mut Random) -> Self {
        let mut molecule = RandomMolecule::default();
        molecule.add("C", 4);
        for _ in 1..random.between(1, shape.atoms.max(1)) {
            if let Some(at) = molecule.open_vertex(random) {
                let new = molecule.add_random_vertex(shape, random);
                molecule.join(at, new, 1);
            }
        }
        for _ in 0..random.between(0, shape.aromatic_rings) {
            molecule.hang_aromatic_ring(random);
        }
        for _ in 0..random.between(0, shape.closures) {
            molecule.close_ring(random);
        }
        molecule.raise_orders(random);
        if shape.stereo {
            molecule.mark_centres(random);
            molecule.mark_geometries(random);
        }
        molecule
    }

    /// Number of atoms, without hydrogens.
    pub fn atom_count(&self) -> usize {
        self.vertices.len()
    }

    fn add(&mut self, symbol: &'static str, valence: usize) -> usize {
        let vertex = Vertex { symbol, valence, used: 0, charge: 0, isotope: 0, centre: None };
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    fn add_random_vertex(&mut self, shape: &MoleculeShape, random: &mut Random) -> usize {
        let (symbol, valence) = match random.below(100) {
            0..64 => ("C", 4),
            64..76 => ("N", 3),
            76..88 => ("O", 2),
            88..91 => ("S", 2),
            91..92 => ("S", 6),
            92..93 => ("P", 5),
            93..96 => ("F", 1),
            96..98 => ("Cl", 1),
            98..99 => ("Br", 1),
            _ => ("Si", 4),
        };
        let vertex = self.add(symbol, valence);
        if shape.exotic && random.chance(6) {
            let vertex = &mut self.vertices[vertex];
            match (symbol, random.below(3)) {
                ("N", 0 | 1) => (vertex.charge, vertex.valence) = (1, 4),
                ("O", 0 | 1) => (vertex.charge, vertex.valence) = (-1, 1),
                ("C", 0) => vertex.isotope = 13,
                ("C", 1) => vertex.isotope = 14,
                ("N", 2) => vertex.isotope = 15,
                _ => {}
            }
        }
        vertex
    }

    fn free(&self, vertex: usize) -> usize {
        self.vertices[vertex].valence - self.vertices[vertex].used
    }

    fn open_vertex(&self, random: &mut Random) -> Option<usize> {
        let open: Vec<usize> =
            (0..self.vertices.len()).filter(|&vertex| self.free(vertex) > 0).collect();
        (!open.is_empty()).then(|| *random.pick(&open))
    }

    fn join(&mut self, a: usize, b: usize, order: usize) {
        self.vertices[a].used += order;
        self.vertices[b].used += order;
        self.edges.push(Edge { ends: [a, b], order, geometry: None });
    }

    fn hang_aromatic_ring(&mut self, random: &mut Random) {
        let Some(at) = self.open_vertex(random) else { return };
        let six = random.chance(60);
        let mut ring = Vec::new();
        for place in 0..if six { 6 } else { 5 } {
            let (symbol, valence) = match place {
                0 => ("C", 4),
                4 if !six => *random.pick(&[("O", 2), ("S", 2), ("N", 3)]),
                _ if random.chance(20) => ("N", 3),
                _ => ("C", 4),
            };
            ring.push(self.add(symbol, valence));
        }
        for (place, &vertex) in ring.iter().enumerate() {
            // Double bonds 0-1 and 2-3, and 4-5 in a ring of six.
            let double = place % 2 == 0 && place + 1 < ring.len();
            self.join(vertex, ring[(place + 1) % ring.len()], if double { 2 } else { 1 });
        }
        self.join(at, ring[0], 1);
    }

    fn close_ring(&mut self, random: &mut Random) {
        let Some(from) = self.open_vertex(random) else { return };
        let distances = self.distances(from, usize::MAX);
        let near: Vec<usize> = (0..self.vertices.len())
            .filter(|&vertex| self.free(vertex) > 0 && (2..=6).contains(&distances[vertex]))
            .collect();
        if !near.is_empty() {
            self.join(from, *random.pick(&near), 1);
        }
    }

    /// Bonds on the shortest way to every vertex that does not use the edge `without`.
    fn distances(&self, from: usize, without: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.vertices.len()];
        distances[from] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while next < queue.len() {
            let vertex = queue[next];
            next += 1;
            for (edge, other) in self.edges_at(vertex) {
                if edge != without && distances[other] == usize::MAX {
                    distances[other] = distances[vertex] + 1;
                    queue.push(other);
                }
            }
        }
        distances
    }

    fn edges_at(&self, vertex: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.edges.iter().enumerate().filter_map(move |(index, edge)| match edge.ends {
            [a, b] if a == vertex => Some((index, b)),
            [a, b] if b == vertex => Some((index, a)),
            _ => None,
        })
    }

    fn neighbours(&self, vertex: usize) -> Vec<usize> {
        self.edges_at(vertex).map(|(_, other)| other).collect()
    }

    fn in_ring(&self, edge: usize) -> bool {
        let [a, b] = self.edges[edge].ends;
        self.distances(a, edge)[b] != usize::MAX
    }

    fn raise_orders(&mut self, random: &mut Random) {
        for index in 0..self.edges.len() {
            let Edge { ends: [a, b], order, .. } = self.edges[index];
            let room = self.free(a).min(self.free(b));
            let raise = match random.below(100) {
                0..20 => 1,
                20..23 if !self.in_ring(index) => 2,
                _ => 0,
            };
            // Cumulated double bonds inside small rings do not exist.
            let cumulated = [a, b]
                .iter()
                .any(|&end| self.edges_at(end).any(|(edge, _)| self.edges[edge].order > 1));
            if raise > 0 && order == 1 && room >= raise && !(cumulated && self.in_ring(index)) {
                self.edges[index].order += raise;
                self.vertices[a].used += raise;
                self.vertices[b].used += raise;
            }
        }
    }

    fn mark_centres(&mut self, random: &mut Random) {
        for vertex in 0..self.vertices.len() {
            let single = self.edges_at(vertex).all(|(edge, _)| self.edges[edge].order == 1);
            let mut ligands = self.neighbours(vertex);
            ligands.extend(std::iter::repeat_n(HYDROGEN, self.free(vertex)));
            let hydrogens = self.free(vertex);
            let Vertex { symbol, charge, .. } = self.vertices[vertex];
            let carbon = symbol == "C" && charge == 0;
            if carbon && single && ligands.len() == 4 && hydrogens <= 1 && random.chance(60) {
                self.vertices[vertex].centre = Some((ligands, random.chance(50)));
            }
        }
    }

    fn mark_geometries(&mut self, random: &mut Random) {
        for index in 0..self.edges.len() {
            let Edge { ends: [a, b], order, .. } = self.edges[index];
            if order != 2 || self.in_ring(index) || !random.chance(60) {
                continue;
            }
            let others = |end: usize, not: usize| -> Option<Vec<usize>> {
                let carbon_or_nitrogen = matches!(self.vertices[end].symbol, "C" | "N");
                let plain = carbon_or_nitrogen && self.vertices[end].charge == 0;
                let mut others = Vec::new();
                for (edge, other) in self.edges_at(end).filter(|&(_, other)| other != not) {
                    // A mark on a bond between two marked double bonds would speak of both.
                    let shared =
                        self.edges_at(other).any(|(e, _)| self.edges[e].geometry.is_some());
                    if self.edges[edge].order != 1 || shared {
                        return None;
                    }
                    others.push(other);
                }
                (plain && !others.is_empty()).then_some(others)
            };
            if let (Some(at_a), Some(at_b)) = (others(a, b), others(b, a)) {
                let references = [*random.pick(&at_a), *random.pick(&at_b)];
                self.edges[index].geometry = Some((references, random.chance(50)));
            }
        }
    }

    /// A spelling with a random start, random branches and random ring digits. All spellings of a
    /// molecule mean the same.
    pub fn spell(&self, random: &mut Random) -> String {
        let mut writer = Writer {
            molecule: self,
            random,
            parent: vec![None; self.vertices.len()],
            seen: vec![false; self.vertices.len()],
            children: vec![Vec::new(); self.vertices.len()],
            closures: vec![Vec::new(); self.vertices.len()],
            digits: Vec::new(),
            marks: vec![None; self.edges.len()],
            text: String::new(),
        };
        let root = writer.random.below(self.vertices.len());
        writer.plan(root);
        writer.place_marks();
        writer.write(root);
        writer.text
    }
}

struct Writer<'a> {
    molecule: &'a RandomMolecule,
    random: &'a mut Random,
    parent: Vec<Option<usize>>,
    seen: Vec<bool>,
    /// Tree edges down, in writing order: edge and child.
    children: Vec<Vec<(usize, usize)>>,
    /// Ring closures in writing order: edge and partner.
    closures: Vec<Vec<(usize, usize)>>,
    /// Edge that holds each ring number.
    digits: Vec<Option<usize>>,
    /// Direction of a marked edge: up from this vertex to the other (`/` when written so).
    marks: Vec<Option<usize>>,
    text: String,
}

impl Writer<'_> {
    fn plan(&mut self, vertex: usize) {
        self.seen[vertex] = true;
        let mut around: Vec<_> = self.molecule.edges_at(vertex).collect();
        self.random.shuffle(&mut around);
        for (edge, other) in around {
            if !self.seen[other] {
                self.parent[other] = Some(vertex);
                self.children[vertex].push((edge, other));
                self.plan(other);
            } else if self.parent[vertex] != Some(other)
                && !self.closures[vertex].iter().any(|&(closed, _)| closed == edge)
            {
                self.closures[vertex].push((edge, other));
                let place = self.random.below(self.closures[other].len() + 1);
                self.closures[other].insert(place, (edge, vertex));
            }
        }
    }

    /// Puts the marks of every double bond with geometry on one tree bond at either end.
    fn place_marks(&mut self) {
        for double in &self.molecule.edges {
            let Some((references, trans)) = double.geometry else { continue };
            let mut away = [false; 2];
            for end in 0..2 {
                let (at, not) = (double.ends[end], double.ends[1 - end]);
                let tree: Vec<(usize, usize)> = self
                    .molecule
                    .edges_at(at)
                    .filter(|&(_, other)| other != not)
                    .filter(|&(_, other)| {
                        self.parent[at] == Some(other) || self.parent[other] == Some(at)
                    })
                    .collect();
                let &(edge, other) = self.random.pick(&tree);
                away[end] = other != references[end];
                // The first end is marked upwards towards the double bond; opposite sides then
                // mean upwards away from it at the other end.
                let opposite = trans ^ away[0] ^ (end == 1 && away[1]);
                let upwards_away = end == 1 && opposite;
                self.marks[edge] = Some(match (end, upwards_away) {
                    (0, _) => other,
                    (_, true) => at,
                    (_, false) => other,
                });
            }
        }
    }

    fn write_bond(&mut self, edge: usize, from: usize) {
        match (self.molecule.edges[edge].order, self.marks[edge]) {
            (2, _) => self.text.push('='),
            (3, _) => self.text.push('#'),
            (_, Some(up_from)) => self.text.push(if up_from == from { '/' } else { '\\' }),
            (_, None) => {}
        }
    }

    fn write_closures(&mut self, vertex: usize) {
        for (edge, _) in self.closures[vertex].clone() {
            let held = self.digits.iter().position(|&held| held == Some(edge));
            let digit = match held {
                Some(digit) => {
                    self.digits[digit] = None;
                    digit
                }
                None => {
                    self.write_bond(edge, vertex);
                    let free = self.digits.iter().position(Option::is_none);
                    // A number below ten is left unused now and then, so that all are tried.
                    let digit = free.filter(|_| self.random.chance(80)).unwrap_or_else(|| {
                        self.digits.push(None);
                        self.digits.len() - 1
                    });
                    self.digits[digit] = Some(edge);
                    digit
                }
            };
            match digit {
                0..10 => self.text.push_str(&digit.to_string()),
                10..100 => self.text.push_str(&format!("%{digit}")),
                _ => self.text.push_str(&format!("%({digit})")),
            }
        }
    }

    fn write(&mut self, vertex: usize) {
        let symbol = self.symbol(vertex);
        self.text.push_str(&symbol);
        self.write_closures(vertex);
        let children = self.children[vertex].clone();
        for (place, &(edge, child)) in children.iter().enumerate() {
            // The last branch may stand in brackets too.
            let branch = place + 1 < children.len() || self.random.chance(5);
            if branch {
                self.text.push('(');
            }
            self.write_bond(edge, vertex);
            self.write(child);
            if branch {
                self.text.push(')');
            }
        }
    }

    fn symbol(&mut self, vertex: usize) -> String {
        let Vertex { symbol, charge, isotope, centre, .. } = &self.molecule.vertices[vertex];
        let hydrogens = self.molecule.free(vertex);
        let organic = *charge == 0 && *isotope == 0 && *symbol != "Si";
        let mut mark = "";
        if let Some((ligands, clockwise)) = centre {
            let mut written: Vec<usize> = self.parent[vertex].into_iter().collect();
            written.extend(ligands.iter().filter(|&&ligand| ligand == HYDROGEN));
            written.extend(self.closures[vertex].iter().map(|&(_, other)| other));
            written.extend(self.children[vertex].iter().map(|&(_, other)| other));
            mark = if clockwise ^ is_odd(ligands, &written) { "@@" } else { "@" };
        }
        // Elements of two valences are written bare, so that the reader chooses.
        let two_valences = matches!(*symbol, "S" | "P");
        if organic && mark.is_empty() && (two_valences || self.random.chance(95)) {
            return symbol.to_string();
        }
        let mut text = String::from("[");
        if *isotope != 0 {
            text.push_str(&isotope.to_string());
        }
        text.push_str(symbol);
        text.push_str(mark);
        match hydrogens {
            0 => {}
            1 => text.push('H'),
            more => text.push_str(&format!("H{more}")),
        }
        match charge {
            1 => text.push('+'),
            -1 => text.push('-'),
            _ => {}
        }
        text.push(']');
        text
    }
}

/// Whether an odd number of swaps leads from one order to the other.
fn is_odd(from: &[usize], to: &[usize]) -> bool {
    let mut from = from.to_vec();
    let mut odd = false;
    for place in 0..from.len() {
        let found = from[place..].iter().position(|item| *item == to[place]);
        let found = place + found.expect("both list the same ligands");
        if found != place {
            from.swap(place, found);
            odd = !odd;
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn molecules_have_many_balanced_spellings() {
        let mut random = Random::new(11);
        let mut all = BTreeSet::new();
        for _ in 0..200 {
            let molecule = RandomMolecule::new(&MoleculeShape::default(), &mut random);
            for _ in 0..5 {
                let text = molecule.spell(&mut random);
                let count = |sign| text.matches(sign).count();
                assert_eq!((count("("), count("[")), (count(")"), count("]")), "{text}");
                all.insert(text);
            }
        }
        assert!(all.len() > 700, "{}", all.len());
    }

    #[test]
    fn parity_of_orders() {
        assert!(!is_odd(&[0, 1, 2, 3], &[0, 1, 2, 3]));
        assert!(is_odd(&[0, 1, 2, 3], &[0, 1, 3, 2]));
        assert!(!is_odd(&[0, 1, 2, 3], &[0, 2, 3, 1]));
        assert!(is_odd(&[5, HYDROGEN, 2, 3], &[HYDROGEN, 5, 2, 3]));
    }
}
