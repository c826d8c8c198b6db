import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests nested parameters, charsets, property lists and `answer:` of endpoint files, and that saving preserves them.
@Suite struct ParameterReadingTests {
    private func workspace(_ endpoint: String, service: String = "") throws -> TemporaryWorkspace {
        try TemporaryWorkspace([
            "workspace.yaml": "name: W\nenvironments: {dev: {}}\n",
            "api/service.yaml": "name: Api\nservers: {dev: [\"http://127.0.0.1\"]}\n\(service)",
            "api/get.yaml": endpoint,
        ])
    }

    private func rows(_ style: String) throws -> [String] {
        let text = "path: /\nquery:\n  user: {name: a, tags: [1, 02]}\n  on: true\n  none: null\n"
        let workspace = try workspace(text, service: "parameters: {\(style)}\n").load()
        #expect(workspace.problems == [])
        return try #require(workspace.endpoint("api/get")).query.map { "\($0.isEnabled ? "" : "#")\($0.name)=\($0.value)" }
    }

    @Test(arguments: [
        ("", ["user[name]=a", "user[tags][]=1", "user[tags][]=02", "on=true", "none=null"]),
        ("arrays: index, booleans: numbers, nulls: empty", ["user[name]=a", "user[tags][0]=1", "user[tags][1]=02", "on=1", "none="]),
        ("arrays: repeat, nulls: omit", ["user[name]=a", "user[tags]=1", "user[tags]=02", "on=true", "#none="]),
        ("arrays: comma", ["user[name]=a", "user[tags]=1,02", "on=true", "none=null"]),
    ])
    func `S0.32 nested values become rows in the style of the file`(style: String, expected: [String]) throws {
        #expect(try rows(style) == expected)
    }

    private func request(_ endpoint: String, service: String = "") throws -> Request {
        let workspace = try workspace(endpoint, service: service).load()
        #expect(workspace.problems == [])
        let endpoint = try #require(workspace.endpoint("api/get"))
        let plan = RequestBuilder(workspace: workspace, environment: "dev")
        return try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil })
    }

    @Test(arguments: [
        ("{nested: json}", "{UserId: 0, price: 1.50, tags: [a]}", #"{"UserId":0,"price":1.50,"tags":["a"]}"#),
        ("{nested: json}", "{say: \"{{quoted}}\"}", #"{"say":"a\"b"}"#),
    ])
    func `S0.37 a mapping is one parameter with JSON text`(style: String, value: String, expected: String) throws {
        let text = "path: /\nvariables: {quoted: 'a\"b'}\nparameters: \(style)\nquery: {biz: \(value)}\n"
        let query = try #require(try request(text).url.query)
        #expect(ParameterPair.pairs(of: query) == [.init("biz", expected)])
    }

    @Test(arguments: [
        ("dates: seconds", "2020-03-19T09:46:03Z", "d=1584611163"), ("dates: milliseconds", "2020-03-19T10:46:03.5+01:00", "d=1584611163500"),
        ("dates: iso8601", "2020-03-19", "d=2020-03-19T00%3A00%3A00Z"), ("dates: seconds", "\"2020-03-19\"", "d=2020-03-19"),
        ("dates: seconds", "2020-02-30", "d=2020-02-30"), ("nulls: name", "null", "d"), ("nulls: empty", "null", "d="),
        ("arrays: comma, dates: seconds", "[1970-01-02, x]", "d=86400%2Cx"),
    ])
    func `S0.32 dates and null are written in the style of the file`(style: String, value: String, expected: String) throws {
        #expect(try request("path: /\nparameters: {\(style)}\nquery: {d: \(value)}\n").url.query == expected)
    }

    @Test func `S0.32 a name without a value stays one when the endpoint is saved`() throws {
        let workspace = try workspace("path: /\nparameters: {nulls: name}\nquery:\n  parent: null\n")
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.query.append(Parameter("q", "1"))
        try workspace.save(changed, replacing: endpoint)
        let text = try workspace.read("api/get.yaml")
        #expect(text == "path: /\nparameters: {nulls: name}\nquery:\n  parent: null\n  q: 1\n", "\(text)")
        #expect(try workspace.load().endpoint("api/get")?.query == changed.query)
    }

    @Test(arguments: [
        ("GET", "", "a=1&b=2", ""), ("DELETE", "", "a=1&b=2", ""), ("POST", "", "", "a=1&b=2"),
        ("PUT", "body: {form: {c: 3}}\n", "", "a=1&b=2&c=3"),
        ("POST", "body: {json: {c: 3}}\n", "a=1&b=2", ""),
    ])
    func `S0.29 the method determines where the parameters of a file are sent`(method: String, body: String, query: String, form: String) throws {
        let style = "parameters: {place: method, order: sorted}\n"
        let request = try request("method: \(method)\npath: /\n\(body)query: {b: 2, a: 1}\n", service: style)
        #expect(request.url.query ?? "" == query)
        if !form.isEmpty { #expect(request.body == .text(form, contentType: "application/x-www-form-urlencoded")) }
    }

    @Test func `S1.41 rules of the endpoint replace those of its service, and are part of the request`() throws {
        let rules = "a: {required: true, type: integer, atLeast: 1, atMost: 9}\n    c: {oneOf: [x, y], shortest: 1}"
        let text = "path: /\nparameters:\n  rules:\n    \(rules)\n"
        let request = try request(text, service: "parameters: {rules: {a: {longest: 2}, b: {matches: ^x}}}\n")
        #expect(
            request.options.parameterRules == [
                ParameterRule("b", pattern: "^x"), ParameterRule("a", isRequired: true, type: .integer, atLeast: 1, atMost: 9),
                ParameterRule("c", shortest: 1, choices: ["x", "y"]),
            ])
    }

    @Test func `S1.41 saving another change keeps the rules byte for byte, and a changed rule is written`() throws {
        let text = "path: /\nparameters:\n  rules:   # ours\n    a: {atLeast: 1,   type: integer}\nname: Get\n"
        let workspace = try workspace(text)
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.name = "Got"
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("api/get.yaml") == text.replacing("Get", with: "Got"))
        let saved = try #require(try workspace.load().endpoint("api/get"))
        var other = saved
        other.parameters?.rules = [ParameterRule("a", type: .integer, atLeast: 1, atMost: 2.5)]
        try workspace.save(other, replacing: saved)
        #expect(try workspace.load().endpoint("api/get")?.parameters == other.parameters)
    }

    @Test func `S1.41 a value in the file that its rule rejects is a warning at its place`() throws {
        let text = "path: /\nparameters: {rules: {a: {type: integer}}}\nquery:\n  b: x\n  a: x\n"
        let problems = try workspace(text).load().problems
        #expect(problems.map(\.description) == ["api/get.yaml:5:3: the parameter “a” must be a whole number"])
        #expect(problems.map(\.severity) == [.warning])
    }

    @Test func `S0.31 a query and a form are sent in the charset of the file`() throws {
        let workspace = try workspace("method: POST\npath: /\nparameters: {charset: gbk}\nquery: {q: 编码}\nbody: {form: {t: 编 码}}\n").load()
        let endpoint = try #require(workspace.endpoint("api/get"))
        let plan = RequestBuilder(workspace: workspace, environment: "dev")
        let request = try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil })
        #expect(request.url.query == "q=%B1%E0%C2%EB")
        #expect(request.body == .text("t=%B1%E0+%C2%EB", contentType: "application/x-www-form-urlencoded; charset=GBK"))
    }

    @Test func `a character that the charset lacks is a problem before anything is sent`() throws {
        let workspace = try workspace("path: /\nparameters: {charset: latin1}\nquery: {q: 编}\n").load()
        let endpoint = try #require(workspace.endpoint("api/get"))
        let plan = RequestBuilder(workspace: workspace, environment: "dev")
        let problem = #expect(throws: Diagnostic.self) { try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil }) }
        #expect(problem?.description.contains("api/get.yaml:1:1: query: ISO-8859-1 cannot encode “编”") == true)
    }

    @Test func `S2.7 a value under plist is an XML property list`() throws {
        let workspace = try workspace("method: POST\npath: /\nbody: {plist: {name: a&b, amount: 2}}\n").load()
        #expect(workspace.problems == [])
        guard case .plist(let text)? = workspace.endpoint("api/get")?.body else { return #expect(Bool(false)) }
        #expect(text.contains("<key>name</key>\n\t<string>a&amp;b</string>\n\t<key>amount</key>\n\t<integer>2</integer>"))
    }

    @Test(arguments: ["expect: {accept", "answer: {status"])
    func `S0.14 S0.16 S2.60 the accepted responses are defined in expect:, or in answer:`(key: String) throws {
        let text = "path: /\n\(key): [200-299, 304], types: application/json, format: xml, shape: {id: integer}, codes: {7: seven}}\n"
        let workspace = try workspace(text).load()
        #expect(workspace.problems == [])
        let expectation = try #require(workspace.endpoint("api/get")?.expectation)
        #expect(expectation.accepted == [200...299, 304...304] && expectation.statuses == nil)
        #expect(expectation.usesAnswerKey == key.hasPrefix("answer"))
        let rules = try expectation.rules()
        #expect(rules.statuses == expectation.accepted && rules.contentTypes == ["application/json"] && rules.messages == ["7": "seven"])
        #expect(rules.format == .xml)
        #expect(try rules.schema == JSONSchema(shape: ["id": "integer"]))
    }

    @Test func `a changed condition of answer: is written under answer:, and one of expect: under expect:`() throws {
        let workspace = try workspace("path: /\nanswer: {status: [200-299],   format: xml}   # ours\nexpect: {status: 200}\n")
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.expectation?.format = .json
        changed.expectation?.status = 201
        try workspace.save(changed, replacing: endpoint)
        let text = try workspace.read("api/get.yaml")
        #expect(text.contains("answer: {status: [200-299],   format: json}   # ours") && text.contains("expect: {status: 201}"), "\(text)")
        let saved = try #require(try workspace.load().endpoint("api/get"))
        #expect(saved.expectation == changed.expectation)
        var moved = saved
        moved.expectation?.usesAnswerKey = false
        try workspace.save(moved, replacing: saved)
        #expect(try !workspace.read("api/get.yaml").contains("answer"))
        #expect(try workspace.load().endpoint("api/get")?.expectation == moved.expectation)
    }

    @Test func `an endpoint has the conditions of acceptance of the one that it extends beside its own expectation`() throws {
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": "name: W\nenvironments: {dev: {}}\n", "api/service.yaml": "name: Api\nservers: {dev: [\"http://127.0.0.1\"]}\n",
            "api/base.yaml": "path: /\nexpect: {status: 200, format: xml, types: [application/xml]}\n",
            "api/plain.yaml": "extends: api/base\nexpect: {json: {$.a: 1}}\n", "api/own.yaml": "extends: api/base\nexpect: {format: json}\n",
        ]).load()
        let plain = try #require(workspace.endpoint("api/plain")?.expectation)
        #expect(plain.statuses == nil && plain.json.count == 1 && plain.format == .xml && plain.contentTypes == ["application/xml"])
        let own = try #require(workspace.endpoint("api/own")?.expectation)
        #expect(own.statuses == nil && own.format == .json && own.contentTypes == nil)
    }

    @Test(arguments: [
        ("answer: {status: [2yy]}", "api/get.yaml:2:19: “2yy” is neither a status nor a range such as 200-299 or 2xx"),
        ("expect: {accept: [2yy]}", "api/get.yaml:2:19: “2yy” is neither a status nor a range such as 200-299 or 2xx"),
        ("answer: {status: [200]}\nexpect: {types: [a/b]}", "api/get.yaml:2:9: expect and answer both have conditions of acceptance"),
        ("answer: {format: html}", "api/get.yaml:2:18: format must be one of text, json, xml, plist"),
        ("answer: {shape: {id: int}}", "api/get.yaml:2:17: shape: "),
        ("parameters: {charset: utf9}", "api/get.yaml:2:23: there is no charset “utf9” here; did you mean “UTF-8”?"),
        ("parameters: {arrays: bracket}", "api/get.yaml:2:22: arrays must be one of brackets, index, repeat, comma"),
        ("parameters: {nested: yaml}", "api/get.yaml:2:22: nested must be one of brackets, json"),
        ("parameters: {rules: {a: required}}", "api/get.yaml:2:25: the rule of “a” must be a mapping such as {required: true, type: integer}"),
        ("parameters: {rules: {a: {type: int}}}", "api/get.yaml:2:32: “int” is not a type of values; did you mean integer?"),
        ("parameters: {rules: {a: {matches: (}}}", "api/get.yaml:2:35: “(” is not a regular expression: "),
        ("parameters: {rules: {a: {atLeast: many}}}", "api/get.yaml:2:35: atLeast must be a number, not “many”"),
        ("parameters: {rules: {a: {atLeast: \"{{least}}\"}}}", "api/get.yaml:2:35: atLeast must be a number, not “{{least}}”"),
        ("parameters: {rules: {a: {longest: 0}}}", "api/get.yaml:2:35: longest must be a whole number from 1 to 1000000"),
        ("expect: {json: {$.a: {oneOf: [x, \"{{nothing}}\"]}}}", "api/get.yaml:2:34: nothing here defines {{nothing}}"),
        ("expect: {json: {$.a: {longst: 3}}}", "api/get.yaml:2:23: this is not a condition; did you mean longest?"),
        ("parameters: {rules: {a: {shortest: 2, longest: 1}}}", "api/get.yaml:2:48: longest is less than shortest, so that no value is accepted"),
        ("parameters: {rules: {a: {atLeast: 2, atMost: 1}}}", "api/get.yaml:2:46: atMost is less than atLeast, so that no value is accepted"),
        ("body: {plist: {a: null}}", "api/get.yaml:2:15: plist: $.a cannot be in a property list"),
    ])
    func `problems are reported with their location`(line: String, problem: String) throws {
        let problems = try workspace("path: /\n\(line)\n").load().problems.map(\.description)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test func `saving another change keeps nested values, answer: and style byte for byte`() throws {
        let text = """
            path: /
            parameters: {arrays: repeat}   # ours
            query:
              user: {name: a, tags: [1, 2]}   # nested
            answer: {status: [200-299], shape: {id: integer}}
            name: Get

            """
        let workspace = try workspace(text)
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.name = "Got"
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("api/get.yaml") == text.replacing("Get", with: "Got"))
    }

    @Test func `S1.4 S2.19 https: and inherit: are read and written`() throws {
        let workspace = try workspace("path: /\nhttps: optional\n", service: "https: required\n")
        let loaded = try workspace.load()
        let problem = "TLS is required by https:, and this server does not use it; write an https URL"
        #expect(loaded.problems.map(\.description) == ["api/service.yaml:2:17: \(problem)"])
        #expect(loaded.services.first?.requiresTLS == true)
        let endpoint = try #require(loaded.endpoint("api/get"))
        #expect(endpoint.requiresTLS == false)
        var changed = endpoint
        changed.requiresTLS = true
        changed.inherits = false
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("api/get.yaml") == "path: /\nhttps: required\ninherit: false\n")
    }

    @Test func `S1.4 an absolute URL without TLS is a problem where TLS is required`() throws {
        let problems = try workspace("path: http://a.example/x\nhttps: required\n").load().problems.map(\.description)
        #expect(problems == ["api/get.yaml:1:7: TLS is required by https:, and this URL does not use it; write an https URL"])
    }

    @Test func `S1.4 the ports that a service moves to TLS are read, and only other URLs are problems`() throws {
        let service = "https: {ports: {80: 443, 8080: 8443}}\n"
        let loaded = try workspace("path: http://a.example:8080/x\nhttps: required\n", service: service).load()
        #expect(loaded.problems.isEmpty)
        #expect(loaded.services.first?.requiresTLS == true)
        #expect(loaded.services.first?.tlsPorts == [80: 443, 8080: 8443])
        let other = try workspace("path: http://a.example:81/x\nhttps: required\n", service: service).load().problems.map(\.description)
        #expect(other == ["api/get.yaml:1:7: TLS is required by https:, and this URL does not use it; write an https URL"])
    }

    @Test(arguments: [
        ("https: {}", "3:8: https has no ports; write https: {ports: {80: 443}}, or https: required"),
        ("https: {ports: {0: 443}}", "3:17: “0” is not a port; write a number from 1 to 65535"),
        ("https: {ports: {80: tls}}", "3:21: the port of https must be a whole number from 1 to 65535, not the text “tls”"),
    ])
    func `S1.4 a mistake in the ports is reported at its place`(line: String, problem: String) throws {
        let problems = try workspace("path: https://a.example/\n", service: line + "\n").load().problems.map(\.description)
        #expect(problems.contains("api/service.yaml:\(problem)"), "\(problems)")
    }

    @Test func `an edited row of a nested value is written as a row`() throws {
        let workspace = try workspace("path: /\nquery:\n  user: {name: a, tag: b}\n")
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.query[0].value = "c"
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.load().endpoint("api/get")?.query.map { "\($0.name)=\($0.value)" } == ["user[name]=c", "user[tag]=b"])
    }
}
