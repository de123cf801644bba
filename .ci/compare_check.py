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
    if found is None or expected is None or isinstance(expected, str):
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


def check_interval(what, found, drawn, lattice):
    """The ends are quantiles of other draws: five standard errors of a normal quantile, and a step of a lattice."""
    spread = numpy.std(drawn)
    error = spread * math.sqrt(0.025 * 0.975) / 0.0584 * math.sqrt(1 / RESAMPLES + 1 / REFERENCE)
    for end, probability in (("low", 0.025), ("high", 0.975)):
        check(f"{what} {end}", found[end], float(numpy.quantile(drawn, probability)), 5 * error + lattice + 1e-9)


def check_p(what, test, expected):
    if test["method"] == "exact":
        check(f"{what} exact p", test["p"], expected)
    else:
        error = math.sqrt(expected * (1 - expected) * (1 / RESAMPLES + 1 / REFERENCE))
        check(f"{what} p", test["p"], expected, 5 * error + 3 / RESAMPLES)


def check_paired(what, found, first, second):
    difference = first - second
    check(f"{what} blocks", found["blocks"], len(difference))
    if len(difference) == 0:
        return check(f"{what} difference", found["difference"], None)
    check(f"{what} difference", found["difference"], difference.mean())
    if not difference.any():
        return check(f"{what} p", found["test"]["p"], 1.0)
    if len(difference) < 2:
        return None
    moved = difference[difference != 0]
    # Zeros have no sign: without them the reference counts every pattern as soon as the library does.
    if len(moved) > 1:
        limit = numpy.inf if found["test"]["method"] == "exact" else REFERENCE
        reference = scipy.stats.permutation_test(
            (moved,), lambda x, axis: abs(mean(x, axis)) + TIE, permutation_type="samples", alternative="greater",
            n_resamples=limit, vectorized=True, rng=1)
        check_p(what, found["test"], reference.pvalue)
    if numpy.ptp(difference) > 0:
        drawn = scipy.stats.bootstrap((difference,), mean, n_resamples=REFERENCE, method="percentile", rng=1)
        check_interval(what, found["interval"], drawn.bootstrap_distribution, lattice(difference))
        return drawn
    return None


def lattice(numbers):
    """The step of the mean's lattice, where numbers stand on one."""
    steps = numpy.diff(numpy.unique(numpy.round(numbers, 9)))
    return float(steps.min()) / len(numbers) if len(steps) and len(steps) < 12 else 0.0


def check_apart(what, found, pairs):
    pairs = [(one.dropna().to_numpy(), other.dropna().to_numpy()) for one, other in pairs]
    if any(len(side) == 0 for pair in pairs for side in pair):
        return check(f"{what} difference", found["difference"], None)
    statistic = lambda *groups, axis=-1: sum(
        mean(one, axis) - mean(other, axis) for one, other in zip(groups[0::2], groups[1::2])) / (len(groups) / 2)
    groups = [side for pair in pairs for side in pair]
    check(f"{what} difference", found["difference"], float(statistic(*groups)))
    if min(map(len, groups)) > 1 and any(numpy.ptp(group) for group in groups):
        drawn = scipy.stats.bootstrap(groups, statistic, n_resamples=REFERENCE, method="percentile", vectorized=True, rng=1)
        check_interval(what, found["interval"], drawn.bootstrap_distribution, max(map(lattice, groups)))
    if len(pairs) == 1 and min(map(len, groups)) > 1:
        # As far from 0 as observed: with sides of different sizes SciPy's own two-sided p, which doubles a tail, is another one.
        distance = lambda one, other, axis: abs(mean(one, axis) - mean(other, axis)) + TIE
        reference = scipy.stats.permutation_test(
            groups, distance, permutation_type="independent", alternative="greater", n_resamples=REFERENCE, vectorized=True,
            rng=1)
        check_p(what, found["test"], reference.pvalue)


def check_contrast(what, table, metric, told, contrast):
    numbers, flag = values(table, metric), told["metric"]["scale"] == "flag"
    pairs, paired = contrast["pairs"], told["pairing"] == "common_random_numbers"
    own = numbers[table["arm"].isin([arm for pair in pairs for arm in pair])]
    low, high = (0.0, 1.0) if told["metric"]["scale"] in ("flag", "share") else (own.min(), own.max())
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
    for other in contrast["other_rules"]:
        one = rules[other["rule"]]
        if paired and other["rule"] != "all_available":
            check_paired(f"{what} {other['rule']}", other, *blocks(one))
        else:
            check_apart(f"{what} {other['rule']}", other, one)
    if not paired:
        check_apart(what, contrast["main"], main)
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
    drawn = check_paired(what, contrast["main"], first, second)
    if len(difference) == 0:
        return
    check(f"{what} median", contrast["median_difference"], float(numpy.median(difference)))
    varies = len(difference) > 2 and numpy.ptp(first) > 0 and numpy.ptp(second) > 0
    check(f"{what} r", contrast["correlation"], float(scipy.stats.pearsonr(first, second)[0]) if varies else None)
    if len(difference) > 1 and numpy.ptp(difference) > 1e-12:
        dz = scipy.stats.ttest_rel(first, second).statistic / math.sqrt(len(difference))
        check(f"{what} d_z", contrast["effect_size"], float(dz), 1e-8 * abs(dz) + 1e-9)
    if drawn is not None and contrast["interval_bca"]:
        bca = scipy.stats.bootstrap((difference,), mean, n_resamples=REFERENCE, method="BCa", rng=1).confidence_interval
        spread = 0.25 * numpy.std(drawn.bootstrap_distribution) + 2 * lattice(difference)
        check(f"{what} BCa low", contrast["interval_bca"]["low"], float(bca.low), spread)
        check(f"{what} BCa high", contrast["interval_bca"]["high"], float(bca.high), spread)
    if contrast["flags"]:
        cells = [[((first == a) & (second == b)).sum() for b in (1, 0)] for a in (1, 0)]
        check(f"{what} McNemar", contrast["flags"]["exact_p"], mcnemar(cells, exact=True).pvalue)


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
    "paired": (run("paired", TWO_BY_TWO), ["memory", "rule", "arm"]),
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
