"""What OpenAPI 3 and Swagger 2.0 say about the request of an operation, written down independently of Sortie; see imports.py.

The rule: a request has the documented method, URL, required parameters, credentials and body. A value is the example of the parameter, of its media type
or of its schema, its `const`, its default, or the first one of its `enum`; where there is none, any value is right that the schema permits. Optional
parameters are not sent. Rules of styles are those of OpenAPI 3.1.1, §4.8.12 and appendix C, which are those of RFC 6570.
"""
import json
import os
import re
import urllib.parse

import sources

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
# How many operations of a file are sent; the others are compared by method and path.
SENT = 8
ANY = object()


class Number(str):
    """A number as it is written."""


def numbers(loader, node):
    text = loader.construct_scalar(node)
    if node.style:
        return text
    if text in ("null", "Null", "NULL", "~", ""):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text[0] in "tT"
    return Number(text) if re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", text) else text


class Document:
    """A description with the files of its references."""

    def __init__(self, path):
        self.folder, self.files = os.path.dirname(path), {}
        self.root = self.load(path)

    def load(self, path):
        path = os.path.normpath(path)
        if path not in self.files:
            self.files[path] = None
            if os.path.isfile(path):
                text = sources.read(path)
                try:
                    self.files[path] = json.loads(text, parse_int=Number, parse_float=Number)
                except ValueError:
                    class Loader(sources.yaml.BaseLoader):
                        pass
                    Loader.add_constructor("tag:yaml.org,2002:str", numbers)
                    self.files[path] = sources.yaml.load(text, Loader=Loader)
        return self.files[path]

    def follow(self, value, seen=()):
        """The value behind references of this file; None where it cannot be found."""
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            return value
        reference = value["$ref"]
        if reference in seen or not reference.startswith("#"):
            raise sources.Unknown(reference)
        found = self.root
        for part in urllib.parse.unquote(reference[1:]).split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            found = self.follow(found, (*seen, reference))
            found = found.get(part) if isinstance(found, dict) else found[int(part)] if isinstance(found, list) and part.isdigit() else None
        return self.follow(found, (*seen, reference))

    # MARK: Values

    def example(self, holder):
        """The example beside a schema, and whether there is one."""
        if "example" in holder and not (holder["example"] is None and "examples" in holder):
            return holder["example"], True
        examples = holder.get("examples")
        if isinstance(examples, list) and examples:
            return examples[0], True
        for item in (examples or {}).values() if isinstance(examples, dict) else []:
            item = self.follow(item)
            for key in ("dataValue", "value", "serializedValue"):
                if isinstance(item, dict) and key in item:
                    return item[key], True
        return None, False

    def value(self, schema):
        """The value that a schema names, or ANY."""
        layers = self.layers(schema)
        for layer in layers:
            found, isFound = self.example(layer)
            if isFound:
                return found
        for key in ("const", "default"):
            for layer in layers:
                if layer.get(key) is not None:
                    return layer[key]
        for layer in layers:
            known = [item for item in layer.get("enum") or [] if item is not None]
            if known:
                return known[0]
        return ANY

    def layers(self, schema, depth=0):
        schema = schema if isinstance(schema, dict) else {}
        target = self.follow(schema)
        result = [] if "$ref" in schema and len(schema) == 1 else [schema]
        if target is not schema and isinstance(target, dict):
            result.append(target)
        for item in (target or {}).get("allOf") or [] if depth < 8 else []:
            result += self.layers(item, depth + 1)
        return result

    def problems(self, value, schema, place="$", depth=0):
        """Why a JSON value is not that of a request for a schema."""
        if depth > 12 or not isinstance(schema, dict) or self.example(schema)[1]:
            return []
        try:
            schema = self.follow(schema) or {}
        except sources.Unknown:
            return []
        result = []
        for part in schema.get("allOf") or []:
            result += self.problems(value, part, place, depth + 1)
        choices = schema.get("oneOf") or schema.get("anyOf")
        if choices and all(self.problems(value, part, place, depth + 1) for part in choices):
            result.append(f"{place} is none of its alternatives")
        if value is None:
            return result
        if schema.get("enum") and not any(plain(item) == value for item in schema["enum"]):
            result.append(f"{place} is not in the enum")
        kinds = schema.get("type")
        kinds = [kinds] if isinstance(kinds, str) else kinds or []
        names = {"object": dict, "array": list, "string": str, "integer": (int, float), "number": (int, float), "boolean": bool, "file": str}
        if kinds and not any(isinstance(value, names[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in kinds if kind in names):
            result.append(f"{place} is no {kinds}")
        if isinstance(value, dict):
            properties = schema.get("properties") or {}
            for name in schema.get("required") or []:
                part = properties.get(name)
                if name not in value and not self.isReadOnly(part):
                    result.append(f"{place}.{name} is missing")
            for name, inner in value.items():
                if name in properties:
                    if self.isReadOnly(properties[name]):
                        result.append(f"{place}.{name} is only written by the server")
                    result += self.problems(inner, properties[name], f"{place}.{name}", depth + 1)
        if isinstance(value, list):
            for inner in value[:3]:
                result += self.problems(inner, schema.get("items") or {}, f"{place}[]", depth + 1)
        return result

    def isReadOnly(self, schema):
        try:
            return any(layer.get("readOnly") is True for layer in self.layers(schema))
        except sources.Unknown:
            return False


def plain(value):
    """A value as json.loads makes it."""
    if isinstance(value, Number):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def text(value):
    """A scalar as the text of a parameter."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value if isinstance(value, str) else None


def encoded(value, isReserved=False):
    found = text(value)
    if found is None:
        raise sources.Unknown("a value within a value")
    return urllib.parse.quote(found, safe="!$'()*,;:@/?[]" if isReserved else "")


def pairs(name, value, style, explodes, isReserved=False):
    """The text of a parameter in a query, a form or a cookie, as a list of `name=value`."""
    key = urllib.parse.quote(name, safe="")
    mark = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}.get(style, ",")
    one = lambda item: encoded(item, isReserved)
    if isinstance(value, list):
        if style == "deepObject":
            raise sources.Unknown("a list has no deepObject")
        return [f"{key}={one(item)}" for item in value] if explodes and value else [f"{key}=" + mark.join(map(one, value))]
    if isinstance(value, dict):
        if style == "deepObject" and value:
            return [urllib.parse.quote(f"{name}[{inner}]", safe="") + "=" + one(item) for inner, item in value.items()]
        if explodes and value:
            return [f"{urllib.parse.quote(inner, safe='')}={one(item)}" for inner, item in value.items()]
        return [f"{key}=" + mark.join(f"{urllib.parse.quote(inner, safe='')}{mark}{one(item)}" for inner, item in value.items())]
    return [f"{key}={one(value)}"]


def segment(name, value, style, explodes, one=encoded):
    """The text of a parameter in a path or a header field."""
    mark = {"label": ".", "matrix": ";"}.get(style, ",") if explodes else ","
    prefix = {"label": ".", "matrix": ";"}.get(style, "")
    if isinstance(value, list):
        if style == "matrix":
            return ";" + (mark.join(f"{name}={one(item)}" for item in value) if explodes else f"{name}=" + ",".join(map(one, value)))
        return prefix + mark.join(map(one, value))
    if isinstance(value, dict):
        joined = mark.join(f"{inner}{'=' if explodes else ','}{one(item)}" for inner, item in value.items())
        return (";" if explodes else f";{name}=") + joined if style == "matrix" else prefix + joined
    return f";{name}={one(value)}" if style == "matrix" else prefix + one(value)


class Operation(sources.Expected):
    """The request of an operation, which is compared by what the description says."""

    def __init__(self, document, path, method, layers, isSwagger):
        super().__init__(path, method.upper(), kind="operation")
        self.document, self.layers, self.isSwagger = document, layers, isSwagger
        self.parameters = {}
        for layer in layers:
            for item in layer.get("parameters") or []:
                item = document.follow(item)
                if isinstance(item, dict) and item.get("name") and item.get("in"):
                    place = item["in"]
                    self.parameters[place, item["name"].lower() if place == "header" else item["name"]] = item

    def member(self, name):
        return next((layer[name] for layer in reversed(self.layers) if layer.get(name) is not None), self.document.root.get(name))

    def styled(self, item, place):
        if self.isSwagger:
            styles = {"multi": ("form", True), "ssv": ("spaceDelimited", False), "tsv": ("tabDelimited", False), "pipes": ("pipeDelimited", False)}
            return styles.get(item.get("collectionFormat"), ("simple" if place in ("path", "header") else "form", False))
        style = item.get("style") or ("simple" if place in ("path", "header") else "form")
        explode = item.get("explode")
        return style, explode if explode is not None else style in ("form", "deepObject")

    def valueOf(self, item):
        found, isFound = self.document.example(item)
        if isFound:
            return found
        if item.get("content"):
            media = self.document.follow(next(iter(item["content"].values()))) or {}
            found, isFound = self.document.example(media)
            found = found if isFound else self.document.value(media.get("schema"))
            return found if found is ANY or isinstance(found, str) else json.dumps(plain(found), separators=(",", ":"), ensure_ascii=False)
        return self.document.value(item if self.isSwagger else item.get("schema"))

    # MARK: Comparison

    def differences(self, wire):
        try:
            return [*self.urlDifferences(wire), *self.fieldDifferences(wire), *self.bodyDifferences(wire)]
        except sources.Unknown:
            return []

    def server(self):
        root = self.document.root
        if self.isSwagger:
            schemes = self.member("schemes") or ["https"]
            return ("https" if "https" in schemes else schemes[0]) + "://" + (root.get("host") or "localhost") + (root.get("basePath") or "")
        servers = self.member("servers") or [{"url": "/"}]
        server = self.document.follow(servers[0])
        url = server.get("url") or "/"
        for name, variable in (server.get("variables") or {}).items():
            url = url.replace("{" + name + "}", str(variable.get("default")))
        return url

    def urlDifferences(self, wire):
        result = [] if self.method == wire.method else [f"method {self.method} → {wire.method}"]
        path, _, query = wire.target.partition("?")
        server = self.server().rstrip("/")
        isLocal = not re.match(r"https?://[^/{]", server)
        pattern = "" if isLocal else re.escape(urllib.parse.quote(urllib.parse.urlsplit(server).path, safe="/:@!$&'()*+,;=%~"))
        for piece in re.split(r"(\{[^{}]+\})", re.sub("[?#].*", "", self.name)):
            item = self.parameters.get(("path", piece[1:-1])) if piece.startswith("{") else None
            if not piece.startswith("{"):
                pattern += re.escape(urllib.parse.quote(piece, safe="/:@!$&'()*+,;=%~"))
            elif item is None or (value := self.valueOf(item)) is ANY or value in ("", None):
                pattern += "[^/?]*"
            else:
                pattern += re.escape(segment(piece[1:-1], value, *self.styled(item, "path")))
        if not re.fullmatch((".*" if isLocal else "") + pattern, path):
            result.append(f"path {pattern} → {path}")
        if not isLocal and not self.isSwagger:
            place = urllib.parse.urlsplit(server)
            sent = ("https" if wire.isSecure else "http", wire.host)
            host = re.sub(":443$" if place.scheme == "https" else ":80$", "", place.netloc.rpartition("@")[2].lower())
            if sent != (place.scheme, host):
                result.append(f"server {server} → {sent}")
        return result + self.query(query)

    def query(self, query):
        sent = [pair for pair in query.split("&") if pair]
        keys = [name for place, name in self.security()[1] if place == "query"]
        sent = [pair for pair in sent if urllib.parse.unquote(pair.split("=")[0]) not in keys]
        # A path with a query has no rule.
        result, isOpen = [], "?" in self.name
        for (place, name), item in self.parameters.items():
            if place == "querystring":
                isOpen = True
            if place != "query" or item.get("required") is not True or name in keys:
                continue
            value = self.valueOf(item)
            style, explodes = self.styled(item, "query")
            try:
                wanted = None if value is ANY else pairs(name, value, style, explodes, item.get("allowReserved") is True)
            except sources.Unknown:
                wanted = None
            if wanted is None:
                isOpen = isOpen or explodes
                found = [pair for pair in sent if urllib.parse.unquote(pair.split("=")[0]).split("[")[0] == name]
                if not found and not isOpen:
                    result.append(f"query {name} is missing in {query}")
                sent = [pair for pair in sent if pair not in found]
                continue
            for pair in wanted:
                if pair in sent:
                    sent.remove(pair)
                else:
                    result.append(f"query {pair} is missing in {query}")
        return result + ([f"query additional {sent}"] if sent and not isOpen else [])

    def security(self):
        """The alternatives of the operation, as lists of places with names, and all places together."""
        root = self.document.root
        schemes = root.get("securityDefinitions") if self.isSwagger else (root.get("components") or {}).get("securitySchemes")
        alternatives = []
        for alternative in self.member("security") or []:
            places = []
            for name in alternative:
                scheme = self.document.follow((schemes or {}).get(name)) or {}
                if scheme.get("type") == "apiKey":
                    place, field = scheme.get("in"), scheme.get("name") or ""
                    places.append((place, field.lower() if place == "header" else field))
                elif str(scheme.get("scheme")).lower() == "digest":
                    places.append(("unknown", "the server asks first"))
                elif scheme.get("type") in ("http", "basic", "oauth2", "openIdConnect"):
                    places.append(("header", "authorization"))
                else:
                    places.append(("unknown", name))
            alternatives.append(places)
        return alternatives, [place for places in alternatives for place in places]

    def fieldDifferences(self, wire):
        sent = [(name.lower(), value) for name, value in wire.fields]
        cookies = [pair.strip().partition("=")[::2] for name, value in sent if name == "cookie" for pair in value.split(";")]
        names = {name for name, _ in sent}
        result, known = [], {"content-type", "cookie"}
        for (place, name), item in self.parameters.items():
            if place not in ("header", "cookie") or item.get("required") is not True:
                continue
            value = self.valueOf(item)
            style, explodes = self.styled(item, place)
            if place == "header" and name not in ("accept", "content-type", "authorization"):
                known.add(name)
                if name not in names:
                    result.append(f"field {name} is missing")
                elif value is not ANY:
                    wanted = " ".join(segment(name, value, style, explodes, text).split())
                    if wanted and (name, wanted) not in sent:
                        result.append(f"field {name}: {wanted!r} → {wire.field(name)!r}")
            if place == "cookie":
                found = [urllib.parse.unquote(value) for key, value in cookies if key == name]
                if not found and not (explodes and (value is ANY or isinstance(value, (list, dict)))):
                    result.append(f"cookie {name} is missing")
                elif value is not ANY and not isinstance(value, (list, dict)) and text(value) not in found:
                    result.append(f"cookie {name}={value} → {found}")
        alternatives, places = self.security()
        known |= {name for place, name in places if place == "header"} | {name for place, name in self.parameters if place == "header"}
        sentQuery = [urllib.parse.unquote(pair.split("=")[0]) for pair in wire.target.partition("?")[2].split("&")]
        has = {"header": names, "query": sentQuery, "cookie": [key for key, _ in cookies]}
        isSent = [all(place == "unknown" or name in has.get(place, ()) for place, name in places) for places in alternatives]
        if alternatives and not any(isSent):
            result.append(f"credentials {alternatives} are missing")
        extra = names - known - DEFAULTS
        if "@" in urllib.parse.urlsplit(self.server()).netloc:
            extra.discard("authorization")
        if extra:
            result.append(f"fields additional {sorted(extra)}")
        return result

    # MARK: Body

    def bodyDifferences(self, wire):
        kind = (wire.field("content-type") or "").split(";")[0].strip().lower()
        if self.isSwagger:
            return self.swaggerBody(wire, kind)
        body = self.document.follow(self.member("requestBody")) if any("requestBody" in layer for layer in self.layers) else None
        content = (body or {}).get("content") or {}
        if not content:
            return [f"body {wire.body[:80]} is not described"] if wire.body else []
        media = next((media for name, media in content.items() if name.split(";")[0].strip().lower() == kind), None)
        if media is None:
            isAny = any("*" in name for name in content)
            return [] if isAny else [f"content type {list(content)} → {kind!r}"]
        media = self.document.follow(media) or {}
        return self.content(wire, kind, media.get("schema"), *self.document.example(media), media.get("encoding") or {})

    def swaggerBody(self, wire, kind):
        item = next((item for (place, _), item in self.parameters.items() if place == "body"), None)
        form = [item for (place, _), item in self.parameters.items() if place == "formData"]
        consumes = [name.split(";")[0].strip().lower() for name in self.member("consumes") or []]
        if item is None and not form:
            return [f"body {wire.body[:80]} is not described"] if wire.body else []
        if item is not None:
            if kind not in (consumes or ["application/json"]):
                return [f"content type {consumes} → {kind!r}"]
            return self.content(wire, kind, item.get("schema"), *self.document.example(item), {})
        sent = self.names(wire, kind)
        return [f"form field {item['name']} is missing" for item in form if item.get("required") is True and item["name"] not in sent]

    def names(self, wire, kind):
        if kind.startswith("multipart/"):
            return {name.decode("utf-8", "replace") for name in re.findall(rb'\bname="([^"]*)"', wire.body)}
        return {name for name, _ in urllib.parse.parse_qsl(wire.body.decode("utf-8", "replace"), keep_blank_values=True)}

    def content(self, wire, kind, schema, example, hasExample, encoding):
        if not hasExample and schema is not None:
            example = self.document.value(schema)
            hasExample = example is not ANY
        if kind == "application/json" or kind.endswith("+json"):
            try:
                sent = json.loads(wire.body)
            except ValueError:
                return [f"body {wire.body[:80]} is no JSON"]
            if not hasExample:
                return self.document.problems(sent, schema)[:3]
            if isinstance(example, str) and not isinstance(example, Number):
                try:
                    example = json.loads(example)
                except ValueError:
                    pass
            return [] if json.loads(json.dumps(plain(example))) == sent else [f"body {example} → {sent}"]
        if kind == "application/x-www-form-urlencoded" and hasExample and isinstance(example, dict):
            wanted = []
            for name, value in example.items():
                field = encoding.get(name) or {}
                isStyled = "style" in field or "explode" in field
                if isinstance(value, dict) and not isStyled:
                    raise sources.Unknown("an object in a form")
                style, explodes = self.styled(field, "query")
                wanted += [urllib.parse.unquote(pair) for pair in pairs(name, value, style, explodes)]
            sent = [urllib.parse.unquote_plus(pair) for pair in wire.body.decode("utf-8", "replace").split("&")]
            return [] if wanted == sent else [f"form {wanted} → {sent}"]
        if kind == "application/x-www-form-urlencoded" or kind.startswith("multipart/"):
            sent, result = self.names(wire, kind), []
            for layer in self.document.layers(schema):
                for name in layer.get("required") or []:
                    isSent = any(key == name or key.startswith(name + "[") for key in sent)
                    if not isSent and name in (layer.get("properties") or {}) and not self.document.isReadOnly(layer["properties"][name]):
                        result.append(f"form field {name} is missing")
            return result
        if hasExample and isinstance(example, str):
            return [] if wire.body.decode("utf-8", "replace").strip() == example.strip() else [f"body {example!r} → {wire.body[:80]}"]
        return []


DEFAULTS = {"host", "user-agent", "accept", "accept-encoding", "connection", "content-length", "expect", "transfer-encoding", "cache-control"}


def operations(path):
    """The operations of a description; the first ones are compared as they are sent."""
    document = Document(path)
    root = document.root if isinstance(document.root, dict) else {}
    result = []
    isSwagger = "openapi" not in root and "swagger" in root
    paths = root.get("paths")
    for name, item in paths.items() if isinstance(paths, dict) else []:
        if not isinstance(item, dict) or name.startswith("x-"):
            continue
        for method, operation in item.items():
            if method not in METHODS:
                continue
            try:
                request = Operation(document, name, method, [item, document.follow(operation) or {}], isSwagger)
                request.kind = "operation" if isinstance(operation, dict) else "unknown"
            except (sources.Unknown, AttributeError, TypeError):
                request = sources.Expected(name, method.upper(), kind="operation")
            result.append(request)
    step = max(1, len(result) // SENT)
    for request in result[::step][:SENT]:
        if isinstance(request, Operation):
            request.kind = None
    return result
