import Foundation
import Support
import Testing

/// Tests `sortie export` with the program.
struct ExportCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { .json("{\"token\": \"T\", \"path\": \"\($0.target)\"}") }
        try sortie.write(
            "workspace.yaml", "name: W\nenvironments: {dev: {variables: {host: \"\(server.authority)\"}}}\nsecrets: {key: {env: CANARY_KEY}}\n")
        try sortie.write("shop/service.yaml", "name: Shop\nservers: {dev: [\"http://{{host}}\"]}\nheaders: {X-Api-Key: \"{{key}}\"}\n")
        try sortie.write("shop/login.yaml", "method: POST\npath: /login\nbody: {json: {user: \"it's\"}}\ncapture: {token: $.token}\n")
        try sortie.write("shop/orders.yaml", "path: /orders\nquery: {q: \"a b\"}\nauth: {bearer: \"{{login.token}}\"}\n")
        try sortie.write("runs/flow.yaml", "chain:\n  - send: shop/login\n  - send: shop/orders\n")
    }

    @Test func `an exported endpoint, run by a shell, sends the same request, and its secret is a variable`() async throws {
        let run = try await sortie.run(["export", "shop/login", "--as", "curl"], environment: ["CANARY_KEY": "canary-1"])
        #expect(run.status == .exited(0) && !run.output.contains("canary-1"), "\(run)")
        #expect(run.output.hasPrefix("# Set before: CANARY_KEY\n"))
        let shell = try await ProcessRun.run("/bin/sh", ["-c", run.output], environment: ["CANARY_KEY": "k", "no_proxy": "*"])
        #expect(shell.succeeded, "\(shell)")
        let received = try #require(server.requests.last)
        #expect(received.method == "POST" && received.target == "/login" && received.bodyText.filter { !$0.isWhitespace } == "{\"user\":\"it's\"}")
        #expect(received["X-Api-Key"] == "k" && received["Content-Type"] == "application/json")
    }

    @Test func `an exported command sends the value of a secret as sortie sends it`() async throws {
        try sortie.write("shop/echo.yaml", "method: POST\npath: /echo\nquery: {k: \"{{key}}\"}\nbody: {form: {f: \"{{key}}\"}}\n")
        let key = ["CANARY_KEY": "a&b=c d"]
        #expect(try await sortie.run(["send", "shop/echo"], environment: key).status == .exited(0))
        let run = try await sortie.run(["export", "shop/echo", "--as", "curl"], environment: key)
        let shell = try await ProcessRun.run("/bin/sh", ["-c", run.output], environment: ["CANARY_KEY": "a&b=c d", "no_proxy": "*"])
        #expect(shell.succeeded && server.requests.count == 2, "\(run) \(shell)")
        #expect(server.requests.map(\.target) == Array(repeating: "/echo?k=a%26b%3Dc%20d", count: 2), "\(run)")
        #expect(server.requests.map(\.bodyText) == Array(repeating: "f=a%26b%3Dc+d", count: 2), "\(run)")
    }

    @Test func `a date has its format in an export`() async throws {
        try sortie.write("shop/date.yaml", "path: /date\nquery: {y: \"{{$date yyyy}}-\"}\n")
        let run = try await sortie.run("export", "shop/date", "--as", "curl")
        #expect(run.status == .exited(0) && run.output.contains(/\?y=[0-9]{4}-'/), "\(run)")
    }

    @Test func `a service and a run are exported with a comment for each request`() async throws {
        let run = try await sortie.run("export", "flow", "--as", "curl")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("# login\ncurl ") && run.output.contains("\"$LOGIN_TOKEN\""), "\(run)")
        try sortie.write("shop/orders.yaml", "path: /orders\n")
        let service = try await sortie.run("export", "shop", "--as", "curl")
        #expect(service.output.contains("# shop/login\n") && service.output.contains("# shop/orders\n"), "\(service)")
    }

    @Test(arguments: ["curl", "http", "python"])
    func `an endpoint that cannot be exported is named, and the others of its service are written`(format: String) async throws {
        try sortie.write("shop/broken.yaml", "path: /broken/{{nowhere}}\n")
        let run = try await sortie.run("export", "shop", "--as", format)
        #expect(run.status == .exited(3) && run.output.contains("/login") && run.output.contains("/orders"), "\(run)")
        #expect(run.errorOutput.contains("nowhere") && run.errorOutput.contains("broken.yaml"), "\(run)")
        let alone = try await sortie.run("export", "shop/broken", "--as", format)
        #expect(alone.status == .exited(3) && alone.output.isEmpty && alone.errorOutput.contains("nowhere"), "\(alone)")
    }

    @Test(arguments: ["curl", "http", "har", "openapi", "postman", "swift", "python", "locust"])
    func `an endpoint with captured values of a run is exported with a variable and a note`(format: String) async throws {
        for target in ["shop/orders", "shop"] {
            let run = try await sortie.run("export", target, "--as", format)
            #expect(run.status == .exited(0), "\(target): \(run)")
            #expect(run.errorOutput.contains("note: shop/orders: {{login.token}} has its value in the run flow"), "\(target): \(run)")
            #expect(!run.errorOutput.contains("shop/login: {{login.token}}"), "\(run)")
        }
        let program = try await sortie.run("export", "shop/orders", "--as", "curl")
        #expect(program.output.hasPrefix("# Set before: CANARY_KEY LOGIN_TOKEN\n"), "\(program)")
    }

    @Test(arguments: ["curl", "http", "har", "openapi", "postman", "swift", "python", "locust"])
    func `an endpoint with a captured value of another endpoint is exported with a variable and a note`(format: String) async throws {
        try sortie.write("shop/start.yaml", "path: /start\ncapture: {id: $.id}\n")
        try sortie.write("shop/next.yaml", "path: /next/{{start.id}}\nquery: {id: \"{{shop/start.id}}\"}\n")
        let run = try await sortie.run("export", "shop/next", "--as", format)
        #expect(run.status == .exited(0), "\(run)")
        for name in ["start.id", "shop/start.id"] {
            let note = "note: shop/next: {{\(name)}} is a value of a response of shop/start; here it is a variable that you set"
            #expect(run.errorOutput.contains(note), "\(run)")
        }
    }

    @Test func `a name that no run defines is still an error`() async throws {
        try sortie.write("shop/orders.yaml", "path: /orders\nauth: {bearer: \"{{login.tokn}}\"}\n")
        let run = try await sortie.run("export", "shop/orders", "--as", "curl")
        #expect(run.status != .exited(0) && run.errorOutput.contains("login.tokn"), "\(run)")
    }

    @Test func `values that a run gives its step are in the export of the run, and a variable in that of the endpoint`() async throws {
        try sortie.write("shop/one.yaml", "path: /one/{{id}}\nheaders: {X-Size: \"{{size}}\"}\n")
        try sortie.write(
            "runs/two.yaml", "chain:\n  - send: shop/login\n  - send: shop/one\n    with: {id: \"7\", size: \"{{size}}\"}\ndata: rows.csv\n")
        try sortie.write("runs/rows.csv", "size\n1\n2\n")
        let http = try await sortie.run("export", "two", "--as", "http")
        #expect(http.output.contains("@id = 7\n"), "\(http)")
        let python = try await sortie.run("export", "two", "--as", "python")
        #expect(python.output.contains("{\"size\": \"1\"},") && python.output.contains("/one/7\""), "\(python)")
        let one = try await sortie.run("export", "shop/one", "--as", "curl")
        #expect(one.output.contains("\"$ID\"") && one.errorOutput.contains("{{id}} has its value in the run two"), "\(one)")
    }

    @Test func `a loop over a list of the file is a loop of a program, and other formats have its first item and a note`() async throws {
        try sortie.write("shop/detail.yaml", "path: /items/{{id}}\n")
        try sortie.write("runs/each.yaml", "chain:\n  - send: shop/detail\n    forEach: {id: [1, \"a b\"]}\n")
        for (format, piece) in [
            ("python", "    for values[\"id\"] in [\"1\", \"a b\"]:\n        response = detail(values)\n"),
            ("locust", "        for values[\"id\"] in [\"1\", \"a b\"]:\n            if not self.send(\n"),
            ("swift", "        for each in [\"1\", \"a b\"] {\n            values[\"id\"] = each\n"),
        ] {
            let run = try await sortie.run("export", "each", "--as", format)
            #expect(run.status == .exited(0) && run.output.contains(piece), "\(run)")
            #expect(!run.errorOutput.contains("forEach"), "\(run)")
        }
        for (format, piece) in [("curl", "/items/1"), ("http", "@id = 1\n"), ("har", "/items/1\"")] {
            let run = try await sortie.run("export", "each", "--as", format)
            #expect(run.status == .exited(0) && run.output.contains(piece), "\(run)")
            #expect(run.errorOutput.contains("detail: forEach is not exported; the request is sent once with the first item"), "\(run)")
        }
    }

    @Test(arguments: ["python", "locust", "swift", "curl"])
    func `a loop over captured values is one request with a variable, and a note`(format: String) async throws {
        try sortie.write("shop/detail.yaml", "path: /items/{{id}}\n")
        try sortie.write("runs/each.yaml", "chain:\n  - send: shop/login\n  - send: shop/detail\n    forEach: {id: \"{{login.token}}\"}\n")
        let run = try await sortie.run("export", "each", "--as", format)
        #expect(run.status == .exited(0) && run.output.contains(" CANARY_KEY ID\n"), "\(run)")
        #expect(run.errorOutput.contains("detail: forEach is not exported; the request is sent once with the value of ID"), "\(run)")
    }

    @Test(.enabled(if: PythonPackage.isAvailable("httpx"), "httpx is not installed; .ci/setup test does that"))
    func `an exported loop sends the request for each item, in a chain with rows until the first failure`() async throws {
        try sortie.write("shop/detail.yaml", "path: /items/{{size}}/{{item}}\nexpect: {json: {$.path: {not: /items/1/b}}}\n")
        try sortie.write("shop/last.yaml", "path: /last\n")
        let steps = "  - send: shop/detail\n    forEach: [a, b, c]\n  - send: shop/last\ndata: rows.csv\n"
        try sortie.write("runs/rows.csv", "size\n1\n2\n")
        for (kind, targets) in [
            ("chain", ["/items/1/a", "/items/1/b", "/items/2/a", "/items/2/b", "/items/2/c", "/last"]),
            ("batch", ["/items/1/a", "/items/1/b", "/items/1/c", "/last", "/items/2/a", "/items/2/b", "/items/2/c", "/last"]),
        ] {
            try sortie.write("runs/each.yaml", "\(kind):\n\(steps)")
            #expect(try await sortie.run("export", "each", "--as", "python", "-o", "each.py").status == .exited(0))
            let before = server.requests.count
            let run = try await PythonPackage.run("httpx", [sortie.work + "/each.py"], environment: ["CANARY_KEY": "k"])
            #expect(run.status == .exited(1), "\(run)")
            #expect(server.requests.dropFirst(before).map(\.target) == targets, "\(kind): \(run)")
        }
    }

    @Test(arguments: ["python", "locust", "swift"])
    func `a program that cannot check the schema of a response says so, and does not read its file`(format: String) async throws {
        try sortie.write("shop/schema.yaml", "path: /one\nexpect: {schema: missing.json}\n")
        try sortie.write("runs/schema.yaml", "chain:\n  - send: shop/schema\n")
        let run = try await sortie.run("export", "schema", "--as", format)
        #expect(run.status == .exited(0) && run.errorOutput.contains("the schema of the response is not checked"), "\(run)")
    }

    @Test func `a description is written as YAML where the file has that ending`() async throws {
        #expect(try await sortie.run("export", "flow", "--as", "openapi", "-o", "api.yaml").status == .exited(0))
        #expect(String(decoding: try sortie.read("api.yaml"), as: UTF8.self).hasPrefix("openapi: \"3.1.0\"\n"))
        #expect(try await sortie.run("import", "api.yaml", "-o", "again").status == .exited(0))
    }

    @Test(.enabled(if: Haralyzer.isAvailable, "haralyzer is not installed; .ci/setup test does that"))
    func `haralyzer reads an exported run, and an exchange with its response`() async throws {
        let run = try await sortie.run(["export", "flow", "--as", "har", "-o", "flow.har"], environment: ["CANARY_KEY": "canary-3"])
        #expect(run.status == .exited(0), "\(run)")
        let unsent = try await Haralyzer.entries(of: sortie.work + "/flow.har")
        #expect(unsent.map(\.url) == ["\(server.url)/login", "\(server.url)/orders?q=a%20b"] && unsent.map(\.method) == ["POST", "GET"])
        #expect(unsent.first?.requestHeaders["X-Api-Key"] == "{{CANARY_KEY}}", "\(unsent)")
        #expect(try await sortie.run(["send", "shop/login"], environment: ["CANARY_KEY": "canary-3"]).status == .exited(0))
        #expect(try await sortie.run("export", "history:last", "--as", "har", "-o", "last.har").status == .exited(0))
        let sent = try await Haralyzer.entries(of: sortie.work + "/last.har")
        #expect(sent.map(\.status) == [200] && sent.first?.requestHeaders["X-Api-Key"] != "canary-3", "\(sent)")
    }

    @Test func `an exchange of the history is exported with variables for what was masked`() async throws {
        try sortie.write("shop/orders.yaml", "path: /orders\n")
        let sent = try await sortie.run(["send", "shop/orders"], environment: ["CANARY_KEY": "canary-2"])
        #expect(sent.status == .exited(0), "\(sent)")
        let run = try await sortie.run("export", "history:last", "--as", "curl")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("\(server.url)/orders") && run.output.contains("\"$X_API_KEY\"") && !run.output.contains("canary"), "\(run)")
    }

    @Test func `-o writes a file, and unknown names get a suggestion`() async throws {
        #expect(try await sortie.run("export", "shop/login", "--as", "curl", "-o", "out.sh").status == .exited(0))
        #expect(String(decoding: try sortie.read("out.sh"), as: UTF8.self).contains("curl "))
        let target = try await sortie.run("export", "shop/logn", "--as", "curl")
        #expect(target.status == .exited(2) && target.errorOutput.contains("did you mean shop/login?"), "\(target)")
        let format = try await sortie.run("export", "shop/login", "--as", "curll")
        #expect(format.status == .exited(2) && format.errorOutput.contains("did you mean curl?"), "\(format)")
    }
}
