"""Canonical SMILES: one text for all spellings, and RDKit reads our texts as the same molecule.

RDKit has two stereo perceptions, which differ on a few molecules; agreement under either counts.
RDKit's own text is not always a fixed point of reading, so its second pass counts as well.
"""

from rdkit import Chem

from harness import Suite


def rewritten(text, legacy):
    """RDKit's canonical text under one of its stereo perceptions; None when it refuses."""
    Chem.SetUseLegacyStereoPerception(legacy)
    molecule = Chem.MolFromSmiles(text)
    return None if molecule is None else Chem.MolToSmiles(molecule)


def both(text):
    return {legacy: rewritten(text, legacy) for legacy in (True, False)}


def same(theirs, spelling):
    """Whether RDKit reads a spelling of ours as the molecule that it read from the input."""
    for legacy, text in theirs.items():
        ours = rewritten(spelling, legacy)
        if ours is not None and (ours == text or ours == rewritten(text, legacy)):
            return True
    return False


def main():
    suite = Suite("canonical")
    for corpus, inputs in suite.corpora():
        for text, ours in zip(inputs, suite.ours(inputs)):
            theirs = both(text)
            if not ours["ok"] or None in theirs.values():
                continue
            canonical = ours["text"]
            suite.compare(corpus, text, "one text of 13 spellings", ours["texts"], [canonical])
            for aspect in ("text", "random", "kekule"):
                spelling = ours[aspect]
                equal = spelling in theirs.values() or same(theirs, spelling)
                name = {"text": "canonical", "random": "random", "kekule": "kekulé"}[aspect]
                suite.compare(
                    corpus, text, f"{name} text read by RDKit", spelling, spelling if equal else theirs[False]
                )
            known = canonical in theirs.values()
            suite.compare(
                corpus, text, "canonical text as RDKit's", canonical, canonical if known else theirs[True]
            )
    suite.finish(goal=1.0, goals={"canonical text as RDKit's": 0.95})


main()
