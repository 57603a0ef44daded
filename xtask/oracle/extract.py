"""Extracts templates from mapped reactions with rdchiral and with us, and applies them again.

A template is right when, applied to the product that it came from, it gives the recorded reactants
(canonical, stereo counted), reagents without atoms in the product left out. Rows:

as often        reactions whose rdchiral template is right under rdchiral: is ours kept?
under rdchiral  our kept templates, run by rdchiral: do they give the reactants there too?

Times of one thread go to standard error: rdchiral's `extract_from_reaction`, and ours, which
includes reading the reaction, the check and the canonical text.
"""

import contextlib
import io
import json
import subprocess
import sys
import time

from rdkit import Chem

from harness import Suite, read_lines, spread

with contextlib.redirect_stdout(io.StringIO()):
    from rdchiral.initialization import rdchiralReactants, rdchiralReaction
    from rdchiral.main import rdchiralRun
    from rdchiral.template_extractor import extract_from_reaction

REACTIONS = 10_000


def plain(smiles):
    """Canonical text without maps, None for what RDKit refuses."""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None:
        return None
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    mol = Chem.MolFromSmiles(Chem.MolToSmiles(mol))
    return mol and Chem.MolToSmiles(mol)


def precursors(reaction):
    """The reactants that give the product an atom, sorted."""
    reactants, product = reaction.split(">>")
    maps = {a.GetAtomMapNum() for a in Chem.MolFromSmiles(product).GetAtoms()} - {0}
    found = []
    for part in reactants.split("."):
        mol = Chem.MolFromSmiles(part)
        if mol is None:
            return None
        if any(a.GetAtomMapNum() in maps for a in mol.GetAtoms()):
            found.append(plain(part))
    return tuple(sorted(found))


def extracted(number, reaction):
    """rdchiral's template, or None, and the seconds that it took."""
    reactants, product = reaction.split(">>")
    start = time.perf_counter()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            answer = extract_from_reaction(
                {"_id": number, "reactants": reactants, "products": product}
            )
    except Exception:  # rdchiral raises whatever its reading of a reaction met
        answer = None
    seconds = time.perf_counter() - start
    return (answer or {}).get("reaction_smarts"), seconds


def is_right(smarts, product, expected):
    """Whether rdchiral makes the expected precursors with a template."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            outcomes = rdchiralRun(rdchiralReaction(smarts), rdchiralReactants(product))
    except Exception:  # as above
        return False
    return any(tuple(sorted(map(plain, o.split(".")))) == expected for o in outcomes)


def main():
    suite = Suite("extract")
    corpus = "uspto50k_train"
    lines = read_lines(suite.data / "reactions" / f"{corpus}_mapped.tsv.gz")[1:]
    reactions = [line.split("\t")[2] for line in spread(lines, min(suite.limit or REACTIONS, REACTIONS))]
    taken, theirs_right, ours_right = 0.0, 0, 0
    for number, (reaction, ours) in enumerate(zip(reactions, suite.ours(reactions))):
        expected = precursors(reaction)
        product = plain(reaction.split(">>")[1])
        smarts, seconds = extracted(number, reaction)
        taken += seconds
        kept = "smarts" in ours
        ours_right += kept
        if smarts and is_right(smarts, product, expected):
            theirs_right += 1
            suite.compare(corpus, reaction, "as often", ours.get("error", "kept"), "kept")
        if kept:
            same = is_right(ours["smarts"], product, expected)
            suite.compare(corpus, reaction, "under rdchiral", same or ours["smarts"], True)
    timed = subprocess.run(
        [suite.dumper, "quiet"],
        input="".join(f"{text}\n" for text in reactions),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    ours = json.loads(timed.stdout)
    micros = ours["us_read"] + ours["us_extract"] + ours["us_canonical"]
    print(
        f"{len(reactions)} reactions: right again {ours_right} ours, {theirs_right} rdchiral's; "
        f"{micros:.0f} us a reaction ours, {taken / len(reactions) * 1e6:.0f} us rdchiral's",
        file=sys.stderr,
    )
    suite.finish(goal=0.999, goals={"under rdchiral": 0.97})


if __name__ == "__main__":
    main()
