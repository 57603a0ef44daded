"""Extraction of templates by rdchiral beside ours, on the same atom-mapped reactions.

    awk 'NR % 10 == 1' mapped.smi > some.smi
    cargo run --release --example dump_templates -p synthon-reaction -- quiet < some.smi
    cargo run --release --example dump_templates -p synthon-reaction < some.smi > ours.jsonl
    python benchmarks/rdchiral_extraction.py some.smi ours.jsonl

The first command of ours prints the time of one thread for each reaction. Here rdchiral extracts a
template of each reaction, in processor time, and applies it to the reaction's own product; it is
counted how often the recorded reactants come back (canonical, stereo counted, those that give atoms
to the product). Ours counts where a template was kept, which is after the same test by our own
engine; the same templates applied by rdchiral are a check of that from outside.
"""

import json
import sys
import time

from rdchiral.main import rdchiralRunText
from rdchiral.template_extractor import extract_from_reaction
from rdkit import Chem, RDLogger


def plain(smiles):
    """Canonical text without maps, or nothing."""
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        return None
    for atom in molecule.GetAtoms():
        atom.SetAtomMapNum(0)
    return Chem.CanonSmiles(Chem.MolToSmiles(molecule))


def giving(reactants, product):
    """The reactants of which an atom is in the product, as a sorted tuple of texts."""
    maps = {a.GetAtomMapNum() for a in Chem.MolFromSmiles(product).GetAtoms()} - {0}
    given = []
    for part in reactants.split("."):
        molecule = Chem.MolFromSmiles(part)
        if molecule and any(a.GetAtomMapNum() in maps for a in molecule.GetAtoms()):
            given.extend(plain(part).split("."))
    return tuple(sorted(given))


def leaving_unmapped(reactants, product):
    """The reactants with maps only on atoms of the product: rdchiral knows leaving atoms by that."""
    maps = {a.GetAtomMapNum() for a in Chem.MolFromSmiles(product).GetAtoms()}
    molecule = Chem.MolFromSmiles(reactants)
    for atom in molecule.GetAtoms():
        if atom.GetAtomMapNum() not in maps:
            atom.SetAtomMapNum(0)
    return Chem.MolToSmiles(molecule, canonical=False)


def gives(template, product, wanted):
    try:
        found = rdchiralRunText(template, product)
    except Exception:  # noqa: BLE001 - a template that cannot be applied gives nothing
        return False
    return any(tuple(sorted(Chem.CanonSmiles(s) for s in one.split("."))) == wanted for one in found)


def main(reactions, ours):
    RDLogger.DisableLog("rdApp.*")
    seconds = total = by_rdchiral = by_ours = checked = ours_alone = rdchiral_alone = 0
    for line, answer in zip(open(reactions), open(ours)):
        reactants, _, product = line.split()[0].partition(">>")
        total += 1
        prepared = leaving_unmapped(reactants, product)
        start = time.process_time()
        try:
            found = extract_from_reaction(
                {"_id": total, "reactants": prepared, "products": product}
            )
        except Exception:  # noqa: BLE001 - what it cannot extract it does not have
            found = None
        seconds += time.process_time() - start
        wanted, text = giving(reactants, product), plain(product)
        theirs = (found or {}).get("reaction_smarts")
        theirs = bool(theirs) and gives(theirs, text, wanted)
        own = json.loads(answer).get("smarts")
        by_rdchiral += theirs
        by_ours += own is not None
        ours_alone += own is not None and not theirs
        rdchiral_alone += theirs and own is None
        if own:
            product_side, precursors = own.split(">>")
            checked += gives(f"({product_side})>>{precursors}", text, wanted)
    print(f"{total} reactions; rdchiral extracts in {1e3 * seconds / total:.2f} ms of one thread each")
    print(f"its own reactants come back: rdchiral {by_rdchiral}, ours {by_ours}")
    print(f"ours alone {ours_alone}, rdchiral alone {rdchiral_alone}; ours, applied by rdchiral: {checked}")


if __name__ == "__main__":
    main(*sys.argv[1:])
