"""SMARTS: accepted or not, and for every pattern and molecule the verdict and the unique matches.

The patterns are those of the reference table and, for primitives beyond Daylight's, a list of our
own. RDKit matches with `useChirality`, since marks in a pattern are always enforced here.
"""

from rdkit import Chem

from harness import Suite, read_lines, spread

MOLECULES = 2_000
# More than any pattern of the table has in a molecule of the corpora.
MOST_MATCHES = 100_000
EXTENSIONS = """
[^0] [^1] [^2] [^3] [^4] [^5] [h] [h0] [h1] [h2] [h3] [k3] [k5] [k6] [k7] [k] [d0] [d1] [d2] [d3]
[d4] [z] [z0] [z1] [z2] [z3] [Z] [Z0] [Z1] [Z2] [D{2-3}] [D{2-}] [D{-1}] [r{5-6}] [r{7-}] [R{2-}]
[H{1-2}] [h{1-}] [x{3-}] [v{5-}] [X{1-2}] [+{1-2}] [-{1-}] [z{2-}] [C;^2;H0] [N;^3] [N^2] [O;^2]
[se] [as] [si] [te] [#0] [2H] [13C] [C;h1;d3] C$C C->N N->[#78,#46] [Fe]<-N *~[#26] [v6] [v3] [X5]
[C@H](F)(Cl)Br [C@H]([#6])([#6])[#7,#8] [#6][C@H]([#7])[#6]=O [#6][C@@H]([#7])[#6]=O
[C@](C)(N)C(=O) [#6]/[#6]=[#6]/[#6] [#6]/[#6]=[#6]\\[#6] [#6]/[#6]=[#7]\\[#8,#7] [$([C@H](N)C=O)]
[C@;R](*)(*)* *[S@](=O)* [C@,N](C)(C)O [P@](*)(*)=O C1=CC=CC=C1 c1ccccc1-c1ccccc1
""".split()


def main():
    suite = Suite("smarts")
    per_file = max(suite.limit // 10, 1) if suite.limit else MOLECULES // 5
    texts = []
    for _corpus, inputs in suite.corpora():
        readable = [t for t in spread(inputs, 2 * per_file) if Chem.MolFromSmiles(t) is not None]
        texts += readable[:per_file]
    texts = texts[:MOLECULES]
    path = suite.out / "smarts_molecules.smi"
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    # Both of RDKit's perceptions: agreement under either counts.
    perceived = []
    for legacy in (False, True):
        Chem.SetUseLegacyStereoPerception(legacy)
        perceived.append([Chem.MolFromSmiles(text) for text in texts])
    table = read_lines(suite.data / "mcs" / "smarts_counts.tsv")[1:]
    sets = {"reference patterns": [line.split("\t")[9] for line in table]}
    sets["extensions"] = EXTENSIONS
    for name, patterns in sets.items():
        if suite.limit and name != "extensions":
            patterns = spread(patterns, suite.limit)
        for smarts, ours in zip(patterns, suite.ours(patterns, str(path))):
            query = Chem.MolFromSmarts(smarts)
            suite.compare(name, smarts, "accepted", ours["ok"], query is not None)
            if query is None or not ours["ok"]:
                continue
            found = dict(zip(ours["hits"], ours["unique"]))
            for i, molecules in enumerate(zip(*perceived)):
                count = found.get(i, 0)
                theirs = 0
                for molecule in molecules:
                    theirs = len(
                        molecule.GetSubstructMatches(
                            query, uniquify=True, useChirality=True, maxMatches=MOST_MATCHES
                        )
                    )
                    if theirs == count:
                        break
                suite.compare(name, smarts, "verdict", count > 0, theirs > 0)
                suite.compare(name, smarts, "unique matches", count, theirs)
    suite.finish(goal=1.0)


main()
