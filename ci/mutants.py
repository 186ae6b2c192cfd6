#!/usr/bin/env python3
"""Mutation testing of the checker, and of what decides in the engine: every change that cargo-mutants lists, all in one build.

cargo-mutants builds the crate and its tests anew for each change, over a thousand times. Here a copy of the crate gets all changes at
once: a function with changes begins with a choice between its bodies, by the number in the variable MUTANT. Changes that do not
compile are found by the compiler and dropped. Then the tests run once for each change; one of them must fail.

    python3 ci/mutants.py [--crate rules] [--work DIR] [--only refutation.rs,swap.rs] [--threads 1]
    python3 ci/mutants.py --crate destrier --build     builds, and writes down what is to be run
    python3 ci/mutants.py --crate destrier --run       runs that, here or on a machine with more cores

Needs cargo-mutants (`cargo install --locked cargo-mutants`). Changes outside functions, and in functions that give an opaque type or run
at compile time, are listed at the end: they cannot be chosen at run time.
"""
import argparse, concurrent.futures, json, os, re, resource, shutil, subprocess, sys, time

arguments = argparse.ArgumentParser(description="Mutation testing, all changes in one build.")
arguments.add_argument("--crate", default="rules", choices=["rules", "destrier"], help="the crate that is changed")
arguments.add_argument("--build", action="store_true", help="only build, for a run later")
arguments.add_argument("--run", action="store_true", help="only run what was built")
arguments.add_argument("--work", default="target/mutants", help="a folder for the copy and its build")
arguments.add_argument("--only", default="", help="files of the crate, with commas between")
arguments.add_argument("--numbers", default="", help="changes by number, with commas between, and no others")
arguments.add_argument("--skip", default="", help="tests that are not asked, with commas between")
arguments.add_argument("--threads", type=int, default=1, help="changes tried at a time")
options = arguments.parse_args()
CRATE = f"crates/{options.crate}"
PACKAGE = {"rules": "destrier-rules", "destrier": "destrier"}[options.crate]
# What decides in the engine: whether there is an answer, which classes, folds and halves there are. (Heuristics that only make a search
# longer when they are changed are not here.)
DECIDING = {f"crates/destrier/src/{name}.rs" for name in [
    "tour/solvable", "tour/pairs", "tour/search/reasons", "swap/feasibility", "swap/regions", "count/classes", "graph/symmetric",
    "graph/fold", "count/middle/half/cut"]}
# The tests that are asked about them.
TESTS = {"rules": None, "destrier": ["--lib"] + [word for test in [
    "auto", "census", "counters", "found_by_fuzzing", "holes", "known_values", "lies", "middle", "series", "small_worlds", "swap",
    "swap_small", "symmetric", "symmetric_counts", "symmetric_worlds"] for word in ("--test", test)]}[options.crate]
CHOICE = """
#[allow(missing_docs)]
pub mod mutant {
    pub fn chosen() -> u32 {
        static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        *CHOSEN.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
    }
}
"""


def listed():
    """The changes that cargo-mutants knows, numbered from 1."""
    command = ["cargo", "mutants", "--list", "--json", "--package", PACKAGE, "--all-features"]
    if options.crate == "destrier":
        command += [word for file in sorted(DECIDING) for word in ("--file", file)]
    changes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {number: change for number, change in enumerate(changes, 1)}


def offsets(text, span):
    """A span of lines and columns as offsets."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return [starts[span[end]["line"] - 1] + span[end]["column"] - 1 for end in ("start", "end")]


def body_start(text, start, end):
    """Where the body of a function begins: at its first brace outside brackets, strings and comments."""
    depth, at = 0, start
    while at < end:
        if text.startswith("//", at):
            at = text.index("\n", at)
        elif text[at] == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"', re.S).match(text, at).end() - 1
        elif text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
        elif text[at] == "{" and depth == 0:
            return at
        at += 1
    return None


def functions(text, changes):
    """The outermost functions with changes: {(start, end): [number]}; and the changes outside functions."""
    found, outside = {}, []
    for number, change in changes.items():
        if change["function"] is None:
            outside.append(number)
        else:
            found.setdefault(tuple(offsets(text, change["function"]["span"])), []).append(number)
    merged = {}
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        around = [outer for outer in merged if outer[0] <= start and end <= outer[1]]
        merged.setdefault(around[0] if around else (start, end), []).extend(found[start, end])
    return merged, outside


def with_choices(text, changes, dropped):
    """The file with its choices, where each stands by lines, and the changes that it cannot have."""
    merged, outside = functions(text, changes)
    out, at, places = "", 0, []
    for (start, end), numbers in sorted(merged.items()):
        body = body_start(text, start, end)
        kept = [number for number in numbers if number not in dropped]
        if body is None or not kept:
            continue
        out += text[at:start] + re.sub(r"\bconst (?=fn\b)", "", text[start:body]) + "{ match crate::mutant::chosen() {\n"
        first = out.count("\n")
        for number in kept:
            a, b = offsets(text, changes[number]["span"])
            line = out.count("\n") + 1
            out += f"{number} => {text[body:a]}{changes[number]['replacement']}{text[b:end]},\n"
            places.append((line, out.count("\n"), [number]))
        out += f"_ => {text[body:end]}\n}} }}"
        places.append((first, out.count("\n") + 1, kept))
        at = end
    return out + text[at:], places, outside


def build(work, changes):
    """Builds the tests with all changes that can be built: (executables, unviable, not to be chosen)."""
    files = {}
    for number, change in changes.items():
        files.setdefault(change["file"], {})[number] = change
    dropped, left_out = set(), set()
    while True:
        places = {}
        for file, own in files.items():
            with open(file, encoding="utf-8") as source:
                text, places[file], outside = with_choices(source.read(), own, dropped | left_out)
            left_out |= set(outside)
            with open(os.path.join(work, file), "w", encoding="utf-8") as copy:
                copy.write(text)
        with open(os.path.join(work, CRATE, "src/lib.rs"), "a", encoding="utf-8") as root:
            root.write("" if CHOICE in copied(root.name) else CHOICE)
        told = cargo(work, "check", "--lib")
        errors = [span for message in told if message.get("level") == "error"
                  for span in message["spans"] if span["is_primary"]]
        if not errors:
            break
        before = len(dropped | left_out)
        for error in errors:
            hits = [place for place in places.get(error["file_name"], []) if place[0] <= error["line_start"] <= place[1]]
            narrow = min(hits, key=lambda place: place[1] - place[0], default=None)
            if narrow is None:
                sys.exit(f"{error['file_name']}:{error['line_start']}: an error outside all changes")
            (dropped if len(narrow[2]) == 1 else left_out).update(narrow[2])
        print(f"  {len(errors)} errors; {len(dropped)} do not compile, {len(left_out)} cannot be chosen", flush=True)
        if len(dropped | left_out) == before:
            sys.exit(f"the compiler's errors do not end: {errors[0]}")
    tests = [message["executable"] for message in cargo(work, "test", "--no-run", *(TESTS or []), raw=True)
             if message.get("profile", {}).get("test") and message.get("executable")]
    return tests, dropped, left_out


def copied(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def cargo(work, *words, raw=False):
    command = ["cargo", *words, "--package", PACKAGE, "--all-features", "--message-format", "json"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, env={**os.environ, "CARGO_TARGET_DIR": "target"})
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not raw:
        return [message["message"] for message in messages if message["reason"] == "compiler-message"]
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return messages


def copy_crate(work):
    """The crate in a workspace of its own, with what it needs, built fast."""
    members = sorted({"crates/rules", CRATE})
    for folder in members + [name for name in ("docs", "known") if os.path.isdir(name)]:
        shutil.rmtree(os.path.join(work, folder), ignore_errors=True)
        shutil.copytree(folder, os.path.join(work, folder))
    shutil.copy("Cargo.lock", work)
    with open("Cargo.toml", encoding="utf-8") as source:
        text = source.read()
    text = re.sub(r"members = \[.*?\]", f"members = {json.dumps(members)}", text, count=1, flags=re.S)
    text = re.sub(r"^(exclude|default-members|destrier(?!-rules)[\w-]*) = .*\n", "", text, flags=re.M)
    text = re.sub(r"^\[profile.*", "", text, flags=re.M | re.S)
    with open(os.path.join(work, "Cargo.toml"), "w", encoding="utf-8") as copy:
        copy.write(text + '[profile.dev]\nopt-level = 1\ndebug = 0\n')


def passes(test, number, work, seconds):
    """Does a test program pass with a change? It may take so many seconds of CPU time and 4 GiB."""
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    environment = {**os.environ, "MUTANT": str(number), "PROPTEST_CASES": "32", "RUSTC_BOOTSTRAP": "1", "RUST_BACKTRACE": "0",
                   "PROPTEST_FAILURE_PERSISTENCE": "off"}
    program = os.path.join(work, test)
    folder = os.path.join(work, CRATE)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = [program, "--test-threads=1", "-Zunstable-options", "--fail-fast"]
    return subprocess.run(words, cwd=folder, env=environment, preexec_fn=prepare, **quiet).returncode == 0


def main():
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    plan = os.path.join(work, "plan.json")
    if not options.run:
        changes = listed()
        copy_crate(work)
        tests, dropped, left_out = build(work, changes)
        tests = [os.path.relpath(test, work) for test in tests]
        with open(plan, "w", encoding="utf-8") as file:
            json.dump([changes, tests, sorted(dropped), sorted(left_out)], file)
    if options.build:
        return False
    with open(plan, encoding="utf-8") as file:
        changes, tests, dropped, left_out = json.load(file)
    changes = {int(number): change for number, change in changes.items()}
    dropped, left_out = set(dropped), set(left_out)
    files = {f"{CRATE}/src/{name}" for name in options.only.split(",") if name}
    wanted = {int(number) for number in options.numbers.split(",") if number}
    skipped = set(options.skip.split(","))
    costs = []
    for test in (test for test in tests if os.path.basename(test).rsplit("-", 1)[0] not in skipped):
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if not passes(test, 0, work, 600):
            sys.exit(f"{test} fails without any change")
        costs.append((resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun, test))
    costs.sort()
    print("  CPU seconds without a change:", {os.path.basename(test): round(cost, 1) for cost, test in costs}, flush=True)
    chosen = [number for number in changes if number not in dropped | left_out
              and (not files or changes[number]["file"] in files) and (not wanted or number in wanted)]

    def survives(number):
        return all(passes(test, number, work, int(10 * cost) + 2) for cost, test in costs)

    begun, survivors = time.time(), []
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        for done, (number, alive) in enumerate(zip(chosen, pool.map(survives, chosen)), 1):
            if alive:
                survivors.append(number)
                print(f"  not noticed: {number}: {changes[number]['name']}", flush=True)
            if done % 50 == 0:
                print(f"  {done} of {len(chosen)}, {time.time() - begun:.0f} s", flush=True)
    for number in sorted(left_out):
        if not files or changes[number]["file"] in files:
            print(f"  cannot be chosen: {number}: {changes[number]['name']}")
    table = {}
    for number in chosen:
        row = table.setdefault(os.path.basename(changes[number]["file"]), [0, 0])
        row[0] += 1
        row[1] += number not in survivors
    for name, (tried, noticed) in sorted(table.items()):
        print(f"| `{name}` | {tried} | {noticed} |")
    print(f"{len(changes)} changes, {len(dropped)} do not compile, {len(left_out)} cannot be chosen, "
          f"{len(chosen)} tried, {len(survivors)} not noticed, {time.time() - begun:.0f} s")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
