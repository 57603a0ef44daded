"""Writes the shipped library and stock as AiZynthFinder reads them, so that both planners can be
run on equal templates and an equal stock.

    cargo run --release --example dump_templates -p synthon-reaction < mapped.smi > templates.jsonl
    python benchmarks/aizynthfinder_export.py mapped.smi templates.jsonl OUTPUT

`mapped.smi` has an atom-mapped reaction a line, and `templates.jsonl` what was extracted from each.
OUTPUT gets `config.yml`, `templates.csv.gz`, `policy.onnx` and `stock.txt` (InChIKeys).

Our policy ranks what templates give, AiZynthFinder's which templates to try. In its place a plain
network is trained here, on the reactions whose template is in the library: Morgan fingerprint of the
product (radius 2, 2,048 bits), one hidden layer of 512 rectified units, a share for each template;
cross entropy, Adam, seeded. Needs rdkit and numpy; the ONNX file is written by hand, since it is
four nodes and four tables.
"""

import argparse
import csv
import gzip
import io
import json
import pathlib
import time

import numpy as np
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator

ROOT = pathlib.Path(__file__).parents[1]
BITS, HIDDEN = 2048, 512


def library():
    """Texts and counts of the templates, in their order."""
    with gzip.open(ROOT / "data/uspto/templates.tsv.gz", "rt") as lines:
        return [(row[0], int(row[1])) for row in (line.split("\t") for line in lines)]


def examples(reactions, extracted, positions, most):
    """Bits of the products, and positions of the templates; equal pairs count once."""
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS)
    seen, bits, labels = set(), [], []
    for reaction, line in zip(open(reactions), open(extracted)):
        position = positions.get(json.loads(line).get("smarts"))
        if position is None:
            continue
        molecule = Chem.MolFromSmiles(reaction.split(">")[-1].split()[0])
        if molecule is None:
            continue
        for atom in molecule.GetAtoms():
            atom.SetAtomMapNum(0)
        # Read anew: what the maps kept apart is one again.
        molecule = Chem.MolFromSmiles(Chem.MolToSmiles(molecule))
        key = (Chem.MolToSmiles(molecule), position)
        if key in seen:
            continue
        seen.add(key)
        bits.append(np.asarray(generator.GetFingerprint(molecule).GetOnBits(), dtype=np.int32))
        labels.append(position)
        if most and len(labels) == most:
            break
    return bits, np.asarray(labels)


def dense(bits):
    x = np.zeros((len(bits), BITS), dtype=np.float32)
    for row, on in enumerate(bits):
        x[row, on] = 1.0
    return x


def shares(x, w):
    h = np.maximum(x @ w[0] + w[1], 0.0)
    z = h @ w[2] + w[3]
    z -= z.max(axis=1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return h, z


def train(bits, labels, templates, epochs, seed, batch=512, rate=2e-3):
    random = np.random.default_rng(seed)
    normal = lambda a, b: (random.standard_normal((a, b)) * np.sqrt(2.0 / a)).astype(np.float32)
    # A product sets about fifty bits: the scale of the first layer is that of its real inputs.
    w = [normal(BITS, HIDDEN) * 4.0, np.zeros(HIDDEN, np.float32)]
    w += [normal(HIDDEN, templates) * 0.5, np.zeros(templates, np.float32)]
    first = [np.zeros_like(p) for p in w]
    second = [np.zeros_like(p) for p in w]
    step = 0
    for epoch in range(epochs):
        order, loss, start = random.permutation(len(labels)), 0.0, time.time()
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            x, y = dense([bits[i] for i in rows]), labels[rows]
            h, z = shares(x, w)
            loss -= float(np.log(z[np.arange(len(y)), y] + 1e-9).sum())
            z[np.arange(len(y)), y] -= 1.0
            z /= len(y)
            back = (z @ w[2].T) * (h > 0)
            gradients = [x.T @ back, back.sum(0), h.T @ z, z.sum(0)]
            step += 1
            now = rate * (1.0 - 0.9 * epoch / epochs)
            scale = now * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            for p, g, m, v in zip(w, gradients, first, second):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= scale * m / (np.sqrt(v) + 1e-8)
        seconds = time.time() - start
        print(f"  epoch {epoch + 1}: loss {loss / len(order):.4f}, {seconds:.0f} s", flush=True)
    return w


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def field(number, value):
    """A field of a protocol buffer: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def onnx(w):
    """input -> Gemm -> Relu -> Gemm -> Softmax -> output; operator set 13."""

    def tensor(name, values):
        dims = b"".join(field(1, int(n)) for n in values.shape)
        return dims + field(2, 1) + field(8, name) + field(9, values.astype("<f4").tobytes())

    def node(kind, inputs, output):
        names = b"".join(field(1, name) for name in inputs)
        return names + field(2, output) + field(3, output) + field(4, kind)

    def value(name, width):
        first = field(1, field(2, "batch"))
        shape = first + field(1, field(1, width))
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))

    nodes = [
        node("Gemm", ["input", "w1", "b1"], "hidden"),
        node("Relu", ["hidden"], "rectified"),
        node("Gemm", ["rectified", "w2", "b2"], "scores"),
        node("Softmax", ["scores"], "output"),
    ]
    graph = b"".join(field(1, n) for n in nodes) + field(2, "template_relevance")
    for name, values in zip(["w1", "b1", "w2", "b2"], w):
        graph += field(5, tensor(name, values))
    graph += field(11, value("input", BITS)) + field(12, value("output", w[3].shape[0]))
    return field(1, 8) + field(2, "synthon") + field(7, graph) + field(8, field(2, 13))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reactions")
    parser.add_argument("templates")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=0, help="examples, for a trial")
    parser.add_argument("--held", type=int, default=20, help="one in so many is held back")
    given = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    given.output.mkdir(parents=True, exist_ok=True)
    templates = library()
    positions = {text: at for at, (text, _) in enumerate(templates)}
    bits, labels = examples(given.reactions, given.templates, positions, given.most)
    held = np.arange(len(labels)) % given.held == 0
    learned = np.flatnonzero(~held)
    print(f"{len(labels)} examples, {held.sum()} held back, {len(templates)} templates")
    w = train([bits[i] for i in learned], labels[learned], len(templates), given.epochs, given.seed)
    judged = np.flatnonzero(held)
    _, z = shares(dense([bits[i] for i in judged]), w)
    right = z[np.arange(len(judged)), labels[judged]][:, None]
    place = (z > right).sum(1)
    print("held back: " + ", ".join(f"top-{n} {(place < n).mean():.4f}" for n in (1, 10, 50)))
    (given.output / "policy.onnx").write_bytes(onnx(w))
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(["", "retro_template", "library_occurence"])
    for at, (smarts, count) in enumerate(templates):
        writer.writerow([at, smarts, count])
    packed = gzip.compress(text.getvalue().encode(), mtime=0)
    (given.output / "templates.csv.gz").write_bytes(packed)
    keys = set()
    for line in open(ROOT / "data/stock/uspto-blocks.smi"):
        molecule = Chem.MolFromSmiles(line.split("\t")[0].strip())
        keys.add(Chem.MolToInchiKey(molecule) if molecule else "")
    (given.output / "stock.txt").write_text("".join(f"{k}\n" for k in sorted(keys - {""})))
    folder = given.output.resolve()
    (given.output / "config.yml").write_text(
        "expansion:\n"
        f"  uspto:\n    type: template-based\n    model: {folder}/policy.onnx\n"
        f"    template: {folder}/templates.csv.gz\n"
        f"stock:\n  uspto-blocks: {folder}/stock.txt\n"
    )
    print(f"{folder}: {len(keys)} InChIKeys")


if __name__ == "__main__":
    main()
