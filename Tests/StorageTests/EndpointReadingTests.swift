import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests the interpretation of values in an endpoint's file.
@Suite struct EndpointReadingTests {
    @Test func `numbers and words keep their exact text as parameter values`() throws {
        let endpoint = try TemporaryWorkspace.endpoint(
            "path: /\nquery: {page: 1, code: 007, v: 1.0, w: yes, b: true, n: null, e: }\n")
        #expect(endpoint?.query.map(\.value) == ["1", "007", "1.0", "yes", "true", "null", ""])
    }

    @Test func `S2.9 a file without path: has the URL of the server, also after another change is saved`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "method: POST\n"])
        let endpoint = try #require(try workspace.load().endpoint("shop/a"))
        #expect(endpoint.path.isEmpty && endpoint.method == .post)
        var changed = endpoint
        changed.method = .put
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("shop/a.yaml") == "method: PUT\n")
        changed.path = "/orders"
        try workspace.save(changed, replacing: try workspace.load().endpoint("shop/a"))
        #expect(try workspace.load().endpoint("shop/a")?.path == "/orders")
    }

    @Test func `S2.14 excluded networks are read, checked and written`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /\nexcludeNetworks: metered\n"])
        let endpoint = try #require(try workspace.load().endpoint("shop/a"))
        #expect(endpoint.excludedNetworks == [.metered])
        var changed = endpoint
        changed.excludedNetworks = [.cellular, .interface("wlan0")]
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.load().endpoint("shop/a")?.excludedNetworks == changed.excludedNetworks)
        let problem = "2:19 “192.0.2.1” is not a network; write cellular, metered, or the name of an interface such as wlan0"
        #expect(try TemporaryWorkspace.problems(inEndpoint: "path: /\nexcludeNetworks: [192.0.2.1]\n") == [problem])
    }

    @Test(arguments: [Endpoint.Kind.webSocket, .events])
    func `the kinds of connections that stay open are read`(kind: Endpoint.Kind) throws {
        #expect(try TemporaryWorkspace.endpoint("path: /chat\nkind: \(kind.rawValue)\n")?.kind == kind)
        #expect(try TemporaryWorkspace.problems(inEndpoint: "path: /chat\nkind: \(kind.rawValue)\n", severity: .error).isEmpty)
    }

    @Test func `messages of a WebSocket connection are texts, values of JSON, or rows`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: /\nmessages:\n  greet: hello {{name}}\n  order: {id: 7, tags: [a]}\n")
        #expect(endpoint?.messages.map(\.name) == ["greet", "order"])
        #expect(endpoint?.messages.first?.value == "hello {{name}}")
        #expect(try JSONValue(parsing: endpoint?.messages.last?.value ?? "").text == #"{"id": 7, "tags": ["a"]}"#)
        let rows = try TemporaryWorkspace.endpoint("path: /\nmessages: [{name: a, value: b}]\n")
        #expect(rows?.messages == [Parameter("a", "b")])
    }

    @Test(arguments: [("messages: hello", Diagnostic.Severity.error, "messages must be"), ("messages: {a: \"{{\"}", .error, "{{")])
    func `an invalid message is reported`(line: String, severity: Diagnostic.Severity, message: String) throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /\n\(line)\n", severity: severity)
        #expect(problems.count == 1 && problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `examples are read with literal texts and relative files, and saving keeps what did not change`() throws {
        let text = """
            path: /orders/{{id}}
            variables: {id: 7}
            examples:
              none: # of the shop
                request: {path: {id: 9}, body: {form: {a: "{{any}}"}}}
                response: {status: 4xx, body: {file: none.json}}
              small:
                response: {status: 200, headers: {X-A: "{{"}, body: {json: {text: "{{unknown}}"}}}
                times: 2
                delay: 20ms
            """
        let workspace = try TemporaryWorkspace(["shop/a.yaml": text + "\n"])
        #expect(try TemporaryWorkspace.problems(inEndpoint: text, severity: .warning).isEmpty)
        #expect(try TemporaryWorkspace.problems(inEndpoint: text).isEmpty)
        let endpoint = try #require(try workspace.load().endpoint("shop/a"))
        var none = EndpointExample("none", response: .init(statuses: 400...499, body: .file(path: "none.json", contentType: nil)))
        none.request.path = [Parameter("id", "9")]
        none.request.body = .form([Parameter("a", "{{any}}")])
        #expect(endpoint.examples.first == none && endpoint.examples.last?.times == 2 && endpoint.examples.last?.delay == .milliseconds(20))
        var changed = endpoint
        changed.examples[1].times = 3
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("shop/a.yaml") == text.replacing("times: 2", with: "times: 3") + "\n")
    }

    @Test(arguments: [
        ("{a: {}}", "the example has no response; write response: {status: 200}"), ("[{response: {}}]", "the example has no name"),
        ("{a: {response: {body: {form: {}}}}}", "must be json, text or file"), ("{a: {response: {}, times: 0}}", "times"),
        ("{a: {response: {status: [200, 404]}}}", "one status or one range"),
    ]) func `an invalid example is reported`(text: String, message: String) throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /\nexamples: \(text)\n")
        #expect(problems.count == 1 && problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `values of the response can be used only in the name of a downloaded file`() throws {
        func problems(_ to: String, severity: Diagnostic.Severity = .error) throws -> [String] {
            try TemporaryWorkspace.problems(inEndpoint: "path: /\nkind: download\ndownload: {to: \"\(to)\"}\n", severity: severity)
        }
        #expect(try problems("out/{{response.name}}", severity: .warning).isEmpty)
        #expect(try problems("out/{{nam}}-{{response.name}}", severity: .warning).count == 1)
        #expect(try problems("out/{{response.name}}-{{response.status}}-{{response.header.X-A}}").isEmpty)
        #expect(try problems("{{response.name}}/x").first?.contains("only in the name of the file") == true)
        #expect(try problems("{{response.nam}}").first?.contains("{{response.nam}} is none of") == true)
    }

    @Test func `rows may be a list with a switch and a description for each row`() throws {
        let endpoint = try TemporaryWorkspace.endpoint(
            """
            path: /
            query:
              - {name: a, value: 1, enabled: false, description: why}
              - name: a
                value: "2"
            """)
        #expect(endpoint?.query == [Parameter("a", "1", isEnabled: false, summary: "why"), Parameter("a", "2")])
    }

    @Test func `JSON in YAML becomes JSON text with the types and the order of keys`() throws {
        let endpoint = try TemporaryWorkspace.endpoint(
            """
            path: /
            body:
              json:
                z: 1
                a: [true, null, 1.50, "1", yes, 0x1F, +5, 01234, .5, 2., "{{id}}"]
                e: {}
                n: {list: [], text: "a\\"b\\n\\u0001"}
            """)
        #expect(
            endpoint?.body
                == .json(
                    """
                    {
                      "z": 1,
                      "a": [
                        true,
                        null,
                        1.50,
                        "1",
                        "yes",
                        31,
                        "+5",
                        "01234",
                        0.5,
                        2.0,
                        "{{id}}"
                      ],
                      "e": {},
                      "n": {
                        "list": [],
                        "text": "a\\"b\\n\\u0001"
                      }
                    }
                    """))
    }

    @Test func `a block scalar given as JSON is the JSON text itself`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: /\nbody:\n  json: |\n    {\"n\": {{count}}}\n")
        #expect(endpoint?.body == .json("{\"n\": {{count}}}\n"))
    }

    @Test(arguments: [
        ("{text: hi}", BodyTemplate.text("hi", contentType: nil)),
        ("{text: hi, contentType: text/csv}", .text("hi", contentType: "text/csv")),
        ("{text: {text: hi, contentType: text/csv}}", .text("hi", contentType: "text/csv")),
        ("{plist: <a/>}", .plist("<a/>")),
        ("{form: {a: 1}}", .form([Parameter("a", "1")])),
        ("{file: /x/y.bin}", .file(path: "/x/y.bin", contentType: nil)),
        ("{file: '{{folder}}/y.bin'}", .file(path: "{{folder}}/y.bin", contentType: nil)),
        ("{json: '{{x}}'}", .json("\"{{x}}\"")),
        ("{json: ' {\"a\": [1]}'}", .json(" {\"a\": [1]}")),
        ("{json: \"[1,2]\"}", .json("[1,2]")),
        ("{json: '{\"a\":{{x}}, \"b\": \"{{y}}\"}'}", .json("{\"a\":{{x}}, \"b\": \"{{y}}\"}")),
        ("{json: !!str '{\"a\":1}'}", .json("\"{\\\"a\\\":1}\"")),
        ("{json: {a: '[1]'}}", .json("{\n  \"a\": \"[1]\"\n}")),
        ("{json: '7'}", .json("\"7\"")),
        ("{json: '[draft] a'}", .json("\"[draft] a\"")),
        ("{graphql: {query: '{ a }', variables: '{\"a\":1}'}}", .graphQL(GraphQLTemplate(query: "{ a }", variables: "{\"a\":1}"))),
        ("none", .none), ("", .none),
    ])
    func `every kind of body is read`(text: String, body: BodyTemplate) throws {
        #expect(try TemporaryWorkspace.endpoint("path: /\nbody: \(text)\n")?.body == body)
    }

    @Test func `a text that begins like JSON and is none is reported, and other texts are not`() throws {
        func problems(_ json: String) throws -> [String] {
            try TemporaryWorkspace.problems(inEndpoint: "path: /\nvariables: {x: y}\nbody: {json: \(json)}\n", severity: .warning)
        }
        let found = try problems("'{\"x\": {{x}}, a: 1}'")
        #expect(found.count == 1 && found.first?.contains("not JSON") == true, "\(found)")
        #expect(found.first?.contains("column 14 of the text, so it is a JSON string; correct it, or write !!str before it") == true, "\(found)")
        for json in ["'{\"a\": \"{{x}}\"}'", "!!str '{a'", "'{{x}}'", "'a {b}'", "{a: '{b'}"] { #expect(try problems(json).isEmpty, "\(json)") }
    }

    @Test func `the path of a body's file is resolved against the endpoint's file`() throws {
        let folder = try TemporaryWorkspace([
            "shop/deep/a.yaml": "path: /\nbody: {multipart: [{name: f, file: ../x.bin, type: image/png}]}\n"
        ])
        let part = BodyTemplate.Part(name: "f", value: folder.path + "/shop/x.bin", isFile: true, contentType: "image/png")
        #expect(try folder.load().endpoint("shop/deep/a")?.body == .multipart([part]))
    }

    @Test(arguments: [
        ("inherit", Auth.inherit), ("none", .none), ("{bearer: t}", .bearer(token: "t")),
        ("{basic: {user: u, password: p}}", .basic(user: "u", password: "p")),
        ("{basic: {username: u, password: 007}}", .basic(user: "u", password: "007")),
        ("negotiate", .negotiate), ("{ntlm: {username: 'S\\u', password: p}}", .ntlm(NTLMCredential(user: "S\\u", password: "p"))),
        ("{digest: {user: u}}", .digest(user: "u", password: "")),
        ("{oauth2: {tokenURL: http://h/t, clientID: c, clientSecret: s}}", .oauth2(OAuth2(tokenURL: "http://h/t", clientID: "c", clientSecret: "s"))),
        ("{apiKey: {name: X-Key, value: k}}", .apiKey(APIKey(name: "X-Key", value: "k"))),
        (
            "{jwt: {algorithm: ES256, key: k, claims: {sub: me}, keyID: a, lifetime: 1h}}",
            .jwt(JWTCredential(algorithm: .es256, key: "k", claims: #"{"sub": "me"}"#, keyID: "a", lifetime: "1h"))
        ),
        ("{apiKey: {name: key, value: k, in: query}}", .apiKey(APIKey(name: "key", value: "k", in: .query))),
        (
            "{awsSigV4: {region: r, service: s, accessKey: a, secretKey: k, sessionToken: t}}",
            .awsSigV4(AWSCredential(region: "r", service: "s", accessKey: "a", secretKey: "k", sessionToken: "t"))
        ),
        ("{any: {user: u, password: p}}", .ntlm(NTLMCredential(user: "u", password: "p", permitsOthers: true))),
        ("{hawk: {id: i, key: k, ext: e}}", .signature(SignatureCredential(.hawk, ["id": "i", "key": "k", "ext": "e"]))),
        ("{wsse: {username: u, password: p}}", .signature(SignatureCredential(.wsse, ["user": "u", "password": "p"]))),
        (
            "{httpSignature: {key: k, keyID: a, components: '@method date', lifetime: 1m}}",
            .signature(SignatureCredential(.httpSignature, ["key": "k", "keyID": "a", "components": "@method date", "lifetime": "1m"]))
        ),
    ])
    func `every kind of auth is read`(text: String, auth: Auth) throws {
        #expect(try TemporaryWorkspace.endpoint("path: /\nauth: \(text)\n")?.auth == auth)
    }

    @Test(arguments: [
        ("{oauth2: {tokenURL: /rel, clientID: c}}", "2:27 auth: oauth2: tokenURL: "),
        (
            "{oauth2: {grant: authorizationCode, redirectURL: 'https://h/cb', tokenURL: http://h/, authorizationURL: http://h/, clientID: c}}",
            "2:56 auth: oauth2: redirectURL is not an http URL of this machine"
        ),
        ("{apiKey: {name: a b, value: k}}", "2:23 auth: apiKey: the header name “a b” has a character"),
        ("{apiKey: {name: a, value: \"k\\nX: y\"}}", "2:33 auth: apiKey: the value contains a line break"),
        ("{awsSigV4: {region: a/b, service: s, accessKey: a, secretKey: k}}", "2:27 auth: awsSigV4: region contains a character"),
        ("{ntlm: {user: ü, password: p}}", "2:21 auth: ntlm: user contains a character"),
        ("{httpSignature: {key: k, algorithm: md5}}", "2:43 auth: httpSignature: algorithm “md5” is none of"),
        ("{oauth2: {tokenURL: http://h/t, clientID: c, parameters: [1]}}", "2:64 auth: oauth2: parameters are not a JSON object"),
        ("{jwt: {key: k, lifetime: soon}}", "2:32 auth: jwt: lifetime “soon” is not a duration"),
        ("{jwt: {key: k, claims: [1]}}", "2:30 auth: jwt: claims are not a JSON object"),
    ])
    func `a text of auth that can never be sent is an error at the text`(auth: String, problem: String) throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /\nauth: \(auth)\n")
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }

    @Test(arguments: [
        "{oauth2: {tokenURL: '{{host}}/t', clientID: c}}", "{oauth2: {tokenURL: http://h/t, redirectURL: 'https://h/cb', clientID: c}}",
        "{oauth2: {grant: authorizationCode, redirectURL: 'http://localhost:1/cb', tokenURL: http://h/, authorizationURL: http://h/, clientID: c}}",
        "{apiKey: {name: '{{host}} b', value: k}}", "{apiKey: {name: a b, value: k, in: query}}", "{jwt: {key: k, lifetime: '{{host}}'}}",
    ])
    func `a text of auth with a template, or one that is not used, is no problem`(auth: String) throws {
        #expect(try TemporaryWorkspace.problems(inEndpoint: "path: /\nvariables: {host: h}\nauth: \(auth)\n") == [])
    }

    @Test func `S3.14 a service limits its requests, connections, downloads and resources`() throws {
        let limits = "limits: {requests: 1, connections: 2, downloads: 3, resources: 4}\n"
        let service = try #require(TemporaryWorkspace(["shop/service.yaml": limits]).load().service("shop"))
        #expect(service.limits.requests == 1 && service.limits.connections == 2)
        #expect(service.limits.downloads == 3 && service.limits.resources == 4)
    }

    @Test func `a timeout inherits missing limits from the service`() throws {
        let files = [
            "shop/service.yaml": "timeout: {connect: 1s, idle: 2s, total: none}\n",
            "shop/a.yaml": "path: /\ntimeout: {idle: 5}\n",
        ]
        let endpoint = try TemporaryWorkspace(files).load().endpoint("shop/a")
        #expect(endpoint?.timeouts == Timeouts(connect: .seconds(1), idle: .seconds(5), total: nil))
    }

    @Test(arguments: [
        ("timeout: {connect: 1s}", Timeouts(connect: .seconds(1))), ("timeout: {idle: 9s}", Timeouts(idle: .seconds(9))),
        ("timeout: {total: 60s}", Timeouts(total: .seconds(60))), ("timeout: 60s", Timeouts(total: .seconds(60))),
        ("timeout: {connect: 1s, total: none}", Timeouts(connect: .seconds(1), total: nil)),
    ])
    func `only a total in the file counts as explicit`(line: String, timeouts: Timeouts) throws {
        #expect(try TemporaryWorkspace.endpoint("path: /\n\(line)\n")?.timeouts == timeouts)
    }

    @Test func `anchors, aliases and merged mappings are resolved`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: &p /x\nname: *p\nquery: &q {a: 1, b: 2}\nheaders: {<<: *q, b: 3}\n")
        #expect(endpoint?.name == "/x")
        #expect(endpoint?.headers == [Parameter("b", "3"), Parameter("a", "1")])
    }
}
