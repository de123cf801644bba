"""Writes tests/data/statistics/cases.json: random inputs, and what SciPy and statsmodels make of them.

`target/ci-venv/bin/python .ci/statistics_cases.py` prints the cases; `--check` tells whether the stored ones are still what the
packages say. Newcombe's paired interval is in neither package: it is method 10 of Newcombe 1998 (Statistics in Medicine 17:2635)
written here on statsmodels' Wilson limits, with the worked example of Altman et al. 2000, table 6.2, among its cases.
"""
import itertools
import json
import math
import sys
import warnings

import numpy
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

STORED = "tests/data/statistics/cases.json"
warnings.simplefilter("ignore")
random = numpy.random.default_rng(20260101)


def wilson(successes, trials):
    return [float(end) for end in proportion_confint(successes, trials, method="wilson")]


def newcombe_paired(e, f, g, h):
    n = e + f + g + h
    p1, p2 = (e + f) / n, (e + g) / n
    (l1, u1), (l2, u2) = wilson(e + f, n), wilson(e + g, n)
    margins = (e + f) * (g + h) * (e + g) * (f + h)
    product = e * h - f * g
    if product > 0:
        product = max(product - n / 2, 0)
    phi = product / math.sqrt(margins) if margins else 0.0
    low = p1 - p2 - math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    high = p1 - p2 + math.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
    return [low, high]


def counts(n, most):
    return [int(x) for x in random.integers(0, most + 1, n)]


def case(function, inputs, expected):
    return {"function": function, "input": inputs, "expected": expected}


def of_counts():
    for first, second in [(0, 0), (1, 5), (400, 431)] + [counts(2, 40) for _ in range(20)]:
        yield case("mcnemar", [first, second], float(mcnemar([[7, first], [second, 3]], exact=True).pvalue))
    tables = [(14, 5, 0, 22), (36, 12, 2, 0), (0, 5, 4, 0), (9, 0, 0, 0)] + [counts(4, 30) for _ in range(20)]
    for e, f, g, h in tables:
        yield case("newcombe_paired", [e, f, g, h], newcombe_paired(e, f, g, h))
    for _ in range(20):
        (m, n), most = counts(2, 50), 50
        m, n = m + 1, n + 1
        a, b = int(random.integers(0, m + 1)), int(random.integers(0, n + 1))
        yield case("fisher", [a, m, b, n], float(scipy.stats.fisher_exact([[a, m - a], [b, n - b]]).pvalue))
        yield case("wilson", [a, m], wilson(a, m))
        low, high = confint_proportions_2indep(a, m, b, n, method="newcomb", compare="diff")
        yield case("newcombe_independent", [a, m, b, n], [float(low), float(high)])
    yield case("fisher", [2400, 5000, 2551, 5000], float(scipy.stats.fisher_exact([[2400, 2600], [2551, 2449]]).pvalue))


def of_numbers():
    for m in [1, 2, 3, 5, 9]:
        p = [round(float(x), 6) for x in random.uniform(0, 0.3, m)]
        p = p + p[:1]
        yield case("holm", p, [float(x) for x in multipletests(p, method="holm")[1]])
    for n in [3, 4, 7, 20, 60]:
        for draw in (lambda: random.normal(3, 2, n), lambda: random.integers(0, 4, n), lambda: random.integers(0, 2, n)):
            a, b = (numpy.round(draw(), 6).astype(float) for _ in range(2))
            if numpy.ptp(a) and numpy.ptp(b):
                yield case("correlation", [a.tolist(), b.tolist()], float(scipy.stats.pearsonr(a, b).statistic))
            d = a - b
            if numpy.ptp(d):
                # The one-sample t statistic is the square root of n times d_z.
                dz = scipy.stats.ttest_rel(a, b).statistic / math.sqrt(n)
                yield case("cohen_dz", [a.tolist(), b.tolist()], float(dz))


def of_permutations():
    mean = lambda x, axis: numpy.mean(x, axis=axis)
    for n in [2, 3, 5, 9, 12]:
        for draw in (lambda: random.normal(0.4, 1, n), lambda: random.integers(-3, 5, n)):
            d = numpy.round(draw(), 6).astype(float)
            if not d.any():
                continue
            test = scipy.stats.permutation_test(
                (d,), mean, permutation_type="samples", n_resamples=numpy.inf, vectorized=True)
            yield case("sign_flip", d.tolist(), float(test.pvalue))


def of_intervals():
    """The values that SciPy's test does not reject at .05: p is constant between subset means, so it is asked between and at them."""
    mean = lambda x, axis: numpy.mean(x, axis=axis)
    for n in [6, 7, 9]:
        for draw in (lambda: random.normal(0.4, 1, n), lambda: random.integers(-3, 5, n)):
            d = numpy.round(draw(), 3).astype(float)
            subsets = itertools.chain.from_iterable(itertools.combinations(d, k) for k in range(1, n))
            means = numpy.unique(numpy.round([numpy.mean(subset) for subset in subsets], 12))

            def kept(null):
                # Far from 0 as observed or as near as rounding can tell: 1 is added to what is nearly nothing.
                distance = lambda x, axis: abs(mean(x, axis)) + 1.0
                return scipy.stats.permutation_test(
                    (d - null,), distance, permutation_type="samples", alternative="greater", n_resamples=numpy.inf,
                    vectorized=True).pvalue >= 0.05

            inside = [null for null in means if kept(null)]
            if numpy.ptp(d):
                yield case("sign_flip_interval", d.tolist(), [float(inside[0]), float(inside[-1])])
                yield case("skewness", d.tolist(), float(scipy.stats.skew(d, bias=False)))


def text():
    cases = list(of_counts()) + list(of_numbers()) + list(of_permutations()) + list(of_intervals())
    return "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n"


def same(one, other):
    """Whether two cases agree but for the last digits of numbers."""
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other or isinstance(one, float) and math.isclose(one, other, rel_tol=1e-10, abs_tol=1e-12)


if sys.argv[1:] == ["--check"]:
    stored, now = json.load(open(STORED)), json.loads(text())
    differing = sum(not same(*pair) for pair in zip(stored, now)) + abs(len(stored) - len(now))
    print(f"{len(now) - differing} stored cases are what SciPy and statsmodels say, {differing} are not")
    sys.exit(differing > 0)
sys.stdout.write(text())
