#!/usr/bin/env python3
"""Asks a running server quick questions at a steady rate, and counts what comes back.

    destrier serve --port 8080 &
    python3 bench/web/load.py http://127.0.0.1:8080 --rate 200 --seconds 30 > bench/web/DATE.csv

Each question is a job: a request that submits it and one (or more) for its answer, which must be right. Questions are
sent on time whether or not earlier ones have come back, so a slow server is not spared (no "coordinated omission"):
a delay is counted from when the question was due. Beside them, now and then, one of the other routes is asked.
`--kept 10000` first has so many questions answered, as fast as it goes; the server keeps their answers meanwhile.
"""
import argparse, asyncio, json, sys, time
from urllib.parse import urlparse

QUESTIONS = [
    ({"kind": "tour", "board": "8x8", "closed": True}, lambda a: len(a["squares"]) == 64),
    ({"kind": "tour", "board": "5x5", "from": "c3"}, lambda a: a["squares"][0] == "c3"),
    ({"kind": "capture", "puzzle": "4p/5/2p2/5/N3p"}, lambda a: a["moves"] == 8),
    ({"kind": "swap", "preset": "guarini"}, lambda a: a["cost"] == 16),
    ({"kind": "count", "board": "4x5", "shape": "open"}, lambda a: a["counts"][0]["undirected"] == "82"),
    ({"kind": "hint", "of": "tour", "board": "5x5", "played": ["a1", "b3"]}, lambda a: a["can_finish"] is True),
]


class Client:
    """Connections that are kept and used again. One that the server has closed meanwhile is left for a new one."""

    def __init__(self, host, port):
        self.host, self.port, self.idle = host, port, []

    async def ask(self, method, path, body=b""):
        while self.idle and self.idle[-1][0].at_eof():
            self.idle.pop()[1].close()
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection(self.host, self.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(lines[0].split(" ")[1])
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        data = await reader.readexactly(length)
        self.idle.append((reader, writer))
        return status, data


async def question(client, number, due, tally):
    asked, is_right = QUESTIONS[number % len(QUESTIONS)]
    try:
        status, data = await client.ask("POST", "/api/jobs", json.dumps(asked).encode())
        tally["requests"] += 1
        if status != 202:
            tally["refused"] += 1
            return
        job = json.loads(data)["job"]
        while True:
            status, data = await client.ask("GET", f"/api/jobs/{job}")
            tally["requests"] += 1
            told = json.loads(data)
            if told["state"] not in ("queued", "running"):
                break
            await asyncio.sleep(0.005)
        tally["answered" if is_right(told["answer"]) else "wrong"] += 1
        tally["delays"].append(time.perf_counter() - due)
        if number % 10 == 0:
            await client.ask("POST", "/api/verify", json.dumps(told.get("certificate", {})).encode())
            tally["requests"] += 1
    except Exception as error:  # whatever it is, the question is lost
        tally["lost"] += 1
        print(f"question {number}: {error!r}", file=sys.stderr)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--rate", type=int, default=200, help="questions a second")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--kept", type=int, default=0, help="answers that the server keeps before the clock starts")
    args = parser.parse_args()
    url = urlparse(args.url)
    client = Client(url.hostname, url.port)
    none = {"requests": 0, "answered": 0, "wrong": 0, "refused": 0, "lost": 0}
    before, filling = {**none, "delays": []}, iter(range(args.kept))

    async def fill():
        for number in filling:
            await question(client, number, 0.0, before)

    await asyncio.gather(*(fill() for _ in range(16)))
    if before["answered"] != args.kept:
        sys.exit(f"{before['answered']} of {args.kept} questions beforehand were answered")
    tally = {**none, "delays": []}
    begun = time.perf_counter()
    tasks = []
    for number in range(args.rate * args.seconds):
        due = begun + number / args.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(question(client, number, due, tally)))
    await asyncio.gather(*tasks)
    seconds = time.perf_counter() - begun
    delays = sorted(tally.pop("delays")) or [float("nan")]
    at = lambda part: delays[min(len(delays) - 1, int(part * len(delays)))] * 1000
    row = {"kept_before": args.kept, "rate": args.rate, "seconds": round(seconds, 1), "questions": len(tasks), **tally,
           "requests_per_s": round(tally["requests"] / seconds), "median_ms": round(at(0.5), 1),
           "p99_ms": round(at(0.99), 1), "most_ms": round(delays[-1] * 1000, 1)}
    print(",".join(row))
    print(",".join(str(value) for value in row.values()))
    sys.exit(0 if tally["answered"] == len(tasks) else 1)


asyncio.run(main())
