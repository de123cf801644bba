#!/usr/bin/env python3
"""Compares the evaluator with Python's fractions on random arithmetic expressions.

Usage: check_with_fractions.py [COUNT] [SEED]    (default: 20000 1)
"""
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

LIMIT = 2**127


class Overflow(Exception):
    """A step needs a numerator or a denominator of 2^127 or more, counted as the evaluator documents it."""


class Undefined(Exception):
    """A step has no value."""


def fit(number):
    number = Fraction(number)
    if abs(number.numerator) >= LIMIT or number.denominator >= LIMIT:
        raise Overflow
    return number


def add(a, b):
    shared = math.gcd(a.denominator, b.denominator)
    left = a.numerator * (b.denominator // shared)
    right = b.numerator * (a.denominator // shared)
    for part in (left, right, left + right):
        if not -LIMIT <= part < LIMIT:
            raise Overflow
    return fit(a + b)


def divide(a, b):
    if b == 0:
        raise ZeroDivisionError
    return fit(a / b)


def floor_mod(a, b):
    result = a % b if b else divide(a, b)
    whole = Fraction(math.floor(divide(a, b)))
    assert result == a - b * whole
    return add(a, -fit(b * whole))


def scaled_round(a, decimals):
    """Python's own rounding of fractions is half to even."""
    if decimals < 0:
        divide(a, Fraction(10) ** -decimals)
    return fit(round(a, decimals))


def total(items):
    result = Fraction(0)
    for item in items:
        result = add(result, item)
    return result


def mean(items):
    return divide(total(items), Fraction(len(items)))


def quantile(items, share):
    items = sorted(items)
    place = fit(share * (len(items) - 1))
    below = math.floor(place)
    low, high = items[below], items[min(below + 1, len(items) - 1)]
    return add(low, fit(add(place, Fraction(-below)) * add(high, -low)))


class Generator:
    """Builds an expression as text together with its value, or the error that it must end with."""

    def __init__(self, random):
        self.random = random

    def literal(self):
        kind = self.random.randrange(6)
        if kind == 0:
            text = str(self.random.randrange(10))
        elif kind == 1:
            text = str(self.random.randrange(10**9))
        elif kind == 2:
            text = f"{self.random.randrange(1000)}.{self.random.randrange(10**6):06}"
        elif kind == 3:
            text = f"{self.random.randrange(1, 1000)}e{self.random.randrange(-12, 13)}"
        elif kind == 4:
            text = f"{self.random.randrange(100)}.5"
        else:
            text = str(self.random.randrange(10**30))
        return text, lambda: fit(text)

    def number(self, depth):
        if depth == 0 or self.random.random() < 0.1:
            return self.literal()
        kind = self.random.randrange(16)
        if kind < 9:
            symbol = "+-*/%+-*/"[kind] if kind != 5 else "//"
            (a, first), (b, second) = self.number(depth - 1), self.number(depth - 1)
            operation = {
                "+": add,
                "-": lambda a, b: add(a, -b),
                "*": lambda a, b: fit(a * b),
                "/": divide,
                "//": lambda a, b: Fraction(math.floor(divide(a, b))),
                "%": floor_mod,
            }[symbol]
            return f"({a} {symbol} {b})", lambda: operation(first(), second())
        if kind == 9:
            a, value = self.number(depth - 1)
            return f"-{a}", lambda: -value()
        if kind == 10:
            name, operation = self.random.choice(
                [("abs", abs), ("floor", lambda a: Fraction(math.floor(a))), ("ceil", lambda a: Fraction(math.ceil(a)))]
            )
            a, value = self.number(depth - 1)
            return f"{name}({a})", lambda: operation(value())
        if kind == 11:
            a, value = self.number(depth - 1)
            decimals = self.random.randrange(-4, 9)
            return f"round({a}, {decimals})", lambda: scaled_round(value(), decimals)
        if kind == 12:
            (a, first), (b, second), (c, third) = (self.number(depth - 1) for _ in range(3))
            return f"clamp({a}, {b}, {c})", lambda: (lambda x, low, high: min(max(x, low), high))(first(), second(), third())
        if kind == 13:
            (a, first), (b, second), (c, third), (d, fourth) = (self.number(depth - 1) for _ in range(4))
            symbol = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
            compare = {
                "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
                ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
            }[symbol]
            return (
                f"({a} if {b} {symbol} {c} else {d})",
                lambda: first() if compare(second(), third()) else fourth(),
            )
        items = [self.number(depth - 1) for _ in range(self.random.randrange(1, 5))]
        texts = ", ".join(text for text, _ in items)
        values = lambda: [value() for _, value in items]
        name, operation = self.random.choice(
            [
                ("sum", total), ("mean", mean), ("min", min), ("max", max),
                ("median", lambda numbers: quantile(numbers, Fraction(1, 2))),
                ("count", lambda numbers: Fraction(len(numbers))), ("quantile", None),
            ]
        )
        if name == "quantile":
            share = f"0.{self.random.randrange(100):02}"
            return f"quantile([{texts}], {share})", lambda: quantile(values(), Fraction(share))
        return f"{name}([{texts}])", lambda: operation(values())


def expect(value):
    try:
        return str(value())
    except ZeroDivisionError:
        return "error: division by zero"
    except Overflow:
        return "error: a number is too large; round the parts first"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    generator = Generator(Random(seed))
    cases = []
    while len(cases) < count:
        text, value = generator.number(generator.random.randrange(1, 6))
        if len(text) <= 4000:
            cases.append((text, value))
    command = ["cargo", "run", "--quiet", "--release", "--example", "evaluate_lines"]
    lines = "".join(text + "\n" for text, _ in cases)
    output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    found = output.stdout.splitlines()
    assert len(found) == count, f"{len(found)} lines for {count} expressions"
    kinds, wrong = {"value": 0, "division by zero": 0, "overflow": 0}, 0
    for (text, value), line in zip(cases, found):
        wanted = expect(value)
        kinds["value" if not wanted.startswith("error") else "overflow" if "large" in wanted else "division by zero"] += 1
        matches = line == wanted if wanted.startswith("error") else not line.startswith("error") and Fraction(line) == Fraction(wanted)
        if not matches:
            wrong += 1
            if wrong <= 5:
                print(f"{text}\n  python {wanted}\n  found  {line}")
    print(f"seed {seed}: {count} expressions, {wrong} differ; {kinds}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
