import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests the examples of the contract, literally except for `…`.
@Suite struct ContractExampleTests {
    static let pin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let files = [
        "workspace.yaml": """
        # workspace.yaml
        name: Demo
        environment: develop                    # the one to start with
        environments:
          develop: {variables: {host: "127.0.0.1:8080"}}
          release: {variables: {host: "shop.example"}}
        publicParameters: {appId: "100001", lang: zh-cn}
        secrets: {token: {env: DEMO_TOKEN}, secret: {command: "pass show demo/secret"}}
        plugins: [token, sign, errorFilter]
        defaults: {timeout: {connect: 10s, idle: 30s, total: 60s}}
        """,
        "shop/service.yaml": """
        # shop/service.yaml
        name: Shop
        servers: {develop: ["http://{{host}}"], release: ["https://a.{{host}}", "https://b.{{host}}"]}    # a ring per environment
        switchServers: {after: 40, errorRate: 0.1}
        headers: {Accept: application/json}
        limits: {connections: 6, requests: 16}
        trust: {pins: ["\(pin)"], scope: leaf, ca: certs/ca.pem, clientCertificate: certs/me.pem, clientKey: certs/me.key}
        addresses: {source: system, preresolve: true, static: [127.0.0.1]}      # IP-direct
        envelope: {code: $.code, success: 200, message: $.description, result: $.result}
        """,
        "shop/login.yaml": "method: POST\npath: /login\ncapture: {token: $.token}\n",
        "shop/orders/list.yaml": """
        # shop/orders/list.yaml
        name: List orders
        method: GET                              # default
        path: /orders                            # an absolute URL is allowed
        query: {page: 1, size: 20}               # or a list of {name, value, enabled, description}
        headers: {X-Trace: "{{$uuid}}"}
        auth: {bearer: "{{token}}"}              # basic, digest, none, inherit
        body: {json: {id: 1}}                        # form, plist, text, file, multipart: [{name, value|file, filename, type}]
        kind: data                               # download, upload
        cache: 60s
        retry: {limit: 2, parkWhenOffline: true}   # on 408, 429, 502, 503, 504 and transport errors
        priority: normal                         # low, high        traffic: refresh | resource | background
        page: {number: page, size: size, items: $.items, total: $.total}
        expect: {status: 200, json: {$.code: 200}, under: 500ms}
        capture: {orderId: "$.result[0].id"}
        """,
        "runs/checkout.yaml": """
        # runs/checkout.yaml
        chain:                                   # or batch:, then beside it stopOnFailure: true (default) and concurrency: N
          - send: shop/login                     # a step is named by the last part of its target, or by as: NAME
            with: {username: demo}
          - send: shop/orders/list
            with: {token: "{{login.token}}"}     # captured by an earlier step
        """,
    ]

    private func load() throws -> (workspace: Workspace, path: String) {
        let folder = try TemporaryWorkspace(Self.files)
        return (try folder.load(), folder.path)
    }

    @Test func `the examples have no problem`() throws {
        #expect(try load().workspace.problems.map(\.description) == [])
    }

    @Test func `workspace.yaml defines environments, secrets, plugins and defaults in their order`() throws {
        let workspace = try load().workspace
        #expect(workspace.name == "Demo")
        #expect(workspace.initialEnvironment == "develop")
        #expect(workspace.environments.map(\.name) == ["develop", "release"])
        #expect(workspace.environments.map { $0.variables["host"] } == ["127.0.0.1:8080", "shop.example"])
        #expect(workspace.publicParameters == [Parameter("appId", "100001"), Parameter("lang", "zh-cn")])
        #expect(workspace.secrets == ["token": .environment("DEMO_TOKEN"), "secret": .command("pass show demo/secret")])
        #expect(workspace.plugins.map(\.name) == ["token", "sign", "errorFilter"])
        #expect(workspace.timeouts == Timeouts(connect: .seconds(10), idle: .seconds(30), total: .seconds(60)))
    }

    @Test func `service.yaml defines a ring of servers per environment and relative files`() throws {
        let (workspace, path) = try load()
        let service = try #require(workspace.service("shop"))
        #expect(service.servers["release"] == ["https://a.{{host}}", "https://b.{{host}}"])
        #expect(service.headers == [Parameter("Accept", "application/json")])
        #expect(service.limits.connections == 6 && service.limits.requests == 16)
        #expect(service.addresses == AddressSettings(fixed: [IPAddress("127.0.0.1")].compactMap { $0 }, isResolvedAhead: true))
        #expect(
            service.trust
                == TrustPolicy(
                    certificateAuthorityFile: path + "/shop/certs/ca.pem", clientCertificateFile: path + "/shop/certs/me.pem",
                    clientKeyFile: path + "/shop/certs/me.key", pins: [Self.pin], pinScope: .leaf))
    }

    @Test func `an endpoint has every setting of its file`() throws {
        let endpoint = try #require(try load().workspace.endpoint("shop/orders/list"))
        var expected = Endpoint(target: "shop/orders/list", name: "List orders", path: "/orders")
        expected.query = [Parameter("page", "1"), Parameter("size", "20")]
        expected.headers = [Parameter("X-Trace", "{{$uuid}}")]
        expected.auth = .bearer(token: "{{token}}")
        expected.body = .json("{\n  \"id\": 1\n}")
        expected.cache = CacheSetting(lifetime: .seconds(60))
        expected.retry = RetryPolicy(limit: 2, parksWhenOffline: true)
        var paging = Paging()
        paging.number = "page"
        paging.size = "size"
        paging.items = "$.items"
        paging.total = "$.total"
        expected.paging = paging
        expected.expectation = Expectation(status: 200, json: [Parameter("$.code", "200")], under: .milliseconds(500))
        expected.captures = [Capture(name: "orderId", path: "$.result[0].id")]
        expected.location = SourceLocation(file: "shop/orders/list.yaml", line: 2, column: 1)
        #expect(endpoint == expected)
    }

    @Test func `a chain has its steps with names and variables`() throws {
        let run = try #require(try load().workspace.runs.first)
        #expect(run.name == "checkout" && run.kind == .chain && run.stopsOnFailure)
        #expect(
            run.steps.map { [$0.target, $0.name, $0.variables.description] } == [
                ["shop/login", "login", "[\"username\": \"demo\"]"],
                ["shop/orders/list", "list", "[\"token\": \"{{login.token}}\"]"],
            ])
    }
}
