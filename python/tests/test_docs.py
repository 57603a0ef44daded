"""The pages say what is so."""

import pathlib
import re
import subprocess
import sys

import pytest
import synthon
import tool_pages
from synthon import Molecule, SynthonError

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_page_of_tools_is_what_the_tools_answer():
    written = tool_pages.TARGET.read_text(encoding="utf-8")
    assert written == tool_pages.text(), "run python/tests/tool_pages.py"


def test_the_site_is_built_and_its_links_lead_somewhere(tmp_path):
    pytest.importorskip("mkdocs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "find_mcs(" in (tmp_path / "tools.html").read_text(encoding="utf-8")
    assert (tmp_path / "files" / "MANIFEST.toml").is_file()
    # Nothing is loaded from elsewhere, so that the site can be read offline.
    for page in tmp_path.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(https?:[^\"]+)", text)
        assert [address for address in loaded if "rel=\"canonical\"" not in address] == [], page


def blocks(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.S)


def test_the_python_guide_runs(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("smiles,price\nCC(=O)O,1\nNc1ccc(O)cc1,2\n")
    (tmp_path / "templates.toml").write_bytes(
        (ROOT / "examples" / "data" / "templates.toml").read_bytes()
    )
    (tmp_path / "molecules.smi.gz").write_text("CC(=O)Nc1ccc(O)cc1 paracetamol\nCCO ethanol\n")
    # What the programs of the guide take for given.
    names = {"column": ["OCC", "c1ccccc1O"]}
    for block in blocks("python.md") + blocks("index.md"):
        if "synthon.ray" in block:
            continue
        exec(compile(block, "guide", "exec"), names)
        # A comment behind an expression that looks like a value is its value.
        for line in block.splitlines():
            if line.startswith(" "):
                continue
            code, _, said = line.partition("  #")
            wanted = said.strip()
            if wanted.startswith(("'", "(", "[", "True")) and "=" not in code.split("(")[0]:
                value = re.match(r"('[^']*'|\(.*?\)(?=$|,| )|\[.*?\](?=$|,| )|True)", wanted)
                assert repr(eval(code.strip(), names)) == value.group(0), line


# Questions of docs/faq.md: a text, and a word of the refusal or what becomes of it.
REFUSED = {
    "c1cccn1": "c1ccc[nH]1",
    "Cc1cc2nnnc2cc1": "[nH]",
    "HCl": "Cl",
    "NaO": "[Na]",
    "C(C[NH]1CCCC1)OC": "C(CN1CCCC1)OC",
}


@pytest.mark.parametrize("smiles", REFUSED)
def test_refusals_tell_the_repair(smiles):
    with pytest.raises(SynthonError) as caught:
        Molecule(smiles)
    assert caught.value.position is not None and REFUSED[smiles] in caught.value.hint


def test_answers_of_the_faq():
    dropped = Molecule("O=C(C[C@]1(c2ccc(-c3ccc(F)cc3)cc2)C2CC3CC1CC(C2)[C@@H]3O)N1CC(O)C1")
    assert "atom 3" in dropped.warnings[0]
    assert Molecule(dropped.smiles).smiles == dropped.smiles
    plain = synthon.Fingerprint("C[C@@H]1CC[C@H](c2ccccc2)C[C@H]1O")
    mapped = synthon.Fingerprint("[CH3:1][C@@H:2]1CC[C@H:5](c2ccccc2)C[C@H:9]1O")
    assert plain == mapped
    pattern = synthon.Pattern("C[$([OH0,SH0,NH0,NH1,SiH2][CX4])]")
    assert list(pattern.find_all("CCNO")) == [(1, 2)]
    drug = "CNC[C@@H]([C@H]([C@@H]([C@@H](CO)O)O)O)O.c1cc2c(cc1C(=O)O)oc(n2)c3cc(cc(c3)Cl)Cl"
    kept = synthon.standardise(drug, largest_fragment=True).molecule.smiles
    assert kept == "O=C(O)c1ccc2nc(-c3cc(Cl)cc(Cl)c3)oc2c1"
    sydnone = "[O-]c1c[n+](-c2ccccc2)no1"
    assert synthon.standardise(sydnone, neutralise=True).molecule == Molecule(sydnone)
