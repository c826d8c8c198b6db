"""A server made with FastAPI, whose description and behaviour agree except for one fault in each operation or resource below /faults.

`faulty.py --list` prints the faults as JSON: the path of each, what is wrong, and the category of `sortie contract test` that names it. Otherwise it serves
on the descriptor of `--fd` until the other end of descriptor 3 closes, or on `--port` of 127.0.0.1 until its standard input ends.
"""
import json
import math
import os
import struct
import sys
import threading
from typing import Annotated, Literal, Union

import uvicorn
from fastapi import Body, Depends, FastAPI, Form, Header, HTTPException, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field

app = FastAPI(title="Faults", version="1")
FAULTS = {}
TOKEN = "let-me-in"


def fault(path, text, category):
    """Notes a fault of the operations whose paths begin with a path."""
    FAULTS[f"/faults/{path}"] = (text, category)


def described(*parameters, body=None):
    """Parts of a request that the description has and the server does not enforce."""
    extra = {"parameters": list(parameters)}
    if body is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return extra


def parameter(name, schema, place="query", required=True):
    return {"name": name, "in": place, "required": required, "schema": schema}


REFUSAL = {422: {"description": "refused"}, 400: {"description": "refused"}}
MISSING = {404: {"description": "not found"}}
DENIED = {401: {"description": "no credentials"}, 403: {"description": "other credentials"}}


# Requests that the server cannot handle

fault("maximum", "500 for the largest permitted number", "serverError")
@app.get("/faults/maximum")
def maximum(limit: Annotated[int, Query(ge=1, le=100)] = 10) -> list[int]:
    return [number * number for number in range(limit)] if limit < 100 else [][limit]


fault("zero", "500 for 0, by which it divides", "serverError")
@app.get("/faults/zero")
def zero(size: Annotated[int, Query(ge=0, le=50)]) -> int:
    return 100 // size


fault("negative", "500 for negative numbers, which have no minimum", "serverError")
@app.get("/faults/negative")
def negative(days: int) -> float:
    return math.sqrt(days)


fault("large", "500 for integers above 64 bits", "serverError")
@app.get("/faults/large/{id}")
def large(id: int) -> int:
    return struct.unpack("q", struct.pack("q", id))[0]


fault("blank", "500 for an empty text", "serverError")
@app.get("/faults/blank")
def blank(q: str) -> str:
    return q[0]


fault("unicode", "500 for characters outside of Latin 1", "serverError")
@app.get("/faults/unicode")
def unicode(q: str) -> int:
    return len(q.encode("latin-1"))


fault("longest", "500 for the longest permitted text", "serverError")
@app.get("/faults/longest")
def longest(name: Annotated[str, Query(min_length=1, max_length=64)]) -> str:
    return name if len(name) < 64 else name[64]


fault("absent", "500 without an optional parameter", "serverError")
@app.get("/faults/absent")
def absent(sort: str | None = None) -> str:
    return sort.lower()


fault("range", "500 where the lower limit is above the upper one", "serverError")
@app.get("/faults/range")
def range_(low: Annotated[int, Query(ge=0, le=1000)] = 0, high: Annotated[int, Query(ge=0, le=1000)] = 1000) -> list[int]:
    if low > high:
        raise ValueError("an empty range")
    return [low, high]


class Note(BaseModel):
    title: Annotated[str, Field(min_length=1)]
    note: str | None = None


class Optional_(BaseModel):
    first: int
    second: int = 0


fault("null", "500 for a member that is null", "serverError")
@app.post("/faults/null")
def null(note: Note) -> int:
    return len(note.note if "note" in note.model_fields_set else "")


fault("optional", "500 without an optional member", "serverError")
@app.post("/faults/optional")
def optional(value: Optional_) -> int:
    return sum(getattr(value, name) for name in ("first", "second") if name in value.model_fields_set) // ("second" in value.model_fields_set)


class Tags(BaseModel):
    tags: list[str]


fault("empty-list", "500 for an empty list", "serverError")
@app.post("/faults/empty-list")
def empty_list(body: Tags) -> str:
    return body.tags[0]


class Line(BaseModel):
    sku: str
    quantity: Annotated[int, Field(ge=1, le=1000)]


class Order(BaseModel):
    lines: Annotated[list[Line], Field(min_length=1, max_length=5)]


fault("nested", "500 for the largest number of a member of a list", "serverError")
@app.post("/faults/nested")
def nested(order: Order) -> int:
    if any(line.quantity == 1000 for line in order.lines):
        raise OverflowError("three digits")
    return 1


class Card(BaseModel):
    kind: Literal["card"]
    number: str


class Transfer(BaseModel):
    kind: Literal["transfer"]
    iban: str


fault("alternative", "500 for the second alternative of a body", "serverError")
@app.post("/faults/alternative")
def alternative(payment: Annotated[Union[Card, Transfer], Body(discriminator="kind")]) -> str:
    return payment.number


fault("form", "500 for the largest number of a form", "serverError")
@app.post("/faults/form")
def form(name: Annotated[str, Form()], age: Annotated[int, Form(ge=0, le=150)] = 1) -> str:
    return name if age < 150 else name[1000]


fault("date", "500 for a text that is no date", "serverError")
@app.get("/faults/date", openapi_extra=described(parameter("day", {"type": "string", "format": "date"})), responses=REFUSAL)
def date(request: Request) -> int:
    year, month, day = request.query_params.get("day", "").split("-")
    return int(year) + int(month) + int(day)


# Responses that are not as described

fault("status", "409, which is not in the description, for one value of an enum", "notAsDescribed")
@app.get("/faults/status")
def status(kind: Literal["new", "open", "closed"]) -> str:
    if kind == "closed":
        raise HTTPException(409)
    return kind


class Item(BaseModel):
    id: int
    state: Literal["new", "open"]
    created: str = Field(json_schema_extra={"format": "date-time"})


ITEM = {"id": 7, "state": "new", "created": "2026-11-30T03:00:00Z"}


fault("type", "a text where the response has an integer", "notAsDescribed")
@app.get("/faults/type", response_model=Item)
def type_():
    return JSONResponse({**ITEM, "id": "7"})


fault("member", "a required member is missing, where brief is true", "notAsDescribed")
@app.get("/faults/member", response_model=Item)
def member(brief: bool = False):
    return JSONResponse({"id": 7} if brief else ITEM)


fault("null-member", "null where the response has a text, for one number", "notAsDescribed")
@app.get("/faults/null-member", response_model=Item)
def null_member(page: Annotated[int, Query(ge=1, le=9)] = 1):
    return JSONResponse({**ITEM, "created": None} if page == 9 else ITEM)


fault("value", "a value that the enum of the response does not have", "notAsDescribed")
@app.get("/faults/value", response_model=Item)
def value(archived: bool = False):
    return JSONResponse({**ITEM, "state": "archived"} if archived else ITEM)


fault("format", "a time that is none", "notAsDescribed")
@app.get("/faults/format", response_model=Item)
def format_():
    return JSONResponse({**ITEM, "created": "yesterday"})


fault("media", "HTML where the response is JSON, for one value", "notAsDescribed")
@app.get("/faults/media")
def media(view: Literal["full", "page"] = "full") -> list[int]:
    return HTMLResponse("<p>1</p>") if view == "page" else [1]


fault("field", "a required header field is missing", "notAsDescribed")
@app.get("/faults/field", responses={200: {"headers": {"X-Total": {"required": True, "schema": {"type": "integer"}}}}})
def field() -> list[int]:
    return [1]


fault("list", "an item of a list that is not as described, with 50 items", "notAsDescribed")
@app.get("/faults/list", response_model=list[Item])
def list_(size: Annotated[int, Query(ge=0, le=50)] = 3):
    return JSONResponse([{**ITEM, "id": number if number < 49 else 0.5} for number in range(size)])


# Invalid requests that are accepted, and valid ones that are not

NUMBER = {"type": "integer", "minimum": 1, "maximum": 100}

fault("accepts-number", "a number above the maximum is accepted", "acceptedInvalid")
@app.get("/faults/accepts-number", openapi_extra=described(parameter("limit", NUMBER)), responses=REFUSAL)
def accepts_number(request: Request) -> str:
    if not request.query_params.get("limit", "").isdigit():
        raise HTTPException(422)
    return "fine"


fault("accepts-enum", "a value that the enum does not have is accepted", "acceptedInvalid")
@app.get("/faults/accepts-enum", openapi_extra=described(parameter("sort", {"type": "string", "enum": ["up", "down"]})), responses=REFUSAL)
def accepts_enum(request: Request) -> str:
    if "sort" not in request.query_params:
        raise HTTPException(422)
    return "fine"


CODE = {"type": "string", "pattern": "^[A-Z]{3}$"}

fault("accepts-pattern", "a text that the pattern does not match is accepted", "acceptedInvalid")
@app.get("/faults/accepts-pattern/{code}", openapi_extra=described(parameter("code", CODE, "path")), responses=REFUSAL)
def accepts_pattern(request: Request) -> str:
    return "fine"


UNIQUE = {"type": "array", "uniqueItems": True, "items": {"type": "string"}}

fault("accepts-repeated", "items that have to be unique are accepted twice", "acceptedInvalid")
@app.get("/faults/accepts-repeated", openapi_extra=described(parameter("tag", UNIQUE)), responses=REFUSAL)
def accepts_repeated(request: Request) -> str:
    if "tag" not in request.query_params:
        raise HTTPException(422)
    return "fine"


fault("accepts-no-query", "a request without a required parameter is accepted", "acceptedInvalid")
@app.get("/faults/accepts-no-query", openapi_extra=described(parameter("q", {"type": "string"})), responses=REFUSAL)
def accepts_no_query() -> str:
    return "fine"


fault("accepts-no-field", "a request without a required header field is accepted", "acceptedInvalid")
@app.get("/faults/accepts-no-field", openapi_extra=described(parameter("X-Tenant", {"type": "string"}, "header")), responses=REFUSAL)
def accepts_no_field() -> str:
    return "fine"


PERSON = {
    "type": "object", "required": ["name", "age"], "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 2}, "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
    },
}


def person(body, *leave):
    """Whether a body is a person, without some of the rules."""
    try:
        value = json.loads(body)
    except ValueError:
        return "syntax" in leave
    if not isinstance(value, dict) or not {"name", "age"} <= set(value) and "missing" not in leave:
        return False
    if set(value) - {"name", "age", "tags"} and "extra" not in leave:
        return False
    name, age, tags = value.get("name", "ab"), value.get("age", 0), value.get("tags", [])
    if not isinstance(name, str) and "type" not in leave or isinstance(name, str) and len(name) < 2 and "length" not in leave:
        return False
    if isinstance(age, float) and age.is_integer():
        age = int(age)
    is_number = isinstance(age, int) and not isinstance(age, bool)
    if not is_number and "type" not in leave or is_number and age < 0:
        return False
    return isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) and (len(tags) <= 2 or "items" in leave)


def accepts(rule, text):
    fault(f"accepts-{rule}", text, "acceptedInvalid")

    @app.post(f"/faults/accepts-{rule}", name=f"accepts_{rule}", openapi_extra=described(body=PERSON), responses=REFUSAL)
    async def handle(request: Request) -> str:
        if not person(await request.body(), rule):
            raise HTTPException(422)
        return "fine"


accepts("missing", "a body without a required member is accepted")
accepts("type", "a member of another type is accepted")
accepts("length", "a text below its shortest length is accepted")
accepts("extra", "a member is accepted that is not described, and that is excluded")
accepts("items", "a list with too many items is accepted")
accepts("syntax", "a body that is no JSON is accepted")


fault("refuses", "the largest permitted number is refused", "refusedValid")
@app.get("/faults/refuses", openapi_extra=described(parameter("limit", NUMBER)), responses=REFUSAL)
def refuses(request: Request) -> str:
    limit = request.query_params.get("limit", "")
    if not limit.isdigit() or not 1 <= int(limit) < 100:
        raise HTTPException(422)
    return "fine"


# Credentials and methods

scheme = HTTPBearer(auto_error=False)


def credentials(checks_presence=True, checks_value=True):
    def check(given=Depends(scheme)):
        if checks_presence and given is None:
            raise HTTPException(401)
        if checks_value and given is not None and given.credentials != TOKEN:
            raise HTTPException(403)
    return Depends(check)


fault("no-credentials", "a request without credentials is accepted", "acceptedWithoutCredentials")
@app.get("/faults/no-credentials", dependencies=[credentials(checks_presence=False)], responses=DENIED)
def no_credentials() -> str:
    return "fine"


fault("any-credentials", "any credentials are accepted", "acceptedWithoutCredentials")
@app.get("/faults/any-credentials", dependencies=[credentials(checks_value=False)], responses=DENIED)
def any_credentials() -> str:
    return "fine"


fault("method", "DELETE is accepted, which the path does not have", "acceptedMethod")
@app.get("/faults/method")
def method() -> str:
    return "fine"


@app.delete("/faults/method", include_in_schema=False)
def hidden_method() -> str:
    return "fine"


# What is created

STORE = {}


class New(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=20)]


class Stored(New):
    id: int


def create(kind, new):
    number = len(STORE) + 1
    STORE[kind, number] = {"id": number, "name": new.name}
    return STORE[kind, number]


def stored(kind, id):
    if (kind, id) not in STORE:
        raise HTTPException(404)
    return STORE[kind, id]


def remove(kind, id):
    stored(kind, id)
    del STORE[kind, id]


def resource(kind, prefix, lost=False, kept=False, breaks=False):
    @app.post(f"{prefix}/{kind}", status_code=201, name=f"create_{kind}")
    def post(new: New) -> Stored:
        return create(kind, new)

    @app.get(f"{prefix}/{kind}/{{id}}", responses=MISSING, name=f"read_{kind}")
    def get(id: int) -> Stored:
        return stored(kind, -1 if lost else id)

    @app.put(f"{prefix}/{kind}/{{id}}", responses=MISSING, name=f"change_{kind}")
    def put(id: int, new: New) -> Stored:
        stored(kind, id)["name"] = None if breaks else new.name
        return stored(kind, id)

    @app.delete(f"{prefix}/{kind}/{{id}}", status_code=204, responses=MISSING, name=f"remove_{kind}")
    def delete(id: int) -> None:
        stored(kind, id) if kept else remove(kind, id)


fault("lost", "what was created is not found", "notCreated")
resource("lost", "/faults", lost=True)
fault("kept", "what was deleted is still found", "notDeleted")
resource("kept", "/faults", kept=True)
fault("breaks", "500 for a change of what was created", "serverError")
resource("breaks", "/faults", breaks=True)


# Operations without a fault

resource("orders", "/fine")


@app.get("/fine/list")
def fine_list(
    response: Response, limit: Annotated[int, Query(ge=1, le=100, multiple_of=1)] = 10, sort: Literal["up", "down"] = "up",
    tags: Annotated[list[str], Query(max_length=3)] = [], q: Annotated[str | None, Query(min_length=2, max_length=10)] = None,
) -> list[Item]:
    return [ITEM] * limit


@app.get("/fine/{code}/part")
def fine_part(code: Annotated[str, Path(pattern="^[A-Z]{3}$")], x_tenant: Annotated[str, Header(min_length=1)]) -> str:
    return code


@app.post("/fine/order")
def fine_order(order: Order) -> Order:
    return order


@app.post("/fine/payment")
def fine_payment(payment: Annotated[Union[Card, Transfer], Body(discriminator="kind")]) -> str:
    return payment.kind


@app.post("/fine/note")
def fine_note(note: Note) -> Note:
    return note


@app.post("/fine/person", openapi_extra=described(body=PERSON), responses=REFUSAL)
async def fine_person(request: Request) -> str:
    if not person(await request.body()):
        raise HTTPException(422)
    return "fine"


@app.post("/fine/form")
def fine_form(name: Annotated[str, Form(max_length=9)], age: Annotated[int, Form(ge=0, le=150)] = 1) -> str:
    return name


@app.get("/fine/secret", dependencies=[credentials()], responses=DENIED)
def fine_secret() -> str:
    return "fine"


if __name__ == "__main__":
    if "--list" in sys.argv:
        print(json.dumps([{"path": path, "text": text, "category": category} for path, (text, category) in FAULTS.items()]))
        sys.exit()
    if "--document" in sys.argv:
        print(json.dumps(app.openapi(), indent=1))
        sys.exit()
    if "--fd" in sys.argv:
        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        uvicorn.run(app, fd=int(sys.argv[sys.argv.index("--fd") + 1]), log_level="critical")
    else:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical")
