#!/usr/bin/env python3
"""How smoothly the page plays: frames a second, and the work of the page's thread for each, in headless Chromium.

    target/release/destrier serve --port 8080 &
    python3 bench/web/frames.py http://127.0.0.1:8080/ [FILE.csv]

On a busy machine, start both with `chrt -r 1` (real-time priority, as root), or others' work is measured, too.

A tour is asked for and played for SECONDS. Frames are counted by requestAnimationFrame; `late` are those that came more than 25 ms after the one
before. The work is what DevTools reports of the page's thread (Performance.getMetrics): all tasks, and of these script, layout and styles. A screen
shows 60 frames a second, 16.7 ms each; where the work of a frame is well below, nothing on the page keeps it from doing so.
"""
import csv, json, sys, time, urllib.request

from browser import Browser, machine

SECONDS = 3
CASES = [("8x8", "both"), ("20x20", "both"), ("32x32", "both"), ("50x50", "both"), ("50x50", "path"), ("200x200", "both"), ("200x200", "path"), ("2000x2000", "both")]
SPEEDS = ["64", "whole"]

PLAY = """
const [style, speed, seconds] = arguments;
const room = document.querySelector('section.room:not([hidden]), .room:not([hidden])');
const button = (css) => document.querySelector(css);
[...document.querySelectorAll('[data-style]')].filter((one) => one.dataset.style === style && one.offsetParent).forEach((one) => one.click());
const choice = [...document.querySelectorAll('select.speed')].find((one) => one.offsetParent);
choice.value = speed;
choice.dispatchEvent(new Event('change'));
const player = choice.closest('.player');
player.querySelectorAll('button')[0].click();
player.querySelectorAll('button')[2].click();
const deltas = [];
let last = performance.now();
const begun = last;
return new Promise((resolve) => {
  const tick = (now) => {
    deltas.push(now - last);
    last = now;
    if (now - begun < seconds * 1000) requestAnimationFrame(tick);
    else {
      player.querySelectorAll('button')[2].click();
      resolve({ frames: deltas.length - 1, late: deltas.slice(1).filter((one) => one > 25).length, seconds: (now - begun) / 1000 });
    }
  };
  requestAnimationFrame(tick);
});
"""


def metrics(browser):
    said = browser.post("/goog/cdp/execute", {"cmd": "Performance.getMetrics", "params": {}})
    return {one["name"]: one["value"] for one in said["metrics"]}


def main():
    address, rows = sys.argv[1], []
    browser = Browser()
    try:
        browser.post("/window/rect", {"width": 1280, "height": 900})
        browser.post("/goog/cdp/execute", {"cmd": "Performance.enable", "params": {"timeDomain": "threadTicks"}})
        for board, style in CASES:
            browser.post("/url", {"url": "about:blank"})
            browser.post("/url", {"url": f"{address}#tour?board={board}"})
            ready = "return Boolean(document.querySelector('#main button.primary, button.ask, .asking button'))"
            while not browser.js(ready):
                time.sleep(0.1)
            browser.js("document.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))")
            while not browser.js("return document.querySelector('.report[data-tone=good]') !== null"):
                time.sleep(0.1)
            time.sleep(1)
            for speed in SPEEDS:
                before = metrics(browser)
                seen = browser.js(PLAY, style, speed, SECONDS)
                after = metrics(browser)
                spent = {name: after[name] - before[name] for name in ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")}
                each = {name: 1000 * spent[name] / max(1, seen["frames"]) for name in spent}
                row = [board, style, speed, round(seen["frames"] / seen["seconds"], 1), seen["late"]] + [round(each[name], 2) for name in each]
                rows.append(row)
                print(*row, flush=True)
    finally:
        browser.end()
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
            file.write(f"# {machine()}\n")
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["board", "drawn", "speed", "frames_per_second", "late", "work_ms", "script_ms", "layout_ms", "style_ms"])
            table.writerows(rows)


main()
