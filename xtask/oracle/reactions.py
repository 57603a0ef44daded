"""Applies templates to molecules with RDKit and rdchiral, and compares the precursor sets.

Templates: the curated ones of this repository, ones that rdchiral extracts from the mapped
reactions of the reference data, and the general ones listed here. Molecules: for each template
the product that it was extracted from, molecules of the corpora that contain its product side,
and one at random.

What is right: RDKit's `RunReactants`, sanitised, where rdchiral agrees or cannot read the
template; rdchiral where the two differ. What is left is judged by `judge`, whose kinds are:

written H     RDKit keeps a hydrogen that was written in brackets (`[C@H]`) when the bonds of its
              atom change order, runs into a valence error and drops the outcome. The outcome is
              there when the same molecule is read without stereo.
centre lost   rdchiral drops an outcome in which a centre elsewhere ceases to be one (rdchiral#18);
              RDKit and we keep it, without the mark.
double bond   rdchiral loses the geometry of a double bond that the template does not touch, or
              guesses it from a bond elsewhere in the molecule; without stereo the sets are equal.
marks         rdchiral ignores handedness marks on atoms of which the template shows fewer than
              three neighbours (rdkit#2891); RDKit and we invert.
stereo rule   rdchiral does not read the template; RDKit applies it to a molecule whose stereo
              differs from what the template shows; our lenient rule gives RDKit's answer, our
              strict rule, which follows rdchiral, forbids the match.
partial       rdchiral checks a double bond of the molecule only when the neighbours that happen
              to carry `/` or `\\` in its own SMILES are in the template; we always do, and find
              another geometry there, or none.
"""

import collections
import contextlib
import io
import pathlib
import random
import sys

from rdkit import Chem
from rdkit.Chem import AllChem

import templates as curated
from harness import Suite, read_lines, spread

with contextlib.redirect_stdout(io.StringIO()):
    from rdchiral.initialization import rdchiralReactants, rdchiralReaction
    from rdchiral.main import rdchiralRun
    from rdchiral.template_extractor import extract_from_reaction

# General templates: charges, radicals, ring openings and closures, aromatic atoms, stereo marks.
GENERAL = """
[C:1](=[O:2])-[N:3]>>[C:1](=[O:2])O.[N:3]
[C:1](=[O:2])-[O:3]-[C:4]>>[C:1](=[O:2])-[OH].[OH:3]-[C:4]
[c:1]-[c:2]>>[c:1]-Br.[c:2]-B(O)O
[c:1][c:2]>>[c:1]Br.[c:2]B(O)O
[C:1]-[O:2]-[C:3]>>[C:1]-Br.[OH:2]-[C:3]
[C:1]=[C:2]>>[C:1]=O.[C:2]P(c1ccccc1)(c1ccccc1)c1ccccc1
[C:1]=[C:2]>>[C:1]-[C:2]
[C:1]-[OH:2]>>[C:1]=[O:2]
[CH:1]-[OH:2]>>[C:1]=[O:2]
[C:1]=[O:2]>>[C:1]-[OH:2]
[C:1]=[O:2]>>[CH:1]-[O:2]
[NH2:1]-[c:2]>>[O-][N+:1](=O)-[c:2]
[N+:1](=[O:2])([O-:3])-[c:4]>>[NH2:1]-[c:4].[O:2].[O:3]
[n:1]-[C:2]>>[nH:1].Br-[C:2]
[nH:1]>>[n:1]-C(=O)OC(C)(C)C
[c:1]1[n:2][c:3][n:4][c:5]1>>[c:1]1[n:2][c:3][n:4][c:5]1
[c:1]-[N:2]>>[c:1]-F.[N:2]
[C:1]#[N:2]>>[C:1](=O)-[NH2:2]
[C:1](=[O:2])-[OH:3]>>[C:1](=[O:2])-[O:3]-C
[C:1]1[O:2][C:3]1>>[C:1]=[C:3].[O:2]
[C:1]1-[C:2]-[C:3]-[C:4]-[N:5]1>>[C:1](-Br)-[C:2]-[C:3]-[C:4]-[N:5]
[C:1](=[O:2])-[N:3]-[C:4]>>[C:1](=[O:2])-[OH].[N:3]-[C:4]
[N+:1]-[CH3:2]>>[N+0:1].I-[CH3:2]
[S:1](=[O:2])-[#6:3]>>[S:1]-[#6:3].[O:2]
[#6:1]-[S:2](=[O:3])(=[O:4])-[N:5]>>[#6:1]-[S:2](=[O:3])(=[O:4])-Cl.[N:5]
[C:1]-[F,Cl,Br,I:2]>>[C:1]-[OH].[*:2]
[#6:1][#6:2](=[O:3])[#6:4]>>[#6:1][#6:2](=[O:3])Cl.[#6:4][Mg]Br
[#6:1]~[#7;!a:2]>>[#6:1].[#7:2]
[C@:1][O:2]>>[C@@:1]Br.[O:2]
[C@H:1]([C:2])([C:3])[O:4]>>[C@@H:1]([C:2])([C:3])Br.[O:4]
[C@H:1]([#6:2])([#6:3])[N:4]>>[C@H:1]([#6:2])([#6:3])N=[N+]=[N-].[N:4]
[C@@H:1]([#6:2])([#6:3])[OH:4]>>[C:1]([#6:2])([#6:3])=[O:4]
[C:1]/[CH:2]=[CH:3]/[C:4]>>[C:1][C:2]#[C:3][C:4]
[C:1]/[CH:2]=[CH:3]\\[C:4]>>[C:1][C:2]#[C:3][C:4]
[#6:1]-[CH:2]=[CH:3]-[#6:4]>>[#6:1]-[CH:2]=O.[#6:4]-[CH2:3]P(=O)(OC)OC
[C:1]=[C:2]-[C:3]=[O:4]>>[C:1]-[C:2]-[C:3]=[O:4]
[CH2:1][OH:2]>>[CH:1]=[O:2]
[C:1]([#6:2])([#6:3])([#6:4])[OH:5]>>[C:1]([#6:2])([#6:3])([#6:4])Cl.[OH2:5]
[CX4;H1:1]([#6:2])([#6:3])[NX3:4]>>[C:1]([#6:2])([#6:3])=O.[N:4]
[c:1]1[c:2][c:3][c:4][c:5][c:6]1>>[C:1]1=[C:2][C:3]=[C:4][C:5]=[C:6]1
[c:1]:[nH:2]>>[c:1]:[n:2]-[Si](C)(C)C
[O:1]=[c:2][nH:3]>>[OH:1]-[c:2][n:3]
[C:1]-[N:2]1[C:3](=[O:4])[c:5][c:6][C:7]1=[O:8]>>[C:1]-[NH2:2].O1[C:3](=[O:4])[c:5][c:6][C:7]1=[O:8]
[C:1]-[Si:2]>>[C:1].[Si:2]-Cl
[C:1]-[P+:2]>>[C:1]-Br.[P+0:2]
[O-:1]-[C:2]=[O:3]>>[OH;+0:1]-[C:2]=[O:3]
[C:1]-[S:2]-[C:3]>>[C:1]-[SH:2].Cl-[C:3]
[13C:1]>>[12C:1]
[C:1]-[N:2]=[N+:3]=[N-:4]>>[C:1]-Br.[N-:2]=[N+:3]=[N-:4]
""".split("\n")


def general():
    return [line for line in GENERAL if line]


def extracted(data, count):
    """(template, product) pairs by rdchiral from mapped reactions."""
    lines = read_lines(data / "reactions" / "uspto50k_train_mapped.tsv.gz")[1:]
    found = []
    for number, line in enumerate(spread(lines, count)):
        reactants, product = line.split("\t")[2].split(">>")
        reaction = {"_id": number, "reactants": reactants, "products": product}
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                answer = extract_from_reaction(reaction)
            except Exception:  # rdchiral raises whatever its reading of a reaction met
                continue
        if not answer or not answer.get("reaction_smarts"):
            continue
        mol = Chem.MolFromSmiles(product)
        for atom in mol.GetAtoms():
            atom.SetAtomMapNum(0)
        found.append((answer["reaction_smarts"], Chem.MolToSmiles(mol)))
    return found


def canonical(smiles):
    """Sorted canonical components, or None for what RDKit refuses."""
    mol = Chem.MolFromSmiles(smiles)
    return mol and tuple(sorted(Chem.MolToSmiles(mol).split(".")))


def by_rdkit(reaction, mol):
    sets = set()
    if reaction.GetNumReactantTemplates() != 1:
        return None
    for products in reaction.RunReactants((mol,), maxProducts=20000):
        try:
            parts = []
            for product in products:
                Chem.SanitizeMol(product)
                parts.append(Chem.MolToSmiles(product))
        except (Chem.MolSanitizeException, ValueError):
            continue
        sets.add(canonical(".".join(parts)))
    return sets - {None}


def by_rdchiral(reaction, smiles):
    if reaction is None:
        return None
    try:
        outcomes = rdchiralRun(reaction, rdchiralReactants(smiles), combine_enantiomers=False)
    except Exception:  # as above
        return None
    return {tuple(sorted(o.split("."))) for o in outcomes}


def flat(sets):
    """The sets without stereo."""
    return {
        tuple(sorted(Chem.MolToSmiles(Chem.MolFromSmiles(s), isomericSmiles=False) for s in one))
        for one in sets
    }


def prepared(smarts):
    reaction = AllChem.ReactionFromSmarts(smarts)
    reaction.Initialize()
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return reaction, rdchiralReaction(smarts)
        except Exception:  # as above
            return reaction, None


def pairs(suite, count):
    """(source, template, molecule) to try, seeded."""
    chance = random.Random(20260901)
    pool = []
    for _name, texts in suite.corpora():
        pool += [text for text in chance.sample(texts, min(len(texts), 250))]
    molecules = [(text, Chem.MolFromSmiles(text)) for text in pool]
    molecules = [(Chem.MolToSmiles(m), m) for _text, m in molecules if m and m.GetNumAtoms() < 80]
    sources = [("curated", t["smarts"], None) for t in curated.load()[0]]
    sources += [("general", t, None) for t in general()]
    sources += [("extracted", t, p) for t, p in extracted(suite.data, count)]
    for source, smarts, own in sources:
        side = smarts.split(">>")[0]
        if side.startswith("(") and side.endswith(")"):
            side = side[1:-1]
        query = Chem.MolFromSmarts(side)
        most = min(300, len(molecules)) if source == "extracted" else len(molecules)
        tried = chance.sample(molecules, most)
        wanted = 3 if source == "extracted" else 5 if suite.limit else 40
        hits = []
        for smiles, mol in tried:
            if query is not None and mol.HasSubstructMatch(query):
                hits.append(smiles)
                if len(hits) == wanted:
                    break
        for smiles in ([own] if own else []) + hits + [chance.choice(molecules)[0]]:
            yield source, smarts, smiles


def judge(smarts, smiles, answer, lenient, rdkit, rdchiral, reaction):
    """Names a difference that is judged; None for an open one."""
    ours = sets_of(answer)
    flat_ours = flat(ours)
    product = smarts.split(">>")[0]
    right = rdchiral if rdchiral is not None else rdkit
    bare = Chem.MolFromSmiles(Chem.MolToSmiles(Chem.MolFromSmiles(smiles), isomericSmiles=False))
    unwritten = by_rdkit(reaction, bare)
    if unwritten is not None and not flat(unwritten) <= flat(rdkit):
        if flat(right) < flat_ours <= flat(right) | flat(unwritten) or flat_ours == flat(unwritten):
            return "written H"
    if rdchiral is not None:
        if rdkit is not None and flat(rdchiral) < flat_ours <= flat(rdchiral) | flat(rdkit):
            return "centre lost"
        if ours > rdchiral and all(
            canonical(".".join(one)) in rdchiral or any("centre lost" in note for note in notes)
            for one, notes in zip(answer["outcomes"], answer["notes"])
        ):
            return "centre lost"
        if flat_ours == flat(rdchiral):
            return "marks" if "@" in product else "double bond"
    if rdchiral is None and lenient == right:
        return "stereo rule"
    if ours < right and "=" in product and contradicts(product, smiles, lenient == right):
        return "partial"
    return None


def contradicts(product, smiles, lenient_agrees):
    """Whether a double bond of the molecule is not what the product side shows: marked otherwise,
    unmarked for a marked one, or marked for an unmarked one."""
    query, mol = Chem.MolFromSmarts(product), Chem.MolFromSmiles(smiles)
    double = [b for b in mol.GetBonds() if b.GetBondTypeAsDouble() == 2]
    marked = [b for b in double if b.GetStereo() > Chem.BondStereo.STEREOANY]
    if "/" not in product:
        return lenient_agrees and bool(marked)
    if not mol.HasSubstructMatch(query, useChirality=True):
        return True
    return any(b.IsInRing() or b.GetStereo() <= Chem.BondStereo.STEREOANY for b in double)


def sets_of(answer):
    return {canonical(".".join(one)) for one in answer.get("outcomes", [])}


def main():
    suite = Suite("reactions")
    tried = list(pairs(suite, 2 * suite.limit if suite.limit else 3000))
    inputs = [f"{smarts}\t{smiles}" for _source, smarts, smiles in tried]
    show = lambda sets: " | ".join(sorted(".".join(one or ["?"]) for one in sets or []))
    known, kinds = {}, collections.Counter()
    answers = zip(tried, inputs, suite.ours(inputs), suite.ours(inputs, "lenient"))
    for (source, smarts, smiles), text, ours, lenient in answers:
        if smarts not in known:
            known[smarts] = prepared(smarts)
        reaction, chiral = known[smarts]
        rdkit = by_rdkit(reaction, Chem.MolFromSmiles(smiles))
        rdchiral = by_rdchiral(chiral, smiles)
        if rdkit is None and rdchiral is None:
            continue
        mine = sets_of(ours)
        right = rdchiral if rdchiral is not None else rdkit
        name = "equal"
        if mine != right:
            name = judge(smarts, smiles, ours, sets_of(lenient), rdkit, rdchiral, reaction)
            name = name or "open"
            if name != "open":
                suite.judged.add((text, "outcomes"))
        kinds[(source, name)] += 1
        agreed = suite.compare(
            source,
            text,
            "outcomes",
            show(mine),
            show(right) if name in ("equal", "open") else f"{name}: {show(right)}",
        )
        if not agreed and name == "open" and "--verbose" in sys.argv:
            print(text, show(mine), show(rdkit), show(rdchiral), sep="\n  ", file=sys.stderr)
    for (source, name), number in sorted(kinds.items()):
        print(f"{source:10} {name:12} {number}", file=sys.stderr)
    suite.finish(goal=0.999)


if __name__ == "__main__":
    main()
