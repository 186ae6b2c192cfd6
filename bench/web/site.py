#!/usr/bin/env python3
"""The page without a server against the command on one thread: times in headless Chromium and here, in turns.

    ci/site.sh target/site-release && cargo build --release
    python3 bench/web/site.py target/site-release target/release/destrier [FILE.csv]

Each question is asked RUNS times of both, in turns; the least time of each counts. In the browser a time is that of the whole request, a fresh
instance and messages included; of the command it is that of the whole process. Before that, a tour of 8x8 is asked for as soon as the page is there, on
a first visit and on a second one, by the clock of the page: from when it was asked for, and from when it had loaded.
"""
import csv, functools, gzip, http.server, json, os, subprocess, sys, threading, time, urllib.request

from browser import Browser, machine

RUNS = 5
CAPTURE = "known/capture/h11_k20_q200.txt"


def questions():
    with open(CAPTURE, encoding="utf-8") as file:
        puzzle = file.read()
    return [
        ("count 7x8 closed", {"kind": "count", "board": "7x8", "shape": "closed"}, ["count", "7x8", "--closed"]),
        ("capture h11", {"kind": "capture", "puzzle": puzzle}, ["capture", CAPTURE]),
        ("swap 5x5", {"kind": "swap", "board": "5x5"}, ["swap", "5x5"]),
    ]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


ASK = """
const { fetch, EventSource } = await import('./js/carrier.js');
const begun = performance.now();
const { job } = await (await fetch('api/jobs', { method: 'POST', body: JSON.stringify(arguments[0]) })).json();
const done = await new Promise((resolve) => {
  const source = new EventSource(`api/jobs/${job}/events`);
  source.addEventListener('done', (event) => resolve(JSON.parse(event.data)));
});
const loaded = performance.getEntriesByType('navigation')[0].loadEventEnd;
return [(performance.now() - begun) / 1000, done.says, performance.now() / 1000, (performance.now() - loaded) / 1000];
"""


def size(file):
    with open(file, "rb") as module:
        code = module.read()
    return f"engine: {len(code) / 1e6:.2f} MB, {len(gzip.compress(code, 9)) / 1e6:.2f} MB compressed"


def main(folder, command, table=None):
    notes = [machine(), size(f"{folder}/destrier.wasm")]
    browser, rows = Browser(), []
    try:
        address = serve(folder)
        for visit in ("first visit", "second visit"):
            browser.post("/url", {"url": address})
            _, _, asked, loaded = browser.js(ASK, {"kind": "tour", "board": "8x8"})
            notes.append(f"{visit}: first answer {asked:.2f} s after the page was asked for, {loaded:.2f} s after it had loaded")
        print(*notes, sep="\n")
        for name, question, arguments in questions():
            here, there, said = [], [], None
            for _ in range(RUNS):
                seconds, said, *_ = browser.js(ASK, question)
                there.append(seconds)
                begun = time.perf_counter()
                told = subprocess.run([command, *arguments, "--threads", "1"], capture_output=True, text=True)
                here.append(time.perf_counter() - begun)
                assert said.split()[0] in told.stdout + told.stderr, (said, told)
            rows.append({"question": name, "native_s": f"{min(here):.4f}", "browser_s": f"{min(there):.4f}", "speed": f"{min(here) / min(there):.2f}"})
            print(rows[-1], said.splitlines()[0])
    finally:
        browser.end()
    if table:
        with open(table, "w", newline="", encoding="utf-8") as file:
            file.writelines(f"# {note}\n" for note in notes)
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
