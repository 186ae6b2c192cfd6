#!/usr/bin/env python3
"""Breaks the `destrier` command on purpose, and checks what is left.

kill -9 and Ctrl-C at random moments: a count with a journal goes on to the same answer, a file is whole or not there.
Full disk, read-only folder, unreadable file, closed pipe, too little memory: one clear line and the right exit code.

    python3 ci/faults.py [--binary target/release/destrier] [--interruptions 40] [--seed 1]
"""
import argparse, os, random, resource, shutil, signal, subprocess, sys, tempfile, time

arguments = argparse.ArgumentParser(description="Breaks the destrier command on purpose, and checks what is left.")
arguments.add_argument("--binary", default="target/release/destrier")
arguments.add_argument("--interruptions", type=int, default=40)
arguments.add_argument("--seed", type=int, default=1)
options = arguments.parse_args()
BINARY = os.path.abspath(options.binary)
dice = random.Random(options.seed)
wrong, counts = [], {}
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def expect(holds, what):
    if not holds:
        wrong.append(what)
        print("  wrong:", what)


def tally(what, by=1):
    counts[what] = counts.get(what, 0) + by


def ask(*args, limits=None, user=None, **kwargs):
    """Runs the command to its end; (exit code, stdout, stderr)."""
    def prepare():
        for which, most in (limits or {}).items():
            resource.setrlimit(which, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if user is not None:
            os.setgid(user)
            os.setuid(user)
    settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kwargs}
    environment = {name: value for name, value in os.environ.items() if name != "RUST_BACKTRACE"}
    done = subprocess.run([BINARY, *args], preexec_fn=prepare, env=environment, timeout=600, **settings)
    return done.returncode, done.stdout or b"", (done.stderr or b"").decode(errors="replace")


def interrupt(args, longest, signals=(signal.SIGKILL,)):
    """Starts the command and stops it at a random moment; its exit code, None if it was killed."""
    process = subprocess.Popen([BINARY, *args], **QUIET)
    time.sleep(dice.uniform(0, longest))
    if process.poll() is None:
        process.send_signal(dice.choice(signals))
        tally("stopped at work")
    else:
        tally("done before the blow")
    code = process.wait()
    return None if code == -signal.SIGKILL else code


def duration(args):
    begun = time.time()
    code, out, err = ask(*args)
    expect(code == 0, f"{args}: exit {code}, {err[:80]}")
    return out, time.time() - begun


def journals(folder, interruptions):
    """A count that is killed again and again comes to the same answer."""
    args = ["count", "6x7", "--closed", "--method", "middle", "--memory", "31M"]
    two = ["--threads", "2"]
    answer, longest = duration([*args, *two])
    left = interruptions
    while left > 0:
        journal = os.path.join(folder, "journal")
        shutil.rmtree(journal, ignore_errors=True)
        for attempt in range(12):
            left -= 1
            threads = dice.choice(["1", "2", "3"])
            code = interrupt([*args, "--threads", threads, "--journal", journal], longest * 1.2,
                             (signal.SIGKILL, signal.SIGKILL, signal.SIGINT))
            expect(code in (None, 0, 3, 130, -signal.SIGINT), f"a stopped count: exit {code}")
        code, out, err = ask(*args, *two, "--journal", journal)
        expect((code, out) == (0, answer), f"after kills the count says {out[:60]} (exit {code}, {err[:80]})")
        tally("counts resumed")
        # What a kill in the middle of a line leaves: cut the journal anywhere.
        lines = os.path.join(journal, "slices")
        if os.path.exists(lines):
            size = os.path.getsize(lines)
            with open(lines, "r+b") as file:
                file.truncate(dice.randint(0, size))
            code, out, err = ask(*args, *two, "--journal", journal)
            # A journal cut within its first line is no journal any more, and that is said.
            expect((code, out) == (0, answer) or (code == 2 and err.startswith("destrier: ")),
                   f"a cut journal: exit {code}, {out[:60]} {err[:80]}")
            tally("journals cut")


def files(folder, interruptions):
    """A file is whole or not there; an old one stays until the new one is whole."""
    exports = [
        (["enumerate", "5x5", "--from", "a1", "--format", "list"], "tours.list"),
        (["enumerate", "5x5", "--from", "a1"], "tours.json"),
        (["tour", "200x200"], "tour.svg"),
        (["tour", "40x40"], "tour.png"),
        (["tour", "12x12"], "tour.gif"),
        (["tour", "1000x1000"], "tour.bin"),
        (["tour", "500x500"], "tour.json"),
        (["tour", "1000x1000"], "tour.txt"),
    ]
    for number, (args, name) in enumerate(exports):
        target = os.path.join(folder, name)
        _, longest = duration([*args, "--output", target])
        with open(target, "rb") as file:
            whole = file.read()
        for _ in range(interruptions // len(exports)):
            old = dice.random() < 0.5
            if old:
                with open(target, "wb") as file:
                    file.write(b"an older answer")
            elif os.path.exists(target):
                os.remove(target)
            interrupt([*args, "--output", target], longest * 1.1, (signal.SIGKILL, signal.SIGKILL, signal.SIGINT))
            if os.path.exists(target):
                with open(target, "rb") as file:
                    found = file.read()
                expect(found == whole or (old and found == b"an older answer"),
                       f"{name} has {len(found)} of {len(whole)} bytes under its final name")
                tally("files whole" if found == whole else "older files untouched")
            else:
                expect(not old, f"{name}: the older file is lost")
                tally("files not there")
        os.path.exists(target) and os.remove(target)
        for rest in os.listdir(folder):
            expect(rest.endswith(".partial"), f"a kill left {rest}")
            os.remove(os.path.join(folder, rest))


def refused(what, code, err, allowed=(2,)):
    clear = any(line.startswith(("destrier: ", "memory allocation of ", "error: ")) for line in err.splitlines())
    expect(code in allowed and (code != 2 or clear) and "panicked" not in err, f"{what}: exit {code}, {err[:120]!r}")
    tally("faults met")


def faults(folder):
    """Everything that a disk, a pipe, a user or a small machine can do."""
    for args in (["tour", "300x300"], ["tour", "40x40", "--json"], ["enumerate", "5x5", "--from", "a1"],
                 ["count", "5x5"], ["count", "--series", "3x1..40"], ["capture", "N7/8/8/8/8/8/8/7p"], ["swap", "3x3"]):
        with open("/dev/full", "wb") as full:
            code, _, err = ask(*args, stdout=full)
            refused(f"{args} to a full disk", code, err)
            code, _, _ = ask(*args, stderr=full)
            expect(code == 0, f"{args} with a full stderr: exit {code}")
        reader, writer = os.pipe()
        os.close(reader)
        code, _, err = ask(*args, stdout=writer)
        os.close(writer)
        expect(code == 0 and "panicked" not in err, f"{args} to a closed pipe: exit {code}, {err[:80]}")
        tally("faults met", 2)
    for name in ("no/such/folder/x.svg", "", "x" * 300 + ".svg"):
        code, _, err = ask("tour", "8x8", "--output", os.path.join(folder, name))
        refused(f"output to {name[:20]!r}", code, err)
    # Root may write anywhere, so somebody else tries.
    user = 65534 if os.geteuid() == 0 else None
    closed = os.path.join(folder, "closed")
    os.makedirs(closed)
    secret = os.path.join(closed, "secret.json")
    with open(secret, "w") as file:
        file.write("{}")
    os.chmod(secret, 0o000)
    os.chmod(closed, 0o555)
    os.chmod(folder, 0o755)
    reachable = user is None or ask("--version", user=user)[0] == 0
    if reachable:
        for args in (["tour", "8x8", "--output", os.path.join(closed, "x.svg")], ["verify", secret],
                     ["enumerate", "5x5", "--output", os.path.join(closed, "x.list")],
                     ["count", "6x6", "--closed", "--method", "middle", "--journal", os.path.join(closed, "j")]):
            refused(f"{args} without permission", *ask(*args, user=user)[::2])
    else:
        print("  left out: nobody else may run the binary here, so permissions were not tried")
    os.chmod(closed, 0o755)
    # A disk that fills up on the way.
    small = os.path.join(folder, "small")
    os.makedirs(small)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", small], **QUIET).returncode == 0
    if mounted:
        try:
            for args in (["tour", "300x300", "--output", os.path.join(small, "x.svg")],
                         ["tour", "1000x1000", "--output", os.path.join(small, "x.bin")],
                         ["enumerate", "5x5", "--output", os.path.join(small, "x.list")]):
                code, _, err = ask(*args)
                refused(f"{args} on a disk that fills up", code, err)
                expect(not os.listdir(small), f"{args} left {os.listdir(small)} on a full disk")
        finally:
            subprocess.run(["umount", small], check=False, **QUIET)
    else:
        print("  left out: no small disk can be mounted here")
    # Little memory: an answer, or a line and exit code 2 (or 3 with the best so far).
    starts = lambda most: ask("--version", limits={resource.RLIMIT_AS: most << 20})[0] == 0
    least = next(most for most in range(16, 1024, 4) if starts(most))
    for most in (least + more for more in (4, 20, 36, 100, 228)):
        for args in (["tour", "8x8"], ["tour", "3000x3000", "--json"], ["count", "6x8", "--closed"],
                     ["count", "7x7", "--closed", "--method", "middle"], ["sample", "6x6", "--closed"],
                     ["enumerate", "6x6", "--closed", "--limit", "100"], ["swap", "3x4"],
                     ["tour", "60x60", "--holes", "c3,d3"], ["capture", "N7/8/2p5/8/5p2/8/8/7p"]):
            code, _, err = ask(*args, limits={resource.RLIMIT_AS: most << 20}, stdout=subprocess.DEVNULL)
            refused(f"{args} in {most} MiB", code, err, allowed=(0, 1, 2, 3))


def main():
    begun = time.time()
    with tempfile.TemporaryDirectory() as folder:
        faults(folder)
    with tempfile.TemporaryDirectory() as folder:
        files(folder, options.interruptions // 2)
    with tempfile.TemporaryDirectory() as folder:
        journals(folder, options.interruptions - options.interruptions // 2)
    told = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    print(f"{told}; {len(wrong)} wrong, {time.time() - begun:.0f} s")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
