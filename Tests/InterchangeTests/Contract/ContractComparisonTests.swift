import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares versions of descriptions, and counts what of a description was used.
struct ContractComparisonTests {
    private func source(_ parameters: String, body: String = "", schema: String, paths: String = "") -> ImportSource {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /x/{id}:
                post:
                  parameters: [\(parameters)]
                  \(body.isEmpty ? "tags: []" : "requestBody: {required: true, content: {application/json: {schema: \(body)}}}")
                  responses: {"200": {content: {application/json: {schema: \(schema)}}}, "404": {description: none}}
            \(paths)
            """
        return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
    }

    private func changes(_ old: ImportSource, _ new: ImportSource) throws -> [String] {
        try ContractComparison(from: old, to: new).changes.map { "\($0.isBreaking ? "!" : "-") \($0.part): \($0.message)" }
    }

    @Test func `parameters break where a request of the old version is not permitted any more`() throws {
        let found = try changes(
            source("{name: id, in: path, required: true, schema: {type: integer}}, {name: a, in: query}, {name: gone, in: query}", schema: "{}"),
            source(
                "{name: key, in: path, required: true, schema: {type: integer, maximum: 9}}, {name: a, in: query, required: true}, {name: b, in: query}, "
                    + "{name: c, in: header, required: true}", schema: "{}"
            ).named("/x/{id}", "/x/{key}"))
        #expect(
            found == [
                "! path key $: maximum changed from none to 9", "! query a: it became required", "- query b: the optional parameter was added",
                "! request header c: the required parameter was added", "! query gone: the parameter was removed",
            ])
    }

    private static let pairs: [(old: String, new: String, inRequest: [String], inResponse: [String])] = [
        ("{type: string}", "{type: [string, \"null\"]}", ["- $: the type null was added"], ["! $: the type null was added"]),
        ("{enum: [a, b]}", "{enum: [a]}", [#"! $: the value "b" was removed"#], [#"- $: the value "b" was removed"#]),
        ("{minLength: 1}", "{minLength: 2}", ["! $: minLength changed from 1 to 2"], ["- $: minLength changed from 1 to 2"]),
        ("{maximum: 5}", "{maximum: 9}", ["- $: maximum changed from 5 to 9"], ["! $: maximum changed from 5 to 9"]),
        (
            "{type: object, properties: {a: {type: string}}}", "{type: object, required: [b], properties: {b: {type: string}}}",
            ["! $.b: the required member was added", "- $.a: the member was removed"],
            ["- $.b: the required member was added", "! $.a: the member was removed"]
        ),
        (
            "{type: object, required: [a], properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string}}}",
            ["- $.a: it became optional"], ["! $.a: it became optional"]
        ),
        (
            "{type: array, items: {type: integer}}", "{type: array, items: {type: number}}", ["- $[*]: the type number was added"],
            ["! $[*]: the type number was added"]
        ),
        (
            "{type: string, format: date}", "{type: string, format: date-time}", ["! $: format changed from date to date-time"],
            ["! $: format changed from date to date-time"]
        ),
        (
            "{type: integer, format: int32}", "{type: integer, format: int64}", ["- $: format changed from int32 to int64"],
            ["! $: format changed from int32 to int64"]
        ),
        ("{multipleOf: 10}", "{multipleOf: 5}", ["- $: multipleOf changed from 10 to 5"], ["! $: multipleOf changed from 10 to 5"]),
        (
            "{minimum: 5}", "{exclusiveMinimum: 5}", ["! $: minimum changed from 5 to 5 (exclusive)"],
            ["- $: minimum changed from 5 to 5 (exclusive)"]
        ),
        (
            "{maximum: 9007199254740992}", "{maximum: 9007199254740993}", ["- $: maximum changed from 9007199254740992 to 9007199254740993"],
            ["! $: maximum changed from 9007199254740992 to 9007199254740993"]
        ),
        // Keywords that exclude nothing.
        (
            "{type: object, properties: {a: {type: string}, l: {type: array}}}",
            "{type: object, minProperties: 0, additionalProperties: {}, properties: {a: {type: string, minLength: 0, format: password}, l: {type: array, items: {}}}}",
            [], []
        ),
        (
            "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string, readOnly: true}}}",
            ["! $.a: it became readOnly"], []
        ),
        (
            "{type: object, required: [a], properties: {a: {writeOnly: true}}}", "{type: object, required: [a], properties: {a: {}}}", [],
            ["- $.a: it is no longer writeOnly, and required"]
        ),
        (
            "{type: object, unevaluatedProperties: false, properties: {}}", "{type: object, additionalProperties: false, properties: {a: {}}}",
            ["- $.a: the optional member was added"], ["! $.a: the optional member was added"]
        ),
        ("{type: string}", "{anyOf: [{type: string}, {type: \"null\"}]}", ["- $: the type null was added"], ["! $: the type null was added"]),
        (
            "{type: string}", "{anyOf: [{type: integer}, {type: string, maxLength: 5}]}",
            ["- $: the alternative 1 was added", "! $(alternative 2): maxLength changed from none to 5"],
            ["! $: the alternative 1 was added", "- $(alternative 2): maxLength changed from none to 5"]
        ),
        (
            "{oneOf: [{type: object, properties: {c: {}}}, {$ref: '#/components/schemas/Dog'}]}",
            "{oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Cow'}]}",
            ["- $: the alternative Cow was added"], ["! $: the alternative Cow was added"]
        ),
        (
            "{oneOf: [{$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: t, mapping: {a: Dog, b: Dog}}}",
            "{oneOf: [{$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: t, mapping: {a: Cat, Dog: '#/components/schemas/Dog'}}}",
            ["! $: the discriminator value b was removed", "! $: the discriminator value a names another alternative"],
            ["- $: the discriminator value b was removed", "! $: the discriminator value a names another alternative"]
        ),
    ]

    private static let animals = "components: {schemas: {Cat: {type: object, properties: {c: {}}}, Dog: {type: object}, Cow: {type: object}}}"

    @Test(arguments: pairs)
    func `a schema breaks by the direction of its use`(old: String, new: String, inRequest: [String], inResponse: [String]) throws {
        func source(body: String = "{}", schema: String = "{}") -> ImportSource { self.source("", body: body, schema: schema, paths: Self.animals) }
        let request = try changes(source(body: old), source(body: new))
        #expect(request == inRequest.map { $0.prefix(2) + "request body " + $0.dropFirst(2) })
        let response = try changes(source(schema: old), source(schema: new))
        #expect(response == inResponse.map { $0.prefix(2) + "response 200 " + $0.dropFirst(2) })
    }

    @Test(
        arguments: [
            (
                "parameters: [{name: a, in: query, schema: {type: string}}]",
                "parameters: [{name: a, in: query, explode: false, schema: {type: string}}]", []
            ),
            (
                "parameters: [{name: a, in: query, allowEmptyValue: true, schema: {type: array}}]",
                "parameters: [{name: a, in: query, explode: false, deprecated: true, schema: {type: array, default: []}}]",
                [
                    "! query a: the style of its text changed", "! query a: the empty value is no longer permitted",
                    "- query a: it became deprecated",
                    "- query a $: default changed from none to []",
                ]
            ),
            ("tags: []", "requestBody: {content: {text/csv: {}}}", ["- request body: the media type text/csv was added"]),
            (
                "requestBody: {content: {text/csv: {schema: {type: string}}}}", "requestBody: {content: {text/*: {}}}",
                ["- request body: the media type text/* was added", "- request body: any value is permitted"]
            ),
            ("security: [{key: []}, {}]", "security: [{key: []}]", ["! : credentials became required"]),
            (
                "security: [{key: []}]", "security: [{token: []}]",
                ["! : credentials are no longer enough: header X-Key", "- : credentials are enough: http bearer"]
            ),
            (
                "security: [{oauth: [read]}]", "security: [{oauth: [read, write]}]",
                ["! : credentials are no longer enough: oauth2 and oauth2 scope read"]
            ),
            (
                "security: [{oauth: [read, write]}]", "security: [{oauth: [read]}, {key: []}]",
                ["- : credentials are enough: oauth2 and oauth2 scope read", "- : credentials are enough: header X-Key"]
            ),
            ("security: [{key: []}]", "security: [{sameKey: []}]", []),
            (
                "servers: [{url: 'http://a/{v}', variables: {v: {default: \"1\"}}}]", "deprecated: true\n      servers: [{url: 'http://a/2/'}]",
                ["- server http://a/2: the server was added", "! server http://a/1: the server was removed", "- : the operation became deprecated"]
            ),
            (
                "responses: {\"200\": {headers: {A: {required: true}, B: {}}}, 4XX: {}}",
                "responses: {2XX: {headers: {a: {}}}, \"404\": {}, \"500\": {}}",
                [
                    "- response 2XX: the response was added", "- response 500: the response was added", "- response 200: it is one of 2XX",
                    "! response 200 header A: it is no longer always sent", "- response 200 header B: the field was removed",
                ]
            ),
        ] as [(String, String, [String])])
    func `parts of an operation are compared by what they permit`(old: String, new: String, expected: [String]) throws {
        func source(_ part: String, _ path: String) -> ImportSource {
            let text = """
                openapi: 3.0.3
                info: {title: T, version: "1"}
                paths:
                  \(path):
                    get:
                      \(part)
                components:
                  securitySchemes:
                    key: {type: apiKey, in: header, name: X-Key}
                    sameKey: {type: apiKey, in: header, name: X-Key}
                    token: {type: http, scheme: Bearer}
                    oauth: {type: oauth2}
                """
            return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        }
        #expect(try changes(source(old, "/x/{a}.{b}"), source(new, "/x/{c}.{d}")) == expected)
    }

    @Test func `one document in OpenAPI 3_0 and 3_1 has no changes, and the fields of a form of Swagger are compared`() throws {
        func source(_ text: String) -> ImportSource { ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node) }
        func document(_ version: String, _ properties: String, _ bytes: String) -> ImportSource {
            source(
                """
                openapi: \(version)
                paths:
                  /x:
                    put:
                      requestBody: {content: {application/octet-stream: \(bytes)}}
                      responses: {"200": {content: {application/json: {schema: {type: object, properties: {\(properties)}}}}}}
                components: {schemas: {A: {type: object}, B: {type: object}}}
                """)
        }
        let (a, b) = ("{$ref: '#/components/schemas/A'}", "{$ref: '#/components/schemas/B'}")
        let old = document(
            "3.0.3",
            "n: {type: string, nullable: true}, e: {type: string, nullable: true, enum: [x]}, m: {type: integer, minimum: 0, exclusiveMinimum: true}, "
                + "o: {nullable: true, allOf: [\(a)]}, u: {nullable: true, oneOf: [\(a), \(b)]}, t: {type: string, format: byte}, c: {enum: [k]}",
            "{schema: {type: string, format: binary}}")
        let new = document(
            "3.1.0",
            "n: {type: [string, \"null\"]}, e: {type: [string, \"null\"], enum: [x, null]}, m: {type: integer, exclusiveMinimum: 0}, "
                + "o: {anyOf: [\(a), {type: \"null\"}]}, u: {oneOf: [\(a), \(b), {type: \"null\"}]}, t: {type: string, contentEncoding: base64}, c: {const: k}",
            "{}")
        #expect(try changes(old, new) == [] && changes(new, old) == [])
        func form(_ fields: String) -> ImportSource {
            source("{swagger: \"2.0\", paths: {/f: {post: {parameters: [\(fields)], responses: {}}}}}")
        }
        #expect(
            try changes(
                form("{name: a, in: formData, type: string}, {name: b, in: formData, type: string}"), form("{name: a, in: formData, type: integer}"))
                == [
                    "! form a $: the type string was removed", "- form a $: the type integer was added", "! form b: the parameter was removed",
                ])
    }

    /// A description in Swagger 2.0, and what an export makes of it in OpenAPI 3.0.
    private static let swagger = """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        host: api.example.com
        basePath: /v1
        securityDefinitions:
          key: {type: apiKey, in: header, name: X-Key}
          basic: {type: basic}
          oauth: {type: oauth2, flow: accessCode, authorizationUrl: "https://a/b", tokenUrl: "https://a/c", scopes: {read: r}}
        security: [{key: []}]
        parameters: {limit: {name: limit, in: query, type: integer, format: int32, minimum: 1, maximum: 100, exclusiveMaximum: true}}
        responses: {NotFound: {description: nf, schema: {$ref: '#/definitions/Error'}}}
        paths:
          /pets:
            get:
              parameters:
                - {$ref: '#/parameters/limit'}
                - {name: tags, in: query, type: array, items: {type: string}}
                - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi}
                - {name: pipes, in: query, type: array, items: {type: string}, collectionFormat: pipes}
                - {name: blanks, in: query, type: array, items: {type: string}, collectionFormat: ssv}
                - {name: X-A, in: header, type: array, items: {type: string}}
                - {name: e, in: query, type: string, allowEmptyValue: true}
              responses:
                "200":
                  description: ok
                  headers: {X-Count: {type: integer}}
                  schema: {type: array, items: {$ref: '#/definitions/Pet'}}
                "404": {$ref: '#/responses/NotFound'}
            post:
              security: [{basic: []}, {oauth: [read]}]
              parameters: [{name: body, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
              responses: {"201": {description: made}, default: {description: e, schema: {$ref: '#/definitions/Error'}}}
          /form:
            post:
              parameters:
                - {name: a, in: formData, type: string, required: true}
                - {name: b, in: formData, type: integer, minimum: 1}
                - {name: l, in: formData, type: array, items: {type: string}}
              responses: {"204": {description: ok}}
          /upload:
            post:
              consumes: [multipart/form-data]
              parameters: [{name: file, in: formData, type: file, required: true}, {name: note, in: formData, type: string}]
              responses: {"204": {description: ok}}
          /file:
            get:
              produces: [application/octet-stream]
              responses: {"200": {description: f, schema: {type: file}}}
        definitions:
          Error: {type: object, required: [code], properties: {code: {type: integer}, message: {type: string}}}
          Pet:
            type: object
            discriminator: kind
            required: [kind, name]
            properties: {kind: {type: string}, name: {type: string, x-nullable: true}, id: {type: integer, format: int64, readOnly: true}}
          Cat: {allOf: [{$ref: '#/definitions/Pet'}, {type: object, properties: {claws: {type: boolean}}}]}
        """

    @Test func `one document in Swagger 2_0 and in OpenAPI 3_0 has no changes, and changes of a form are found across the versions`() throws {
        func source(_ text: String) -> ImportSource { ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node) }
        func later(_ text: String) throws -> ImportSource {
            let old = source(text)
            let converted = SwaggerConversion.document(of: try old.document(old.bytes, file: old.name).json).text
            // Other programs write one type for a form without files.
            let form = #""multipart/form-data": {"schema": {"type": "object", "required": ["a"]"#
            #expect(converted.contains(form))
            return source(converted.replacing(form, with: form.replacing("multipart/form-data", with: "x-other")))
        }
        let old = source(Self.swagger)
        let next = try later(Self.swagger)
        #expect(try changes(old, next) + changes(next, old) == [])
        let changed = try later(
            Self.swagger.replacing("minimum: 1}\n        - {name: l", with: "minimum: 2}\n        - {name: l").replacing(
                "type: file, required: true", with: "type: file"))
        #expect(
            try changes(old, changed) == [
                "! form b $: minimum changed from 1 to 2", "- form file: it became optional", "- request body: it became optional",
            ])
        let without = try later(
            Self.swagger.replacing("{name: note, in: formData, type: string}", with: "{name: note2, in: formData, type: string, required: true}"))
        #expect(
            try changes(without, old) == [
                "- form note: the optional parameter was added", "! form note2: the parameter was removed",
            ])
    }

    @Test(
        arguments: [
            ("parameters: [{name: limit, in: query}]", "parameters: [{name: Limit, in: query}]", true),
            ("parameters: [{name: X-a, in: header}]", "parameters: [{name: x-A, in: header}]", false),
            ("tags: []\n    parameters: [{name: a, in: query}]", "parameters: [{name: a, in: query}]", false),
            ("security: [{a: []}, {b: []}]", "security: [{b: []}, {a: []}]", false),
            ("security: []", "security: [{a: []}]", true),
            ("security: [{a: []}]", "security: []", false),
            ("requestBody: {content: {a/json: {}}}", "requestBody: {content: {a/json: {}, text/csv: {}}}", false),
            ("requestBody: {content: {a/json: {}, text/csv: {}}}", "requestBody: {content: {a/json: {}}}", true),
            ("requestBody: {content: {a/json: {}}}", "requestBody: {required: true, content: {a/json: {}}}", true),
            ("responses: {\"200\": {content: {a/json: {}}}}", "responses: {\"200\": {content: {a/json: {}, text/csv: {}}}}", false),
            ("responses: {\"200\": {content: {a/json: {}, text/csv: {}}}}", "responses: {\"200\": {content: {a/json: {}}}}", true),
            ("deprecated: false", "deprecated: true", false),
            (
                "servers: [{url: 'http://{r}.a', variables: {r: {default: eu, enum: [us, eu]}}}]",
                "servers: [{url: 'http://us.a'}, {url: 'http://eu.a/'}]",
                false
            ),
            (
                "servers: [{url: 'http://{r}.a', variables: {r: {default: eu, enum: [us, eu]}}}]",
                "servers: [{url: 'http://{r}.a', variables: {r: {default: eu, enum: [eu]}}}]", true
            ),
        ])
    func `a change of an operation is breaking or not`(old: String, new: String, breaks: Bool) throws {
        func source(_ part: String) -> ImportSource {
            let text = """
                openapi: 3.1.0
                paths:
                  /x:
                    post:
                      \(part)
                components: {securitySchemes: {a: {type: http, scheme: basic}, b: {type: apiKey, in: query, name: b}}}
                """
            return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        }
        let found = try changes(source(old), source(new))
        #expect(found.contains { $0.hasPrefix("!") } == breaks, "\(found)")
    }

    @Test func `equal versions have no changes, and operations are added and removed`() throws {
        let schema = "{$ref: '#/components/schemas/N'}"
        let more = "  /y: {get: {responses: {}}}\ncomponents: {schemas: {N: {type: object, properties: {n: {$ref: '#/components/schemas/N'}}}}}"
        #expect(try changes(source("", schema: schema, paths: more), source("", schema: schema, paths: more)) == [])
        let without = more.replacing("/y", with: "/z")
        #expect(
            try changes(source("", schema: schema, paths: more), source("", schema: schema, paths: without)) == [
                "- : the operation was added", "! : the operation was removed",
            ])
    }

    @Test func `schemas in a cycle and in alternatives are compared for each operation that refers to them, by the shortest path`() throws {
        func components(_ changed: String) -> String {
            let all = (0..<300).map { index in
                let name = index == 299 ? changed : "{type: string}"
                return "S\(index): {properties: {next: {$ref: '#/components/schemas/S\((index + 1) % 300)'}, name: \(name)}}"
            }
            return "components: {schemas: {\(all.joined(separator: ", ")), One: {oneOf: [{$ref: '#/components/schemas/S298'}, {type: string}]}}}"
        }
        let operations = ["S299", "S290", "One"].map { name in
            "  /\(name): {get: {responses: {\"200\": {content: {a/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}}}}\n"
        }.joined()
        let found = try ContractComparison(
            from: source("", schema: "{$ref: '#/components/schemas/S0'}", paths: operations + components("{type: string}")),
            to: source("", schema: "{$ref: '#/components/schemas/S0'}", paths: operations + components("{type: integer}")))
        let long = "$" + String(repeating: ".next", count: 8)
        #expect(
            found.changes.filter { $0.isBreaking }.map { "\($0.operation) \($0.part): \($0.message)" } == [
                "POST /x/{id} response 200 \(long)…: the type integer was added", "GET /S299 response 200 $.name: the type integer was added",
                "GET /S290 response 200 \(long)…: the type integer was added",
                "GET /One response 200 $(S298).next.name: the type integer was added",
            ])
        #expect(found.changes.count == 8 && found.changes.contains { $0.message == "the type string was removed" })
    }

    @Test func `more changes than are listed are named with whether they break`() throws {
        func schema(_ limit: Int) -> String {
            "{properties: {all: {properties: {\((0..<60).map { "a\($0): {maxLength: \(limit)}" }.joined(separator: ", "))}}}}"
        }
        let found = try changes(source("", body: schema(9), schema: schema(9)), source("", body: schema(8), schema: schema(8)))
        #expect(found.count == 102 && found.count { $0.hasSuffix("maxLength changed from 9 to 8") } == 100)
        #expect(found[50] == "! request body $: it has more breaking changes than the 50 that are listed")
        #expect(found[101] == "- response 200 $: it has more compatible changes than the 50 that are listed")
    }

    @Test func `what a server sends to webhooks and callbacks is compared as its responses are`() throws {
        func source(_ body: String, _ answer: String, _ parameter: String, _ more: String = "") throws -> ImportSource {
            let item = """
                {post: {parameters: [\(parameter)], requestBody: {required: true, content: {application/json: {schema: \(body)}}},
                  responses: {"200": {content: {application/json: {schema: \(answer)}}}}}}
                """
            let text = """
                openapi: 3.1.0
                info: {title: T, version: "1"}
                paths: {/x: {post: {responses: {}, callbacks: {done: {"{$request.body#/url}": \(item)}\(more)}}}}
                webhooks: {made: \(item)}
                """
            return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        }
        let old = try source(
            "{required: [a], properties: {a: {type: string}}}", "{properties: {b: {type: string}}}", "{name: h, in: header, required: true}")
        let new = try source(
            "{properties: {a: {type: string}, c: {type: string}}}", "{required: [b], properties: {b: {type: string}}}",
            "{name: i, in: header, required: true}",
            ", more: {\"{$request.body#/more}\": {post: {responses: {}}}}")
        let found = try ContractComparison(from: old, to: new).changes.map { "\($0.isBreaking ? "!" : "-") \($0.text)" }
        func changes(_ name: String) -> [String] {
            [
                "- \(name): request header i: the required parameter was added", "! \(name): request header h: the parameter was removed",
                "! \(name): request body $.a: it became optional", "- \(name): request body $.c: the optional member was added",
                "! \(name): response 200 $.b: it became required",
            ]
        }
        let callback = "POST /x: callback done: POST {$request.body#/url}"
        #expect(
            found == changes(callback) + ["- POST /x: callback more: POST {$request.body#/more}: the operation was added"]
                + changes("webhook POST made"),
            "\(found.joined(separator: "\n"))")
        #expect(try ContractComparison(from: old, to: old).changes.isEmpty)
    }

    @Test func `examples of Swagger 2_0 without a schema are content, as in the same description in OpenAPI 3`() throws {
        let old = """
            {swagger: "2.0", info: {title: T, version: "1"}, paths: {/x: {get: {responses: {"200": {examples: {application/json: {id: 1}}}}}}}}
            """
        let new = """
            {"openapi": "3.0.0", info: {title: T, version: "1"}, \
            paths: {/x: {get: {responses: {"200": {content: {application/json: {example: {id: 1}}}}}}}}}
            """
        let (first, second) = (Self.yaml(old), Self.yaml(new))
        #expect(try ContractComparison(from: first, to: second).changes.isEmpty && ContractComparison(from: second, to: first).changes.isEmpty)
    }

    private static func yaml(_ text: String) -> ImportSource {
        ImportSource(name: "api.yaml", bytes: Array("---\n\(text)".utf8), yaml: YAMLSource.node)
    }

    @Test func `links are compared by the operation to which they lead, whatever it is called, and by their values`() throws {
        func source(_ links: String, id: String = "show") -> ImportSource {
            self.source("", schema: "{}", paths: "  /y/{id}: {get: {operationId: \(id), responses: {}}}")
                .named("\"404\": {description: none}", "\"404\": {description: none, links: {\(links)}}")
        }
        let link = "a: {operationId: show, parameters: {id: $response.body#/id}}"
        #expect(try changes(source(link), source(link.replacing("show", with: "one"), id: "one")) == [])
        #expect(
            try changes(source(link), source(link.replacing("operationId: show", with: "operationRef: '#/paths/~1y~1{id}/get', description: x")))
                == [])
        #expect(
            try changes(source(link + ", b: {operationId: show}"), source(link.replacing("#/id", with: "#/key") + ", c: {operationId: show}")) == [
                "! response 404 link a: the link leads elsewhere", "! response 404 link b: the link was removed",
                "- response 404 link c: the link was added",
            ])
    }

    @Test(arguments: [
        ("{anyOf: [{type: string}, {type: \"null\"}], default: a}", "{anyOf: [{type: string}, {type: \"null\"}], default: b}"),
        ("{anyOf: [{type: string}, {type: integer}], default: a}", "{oneOf: [{type: string}, {type: integer}], default: b}"),
        ("{type: [string, \"null\"], default: a}", "{anyOf: [{type: string, default: c}, {type: \"null\"}], default: b}"),
        ("{oneOf: [{type: string}], default: a}", "{type: string, default: b}"),
    ])
    func `a default beside alternatives is compared once`(_ old: String, _ new: String) throws {
        let found = try changes(
            source("{name: q, in: query, schema: \(old)}", schema: "{}"), source("{name: q, in: query, schema: \(new)}", schema: "{}"))
        #expect(found == [#"- query q $: default changed from "a" to "b""#], "\(found)")
    }

    @Test func `coverage counts operations, parameters, media types and responses`() throws {
        let contract = try OpenAPIContract(
            source(
                "{name: a, in: query}, {name: b, in: query}", body: "{}", schema: "{}", paths: "  /y: {get: {responses: {default: {description: x}}}}"
            ))
        let url = try HTTPURL(parsing: "http://localhost/x/1?a=1")
        let request = Request(method: .post, url: url, body: .text("{}", contentType: "application/json"))
        let response = Response(status: 200, headers: ["Content-Type": "application/json"], body: BodyBytes(Array("{}".utf8)))
        let check = ContractCheck(contract, request, sent: [], response) { .success(.object([])) }
        let coverage = ContractCoverage(of: contract, [try #require(check.observation)])
        #expect(
            coverage.text == """
                · POST /x/{id}  1
                    not seen: query b, response 404
                – GET /y        0
                T: 1 of 2 operations, 4 of 8 parts: 50 %

                """)
        let page = [coverage, coverage].html
        #expect(coverage.percent == 50 && page.contains("<span class=\"missing\">query b</span>"))
        #expect(page.split(separator: "<!DOCTYPE html>").count == 1 && page.split(separator: "<h1>T</h1>").count == 3, "one page has all services")
    }
}

extension ImportSource {
    /// The source with a text in the place of another one.
    fileprivate func named(_ old: String, _ new: String) -> ImportSource {
        ImportSource(name: name, bytes: Array(String(decoding: bytes, as: UTF8.self).replacing(old, with: new).utf8), yaml: YAMLSource.node)
    }
}
