"""Routes to a molecule, from your own stock and templates where you have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal

from synthon._native import Catalogue, Molecule, render_routes

__all__ = ["Plan", "Planner", "Route"]


@dataclass(frozen=True)
class Route:
    """One way to make the target, from its building blocks to itself."""

    data: dict[str, Any] = field(repr=False)
    """The route as the tool `find_routes` gives it."""
    target: str
    """Canonical SMILES of what is made."""

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The reactions, the last one first; each with its reactants, template and checks."""
        return list(self.data["steps"])

    @property
    def building_blocks(self) -> list[str]:
        """Canonical SMILES of what it starts from."""
        return list(self.data["building_blocks"])

    @property
    def tier(self) -> int:
        """How far its validation got; higher is better, see the tool's description."""
        return int(self.data["tier"])

    @property
    def tree(self) -> dict[str, Any]:
        """The route as a tree: each molecule with ``smiles``, whether it is ``in_stock``, the
        ``rule`` of the reaction that makes it, and its precursors as ``children``."""
        made = {step["target"]: step for step in reversed(self.steps)}
        leaves = {leaf["smiles"]: leaf for leaf in self.data["leaves"]}

        def node(smiles: str) -> dict[str, Any]:
            step = made.get(smiles)
            leaf = leaves.get(smiles)
            children = [] if step is None else [node(part) for part in step["precursors"]]
            return {
                "smiles": smiles,
                "in_stock": leaf is not None and leaf["in_stock"] == "yes",
                "rule": None if step is None else step["rule"],
                "children": children,
            }

        return node(self.target)

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.data["steps"])


@dataclass(frozen=True)
class Plan(Sequence[Route]):
    """The routes that were found, best first, and what they prove."""

    routes: list[Route]
    """The routes."""
    result: dict[str, Any] = field(repr=False)
    """The whole result of the tool `find_routes`."""

    @property
    def status(self) -> str:
        """``COMPLETED``, or what stopped the search: ``TIMED_OUT``, ``LIMIT_REACHED``."""
        return str(self.result["status"])

    @property
    def claim(self) -> str:
        """What may be said of this answer, in a sentence."""
        return str(self.result["claim"])

    def render(
        self, form: Literal["svg", "html", "mermaid", "aizynthfinder"], *, timeout: float = 60.0
    ) -> str:
        """All routes in a form that others read: a drawing, one page that works offline, a
        Mermaid graph, or AiZynthFinder's trees as JSON. `timeout` bounds the drawings, in seconds.

        Raises `SynthonError` when the routes were planned with ``detail="brief"``.
        """
        return render_routes(self.result, form, timeout)

    def __len__(self) -> int:
        return len(self.routes)

    def __getitem__(self, index: Any) -> Any:
        return self.routes[index]

    def __iter__(self) -> Iterator[Route]:
        return iter(self.routes)


class Planner:
    """Finds routes with one stock and one library of templates.

    `stock` is a file (SMILES, or CSV with a column ``smiles``) or a sequence of molecules, and
    `library` a file or folder of templates; what is left out is the shipped one. Both are read
    once, here.

    Raises `SynthonError` when one cannot be read.
    """

    def __init__(
        self,
        *,
        stock: str | PathLike[str] | Iterable[Molecule | str] | None = None,
        library: str | PathLike[str] | None = None,
    ) -> None:
        self._chosen: dict[str, str] = {}
        stocks = []
        if stock is not None:
            source = stock if isinstance(stock, (str, PathLike)) else list(stock)
            name = fspath(source) if isinstance(source, (str, PathLike)) else "own"
            self._chosen["stock"] = name
            stocks.append((name, source))
        libraries = []
        if library is not None:
            self._chosen["library"] = fspath(library)
            libraries.append((fspath(library), library))
        self._catalogue = Catalogue(stocks, libraries)

    def plan(
        self, target: Molecule | str, *, timeout: float | None = None, **options: Any
    ) -> Plan:
        """Looks for routes. `options` are further arguments of the tool `find_routes`, such as
        ``depth`` and ``max_routes``; `timeout` bounds the whole call, in seconds.

        Raises `SynthonError` for a target that cannot be read and for bad options.
        """
        smiles = target.smiles if isinstance(target, Molecule) else target
        arguments = {**self._chosen, **options, "smiles": smiles}
        result = self._catalogue.call_tool("find_routes", arguments, timeout)
        routes = [Route(data, result["target"]) for data in result["routes"]]
        return Plan(routes, result)
