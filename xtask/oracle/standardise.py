"""Standard forms against RDKit's MolStandardize, compared as molecules.

The rows of `standardise/rdkit_2026_09.tsv` hold what RDKit gave; molecules of the other corpora are
asked for here. Differences in the rows are listed one by one in `judged/`. Of the other corpora
three kinds are counted as judged:

- RDKit's answer is no molecule: its clean-up writes sydnones and their like with bonds that no atom
  allows (rdkit#9062), and what follows adds hydrogens. Ours leaves them as they are.
- RDKit's own score prefers our tautomer: when it chooses, it leaves out terms of the score that do
  not fit the tautomer that was given, so that its choice depends on the input.
- Both enumerations stopped at a limit: which tautomers were found by then depends on the order of
  the atoms, which with RDKit is that of the spelling.
"""

import csv

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from harness import Suite, spread

COLUMNS = (
    "cleanup", "largest_fragment", "neutralise", "cleanup_largest_neutralise", "canonical_tautomer"
)
TABLE = "rdkit_2026_09"
CORPORA = ("pubchem_100k", "chembl_chiral", "moleculenet_drugs")
EACH = 2_500  # molecules of each corpus, since RDKit takes its time over tautomers
SPELLINGS = "2"


class Oracle:
    """RDKit with the reference's settings."""

    def __init__(self):
        heavy = rdMolStandardize.CleanupParameters()
        heavy.largestFragmentChooserCountHeavyAtomsOnly = True
        self.chooser = rdMolStandardize.LargestFragmentChooser(heavy)
        self.uncharger = rdMolStandardize.Uncharger()
        self.tautomers = rdMolStandardize.TautomerEnumerator()
        self.tautomers.SetMaxTautomers(128)
        self.tautomers.SetMaxTransforms(256)

    def score(self, text):
        return self.tautomers.ScoreTautomer(Chem.MolFromSmiles(text))

    def is_limited(self, text):
        status = self.tautomers.Enumerate(Chem.MolFromSmiles(text)).status
        return status != rdMolStandardize.TautomerEnumeratorStatus.Completed

    def row(self, molecule):
        clean = rdMolStandardize.Cleanup(molecule)
        return {
            "cleanup": Chem.MolToSmiles(clean),
            "largest_fragment": Chem.MolToSmiles(self.chooser.choose(molecule)),
            "neutralise": Chem.MolToSmiles(self.uncharger.uncharge(molecule)),
            "cleanup_largest_neutralise": Chem.MolToSmiles(
                self.uncharger.uncharge(self.chooser.choose(clean))
            ),
            "canonical_tautomer": Chem.MolToSmiles(self.tautomers.Canonicalize(molecule)),
        }


def same(text):
    """One text for a molecule, or nothing where there is none."""
    molecule = Chem.MolFromSmiles(text)
    return Chem.MolToSmiles(molecule) if molecule else None


def compare(suite, oracle, corpus, text, ours, theirs):
    listed = corpus == TABLE
    broken = same(theirs["cleanup"]) is None
    for column in COLUMNS:
        expected = same(theirs[column])
        if listed or expected == same(ours[column]):
            pass
        elif expected is None or (column == "cleanup_largest_neutralise" and broken):
            suite.judged.add((text, column))
        elif column == "canonical_tautomer":
            limited = ours["canonical_tautomer_status"] == "LIMIT_REACHED"
            if (limited and oracle.is_limited(text)) or (
                oracle.score(ours[column]) > oracle.score(expected)
            ):
                suite.judged.add((text, column))
        suite.compare(corpus, text, column, same(ours[column]), expected)
    suite.compare(corpus, text, "spellings", ours["differing"], [])


def main():
    suite = Suite("standardise")
    oracle = Oracle()
    table = suite.data / "standardise" / f"{TABLE}.tsv"
    with open(table, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = spread(rows, suite.limit)
    for row, ours in zip(rows, suite.ours([row["input"] for row in rows], SPELLINGS)):
        compare(suite, oracle, TABLE, row["input"], ours, row)
        completed = ours["canonical_tautomer_status"] == "COMPLETED"
        suite.compare(
            TABLE, row["input"], "status",
            completed, row["tautomer_status"] == "Completed",
        )
    for corpus, texts in suite.corpora():
        if corpus not in CORPORA:
            continue
        texts = spread(texts, EACH)
        for text, ours in zip(texts, suite.ours(texts, SPELLINGS)):
            molecule = Chem.MolFromSmiles(text)
            if molecule is None or not ours["ok"]:
                continue
            compare(suite, oracle, corpus, text, ours, oracle.row(molecule))
    suite.finish(goal=0.999)


if __name__ == "__main__":
    main()
