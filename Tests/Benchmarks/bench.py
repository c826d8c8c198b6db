#!/usr/bin/env python3
"""Measures Sortie beside other programs and prints one table: bench.py [ROW…]; `make bench` builds what it needs and runs it.

  start      a process: --version, and one request
  paint      the workbench: first screen, memory
  keys       the workbench: from a key to the screen, also during eight downloads
  json       the workbench: responses of JSON of 10 and 100 MB, folding, filtering, memory
  requests   keep-alive GETs with 64 in flight over HTTP/1.1; tls, http2: the same with TLS, and over HTTP/2 with TLS
  stream     a body of 1 GiB to a consumer of the library that takes 64 MiB/s: memory
  download   1 GiB to a file
  upload     1 GiB from a file
  changed    a file that changes while its download is interrupted: what the continued download leaves
  history    100,000 exchanges: the pane, and what one request takes
  runs       a chain over 5,000 and 20,000 rows of data
  contract   requests with 100 kB of JSON, compared with a description and not
  import     a description of OpenAPI of 4 MB

In each row the programs take turns, and the medians of all turns but the first are compared. A program that is not installed is named and left out; see
`.ci/setup bench`. QUICK=1 takes fewer turns of less work. A complete run writes results.md beside this file, from which `make references` takes the figures
of the documents. SORTIE and BENCHMARKS name other programs than those of `make build`.
"""
import contextlib
import datetime
import http.server
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from json import dumps

# SwiftPM reports files of a target that Package.swift does not name.
sys.dont_write_bytecode = True

import openapi
from terminal import STATE, Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(f"{HERE}/../..")
RESULTS = f"{HERE}/results.md"
QUICK = os.environ.get("QUICK", "") not in ("", "0")
SORTIE = os.path.abspath(os.environ.get("SORTIE") or f"{ROOT}/.build/release/sortie")
BENCHMARKS = os.path.abspath(os.environ.get("BENCHMARKS") or f"{ROOT}/.build/release/Benchmarks")
POSTING = f"{ROOT}/.build/posting/bin/posting"
MIB = 1 << 20
# The size of downloaded, uploaded and streamed bodies.
SIZE = (128 if QUICK else 1024) * MIB
NAMES = ["Anchovy", "Blizzard", "Cyclops", "Dulcimer"]

missing = []


# Programs


def installed(name, *places):
    """The path of another program, which is noted as missing otherwise."""
    found = next((path for path in places if os.path.exists(path)), None) if places else shutil.which(name)
    if not found and name not in missing:
        missing.append(name)
    return found


def python(module):
    """An interpreter that has a module of PyPI."""
    for path in (f"{ROOT}/.build/locust/bin/python", sys.executable):
        if os.path.exists(path) and subprocess.run([path, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            return path
    if module not in missing:
        missing.append(module)
    return None


def async_http_client():
    """The requests of a separate package with AsyncHTTPClient, which takes minutes to build."""
    program = f"{ROOT}/.build/async-http-client/release/requests"
    if not os.path.exists(program) and not QUICK:
        command = ["swift", "build", "-c", "release", "--package-path", f"{HERE}/AsyncHTTPClient", "--scratch-path", f"{ROOT}/.build/async-http-client"]
        subprocess.run(command + ["--static-swift-stdlib"], stdout=subprocess.DEVNULL)
    return installed("AsyncHTTPClient", program)


def compiled(name, folder, *options):
    """One of the C programs beside this file."""
    program = f"{folder}/{name}"
    if subprocess.run(["cc", "-O2", "-o", program, f"{HERE}/{name}.c", *options], stderr=subprocess.DEVNULL).returncode == 0:
        return program
    return installed(f"{name}.c", program)


def run(command, folder):
    """Wall time, CPU time and peak memory of a process."""
    environment = os.environ | {variable: f"{folder}/{variable}" for variable in STATE}
    result = subprocess.run(
        [MEASURE, f"{folder}/usage", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, cwd=folder)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.decode()}")
    with open(f"{folder}/usage") as file:
        return dict(zip(("ms", "ms CPU", "MiB"), map(float, file.read().split())))


# The table


class Table:
    """Rows of a measurement, the median of Sortie, that of another program, and their ratio."""

    HEAD = ["| measured | unit | Sortie | beside | ratio |", "|---|---|---|---|---|"]

    def __init__(self):
        self.lines = []
        print("\n".join(self.HEAD), flush=True)

    @staticmethod
    def text(figure):
        return "-" if figure is None else f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.1f}"

    def add(self, what, unit, figures):
        """Figures are by program; the first one is that of Sortie."""
        (_, own), *others = figures.items()
        for name, figure in others or [("", None)]:
            beside = f"{name} {self.text(figure)}" if name else ""
            ratio = f"{own / figure:.2f}" if own is not None and figure else ""
            self.lines.append(f"| {what} | {unit} | {self.text(own)} | {beside} | {ratio} |")
            print(self.lines[-1], flush=True)

    def compare(self, what, units, works, turns):
        """Runs the programs by turns, and adds a line for each unit and other program.

        A work returns figures by unit; the first turn fills caches and is not counted. Returns the medians by unit and program.
        """
        medians = {}
        samples = {name: [] for name in works}
        for turn in range(turns + 1):
            for name, work in works.items():
                figures = work()
                if turn:
                    samples[name].append(figures)
        for unit in units:
            columns = {name: [figures[unit] for figures in turns if figures.get(unit) is not None] for name, turns in samples.items()}
            medians[unit] = {name: statistics.median(column) if column else None for name, column in columns.items()}
            self.add(what, unit, medians[unit])
        return medians


# Servers


def ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    numbers = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return numbers


@contextlib.contextmanager
def nginx(folder, rate=0, log="off"):
    """An nginx with folder/files at /files/, with a limit of bytes per second at /slow/, and a small JSON at /; yields its URLs without and with TLS, with
    HTTP/2, and with HTTP/2 without TLS.
    """
    os.makedirs(f"{folder}/files", exist_ok=True)
    os.chmod(folder, 0o755)
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
        + subject, check=True, stderr=subprocess.DEVNULL)
    plain, tls, http2, h2c = ports(4)
    temporary = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(f"""daemon on; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log; {'user root;' if os.geteuid() == 0 else ''}
events {{ worker_connections 1024; }}
http {{
    log_format ranges '$http_x_attempt $http_range'; access_log {log}; keepalive_requests 100000000; keepalive_time 1d; {temporary}
    sendfile on; default_type application/json; ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
    server {{
        listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl; listen 127.0.0.1:{http2} ssl http2; listen 127.0.0.1:{h2c} http2;
        location / {{ return 200 '{{"ok":true}}'; }}
        location /files/ {{ alias {folder}/files/; }}
        location /slow/ {{ alias {folder}/files/; limit_rate {rate}; }}
    }}
}}
""")
    subprocess.run([shutil.which("nginx") or "/usr/sbin/nginx", "-c", f"{folder}/nginx.conf"], check=True, stderr=subprocess.DEVNULL)
    try:
        yield {"plain": f"http://127.0.0.1:{plain}", "tls": f"https://127.0.0.1:{tls}", "http2": f"https://127.0.0.1:{http2}", "h2c": f"http://127.0.0.1:{h2c}"}
    finally:
        with open(f"{folder}/nginx.pid") as file:
            os.kill(int(file.read()), signal.SIGTERM)


class Sink(http.server.BaseHTTPRequestHandler):
    """Drops the bodies of requests as fast as they come."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        left = int(self.headers["Content-Length"])
        buffer = bytearray(MIB)
        while left > 0 and (count := self.rfile.readinto1(memoryview(buffer)[: min(left, MIB)])):
            left -= count
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PUT = do_POST

    def log_message(self, *arguments):
        pass


def fill(path, size):
    with open(path, "wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))


# Rows of commands


def start(table, folder):
    with nginx(folder) as urls:
        url = urls["plain"] + "/"
        turns = 8 if QUICK else 40
        table.compare("start: `--version`", ["ms"], {
            "Sortie": lambda: run([SORTIE, "--version"], folder), "curl": lambda: run(["curl", "--version"], folder),
        }, turns)
        works = {"Sortie": lambda: run([SORTIE, "send", url], folder), "curl": lambda: run(["curl", "-s", url], folder)}
        if wget := installed("wget"):
            works["wget"] = lambda: run([wget, "-qO-", url], folder)
        for module in ("requests", "httpx"):
            if interpreter := python(module):
                works[f"Python {module}"] = lambda interpreter=interpreter, module=module: run(
                    [interpreter, "-c", f"import {module}; print({module}.get('{url}').text)"], folder)
        table.compare("one request, with its record in the history", ["ms", "MiB"], works, turns)


# Prints what Benchmarks and multi.c print.
HTTPX = """
import asyncio, httpx, ssl, sys, time
url, count, flying, certificate = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
async def main():
    limits = httpx.Limits(max_connections=flying, max_keepalive_connections=flying)
    async with httpx.AsyncClient(http2=url.startswith("https"), limits=limits, verify=ssl.create_default_context(cafile=certificate), timeout=60) as client:
        failed = 0
        async def work():
            nonlocal failed
            for _ in range(count // flying):
                failed += (await client.get(url)).status_code != 200
        start, used = time.monotonic(), time.process_time()
        await asyncio.gather(*(work() for _ in range(flying)))
        sent = count // flying * flying
        print(f"{sent / (time.monotonic() - start):.0f} requests/s, {(time.process_time() - used) / sent * 1e6:.1f} µs CPU/request, {failed} failed")
asyncio.run(main())
"""


def requests(protocol, name):
    def measure(table, folder):
        count, flying = (3000 if QUICK else 20000), 64
        certificate = f"{folder}/certificate.pem"

        def printed(*command, count=count):
            text = subprocess.run([*command, url, str(count), str(flying), certificate], capture_output=True, text=True).stdout
            found = re.search(r"([\d.]+) requests/s, ([\d.]+) µs CPU/request, (\d+) failed", text)
            if not found or found[3] != "0":
                sys.exit(f"{command[0]} failed: {text}")
            return {"requests/s": float(found[1]), "µs CPU": float(found[2])}

        def curl():
            with open(f"{folder}/urls", "w") as file:
                file.write(f"url={url}\noutput=/dev/null\n" * count)
            figures = run(["curl", "-s", "--parallel", "--parallel-max", str(flying), "--cacert", certificate, "-K", f"{folder}/urls"], folder)
            return {"requests/s": count / figures["ms"] * 1000, "µs CPU": figures["ms CPU"] / count * 1000}

        with nginx(folder) as urls:
            url = urls[protocol] + "/"
            works = {"Sortie": lambda: printed(BENCHMARKS, "requests")}
            if multi := compiled("multi", folder, "-lcurl"):
                works["libcurl"] = lambda: printed(multi)
            works["curl --parallel"] = curl
            if other := async_http_client():
                works["AsyncHTTPClient"] = lambda: printed(other)
            if interpreter := python("httpx"):
                # A hundred times slower than the others.
                works["Python httpx"] = lambda: printed(interpreter, "-c", HTTPX, count=count // 20)
            table.compare(f"64 GETs in flight, {name}", ["requests/s", "µs CPU"], works, 3 if QUICK else 9)

    return measure


def stream(table, folder):
    with nginx(folder) as urls:
        with open(f"{folder}/files/zeros", "wb") as file:
            file.truncate(SIZE)
        slow = 64 * MIB

        def library(url, version):
            text = subprocess.run([BENCHMARKS, "stream", url, str(slow), version], capture_output=True, text=True, check=True).stdout
            return {"MiB": int(re.search(r"to (\d+) KiB", text)[1]) / 1024}

        for protocol, version, option in (("plain", "1.1", "--http1.1"), ("h2c", "2", "--http2-prior-knowledge")):
            url = f"{urls[protocol]}/files/zeros"
            table.compare(f"stream to a slow consumer, HTTP/{version}", ["MiB"], {
                "Sortie": lambda: library(url, version), "curl": lambda: run(["curl", "-s", option, "--limit-rate", str(slow), url], folder),
            }, 1)


def download(table, folder):
    with nginx(folder) as urls:
        fill(f"{folder}/files/big", SIZE)
        url, out = f"{urls['plain']}/files/big", f"{folder}/out"

        def work(*command):
            def measure():
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(out)
                figures = run(command, folder)
                subprocess.run(["cmp", f"{folder}/files/big", out], check=True)
                return figures
            return measure

        works = {"Sortie": work(SORTIE, "download", url, "-o", out), "curl": work("curl", "-sS", "-o", out, url)}
        if wget := installed("wget"):
            works["wget"] = work(wget, "-q", "-O", out, url)
        if aria2 := installed("aria2c"):
            works["aria2c"] = work(aria2, "-q", "-d", folder, "-o", "out", url)
        # Sortie waits until the file is safe on the disk, the others do not.
        table.compare(f"download of {SIZE // MIB} MiB to a file", ["ms", "ms CPU", "MiB"], works, 2 if QUICK else 5)
        works = {"Sortie": work(SORTIE, "download", url, "-o", out, "--connections", "4")}
        if aria2:
            works["aria2c"] = work(aria2, "-q", "-s4", "-x4", "-d", folder, "-o", "out", url)
        table.compare(f"download of {SIZE // MIB} MiB over 4 connections", ["ms", "MiB"], works, 2 if QUICK else 5)


def upload(table, folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    fill(f"{folder}/big", SIZE)
    url, file = f"http://127.0.0.1:{server.server_port}/put", f"{folder}/big"
    for what, own, other in (
        (f"upload of {SIZE // MIB} MiB", [], ["-T", file]), (f"upload of {SIZE // MIB} MiB as a part of a form", ["--field", "file"], ["-F", f"file=@{file}"]),
    ):
        table.compare(what, ["ms", "ms CPU", "MiB"], {
            "Sortie": lambda: run([SORTIE, "upload", url, file, *own], folder),
            "curl": lambda: run(["curl", "-sS", "-o", "/dev/null", *other, url], folder),
        }, 2 if QUICK else 5)
    server.shutdown()


def changed(table, folder):
    """Each program gets the first part of a file, is stopped, and continues after the file was exchanged for one of the same length."""
    size = (20 if QUICK else 40) * 1_000_000
    for name in ("old", "new"):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(os.urandom(size))
    results = {}
    with nginx(folder, rate="8m") as urls:
        url = f"{urls['plain']}/slow/file"
        commands = {"Sortie": [SORTIE, "download", url, "-o", "file"], "curl": ["curl", "-sS", "-C", "-", "-o", "file", url]}
        if wget := installed("wget"):
            commands["wget"] = [wget, "-q", "-c", "-O", "file", url]
        if aria2 := installed("aria2c"):
            commands["aria2c"] = [aria2, "-q", "-c", "-o", "file", url]
        for name, command in commands.items():
            work = f"{folder}/{name}"
            os.makedirs(work)
            place = lambda version, year: (shutil.copy(f"{folder}/{version}", f"{folder}/files/file"), os.utime(f"{folder}/files/file", (year, year)))
            begin = lambda: subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            place("old", 1_577_836_800)
            process = begin()
            time.sleep(1)
            process.terminate()
            process.wait()
            place("new", 1_609_459_200)
            status = begin().wait()
            if status:
                results[name] = "an error"
                continue
            with open(f"{work}/file", "rb") as file, open(f"{folder}/new", "rb") as new, open(f"{folder}/old", "rb") as old:
                body = file.read()
                results[name] = "the new file" if body == new.read() else "the old file" if body == old.read() else "a mixture of both"
    own = results.pop("Sortie")
    for name, result in results.items():
        table.lines.append(f"| continued after a change of the file | | {own} | {name} {result} | |")
        print(table.lines[-1], flush=True)


def history(table, folder):
    count = 5000 if QUICK else 100_000
    subprocess.run([BENCHMARKS, "history", f"{folder}/full/XDG_STATE_HOME", str(count)], check=True, stdout=subprocess.DEVNULL)
    os.makedirs(f"{folder}/empty/XDG_STATE_HOME")
    turns = 5 if QUICK else 40
    with nginx(folder) as urls:
        send = [SORTIE, "send", urls["plain"] + "/"]
        for state in ("full", "empty"):
            table.compare(f"one request, {f'{count:,} exchanges in' if state == 'full' else 'empty'} history", ["ms"], {
                "Sortie": lambda: run(send, f"{folder}/{state}"), "without history": lambda: run(send + ["--no-history"], f"{folder}/{state}"),
            }, turns)
    with Terminal([SORTIE, f"{ROOT}/Workspaces/Demo", "--var", "host=127.0.0.1:9"], f"{folder}/full") as terminal:
        terminal.read("Services")
        terminal.read(quiet=1)
        table.add(f"the pane of {count:,} exchanges", "ms", {"Sortie": terminal.key("H", "orders")})
        terminal.type("/")
        terminal.read(quiet=1)
        table.add(f"a filter of {count:,} exchanges, until the screen stands still", "ms", {"Sortie": terminal.still("status:5xx orders")})
        table.add(f"the pane of {count:,} exchanges", "MiB", {"Sortie": terminal.memory()})


def runs(table, folder):
    count = 500 if QUICK else 5000
    with nginx(folder) as urls:
        for path, text in (
            ("workspace.yaml", "name: Benchmark\n"), ("api/service.yaml", "name: Api\n"),
            ("api/get.yaml", f'path: {urls["plain"]}/\nquery: {{row: "{{{{number}}}}"}}\nexpect: {{status: 200}}\n'),
            ("runs/chain.yaml", "chain:\n  - send: api/get\n"),
        ):
            os.makedirs(os.path.dirname(f"{folder}/ws/{path}"), exist_ok=True)
            with open(f"{folder}/ws/{path}", "w") as file:
                file.write(text)
        for rows in (count, count * 4):
            with open(f"{folder}/rows.csv", "w") as file:
                file.write("number\n" + "".join(f"{row}\n" for row in range(rows)))
            command = [SORTIE, "run", "chain", "-w", f"{folder}/ws", "--data", f"{folder}/rows.csv", "--no-history"]
            table.compare(f"a chain over {rows:,} rows", ["ms", "MiB"], {"Sortie": lambda: run(command, folder)}, 1)
        # Each step sends an endpoint of its file and uses what the step before it captured.
        for steps in (count // 5, count, count * 2):
            long = f"{folder}/long-{steps}"
            files = {"workspace.yaml": "name: Benchmark\n", "api/service.yaml": "name: Api\n"}
            chain = ["chain:"]
            for number in range(steps):
                files[f"api/get{number}.yaml"] = f'path: {urls["plain"]}/\nquery: {{row: "{{{{number}}}}"}}\ncapture: {{status: status}}\n'
                chain.append(f"  - {{send: api/get{number}, with: {{number: '{{{{get{number - 1}.status}}}}'}}}}" if number else "  - {send: api/get0, with: {number: '0'}}")
            files["runs/chain.yaml"] = "\n".join(chain) + "\n"
            for path, text in files.items():
                os.makedirs(os.path.dirname(f"{long}/{path}"), exist_ok=True)
                with open(f"{long}/{path}", "w") as file:
                    file.write(text)
            command = [SORTIE, "run", "chain", "-w", long, "--no-history"]
            table.compare(f"a chain of {steps:,} endpoints", ["ms", "MiB"], {"Sortie": lambda: run(command, folder)}, 1)


def contract(table, folder):
    """The cost of comparing requests and responses with a description."""
    count = 200 if QUICK else 1000
    items = [
        {"id": number, "name": f"Item {number}", "price": number / 4, "created": "2026-01-31T12:00:00Z", "tags": ["a", "b"], "note": None}
        for number in range(900)
    ]
    text = dumps({"items": items})
    item = {
        "type": "object", "required": ["id", "name", "price"], "additionalProperties": False, "properties": {
            "id": {"type": "integer", "minimum": 0}, "name": {"type": "string", "maxLength": 80}, "price": {"type": "number"},
            "created": {"type": "string", "format": "date-time"}, "tags": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string", "nullable": True},
        },
    }
    schema = {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}}
    response = {"description": "items", "content": {"application/json": {"schema": schema}}}
    document = {
        "openapi": "3.0.3", "info": {"title": "Items", "version": "1"}, "components": {"schemas": {"Item": item}},
        "paths": {"/files/items": {"get": {
            "parameters": [{"name": "row", "in": "query", "schema": {"type": "integer"}}], "responses": {"200": response},
        }}},
    }
    with nginx(folder) as urls:
        files = {
            "files/items": text, "rows.csv": "number\n" + "".join(f"{row}\n" for row in range(count)), "ws/workspace.yaml": "name: Benchmark\n",
            "ws/api.json": dumps(document), "ws/runs/chain.yaml": "chain:\n  - send: api/get\n", "ws/runs/plain.yaml": "chain:\n  - send: plain/get\n",
            "ws/api/service.yaml": "name: Api\ncontract: {openapi: ../api.json, mode: warn}\n",
            "ws/plain/service.yaml": "name: Plain\ncontract: {openapi: ../api.json, mode: off}\n",
        }
        for name in ("api", "plain"):
            files[f"ws/{name}/get.yaml"] = f'path: {urls["plain"]}/files/items\nquery: {{row: "{{{{number}}}}"}}\nexpect: {{status: 200}}\n'
        for path, content in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "w") as file:
                file.write(content)

        def work(name):
            os.makedirs(f"{folder}/{name}")
            return lambda: run([SORTIE, "run", name, "-w", f"{folder}/ws", "--data", f"{folder}/rows.csv"], f"{folder}/{name}")

        what = f"{count:,} requests with {len(text) / 1e3:.0f} kB of JSON, compared with a description"
        medians = table.compare(what, ["ms", "ms CPU"], {"Sortie": work("chain"), "mode: off": work("plain")}, 1 if QUICK else 5)
        for unit, figures in medians.items():
            table.add("share of the comparison in these requests", f"% of {unit}", {
                "Sortie": 100 * (figures["Sortie"] - figures["mode: off"]) / figures["Sortie"],
            })


def imports(table, folder):
    for name, text in openapi.texts():
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)

        def work():
            shutil.rmtree(f"{folder}/ws", ignore_errors=True)
            return run([SORTIE, "import", f"{folder}/{name}", "-o", f"{folder}/ws"], folder)

        table.compare(f"import of {name}, {len(text) / 1e6:.1f} MB", ["ms", "MiB"], {"Sortie": work}, 1 if QUICK else 3)


# Rows of the workbench


def workspace(folder, endpoints, service="name: Api\n"):
    files = {"workspace.yaml": "name: Trial\nenvironments: {all: {}}\n", "api/service.yaml": service}
    files.update({f"api/{name}.yaml": text for name, text in endpoints.items()})
    os.makedirs(f"{folder}/ws/api")
    for name, text in files.items():
        with open(f"{folder}/ws/{name}", "w") as file:
            file.write(text)
    return [SORTIE, f"{folder}/ws", "--trust"]


def collection(folder, urls):
    os.makedirs(f"{folder}/collection")
    for name, url in urls.items():
        with open(f"{folder}/collection/{name}.posting.yaml", "w") as file:
            file.write(f"name: {name}\nurl: {url}\n")
    return [POSTING, "--collection", f"{folder}/collection"]


@contextlib.contextmanager
def opened(command, *arguments):
    """A program on a terminal, in a folder of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Terminal(command(folder, *arguments), folder) as terminal:
        yield terminal


def focus_collection(terminal):
    """Moves the focus of posting to the first request: the jump mode, and the label of the collection."""
    for keys in ("", "\x0f", "\t"):
        terminal.type(keys)
        terminal.read(quiet=2, limit=10)


def paint(table, folder):
    urls = {name: f"http://127.0.0.1:9/{name}" for name in NAMES}

    def work(command, *arguments):
        def measure():
            with opened(command, *arguments) as terminal:
                # The name of an endpoint: the tree is drawn.
                came = terminal.read("Dulcimer", limit=60)
                terminal.read(quiet=0.5, limit=5)
                return {"ms": came and (came - terminal.started) * 1000, "MiB": terminal.memory()}
        return measure

    works = {"Sortie": work(workspace, {name: f"name: {name}\npath: {url}\n" for name, url in urls.items()})}
    if installed("posting", POSTING):
        works["posting"] = work(collection, urls)
    table.compare("first screen of the workbench", ["ms", "MiB"], works, 4 if QUICK else 20)


def keys(table, folder):
    count = 60 if QUICK else 300

    def times(terminal):
        """From j and k, alternating, until the name of the other row is written."""
        taken = []
        for number in range(count + 20):
            time.sleep(0.02 + number % 7 * 0.003)
            terminal.drain()
            taken.append(terminal.key("jk"[number % 2], NAMES[1 - number % 2], limit=5))
        taken = sorted(figure for figure in taken[20:] if figure is not None)
        return (statistics.median(taken), taken[len(taken) * 95 // 100]) if len(taken) > count // 2 else (None, None)

    def own(urls, transfers):
        endpoints = {f"a{number}": f"name: {NAMES[number]}\npath: /{number}\n" for number in range(2)}
        endpoints |= {f"file{number}": f"name: file{number}\npath: /slow/file?{number}\nkind: download\ndownload: {{to: {folder}/out/}}\n" for number in range(8)}
        with opened(workspace, endpoints, f"name: Api\nservers: {{all: ['{urls['plain']}']}}\nlimits: {{downloads: 8, connections: 8}}\n") as terminal:
            terminal.read("Services")
            terminal.read(quiet=1)
            for number in range(transfers):
                for typed, until in ((f"1/file{number}\r", None), ("\x12", "MB")):
                    terminal.type(typed)
                    terminal.read(until, quiet=0.3, limit=20)
            # Esc clears the filter of the tree; then from the heading of the service to the first endpoint.
            for typed in ("1", "\x1b", "g", "j"):
                terminal.type(typed)
                terminal.read(quiet=0.5, limit=2)
            return times(terminal)

    with nginx(folder, rate="5m") as urls:
        with open(f"{folder}/files/file", "wb") as file:
            file.truncate(8 << 30)
        os.makedirs(f"{folder}/out")
        figures = {"Sortie": own(urls, 0)}
        if installed("posting", POSTING):
            with opened(collection, {f"a{name}": "http://127.0.0.1:9/" for name in NAMES[:2]}) as terminal:
                terminal.read(NAMES[1])
                focus_collection(terminal)
                figures["posting"] = times(terminal)
        busy = own(urls, 8)
    for index, what in enumerate(("median", "95th percentile")):
        table.add(f"key to screen, {what}", "ms", {name: pair[index] for name, pair in figures.items()})
        table.add(f"key to screen during 8 downloads, {what}", "ms", {"Sortie": busy[index]})


STEPS = [
    ("fold everything", "-", "…"), ("unfold everything", "+", "Article"), ("filter with `select`", "f.items[] | select(.id > 90) | {id}", "91"),
    ("filter `$..price`", "\x15$..price", r"\d result"),
]


def json(table, folder):
    item = '{"id":%d,"title":"Article number %d","price":%d.%02d,"tags":["red","green","blue"],"stock":{"store":%d,"shelf":"A-%d"},"description":"A longer text."}'
    block = ",".join(item % (n, n, n % 500, n % 100, n % 7, n % 40) for n in range(2000))

    def own(url, steps=()):
        with opened(workspace, {"get": f"name: Get\npath: {url}\n"}) as terminal:
            terminal.read("Services")
            terminal.read(quiet=1)
            before = terminal.memory()
            figures = [terminal.key("\x12", "200 OK")]
            terminal.type("3")
            for _, typed, until in steps:
                terminal.read(quiet=2)
                figures.append(terminal.key(typed, until))
            terminal.read(quiet=2)
            return figures, terminal.memory() - before

    with nginx(folder) as urls:
        large = 10 if QUICK else 100
        for size in {10, large}:
            with open(f"{folder}/files/{size}", "w") as file:
                file.write('{"meta":{"page":1},"items":[' + ",".join([block] * (size * 1_000_000 // len(block) + 1)) + "]}")
        (shown, *_), memory = own(f"{urls['plain']}/files/10")
        shown, memory = {"Sortie": shown}, {"Sortie": memory}
        if installed("posting", POSTING):
            with opened(collection, {"get": f"{urls['plain']}/files/10"}) as terminal:
                terminal.read("get")
                focus_collection(terminal)
                terminal.type("\r")
                terminal.read(quiet=2)
                before = terminal.memory()
                # Ctrl-J sends.
                shown["posting"] = terminal.key("\n", "Article")
                terminal.read(quiet=3, limit=30)
                memory["posting"] = terminal.memory() - before
        table.add("10 MB of JSON, sent and shown", "ms", shown)
        table.add("10 MB of JSON, additional memory", "MiB", memory)
        figures, memory = own(f"{urls['plain']}/files/{large}", STEPS)
        for (label, *_), figure in zip([("shown",), *STEPS], figures):
            table.add(f"{large} MB of JSON: {label}", "ms", {"Sortie": figure})
        table.add(f"{large} MB of JSON: additional memory with filters", "MiB", {"Sortie": memory})


ROWS = {
    "start": start, "paint": paint, "keys": keys, "json": json, "requests": requests("plain", "HTTP/1.1"), "tls": requests("tls", "HTTP/1.1 with TLS"),
    "http2": requests("http2", "HTTP/2 with TLS"), "stream": stream, "download": download, "upload": upload, "changed": changed, "history": history,
    "runs": runs, "contract": contract, "import": imports,
}
# Rows that measure the library, which the program `Benchmarks` uses.
OF_LIBRARY = {"requests", "tls", "http2", "stream", "history"}


def machine():
    """The machine and the versions, on which figures depend."""
    def first(*command):
        with contextlib.suppress(OSError):
            result = subprocess.run(command, capture_output=True, text=True)
            return (result.stdout or result.stderr).splitlines()[0]
        return ""
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    with open("/etc/os-release") as file:
        system = re.search(r'PRETTY_NAME="(.*)"', file.read())
    nginx_version = first(shutil.which("nginx") or "/usr/sbin/nginx", "-v").split(": ")[-1]
    versions = [first(SORTIE, "--version"), " ".join(first("curl", "--version").split()[:2]), nginx_version]
    parts = [
        f"{datetime.date.today()}", f"{os.cpu_count()} × {model[1] if model else platform.machine()}", f"load {os.getloadavg()[0]:.1f} at the start",
        system[1] if system else platform.system(), *versions,
    ]
    return ", ".join(parts) + "."


def main():
    global MEASURE
    names = sys.argv[1:] or list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        sys.exit(f"bench: there is no row {', '.join(unknown)}; the rows are {', '.join(ROWS)}")
    programs = [(SORTIE, "make build")] + ([(BENCHMARKS, "make bench")] if OF_LIBRARY.intersection(names) else [])
    for program, command in programs:
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is missing; {command} builds it")
    description = machine()
    table = Table()
    place = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="sortie-bench-", dir=place) as programs:
        MEASURE = compiled("measure", programs) or sys.exit("bench: there is no C compiler")
        for name in names:
            with tempfile.TemporaryDirectory(prefix="sortie-bench-", dir=place, ignore_cleanup_errors=True) as folder:
                ROWS[name](table, folder)
    absent = f" Not installed, and not measured: {', '.join(missing)}." if missing else ""
    text = "\n".join([f"Medians; {description}{absent}", "", *Table.HEAD, *table.lines, ""])
    print(f"\n{description}{absent}")
    if names == list(ROWS) and not QUICK:
        with open(RESULTS, "w") as file:
            file.write(text)
        print(f"{RESULTS} is written; make references puts it into the documents")


if __name__ == "__main__":
    main()
