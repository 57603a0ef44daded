"""Molfiles: what RDKit writes, read by us; what we write, read by RDKit and again by us; files
with one mistake, for the verdict.

Flawed files get another verdict mostly where the flaw stands in columns that mean nothing, which
RDKit reads and we do not, and another molecule where it makes a hydrogen count, which belongs to
queries: RDKit takes it for the atom's, we warn.

Coordinates are RDKit's layout, so that both sides see the same drawing. Molecules are compared by
our canonical text, RDKit's answers by way of its SMILES.
"""

import json
import random

from harness import Suite
from rdkit import Chem
from rdkit.Chem import AllChem

LETTERS = "CNOPSFHl0123456789 -+.RDTAQXM=()V\n*#"


def read(block):
    """RDKit's SMILES of a molfile, None where it refuses."""
    try:
        mol = Chem.MolFromMolBlock(block)
    except Exception:  # noqa: BLE001 - whatever it is, the file was refused
        return None
    return Chem.MolToSmiles(mol) if mol is not None and mol.GetNumAtoms() else None


def flaw(chance, block):
    """The file with one character or one line changed, or cut off."""
    at = chance.randrange(len(block))
    kind = chance.randrange(6)
    if kind < 4:
        letter = "" if kind == 0 else chance.choice(LETTERS)
        return block[:at] + letter + block[at + (kind != 1) :]
    lines = block.split("\n")
    at = chance.randrange(len(lines))
    if kind == 4:
        lines[at : at + 1] = [] if chance.random() < 0.5 else [lines[at], chance.choice(lines)]
        return "\n".join(lines)
    return "\n".join(lines[:at]) + "\n"


def ask(suite, values):
    return suite.ours([json.dumps(value) for value in values])


def main():
    suite = Suite("molfile")
    blocks = []
    for corpus, texts in suite.corpora():
        drawn, files, theirs, places = [], [], [], []
        for text in texts:
            mol = Chem.MolFromSmiles(text)
            if mol is None:
                continue
            AllChem.Compute2DCoords(mol)
            v2000, v3000 = Chem.MolToMolBlock(mol), Chem.MolToV3KMolBlock(mol)
            again = read(v2000)
            if again is None:
                continue
            drawn.append(text)
            files.append((v2000, v3000))
            theirs.append(again)
            places.append([text, mol.GetConformer().GetPositions().tolist()])
            if mol.GetNumAtoms() < 30:
                blocks.extend((v2000, v3000))
        meant = [answer.get("smiles") for answer in ask(suite, theirs)]
        for form in (0, 1):
            aspect = ("reads RDKit's V2000", "reads RDKit's V3000")[form]
            answers = ask(suite, [pair[form] for pair in files])
            for text, answer, right in zip(drawn, answers, meant):
                suite.compare(corpus, text, aspect, answer.get("smiles"), right)
        for form in ("fitting", "v3000"):
            seen, kept = [], []
            for text, answer in zip(drawn, ask(suite, places)):
                written = answer.get(form, {"same": False})
                suite.compare(corpus, text, f"reads its own {form}", written["same"], True)
                if "text" in written:
                    kept.append((text, written["again"]))
                    seen.append(read(written["text"]) or "refused")
            for (text, ours), answer in zip(kept, ask(suite, seen)):
                aspect = f"RDKit reads our {form}"
                suite.compare(corpus, text, aspect, ours, answer.get("smiles"))
    chance = random.Random(2026)
    count = 10 * suite.limit if suite.limit else 20_000
    flawed = [flaw(chance, chance.choice(blocks)) for _ in range(count)]
    # The dumper takes texts of one line for SMILES.
    flawed = [text for text in flawed if "\n" in text]
    theirs = [read(text) for text in flawed]
    again = ask(suite, [smiles or "refused" for smiles in theirs])
    for text, answer, smiles, meant in zip(flawed, ask(suite, flawed), theirs, again):
        # RDKit reads `1.2R` as 1.2 and `x` as 0; we refuse what is no number, but look only at
        # columns that count.
        if smiles and answer.get("code") == "molfile.syntax":
            continue
        name, ok = text.encode(), answer["ok"]
        suite.compare("mutations", name, "verdict of flawed files", ok, smiles is not None)
        if ok and smiles:
            aspect = "molecule of flawed files"
            suite.compare("mutations", name, aspect, answer["smiles"], meant.get("smiles"))
    goals = {"verdict of flawed files": 0.95, "molecule of flawed files": 0.98}
    suite.finish(goal=0.9995, goals=goals)


if __name__ == "__main__":
    main()
