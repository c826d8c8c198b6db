import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Generates requests from descriptions.
struct ContractCasesTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Orders, version: "1"}
        security: [{key: []}]
        paths:
          /orders/{id}:
            post:
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
                - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 10}}
                - {name: kind, in: query, required: true, schema: {type: string, enum: [a, b]}}
                - {name: tags, in: query, explode: false, schema: {type: array, items: {type: integer}}}
                - {name: X-Trace, in: header, required: true, schema: {type: string, format: uuid}}
              requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
              responses: {"200": {description: done}}
        components:
          securitySchemes: {key: {type: apiKey, in: query, name: api_key}}
          schemas:
            Order:
              type: object
              required: [name, lines]
              additionalProperties: false
              properties:
                name: {type: string, minLength: 2, maxLength: 5}
                note: {type: string, nullable: true}
                open: {type: boolean}
                lines: {type: array, items: {type: object, required: [price], properties: {price: {type: number, minimum: 0, exclusiveMinimum: true}}}}
        """

    private let contract: OpenAPIContract

    init() throws {
        contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(Self.document.utf8), yaml: YAMLSource.node))
    }

    private func requests(seed: UInt64, limit: Int = 1000) throws -> [(item: ContractCase, request: Request)] {
        var cases = ContractCases(of: contract.operations[0], in: contract, seed: seed)
        let url = try HTTPURL(parsing: "http://localhost/v1/orders/7?api_key=k&kind=a&other=1")
        return cases.cases(limit: limit).map { item in
            var request = Request(method: .post, url: url, body: .text("old", contentType: "text/plain"))
            item.apply(to: &request, base: "/v1")
            return (item, request)
        }
    }

    @Test func `valid and boundary requests are as described, and invalid ones are not`() throws {
        let all = try requests(seed: 1)
        for (item, request) in all {
            let check = ContractCheck(contract, request, sent: request.headers, nil, bases: ["/v1"]) { .success(.null) }
            let failures = check.checks.filter { $0.subject != ContractCheck.credentials }.compactMap(\.failure)
            #expect(failures.isEmpty == (item.kind != .invalid), "\(item.kind) \(item.name): \(request.url) \(failures)")
            #expect(check.operation?.index == 0 && request.url.query?.contains("other=1") == true, "\(request.url)")
        }
        let names = Set(all.map { "\($0.item.kind.rawValue) \($0.item.name)" })
        for name in [
            "boundary query limit = 10 (maximum)", "invalid query limit = 11 (maximum)", "invalid query kind is missing", "invalid body is missing",
            "invalid body .name is missing", "invalid body .lines [0] .price = 0 (minimum)", "boundary body .note = \"ä €😀\" (Unicode)",
            "invalid body .undescribed = true", "invalid path id = \"text\" (type)", "unauthenticated no credentials",
        ] {
            #expect(names.contains(name), "\(name): \(names.sorted())")
        }
    }

    @Test func `one seed gives one sequence, and the samples are always part of it`() throws {
        func names(_ seed: UInt64) throws -> [String] { try requests(seed: seed, limit: 20).map(\.item.name) }
        #expect(try names(5) == names(5) && names(5) != names(6) && names(5).count == 20)
        #expect(try names(5).first == "samples of required parts")
    }

    @Test func `a request without credentials lacks the key of the query`() throws {
        let open = try #require(try requests(seed: 1).first { $0.item.kind == .unauthenticated })
        #expect(open.request.url.query?.contains("api_key") == false)
        #expect(try requests(seed: 1).first?.request.url.query?.contains("api_key=k") == true)
    }

    @Test func `fields and credentials of the request stay, all cookies are in one field, and limits that are no limits have no variants`() throws {
        let text = """
            openapi: 3.0.3
            info: {title: T, version: "1"}
            paths:
              /x:
                get:
                  parameters:
                    - {name: Accept, in: header, required: true, schema: {type: string}}
                    - {name: x-key, in: header, required: true, schema: {type: string}}
                    - {name: a, in: cookie, required: true, schema: {type: string, minLength: -3, maxLength: -1}}
                    - {name: b, in: cookie, required: true, schema: {type: number, minimum: inf, maximum: 1.7e308, multipleOf: 1.7e308}}
                  responses: {"200": {description: done}}
            components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        var cases = ContractCases(of: contract.operations[0], in: contract, seed: 1)
        let all = cases.cases(limit: 1000)
        #expect(!all.contains { $0.name.contains("minLength") || $0.name.contains("(minimum)") || $0.name.contains("inf") }, "\(all.map(\.name))")
        var request = Request(url: try HTTPURL(parsing: "http://localhost/x"), headers: ["Accept": "a/b", "X-Key": "k"])
        try #require(all.first).apply(to: &request, base: "")
        #expect(request.headers["Accept"] == "a/b" && request.headers["X-Key"] == "k")
        let cookies = request.headers.values(of: "Cookie")
        #expect(cookies.count == 1 && cookies[0].contains("a=") && cookies[0].contains("; b="), "\(cookies)")
    }

    @Test func `a missing field is not that of the request, and members without a parameter are no variants`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /x/{list}:
                get:
                  parameters:
                    - {name: X-R, in: header, required: true, schema: {type: integer}}
                    - {name: c, in: cookie, required: true, schema: {type: integer}}
                    - {name: list, in: path, required: true, schema: {type: array, items: {type: integer}}}
                    - {name: o, in: query, schema: {type: object, properties: {r: {type: integer}}, additionalProperties: false}}
                  responses: {"200": {description: ok}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        var cases = ContractCases(of: try #require(contract.operations.first), in: contract, seed: 1)
        let all = cases.cases(limit: 100)
        func request(_ name: String) throws -> Request {
            var request = Request(method: .get, url: try HTTPURL(parsing: "http://localhost/"), headers: ["X-R": "9", "Cookie": "c=1; d=2"])
            try #require(all.first { $0.name == name }).apply(to: &request, base: "")
            return request
        }
        #expect(try request("request header X-R is missing").headers["X-R"] == nil)
        #expect(try request("cookie c is missing").headers["Cookie"] == "d=2")
        #expect(!all.contains { $0.name.contains("undescribed") || $0.name.hasPrefix("path list = []") })
    }

    @Test func `a smaller request lacks one optional part`() throws {
        let full = try #require(try requests(seed: 1).first { $0.item.name == "samples of all parts" }?.item)
        #expect(full.smaller.count == 2 + 4)
    }

    private func contract(_ operation: String, _ components: String = "{}") throws -> OpenAPIContract {
        let text = "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {/x: {post: \(operation)}}\ncomponents: \(components)\n"
        return try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
    }

    /// The requests of a description, each with its name, after a comparison of every one with the description.
    private func all(_ contract: OpenAPIContract, limit: Int = 1000) throws -> [(name: String, request: Request)] {
        var cases = ContractCases(of: contract.operations[0], in: contract, seed: 1)
        let url = try HTTPURL(parsing: "http://localhost/x")
        return cases.cases(limit: limit).map { item in
            var request = Request(method: .post, url: url, headers: ["Cookie": "sid=1"])
            item.apply(to: &request, base: "")
            let check = ContractCheck(contract, request, sent: request.headers, nil) { .success(.null) }
            let failures = check.checks.filter { $0.subject != ContractCheck.credentials }.compactMap(\.failure)
            #expect(failures.isEmpty == (item.kind != .invalid), "\(item.kind) \(item.name): \(request.url) \(request.body) \(failures)")
            return ("\(item.kind) \(item.name)", request)
        }
    }

    @Test func `alternatives, numbers of items, texts of a pattern, dates and values that are null are varied`() throws {
        let schema = """
            {oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}], discriminator: {propertyName: kind, mapping: {second: B}}}
            """
        let components = """
            {schemas: {A: {type: object, required: [kind], properties: {kind: {type: string}}},
              B: {type: object, required: [kind, list], properties: {kind: {type: string}, list: {type: array, uniqueItems: true, minItems: 2, maxItems: 3,
                items: {type: string, pattern: "^[A-Z]{2,3}$", maxLength: 3}}, day: {anyOf: [{type: string, format: date}, {type: "null"}]}}}}}
            """
        let contract = try contract(
            "{requestBody: {required: true, content: {application/json: {schema: \(schema)}}}, responses: {default: {description: x}}}", components)
        let names = Set(try all(contract).map(\.name))
        for name in [
            "(alternative 2)", ".list = [\"AA\",\"AA\"] (uniqueItems)", "(minItems)", "(maxItems)", "[0] = \"AAA\" (maxLength)", ".day = null (null)",
            ".day = \"2024-02-29\" (format)", ".day = \"2023-02-29\" (format)", ".day is missing", "invalid body = { (not JSON)",
        ] {
            #expect(names.contains { $0.contains(name) }, "\(name): \(names.sorted())")
        }
    }

    @Test func `forms are varied as what a server reads from their text`() throws {
        let schema =
            "{type: object, required: [name], properties: {name: {type: string, maxLength: 3}, age: {type: integer, maximum: 9}, ids: {type: array, items: {type: integer}}}}"
        let contract = try contract(
            "{requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: \(schema), encoding: {ids: {explode: false}}}}}, "
                + "responses: {default: {description: x}}}")
        let all = try all(contract)
        func text(_ name: String) throws -> String {
            let found = try #require(all.first { $0.name == name }, "\(all.map(\.name))").request
            #expect(found.headers["Content-Type"] == "application/x-www-form-urlencoded")
            guard case .bytes(let bytes, _) = found.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try text("boundary body .age = 9 (maximum)") == "name=str&age=9&ids=1")
        #expect(try text("invalid body .age = 10 (maximum)") == "name=str&age=10&ids=1")
        #expect(try text("boundary body .ids = [1,1] (repeated)") == "name=str&age=1&ids=1%2C1")
    }

    @Test func `a multipart form without files is varied in its parts`() throws {
        func contract(_ members: String) throws -> OpenAPIContract {
            let schema = "{type: object, required: [name], properties: {name: {type: string}, \(members)}}"
            return try self.contract(
                "{requestBody: {required: true, content: {multipart/form-data: {schema: \(schema)}}}, responses: {default: {description: x}}}")
        }
        let all = try all(contract("age: {type: integer, maximum: 9}"))
        func parts(_ name: String) throws -> [String] {
            let found = try #require(all.first { $0.name == name }, "\(all.map(\.name))").request
            guard case .multipart(let parts) = found.body else { return [] }
            return parts.map { "\($0.header)\($0.content)" }
        }
        #expect(try parts("boundary body .age = 9 (maximum)").count == 2)
        #expect(try parts("invalid body .name is missing").map { $0.contains("name=\"age\"") } == [true])
        #expect(all.contains { $0.name == "invalid body is missing" })
        // The content of a file is not generated.
        let file = try contract("file: {type: string, format: binary}")
        var cases = ContractCases(of: file.operations[0], in: file, seed: 1)
        #expect(cases.cases(limit: 100).map(\.name) == ["samples of required parts"])
    }

    @Test func `each valid example of a parameter and of a body is sent`() throws {
        let contract = try contract(
            """
            {parameters: [{name: q, in: query, schema: {type: string, maxLength: 5}, examples: {a: {value: one}, b: {value: two}, c: {value: too long}}}], \
            requestBody: {content: {application/json: {schema: {type: object}, examples: {a: {value: {n: 1}}, b: {value: {n: 2}}}}}}, \
            responses: {default: {description: x}}}
            """)
        let names = try all(contract).map(\.name).filter { $0.hasSuffix("(example)") }
        #expect(names == ["valid query q = \"two\" (example)", "valid body = {\"n\":2} (example)"])
    }

    @Test func `combinations of values are valid, leave out optional parts, and are as many as the variants`() throws {
        let parameters = ["a", "b"].map { "{name: \($0), in: query, schema: {type: integer, minimum: 0, maximum: 9}}" }.joined(separator: ", ")
        let contract = try contract("{parameters: [\(parameters)], responses: {default: {description: x}}}")
        let all = try all(contract)
        let combined = all.filter { $0.name.hasPrefix("boundary query a = ") && $0.name.contains(", query b = ") }
        #expect(combined.contains { $0.request.url.query == "a=9&b=0" }, "\(all.map(\.name))")
        #expect(try self.all(contract, limit: 7).count == 7)
        let urls = all.filter { $0.name.hasPrefix("boundary") || $0.name.hasPrefix("invalid") }.map { "\($0.name.prefix(8)) \($0.request.url)" }
        #expect(Set(urls).count == urls.count, "\(urls)")
    }

    @Test func `a request with other credentials has one of each scheme, and a certificate of a client is not left out`() throws {
        let schemes = """
            {securitySchemes: {key: {type: apiKey, in: query, name: k}, sid: {type: apiKey, in: cookie, name: sid}, b: {type: http, scheme: bearer},
              m: {type: mutualTLS}}}
            """
        let operation = "{security: [{key: [], sid: [], b: []}], responses: {default: {description: x}}}"
        let found = Dictionary(try all(try contract(operation, schemes)).map { ($0.name, $0.request) }) { $1 }
        let (open, other) = (try #require(found["unauthenticated no credentials"]), try #require(found["unauthenticated other credentials"]))
        #expect(open.headers["Cookie"] == nil && open.headers["Authorization"] == nil && !open.options.usesCookies)
        #expect(other.headers["Cookie"] == "sid=sortie-other" && other.headers["Authorization"] == "Bearer sortie-other")
        #expect(other.url.query == "k=sortie-other")
        #expect(
            try all(try contract("{security: [{m: []}], responses: {default: {description: x}}}", schemes)).map(\.name) == [
                "valid samples of required parts"
            ])
    }

    @Test(arguments: ["minItems: -9223372036854775808", "maxItems: 9223372036854775807"])
    func `a number of items that no array has makes no case`(_ limit: String) throws {
        let contract = try contract(
            "{requestBody: {content: {application/json: {schema: {type: array, \(limit), items: {type: integer}}}}}, responses: {default: {description: x}}}"
        )
        #expect(try all(contract).allSatisfy { !$0.name.hasSuffix("Items)") })
    }

    @Test func `empty texts, and integers of more than 64 bits, may be refused`() throws {
        let contract = try contract(
            "{parameters: [{name: q, in: query, schema: {type: string}}, {name: n, in: query, schema: {type: integer}}], "
                + "requestBody: {content: {application/json: {schema: {type: object, properties: {n: {type: array, items: {type: integer}}}}}}}, "
                + "responses: {default: {description: x}}}")
        var cases = ContractCases(of: contract.operations[0], in: contract, seed: 1)
        let uncertain = cases.cases(limit: 1000).filter { $0.kind == .boundary && !$0.isCertain }.map(\.name)
        #expect(uncertain.contains("query q = \"\" (empty)") && uncertain.contains("query n = 9223372036854775808"), "\(uncertain)")
        #expect(uncertain.contains("body .n [0] = 9223372036854775808") && !uncertain.contains("query n = 9007199254740991"), "\(uncertain)")
        #expect(!uncertain.contains("body .n = [] (empty)"), "\(uncertain)")
    }
}
