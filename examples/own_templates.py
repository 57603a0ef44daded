"""Routes with reactions of your own.

A library is a TOML file (or a folder of such files); `data/templates.toml` holds two reactions. For
libraries that are extracted from thousands of recorded reactions see ``synthon library build``.
"""

from pathlib import Path

from synthon import Planner, SynthonError

TEMPLATES = Path(__file__).parent / "data" / "templates.toml"


def main() -> None:
    planner = Planner(library=TEMPLATES, stock=["CC(=O)Cl", "O=[N+]([O-])c1ccc(O)cc1"])
    plan = planner.plan("CC(=O)Nc1ccc(O)cc1", depth=3)
    print(plan.claim)
    for step in plan[0].steps:
        print(f"  {step['rule']}: {' + '.join(step['precursors'])} -> {step['target']}")
        print(f"    {step['conditions']['text']}")
    # With so few reactions a search ends by itself, and then "no route" is a fact about them.
    none = planner.plan("CCOC(C)=O")
    assert not none and none.complete
    print(none.claim)

    # A template that is none is refused with its place in the file and the cause.
    try:
        Planner(library=Path(__file__))
    except SynthonError as error:
        print("refused:", str(error).splitlines()[0].replace(str(Path(__file__)), "this file"))


if __name__ == "__main__":
    main()
