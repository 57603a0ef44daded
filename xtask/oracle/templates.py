#!/usr/bin/env python3
"""Checks the curated retro templates with RDKit, an engine that is not ours.

    python templates.py [--forward] [--corpus FILE.smi[.gz] [--limit N]] [id ...]

For each template: the SMARTS parse, every product atom is mapped and carried over (nothing but
hydrogen is invented), the own tests hold, and the reversed template leads from the precursors
back to the product. With --corpus each template is tried on each molecule, and outcomes that do
not sanitise are counted. Needs RDKit from PyPI.
"""
import argparse, collections, gzip, itertools, pathlib, re, sys, tomllib
from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

RDLogger.DisableLog("rdApp.*")
CURATED = pathlib.Path(__file__).resolve().parents[2] / "data" / "curated"


def expand(text, macros, depth=0):
    if depth > 8:
        raise ValueError("macros nest too deep: " + text)

    def sub(found):
        name = found.group(1)
        if name not in macros:
            raise ValueError("unknown macro {%s}" % name)
        return expand(macros[name], macros, depth + 1)

    return re.sub(r"\{([a-z][a-z0-9_]*)\}", sub, text)


def load():
    macros, groups, templates, families = {}, {}, [], {}
    files = sorted(CURATED.glob("*.toml"))
    docs = [(f, tomllib.loads(f.read_text())) for f in files]
    for f, d in docs:
        macros.update(d.get("macros", {}))
    for f, d in docs:
        for g in d.get("group", []):
            groups[g["id"]] = Chem.MolFromSmarts(expand(g["smarts"], macros))
            assert groups[g["id"]] is not None, g
        for t in d.get("family", []):
            families[t["id"]] = t
        for t in d.get("template", []):
            t["file"] = f.name
            t["smarts"] = expand(t["retro"], macros)
            templates.append(t)
    return templates, families, groups


def split_atoms(smarts):
    """Yields (is_atom, text) pieces, brackets kept whole."""
    out, i, start = [], 0, 0
    while i < len(smarts):
        if smarts[i] == "[":
            if i > start:
                out.append((False, smarts[start:i]))
            depth, j = 0, i
            while True:
                if smarts[j] == "[":
                    depth += 1
                elif smarts[j] == "]":
                    depth -= 1
                    if depth == 0:
                        break
                j += 1
            out.append((True, smarts[i : j + 1]))
            i = start = j + 1
        else:
            i += 1
    if start < len(smarts):
        out.append((False, smarts[start:]))
    return out


def split_parts(side):
    """The side cut at its top-level dots."""
    parts, cur = [], ""
    for is_atom, a in split_atoms(side):
        if is_atom:
            cur += a
        else:
            for k, piece in enumerate(a.split(".")):
                if k:
                    parts.append(cur)
                    cur = ""
                cur += piece
    return parts + [cur]


def maps(side):
    return [int(m) for is_atom, a in split_atoms(side) if is_atom for m in re.findall(r":(\d+)\]$", a)]


def simplified(side):
    """The side as a thing to build: each atom its first primitive, charge and map."""
    out = ""
    for is_atom, a in split_atoms(side):
        if not is_atom:
            out += a
            continue
        m = re.search(r":(\d+)\]$", a)
        body = a[1 : m.start() if m else -1]
        depth, parts, cur = 0, [], ""
        for ch in body:
            depth += ch in "([" 
            depth -= ch in ")]"
            if ch == ";" and depth == 0:
                parts.append(cur)
                cur = ""
            else:
                cur += ch
        parts.append(cur)
        keep = [parts[0]] + [p for p in parts[1:] if re.fullmatch(r"[+-]\d*|H\d|@@?|@@?H\d?", p)]
        out += "[" + ";".join(keep) + (m.group(0) if m else "]")
    return out


def reaction(smarts):
    r = AllChem.ReactionFromSmarts(smarts)
    warn, err = r.Validate(silent=True)
    if err:
        raise ValueError("RDKit finds errors")
    r.Initialize()
    return r


def canonical(smiles):
    out = []
    for part in smiles.split("."):
        m = Chem.MolFromSmiles(part)
        if m is None:
            raise ValueError("bad SMILES " + part)
        out.append(Chem.MolToSmiles(m))
    return ".".join(sorted(out))


def fits(precursors, right):
    """Whether each part of the precursor side, read as a query, is found in some precursor."""
    mols = [Chem.MolFromSmiles(p) for p in precursors.split(".")]
    return all(any(m.HasSubstructMatch(q) for m in mols) for q in right)


def sanitised(mol):
    """The molecule, sanitised, as a list: RDKit's forward runs leave out the H of a new ring N-H,
    so that every place for it is an answer."""
    whole = Chem.Mol(mol)
    if Chem.SanitizeMol(whole, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE:
        return [whole]
    found = []
    for atom in mol.GetAtoms():
        if atom.GetIsAromatic() and atom.GetAtomicNum() == 7 and atom.GetDegree() == 2:
            whole = Chem.Mol(mol)
            whole.GetAtomWithIdx(atom.GetIdx()).SetNumExplicitHs(1)
            if Chem.SanitizeMol(whole, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE:
                found.append(whole)
    if not found:
        raise ValueError
    return found


def outcomes(rxn, mols, bad=None, limit=2000, right=None):
    seen = {}
    for products in rxn.RunReactants(mols, maxProducts=limit):
        try:
            for choice in itertools.product(*[sanitised(p) for p in products]):
                parts = []
                for p in choice:
                    for a in p.GetAtoms():
                        a.SetAtomMapNum(0)
                    # once more through text: stereo marks that mean nothing go
                    m = Chem.MolFromSmiles(Chem.MolToSmiles(p))
                    if m is None or any(a.GetNumRadicalElectrons() and a.GetAtomicNum() in (5, 6, 7, 8, 14, 15, 16) for a in m.GetAtoms()):
                        raise ValueError
                    parts += Chem.MolToSmiles(m).split(".")
                joined = ".".join(sorted(parts))
                if right is None or joined in seen or fits(joined, right):
                    seen.setdefault(joined, products)
        except ValueError:
            if bad is not None:
                bad.append(".".join(Chem.MolToSmiles(p) for p in products))
    return seen


def check(t, families, groups, forward=True):
    faults = []
    left, right = t["smarts"].split(">>")
    for key in ("name", "about", "conditions", "plausibility", "makes", "spares"):
        if key not in t:
            faults.append("lacks " + key)
    if t["family"] not in families:
        faults.append("unknown family " + t["family"])
    for g in t.get("forbids", []) + t.get("competes", []) + t.get("precursor_forbids", []):
        if g not in groups:
            faults.append("unknown group " + g)
    lm, rm = maps(left), maps(right)
    if len(set(lm)) != len(lm) or len(set(rm)) != len(rm):
        faults.append("map number used twice")
    if set(lm) - set(rm):
        faults.append("product atoms lost: %s" % sorted(set(lm) - set(rm)))
    if set(rm) - set(lm):
        faults.append("maps from nowhere: %s" % sorted(set(rm) - set(lm)))
    try:
        query = Chem.MolFromSmarts(left)
        if query.GetNumAtoms() != len(lm):
            faults.append("unmapped atom on the product side")
    except Exception:
        pass
    try:
        rxn = reaction(t["smarts"])
    except Exception as e:
        return faults + ["SMARTS: %s" % str(e)[:200]]
    queries = [Chem.MolFromSmarts(p) for p in split_parts(right)]
    fwd = None
    if forward:
        try:
            fwd = reaction(right + ">>" + simplified(left))
        except Exception as e:
            faults.append("reversed SMARTS: %s" % str(e)[:200])
    if len(t.get("makes", [])) < 2 or not t.get("spares"):
        faults.append("needs two products to take apart and one to spare")
    for product, precursors in t.get("makes", []):
        try:
            want = canonical(precursors)
            product = canonical(product)
        except ValueError as e:
            faults.append(str(e)); continue
        bad = []
        got = outcomes(rxn, (Chem.MolFromSmiles(product),), bad, right=queries)
        if want not in got:
            faults.append("%s gives %s, not %s %s" % (product, sorted(got) or "nothing", want, ("unsanitary: %s" % bad[:2]) if bad else ""))
            continue
        if bad:
            faults.append("%s: unsanitary outcome %s" % (product, bad[:2]))
        count = lambda s: collections.Counter(a.GetSymbol() for a in Chem.MolFromSmiles(s).GetAtoms())
        for g in got:
            if count(product) - count(g):
                faults.append("%s from %s is not balanced" % (product, g))
        if fwd:
            n = fwd.GetNumReactantTemplates()
            parts = want.split(".")
            products = set()
            if len(parts) == n:
                for order in itertools.permutations(parts):
                    for o in outcomes(fwd, tuple(Chem.MolFromSmiles(p) for p in order)):
                        products.update(o.split("."))
            flat = lambda s: Chem.MolToSmiles(Chem.MolFromSmiles(s), isomericSmiles=False)
            if flat(product) not in {flat(p) for p in products}:
                faults.append("forwards %s gives %s, not %s" % (want, sorted(products), product))
            elif len(products) > 1:
                t.setdefault("ambiguous", []).append((want, sorted(products)))
    for smiles in t.get("spares", []):
        got = outcomes(rxn, (Chem.MolFromSmiles(canonical(smiles)),), right=queries)
        if got:
            faults.append("should spare %s, gives %s" % (smiles, sorted(got)))
    return faults


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("ids", nargs="*")
    ap.add_argument("--corpus")
    ap.add_argument("--limit", type=int, default=1000)
    ap.add_argument("--ambiguous", action="store_true")
    a = ap.parse_args()
    templates, families, groups = load()
    ids = collections.Counter(t["id"] for t in templates)
    n_bad = 0
    for i, n in ids.items():
        if n > 1:
            print("id used twice:", i); n_bad += 1
    used = collections.Counter(t["family"] for t in templates)
    for t in templates:
        if a.ids and t["id"] not in a.ids:
            continue
        faults = check(t, families, groups)
        n_bad += bool(faults)
        for f in faults:
            print("%s %s: %s" % (t["file"], t["id"], f))
        if a.ambiguous:
            for w, p in t.get("ambiguous", []):
                print("  note %s: %s -> %s" % (t["id"], w, p))
    print("%d templates, %d families (unused: %s), %d with faults" % (
        len(templates), len(used), [f for f in families if f not in used], n_bad))
    if a.corpus:
        op = gzip.open if a.corpus.endswith(".gz") else open
        mols = [Chem.MolFromSmiles(l.split()[0]) for l in op(a.corpus, "rt") if l.strip()]
        mols = [m for m in mols if m is not None]
        mols = mols[:: max(1, len(mols) // a.limit)][: a.limit]
        for t in templates:
            if a.ids and t["id"] not in a.ids:
                continue
            rxn, bad, n = reaction(t["smarts"]), [], 0
            example = None
            for m in mols:
                got = outcomes(rxn, (m,), bad, 200)
                n += bool(got)
                if got and example is None:
                    example = (Chem.MolToSmiles(m), sorted(got)[0])
            print("%-40s hits %4d unsanitary %3d %s" % (t["id"], n, len(bad), bad[:1] if bad else ""))
            if example:
                print("      e.g. %s <- %s" % example)
    sys.exit(bool(n_bad))


if __name__ == "__main__":
    main()
