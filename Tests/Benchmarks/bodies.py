"""Folds and filters a large body of JSON in the workbench: bodies.py SORTIE [MEGABYTES]

Prints, for each key, the time until its first result is on the screen, and the private memory beside that of a workbench with a small body.

100 MiB, debug build, 2 busy cores: folding 20 to 70 ms, filter $..price 96 ms, .items[] | select(…) | {…} 218 ms, typed at once; 58.7 MiB of private memory after
that, 44.8 MiB with a small body. The evaluation alone, optimized: first result of $..price after 0.3 ms in 100 MiB and in 1000 MiB, .items | length 52 ms
in 100 MiB.
"""
import fcntl
import http.server
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios
import threading
import time

sortie = os.path.abspath(sys.argv[1])
size = int(sys.argv[2]) << 20 if len(sys.argv) > 2 else 100 << 20


def item(number):
    return (
        '{"id":%d,"title":"Article number %d","price":%d.%02d,"tags":["red","green","blue"],"stock":{"store":%d,"shelf":"A-%d"},'
        '"description":"A longer text that describes the article, its use and its colour, in one sentence."}'
        % (number, number, number % 500, number % 100, number % 7, number % 40)
    )


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"meta":{"page":1},"items":[')
        written, number = 0, 0
        while written < (size if self.path == "/large" else 1000):
            block = (b"," if number else b"") + ",".join(item(number + index) for index in range(2000 if self.path == "/large" else 5)).encode()
            self.wfile.write(block)
            written += len(block)
            number += 2000
        self.wfile.write(b'],"end":true}')

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()


class Workbench:
    def __init__(self, path):
        self.home = tempfile.TemporaryDirectory()
        folder = self.home.name
        os.makedirs(f"{folder}/ws/api")
        with open(f"{folder}/ws/workspace.yaml", "w") as file:
            file.write("name: Trial\n")
        with open(f"{folder}/ws/api/service.yaml", "w") as file:
            file.write("name: Api\n")
        with open(f"{folder}/ws/api/get.yaml", "w") as file:
            file.write(f"name: Get\npath: http://127.0.0.1:{server.server_port}{path}\n")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", HOME=folder, XDG_STATE_HOME=f"{folder}/state", XDG_CACHE_HOME=f"{folder}/cache")
            os.execv(sortie, [sortie, f"{folder}/ws"])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))

    def read(self, until=None, limit=120.0, quiet=0.5):
        """The seconds until a text came, or until the screen stood still."""
        seen, start, last = b"", time.monotonic(), None
        while time.monotonic() - start < limit:
            ready, _, _ = select.select([self.terminal], [], [], limit if until else quiet)
            if not ready:
                break
            seen += os.read(self.terminal, 1 << 16)
            last = time.monotonic()
            text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]", b"", seen)
            if until and re.search(until.encode(), text):
                return last - start
        if until:
            sys.exit(f"“{until}” never came; the last of the screen: {text[-600:]!r}")
        return (last or start) - start

    def key(self, label, text, until):
        self.read()
        start = time.monotonic()
        os.write(self.terminal, text.encode())
        self.read(until)
        print(f"{label:<52} {(time.monotonic() - start) * 1000:8.1f} ms", flush=True)

    def memory(self):
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private")) / 1024

    def quit(self):
        os.write(self.terminal, b"\x11")
        time.sleep(0.3)
        os.write(self.terminal, b"\r")


def opened(path):
    workbench = Workbench(path)
    workbench.read("Services")
    os.write(workbench.terminal, b"\x12")
    workbench.read("200 OK")
    os.write(workbench.terminal, b"3")
    workbench.read(quiet=3)
    return workbench


small = opened("/small")
least = small.memory()
small.quit()
large = opened("/large")
before = large.memory()
large.key("-, fold everything", "-", "…")
large.key("+, unfold everything", "+", "Article")
large.key("j Enter, fold the first container", "jj\r", "…")
large.key("l, unfold it", "l", "page")
large.key("filter .items[] | select(.id > 90) | {id}", "f.items[] | select(.id > 90) | {id}", r"91")
large.read(quiet=2)
large.key("filter $..price", "\x15$..price", r"\d result")
large.read(quiet=2)
large.key("filter .items | length", "\x15.items | length", r"1 result")
large.read(quiet=2)
after = large.memory()
large.quit()
print(f"private memory: {least:.1f} MiB with a small body, {before:.1f} MiB with {size >> 20} MiB, {after:.1f} MiB after folding and filtering")
