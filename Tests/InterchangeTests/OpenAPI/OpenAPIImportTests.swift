import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of descriptions in OpenAPI and Swagger into services and endpoints.
struct OpenAPIImportTests {
    private func imported(_ text: String, files: [String: String] = [:]) throws -> ImportedWorkspace {
        try OpenAPIImport.workspace(
            from: ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node) {
                files[$0].map { Array($0.utf8) }
            })
    }

    private func endpoints(_ items: [ImportedItem]) -> [Endpoint] {
        items.flatMap { item -> [Endpoint] in
            switch item {
            case .endpoint(let endpoint): [endpoint.endpoint]
            case .folder(_, let items): endpoints(items)
            }
        }
    }

    private func endpoint(_ text: String, files: [String: String] = [:]) throws -> Endpoint {
        try #require(try imported(text, files: files).services.flatMap { endpoints($0.items) }.first)
    }

    /// A description with the members of one operation `GET /x`, and more at the top.
    private func description(
        _ operation: String, method: String = "get", path: String = "/x", more: String = "",
        version: String = "3.1.0"
    ) -> String {
        let lines = operation.split(separator: "\n", omittingEmptySubsequences: false).map {
            "      \($0)\n"
        }.joined()
        return """
            openapi: \(version)
            info: {title: Shop, version: "1"}
            servers: [{url: https://api.example.com/v1/}]
            paths:
              \(path):
                \(method):

            """ + lines + more
    }

    private func reasons(_ text: String) throws -> [String] {
        try imported(text).report.entries.map { "\($0.item): \($0.reason)" }
    }

    @Test func `an operation becomes an endpoint with its name, texts, folder and tags`() throws {
        let text = description(
            """
            summary: List orders
            operationId: listOrders
            description: |
              All orders.
            deprecated: true
            tags: [Orders, read only, "a,b"]
            """)
        let workspace = try imported(text)
        let service = try #require(workspace.services.first)
        #expect(
            workspace.name == "Shop" && service.service.name == "Shop"
                && service.service.servers == ["*": ["https://api.example.com/v1"]])
        guard case .folder("Orders", let items)? = service.items.first,
            case .endpoint(let item)? = items.first
        else {
            Issue.record("\(service.items)")
            return
        }
        #expect(item.id == "listOrders")
        #expect(
            item.endpoint.name == "List orders" && item.endpoint.method == .get
                && item.endpoint.path == "/x")
        #expect(
            item.endpoint.summary == "Deprecated.\nAll orders."
                && item.endpoint.tags == ["read-only", "a-b", "deprecated"])
    }

    @Test
    func `tags with parents are folders in folders, and operations without tags are at the top`()
        throws
    {
        let text = """
            {"openapi": "3.2.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "http://h"}],
             "tags": [{"name": "a"}, {"name": "b", "parent": "a"}],
             "paths": {"/1": {"get": {"tags": ["b"]}, "query": {}, "additionalOperations": {"COPY": {}}}}}
            """
        let items = try imported(text).services[0].items
        guard case .folder("a", let inner)? = items.first, case .folder("b", _)? = inner.first else {
            Issue.record("\(items)")
            return
        }
        #expect(
            endpoints(items).map { "\($0.method.rawValue) \($0.path)" } == [
                "GET /1", "QUERY /1", "COPY /1",
            ])
    }

    @Test func `parameters of the path are merged with those of the operation`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: T, version: 1}
            paths:
              /a/{id}/{b.c}:
                parameters:
                  - {name: id, in: path, required: true, schema: {type: integer}, example: 7}
                  - {name: q, in: query, description: path, schema: {type: string}}
                  - {name: X-A, in: header, required: true, schema: {type: string, enum: [one, two]}}
                get:
                  parameters:
                    - {name: q, in: query, required: true, description: operation, schema: {type: string, default: d}}
                    - {name: b.c, in: path, required: true, schema: {type: string, example: z}}
                    - {name: sid, in: cookie, required: true, schema: {type: string}}
                    - {name: opt, in: query, schema: {type: boolean}}
                    - {name: x-a, in: header, required: true, schema: {type: string, enum: [one, two]}}
            """
        let endpoint = try endpoint(text)
        #expect(
            endpoint.path == "/a/{id}/{b_c}"
                && endpoint.variables == ["id": "7", "b_c": "z", "sid": "string"])
        #expect(
            endpoint.query == [
                Parameter("q", "d", summary: "operation"), Parameter("opt", "true", isEnabled: false),
            ])
        #expect(
            endpoint.headers == [
                // The operation's own one: the case of a field's name does not count.
                Parameter("x-a", "one", summary: "One of: one, two"), Parameter("Cookie", "sid={{sid}}"),
            ])
    }

    @Test(arguments: [
        ("schema: {type: array, items: {type: string}}, example: [a, b]", ["x=a", "x=b"]),
        ("explode: false, schema: {type: array, items: {type: string}}, example: [a, b]", ["x=a,b"]),
        ("style: pipeDelimited, explode: false, schema: {type: array}, example: [a, b]", ["x=a|b"]),
        ("style: spaceDelimited, explode: false, schema: {type: array}, example: [a, b]", ["x=a b"]),
        (
            "style: deepObject, schema: {type: object, properties: {a: {type: integer}, b: {type: object, properties: {c: {type: string}}}}}",
            ["x[a]=1", "x[b][c]=string"]
        ),
        (
            "style: deepObject, schema: {anyOf: [{type: object, properties: {gt: {type: integer}}}, {type: integer}]}",
            ["x=1"]
        ),
        ("schema: {type: object, properties: {a: {type: integer}}}", ["a=1"]),
        ("explode: false, schema: {type: object, properties: {a: {type: integer}}}", ["x=a,1"]),
        (
            "content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}",
            ["x={\"a\":1}"]
        ),
        ("examples: {one: {value: 5}}, schema: {type: integer, example: 6}", ["x=5"]),
        ("schema: {type: string, example: '{{a}}'}", ["x={{$braces}}a}}"]),
        ("schema: {type: [string, 'null'], format: date}", ["x=2026-01-31"]),
        ("schema: {type: integer, minimum: 10}", ["x=10"]),
    ])
    func `a parameter has the form of its style`(_ members: String, _ rows: [String]) throws {
        let endpoint = try endpoint(
            description("parameters: [{name: x, in: query, required: true, \(members)}]"))
        #expect(endpoint.query.map { "\($0.name)=\($0.value)" } == rows)
    }

    @Test(arguments: [
        ("example: |\n  {\n    \"a\": 1\n  }", "{\n  \"a\": 1\n}"), ("example: '[1]'", "[\n  1\n]"),
        ("schema: {type: string}\nexample: '{\"a\": 1}'", "\"{\\\"a\\\": 1}\""), ("example: 'no {JSON'", "\"no {JSON\""),
        ("examples:\n  one:\n    value: |\n      {\"a\": 1}", "{\n  \"a\": 1\n}"),
    ])
    func `an example that is the text of an object or an array is this JSON, unless the body is a string`(_ media: String, _ body: String) throws {
        let lines = media.split(separator: "\n").map { "      \($0)\n" }.joined()
        let operation = "requestBody:\n  content:\n    application/json:\n" + lines
        #expect(try endpoint(description(operation, method: "post")).body == .json(body))
    }

    @Test func `a JSON body is the example, else it is made from the schema`() throws {
        let schema = """
            requestBody:
              content:
                application/xml: {}
                application/json:
                  schema: {$ref: "#/components/schemas/Pet"}
            """
        let components = """
            components:
              schemas:
                Pet:
                  allOf:
                    - {$ref: "#/components/schemas/Named"}
                    - type: object
                      required: [parent]
                      properties:
                        id: {type: integer, readOnly: true}
                        kind: {enum: [cat, dog]}
                        parent: {$ref: "#/components/schemas/Pet"}
                        tags: {type: array, items: {oneOf: [{type: "null"}, {type: string, format: uuid}]}}
                Named: {type: object, properties: {name: {type: string, default: "{{x}}"}}}
            """
        guard
            case .json(let text) = try endpoint(description(schema, method: "post", more: components))
                .body
        else {
            Issue.record("no JSON body")
            return
        }
        let expected =
            "{\"kind\": \"cat\", \"parent\": null, \"tags\": [\"3fa85f64-5717-4562-b3fc-2c963f66afa6\"], \"name\": \"{{$braces}}x}}\"}"
        let value = try JSONValue(parsing: text)
        guard case .object(let members) = value,
            case .object(let wanted) = try JSONValue(parsing: expected)
        else {
            Issue.record("\(text)")
            return
        }
        #expect(Set(members) == Set(wanted), "\(text)")
        let shown = description(
            "requestBody: {content: {application/json: {examples: {a: {value: {b: 1}}, c: {value: 2}}}}}",
            method: "post")
        #expect(try endpoint(shown).body == .json("{\n  \"b\": 1\n}"))
        #expect(try endpoint(shown).examples.map(\.name) == ["a", "c"])
    }

    @Test func `an array whose items are arrays of the same schema is a part of a body, and equals itself`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            servers: [{url: "http://h"}]
            paths:
              /x:
                post:
                  requestBody: {content: {multipart/form-data: {schema: {type: object, required: [l], properties: {l: {$ref: "#/components/schemas/L"}}}}}}
                  responses: {default: {description: x}}
            components: {schemas: {L: {type: array, items: {$ref: "#/components/schemas/L"}}}}

            """
        guard case .multipart(let parts) = try endpoint(text).body else { return #expect(Bool(false)) }
        #expect(parts.map(\.name) == ["l"] && !parts[0].isFile)
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        #expect(try ContractComparison(from: source, to: source).changes.isEmpty)
    }

    @Test func `forms, multipart and XML have rows, parts and elements`() throws {
        let schema =
            "schema: {type: object, required: [a], properties: {a: {type: string, example: v}, b: {type: array, items: {type: integer}}, f: {type: string, format: binary}}}"
        #expect(
            try endpoint(
                description(
                    "requestBody: {content: {application/x-www-form-urlencoded: {\(schema)}}}", method: "post"
                )
            ).body
                == .form([
                    Parameter("a", "v"), Parameter("b", "1", isEnabled: false),
                    Parameter("f", "", isEnabled: false),
                ]))
        #expect(
            try endpoint(
                description(
                    "requestBody: {content: {multipart/form-data: {\(schema), encoding: {f: {contentType: image/png}}}}}",
                    method: "post")
            ).body
                == .multipart([
                    .init(name: "a", value: "v"), .init(name: "b", value: "1", isEnabled: false),
                    .init(
                        name: "f", value: "f.bin", isFile: true, contentType: "image/png", isEnabled: false),
                ]))
        let optional = schema.replacing("required: [a], ", with: "")
        func body(_ type: String) throws -> BodyTemplate {
            try endpoint(description("requestBody: {content: {\(type): {\(optional)}}}", method: "post")).body
        }
        #expect(try body("application/x-www-form-urlencoded") == .form([Parameter("a", "v"), Parameter("b", "1"), Parameter("f", "")]))
        #expect(
            try body("multipart/form-data")
                == .multipart([
                    .init(name: "a", value: "v"), .init(name: "b", value: "1"), .init(name: "f", value: "f.bin", isFile: true, isEnabled: false),
                ]))
        let xml = description(
            """
            requestBody:
              content:
                application/xml:
                  schema: {type: object, xml: {name: pet}, properties: {id: {type: integer, xml: {attribute: true}}, tag: {type: array, xml: {wrapped: true, name: tags}, items: {type: string, xml: {name: tag}}}}}
            """, method: "post")
        #expect(
            try endpoint(xml).body
                == .text(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pet id=\"1\">\n  <tags>\n    <tag>string</tag>\n  </tags>\n</pet>\n",
                    contentType: "application/xml"))
        #expect(
            try endpoint(
                description("requestBody: {content: {application/octet-stream: {}}}", method: "put")
            ).body
                == .file(path: "body.bin", contentType: "application/octet-stream"))
    }

    @Test func `references lead through files, with escapes, and cycles end`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: T, version: "1"}
            paths:
              /a/b: {$ref: "paths/one.yaml#/items/~1a~1b"}
              /c: {$ref: "#/paths/~1c"}
              /d: {get: {parameters: [{$ref: "https://example.com/p.yaml"}, {$ref: "../out.yaml"}, {$ref: "#/components/parameters/a%20b"}]}}
            components: {parameters: {a b: {name: q, in: query}}}
            """
        let files = [
            "paths/one.yaml": "items: {/a/b: {get: {parameters: [{$ref: p.json}]}}}",
            "paths/p.json": "{\"$ref\": \"../api.yaml#/components/parameters/a b\"}",
        ]
        let workspace = try imported(text, files: files)
        let all = endpoints(workspace.services[0].items)
        #expect(all.map(\.path) == ["/a/b", "/d"] && all.allSatisfy { $0.query.map(\.name) == ["q"] })
        let reasons = workspace.report.entries.map(\.reason.programText)
        #expect(
            reasons.contains { $0.contains("nothing is fetched") }
                && reasons.contains { $0.contains("outside the folder") })
        #expect(
            reasons.contains { $0.contains("leads to itself") || $0.contains("cannot be followed") })
    }

    @Test func `the copy of a description has the files to which it refers, with the same values`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: T, version: "1"}
            paths:
              /a: {$ref: "parts/paths.yaml#/~1a"}
              /b: {get: {responses: {"200": {description: x, content: {application/json: {schema: {$ref: "parts/a b~.yaml"}}}}}}}
            components: {parameters: {q: {name: q, in: query, schema: {type: integer}}}}
            """
        let files = [
            "parts/paths.yaml": """
            /a:
              get:
                parameters: [{$ref: "../api.yaml#/components/parameters/q"}]
                responses: {"200": {description: x, content: {application/json: {schema: {$ref: "./more/pet.yaml#/Pet"}}}}}
            """,
            "parts/more/pet.yaml":
                "Pet: {required: [id], properties: {id: {type: integer}, next: {$ref: '#/Pet'}, other: {$ref: 'https://example.com/x'}}}",
            "parts/a b~.yaml":
                "{oneOf: [{$ref: 'more/pet.yaml#/Pet'}], discriminator: {propertyName: id, mapping: {a: 'more/pet.yaml#/Pet', b: Pet}}}",
        ]
        let copy = try #require(try imported(text, files: files).description)
        let original = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node) { files[$0].map { Array($0.utf8) } }
        let source = ImportSource(name: "copy.json", bytes: copy.bytes, yaml: YAMLSource.node)
        let comparison = try ContractComparison(from: original, to: source)
        #expect(copy.ending == ".json" && comparison.changes.isEmpty, "\(comparison.changes.map(\.text))")
        let changed = ImportSource(
            name: "copy.json",
            bytes: Array(String(decoding: copy.bytes, as: UTF8.self).replacing("\"required\": [\"id\"]", with: "\"required\": []").utf8),
            yaml: YAMLSource.node)
        #expect(try ContractComparison(from: original, to: changed).changes.count { $0.message == "it became optional" } == 2, "\(copy)")
        let single = try #require(try imported(text.replacing("parts/", with: "#/parts/")).description)
        #expect(single.ending == ".yaml" && single.bytes == Array(text.replacing("parts/", with: "#/parts/").utf8))
    }

    @Test func `several servers are environments, and their variables are variables`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: T, version: "1"}
            servers:
              - {url: "https://{user}.example.com:{port}/v1", description: Production server, variables: {user: {default: demo}, port: {default: "443", enum: ["443", "8443"]}}}
              - {url: "/sandbox", description: Sandbox}
            paths: {/a: {get: {}, put: {servers: [{url: "https://files.example.com"}]}}}
            """
        let workspace = try imported(text)
        #expect(workspace.environments.map(\.name) == ["production", "sandbox"])
        #expect(
            workspace.services[0].service.servers == [
                "production": ["https://{{user}}.example.com:{{port}}/v1"],
                "sandbox": ["http://localhost/sandbox"],
                "*": ["https://{{user}}.example.com:{{port}}/v1"],
            ])
        #expect(workspace.variables == ["user": "demo", "port": "443"])
        #expect(
            workspace.services.count == 2
                && workspace.services[1].service.servers == ["*": ["https://files.example.com"]])
        #expect(endpoints(workspace.services[1].items).map(\.method) == [.put])
        #expect(workspace.report.entries.contains { $0.reason.programText.contains("443, 8443") })
    }

    @Test func `cookies of credentials and of parameters are one field`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: Shop, version: "1"}
            servers: [{url: http://h}]
            security: [{sid: []}]
            paths:
              /a: {get: {parameters: [{name: lang, in: cookie, required: true, schema: {default: de}}]}}
              /b: {get: {parameters: [{name: lang, in: cookie, schema: {default: de}}]}}
              /c: {get: {parameters: [{name: sid, in: cookie, required: true, schema: {type: string}}]}}
              /d: {get: {security: [{other: []}], parameters: [{name: lang, in: cookie, required: true, schema: {default: de}}]}}
              /e: {get: {security: [{other: []}], parameters: [{name: oid, in: cookie, required: true, schema: {type: string}}]}}
            components:
              securitySchemes:
                sid: {type: apiKey, in: cookie, name: sid}
                other: {type: apiKey, in: cookie, name: oid}
            """
        let workspace = try imported(text)
        let all = endpoints(workspace.services[0].items)
        #expect(workspace.services[0].service.headers == [Parameter("Cookie", "sid={{shopSid}}")])
        #expect(all[0].headers == [Parameter("Cookie", "lang={{lang}}; sid={{shopSid}}")] && all[0].variables == ["lang": "de"])
        #expect(all[1].headers == [Parameter("Cookie", "lang={{lang}}", isEnabled: false)] && all[2].headers.isEmpty)
        #expect(all[3].headers == [Parameter("Cookie", "lang={{lang}}; oid={{shopOther}}")])
        #expect(all[4].headers == [Parameter("Cookie", "oid={{shopOther}}")])
    }

    @Test func `security schemes become credentials whose values are secrets`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: Shop, version: "1"}
            servers: [{url: http://h}]
            security: [{token: []}]
            paths:
              /a: {get: {}}
              /b: {get: {security: []}}
              /c: {get: {security: [{basic: []}]}}
              /d: {get: {security: [{key: [], sid: []}]}}
              /e: {get: {security: [{oauth: [read]}]}}
              /f: {get: {security: [{query: []}]}}
            components:
              securitySchemes:
                token: {type: http, scheme: bearer}
                basic: {type: http, scheme: basic}
                key: {type: apiKey, in: header, name: X-Api-Key}
                sid: {type: apiKey, in: cookie, name: sid}
                query: {type: apiKey, in: query, name: key}
                oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: "https://h/token", scopes: {read: r}}}}
            """
        let workspace = try imported(text)
        let all = endpoints(workspace.services[0].items)
        #expect(
            workspace.services[0].service.auth == .bearer(token: "{{shopToken}}")
                && all[0].auth == .inherit && all[1].auth == Auth.none)
        #expect(all[2].auth == .basic(user: "{{shopBasicUser}}", password: "{{shopBasicPassword}}"))
        #expect(
            all[3].headers == [
                Parameter("X-Api-Key", "{{shopKey}}"), Parameter("Cookie", "sid={{shopSid}}"),
            ] && all[3].auth == Auth.none)
        var settings = OAuth2(tokenURL: "https://h/token", clientID: "{{shopOauthClient}}", clientSecret: "{{shopOauthClientSecret}}")
        settings.scope = "read"
        #expect(
            all[4].auth == .oauth2(settings)
                && all[5].query == [Parameter("key", "{{shopQuery}}")])
        #expect(
            workspace.secrets["shopToken"] == .environment("SHOP_TOKEN") && workspace.secrets.count == 6)
        #expect(
            workspace.report.entries.contains {
                $0.reason.programText.contains("SHOP_OAUTH_CLIENT_SECRET") && $0.reason.programText.contains("the secret of the client")
            })
    }

    @Test func `x-example of a parameter of Swagger 2 is its value`() throws {
        let text = """
            swagger: "2.0"
            info: {title: T, version: "1"}
            host: h
            paths:
              /a/{id}:
                post:
                  parameters:
                    - {name: id, in: path, type: integer, required: true, x-example: 42}
                    - {name: q, in: query, type: string, required: true, x-example: find}
                    - {name: b, in: body, schema: {type: object}, x-examples: {application/json: {n: 1}}}
              /f: {post: {parameters: [{name: a, in: formData, type: string, required: true, x-example: v}]}}
            """
        let all = endpoints(try imported(text).services[0].items)
        #expect(all[0].variables == ["id": "42"] && all[0].query == [Parameter("q", "find")] && all[0].body == .json("{\n  \"n\": 1\n}"))
        #expect(all[1].body == .form([Parameter("a", "v")]))
    }

    @Test func `Swagger 2 has its host, its forms and its security`() throws {
        let text = """
            swagger: "2.0"
            info: {title: T, version: "1"}
            host: api.example.com
            basePath: /v2
            schemes: [http, https]
            consumes: [application/json]
            securityDefinitions: {b: {type: basic}}
            security: [{b: []}]
            definitions: {P: {type: object, properties: {n: {type: string}}}}
            paths:
              /j: {post: {parameters: [{name: body, in: body, schema: {$ref: "#/definitions/P"}}]}}
              /f: {post: {parameters: [{name: a, in: formData, type: string, required: true, default: v}, {name: l, in: query, type: array, items: {type: string}, collectionFormat: pipes, default: [x, y]}]}}
              /m: {post: {parameters: [{name: up, in: formData, type: file, required: true}, {name: n, in: formData, type: integer}]}}
            """
        let workspace = try imported(text)
        let all = endpoints(workspace.services[0].items)
        #expect(workspace.services[0].service.servers == ["*": ["https://api.example.com/v2"]])
        #expect(
            workspace.services[0].service.auth == .basic(user: "{{tBUser}}", password: "{{tBPassword}}"))
        #expect(all[0].body == .json("{\n  \"n\": \"string\"\n}"))
        #expect(
            all[1].body == .form([Parameter("a", "v")])
                && all[1].query == [Parameter("l", "x|y", isEnabled: false)])
        #expect(
            all[2].body
                == .multipart([
                    .init(name: "up", value: "up.bin", isFile: true),
                    .init(name: "n", value: "1", isEnabled: false),
                ]))
    }

    @Test func `callbacks, links, webhooks, extensions and texts of tags are reported`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            x-top: 1
            tags: [{name: a, description: About a}, {name: b}]
            webhooks: {hook: {post: {}}}
            paths: {/a: {get: {x-operation: 2, callbacks: {call: {}}, responses: {"200": {links: {next: {}}}}}}}
            """
        let reasons = try reasons(text)
        for part in [
            "webhook hook", "callbacks call", "links next of the response 200",
            "names no host", "extensions are not imported: x-operation, x-top", "descriptions of 1 tags",
        ] {
            #expect(reasons.contains { $0.contains(part) }, "\(part): \(reasons)")
        }
    }

    @Test(arguments: [
        ("", "info: the description has none, which OpenAPI requires; the name is API"),
        ("info: null\n", "info: the description has none, which OpenAPI requires; the name is API"),
        ("info: {version: 1}\n", "info: it has no title, which OpenAPI requires; the name is API"),
        ("info: {title: T}\n", "info: it has no version, which OpenAPI requires"),
    ])
    func `a description without info, its title or its version is imported with a note`(_ info: String, _ note: String) throws {
        let text = "openapi: 3.0.0\n\(info)paths: {/a: {get: {responses: {}}}}"
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        let workspace = try OpenAPIImport.workspace(from: source)
        #expect(workspace.services.flatMap(\.items.endpoints).count == 1)
        let notes = workspace.report.entries.map { "\($0.item): \($0.reason)" }
        #expect(notes.contains(note), "\(notes)")
    }

    @Test(arguments: [
        ("info: {title: T, version: 1}\npaths: {}", "api.yaml:1:1: the description has no version"),
        ("openapi: 4.0.0\ninfo: {title: T, version: 1}\npaths: {}", "api.yaml:1:10: the version 4.0.0"),
        ("openapi: 3.0.0\ninfo: {title: T, version: 1}", "api.yaml:1:1: the description has no paths"),
        (
            "openapi: 3.0.0\ninfo: {title: T, version: 1}\npaths: [a]",
            "api.yaml:3:8: paths must be an object"
        ),
        ("openapi: 3.0.0\ninfo: {title: T, version: 1\npaths: {}", "api.yaml:"),
        ("openapi: 3.0.0\ninfo: {title: T, version: 1}\npaths: {}\ninfo: {}", "api.yaml:"),
    ])
    func `an invalid description is an error with its place`(_ text: String, _ message: String) {
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        #expect(OpenAPIImport.recognizes(source), "\(text)")
        do throws(Diagnostic) {
            _ = try OpenAPIImport.workspace(from: source)
            Issue.record("imported: \(text)")
        } catch {
            #expect(error.description.hasPrefix(message), "\(error)")
        }
    }

    @Test(arguments: [
        ("/a: 5", "/a: a path must be an object (api.yaml:5:"), ("/a: {get: 5}", "GET /a: an operation must be an object (api.yaml:5:"),
        ("/a: {get: {parameters: [{in: query}]}}", "GET /a: a parameter must have name and in (api.yaml:5:"),
        ("/a: {get: {parameters: [null]}}", "GET /a: a parameter must have name and in (api.yaml:5:"),
        ("/a: {get: {parameters: 5}}", "GET /a: parameters must be a list (api.yaml:5:"),
        ("/a: {$ref: bad.yaml}", "bad.yaml: the file cannot be read: bad.yaml:"),
    ])
    func `an invalid part of a description is omitted with its place, and the others are imported`(_ path: String, _ line: String) throws {
        let text = "openapi: 3.0.0\ninfo: {title: T, version: 1}\npaths:\n  /good: {get: {}}\n  \(path)\n"
        let workspace = try imported(text, files: ["bad.yaml": "a: [1"])
        #expect(endpoints(workspace.services[0].items).first?.path == "/good")
        #expect(workspace.report.lines.contains { $0.contains("omitted: " + line) }, "\(workspace.report.lines)")
    }

    @Test func `info and paths may be references to files, whose references are relative to them`() throws {
        let files = [
            "info.yaml": "{title: Multi, version: '1'}", "paths/all.yaml": "/u: {$ref: u.yaml}\n/v: {get: {operationId: v}}",
            "paths/u.yaml": "post: {operationId: u}",
        ]
        let text = "openapi: 3.0.0\ninfo: {$ref: ./info.yaml}\nservers: [{url: http://h}]\npaths: {$ref: paths/all.yaml}\n"
        let workspace = try imported(text, files: files)
        #expect(workspace.name == "Multi" && endpoints(workspace.services[0].items).map(\.path) == ["/u", "/v"])
    }

    @Test func `an info that cannot be read does not refuse the description`() throws {
        let workspace = try imported("openapi: 3.0.0\ninfo: {$ref: https://h/i.yaml}\nservers: [{url: http://h}]\npaths: {/a: {get: {}}}\n")
        #expect(workspace.name == "API" && endpoints(workspace.services[0].items).map(\.path) == ["/a"])
        #expect(workspace.report.lines.contains { $0.hasPrefix("omitted: https://h/i.yaml: nothing is fetched") }, "\(workspace.report.lines)")
    }

    @Test func `a version that is a number is read`() throws {
        let workspace = try imported(#"{"swagger": 2, "info": {"title": "T", "version": 1}, "host": "h", "paths": {"/a": {"get": {}}}}"#)
        #expect(endpoints(workspace.services[0].items).map(\.path) == ["/a"])
    }

    @Test func `a parameter of the path that the operation does not declare is a variable, and the report says so`() throws {
        let text = description("parameters: [{name: b, in: path, required: true}]", path: "/users/{userId}/{b}/:c")
        #expect(try endpoint(text).variables == ["userId": "{{$prompt userId}}", "b": "{{$prompt b}}"])
        let reasons = try reasons(text)
        #expect(reasons.filter { $0.contains("no parameter of the operation") }.count == 1, "\(reasons)")
        #expect(reasons.contains { $0.hasPrefix("GET /users/{userId}/{b}/:c: {userId} of the path") }, "\(reasons)")
    }

    @Test(arguments: [
        ("[{url: 'https://'}, {url: 'https://h'}]", ["https://h"], "omitted: https://: the server is not imported"),
        ("[{url: 'https://h'}, {url: 'wss://h/ws'}]", ["https://h"], "omitted: wss://h/ws: the server is not imported"),
        ("[{url: 'wss://h/ws'}]", ["http://localhost"], "omitted: wss://h/ws: the server is not imported"),
        ("[{description: x}, {url: 'https://h'}]", ["https://h"], "omitted: servers: a server must have a url"),
        (
            "[{url: 'https://{region}.h'}]", ["https://{{region}}.h"],
            "changed: https://{region}.h: the description has no value of the variable region"
        ),
        ("[{url: 'https://h:{port}/x'}]", ["https://h:{{port}}/x"], "changed: https://h:{port}/x: the description has no value of the variable port"),
        ("[{url: '{scheme}://h'}]", ["https://h"], "changed: {scheme}://h: the description has no value of the variable scheme"),
    ])
    func `an odd server is omitted or gets variables, and the operations are imported`(_ list: String, _ servers: [String], _ line: String) throws {
        let workspace = try imported("openapi: 3.0.0\ninfo: {title: T, version: 1}\nservers: \(list)\npaths: {/a: {get: {}}}\n")
        #expect(workspace.services[0].service.servers == ["*": servers])
        #expect(endpoints(workspace.services[0].items).map(\.path) == ["/a"])
        #expect(workspace.report.lines.contains { $0.hasPrefix(line) && $0.contains("(api.yaml:3:") }, "\(workspace.report.lines)")
        for name in ["region", "port"] where list.contains("{\(name)}") { #expect(workspace.variables[name] == "{{$prompt \(name)}}") }
    }

    @Test func `an operation whose own servers cannot be used has those of the description`() throws {
        let text = description("servers: [{url: 'https://'}]")
        let workspace = try imported(text)
        #expect(workspace.services.count == 1 && endpoints(workspace.services[0].items).count == 1)
    }

    @Test(arguments: [
        "{\"log\": {\"openapi\": \"3.0.0\"}}", "curl https://h/openapi: x",
        "name: x\nspec:\n  openapi: 3.0.0\n", "", "openapi",
    ])
    func `other contents are not descriptions`(_ text: String) {
        #expect(!OpenAPIImport.recognizes(ImportSource(name: "x", bytes: Array(text.utf8))), "\(text)")
    }

    @Test func `a folder is imported by its description`() throws {
        let files = [
            "spec/openapi.yaml":
                "openapi: 3.0.0\ninfo: {title: T, version: 1}\npaths: {/a: {get: {parameters: [{$ref: ../common/p.yaml}]}}}",
            "common/p.yaml": "{name: q, in: query}",
        ]
        let source = ImportSource(
            name: "folder", bytes: [], paths: files.keys.sorted(), yaml: YAMLSource.node
        ) { files[$0].map { Array($0.utf8) } }
        #expect(OpenAPIImport.recognizes(source))
        let workspace = try OpenAPIImport.workspace(from: source)
        #expect(
            workspace.name == "T"
                && endpoints(workspace.services[0].items).first?.query.map(\.name) == ["q"])
    }

    @Test func `schemas that refer to each other make a body of limited size`() throws {
        let schemas = (0..<40).map { number in
            let properties = (0..<40).map { "\"p\($0)\": {\"$ref\": \"#/components/schemas/S\($0)\"}" }
                .joined(separator: ", ")
            return "\"S\(number)\": {\"type\": \"object\", \"properties\": {\(properties)}}"
        }.joined(separator: ", ")
        let text = """
            {"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "components": {"schemas": {\(schemas)}},
             "paths": {"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}}}}}
            """
        guard case .json(let body) = try endpoint(text).body else {
            Issue.record("no JSON body")
            return
        }
        #expect(body.utf8.count < 1_000_000)
        #expect(try reasons(text).contains { $0.contains("shortened") })
    }
}
