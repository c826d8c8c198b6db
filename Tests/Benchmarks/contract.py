#!/usr/bin/env python3
"""Compares what `sortie contract test` and schemathesis find on a server with known faults, and prints one table: contract.py [MAX [SEED]].

The server is Tests/Fixtures/Contract/faulty.py, made with FastAPI; each program may send MAX requests (100) for an operation and gets the document that
FastAPI generates. Python needs fastapi, uvicorn, python-multipart and schemathesis of PyPI: PYTHON names it, `.build/httpbin/bin/python` without it.
SORTIE names another program than .build/release/sortie. A complete run writes contract.md beside this file.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(f"{HERE}/../..")
SORTIE = os.path.abspath(os.environ.get("SORTIE") or f"{ROOT}/.build/release/sortie")
PYTHON = os.environ.get("PYTHON") or f"{ROOT}/.build/httpbin/bin/python"
SERVER = f"{ROOT}/Tests/Fixtures/Contract/faulty.py"
TOKEN = "let-me-in"
# The category of `sortie contract test` that a failure of schemathesis has.
CODES = {
    "ST101": "serverError", "ST103": "notAsDescribed", "ST105": "notAsDescribed", "ST106": "notAsDescribed", "ST107": "notAsDescribed",
    "ST108": "notAsDescribed", "ST201": "acceptedInvalid", "ST202": "refusedValid", "ST203": "acceptedInvalid", "ST204": "acceptedMethod",
    "ST301": "notDeleted", "ST302": "notCreated", "ST401": "acceptedWithoutCredentials",
}


def started(port):
    """The server, once it responds, and its document."""
    server = subprocess.Popen([PYTHON, SERVER, "--port", str(port)], stdin=subprocess.PIPE)
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json") as response:
                return server, json.load(response)
        except OSError:
            time.sleep(0.1)
    sys.exit("contract.py: the server does not respond")


def sortie(folder, document, maximum, seed):
    """The findings, each a path with a category, the number of requests and the seconds."""
    with open(f"{folder}/api.json", "w") as file:
        json.dump(document, file)
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8"}
    imported = subprocess.run([SORTIE, "import", "api.json", "-o", "ws"], cwd=folder, env=environment, capture_output=True, text=True)
    if imported.returncode:
        sys.exit(imported.stderr)
    begun = time.time()
    command = [SORTIE, "contract", "test", "faults", "-w", "ws", "--trust", "--unsafe", "--max", maximum, "--seed", seed, "--bearer", TOKEN]
    run = subprocess.run(command + ["--no-history", "--json"], cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode != 1:
        sys.exit(run.stderr)
    record = json.loads(run.stdout)
    found = {(finding["operation"].split(" ")[1], finding["category"]) for finding in record["findings"]}
    return found, record["requests"], time.time() - begun


def schemathesis(folder, url, maximum, seed):
    """The same with schemathesis, whose text has the requests of all failures."""
    begun = time.time()
    run = subprocess.run(
        [
            f"{os.path.dirname(PYTHON)}/st", "run", f"{url}/openapi.json", "-n", maximum, "--seed", seed, "--continue-on-failure", "-H",
            f"Authorization: Bearer {TOKEN}",
        ], cwd=folder, capture_output=True, text=True)
    found = set()
    for block in re.split(r"\n\d+\. Test Case ID: ", run.stdout)[1:]:
        paths = re.findall(r"http://127\.0\.0\.1:\d+(/[^\s'?]*)", block)
        found |= {(paths[-1], CODES[code]) for code in re.findall(r"^- (ST\d+)", block, re.M) if code in CODES and paths}
    requests = re.search(r"(\d+) generated", run.stdout)
    return found, int(requests.group(1)) if requests else None, time.time() - begun


def main():
    maximum, seed = (sys.argv[1:] + ["100", "1"][len(sys.argv) - 1:])[:2]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    faults = json.loads(subprocess.run([PYTHON, SERVER, "--list"], capture_output=True, check=True).stdout)
    versions = subprocess.run([PYTHON, "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True).stdout
    server, document = started(port)
    document["servers"] = [{"url": url}]
    results = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            results["Sortie"] = sortie(folder, document, maximum, seed)
            if os.path.exists(f"{os.path.dirname(PYTHON)}/st"):
                results["schemathesis"] = schemathesis(folder, url, maximum, seed)
            else:
                print("schemathesis is not installed, and is left out", file=sys.stderr)
    finally:
        server.stdin.close()
        server.wait()
    used = ", ".join(re.findall(r"^(?:schemathesis|fastapi)==.*$", versions, re.M)).replace("==", " ")
    lines = [f"At most {maximum} requests for an operation, seed {seed}; {used}.", ""]
    lines += ["| fault | category | " + " | ".join(results) + " |", "|---|---|" + "---|" * len(results)]
    counts = dict.fromkeys(results, 0)
    for fault in faults:
        marks = []
        for name, (found, _, _) in results.items():
            isFound = any((path + "/").startswith(fault["path"] + "/") and category == fault["category"] for path, category in found)
            counts[name] += isFound
            marks.append("found" if isFound else "–")
        lines.append(f"| `{fault['path'].removeprefix('/faults/')}`: {fault['text']} | `{fault['category']}` | " + " | ".join(marks) + " |")
    false = {name: sorted(f"{path} {category}" for path, category in found if path.startswith("/fine")) for name, (found, _, _) in results.items()}
    for title, text in (
        (f"found of {len(faults)}", lambda name: str(counts[name])),
        ("findings on operations without a fault", lambda name: str(len(false[name]))),
        ("requests", lambda name: f"{results[name][1]:,}"),
        ("seconds", lambda name: f"{results[name][2]:.0f}"),
    ):
        lines.append(f"| **{title}** | | " + " | ".join(text(name) for name in results) + " |")
    print("\n".join(lines))
    for name, texts in false.items():
        for text in texts:
            print(f"{name}: {text}", file=sys.stderr)
    if len(results) == 2:
        with open(f"{HERE}/contract.md", "w") as file:
            file.write("\n".join(lines) + "\n")


main()
