"""The installed package is one for every Python from 3.10 on, and needs nothing else."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest
import synthon._native

PACKAGE = importlib.metadata.distribution("synthon")


def test_the_metadata_says_so():
    wheel = PACKAGE.read_text("WHEEL")
    assert re.search(r"^Tag: cp310-abi3-", wheel, re.M), wheel
    assert "Root-Is-Purelib: false" in wheel
    assert PACKAGE.metadata["Requires-Python"] == ">=3.10"
    assert PACKAGE.version == synthon._native.VERSION
    needs = PACKAGE.requires or []
    assert needs and all("extra ==" in need for need in needs)
    scripts = {entry.name: entry.value for entry in PACKAGE.entry_points}
    assert scripts == {"synthon": "synthon.__main__:main", "synthon-mcp": "synthon.mcp_server:main"}
    files = {str(file) for file in PACKAGE.files}
    assert {"synthon/py.typed", "synthon/_native.pyi", "synthon/mcp_server.pyi"} <= files
    assert any(name.endswith("LICENSE-MIT") for name in files)


def test_the_symbols_are_those_of_the_stable_interface():
    pytest.importorskip("abi3audit")
    library = pathlib.Path(synthon._native.__file__)
    if sys.platform != "win32":
        assert library.name.endswith(".abi3.so")
    audit = [sys.executable, "-m", "abi3audit", "--strict", "--summary"]
    done = subprocess.run(
        [*audit, "--assume-minimum-abi3", "3.10", str(library)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_release_is_small_enough():
    """Where a release was built (`cargo xtask release`), it is under 40 MB."""
    target = pathlib.Path(__file__).parents[2] / "target"
    wheels = list(target.glob("*/synthon-*manylinux*.whl"))
    if not wheels:
        pytest.skip("no release was built here")
    for wheel in wheels:
        assert "-cp310-abi3-" in wheel.name and wheel.stat().st_size < 40e6
        with zipfile.ZipFile(wheel) as opened:
            assert opened.testzip() is None
