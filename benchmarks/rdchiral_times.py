"""Times rdchiral on what the example `time_best` of synthon-library wrote: a product a line, then
its best templates, with tabs between. Templates and molecules are prepared beforehand; the time is
that of the processor. The whole library is reckoned from templates drawn from all lines, most of
which do not match the product that they are tried on.

    python benchmarks/rdchiral_times.py FILE TEMPLATES_OF_THE_LIBRARY.tsv.gz
"""

import gzip
import random
import sys
import time

from rdchiral.initialization import rdchiralReactants, rdchiralReaction
from rdchiral.main import rdchiralRun

PRODUCTS = 40
DRAWN = 60


def seconds(templates, product):
    start = time.process_time()
    for template in templates:
        try:
            rdchiralRun(template, product)
        except Exception:  # noqa: BLE001 - what it refuses costs its time as well
            pass
    return time.process_time() - start


def main(best, library):
    with gzip.open(library, "rt") as lines:
        texts = [line.split("\t")[0] for line in lines]
    random.seed(1)
    prepared = {}

    def template(text):
        if text not in prepared:
            product, precursors = text.split(">>")
            prepared[text] = rdchiralReaction(f"({product})>>{precursors}")
        return prepared[text]

    of_best = of_any = 0.0
    tried = drawn = products = 0
    with open(best) as lines:
        for line in list(lines)[:PRODUCTS]:
            smiles, *own = line.rstrip("\n").split("\t")
            product = rdchiralReactants(smiles)
            of_best += seconds([template(text) for text in own], product)
            of_any += seconds([template(text) for text in random.sample(texts, DRAWN)], product)
            tried, drawn, products = tried + len(own), drawn + DRAWN, products + 1
    print(f"best templates: {1e3 * of_best / products:.2f} ms a product ({tried / products:.1f} each)")
    each = of_any / drawn
    print(f"any template: {1e6 * each:.1f} us; the whole library: {1e3 * each * len(texts):.1f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
