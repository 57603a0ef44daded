"""Routes from what you hold, at your prices.

The stock is a CSV file with the columns ``smiles``, ``name`` and ``price`` (any currency, any unit:
they are only added up). A route is priced by them when every building block has a price.
"""

from pathlib import Path

from synthon import Planner

STOCK = Path(__file__).parent / "data" / "stock.csv"


def main() -> None:
    planner = Planner(stock=STOCK)
    for target in ("CC(=O)Nc1ccc(O)cc1", "CC(=O)Oc1ccccc1C(=O)O"):
        plan = planner.plan(target, depth=3)
        print(f"{target}: {plan.claim}")
        priced = sorted(plan, key=lambda route: float(route.data["route_cost"]))
        for route in priced:
            cost, basis = route.data["route_cost"], route.data["cost_basis"]
            print(f"  {cost:.2f} ({basis}): {' + '.join(route.building_blocks)}")

    # Molecules in memory are a stock as well.
    few = Planner(stock=["Nc1ccc(O)cc1", "CC(=O)Cl"])
    [route] = few.plan("CC(=O)Nc1ccc(O)cc1", depth=1, max_routes=1)
    print("from two molecules:", " + ".join(route.building_blocks))


if __name__ == "__main__":
    main()
