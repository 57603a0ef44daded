"""Files beside docs/ that the site shows or offers: the pages link to them as in the repository.

Hooks of MkDocs, named in mkdocs.yml.
"""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).parents[2]
# In the repository, on the site.
BESIDE = {
    "benchmarks/RESULTS.md": "benchmarks.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "data/MANIFEST.toml": "files/MANIFEST.toml",
    "examples/README.md": "examples.md",
    **{
        f"examples/{path.name}": f"files/{path.name}"
        for path in sorted((ROOT / "examples").iterdir())
        if path.suffix in (".py", ".ipynb")
    },
}


def on_files(files, config):
    for path, name in BESIDE.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links as they are in the repository become links as they are on the site."""
    beside = {name: path for path, name in BESIDE.items()}
    own = pathlib.PurePosixPath(beside.get(page.file.src_uri, f"docs/{page.file.src_uri}"))

    def link(found):
        address, anchor = found.group(1), found.group(2)
        path = posixpath.normpath(str(own.parent / address))
        if path in BESIDE:
            return f"]({BESIDE[path]}{anchor})"
        if own.parent.name != "docs" and path.startswith("docs/"):
            return f"]({path.removeprefix('docs/')}{anchor})"
        return found.group(0)

    return re.sub(r"\]\((?!\w+:)([^)#\s]+)((?:#[^)\s]*)?)\)", link, markdown)
