"""Routes to a molecule, from your own stock and templates where you have them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal, TypeAlias, overload

from synthon._native import Catalogue, Molecule, render_routes
from synthon.tool_definitions import TOOL_REGISTRY

__all__ = ["Plan", "Planner", "Route", "RouteStream"]

_Form: TypeAlias = Literal["svg", "html", "mermaid", "aizynthfinder"]


@dataclass(frozen=True)
class Route:
    """One way to make the target, from its building blocks to itself."""

    data: dict[str, Any] = field(repr=False)
    """The route as the tool `find_routes` gives it. Of a route from elsewhere with steps that the
    library does not know, only what could be found out."""
    target: str
    """Canonical SMILES of what is made."""
    doubts: tuple[str, ...] = field(default=(), repr=False)
    """Of a route from elsewhere: what is wrong with it or open, in sentences."""

    @staticmethod
    def from_aizynthfinder(
        tree: Mapping[str, Any] | str, *, planner: Planner | None = None, timeout: float | None = None
    ) -> Route:
        """Reads and audits a tree of AiZynthFinder, a dict or its JSON text: as `Planner.read`
        does, with the shipped library and stock unless a `planner` is given."""
        return (planner or Planner()).read(tree, timeout=timeout)

    def to_aizynthfinder(self) -> dict[str, Any]:
        """The route as AiZynthFinder writes it; its ``ReactionTree.from_dict`` reads it."""
        if self.is_known:
            [tree] = json.loads(self.render("aizynthfinder"))
            return dict(tree)
        return _foreign(self.tree)

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The reactions, the last one first; each with its reactants, template and checks."""
        return list(self.data["steps"])

    @property
    def building_blocks(self) -> list[str]:
        """Canonical SMILES of what it starts from."""
        return list(self.data["building_blocks"])

    @property
    def is_known(self) -> bool:
        """Whether a template of the library is known for every step: always, unless the route was
        planned elsewhere."""
        return "route_id" in self.data

    @property
    def tier(self) -> int | None:
        """How far its validation got, 0 to 3; higher is better, see the tool's description.
        ``None`` where not every step is known."""
        tier = self.data.get("tier")
        return None if tier is None else int(tier)

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

    def render(self, form: _Form, *, timeout: float = 60.0) -> str:
        """The route in a form that others read, as `Plan.render`.

        Raises `SynthonError` where it lacks what such a form tells: when it was planned with
        ``detail="brief"``, or elsewhere with steps that are not known (`to_svg` and
        `to_aizynthfinder` take those too).
        """
        return render_routes({"target": self.target, "routes": [self.data]}, form, timeout)

    def to_svg(self, *, timeout: float = 60.0) -> str:
        """A drawing as SVG text: one step a row, changed bonds highlighted, stock states below.
        `timeout` bounds it, in seconds."""
        if self.is_known:
            return self.render("svg", timeout=timeout)
        steps = [{key: step[key] for key in ("target", "precursors")} for step in self.steps]
        arguments = {"smiles": self.target, "route": {"steps": steps}}
        drawn = Catalogue([], []).call_tool("depict_route", arguments, timeout)
        return str(drawn["svg"])

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.data["steps"])


def _foreign(node: dict[str, Any]) -> dict[str, Any]:
    """A molecule of `Route.tree` in AiZynthFinder's form."""
    told: dict[str, Any] = {
        "type": "mol",
        "hide": False,
        "smiles": node["smiles"],
        "is_chemical": True,
        "in_stock": node["in_stock"],
    }
    if node["children"]:
        parts = [_foreign(child) for child in node["children"]]
        reaction = {
            "type": "reaction",
            "hide": False,
            "smiles": f"{node['smiles']}>>{'.'.join(part['smiles'] for part in parts)}",
            "is_reaction": True,
            "metadata": {} if node["rule"] is None else {"classification": node["rule"]},
            "children": parts,
        }
        told["children"] = [reaction]
    return told


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
    def complete(self) -> bool:
        """Whether these are all routes that there are, within library, stock and depth."""
        return bool(self.result["complete"])

    @property
    def claim(self) -> str:
        """What may be said of this answer, in a sentence."""
        return str(self.result["claim"])

    def render(self, form: _Form, *, timeout: float = 60.0) -> str:
        """All routes in a form that others read: a drawing, one page that works offline, a
        Mermaid graph, or AiZynthFinder's trees as JSON. `timeout` bounds the drawings, in seconds.

        Raises `SynthonError` when the routes were planned with ``detail="brief"``.
        """
        return render_routes(self.result, form, timeout)

    def to_aizynthfinder(self) -> list[dict[str, Any]]:
        """The routes as AiZynthFinder writes them, a tree for each."""
        return list(json.loads(self.render("aizynthfinder")))

    def _repr_svg_(self) -> str:
        return self.render("svg")

    def __len__(self) -> int:
        return len(self.routes)

    @overload
    def __getitem__(self, index: int) -> Route: ...
    @overload
    def __getitem__(self, index: slice) -> list[Route]: ...
    def __getitem__(self, index: int | slice) -> Route | list[Route]:
        return self.routes[index]

    def __iter__(self) -> Iterator[Route]:
        return iter(self.routes)


class Planner:
    """Finds routes with one stock and one library of templates.

    `stock` is a file (SMILES, CSV with a column ``smiles`` and perhaps ``name`` and ``price``,
    InChIKeys, or a Bloom filter of molbloom) or a sequence of molecules, and `library` a folder
    that ``synthon library build`` made, or a file or folder of named templates; either may be the
    name of a shipped one, and what is left out is the default. Both are read once, here; lines
    of a stock that give no molecule are warned of. A planner pickles as what it was made of: files
    are read anew where it arrives.

    Raises `SynthonError` when one cannot be read.
    """

    def __init__(
        self,
        *,
        stock: str | PathLike[str] | Iterable[Molecule | str] | None = None,
        library: str | PathLike[str] | None = None,
    ) -> None:
        self._chosen: dict[str, str] = {}
        self._source = None if stock is None or isinstance(stock, (str, PathLike)) else list(stock)
        stocks: list[tuple[str, Any]] = []
        if self._source is not None:
            self._chosen["stock"] = "own"
            stocks.append(("own", self._source))
        elif isinstance(stock, (str, PathLike)):
            self._chosen["stock"] = fspath(stock)
            stocks.append((fspath(stock), stock))
        libraries = []
        if library is not None:
            self._chosen["library"] = fspath(library)
            libraries.append((fspath(library), library))
        self._catalogue = Catalogue(stocks, libraries)

    def __reduce__(self) -> tuple[Any, ...]:
        stock = self._chosen.get("stock") if self._source is None else self._source
        return _planner, (stock, self._chosen.get("library"))

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

    def stream(
        self, target: Molecule | str, *, timeout: float | None = None, **options: Any
    ) -> RouteStream:
        """The routes one by one, as soon as they are known: the first is not kept back until the
        last is found. The arguments are those of `plan`; `timeout` bounds all of it.

        It searches for one route, then for two, four and so on up to ``max_routes`` (5 unless
        given), and gives what is new each time. The best of all may come late:
        `RouteStream.plan` has them in order, as `plan` would give them.
        """
        return RouteStream(self, target, timeout, options)

    def read(
        self, route: Mapping[str, Any] | str, *, timeout: float | None = None
    ) -> Route:
        """Reads a route that was planned elsewhere, and audits every step with this library and
        stock: a dict, or its JSON text, of AiZynthFinder, PaRoutes, Syntheseus, RetroCast or this
        package. `Route.doubts` says what is wrong or open. `timeout` is in seconds.

        Raises `SynthonError` for what is no route, or for several.
        """
        given = json.loads(route) if isinstance(route, str) else route
        names = TOOL_REGISTRY["validate_route"].input_schema["properties"]
        library = self._chosen.get("library") or str(names["library"]["default"])
        stock = self._chosen.get("stock") or str(names["stock"]["default"])
        told = self._catalogue.read_route(given, library, stock, timeout)
        doubts = tuple(told["reasons"])
        if told["route"] is not None:
            return Route(told["route"], told["target"], doubts)
        blocks = sorted({leaf["smiles"] for leaf in told["leaves"]})
        data = {"steps": told["steps"], "leaves": told["leaves"], "building_blocks": blocks}
        return Route(data, told["target"], doubts)


def _planner(stock: Any, library: str | None) -> Planner:
    return Planner(stock=stock, library=library)


class RouteStream(Iterator[Route]):
    """Routes as they are found; see `Planner.stream`."""

    plan: Plan | None
    """The latest plan, with its status and claim; that of all routes once the stream has ended,
    and ``None`` before it begins."""

    def __init__(
        self,
        planner: Planner,
        target: Molecule | str,
        timeout: float | None,
        options: dict[str, Any],
    ) -> None:
        self.plan = None
        self._routes = self._found(planner, target, timeout, options)

    def __next__(self) -> Route:
        return next(self._routes)

    def _found(
        self,
        planner: Planner,
        target: Molecule | str,
        timeout: float | None,
        options: dict[str, Any],
    ) -> Iterator[Route]:
        schema = TOOL_REGISTRY["find_routes"].input_schema["properties"]["max_routes"]
        wanted = options.get("max_routes", schema["default"])
        end = None if timeout is None else time.monotonic() + timeout
        known: set[str] = set()
        asked = 1
        while True:
            left = None if end is None else max(0.0, end - time.monotonic())
            last = not isinstance(wanted, int) or asked >= wanted
            # What is no number of routes is refused by the tool, in its words.
            now = {**options, "max_routes": wanted if last else asked}
            self.plan = planner.plan(target, timeout=left, **now)
            for route in self.plan:
                if route.data["route_id"] not in known:
                    known.add(route.data["route_id"])
                    yield route
            if last or self.plan.status != "COMPLETED" or len(self.plan) < asked:
                return
            asked *= 2
