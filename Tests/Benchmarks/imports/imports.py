"""Imports the files of others and compares what Sortie sends with what their tools send: imports.py [-v] SORTIE CORPORA [FORMAT…].

Every request of an imported file is sent to a recorder on a Unix socket. Its method, URL, fields and body are compared with those that `sources.py` derives
from the file by the rules of its tool, and for curl with the request of curl itself. The table lists for each format: files, files that are refused, requests
of the sources, those that arrived, those with a line in the report that they are omitted, those that are compared, the same ones, those that differ and have
a line, those that differ without a line, and those that are missing without a line. The exit status is 1 where fewer than 99 % of the requests are the same,
or have a line. `-v` prints the differences with a line, too. Of OpenAPI, `openapi.py` says what an operation documents; eight operations of a file are sent,
and the others are compared by method and path. `hostile.py` writes files with hostile texts; all of their requests are the same, except for a segment such as
`:id` beside a variable of its name, which is corrected. `refused` files have no request, or are of a version that the program names. Needs PyYAML for
Insomnia and OpenAPI, and openssl. A debug program needs 3 minutes. Of 868 requests that were compared, all were the same or had a line; before, 23 of Bruno
and one of curl were not. Of 248 operations of OpenAPI, all but a list in a path, which is corrected, were what they document.
"""
import base64
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import openapi
import sources
from recorder import Recorder

# Fields that a tool adds by itself.
DEFAULTS = {"host", "user-agent", "accept", "accept-encoding", "connection", "content-length", "expect", "transfer-encoding", "postman-token", "cache-control"}
SHIM = '#!/bin/sh\nexec /usr/bin/curl -q -sS -k --max-time 20 --unix-socket "$SORTIE_RECORDER" "$@"\n'


def found(folder, *endings):
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(place, name)


def isKind(path, *marks):
    with open(path, "rb") as file:
        start = file.read(4_000_000)
    return any(mark in start for mark in marks)


def collections_of(corpora):
    """The files of each format; a format is found by its content in all folders."""
    files = {name: [] for name in ("postman", "insomnia", "har", "http", "bruno", "curl", "openapi")}
    for folder in ("postman", "insomnia", "har", "http-files", "cases/imports", "cases/templates", "curlconverter", "openapi"):
        for path in found(os.path.join(corpora, folder), ".json", ".yaml", ".yml", ".har", ".http", ".sh", ""):
            if path.endswith((".http", ".rest")):
                files["http"].append(path)
            elif path.endswith(".sh"):
                files["curl"].append(path)
            elif not path.endswith((".json", ".yaml", ".yml", ".har")) and "/fixtures/" not in path:
                continue
            elif isKind(path, b"schema.getpostman.com/json/collection/v2"):
                files["postman"].append(path)
            elif isKind(path, b"__export_format", b"collection.insomnia.rest"):
                files["insomnia"].append(path)
            elif isKind(path, b'"entries"') or folder == "har" and isKind(path, b'"method"'):
                files["har"].append(path)
            elif re.search(r"(?m)^[\"{ ]*(openapi|swagger)[\"']?\s*:", sources.read(path)[:4000]):
                files["openapi"].append(path)
    for folder in (os.path.join(corpora, "bruno"), os.path.join(corpora, "cases")):
        files["bruno"] += sorted({os.path.dirname(path) for path in found(folder, "bruno.json", "opencollection.yml")})
    files["curl-tests"] = [os.path.join(corpora, "curl-tests", "cases.visible.jsonl")]
    return files


class Measure:
    def __init__(self, sortie, corpora, isVerbose):
        self.sortie, self.corpora, self.isVerbose = sortie, corpora, isVerbose
        self.folder, self.variables = tempfile.mkdtemp(), {}
        self.recorder = Recorder(self.folder)
        self.environment = {**os.environ, "HOME": self.folder, "LC_ALL": "C.UTF-8", "SORTIE_RECORDER": self.recorder.path}
        for name in ("STATE", "CACHE", "DATA", "CONFIG"):
            self.environment[f"XDG_{name}_HOME"] = os.path.join(self.folder, name.lower())
        os.mkdir(os.path.join(self.folder, "bin"))
        shim = os.path.join(self.folder, "bin", "curl")
        with open(shim, "w") as file:
            file.write(SHIM)
        os.chmod(shim, 0o755)

    def run(self, *arguments, cwd=None):
        environment = {**self.environment, **self.variables}
        return subprocess.run([self.sortie, *arguments], cwd=cwd or self.folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL)

    def measureCases(self, path, counts):
        """The commands of curl's own tests, each in a folder with its files."""
        with open(path) as file:
            cases = [json.loads(line) for line in file]
        for case in cases:
            # 197 repeats a request for a quarter of an hour.
            if not case["importable"] or case["oracle"] != "pass" or case["setenv"] or case["n"] == 197:
                continue
            folder = os.path.join(self.folder, "case")
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(os.path.join(folder, "log"))
            for item in case["files"]:
                place = os.path.join(folder, item["name"])
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as file:
                    file.write(base64.b64decode(item["b64"]))
            command = os.path.join(folder, f"curl-{case['n']}.sh")
            with open(command, "w") as file:
                file.write(f"curl {case['command']}\n")
            self.measure("curl", command, counts)

    # MARK: One source

    def measure(self, name, path, counts):
        counts["files"] += 1
        target = os.path.join(self.folder, "ws")
        shutil.rmtree(target, ignore_errors=True)
        self.variables = sources.shellValues(path) if name == "curl" else {}
        run = self.run("import", path, "-o", target, "--keep-secrets", "--json", "--format", name)
        shown = os.path.relpath(path, self.corpora)
        try:
            report = json.loads(run.stdout)["report"]
        except (ValueError, KeyError):
            counts["refused"] += 1
            print(f"  {shown}: refused: {run.stderr.decode(errors='replace').strip().splitlines()[-1:]}")
            return
        workspace = sources.document(os.path.join(target, "workspace.yaml")) or {}
        services = [sources.document(path) or {} for path in found(target, "service.yaml")]
        sources.giveServers(str(server) for service in services for ring in (service.get("servers") or {}).values() for server in ring)
        values = {key: sources.unknown(key) for key, value in (workspace.get("variables") or {}).items() if str(value).startswith("{{$prompt")}
        for key, source in (workspace.get("secrets") or {}).items():
            if isinstance(source, dict) and "env" in source and name != "curl":
                self.variables[source["env"]] = sources.unknown(key)
        environment = workspace.get("environment") or next(iter(workspace.get("environments") or {}), None)
        expected = self.curl(path) if name == "curl" else openapi.operations(path) if name == "openapi" else getattr(sources, name)(path, environment)
        counts["requests"] += len(expected)
        arrived = [entry for entry in report if entry["outcome"] == "imported"]
        counts["arrived"] += len(arrived)
        omitted = [entry for entry in report if entry["outcome"] == "omitted"]
        listed = {row["target"]: row for row in json.loads(self.run("list", "-w", target, "--json").stdout or "[]") if row["kind"] == "endpoint"}
        for request, entry in self.pairs(expected, arrived, omitted, listed):
            self.compare(name, shown, target, request, entry, report, listed, values, counts)

    def pairs(self, expected, arrived, omitted, listed):
        """Each request with its entry of the report: by name and number, or by order where the source has no names."""
        if len(expected) == len(arrived) and not all(request.name for request in expected):
            return list(zip(expected, arrived))
        byName = collections.defaultdict(list)
        for entry in arrived:
            byName[entry["item"]].append(entry)
            if entry["target"] in listed:
                row = listed[entry["target"]]
                byName[f"{row['method']} {row['path']}"].append(entry)
        result, left, used = [], [], set()
        for request in expected:
            path = re.sub(r"[?#].*", "", re.sub(r"^\w+://[^/?#]*", "", request.url or request.name))
            names = [request.name, f"{request.method} {request.name}", f"{request.method} {request.url}", f"{request.method} {path or '/'}"]
            entry = next((entry for name in names if name for entry in byName.get(name, []) if id(entry) not in used), None)
            if entry:
                used.add(id(entry))
                result.append((request, entry))
            else:
                left.append(request)
        rest = [entry for entry in arrived if id(entry) not in used]
        for request in left:
            if rest and not omitted:
                result.append((request, rest.pop(0)))
            else:
                line = next((entry for entry in omitted if entry["item"].startswith(request.name) or request.name in (entry["reason"] or "")), None)
                if line is None and rest:
                    result.append((request, rest.pop(0)))
                else:
                    if line is None and omitted:
                        line = omitted.pop(0)
                    result.append((request, line))
        return result

    def compare(self, name, shown, workspace, request, entry, report, listed, values, counts):
        label = f"{shown}: {request.name or request.url}"
        if entry is None:
            counts["missing"] += 1
            print(f"  {label}: missing without a line")
            return
        if entry["outcome"] == "omitted":
            counts["omitted"] += 1
            if self.isVerbose:
                print(f"  {label}: omitted: {entry['reason']}")
            return
        if request.kind == "operation":
            row = listed.get(entry["target"], {})
            shape = lambda path: re.sub(r"\{\{?[^}]*\}\}?", "{}", path or "").split("?")[0].rstrip("/")
            differences = [] if row.get("method") == request.method and shape(row.get("path")).endswith(shape(request.name)) else [f"{row}"]
        elif request.kind:
            return
        else:
            questions = {**values, **self.questions(workspace, entry["target"])}
            arguments = [piece for key, value in questions.items() for piece in ("--var", f"{key}={value}")]
            if name == "openapi" and self.hasOAuth2(workspace, entry["target"]):
                arguments += ["--bearer", "token"]
            self.recorder.take()
            run = self.run(
                "send", entry["target"], "-w", workspace, "--unix-socket", self.recorder.path, "-k", "--http1.1", "--no-redirects", "--no-history",
                "--retry", "0", "--timeout", "20", "--trust", *arguments, cwd=os.path.dirname(workspace))
            sent = self.recorder.take()
            if b"fileUnreadable" in run.stderr:
                counts["arrived without its file"] += 1
                return
            compared = request.differences if name == "openapi" else lambda wire: self.differences(request, wire)
            differences = compared(sent[0]) if sent else [run.stderr.decode(errors="replace").strip()[:300]]
        counts["compared"] += 1
        if not differences:
            counts["same"] += 1
            return
        service = entry["target"].split("/")[0]
        lines = [line["reason"] for line in report
                 if line["outcome"] != "imported" and line["reason"] and not re.search(OTHERS, line["reason"])
                 and (line["target"] in (entry["target"], service) or line["item"] == entry["item"] or line["target"] is None)]
        counts["line" if lines else "silent"] += 1
        if self.isVerbose or not lines:
            print(f"  {label}: {'; '.join(differences)}" + ("\n      line: " + "\n      line: ".join(lines) if lines else ""))

    @staticmethod
    def questions(workspace, target):
        """Values for the variables of an endpoint that are asked for."""
        endpoint = sources.document(os.path.join(workspace, target + ".yaml")) or {}
        asked = (endpoint.get("variables") or {}).items()
        return {key: sources.unknown(key) for key, value in asked if str(value).startswith("{{$prompt")}

    @staticmethod
    def hasOAuth2(workspace, target):
        """Whether the program would get a token first."""
        endpoint = sources.document(os.path.join(workspace, target + ".yaml")) or {}
        service = sources.document(os.path.join(workspace, target.split("/")[0], "service.yaml")) or {}
        auth = endpoint.get("auth") or service.get("auth")
        return isinstance(auth, dict) and "oauth2" in auth

    # MARK: The wire

    def curl(self, path):
        """The requests of curl for the commands of a file."""
        self.recorder.take()
        work = os.path.join(self.folder, "work")
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(os.path.dirname(path), work)
        environment = {**self.environment, **self.variables, "PATH": os.path.join(self.folder, "bin") + ":/usr/bin:/bin"}
        subprocess.run(["bash", path], cwd=work, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
        requests, hasChallenge = [], re.search("--(digest|ntlm|negotiate|anyauth)", sources.read(path))
        for wire in self.recorder.take():
            url = f"{'https' if wire.isSecure else 'http'}://{wire.host}{wire.target}"
            kind = wire.field("content-type") or ""
            fields = [row for row in wire.fields if row[0].lower() not in DEFAULTS or row[0].lower() == "accept" and row[1] != "*/*"]
            body = wire.body
            if "multipart/form-data" in kind:
                body, fields = sources.Parts(Measure.parts(wire)), [row for row in fields if row[0].lower() != "content-type"]
            # curl sends a body again after it has asked for the challenge of a login.
            isRepeated = requests and hasChallenge and (requests[-1].method, requests[-1].url) == (wire.method, url)
            if not isRepeated:
                requests.append(sources.Expected("", wire.method, url, fields, body, "unknown" if hasChallenge else None))
        return requests

    @staticmethod
    def parts(wire):
        boundary = re.search(r'boundary="?([^";]+)', wire.field("content-type") or "")
        result = []
        for part in wire.body.split(b"--" + boundary.group(1).encode())[1:-1] if boundary else []:
            head, _, content = part.partition(b"\r\n\r\n")
            name = re.search(rb'name="((?:[^"\\]|\\.)*)"', head)
            isFile = b"filename=" in head
            result.append((name.group(1).decode("utf-8", "replace") if name else "", None if isFile else content[:-2].decode("utf-8", "replace")))
        return result

    @staticmethod
    def decodedURL(url):
        """Scheme, host, path and query; encodings of harmless characters and of characters that a URL cannot have are equal."""
        if not re.match(r"\w+://", url):
            url = "http://" + url.lstrip("/")
        pieces = urllib.parse.urlsplit(url)
        host = re.sub(r":443$" if pieces.scheme == "https" else r":80$", "", pieces.netloc.rpartition("@")[2].lower())
        normal = lambda text: urllib.parse.quote(re.sub("%(?![0-9A-Fa-f]{2})", "%25", text), safe="%/?&=+;:@!$,()*~[]|")
        kept = lambda text: re.sub("%[0-9A-Fa-f]{2}", lambda match: Measure.harmless(match.group(0)), normal(text))
        return pieces.scheme, host, kept(pieces.path) or "/", kept(pieces.query)

    @staticmethod
    def harmless(code):
        character = chr(int(code[1:], 16))
        return character if character.isalnum() and character.isascii() or character in "-._~'!*()" else code.upper()

    def differences(self, request, wire):
        result = []
        if request.method and request.method != wire.method:
            result.append(f"method {request.method} → {wire.method}")
        if request.url:
            sent = self.decodedURL(f"{'https' if wire.isSecure else 'http'}://{wire.host}{wire.target}")
            wanted = self.decodedURL(request.url)
            result += [f"{part} {a!r} → {b!r}" for part, a, b in zip(("scheme", "host", "path", "query"), wanted, sent) if a != b]
        sent = [(key.lower(), re.sub("boundary=.*", "boundary=", value)) for key, value in wire.fields]
        # An empty field is omitted by most tools; Host is compared as the host.
        wanted = [(key.lower(), re.sub("boundary=.*", "boundary=", value)) for key, value in request.fields if value]
        isForm = isinstance(request.body, (sources.Rows, sources.Parts, dict))
        for key, value in wanted:
            if key in ("host", "content-length") or key == "content-type" and isForm:
                continue
            if (key, value) not in sent:
                result.append(f"field {key}: {value!r} → {wire.field(key)!r}")
        for key, value in sent:
            isExpected = key in DEFAULTS or key == "content-type" or any(key == name for name, _ in wanted)
            if not isExpected:
                result.append(f"field {key}: additional {value!r}")
        return result + self.bodyDifference(request.body, wire)

    @staticmethod
    def bodyDifference(body, wire):
        if isinstance(body, sources.Rows):
            sent = urllib.parse.parse_qsl(wire.body.decode("utf-8", "replace"), keep_blank_values=True)
            return [] if sent == list(body) else [f"form {list(body)} → {sent}"]
        if isinstance(body, sources.Parts):
            sent = Measure.parts(wire)
            names = [(name, None if any(key == name and text is None for key, text in body) else text) for name, text in sent]
            return [] if names == list(body) else [f"parts {list(body)} → {sent}"]
        if isinstance(body, dict):
            try:
                sent = json.loads(wire.body)
            except ValueError:
                return [f"body {body} → {wire.body[:200]}"]
            return [] if all(sent.get(key) == value for key, value in body.items()) else [f"body {body} → {sent}"]
        if body is None:
            return []
        wanted = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
        return [] if wanted.strip() == wire.body.strip() else [f"body {wanted[:200]!r} → {wire.body[:200]!r}"]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    corpora = os.path.abspath(arguments[1])
    measure = Measure(os.path.abspath(arguments[0]), corpora, "-v" in sys.argv)
    names = arguments[2:] or list(collections_of(""))
    files = collections_of(corpora)
    table, isBad = [], False
    try:
        for name in names:
            counts = collections.Counter()
            print(name)
            for path in files[name]:
                measure.measureCases(path, counts) if name == "curl-tests" else measure.measure(name, path, counts)
            good = counts["same"] + counts["line"] + counts["omitted"]
            total = good + counts["silent"] + counts["missing"]
            isBad = isBad or good < 0.99 * total
            table.append([name, *(counts[key] for key in COLUMNS), f"{100 * good / max(1, total):.1f} %"])
    finally:
        shutil.rmtree(measure.folder)
    for row in [["format", *COLUMNS, "good"], *table]:
        print("".join(str(cell).rjust(10) for cell in row))
    sys.exit(isBad)


# Reasons that say nothing about the request that is sent.
OTHERS = (r"^the script|^the tests|^the descriptions of|^set the environment variable|^write the identifier|it can also be|there is also"
          r"|^extensions are not|^the links|^the callbacks")
COLUMNS = ["files", "refused", "requests", "arrived", "omitted", "compared", "same", "line", "silent", "missing"]
main()
