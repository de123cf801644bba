"""Compares `ekklesia compare --json` with SciPy and statsmodels on the same sessions.csv, number by number.

    compare_check.py EKKLESIA FOLDER

runs designs on simulated seats below FOLDER and compares them as they are; then it writes random numbers (flags, counts, reals,
ties, missing cells, failed sessions, invalid answers) over cells of sessions.csv and compares again, so that the check does not
depend on what seats happen to do. What is drawn at random is held to five standard errors of the drawing; all else to 9 digits.
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import warnings

import numpy
import pandas
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

warnings.simplefilter("ignore")
EKKLESIA, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
CONFIG = pathlib.Path("configs/justice-memory-by-rule.yaml")
RESAMPLES, REFERENCE = 4_000, 20_000
# Added to what is nearly nothing, so that the reference's relative allowance for rounding is one there, too.
TIE = 1.0
outcomes = {True: 0, False: 0}
mean = lambda x, axis=-1: numpy.mean(x, axis=axis)


def check(what, found, expected, tolerance=None):
    if found is None or expected is None or isinstance(expected, (str, bool, dict)):
        holds = found == expected
    else:
        allowed = 1e-9 * max(1.0, abs(expected)) if tolerance is None else tolerance
        holds = abs(found - expected) <= allowed
    outcomes[bool(holds)] += 1
    if not holds:
        print(f"  {what}: {found}, expected {expected} within {tolerance or 1e-9:.2g}", file=sys.stderr)


def run(name, *changes):
    """A results folder of the shipped config, with parts of its text replaced."""
    text = CONFIG.read_text().replace("../scenarios", str(pathlib.Path("scenarios").resolve()))
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    FOLDER.mkdir(parents=True, exist_ok=True)
    config, out = FOLDER / f"{name}.yaml", FOLDER / name
    config.write_text(text)
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([EKKLESIA, "run", config, "--out", out], check=True, capture_output=True)
    return out


def compare(out, *arguments):
    told = subprocess.run([EKKLESIA, "compare", out, "--json", "--tables-alone", "--resamples", str(RESAMPLES), *arguments],
                          capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def values(table, metric):
    """One number a session, missing unless it is completed."""
    column, _, value = metric.partition("=")
    numbers = table[column] if not value else (table[column] == value).astype(float)
    return numbers.astype(float).where(table["status"] == "completed")


def sides(table, numbers, pairs, replaced=(None, None)):
    """Each pair of arms as two series by replicate, missing numbers of either side replaced."""
    def arm(name, fill):
        chosen = table["arm"] == name
        series = pandas.Series(numbers[chosen].to_numpy(), index=table.loc[chosen, "replicate"])
        return series if fill is None else series.fillna(fill)
    return [(arm(one, replaced[0]), arm(other, replaced[1])) for one, other in pairs]


def blocks(pairs):
    """Both sides' means in replicates in which every arm has a number."""
    whole = pandas.concat([series for pair in pairs for series in pair], axis=1).dropna()
    return whole.iloc[:, 0::2].mean(axis=1).to_numpy(), whole.iloc[:, 1::2].mean(axis=1).to_numpy()


def interaction(table, numbers, contrast, replaced=(None, None)):
    """Both sides of an interaction as series by replicate; what is taken off a side is replaced as on the other."""
    plus = sides(table, numbers, contrast["pairs"], replaced)
    minus = sides(table, numbers, contrast["minus"], replaced[::-1])
    return [(one - first, other - second) for (one, other), (first, second) in zip(plus, minus)]


def check_interval(what, interval, exact, p_at):
    """SciPy rejects at .05 just outside both ends and not at them, within five standard errors of what is drawn."""
    error = 0.0 if exact else 5 * math.sqrt(0.05 * 0.95 * (1 / RESAMPLES + 1 / REFERENCE))
    beyond = 1e-6 * (interval["high"] - interval["low"])
    for end, outwards in (("low", -beyond), ("high", beyond)):
        check(f"{what} {end} is kept", bool(p_at(interval[end]) >= 0.05 - error), True)
        check(f"{what} beyond {end} is rejected", bool(p_at(interval[end] + outwards) <= 0.05 + error), True)


def check_p(what, test, expected):
    if test["method"] == "exact":
        check(f"{what} exact p", test["p"], expected)
    else:
        error = math.sqrt(expected * (1 - expected) * (1 / RESAMPLES + 1 / REFERENCE))
        check(f"{what} p", test["p"], expected, 5 * error + 3 / RESAMPLES)


def agrees(what, found, flags):
    """0 lies outside an interval of means exactly where p < .05."""
    if found["interval"] and not flags:
        outside = found["interval"]["low"] > 0 or found["interval"]["high"] < 0
        check(f"{what} interval and p agree", outside, found["test"]["p"] < 0.05)


def check_paired(what, found, first, second, flags):
    difference = numpy.round(first - second, 10)
    check(f"{what} blocks", found["blocks"], len(difference))
    if len(difference) == 0:
        return check(f"{what} difference", found["difference"], None)
    check(f"{what} difference", found["difference"], (first - second).mean())
    agrees(what, found, flags)
    if flags:
        cells = [[((first == a) & (second == b)).sum() for b in (1, 0)] for a in (1, 0)]
        return check(f"{what} McNemar", found["test"]["p"], mcnemar(cells, exact=True).pvalue)
    moved = difference[difference != 0]
    if not len(moved):
        return check(f"{what} p", found["test"]["p"], 1.0)
    exact = found["test"]["method"] == "exact"

    def p_at(null):
        # Zeros have no sign: without them the reference counts every pattern as soon as the library does.
        values = difference - null
        values = values[numpy.abs(values) > 1e-12]
        if len(values) < 2:
            return 1.0
        limit = numpy.inf if exact and len(values) < 15 else REFERENCE
        return scipy.stats.permutation_test(
            (values,), lambda x, axis: abs(mean(x, axis)) + TIE, permutation_type="samples", alternative="greater",
            n_resamples=limit, vectorized=True, rng=1).pvalue

    counted = exact and len(difference) < 15
    if len(moved) > 1:
        check_p(what, found["test"] if exact and len(moved) < 15 else found["test"] | {"method": "drawn"}, p_at(0.0))
    expects = len(moved) > 5 and numpy.ptp(difference) > 0
    check(f"{what} has an interval", found["interval"] is not None, bool(expects))
    if expects:
        check_interval(what, found["interval"], counted, p_at)


def check_apart(what, found, pairs, flags):
    pairs = [(one.dropna().to_numpy(), other.dropna().to_numpy()) for one, other in pairs]
    if any(len(side) == 0 for pair in pairs for side in pair):
        return check(f"{what} difference", found["difference"], None)
    difference = sum(one.mean() - other.mean() for one, other in pairs) / len(pairs)
    check(f"{what} difference", found["difference"], float(difference))
    agrees(what, found, flags)
    if flags:
        (one, other), = pairs
        cells = [[one.sum(), len(one) - one.sum()], [other.sum(), len(other) - other.sum()]]
        return check(f"{what} Fisher", found["test"]["p"], scipy.stats.fisher_exact(cells).pvalue)
    if len(pairs) == 1 and min(map(len, pairs[0])) > 1:
        def p_at(null):
            # As far from 0 as observed: with sides of different sizes SciPy's own two-sided p, which doubles a tail, is another one.
            distance = lambda one, other, axis: abs(mean(one, axis) - mean(other, axis)) + TIE
            return scipy.stats.permutation_test(
                (pairs[0][0] - null, pairs[0][1]), distance, permutation_type="independent", alternative="greater",
                n_resamples=REFERENCE, vectorized=True, rng=1).pvalue
        check_p(what, found["test"], p_at(0.0))
        if found["interval"]:
            check_interval(what, found["interval"], False, p_at)
    return None


# Numbers from 0 to 1 that are no shares of sessions.
LIMITED = ("speaking_gini",)


def check_contrast(what, table, metric, told, contrast):
    numbers, flag = values(table, metric), told["metric"]["scale"] == "flag"
    pairs, paired = contrast["pairs"], told["pairing"] == "common_random_numbers"
    own = numbers[table["arm"].isin([arm for pair in pairs + contrast["minus"] for arm in pair])]
    if contrast["minus"]:
        sides = lambda table, numbers, pairs, replaced=(None, None): interaction(table, numbers, contrast, replaced)
    else:
        sides = globals()["sides"]
    low, high = (0.0, 1.0) if told["metric"]["scale"] in ("flag", "share") else (own.min(), own.max())
    if metric in LIMITED:
        low, high = min(low, 0.0), max(high, 1.0)
    for place, bound in enumerate((low, high)):
        found = contrast["range"] and contrast["range"][place]
        check(f"{what} range", found, bound if own.notna().any() else None)
    main = sides(table, numbers, pairs)
    valid = numbers.where((table["n_invalid"].fillna(0) + table["n_refused"].fillna(0)) == 0)
    rules = {
        "all_available": main,
        "without_invalid": sides(table, valid, pairs),
        "missing_lowest": sides(table, numbers, pairs, (low, low)),
        "missing_highest": sides(table, numbers, pairs, (high, high)),
        "least_difference": sides(table, numbers, pairs, (low, high)),
        "greatest_difference": sides(table, numbers, pairs, (high, low)),
    }
    flags = contrast["flags"]
    for other in contrast["other_rules"]:
        one = rules[other["rule"]]
        # What nothing limits has no bounds where numbers are missing.
        is_limited = told["metric"]["scale"] in ("flag", "share") or metric in LIMITED or not own.isna().any()
        if other["rule"] in ("least_difference", "greatest_difference") and not is_limited:
            check(f"{what} {other['rule']} difference", other["difference"], None)
            continue
        if paired and other["rule"] != "all_available":
            check_paired(f"{what} {other['rule']}", other, *blocks(one), flags)
        else:
            check_apart(f"{what} {other['rule']}", other, one, flags)
    if not paired:
        check_apart(what, contrast["main"], main, flags)
        if contrast["flags"]:
            one, other = (side.dropna() for side in main[0])
            a, m, b, n = int(one.sum()), len(one), int(other.sum()), len(other)
            check(f"{what} Fisher", contrast["flags"]["exact_p"], scipy.stats.fisher_exact([[a, m - a], [b, n - b]]).pvalue)
            low, high = confint_proportions_2indep(a, m, b, n, method="newcomb")
            check(f"{what} Newcombe low", contrast["flags"]["newcombe"]["low"], low)
            check(f"{what} Newcombe high", contrast["flags"]["newcombe"]["high"], high)
        return
    first, second = blocks(main)
    difference = first - second
    check_paired(what, contrast["main"], first, second, flags)
    if len(difference) == 0:
        return
    check(f"{what} median", contrast["median_difference"], float(numpy.median(difference)))
    varies = len(difference) > 2 and numpy.ptp(first) > 0 and numpy.ptp(second) > 0
    check(f"{what} r", contrast["correlation"], float(scipy.stats.pearsonr(first, second)[0]) if varies else None)
    if len(difference) > 1 and numpy.ptp(difference) > 1e-12:
        dz = scipy.stats.ttest_rel(first, second).statistic / math.sqrt(len(difference))
        check(f"{what} d_z", contrast["effect_size"], float(dz), 1e-8 * abs(dz) + 1e-9)
        if not flags and len(difference) > 2:
            skewness = float(scipy.stats.skew(difference, bias=False))
            check(f"{what} skewness", contrast["skewness"], skewness, 1e-7 * abs(skewness) + 1e-7)
    if flags:
        check(f"{what} Newcombe", contrast["main"]["interval"], flags["newcombe"])


def check_all(what, out, metric, *arguments):
    table = pandas.read_csv(out / "sessions.csv")
    told = compare(out, "--metric", metric, *arguments)
    numbers = values(table, metric)
    for key, count in {"planned": len(table), "completed": (table["status"] == "completed").sum(),
                       "failed": (table["status"] == "failed").sum(), "measured": numbers.notna().sum()}.items():
        check(f"{what} sessions {key}", told["sessions"][key], int(count))
    for arm in told["compared"]["arms"]:
        own = numbers[table["arm"] == arm["arm"]].dropna()
        check(f"{what} {arm['arm']} mean", arm["mean"], own.mean() if len(own) else None)
        if arm["interval_method"] == "wilson" and len(own):
            for end, value in zip(("low", "high"), proportion_confint(int(own.sum()), len(own), method="wilson")):
                check(f"{what} {arm['arm']} Wilson {end}", arm["interval"][end], value)
    contrasts = told["compared"]["contrasts"]
    for contrast in contrasts:
        check_contrast(f"{what} {contrast['first']} / {contrast['second']}", table, metric, told, contrast)
    tested = [contrast for contrast in contrasts if contrast["main"]["test"]]
    adjusted = multipletests([contrast["main"]["test"]["p"] for contrast in tested], method="holm")[1]
    for contrast, expected in zip(tested, adjusted):
        check(f"{what} Holm", contrast["p_adjusted"], float(expected))


def overwrite(out, number):
    """Random flags in `carried`, counts in `words`, reals in `speaking_gini`; some missing, failed or with invalid answers."""
    random = numpy.random.default_rng(number)
    table = pandas.read_csv(out / "sessions.csv", dtype=str, keep_default_na=False)
    n = len(table)
    shared = random.normal(0, 1, table["replicate"].astype(int).max() + 1)[table["replicate"].astype(int)]
    arms = table["arm"].astype("category").cat.codes.to_numpy() * random.choice([0, 0.4, 1.5])
    latent = shared * random.choice([0, 1]) + arms + random.normal(0, 1, n)
    table["carried"] = [str(int(x > 0.5)) for x in latent]
    table["words"] = [str(max(0, int(3 + 2 * x))) for x in latent]
    table["speaking_gini"] = [f"{x:.6f}" for x in latent]
    table["n_invalid"] = [str(int(x)) for x in random.binomial(1, 0.1, n)]
    gone = random.uniform(size=n) < random.choice([0, 0.1, 0.3])
    table.loc[gone, ["carried", "words", "speaking_gini"]] = ""
    failed = random.uniform(size=n) < random.choice([0, 0.1])
    table.loc[failed, "status"] = "failed"
    # What a failed session has is no measurement, whatever stands there.
    table.to_csv(out / "sessions.csv", index=False, lineterminator="\n")


TWO_BY_TWO = ("replicates: 40", "replicates: 14")
designs = {
    "paired": (run("paired", TWO_BY_TWO), ["memory", "memory:rule", "rule", "arm"]),
    "three-levels": (run("three-levels", ("replicates: 40", "replicates: 35"), ("[selective, none]", "[selective, full, none]"),
                         ("    rule: { key: decision.rule, levels: [unanimity, majority] }\n", ""),
                         ("selective, rule: unanimity }", "selective }")), ["memory"]),
    "independent": (run("independent", TWO_BY_TWO, ("common_random_numbers", "independent")), ["memory", "arm"]),
}
for name, (out, factors) in designs.items():
    for by in factors:
        for metric in ("carried", "rounds_used", "words", "result=average"):
            check_all(f"{name} {by} {metric}", out, metric, "--by", by)
    original = (out / "sessions.csv").read_bytes()
    for number in range(4):
        overwrite(out, number)
        for by in factors[:2]:
            for metric in ("carried", "words", "speaking_gini"):
                check_all(f"{name} {number} {by} {metric}", out, metric, "--by", by)
        (out / "sessions.csv").write_bytes(original)
one = compare(designs["paired"][0], "--metric", "carried", "--by", "memory")
check("the same twice", json.dumps(one), json.dumps(compare(designs["paired"][0], "--metric", "carried", "--by", "memory")))

print(f"compare: {outcomes[True]} numbers passed, {outcomes[False]} failed")
sys.exit(outcomes[False] > 0 or outcomes[True] < 1_000)
