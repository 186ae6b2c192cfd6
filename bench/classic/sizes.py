#!/usr/bin/env python3
"""Which sizes the classic walks fail on: from every start to side 50, and from the corner a1 up to side 2000.

    python3 bench/classic/sizes.py [DESTRIER] > bench/classic/sizes.csv

Every row is one `destrier survey`: side, method, how many starts were tried (1: the corner), how many of them failed.
"""

import json
import subprocess
import sys

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/destrier"
METHODS = ["warnsdorff", "pohl", "roth"]


def survey(side, method, starts):
    words = [PROGRAM, "survey", f"{side}x{side}", "--method", method, "--json"]
    words += ["--starts", str(starts)] if starts else []
    answer = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    print(side, method, answer["starts"], answer["failed"], sep=",", flush=True)


print("side,method,starts,failed")
for side in range(5, 51):
    for method in METHODS:
        survey(side, method, None)
# From the corner: every side to 600, then every tenth, then every hundredth.
for side in [*range(5, 601), *range(610, 1361, 10), *range(1400, 2001, 100)]:
    for method in METHODS if side <= 300 else ["roth"]:
        survey(side, method, 1)
