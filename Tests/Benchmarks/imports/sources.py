"""What other tools send for the requests of their files, written down independently of Sortie; see imports.py.

Each reader returns a list of `Expected`. A part that is None is not compared: the tool's value is not fixed, or its rule is not written down here.
"""
import base64
import json
import os
import re
import urllib.parse
import zlib

try:
    import yaml
except ImportError:
    yaml = None


class Expected:
    """One request of a source: a name, and what is sent for it where that is known."""

    def __init__(self, name, method=None, url=None, fields=None, body=None, kind=None):
        self.name, self.method, self.url, self.fields, self.body, self.kind = name, method, url, fields or [], body, kind

    def set(self, name, value):
        if not any(key.lower() == name.lower() for key, _ in self.fields):
            self.fields.append((name, value))


class Rows(list):
    """The rows of a form; they are compared decoded, because tools encode harmless characters differently."""


class Parts(list):
    """The names and texts of the parts of a multipart body; the text of a file is None."""


class Unknown(Exception):
    """A value that only the tool can determine, such as a random one."""


def read(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8-sig", "surrogateescape")


def document(path):
    """JSON or YAML; None for anything else."""
    text = read(path)
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return yaml.load(text, Loader=yaml.BaseLoader) if yaml else None
    except yaml.YAMLError:
        return None


# The values of variables that the source does not define, where a number would not be valid: in servers.
given = {}


def unknown(name):
    """The value that the script gives a variable which the source does not define: a number, because that is valid everywhere in JSON."""
    return given.get(name) or str(zlib.crc32(re.sub("[^a-z0-9]", "", name.lower()).encode()))


def shellValues(path):
    """Values for the variables of a shell script, with their place in a URL."""
    values = {}
    for match in re.finditer(r"(https?://)?\$\{?([A-Za-z_]\w*)", read(path)):
        isBase = re.search(r"curl [\"']?$", read(path)[:match.start()])
        number = unknown(match.group(2))
        values[match.group(2)] = f"h{number}.test" if match.group(1) else f"http://h{number}.test" if isBase else number
    return values


def giveServers(servers):
    """Chooses values for unknown variables in servers: schemes, hosts and paths."""
    given.clear()
    for server in servers:
        for match in re.finditer(r"\{\{([^{}|]+)(?:\|raw)?\}\}", server):
            name, number, before, after = match.group(1), unknown(match.group(1)), server[:match.start()], server[match.end():]
            if not before:
                given[name] = "http" if after.startswith("://") else f"http://h{number}.test"
            elif before.endswith("://"):
                given[name] = f"h{number}.test"
            elif before.endswith("}}"):
                given[name] = f"/b{number}"


def substituted(text, values, pattern=r"\{\{\s*(?:_\.)?([^{}]+?)\s*\}\}", depth=8):
    def value(match):
        name = match.group(1)
        if re.match(r"[$%]|.*[|('\"]", name):
            raise Unknown(name)
        found = values.get(name)
        if found is None:
            return unknown(name)
        return found if isinstance(found, str) else json.dumps(found)

    for _ in range(depth):
        changed = re.sub(pattern, value, text)
        if changed == text:
            break
        text = changed
    if re.search(r"\{%|\{#", text):
        raise Unknown(text)
    return text


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def addQuery(url, rows):
    """A URL with more parameters."""
    base, mark, fragment = url.partition("#")
    text = "&".join(urllib.parse.quote(name, safe="") + ("=" + urllib.parse.quote(value, safe="") if value is not None else "") for name, value in rows)
    return base + ("" if not rows else ("&" if "?" in base else "?") + text) + mark + fragment


def isOn(row):
    return not (row.get("disabled") in (True, "true") or row.get("enabled") in (False, "false"))


def text(value):
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def part(row, key, values):
    """The name and the text of a part."""
    return substituted(text(row.get(key)), values), None if row.get("type") == "file" else substituted(text(row.get("value")), values)


# MARK: Postman

def postmanURL(url, values):
    if isinstance(url, str):
        return substituted(url, values)
    if not url:
        return ""
    own = {row.get("key"): text(row.get("value")) for row in url.get("variable") or [] if row.get("key")}
    if not url.get("host"):
        raw = re.sub(r"/:([^/?#]+)", lambda match: "/" + (own.get(match.group(1)) or ":" + match.group(1)), text(url.get("raw")))
        return substituted(raw, values)
    host = url["host"] if isinstance(url["host"], str) else ".".join(url["host"])
    path = url.get("path") or []
    path = [path.lstrip("/")] if isinstance(path, str) else [text(piece.get("value") if isinstance(piece, dict) else piece) for piece in path]
    path = [own.get(piece[1:], piece) if piece.startswith(":") else piece for piece in path]
    query = [row for row in url.get("query") or [] if isinstance(row, dict) and isOn(row)]
    rows = [text(row.get("key")) + ("" if row.get("value") is None else "=" + text(row["value"])) for row in query]
    protocol = url.get("protocol")
    joined = (protocol + "://" if protocol else "") + host + (":" + text(url["port"]) if url.get("port") else "")
    return substituted(joined + ("/" + "/".join(path) if path else "") + ("?" + "&".join(rows) if rows else ""), values)


def postmanAuth(request, auth, values):
    kind = (auth or {}).get("type")
    if kind in (None, "noauth"):
        return
    rows = auth.get(kind) or []
    rows = rows if isinstance(rows, dict) else {row["key"]: row.get("value") for row in rows}
    row = lambda name: substituted(text(rows.get(name)), values)
    if kind == "basic":
        request.set("Authorization", basic(row("username"), row("password")))
    elif kind == "bearer":
        request.set("Authorization", "Bearer " + row("token"))
    elif kind == "apikey" and rows.get("in") == "query":
        request.url = addQuery(request.url, [(row("key"), row("value"))])
    elif kind == "apikey":
        request.set(row("key"), row("value"))
    else:
        raise Unknown(kind)


def postmanBody(request, body, values):
    mode = (body or {}).get("mode")
    if not mode or body.get("disabled") or body.get(mode) is None:
        return
    content = body[mode]
    rows = [] if isinstance(content, (str, dict)) else [row for row in content if isOn(row)]
    if mode == "raw":
        request.body = substituted(content, values)
        language = (((body.get("options") or {}).get("raw")) or {}).get("language")
        kinds = {"json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript"}
        if request.body and language in kinds:
            request.set("Content-Type", kinds[language])
    elif mode == "urlencoded" and not isinstance(content, str):
        request.body = Rows((substituted(text(row.get("key")), values), substituted(text(row.get("value")), values)) for row in rows)
    elif mode == "formdata":
        request.body = Parts(part(row, "key", values) for row in rows)
    elif mode == "graphql":
        request.body = {"query": substituted(text(content.get("query")), values)}


def postman(path, environment):
    root = document(path)
    root = root.get("collection", root)
    values = {row.get("key"): text(row.get("value")) for row in root.get("variable") or [] if isOn(row)}
    result = []

    def walk(items, auth):
        for item in items:
            if "item" in item:
                walk(item["item"] or [], item.get("auth") or auth)
                continue
            source = item.get("request")
            source = {"url": source} if isinstance(source, str) or source is None else source
            request = Expected(item.get("name") or "", (source.get("method") or "GET"))
            result.append(request)
            try:
                request.url = postmanURL(source.get("url"), values)
                header = source.get("header") or []
                if isinstance(header, str):
                    header = [dict(zip(("key", "value"), line.split(":", 1))) for line in header.splitlines() if ":" in line]
                request.fields = [(substituted(row["key"], values), substituted(text(row.get("value")), values).strip())
                                  for row in header if isinstance(row, dict) and isOn(row) and row.get("key")]
                postmanBody(request, source.get("body"), values)
                postmanAuth(request, source.get("auth") or auth, values)
            except Unknown:
                request.kind = "unknown"
    walk(root.get("item") or [], root.get("auth"))
    return result


# MARK: Insomnia

def insomniaRequest(item, values, auth=None):
    kind = {"websocket_request": "webSocket", "grpc_request": "grpc"}.get(item.get("_type"))
    request = Expected(item.get("name") or "", item.get("method") or "GET", kind=kind)
    try:
        rows = [row for row in item.get("parameters") or [] if isOn(row) and row.get("name")]
        own = {row["name"]: substituted(text(row.get("value")), values) for row in item.get("pathParameters") or [] if row.get("name")}
        url = substituted(text(item.get("url")), values)
        url = re.sub(r"/:([^/?#:]+)", lambda match: "/" + urllib.parse.quote(own[match.group(1)], safe="") if own.get(match.group(1)) else match.group(0), url)
        request.url = addQuery(url, [(substituted(row["name"], values), substituted(text(row.get("value")), values)) for row in rows])
        request.fields = [(substituted(row["name"], values), substituted(text(row.get("value")), values).strip())
                          for row in item.get("headers") or [] if isOn(row) and row.get("name")]
        body = item.get("body") or {}
        mime = body.get("mimeType") or ""
        rows = [row for row in body.get("params") or [] if isOn(row) and row.get("name")]
        if mime == "application/x-www-form-urlencoded":
            request.body = Rows((substituted(row["name"], values), substituted(text(row.get("value")), values)) for row in rows)
        elif mime == "multipart/form-data":
            request.body = Parts(part(row, "name", values) for row in rows)
        elif mime == "application/graphql":
            request.body = {"query": json.loads(substituted(text(body.get("text")), values)).get("query")}
        elif body.get("text"):
            request.body = substituted(body["text"], values)
        auth = item.get("authentication") or auth or {}
        kind = auth.get("type")
        value = lambda name: substituted(text(auth.get(name)), values)
        if kind in (None, "none") or auth.get("disabled") in (True, "true"):
            pass
        elif kind == "basic":
            request.set("Authorization", basic(value("username"), value("password")))
        elif kind == "bearer":
            request.set("Authorization", f"{value('prefix') or 'Bearer'} {value('token')}")
        elif kind == "apikey" and auth.get("addTo") == "header":
            request.set(value("key"), value("value"))
        else:
            raise Unknown(kind)
    except (Unknown, ValueError):
        request.kind = request.kind or "unknown"
    return request


def flattened(data, prefix=""):
    """The members of an environment by their paths."""
    result = {}
    for name, value in (data or {}).items():
        result[prefix + name] = text(value)
        if isinstance(value, dict):
            result.update(flattened(value, f"{prefix}{name}."))
    return result


def insomnia(path, environment):
    root = document(path)
    result = []
    if str(root.get("type", "")).startswith("collection.insomnia.rest/5"):
        base = root.get("environments") or {}
        chosen = next((item for item in base.get("subEnvironments") or [] if item.get("name") == environment), {})
        values = {**flattened(base.get("data")), **flattened(chosen.get("data"))}

        def walk(items, own, auth):
            for item in items or []:
                if "children" in item:
                    walk(item["children"], {**own, **flattened(item.get("environment"))}, item.get("authentication") or auth)
                    continue
                kind = "grpc_request" if "protoFileId" in item or "protoMethodName" in item else None
                if (item.get("meta") or {}).get("id", "").startswith("ws-req"):
                    kind = "websocket_request"
                result.append(insomniaRequest({**item, "_type": kind}, own, auth))
        walk(root.get("collection"), values, None)
        return result
    resources = root.get("resources") or []
    byID = {item.get("_id"): item for item in resources}

    def valuesOf(item):
        chain = []
        while item:
            chain.insert(0, item)
            item = byID.get(item.get("parentId"))
        values = {}
        for parent in chain:
            if parent.get("_type") == "workspace":
                for base in resources:
                    if base.get("_type") == "environment" and base.get("parentId") == parent["_id"]:
                        values.update(flattened(base.get("data")))
                        for sub in resources:
                            if sub.get("_type") == "environment" and sub.get("parentId") == base["_id"] and sub.get("name") == environment:
                                values.update(flattened(sub.get("data")))
            values.update(flattened(parent.get("environment")))
        return values

    def authOf(item):
        parent = byID.get(item.get("parentId"))
        return parent and (parent.get("authentication") or authOf(parent))
    kinds = ("request", "websocket_request", "grpc_request")
    return [insomniaRequest(item, valuesOf(item), authOf(item)) for item in resources if item.get("_type") in kinds]


# MARK: HAR

def har(path, environment):
    root = document(path)
    entries = [entry.get("request") for entry in root["log"].get("entries") or []] if "log" in root else [root]
    result = []
    for source in entries:
        request = Expected("", source.get("method"), source.get("url"))
        result.append(request)
        if not request.url:
            continue
        rows = [(row["name"], text(row.get("value"))) for row in source.get("queryString") or []]
        if "?" not in request.url:
            request.url = addQuery(request.url, rows)
        hidden = ("host", "content-length", "connection", "accept-encoding", "transfer-encoding")
        request.fields = [(row["name"], text(row.get("value")).strip()) for row in source.get("headers") or []
                          if not row["name"].startswith(":") and row["name"].lower() not in hidden]
        cookies = source.get("cookies") or []
        if cookies:
            request.set("Cookie", "; ".join(f"{row['name']}={row.get('value')}" for row in cookies))
        data = source.get("postData") or {}
        if data.get("text") is not None:
            request.body = data["text"]
        elif data.get("params") and "multipart" in data.get("mimeType", ""):
            request.body = Parts((row["name"], None if row.get("fileName") else text(row.get("value"))) for row in data["params"])
        elif data.get("params"):
            request.body = Rows((row["name"], text(row.get("value"))) for row in data["params"])
        if "multipart" in data.get("mimeType", ""):
            request.fields = [row for row in request.fields if row[0].lower() != "content-type"]
            request.body = request.body if isinstance(request.body, Parts) else None
    return result


# MARK: .http

def http(path, environment):
    """The common part of the dialects of JetBrains, VS Code and httpyac; blocks with scripts, imports and files are only counted."""
    values, blocks, result = {}, [[]], []
    for line in read(path).replace("\r\n", "\n").split("\n"):
        if line.startswith("###"):
            blocks.append([line])
        else:
            blocks[-1].append(line)
    for name in ("http-client.env.json", "http-client.private.env.json"):
        other = os.path.join(os.path.dirname(path), name)
        if environment and os.path.exists(other):
            root = document(other) or {}
            values.update({key: text(value) for key, value in {**root.get("$shared", {}), **root.get(environment, {})}.items()})
    for block in blocks:
        for line in block:
            match = re.match(r"^@([\w.-]+)\s*=\s*(.*?)\s*$", line)
            if match:
                values[match.group(1)] = match.group(2)
    for block in blocks:
        request = httpBlock(block, values)
        if request:
            result.append(request)
    return result


def httpBlock(block, values):
    lines, isScript = [], False
    hasScript = False
    for line in block:
        if isScript or re.match(r"^\s*[<>]?\s*\{%", line) or re.match(r"^\{\{\s*[@+\w]*\s*$", line):
            hasScript = True
            isScript = "%}" not in line and line.strip() != "}}"
            continue
        lines.append(line)
    name = next((line[3:].strip() for line in lines if line.startswith("###")), "")
    start = next((index for index, line in enumerate(lines) if line.strip() and not re.match(r"^\s*(#|//|@)", line)), None)
    if start is None:
        return None
    line = lines[start].strip()
    match = re.match(r"^(?:([A-Z]+(?:-[A-Z]+)?)\s+)?(\S.*?)(?:\s+HTTP/[\d.]+)?$", line)
    method = match.group(1) or "GET"
    if not match.group(1) and not re.match(r"^(https?://|/|\{\{)", match.group(2)):
        return None
    request = Expected(name, method)
    if method in ("GRPC", "WEBSOCKET", "WS", "WSS", "RSOCKET", "MQTT", "AMQP", "SSE", "GRAPHQL") or re.match("wss?:|grpcs?:", match.group(2)):
        request.kind = "other"
    if hasScript or any(re.match(r"^\s*(<|>|<>)[@!\w]*\s+\S|^\s*>>|^\?\?|^\s*(#|//)\s*@(?!name|no-)\w", line) for line in lines):
        request.kind = "unknown"
    url, index = match.group(2), start + 1
    while index < len(lines) and re.match(r"^\s+[?&/#]", lines[index]) and not re.match(r"^\s+(# |//)", lines[index]):
        url, index = url + lines[index].strip(), index + 1
    url, fields = re.sub(r"\s+HTTP/[\d.]+$", "", url), []
    while index < len(lines) and lines[index].strip():
        field = lines[index]
        index += 1
        if re.match(r"^\s*(#|//)", field):
            continue
        if not re.match(r"^[^\s:]+\s*:", field):
            request.kind = "unknown"
            continue
        fields.append([piece.strip() for piece in field.split(":", 1)])
    body = "\n".join(lines[index + 1:]).strip("\n")
    try:
        if any("." in name and name.split(".")[0] not in values for name in re.findall(r"\{\{\s*([\w.-]+)", "\n".join(lines))):
            raise Unknown("a value of an earlier response")
        host = next((value for name, value in fields if name.lower() == "host"), None)
        request.url = substituted("http://" + host + url if url.startswith("/") and host else url, values)
        request.fields = [(substituted(name, values), substituted(value, values)) for name, value in fields]
        kind = next((value for name, value in request.fields if name.lower() == "content-type"), "")
        if re.search(r"^\s*(#|//)", body, re.M) or "multipart" in kind or "x-www-form-urlencoded" in kind:
            request.kind = request.kind or "unknown"
        for position, (name, value) in enumerate(request.fields):
            login = re.match(r"^Basic\s+(\S+)\s+(\S.*)$|^Basic\s+([^\s:]+):(\S*)$", value) if name.lower() == "authorization" else None
            if login:
                request.fields[position] = (name, basic(login.group(1) or login.group(3), login.group(2) or login.group(4) or ""))
        request.body = substituted(body, values) if body.strip() else None
    except Unknown:
        request.kind = "unknown"
    return request


# MARK: Bruno

def bruBlocks(source):
    """The blocks of a .bru file: their lines by name."""
    blocks, name, close = {}, None, None
    for line in source.replace("\r\n", "\n").split("\n"):
        match = re.match(r"^([\w:-]+)\s*([{\[])\s*$", line)
        if name is None and match:
            name, close = match.group(1), "}" if match.group(2) == "{" else "]"
            blocks[name] = []
        elif name and line.rstrip() == close:
            name = None
        elif name:
            blocks[name].append(line[2:] if line.startswith("  ") else line)
    return blocks


def bruRows(lines):
    """The enabled rows; a text over several lines stands between lines of three quotes."""
    rows, lines = [], iter(lines or [])
    for line in lines:
        line = line.strip()
        if line.startswith("@"):
            while line.count("'''") == 1 and (more := next(lines, None)) is not None:
                line = "'''" * 2 if "'''" in more else line
        if not line or line.startswith(("@", "'''")):
            continue
        isOn = not line.startswith("~")
        name, _, value = line.lstrip("~").partition(":")
        value = value.strip()
        if value == "'''":
            content = []
            while (more := next(lines, None)) is not None and more.strip() != "'''":
                content.append(more[2:] if more.startswith("  ") else more)
            value = "\n".join(content)
        if isOn:
            rows.append((name.strip().strip('"'), value))
    return rows


def openCollection(path):
    """A file of Bruno's YAML format as the blocks of a .bru file; None where it is not a request."""
    root = document(path)
    if not isinstance(root, dict):
        return {}
    row = lambda row: ("" if isOn(row) else "~") + f"{text(row.get('name'))}: {text(row.get('value'))}"
    blocks, main = {}, root.get("http") or root.get("request") or {}
    for key, name in (("websocket", "ws"), ("grpc", "grpc"), ("graphql", "unknown")):
        if key in root:
            return {name: []}
    rows = [row for row in root.get("variables") or [] if not isinstance(row.get("value"), dict) and row.get("secret") != "true"]
    blocks["vars"] = blocks["vars:pre-request"] = [row(item) for item in rows + list(main.get("variables") or [])]
    blocks["headers"] = [row(item) for item in main.get("headers") or []]
    blocks["params:path"] = [row(item) for item in main.get("params") or [] if item.get("type") == "path"]
    if any(script.get("type") in ("before-request", "pre-request") for script in (root.get("runtime") or {}).get("scripts") or []):
        blocks["script:pre-request"] = []
    auth = main.get("auth")
    kind = auth if isinstance(auth, str) else (auth or {}).get("type", "none")
    blocks["auth"] = [f"mode: {kind}"] if auth else []
    if isinstance(auth, dict):
        blocks[f"auth:{kind}"] = [f"{key}: {value}" for key, value in auth.items()]
    if "method" in main:
        body = main.get("body") or {}
        mode = body.get("type") or "none"
        blocks["http"] = [f"method: {main['method']}", f"url: {text(main.get('url'))}", f"body: {mode}", f"auth: {kind}"]
        blocks[f"body:{mode}"] = [row(item) for item in body["data"]] if mode == "form-urlencoded" else text(body.get("data")).split("\n")
    return blocks


def bruno(folder, environment):
    isYAML = os.path.exists(os.path.join(folder, "opencollection.yml"))
    ending, special = (".yml", ("folder.yml", "opencollection.yml")) if isYAML else (".bru", ("folder.bru", "collection.bru"))

    def bru(name):
        path = os.path.join(folder, name)
        return {} if not os.path.exists(path) else openCollection(path) if isYAML else bruBlocks(read(path))

    result, values, parents = [], {}, {}
    if environment:
        values = dict(bruRows(bru(f"environments/{environment}{ending}").get("vars")))
    collection = bru(special[1])
    for place, folders, names in os.walk(folder):
        folders.sort()
        relative = os.path.relpath(place, folder)
        if relative.split(os.sep)[0] in ("environments", "node_modules"):
            continue
        parents[relative] = parents.get(os.path.dirname(relative) or ".", []) + ([bru(os.path.join(relative, special[0]))] if relative != "." else [collection])
        for name in sorted(names):
            if name.endswith(ending) and name not in special:
                result.append(brunoRequest(bru(os.path.join(relative, name)), name[:-4], values, parents[relative]))
    return [request for request in result if request]


def brunoRequest(blocks, name, values, parents):
    verbs = "get post put patch delete head options trace connect http ws grpc unknown".split()
    verb = next((key for key in blocks if key in verbs), None)
    if not verb:
        return None
    request = Expected(name, verb.upper())
    try:
        if verb in ("ws", "grpc", "unknown"):
            request.kind = verb
            return request
        main = dict(bruRows(blocks[verb]))
        request.method = main.get("method", verb).upper()
        own = dict(values)
        for block in [*parents, blocks]:
            own.update(bruRows(block.get("vars:pre-request")))
            if "script:pre-request" in block:
                raise Unknown("script")
        url = substituted(main.get("url", ""), own)
        isEncoded = "settings" in blocks and dict(bruRows(blocks["settings"])).get("encodeUrl") != "false"
        quote = lambda text: urllib.parse.quote(text, safe="!*'()") if isEncoded else text
        for key, value in bruRows(blocks.get("params:path")):
            url = re.sub(rf"/:{re.escape(key)}(?=[/?#]|$)", lambda _: "/" + quote(substituted(value, own)), url)
        if isEncoded and "?" in url:
            path, _, query = url.partition("?")
            url = path + "?" + "&".join("=".join(quote(piece) for piece in pair.split("=", 1)) for pair in query.split("&") if pair)
        request.url = url
        rows = {}
        for block in [*parents, blocks]:
            for key, value in bruRows(block.get("headers")):
                rows[key.lower()] = (substituted(key, own), substituted(value, own))
        request.fields = list(rows.values())
        body = main.get("body", "none")
        content = "\n".join(blocks.get(f"body:{body}", []))
        kinds = {"json": "application/json", "xml": "application/xml", "text": "text/plain"}
        if body in kinds:
            request.body = substituted(content, own)
            if content:
                request.set("Content-Type", kinds[body])
        elif body in ("form-urlencoded", "formUrlEncoded"):
            request.body = Rows((key, substituted(value, own)) for key, value in bruRows(blocks.get("body:form-urlencoded")))
        elif body != "none":
            raise Unknown(body)
        auth = main.get("auth", "none")
        if auth == "inherit":
            for block in reversed(parents):
                auth = dict(bruRows(block.get("auth"))).get("mode", "inherit")
                if auth != "inherit":
                    blocks = block
                    break
        login = dict(bruRows(blocks.get(f"auth:{auth}")))
        value = lambda name: substituted(login.get(name, ""), own)
        if auth in ("none", "inherit"):
            pass
        elif auth == "basic":
            request.set("Authorization", basic(value("username"), value("password")))
        elif auth == "bearer":
            request.set("Authorization", "Bearer " + value("token"))
        elif auth == "apikey" and login.get("placement") == "header":
            request.set(value("key"), value("value"))
        else:
            raise Unknown(auth)
    except Unknown:
        request.kind = request.kind or "unknown"
    return request
