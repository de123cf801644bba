"""Writes tests/data/measures/cases.json: random inputs with ties and missing values, and what reference packages make of them.

`target/ci-venv/bin/python .ci/measures_cases.py` prints the cases; `--check` tells whether the stored ones are still what the packages
say. They are SciPy, statsmodels, krippendorff and lexicalrichness. Where none of them has a measure it is its definition, by pairs or
triples and without any short cut: van der Eijk 2001, Esteban and Ray 1994, Gini 1912, Jaccard 1901.
"""
import itertools
import json
import math
import sys
import warnings

import krippendorff
import numpy
import scipy.stats
from lexicalrichness import LexicalRichness
from scipy.spatial.distance import cosine
from statsmodels.stats.inter_rater import fleiss_kappa

STORED = "tests/data/measures/cases.json"
warnings.simplefilter("ignore")
random = numpy.random.default_rng(20260102)


def case(function, inputs, expected):
    if expected is not None:
        expected = None if math.isnan(expected) else float(expected)
    return {"function": function, "input": inputs, "expected": expected}


def ints(low, high, n):
    return [int(x) for x in random.integers(low, high + 1, n)]


def of_counts():
    for _ in range(40):
        yield from with_counts(ints(0, int(random.choice([2, 9, 60])), int(random.integers(2, 8))))


def with_counts(counts):
    n, k = sum(counts), len(counts)
    p = [c / n for c in counts] if n else []
    yield case("entropy_norm", counts, scipy.stats.entropy(p, base=k) if n and k > 1 else None)
    yield case("effective_options", counts, 1 / sum(x * x for x in p) if n else None)
    pairs = [a == b for a, b in itertools.combinations([i for i, c in enumerate(counts) for _ in range(c)], 2)]
    yield case("pair_agreement", counts, numpy.mean(pairs) if pairs else None)
    apart = sum(abs(a - b) for a in counts for b in counts)
    yield case("gini", counts, apart / (2 * k * n) if n else None)
    yield case("vdeijk_a", counts, van_der_eijk(counts) if n and k > 2 else None)


def van_der_eijk(counts):
    counts, n, total = list(counts), sum(counts), 0
    while sum(counts):
        least, k = min(c for c in counts if c), len(counts)
        layer = [int(c > 0) for c in counts]
        patterns = [tuple(layer[i] for i in triple) for triple in itertools.combinations(range(k), 3)]
        tu, tdu = patterns.count((1, 1, 0)) + patterns.count((0, 1, 1)), patterns.count((1, 0, 1))
        u = ((k - 2) * tu - (k - 1) * tdu) / ((k - 2) * (tu + tdu)) if tu + tdu else 1
        total += least * sum(layer) * u * (1 - (sum(layer) - 1) / (k - 1))
        counts = [c - least if c else 0 for c in counts]
    return total / n


def of_positions():
    for _ in range(40):
        x = ints(0, int(random.choice([1, 4, 1000])), int(random.integers(1, 15)))
        yield from with_positions([p / 1000 for p in x])


def with_positions(x):
    places, counts = numpy.unique(x, return_counts=True)
    p = counts / len(x)
    for alpha in [1.0, 1.3, 1.6]:
        value = sum(p[i] ** (1 + alpha) * p[j] * abs(places[i] - places[j]) for i in range(len(p)) for j in range(len(p)))
        yield case("esteban_ray", [[round(1000 * v) for v in x], alpha], value)


def of_rankings():
    for _ in range(60):
        m, k = int(random.integers(1, 7)), int(random.integers(2, 7))
        tied = random.random() < 0.5
        ranks = [ints(1, k, k) if tied else [int(r) + 1 for r in random.permutation(k)] for _ in range(m)]
        yield from with_rankings(ranks)


def with_rankings(ranks):
    m, k = len(ranks), len(ranks[0])
    taus = [scipy.stats.kendalltau(a, b).statistic for a, b in itertools.combinations([r for r in ranks if len(set(r)) > 1], 2)]
    yield case("mean_kendall_tau", ranks, numpy.mean(taus) if taus else None)
    # Friedman's statistic, which SciPy corrects for ties, is m (K - 1) W.
    w = None
    if m > 1 and any(len(set(r)) > 1 for r in ranks):
        if k > 2 and m > 2:
            w = scipy.stats.friedmanchisquare(*numpy.array(ranks, float).T).statistic / (m * (k - 1))
        else:
            mid = numpy.array([scipy.stats.rankdata(r) for r in ranks])
            ties = sum((t ** 3 - t) for r in ranks for t in numpy.unique(r, return_counts=True)[1])
            s = ((mid.sum(0) - mid.sum(0).mean()) ** 2).sum()
            w = 12 * s / (m * m * (k ** 3 - k) - m * ties)
    yield case("kendall_w", ranks, w)


def of_raters():
    for _ in range(60):
        raters, units, values = int(random.integers(2, 6)), int(random.integers(2, 12)), int(random.integers(2, 6))
        data = random.integers(0, values, (raters, units)).astype(float)
        # Raters that follow one of them, and values that are missing.
        for rater in range(1, raters):
            same = random.random(units) < 0.5
            data[rater, same] = data[0, same]
        data[random.random((raters, units)) < random.choice([0, 0.3])] = numpy.nan
        yield from with_raters(data, values)


def with_raters(data, values):
    lists = [[int(v) for v in column if not math.isnan(v)] for column in data.T]
    pairable = {v for unit in lists if len(unit) > 1 for v in unit}
    for level in ["nominal", "ordinal", "interval"]:
        alpha = krippendorff.alpha(data, level_of_measurement=level) if len(pairable) > 1 else None
        yield case("krippendorff_alpha", [lists, level], alpha)
    counts = [[unit.count(v) for v in range(values)] for unit in lists]
    equal = {len(unit) for unit in lists} in [{n} for n in range(2, 99)] and len({v for unit in lists for v in unit}) > 1
    yield case("fleiss_kappa", counts, fleiss_kappa(numpy.array(counts)) if equal else None)


def of_words():
    for _ in range(40):
        n, v = int(random.integers(2, 6)), int(random.integers(2, 9))
        counts = [[max(0, c) for c in ints(-2, 4, v)] for _ in range(n)]
        yield from with_words(counts)
    for n in [10, 49, 50, 51, 80, 200]:
        words = ints(0, int(random.integers(5, 80)), n)
        yield with_tokens(words)


def with_tokens(words):
    text = " ".join("w" + "abcdefghij"[w % 10] * (1 + w // 10) for w in words)
    return case("mattr", words, LexicalRichness(text).mattr(window_size=50) if len(words) >= 50 else None)


def with_words(counts):
    spoke = [c for c in counts if sum(c)]
    pairs = list(itertools.combinations(spoke, 2))
    yield case("similarity_pair", counts, numpy.mean([1 - cosine(a, b) for a, b in pairs]) if pairs else None)
    sets = [({i for i, c in enumerate(a) if c}, {i for i, c in enumerate(b) if c}) for a, b in pairs]
    yield case("jaccard_pair", counts, numpy.mean([len(a & b) / len(a | b) for a, b in sets]) if pairs else None)
    shares = [numpy.array(c) / sum(c) for c in spoke]
    jsd = None
    if pairs:
        base = len(spoke)
        jsd = scipy.stats.entropy(sum(shares) / base, base=base) - sum(scipy.stats.entropy(p, base=base) for p in shares) / base
    yield case("jsd_speakers", counts, jsd)


def of_edges():
    """What lots seldom draw: one of something, all alike, nobody alike, and much of it."""
    for counts in [[5], [0], [1], [0, 0], [0, 1], [1, 1], [0, 0, 9], [3] * 12, [200, 0, 0, 0, 1], [1] + 8 * [0] + [1]]:
        yield from with_counts(counts)
    for x in [[0.5], [0.0, 1.0], [1.0] * 9, [i / 1000 for i in range(0, 1001, 50)]]:
        yield from with_positions(x)
    many = [[int(r) + 1 for r in random.permutation(25)] for _ in range(12)]
    for ranks in [[[1, 2]], [[1, 1], [1, 2]], [[1, 1, 1], [1, 1, 1]], [[1, 2, 3]] * 5, [[1, 2, 3], [3, 2, 1]], many]:
        yield from with_rankings(ranks)
    missing = numpy.nan
    wide = random.integers(0, 900, (9, 40)).astype(float)
    crowd = random.integers(0, 2, (60, 3)).astype(float)
    for data in [[[1.0], [2.0]], [[1.0, missing], [missing, 2.0]], [[1.0, 1.0], [1.0, 1.0]], [[0.0, 3.0], [3.0, 0.0]], wide, crowd]:
        yield from with_raters(numpy.array(data), int(numpy.nanmax(data)) + 1)
    for counts in [[[3, 1]], [[0, 0], [2, 1]], [[2, 0], [0, 5]], [[2, 4], [1, 2]], [[1] * 40, list(range(40)), [0] * 39 + [7]]]:
        yield from with_words(counts)
    for words in [[0] * 60, list(range(120)), [0, 1] * 25]:
        yield with_tokens(words)
    yield from of_corners()


def of_corners():
    """Nobody, everybody, holes, halves and crowds: one of each kind that a formula may stumble over."""
    for counts in [[0] * 7, [0, 0, 0, 1, 0, 0, 0], [9, 0, 0, 0, 0, 0, 9], [3, 0, 0, 2, 0, 0, 3], [2, 0, 2, 0, 2, 0, 2], [0, 1, 0, 1, 0, 1, 0],
                   [5, 5, 5, 5, 5, 5, 4], [1500, 1], [1, 0, 1500], [1] * 26]:
        yield from with_counts(counts)
    for x in [[0.0] * 3, [0.499, 0.5, 0.501], [0.0, 0.0, 0.001], [0.0] * 999 + [1.0], [0.0, 0.25, 0.5, 0.75, 1.0]]:
        yield from with_positions(x)
    for ranks in [[[1, 1, 1, 1], [1, 2, 3, 4]], [[1, 1, 2, 2], [2, 2, 1, 1]], [[1, 2, 3, 4]] * 2 + [[4, 3, 2, 1]] * 2, [[1], [1]], [[2, 1]] * 9 + [[1, 2]]]:
        yield from with_rankings(ranks)
    missing = numpy.nan
    for data in [[[1.0, missing, 2.0], [missing, 3.0, missing]], [[1.0] * 5 + [9.0], [1.0] * 5 + [1.0]], [[0.0, 1.0] * 4, [1.0, 0.0] * 4],
                 [[1.0, 2.0, missing]] * 3, [[5.0, 5.0, 5.0, 6.0]] * 2 + [[5.0, 5.0, 5.0, missing]]]:
        yield from with_raters(numpy.array(data), int(numpy.nanmax(data)) + 1)
    for counts in [[[0, 0], [0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[7, 0], [1, 0]], [[1000, 1], [1, 1000]], [[0, 5], [5, 0], [0, 0], [5, 5]]]:
        yield from with_words(counts)


def text():
    cases = [c for make in (of_counts, of_positions, of_rankings, of_raters, of_words, of_edges) for c in make()]
    return "[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n"


def same(one, other):
    """Whether two cases agree but for the last digits of numbers."""
    if isinstance(one, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other or isinstance(one, float) and isinstance(other, float) and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-11)


if sys.argv[1:] == ["--check"]:
    stored, now = json.load(open(STORED)), json.loads(text())
    differing = sum(not same(*pair) for pair in zip(stored, now)) + abs(len(stored) - len(now))
    print(f"{len(now) - differing} stored cases are what the packages say, {differing} are not")
    sys.exit(differing > 0)
sys.stdout.write(text())
