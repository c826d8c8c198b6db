"""A description of Stripe's size: 4 MB with 450 operations and 1000 schemas that refer to each other, as JSON and as YAML."""
import json
import random


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


def texts():
    """The names and the texts of both files."""
    value = description()
    return [("large.json", json.dumps(value, indent=1)), ("large.yaml", yaml(value, 0).lstrip())]
