"""Trains the table from the pairs, and writes it as the engine reads it.

    python3 train.py WORK OUT [--seed N] [--stems N] [--numbers N] [--passes N]

A comment and its definition are sums of the vectors of their stems. Each step takes some hundred pairs and moves
the vectors so that a comment is nearer to its own definition than to the others, half of which are from the same
neighbourhood. Floating-point sums differ between processors: the table is data with a checksum, and no step of a
build.
"""

import argparse
import collections
import hashlib
import struct
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

BATCH = 768
# The share of a batch from neighbourhoods, the number of pairs of one, and the pairs among which they are drawn.
NEAR, NEAR_PAIRS, NEAR_SPAN = 0.4, 96, 3_000
RATE, SHARPNESS = 0.05, 18.0
# Stems that are trained; the most frequent of them are kept.
TRAINED = 8_000
STEM_MAX = 20
CHECKED = 2_000
# Values beyond this quantile are cut, so that the others use the 8 bits.
CUT = 0.9995


class Bags:
    """The stems of texts, as numbers in one array."""

    def __init__(self, texts, numbers):
        self.ends = np.zeros(len(texts) + 1, np.int64)
        parts = [np.array([numbers[word] for word in text.split() if word in numbers], np.int32) for text in texts]
        np.cumsum([len(part) for part in parts], out=self.ends[1:])
        self.stems = np.concatenate(parts)

    def __getitem__(self, at):
        return self.stems[self.ends[at] : self.ends[at + 1]]


def read(work):
    columns = [[], [], [], []]
    with open(work / "pairs.tsv") as lines:
        for line in lines:
            for column, text in zip(columns, line.rstrip("\n").split("\t")):
                column.append(text)
    return columns


def vocabulary(columns):
    """Returns the stems by frequency, and the number of pairs with each."""
    counts = collections.Counter()
    for texts in zip(*columns[:3]):
        counts.update(set(" ".join(texts).split()))
    found = [(stem, n) for stem, n in counts.most_common(TRAINED) if len(stem) <= STEM_MAX]
    return [stem for stem, _ in found], np.array([n for _, n in found], float)


class Training:
    def __init__(self, columns, numbers, seed):
        self.stems, counts = vocabulary(columns)
        number_of = {stem: at for at, stem in enumerate(self.stems)}
        self.comments, self.names, self.bodies, self.files = (Bags(column, number_of) for column in columns)
        self.random = np.random.default_rng(seed)
        n_pairs = len(columns[0])
        rarity = np.log(1 + n_pairs / counts)
        start = self.random.standard_normal((len(self.stems), numbers)) / np.sqrt(numbers)
        self.vectors = (start * (rarity / rarity.mean())[:, None]).astype(np.float32)
        self.squares = np.full((len(self.stems), 1), 1e-6, np.float32)
        drawn = self.random.permutation(n_pairs)
        self.checked, self.trained = drawn[:CHECKED], np.sort(drawn[CHECKED:])

    def comment(self, at, whole):
        """A question is short: a comment stands for it with its beginning, or with a part from anywhere."""
        stems = self.comments[at]
        if whole:
            return np.unique(stems[:10]), None
        if len(stems) > 6 and self.random.random() < 0.7:
            length = self.random.integers(4, 14)
            start = 0 if self.random.random() < 0.6 else self.random.integers(0, max(1, len(stems) - length))
            stems = stems[start : start + length]
        return np.unique(stems), None

    def definition(self, at, whole):
        name, body, file = self.names[at], self.bodies[at], self.files[at]
        if not whole:
            # Names alone would be enough for most pairs.
            name = name[:0] if self.random.random() < 0.25 else name
            file = file[:0] if self.random.random() < 0.5 else file
            body = body[: self.random.integers(5, 101)]
        stems, n = np.unique(np.concatenate((np.repeat(name, 4), body, np.repeat(file, 2))), return_counts=True)
        return stems, np.sqrt(n)

    def bags(self, rows, of, whole=False):
        parts = [of(at, whole) for at in rows]
        ends = np.concatenate(([0], np.cumsum([len(stems) for stems, _ in parts])))
        stems = np.concatenate([stems for stems, _ in parts])
        weights = np.concatenate([np.ones(len(s)) if w is None else w for s, w in parts]).astype(np.float32)
        return sparse.csr_matrix((weights, stems, ends), shape=(len(rows), len(self.stems)))

    def batch(self):
        n_near = int(BATCH * NEAR) // NEAR_PAIRS
        rows = [self.random.choice(self.trained, BATCH - n_near * NEAR_PAIRS)]
        for _ in range(n_near):
            start = self.random.integers(0, max(1, len(self.trained) - NEAR_SPAN))
            span = self.trained[start : start + NEAR_SPAN]
            rows.append(self.random.choice(span, min(NEAR_PAIRS, len(span)), replace=False))
        return np.unique(np.concatenate(rows))

    def step(self, rate):
        rows = self.batch()
        left, right = self.bags(rows, self.comment), self.bags(rows, self.definition)
        (x, x_length), (y, y_length) = self.units(left), self.units(right)
        near = x @ y.T * SHARPNESS
        by_row = np.exp(near - near.max(1, keepdims=True))
        by_column = np.exp(near - near.max(0, keepdims=True))
        pull = (by_row / by_row.sum(1, keepdims=True) + by_column / by_column.sum(0, keepdims=True)) / 2
        pull[np.diag_indices(len(rows))] -= 1
        pull *= SHARPNESS / len(rows)
        dx, dy = pull @ y, pull.T @ x
        dx = (dx - x * (dx * x).sum(1, keepdims=True)) / x_length
        dy = (dy - y * (dy * y).sum(1, keepdims=True)) / y_length
        used = np.unique(np.concatenate((left.indices, right.indices)))
        slope = (left.T @ dx + right.T @ dy)[used]
        self.squares[used] += (slope * slope).mean(1, keepdims=True)
        self.vectors[used] -= rate * slope / np.sqrt(self.squares[used])

    def units(self, bags):
        sums = bags @ self.vectors
        length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        return sums / length, length

    def check(self):
        """Returns the mean reciprocal rank of a definition among those of the pairs that were kept back."""
        x, _ = self.units(self.bags(self.checked, self.comment, True))
        y, _ = self.units(self.bags(self.checked, self.definition, True))
        near = x @ y.T
        return (1 / ((near > np.diag(near)[:, None]).sum(1) + 1)).mean()


def table(stems, vectors):
    """Returns the bytes that `table.rs` reads."""
    scale = np.quantile(np.abs(vectors), CUT) / 127
    rows = np.clip(np.round(vectors / scale), -127, 127).astype(np.int8)
    order = sorted(range(len(stems)), key=lambda at: stems[at])
    ends = np.cumsum([len(stems[at]) for at in order])
    head = struct.pack(f"<{len(stems) + 1}H", len(stems), *(int(end) for end in ends))
    return head + "".join(stems[at] for at in order).encode() + rows[order].tobytes()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("work", type=Path)
    options.add_argument("out", type=Path)
    for name, number in (("seed", 1), ("stems", 5_000), ("numbers", 64), ("passes", 3)):
        options.add_argument(f"--{name}", type=int, default=number)
    given = options.parse_args()
    training = Training(read(given.work), given.numbers, given.seed)
    n_steps = given.passes * len(training.trained) // BATCH
    began = time.time()
    for at in range(n_steps):
        training.step(RATE * max(0.05, 1 - at / n_steps))
        if (at + 1) % 500 == 0 or at + 1 == n_steps:
            print(f"step {at + 1} of {n_steps}, {time.time() - began:.0f} s: {training.check():.3f}", flush=True)
    made = table(training.stems[: given.stems], training.vectors[: given.stems])
    given.out.write_bytes(made)
    print(f"{len(made)} bytes, sha256 {hashlib.sha256(made).hexdigest()}")


main()
