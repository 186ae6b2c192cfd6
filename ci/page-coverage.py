#!/usr/bin/env python3
"""Measures which lines of the page's scripts the tests run: those in Chromium (`--test browser`) and those in Node (`--test scripts`).

    ci/page-coverage.py [--read] [WORD...]

V8 counts how often each block ran. The browser tests ask Chromium for the counts before a page goes away (DESTRIER_PAGE_COVERAGE), Node
writes them itself (NODE_V8_COVERAGE). Words choose browser tests by name, as for `cargo test`. `--read` runs nothing and reads what was
kept. The table goes to stdout, lines that no test runs to target/coverage/page-missed.txt. Workers and Firefox are not measured.
"""
import argparse, json, os, pathlib, re, shutil, subprocess, sys

arguments = argparse.ArgumentParser(description="Which lines of the page's scripts the tests run.")
arguments.add_argument("--read", action="store_true", help="run nothing, read what was kept")
arguments.add_argument("words", nargs="*", help="browser tests by name")
options = arguments.parse_args()
ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "target/coverage/page"
SCRIPTS = sorted((ROOT / "crates/web/page/js").glob("*.js"))


def run():
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    test = ["cargo", "test", "--locked", "--package", "destrier-web", "--all-features"]
    environment = {**os.environ, "DESTRIER_PAGE_COVERAGE": str(KEPT), "NODE_V8_COVERAGE": str(KEPT), "DESTRIER_BROWSER": "required"}
    subprocess.run(["cargo", "build", "--locked", "--package", "destrier-cli"], cwd=ROOT, check=True)
    passed = [subprocess.run([*test, "--test", name, "--", *words], cwd=ROOT, env=environment).returncode == 0
              for name, words in (("scripts", []), ("browser", ["--skip", "firefox", *options.words]))]
    if not all(passed):
        print("some tests failed", file=sys.stderr)


def is_code(text):
    """Which characters are neither white space nor comment: enough for scripts that are formatted as ours."""
    code = [not letter.isspace() for letter in text]
    for comment in re.finditer(r"^\s*(//[^\n]*|/\*.*?\*/)|(?<=[;,{}()\s])//[^\n]*", text, re.S | re.M):
        code[comment.start():comment.end()] = [False] * (comment.end() - comment.start())
    return code


def ran(functions, length):
    """Which characters ran: a block overrules what is around it. Nothing is known where no function stands."""
    known = [None] * length
    ranges = [block for function in functions for block in function["ranges"]]
    for block in sorted(ranges, key=lambda block: (block["startOffset"], -block["endOffset"])):
        start, end = block["startOffset"], min(block["endOffset"], length)
        known[start:end] = [block["count"] > 0] * (end - start)
    return known


def main():
    if not options.read:
        run()
    texts = {script.name: script.read_text(encoding="utf-8") for script in SCRIPTS}
    covered = {name: [False] * len(text) for name, text in texts.items()}
    functions = {name: {} for name in texts}
    for file in KEPT.glob("*.json"):
        for script in json.loads(file.read_text(encoding="utf-8")).get("result", []):
            name = script["url"].split("?")[0].rsplit("/", 1)[-1]
            if name not in texts or not re.search(r"/js/[\w-]+\.js$", script["url"].split("?")[0]):
                continue
            for at, there in enumerate(ran(script["functions"], len(texts[name]))):
                covered[name][at] |= bool(there)
            for function in script["functions"]:
                if function["functionName"]:
                    key = (function["ranges"][0]["startOffset"], function["functionName"])
                    functions[name][key] = functions[name].get(key, False) or function["ranges"][0]["count"] > 0
    missed, rows = [], []
    for name, text in texts.items():
        code, at, lines, run_lines = is_code(text), 0, 0, 0
        for number, line in enumerate(text.splitlines(keepends=True), 1):
            places = [place for place in range(at, at + len(line)) if code[place]]
            at += len(line)
            # A line of brackets alone belongs to those around it.
            if not re.search(r"\w", "".join(text[place] for place in places)):
                continue
            lines += 1
            if any(covered[name][place] for place in places):
                run_lines += 1
            else:
                missed.append(f"{name}:{number}: {line.rstrip()}")
        never = sorted({title for (_, title), was_run in functions[name].items() if not was_run})
        rows.append((name, lines, run_lines, never))
    (ROOT / "target/coverage/page-missed.txt").write_text("\n".join(missed) + "\n", encoding="utf-8")
    for name, lines, run_lines, never in rows:
        print(f"| `{name}` | {lines} | {100 * run_lines / lines:.1f} % | {', '.join(never)} |")
    total, total_run = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{100 * total_run / total:.1f} % of {total} lines")


if __name__ == "__main__":
    main()
