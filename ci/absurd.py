#!/usr/bin/env python3
"""Gives every option of every verb absurd values: each must be answered, or refused in one line with exit code 2.

    python3 ci/absurd.py PROGRAM [VERB...]

Options are those that `PROGRAM VERB --help` shows. A panic, a run of more than a minute, another exit code than 0 to 3, and a refusal
that is not one short line are failures.
"""
import os, re, subprocess, sys, tempfile

VERBS = {
    "tour": ["5x5"], "count": ["4x5"], "enumerate": ["3x4"], "capture": ["4p/5/2p2/5/N3p"], "swap": ["--preset", "guarini"],
    "sample": ["5x5"], "rank": ["5x5"], "unrank": ["5x5", "0"], "verify": ["/dev/null"], "survey": ["5x5"],
    "compare": ["tour", "5x5", "--repeat", "1"], "bench": [], "completions": ["bash"],
}
VALUES = [
    "", " ", "-", "--", "0", "-0", "-1", "+1", "1.5", "0x10", "1e300", "1e-300", "NaN", "inf", "٣", "３", "é", "😀", "../..", "0s", "0M", "1E",
    str(2**32), str(2**64 - 1), str(2**64), str(2**128), "9" * 400, "999999999999999999999999s", "a" * 100_000, "1,2,3", "4294967296x1", "0x0",
]


def fault(program, words, folder):
    """What is wrong with how these words are answered, if anything is."""
    try:
        run = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60, cwd=folder)
    except subprocess.TimeoutExpired:
        return "it does not end"
    lines = [line for line in run.stderr.splitlines() if line.strip()]
    if run.returncode not in (0, 1, 2, 3):
        return f"exit code {run.returncode}: {run.stderr[:300]}"
    if "panicked" in run.stderr or "please report" in run.stderr:
        return run.stderr[:300]
    if run.returncode == 2 and (len(lines) != 1 or len(run.stderr) > 1500):
        return f"{len(lines)} lines, {len(run.stderr)} bytes: {run.stderr[:300]}"
    return None


def main():
    program, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(VERBS)
    runs = faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for verb in chosen:
            help_text = subprocess.run([program, verb, "--help"], capture_output=True, text=True, check=True).stdout
            options = re.findall(r"^\s+(?:-\w, )?(--[\w-]+)(?: |\[=)[<\[]", help_text, re.M)
            for option in [*options, None]:
                limit = ["--time-limit", "2s"] if "--time-limit" in help_text and option not in (None, "--time-limit") else []
                for value in VALUES:
                    words = [verb, value] if option is None else [verb, *VERBS[verb], *limit, f"{option}={value}"]
                    runs += 1
                    if why := fault(program, words, folder):
                        faults += 1
                        print(f"{' '.join(words)[:200]!r}: {why!r}", flush=True)
            print(f"{verb}: {len(options)} options", file=sys.stderr, flush=True)
    print(f"{runs} runs, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
