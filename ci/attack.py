#!/usr/bin/env python3
"""Attacks a server of one's own, and says how long it takes to answer others and how much memory it holds.

    python3 ci/attack.py PROGRAM

Long and deep JSON, long words, half requests, connections that are silent or never read, traces with 200 listeners, and a comparison that
is left alone. Fails if the server stops answering or dies, or if it holds more than half a gigabyte.
"""
import json, os, pathlib, signal, socket, subprocess, sys, tempfile, threading, time

MOST_MIB = 512
LONG = (16 << 20) - 1000


class Server:
    def __init__(self, program, folder):
        environment = {**os.environ, "TMPDIR": folder}
        self.process = subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        self.faults = 0

    def memory(self, name="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1]) >> 10

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def head(self, method, path, length):
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n".encode()

    def ask(self, method, path, body=b""):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        parts = []
        with self.connect() as connection:
            try:
                connection.sendall(self.head(method, path, len(body)) + body)
            except OSError:
                pass  # it was refused before all of it was sent
            while part := connection.recv(1 << 16):
                parts.append(part)
        head, _, rest = b"".join(parts).partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), rest

    def tell(self, attack, note=""):
        begun = time.monotonic()
        try:
            limits, verdict = self.ask("GET", "/api/limits")[0], self.ask("POST", "/api/verify", b"a1 b3")[0]
        except (OSError, IndexError, ValueError) as error:
            limits, verdict, note = 0, 0, repr(error)
        delay, peak = 1000 * (time.monotonic() - begun), self.memory("VmHWM")
        is_wrong = (limits, verdict) != (200, 200) or peak > MOST_MIB
        self.faults += is_wrong
        print(f"| {attack} | {delay:.0f} ms | {self.memory()} MiB | {peak} MiB | {note}{' WRONG' if is_wrong else ''} |", flush=True)
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")  # the peak begins anew


def long_bodies(server):
    bodies = [
        ("objects", b'[{"":0}', b',{"":0}', b"]"), ("objects in a field", b'{"destrier":1,"x":[0', b',{"":0}', b"]}"), ("numbers", b'{"x":[0', b",0", b"]}"),
        ("lists", b'{"x":[0', b",[0]", b"]}"), ("words", b'{"kind":"hint","of":"tour","board":"5x5","played":["a1"', b',"b3"', b"]}"), ("depth", b"", b'{"":', b""),
        ("a word", b'{"destrier":1,"kind":"', b"a", b'"}'), ("squares", b"a1", b" b3", b""), ("a grid", b"1", b" 2", b""), ("a drawing", b"", b"#", b""),
        ("a position", b"8", b"/8", b""), ("pieces", b'{"board":{"size":"5x5"},"start":"a1","targets":["b3"', b',"b3"', b"]}"),
        ("holes", b'{"board":{"size":"3000x3000","holes":["a1"', b',"a1"', b"]}}"),
    ]
    for name, begin, unit, end in bodies:
        body = begin + unit * ((LONG - len(begin) - len(end)) // len(unit)) + end
        replies = []

        def ask(path, body=body, replies=replies):
            status, reply = server.ask("POST", path, body)
            replies.append((status, len(reply)))

        threads = [threading.Thread(target=ask, args=(path,)) for path in ("/api/verify", "/api/export?format=json", "/api/jobs", "/api/window") * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = sorted({status for status, _ in replies})
        server.tell(f"16 MiB of {name}, eight times at once", f"{statuses}, {max(size for _, size in replies)} bytes at most")


def connections(server):
    silent = [server.connect() for _ in range(1200)]
    server.tell("1,200 silent connections")
    for connection in silent:
        connection.close()
    halves = []
    for _ in range(250):
        connection = server.connect()
        connection.settimeout(0.5)
        halves.append(connection)
        try:
            connection.sendall(server.head("POST", "/api/verify", 16 << 20) + b" " * (15 << 20))
        except OSError:
            pass  # it is not read
    server.tell("250 requests of 16 MiB, each without its end")
    for connection in halves:
        connection.close()
    tour = server.ask("POST", "/api/verify", " ".join(f"{'abcdefgh'[file]}{rank + 1}" for file in range(8) for rank in range(8)).encode())[1]
    unread = []
    position = b'{"board":{"size":"1000x1000"},"start":"a1","targets":["b3"]}'
    for _ in range(200):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(server.head("POST", "/api/verify", len(position)) + position)
        unread.append(connection)
    time.sleep(3)
    server.tell("200 answers that nobody reads", f"{len(tour)} bytes before")
    for connection in unread:
        connection.close()


def running(server):
    return json.loads(server.ask("GET", "/api/limits")[1])["running"]


def traces(server):
    question = {"kind": "tour", "board": "7x7", "method": "naive", "from": "a1", "trace": True, "time_limit": "1s"}
    for number in range(70):
        server.ask("POST", "/api/jobs", {**question, "seed": number})
        while json.loads(server.ask("GET", "/api/limits")[1])["waiting"] > 8:
            time.sleep(0.1)
    while running(server):
        time.sleep(0.1)
    server.tell("70 traces, kept")
    job = json.loads(server.ask("POST", "/api/jobs", {"kind": "tour", "board": "8x8", "closed": True, "from": "a1", "method": "naive", "trace": True})[1])["job"]
    listeners = [server.connect() for _ in range(200)]
    for connection in listeners:
        connection.sendall(server.head("GET", f"/api/jobs/{job}/events", 0))
    time.sleep(2)
    server.tell("200 listeners of a trace that do not read")
    for connection in listeners:
        connection.close()
    begun = time.monotonic()
    while running(server) and time.monotonic() < begun + 60:
        time.sleep(0.1)
    server.tell("the listeners have gone", f"its place is free after {time.monotonic() - begun:.0f} s")


def children(process):
    """All processes that this one started, and those that they did."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == process:
            found += [int(stat.parent.name), *children(int(stat.parent.name))]
    return found


def comparison(server, folder):
    question = {"kind": "compare", "of": "count", "board": "6x8", "shape": "open", "methods": ["backtrack"], "time_limit": "60s"}
    server.ask("POST", "/api/jobs", question)
    begun = time.monotonic()
    while not (started := children(server.process.pid)) and time.monotonic() < begun + 60:
        time.sleep(0.1)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    begun = time.monotonic()
    is_alive = lambda number: pathlib.Path(f"/proc/{number}/exe").exists()
    while any(map(is_alive, started)) and time.monotonic() < begun + 60:
        time.sleep(0.1)
    left = [number for number in started if is_alive(number)]
    print(f"the server killed in a comparison: {len(started)} processes, {len(left)} left; folders left until the next: {len(os.listdir(folder))}")
    return len(left)


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = Server(sys.argv[1], folder)
        try:
            print("| attack | others are answered in | memory after it | peak | |\n|---|---|---|---|---|")
            server.tell("none")
            long_bodies(server)
            connections(server)
            traces(server)
            faults = server.faults + comparison(server, folder)
        finally:
            server.process.kill()
    print(f"{faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
