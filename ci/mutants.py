#!/usr/bin/env python3
"""Mutation testing of the checker, and of the code in the engine that decides: every change that cargo-mutants lists, all in one build.

cargo-mutants builds the crate and its tests anew for each change, over a thousand times. Here a copy of the crate gets all changes at
once: a function with changes begins with a choice between its bodies, by the number in the variable MUTANT. Changes that do not
compile are found by the compiler and dropped. Each test then runs once without a change and reports the functions that it enters, so
a change is tried only on the tests that enter its function: first those that noticed other changes there, then the others, the
cheapest first. One of them must fail.

    python3 ci/mutants.py [--crate rules] [--work DIR] [--only refutation.rs,swap.rs] [--threads 1]
    python3 ci/mutants.py --crate destrier --build     builds, and writes down what is to be run
    python3 ci/mutants.py --crate destrier --run       runs that, here or on a machine with more cores

A run that was stopped resumes: verdicts are kept in DIR/verdicts.tsv until the next build. Needs cargo-mutants
(`cargo install --locked cargo-mutants`). Changes outside functions, and in functions that return an opaque type or run at compile time,
are listed at the end: they cannot be chosen at run time.
"""
import argparse, collections, concurrent.futures, json, os, re, resource, shutil, subprocess, sys, tempfile, time

arguments = argparse.ArgumentParser(description="Mutation testing, all changes in one build.")
arguments.add_argument("--crate", default="rules", choices=["rules", "destrier"], help="the crate that is changed")
arguments.add_argument("--build", action="store_true", help="only build, for a run later")
arguments.add_argument("--run", action="store_true", help="only run what was built")
arguments.add_argument("--work", default="target/mutants", help="a folder for the copy and its build")
arguments.add_argument("--only", default="", help="files of the crate, with commas between")
arguments.add_argument("--numbers", default="", help="changes by number, with commas between, and no others")
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
    "swap_small", "swap_worlds", "symmetric", "symmetric_counts", "symmetric_worlds"] for word in ("--test", test)]}[options.crate]
CHOICE = """
#[allow(missing_docs)]
pub mod mutant {
    use std::io::Write as _;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    static ENTERED: [AtomicBool; FUNCTIONS] = [const { AtomicBool::new(false) }; FUNCTIONS];

    pub fn chosen(function: usize) -> u32 {
        static CHOSEN: OnceLock<u32> = OnceLock::new();
        static REPORT: OnceLock<Option<std::fs::File>> = OnceLock::new();
        let report = REPORT.get_or_init(|| {
            let path = std::env::var_os("ENTERED")?;
            std::fs::OpenOptions::new().append(true).create(true).open(path).ok()
        });
        if let Some(mut file) = report.as_ref() {
            if !ENTERED[function].swap(true, Ordering::Relaxed) {
                let _ = file.write_all(format!("{function}\\n").as_bytes());
            }
        }
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


def with_choices(text, changes, dropped, entered):
    """The file with its choices, where each stands by lines, and the changes that it cannot have. `entered` gets the changes of each
    function, by the number that the function reports itself with."""
    merged, outside = functions(text, changes)
    out, at, places = "", 0, []
    for (start, end), numbers in sorted(merged.items()):
        body = body_start(text, start, end)
        kept = [number for number in numbers if number not in dropped]
        if body is None or not kept:
            continue
        out += text[at:start] + re.sub(r"\bconst (?=fn\b)", "", text[start:body]) + f"{{ match crate::mutant::chosen({len(entered)}) {{\n"
        entered.append(kept)
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
    """Builds the tests with all changes that can be built: (executables, changes by function, unviable, not to be chosen)."""
    files = {}
    for number, change in changes.items():
        files.setdefault(change["file"], {})[number] = change
    dropped, left_out = set(), set()
    while True:
        places, entered = {}, []
        for file, own in files.items():
            with open(file, encoding="utf-8") as source:
                text, places[file], outside = with_choices(source.read(), own, dropped | left_out, entered)
            left_out |= set(outside)
            with open(os.path.join(work, file), "w", encoding="utf-8") as copy:
                copy.write(text)
        root = os.path.join(CRATE, "src/lib.rs")
        text = contents(os.path.join(work, root) if root in files else root)
        with open(os.path.join(work, root), "w", encoding="utf-8") as copy:
            copy.write(text + CHOICE.replace("FUNCTIONS", str(len(entered))))
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
    return tests, entered, dropped, left_out


def contents(name):
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


def run(program, names, work, seconds, **variables):
    """Runs some tests of a program until one fails: (is all well?, the name of the one that failed, if it is known). They may take so many
    seconds of CPU time, sixty times that by the clock, and 4 GiB."""
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    environment = {**os.environ, "PROPTEST_CASES": "32", "RUSTC_BOOTSTRAP": "1", "RUST_BACKTRACE": "0",
                   "PROPTEST_FAILURE_PERSISTENCE": "off", **variables}
    words = [os.path.join(work, program), "--test-threads=1", "-Zunstable-options", "--fail-fast", "--format=json"]
    words += ["--exact", *names]
    with tempfile.TemporaryFile() as out:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": subprocess.DEVNULL}
        try:
            done = subprocess.run(words, cwd=os.path.join(work, CRATE), env=environment, preexec_fn=prepare, timeout=60 * seconds, **quiet)
            well = done.returncode == 0
        except subprocess.TimeoutExpired:
            well = False
        out.seek(0)
        lines = out.read().decode(errors="replace").splitlines()
    begun = None
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("type") == "test":
            begun = event["name"] if event["event"] in ("started", "failed") else None
            if event["event"] == "failed":
                break
    return well, begun


def measure(program, name, work):
    """A test without a change, with its seconds of CPU time and the functions that it enters; nothing if it fails."""
    spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    with tempfile.NamedTemporaryFile() as entered:
        begun = spent()
        well, _ = run(program, [name], work, 3600, ENTERED=entered.name)
        return well and (program, name, spent() - begun, [int(line) for line in entered.read().split()])


def measured(tests, work):
    """Every test, measured: [(program, name, seconds, functions)]. By processes, since what children have spent is counted by process."""
    with concurrent.futures.ProcessPoolExecutor(options.threads) as pool:
        asked = []
        for program in tests:
            told = subprocess.run([os.path.join(work, program), "--list", "--format", "terse"], check=True, capture_output=True, text=True)
            for name in (line.removesuffix(": test") for line in told.stdout.splitlines() if line.endswith(": test")):
                asked.append((program, name, pool.submit(measure, program, name, work)))
        for program, name, found in asked:
            if not found.result():
                print(f"  left out, since it fails without any change: {program}: {name}", flush=True)
        return [found.result() for _, _, found in asked if found.result()]


def batches(names, costs):
    """Tests in the order in which they are tried, as (program, names): cheap ones first, many to a process."""
    classes = {}
    for test in names:
        cost = costs[test]
        kind = next((limit for limit in (0.02, 0.2, 2, 10) if cost <= limit), None)
        # What takes long is tried alone.
        key = (kind, test[0]) if kind is not None else (cost, test)
        classes.setdefault((kind is None, key[0], str(key[1])), []).append(test)
    return [(tests[0][0], [name for _, name in tests], sum(costs[test] for test in tests)) for _, tests in sorted(classes.items())]


def main():
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    plan, verdicts = os.path.join(work, "plan.json"), os.path.join(work, "verdicts.tsv")
    if not options.run:
        changes = listed()
        copy_crate(work)
        tests, entered, dropped, left_out = build(work, changes)
        tests = [os.path.relpath(test, work) for test in tests]
        with open(plan, "w", encoding="utf-8") as file:
            json.dump([changes, tests, entered, sorted(dropped), sorted(left_out)], file)
        for name in verdicts, os.path.join(work, "measured.json"):
            if os.path.exists(name):
                os.remove(name)
    if options.build:
        return False
    with open(plan, encoding="utf-8") as file:
        changes, tests, entered, dropped, left_out = json.load(file)
    changes = {int(number): change for number, change in changes.items()}
    dropped, left_out = set(dropped), set(left_out)
    files = {f"{CRATE}/src/{name}" for name in options.only.split(",") if name}
    wanted = {int(number) for number in options.numbers.split(",") if number}
    chosen = [number for number in changes if number not in dropped | left_out
              and (not files or changes[number]["file"] in files) and (not wanted or number in wanted)]
    begun = time.time()
    known = os.path.join(work, "measured.json")
    if not os.path.exists(known):
        measures = measured(tests, work)
        with open(known, "w", encoding="utf-8") as file:
            json.dump(measures, file)
    with open(known, encoding="utf-8") as file:
        measures = json.load(file)
    costs = {(program, name): seconds for program, name, seconds, _ in measures}
    print(f"  {len(costs)} tests, {sum(costs.values()):.0f} s of CPU time without a change", flush=True)
    reach = collections.defaultdict(list)
    for program, name, _, functions in measures:
        for function in functions:
            reach[function].append((program, name))
    function_of = {number: function for function, numbers in enumerate(entered) for number in numbers}
    noticed = {}
    if os.path.exists(verdicts) and not wanted:
        with open(verdicts, encoding="utf-8") as file:
            noticed = {int(line.split("\t")[0]): line.rstrip("\n").split("\t")[1] for line in file}
    recent = collections.defaultdict(list)

    def noticed_by(number):
        """The test that notices a change; an empty text if none does."""
        function = function_of[number]
        tests = set(reach[function])
        first = [test for test in recent[changes[number]["file"]] if test in tests][:6]
        order = [(program, [name], costs[program, name]) for program, name in first]
        order += batches(tests - set(first), costs)
        for program, names, cost in order:
            well, failed = run(program, names, work, int(10 * cost) + 2, MUTANT=str(number))
            if not well:
                kept = recent[changes[number]["file"]]
                test = (program, failed or names[0])
                if test in kept:
                    kept.remove(test)
                kept.insert(0, test)
                return f"{os.path.basename(program).rsplit('-', 1)[0]}: {failed or 'a crash'}"
        return ""

    left = [number for number in chosen if number not in noticed]
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool, open(verdicts, "a", encoding="utf-8") as file:
        for done, (number, test) in enumerate(zip(left, pool.map(noticed_by, left)), 1):
            noticed[number] = test
            print(number, test, sep="\t", file=file, flush=True)
            if not test:
                print(f"  not noticed: {number}: {changes[number]['name']}", flush=True)
            if done % 50 == 0:
                print(f"  {done} of {len(left)}, {time.time() - begun:.0f} s", flush=True)
    survivors = [number for number in chosen if not noticed[number]]
    print(f"not noticed, {len(survivors)}:")
    for number in survivors:
        print(f"  {number}: {changes[number]['name']}" + ("" if reach[function_of[number]] else " (no test enters the function)"))
    for number in sorted(left_out):
        if not files or changes[number]["file"] in files:
            print(f"  cannot be chosen: {number}: {changes[number]['name']}")
    table = {}
    for number in chosen:
        row = table.setdefault(os.path.relpath(changes[number]["file"], f"{CRATE}/src").removesuffix(".rs"), [0, 0])
        row[0] += 1
        row[1] += number not in survivors
    for name, (tried, noticed_there) in sorted(table.items()):
        print(f"| `{name}` | {tried} | {noticed_there} |")
    print(f"{len(changes)} changes, {len(dropped)} do not compile, {len(left_out)} cannot be chosen, "
          f"{len(chosen)} tried, {len(survivors)} not noticed, {time.time() - begun:.0f} s")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
