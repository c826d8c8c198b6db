"""Import of a description of Stripe's size: openapi.py [SORTIE]; by default the program of `make build`.

Generates a description of 4 MB with 450 operations and 1000 schemas that refer to each other, as JSON and as YAML, imports both, and prints wall time
and the greatest resident size. The limits are 3 s and 80 MiB, of which the program itself has 40; the exit status is 1 where one is exceeded.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SECONDS, MEBIBYTES = 3.0, 80


def schema(random, number):
    text = "The value that the service determines for this member, and that clients may change. " * 4
    properties = {"id": {"type": "string", "description": text}}
    for index in range(12):
        other = {"$ref": f"#/components/schemas/S{random.randrange(1000)}"}
        kinds = [
            {"type": "string", "maxLength": 5000, "description": text}, {"type": "integer", "format": "unix-time", "description": text}, other,
            {"anyOf": [{"type": "string"}, other], "nullable": True}, {"type": "array", "items": other},
            {"type": "string", "enum": ["active", "past_due", "cancelled"]}, {"type": "object", "additionalProperties": {"type": "string"}},
        ]
        properties[f"member_{index}"] = random.choice(kinds)
    return {"type": "object", "title": f"S{number}", "required": ["id"], "properties": properties}


def description():
    source = random.Random(19)
    paths = {}
    for number in range(450):
        path = f"/v1/resource_{number // 3}" + ("/{id}" if number % 3 else "")
        operation = {
            "operationId": f"operation{number}", "summary": f"Operation {number}", "description": "What it does. " * 20, "tags": [f"tag{number // 15}"],
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}] if number % 3 else [],
            "responses": {
                "200": {"description": "fine", "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/S{number}"}}}},
                "default": {"description": "error", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S1"}}}},
            },
        }
        operation["parameters"].append(
            {"name": "expand", "in": "query", "style": "deepObject", "explode": True, "schema": {"type": "array", "items": {"type": "string"}}})
        method = ["get", "post", "delete"][number % 3]
        if method == "post":
            kind = "application/json" if number % 2 else "application/x-www-form-urlencoded"
            operation["requestBody"] = {"content": {kind: {"schema": {"$ref": f"#/components/schemas/S{number}"}}}}
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.0.0", "info": {"title": "Large", "version": "2026-11-22"}, "servers": [{"url": "https://api.example.com/"}],
        "security": [{"bearerAuth": []}], "paths": paths,
        "components": {
            "schemas": {f"S{number}": schema(source, number) for number in range(1000)},
            "securitySchemes": {"bearerAuth": {"type": "http", "scheme": "bearer"}},
        },
    }


def yaml(value, indentation):
    """Block YAML; scalars are JSON, which is YAML."""
    if isinstance(value, dict) and value:
        return "".join(f"\n{' ' * indentation}{json.dumps(key)}: {yaml(inner, indentation + 2)}" for key, inner in value.items())
    if isinstance(value, list) and value:
        return "".join(f"\n{' ' * indentation}-{yaml(inner, indentation + 2) if isinstance(inner, (dict, list)) else ' ' + json.dumps(inner)}" for inner in value)
    return json.dumps(value)


def measure(sortie, file, folder):
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvp(sortie, [sortie, "import", file, "-o", os.path.join(folder, "ws-" + os.path.basename(file))])
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{file}: exit status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    sortie = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else subprocess.run(
        ["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip() + "/sortie"
    folder = tempfile.mkdtemp()
    try:
        value = description()
        isSlow = False
        for name, text in [("large.json", json.dumps(value, indent=1)), ("large.yaml", yaml(value, 0).lstrip())]:
            file = os.path.join(folder, name)
            with open(file, "w") as output:
                output.write(text)
            seconds, size = measure(sortie, file, folder)
            isSlow = isSlow or seconds > SECONDS or size > MEBIBYTES
            print(f"{name}: {len(text) / 1e6:.1f} MB, {seconds:.2f} s, {size:.0f} MiB")
        sys.exit(isSlow)
    finally:
        shutil.rmtree(folder)


main()
