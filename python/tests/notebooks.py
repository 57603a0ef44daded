"""Runs notebooks without Jupyter: what they print and show goes into their cells.

``python notebooks.py`` writes the outputs of examples/notebook.ipynb anew.
"""

import ast
import contextlib
import io
import json
import pathlib

TARGET = pathlib.Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def run(notebook):
    """The notebook with the outputs of its cells, run in order."""
    names = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = _run_cell("".join(cell["source"]), names)
        cell["execution_count"], cell["outputs"] = count, []
        if printed.getvalue():
            text = printed.getvalue().splitlines(True)
            cell["outputs"].append({"name": "stdout", "output_type": "stream", "text": text})
        if value is not None:
            cell["outputs"].append(
                {
                    "data": _shown(value),
                    "execution_count": count,
                    "metadata": {},
                    "output_type": "execute_result",
                }
            )
    return notebook


def _run_cell(source, names):
    """Runs a cell and returns the value of the expression that it ends with, if it does."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def _shown(value):
    data = {}
    if hasattr(value, "_repr_svg_"):
        data["image/svg+xml"] = value._repr_svg_().splitlines(True)
    data["text/plain"] = repr(value).splitlines(True)
    return data


def text(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(run(json.loads(TARGET.read_text(encoding="utf-8")))), encoding="utf-8")
