"""The workbench on a terminal of 200 × 50, beside posting where that is installed: workbench.py paint|keys|bodies|all [SORTIE] [MEGABYTES…]

  paint   from the start of the process to the first screen with the services, 20 starts; the least and the median
  keys    from a key to its result on the screen, 300 keys while eight downloads of 5 MB/s each run; the median, p95 and p99
  bodies  folding and filtering a body of JSON of each size (100 and 1000 by default): the time from the last key to the first result, and the private
          memory above that of a workbench with a small body; posting shows a body of 10 MB

Prints one table. SORTIE is .build/release/sortie by default; keys needs nginx. A text that does not come within its limit, 120 s for a body, is “-”.
posting (2.11.1 ends with a segmentation fault with tree-sitter 0.26):
python3 -m venv .build/posting && .build/posting/bin/pip install posting==2.11.1 'tree-sitter<0.26'

Targets (issue 18): paint 30 ms, keys p95 8 ms, first result 100 ms, memory 64 MiB above.
"""
import fcntl
import http.server
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
POSTING = os.path.join(ROOT, ".build/posting/bin/posting")
PORT = 18098
NAMES = ["Anchovy", "Blizzard", "Cyclops", "Dulcimer"]
table = []


def row(what, program, *figures):
    table.append((what, program, *figures))
    print("  ".join([f"{what:<50}", f"{program:<8}"] + [f"{figure:>20}" for figure in figures]), flush=True)


def milliseconds(seconds):
    return "-" if seconds is None else f"{seconds * 1000:.1f} ms"


class Program:
    """A program on a pseudo-terminal."""

    def __init__(self, command, folder):
        environment = {variable: f"{folder}/{variable}" for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        self.started = time.monotonic()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            os.chdir(folder)
            os.environ.update(environment, TERM="xterm-256color", COLORTERM="truecolor", HOME=folder)
            os.execv(command[0], command)

    def read(self, until=None, limit=120.0, quiet=0.5):
        """The time at which a text came, or nothing more for a while; None where it did not come."""
        seen, end, last = b"", time.monotonic() + limit, None
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], end - time.monotonic() if until else quiet)
            if not ready:
                break
            try:
                seen += os.read(self.terminal, 1 << 16)
            except OSError:
                break
            last = time.monotonic()
            # A repaint of the whole screen is some 20 kB; a text that is awaited is never longer than this.
            text = re.sub(rb"\x1b\[[0-9;?:>=]*[A-Za-z]|\x1b[()][A-Z0-9]", b"", seen[-65536:])
            if until and re.search(until.encode(), text):
                return last
        return None if until else last

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def key(self, keys, until, limit=120.0):
        """The seconds from the last of these keys until a text is on the screen; None where it does not come."""
        start = time.monotonic()
        self.type(keys)
        came = self.read(until, limit)
        return came and came - start

    def memory(self):
        with open(f"/proc/{self.process}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private")) / 1024

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def workspace(folder, endpoints, service="name: Api\n"):
    os.makedirs(f"{folder}/ws/api")
    files = {"workspace.yaml": "name: Trial\n", "api/service.yaml": service}
    files.update({f"api/{name}.yaml": text for name, text in endpoints.items()})
    for name, text in files.items():
        with open(f"{folder}/ws/{name}", "w") as file:
            file.write(text)
    return [SORTIE, f"{folder}/ws"]


def collection(folder, urls):
    os.makedirs(f"{folder}/collection")
    for name, url in urls.items():
        with open(f"{folder}/collection/{name}.posting.yaml", "w") as file:
            file.write(f"name: {name}\nurl: {url}\n")
    return [POSTING, "--collection", f"{folder}/collection"]


def focus_collection(program):
    """Moves the focus of posting to the first request: the jump mode, and the label of the collection."""
    for keys in ("", "\x0f", "\t"):
        program.type(keys)
        program.read(quiet=2, limit=10)


# First paint


def paint():
    urls = {name: f"http://127.0.0.1:9/{name}" for name in NAMES}
    programs = {"sortie": lambda folder: workspace(folder, {name: f"name: {name}\npath: {url}\n" for name, url in urls.items()})}
    if os.path.exists(POSTING):
        programs["posting"] = lambda folder: collection(folder, urls)
    figures = {name: [] for name in programs}
    for number in range(22):
        for name, command in programs.items():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                program = Program(command(folder), folder)
                # The name of an endpoint: the tree is drawn.
                came = program.read("Dulcimer", limit=30)
                if number >= 2 and came:
                    figures[name].append(came - program.started)
                program.end()
    for name, times in figures.items():
        row("first paint, least and median", name, *map(milliseconds, (min(times), statistics.median(times)) if times else (None, None)))


# Keys during transfers


def nginx(folder):
    with open(f"{folder}/file", "wb") as file:
        file.truncate(8 << 30)
    text = f"""daemon on; pid {folder}/nginx.pid; error_log {folder}/error.log; user root; events {{}}
http {{ access_log off; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3; uwsgi_temp_path {folder}/4;
scgi_temp_path {folder}/5; sendfile on; server {{ listen 127.0.0.1:{PORT}; root {folder}; limit_rate 5m; }} }}"""
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(text if os.geteuid() == 0 else text.replace("user root;", ""))
    subprocess.run([shutil.which("nginx") or "/usr/sbin/nginx", "-c", f"{folder}/nginx.conf"], check=True)


def measure_keys(program, pair, count=300):
    """The times from j and k, alternating, until the name of the other row is written."""
    times = []
    for number in range(count + 20):
        time.sleep(0.02 + number % 7 * 0.003)
        while select.select([program.terminal], [], [], 0)[0]:
            os.read(program.terminal, 1 << 16)
        taken = program.key("jk"[number % 2], pair[1 - number % 2], limit=5)
        if taken is None:
            return []
        if number >= 20:
            times.append(taken)
    return sorted(times)


def report_keys(what, name, times):
    if not times:
        return row(what, name, "-")
    figures = (statistics.median(times), times[len(times) * 95 // 100], times[len(times) * 99 // 100])
    row(what, name, *map(milliseconds, figures))


def keys():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        nginx(folder)
        try:
            endpoints = {f"a{number}": f"name: {NAMES[number]}\npath: /{number}\n" for number in range(2)}
            endpoints.update({f"file{number}": f"name: file{number}\npath: /file?{number}\nkind: download\ndownload: {{to: {folder}/out/}}\n" for number in range(8)})
            service = f"name: Api\nservers: {{all: ['http://127.0.0.1:{PORT}']}}\nlimits: {{downloads: 8, connections: 8}}\n"
            command = workspace(folder, endpoints, service)
            with open(f"{folder}/ws/workspace.yaml", "a") as file:
                file.write("environments: {all: {}}\n")
            os.makedirs(f"{folder}/out")
            for transfers in (0, 8):
                program = Program(command + ["--trust"], folder)
                program.read("Services")
                program.read(quiet=1)
                for number in range(transfers):
                    program.type(f"1/file{number}\r")
                    program.read(quiet=0.3)
                    program.type("\x12")
                    program.read("MB", limit=20)
                # Esc clears the filter of the tree.
                for keys in ("1", "\x1b", "g"):
                    program.type(keys)
                    program.read(limit=2)
                # From the heading of the service to the first endpoint.
                program.type("j")
                program.read(limit=2)
                report_keys(f"key to screen, {transfers} transfers: median, p95, p99", "sortie", measure_keys(program, NAMES))
                program.end()
        finally:
            with open(f"{folder}/nginx.pid") as file:
                os.kill(int(file.read()), signal.SIGTERM)
    if os.path.exists(POSTING):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            program = Program(collection(folder, {f"a{name}": "http://127.0.0.1:9/" for name in NAMES[:2]}), folder)
            program.read(NAMES[1])
            focus_collection(program)
            report_keys("key to screen, 0 transfers: median, p95, p99", "posting", measure_keys(program, NAMES))
            program.end()


# Large bodies


def item(number):
    return (
        '{"id":%d,"title":"Article number %d","price":%d.%02d,"tags":["red","green","blue"],"stock":{"store":%d,"shelf":"A-%d"},'
        '"description":"A longer text that describes the article, its use and its colour, in one sentence."}'
        % (number, number, number % 500, number % 100, number % 7, number % 40)
    )


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers /N with JSON of N bytes or a little more."""

    def do_GET(self):
        size = int(self.path[1:])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"meta":{"page":1},"items":[')
        block = ",".join(item(number) for number in range(2000 if size > 100_000 else 5)).encode()
        written = 0
        while written < size:
            self.wfile.write(b"," + block if written else block)
            written += len(block)
        self.wfile.write(b'],"end":true}')

    def log_message(self, *arguments):
        pass


def opened(url):
    folder = tempfile.mkdtemp(prefix="sortie-bodies-")
    program = Program(workspace(folder, {"get": f"name: Get\npath: {url}\n"}), folder)
    program.read("Services")
    start = time.monotonic()
    program.type("\x12")
    came = program.read("200 OK")
    program.type("3")
    program.read(quiet=3)
    return program, folder, came and came - start


STEPS = [
    ("fold everything", "-", "…"),
    ("unfold everything", "+", "Article"),
    ("fold a container", "jj\r", "…"),
    ("unfold it", "l", "page"),
    ("filter .items[] | select(.id > 90) | {id}", "f.items[] | select(.id > 90) | {id}", "91"),
    ("filter $..price", "\x15$..price", r"\d result"),
    ("filter .items | length", "\x15.items | length", "1 result"),
]


def bodies(sizes):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    program, folder, _ = opened(f"{url}/1000")
    least = program.memory()
    program.end()
    shutil.rmtree(folder, ignore_errors=True)
    for size in sizes:
        program, folder, came = opened(f"{url}/{size * 1_000_000}")
        row(f"{size} MB: send, until 200 OK", "sortie", milliseconds(came))
        for label, typed, until in STEPS:
            program.read(quiet=2)
            row(f"{size} MB: {label}", "sortie", milliseconds(program.key(typed, until)))
        program.read(quiet=2)
        row(f"{size} MB: private memory above {least:.1f} MiB", "sortie", f"{program.memory() - least:.1f} MiB")
        program.end()
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(POSTING):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            program = Program(collection(folder, {"get": f"{url}/10000000"}), folder)
            program.read("get")
            focus_collection(program)
            program.type("\r")
            program.read(quiet=2)
            before = program.memory()
            # ctrl+j sends.
            row("10 MB: send, until the body is shown", "posting", milliseconds(program.key("\n", "Article")))
            program.read(quiet=3, limit=30)
            row("10 MB: private memory above an empty program", "posting", f"{program.memory() - before:.1f} MiB")
            program.end()
    server.shutdown()


def main():
    global SORTIE
    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in ("paint", "keys", "bodies", "all"):
        sys.exit(__doc__)
    sizes = [int(text) for text in arguments[1:] if text.isdigit()] or [100, 1000]
    programs = [text for text in arguments[1:] if not text.isdigit()]
    SORTIE = os.path.abspath(programs[0] if programs else os.path.join(ROOT, ".build/release/sortie"))
    if not os.path.exists(POSTING):
        print("posting is not installed in .build/posting, so its figures are missing")
    if arguments[0] in ("paint", "all"):
        paint()
    if arguments[0] in ("keys", "all"):
        keys()
    if arguments[0] in ("bodies", "all"):
        bodies(sizes)


main()
