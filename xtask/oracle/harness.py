"""What the comparisons with RDKit share: corpora, our side, counting and judging differences.

A suite is `NAME.py` in this folder. It is run by `cargo xtask parity NAME`:

    suite = Suite("perception")                       # reads the command line
    for corpus, smiles in suite.corpora():            # [(name, [text, ...]), ...]
        for text, ours in zip(smiles, suite.ours(smiles)):
            suite.compare(corpus, text, "formula", ours["formula"], theirs)
    suite.finish(goal=0.9999)

`ours` is what the Rust example prints: one JSON value for each line that it reads. Differences go
to `target/parity/NAME.tsv` (corpus, aspect, input, ours, RDKit's). A difference that has been
looked into is named in `judged/NAME.tsv` (input, aspect or `*`, judgement).
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import subprocess

from rdkit import RDLogger

RDLogger.DisableLog("rdApp.*")
HERE = pathlib.Path(__file__).resolve().parent


def read_lines(path):
    """Lines of a text file, gzipped or not, without blank ones."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines if line.strip()]


def spread(items, limit):
    """At most `limit` items, evenly spaced, so that a small sample sees the whole range."""
    if not limit or len(items) <= limit:
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


ALPHABET = "CNOPSFIBHclnospbraei[]()=#$:-+@/\\.%0123456789*~"


def mutations(texts, count, seed):
    """`count` texts with one character inserted, left out, replaced or swapped: nearly right."""
    chance = random.Random(seed)
    changed = []
    while len(changed) < count:
        text = chance.choice(texts)
        at, letter = chance.randrange(len(text)), chance.choice(ALPHABET)
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + letter + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + letter + text[at + 1 :]
        else:
            text = text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]
        if text.strip():
            changed.append(text)
    return changed


def corpora_of(data, limit):
    """The SMILES corpora: name and texts (without the names that follow them)."""
    for path in sorted((data / "smiles").iterdir()):
        texts = [line.split()[0] for line in read_lines(path)]
        yield path.name.split(".")[0], spread(texts, limit)


class Suite:
    """One comparison: command line, inputs, our answers, counts."""

    def __init__(self, name):
        parser = argparse.ArgumentParser(description=f"Compare {name} with RDKit")
        parser.add_argument("--data", type=pathlib.Path, required=True)
        parser.add_argument("--dumper", type=pathlib.Path, required=True)
        parser.add_argument("--out", type=pathlib.Path, required=True)
        parser.add_argument("--limit", type=int, help="inputs taken of each corpus")
        options = parser.parse_args()
        self.name, self.data, self.dumper = name, options.data, options.dumper
        self.out, self.limit = options.out, options.limit
        self.counts = collections.OrderedDict()
        self.differences = []
        self.judged = set()
        judged = HERE / "judged" / f"{name}.tsv"
        if judged.exists():
            for line in read_lines(judged):
                text, aspect, _judgement = line.split("\t", 2)
                self.judged.add((text, aspect))

    def corpora(self):
        """The SMILES corpora: name and texts (without the names that follow them)."""
        return corpora_of(self.data, self.limit)

    def ours(self, inputs, *arguments):
        """Our answer to each input, a JSON value a line."""
        done = subprocess.run(
            [self.dumper, *arguments],
            input="".join(f"{text}\n" for text in inputs),
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            check=True,
        )
        answers = done.stdout.splitlines()
        if len(answers) != len(inputs):
            raise SystemExit(f"{len(inputs)} inputs, {len(answers)} answers of {self.dumper}")
        return map(json.loads, answers)

    def compare(self, corpus, text, aspect, ours, theirs):
        """Counts one comparison; returns whether both agree."""
        counts = self.counts.setdefault((corpus, aspect), [0, 0, 0])
        counts[0] += 1
        if ours == theirs:
            counts[1] += 1
            return True
        judged = (text, aspect) in self.judged or (text, "*") in self.judged
        counts[2] += judged
        self.differences.append((corpus, aspect, text, ours, theirs, judged))
        return False

    def finish(self, goal, goals=None):
        """Prints the sums of each aspect over all corpora; `goals` overrides `goal` for some."""
        with open(self.out / f"{self.name}.tsv", "w", encoding="utf-8") as out:
            for corpus, aspect, text, ours, theirs, judged in self.differences:
                mark = "judged" if judged else "open"
                out.write(f"{corpus}\t{aspect}\t{mark}\t{text}\t{ours}\t{theirs}\n")
        sums = collections.OrderedDict()
        for (corpus, aspect), counts in self.counts.items():
            row = sums.setdefault(aspect, [set(), 0, 0, 0])
            row[0].add(corpus)
            for i, count in enumerate(counts):
                row[i + 1] += count
        for aspect, (corpora, compared, equal, judged) in sums.items():
            name = next(iter(corpora)) if len(corpora) == 1 else f"all {len(corpora)} files"
            row = {"corpus": name, "aspect": aspect, "compared": compared, "equal": equal}
            row |= {"judged": judged, "goal": (goals or {}).get(aspect, goal)}
            print(json.dumps(row))
