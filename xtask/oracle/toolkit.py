"""What the toolkit crate says: InChIKey of every molecule, canonical tautomer of every third."""

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from harness import Suite

TAUTOMERS_OF = 3


def enumerator():
    parameters = rdMolStandardize.CleanupParameters()
    parameters.maxTautomers, parameters.maxTransforms = 128, 256
    return rdMolStandardize.TautomerEnumerator(parameters)


def main():
    suite = Suite("toolkit")
    rules = enumerator()
    done = rdMolStandardize.TautomerEnumeratorStatus.Completed
    for corpus, inputs in suite.corpora():
        read = {text: Chem.MolFromSmiles(text) for text in inputs}
        inputs = [text for text in inputs if read[text] is not None]
        for text, ours in zip(inputs, suite.ours(inputs)):
            if "error" not in ours:
                suite.compare(corpus, text, "InChIKey", ours["key"] or "", Chem.MolToInchiKey(read[text]))
        some = inputs[::TAUTOMERS_OF]
        for text, ours in zip(some, suite.ours(some, "--tautomers")):
            if "error" in ours:
                continue
            found = rules.Enumerate(read[text])
            theirs = Chem.MolToSmiles(rules.PickCanonical(found))
            told = ours.get("tautomer")
            spelled = Chem.MolFromSmiles(told) if told else None
            again = Chem.MolToSmiles(spelled) if spelled else told
            if again != theirs and again == Chem.MolToSmiles(Chem.MolFromSmiles(theirs)):
                again = theirs
            suite.compare(corpus, text, "canonical tautomer", again, theirs)
            suite.compare(corpus, text, "tautomer limit hit", ours.get("limit"), found.status != done)
    suite.finish(goal=0.999, goals={"canonical tautomer": 0.995, "tautomer limit hit": 0.995})


main()
