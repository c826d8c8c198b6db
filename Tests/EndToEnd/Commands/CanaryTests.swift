import Foundation
import Support
import Testing

/// Verifies that a secret in any place of a request or a response is in no file and no output of the program, in any notation, after all its
/// operations.
@Suite(.serialized)
struct CanaryTests {
    /// The places of secrets, and where the server must receive their canaries; secrets of the server and unsent ones have none.
    private static let places = [
        "a header field by its name", "a header field of redact:", "{{secret}} in any header field", "the query", "{{secret}} in the path",
        "the password of the URL", "the fragment of the URL", "a form field", "a JSON key at depth", "{{secret}} in a text of JSON", "an XML element",
        "an XML attribute", "a multipart part", "a GraphQL variable", "a GraphQL argument", "a cookie", "Set-Cookie", "Location", "a JSON response",
        "an XML response", "lines of JSON", "an event stream", "HTML", "a captured value", "a captured token", "the error message of the server",
        "the host of a network error", "the password of a proxy", "Basic authentication", "Digest authentication", "the passphrase of a client key",
        "$env", "$file", "the URL of DNS over HTTPS", "JSON in a form field", "a line of YAML", "redact: for a plain URL", "a download's response",
    ]
    private static let received = [
        "a header field by its name", "a header field of redact:", "{{secret}} in any header field", "the query", "{{secret}} in the path",
        "a form field", "a JSON key at depth", "{{secret}} in a text of JSON", "an XML element", "an XML attribute", "a multipart part",
        "a GraphQL variable", "a GraphQL argument", "a cookie", "a captured value", "a captured token", "$env", "$file", "a line of YAML",
        "redact: for a plain URL",
    ]
    private static let canaries = places.enumerated().map {
        Canary(place: $1, value: "cnry\($0 < 10 ? "0" : "")\($0)Zq8Wv3Kp6Tr")
    }
    /// The prefixes of the paths that the test itself writes, and of the download.
    private static let own = ["work/ws", "work/secret.txt", "work/pass.txt", "work/loaded"]

    private static func value(_ place: String) -> String { canaries.first { $0.place == place }?.value ?? "no such place: \(place)" }

    private let sortie: Sortie
    private let server: ScriptedServer
    /// A port without a DNS server or proxy.
    private let dead: DeadPort
    private let environment: [String: String]

    init() throws {
        sortie = try Sortie()
        dead = try DeadPort(.refusing)
        server = try ScriptedServer { Self.answer($0) }
        var environment = ["TMPDIR": sortie.home.path("tmp"), "XDG_DATA_HOME": sortie.home.path("data"), "XDG_RUNTIME_DIR": sortie.home.path("run")]
        for folder in ["tmp", "data", "run"] {
            try FileManager.default.createDirectory(atPath: sortie.home.path(folder), withIntermediateDirectories: true)
        }
        for (name, place) in Self.variables { environment[name] = Self.value(place) }
        self.environment = environment
        try writeWorkspace()
    }

    private static let variables = [
        "S_HEAD": "{{secret}} in any header field", "S_PATH": "{{secret}} in the path", "S_JSON": "{{secret}} in a text of JSON",
        "S_HOST": "the host of a network error", "S_ERROR": "the error message of the server", "S_PROXY": "the password of a proxy",
        "S_DNS": "the URL of DNS over HTTPS", "S_ENV": "$env", "S_DIGEST": "Digest authentication",
    ]

    private static func answer(_ request: ReceivedRequest) -> HTTPAnswer {
        func ok(_ type: String, _ body: String) -> HTTPAnswer { .ok(body, headers: [("Content-Type", type)]) }
        let path = request.target.prefix { $0 != "?" }
        switch path {
        case "/setcookie": return .ok("ok", headers: [("Set-Cookie", "id=\(value("Set-Cookie")); Path=/")])
        case "/redirect": return .redirect(to: "/landed?access_token=\(value("Location"))")
        case "/json": return .json("{\"data\": [{\"access_token\": \"\(value("a JSON response"))\"}]}")
        case "/load": return .json("{\"refresh_token\": \"\(value("a download's response"))\"}")
        case "/xml": return ok("application/xml", "<a><n:token>\(value("an XML response"))</n:token></a>")
        case "/lines": return ok("application/x-ndjson", "{\"token\":\"\(value("lines of JSON"))\"}\n{\"a\":1}\n")
        case "/events": return ok("text/event-stream", "data: {\"token\":\"\(value("an event stream"))\"}\n\n")
        case "/html":
            return ok("text/html", "<input name=\"csrf_token\" value=\"\(value("HTML"))\"><a href=\"/?a=1&amp;token=\(value("HTML"))\">x</a>")
        case "/capture": return .json("{\"id\": \"\(value("a captured value"))\", \"token\": \"\(value("a captured token"))\"}")
        case "/error":
            return HTTPAnswer(
                status: 500, reason: "No", headers: [("Content-Type", "application/json")],
                body: Array("{\"error\": \"no user \(value("the error message of the server"))\"}".utf8))
        case "/digest" where request["Authorization"]?.hasPrefix("Digest") != true:
            return HTTPAnswer(status: 401, headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\"")])
        case "/hang": return .claiming(length: 100, "held \(value("{{secret}} in any header field"))")
        // The server echoes the request, so its secrets are in the response as well.
        default: return ok("text/plain", request.headText + request.bodyText)
        }
    }

    private func writeWorkspace() throws {
        let secrets = Self.variables.keys.filter { $0 != "S_ENV" }.sorted().map { "  \($0.lowercased()): {env: \($0)}\n" }.joined()
        try sortie.write("ws/workspace.yaml", "name: W\nredact: [X-Redacted, redactedKey]\nenvironments: {dev: {}}\nsecrets:\n\(secrets)")
        let file = try sortie.write("secret.txt", Self.value("$file"))
        try sortie.write("pass.txt", Self.value("the passphrase of a client key"))
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("ws/dns/service.yaml", "name: Dns\naddresses: {source: \"https://127.0.0.1:\(dead.port)/{{s_dns}}\"}\n")
        try sortie.write("ws/dns/get.yaml", "name: Get\npath: http://looked-up.invalid/\n")
        try sortie.write("ws/proxied/service.yaml", "name: Proxied\nproxy: \"http://u:{{s_proxy}}@127.0.0.1:\(dead.port)\"\n")
        try sortie.write("ws/proxied/get.yaml", "name: Get\npath: http://proxied.invalid/\n")
        try sortie.write(
            "ws/api/head.yaml",
            """
            name: Head
            method: POST
            path: /echo/{{s_path}}
            headers:
              X-Redacted: \(Self.value("a header field of redact:"))
              X-Any: v {{s_head}}
              X-Env: "{{$env.S_ENV}}"
              X-File: "{{$file \(file)}}"
            body: {json: {a: [{redactedKey: \(Self.value("a JSON key at depth")), plain: "say {{s_json}}"}]}}

            """)
        try sortie.write("ws/api/host.yaml", "name: Host\npath: http://{{s_host}}.invalid/x\n")
        try sortie.write("ws/api/digest.yaml", "name: Digest\npath: /digest\nauth: {digest: {user: me, password: \"{{s_digest}}\"}}\n")
        try sortie.write(
            "ws/api/error.yaml", "name: Error\npath: /error\nheaders: {X-User: \"{{s_error}}\"}\nexpect: {json: {$.error: other}}\n")
        try sortie.write(
            "ws/api/xml.yaml",
            """
            name: Xml
            method: POST
            path: /echo
            headers: {Content-Type: application/xml}
            body: {text: '<s:E><wsse:Password>\(Self.value("an XML element"))</wsse:Password><u token="\(Self.value("an XML attribute"))"/></s:E>'}

            """)
        try sortie.write(
            "ws/api/graphql.yaml",
            """
            name: Graphql
            method: POST
            path: /echo
            body:
              json:
                query: 'mutation { login(password: "\(Self.value("a GraphQL argument"))") { id } }'
                variables: {token: \(Self.value("a GraphQL variable"))}

            """)
        try sortie.write("ws/api/login.yaml", "name: Login\npath: /capture\ncapture: {order: $.id, token: $.token}\n")
        try sortie.write(
            "ws/api/use.yaml", "name: Use\npath: /echo/{{login.order}}\nquery: {t: \"{{login.token}}\"}\nexpect: {status: 201}\n")
        try sortie.write("ws/api/hang.yaml", "name: Hang\npath: /hang\nheaders: {X-Any: \"{{s_head}}\"}\n")
        try sortie.write("ws/runs/chain.yaml", "chain:\n  - send: api/login\n    as: login\n  - send: api/use\n")
        try sortie.write("ws/runs/batch.yaml", "batch:\n  - send: api/head\n  - send: api/xml\n  - send: api/error\n  - send: api/host\n")
        try sortie.write("ws/runs/hang.yaml", "chain:\n  - send: api/head\n  - send: api/hang\n")
    }

    /// The commands that send the canaries, without output options.
    private func commands() throws -> [[String]] {
        let (url, value) = (server.url, Self.value)
        let certificates = try Certificates.shared()
        let sends = [
            [
                "\(url)/echo?api_key=\(value("the query"))", "-H", "X-Api-Key: \(value("a header field by its name"))", "-H",
                "Cookie: id=\(value("a cookie"))",
            ],
            [url.replacing("//", with: "//me:\(value("the password of the URL"))@") + "/echo#access_token=\(value("the fragment of the URL"))"],
            ["\(url)/echo", "--form", "password=\(value("a form field"))", "--form", "payload={\"token\":\"\(value("JSON in a form field"))\"}"],
            ["\(url)/echo", "-F", "token=\(value("a multipart part"))", "-F", "a=1"],
            ["\(url)/echo", "-H", "Content-Type: application/yaml", "-d", "a: 1\npassword: \(value("a line of YAML"))"],
            ["\(url)/echo", "-u", "me:\(value("Basic authentication"))"],
            [
                "\(url.replacing("http:", with: "https:"))/", "--cert", certificates.encryptedClient.certificate, "--key",
                certificates.encryptedClient.key, "--key-passphrase", "@pass.txt",
            ],
        ]
        let responses = ["setcookie", "redirect", "json", "xml", "lines", "events", "html"].map { ["\(url)/\($0)"] }
        let endpoints = ["api/head", "api/xml", "api/graphql", "api/host", "api/digest", "api/error", "dns/get", "proxied/get"]
        return (sends + responses + endpoints.map { [$0, "-w", "ws"] }).map { ["send"] + $0 }
            + [["run", "chain", "-w", "ws", "--junit", "chain.xml"], ["run", "batch", "-w", "ws", "--junit", "batch.xml"]]
            + [["download", "\(url)/load?token=\(value("the query"))", "-o", "loaded"]]
    }

    /// Runs a command and returns the canaries in its output; a body on stdout is exact and not checked.
    private func told(_ arguments: [String], isBody: Bool) async throws -> [String] {
        let run = try await sortie.run(arguments, environment: environment)
        let data = Data((isBody ? [] : run.outputBytes) + run.errorBytes)
        return Self.canaries.flatMap { canary in
            canary.found(in: data).map { "\(canary.place) is in the output of \(arguments.prefix(3).joined(separator: " ")), \($0)" }
        }
    }

    /// Kills a command during its request with this number, and returns the canaries on its terminal.
    private func kill(_ arguments: [String], inRequest number: Int) async throws -> [String] {
        let count = server.requests.count
        let terminal = try await sortie.open(arguments[0], arguments[1], "-w", "ws", "-v", environment: environment)
        let requests = try await server.waitForRequests(count + number, within: Sortie.patience)
        #expect(requests.last?.target == "/hang")
        terminal.signal(SIGKILL)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        return Self.canaries.filter { !$0.found(in: Data(terminal.rawOutput)).isEmpty }.map { "\($0.place) is on the terminal of \(arguments)" }
    }

    @Test func `a secret in any place is in no file and no output, in no notation`() async throws {
        var leaks: [String] = []
        for command in try commands() {
            leaks += try await told(command + ["--json", "--capture", "sent.har"], isBody: false)
            leaks += try await told(command + ["-v", "--capture", "sent.har"], isBody: command[0] == "send")
        }
        let plain = try await sortie.shell(
            "mkdir -p ws/sub && cd ws/sub && \"$SORTIE\" send \(server.url)/echo --json -H 'X-Redacted: \(Self.value("redact: for a plain URL"))'",
            environment: environment)
        leaks += Self.canaries.filter { !$0.found(in: Data(plain.outputBytes + plain.errorBytes)).isEmpty }.map {
            "\($0.place) is in the record of a plain URL"
        }
        for endpoint in ["api/head", "api/xml", "api/graphql"] {
            leaks += try await told(["send", endpoint, "-w", "ws", "--dry-run", "--json"], isBody: false)
            leaks += try await told(["send", endpoint, "-w", "ws", "--dry-run"], isBody: false)
        }
        leaks += try await kill(["send", "api/hang"], inRequest: 1)
        leaks += try await kill(["run", "hang"], inRequest: 2)
        leaks += try await told(["history", "export", "--har", "kept.har"], isBody: false)
        leaks += try await told(["history", "export", "--har", "-"], isBody: false)
        leaks += try await told(["history", "list", "--json", "--limit", "200"], isBody: false)
        let shown = try await sortie.shell(
            "for i in $(seq 1 45); do \"$SORTIE\" history show $i --json; \"$SORTIE\" history show $i; done 2>&1", environment: environment)
        #expect(shown.output.contains("••••"))
        leaks += Self.canaries.filter { !$0.found(in: Data(shown.outputBytes)).isEmpty }.map { "\($0.place) is in the output of history show" }

        // Captured values are stored until the run finishes.
        leaks += try sortie.leaks(of: Self.canaries, own: Self.own) { canary, file in
            canary.place.hasPrefix("a captured") && file.hasPrefix("state/sortie/runs/")
        }
        for leak in Set(leaks).sorted() { Issue.record("\(leak)") }

        // Without this check, the test would also pass for a program that sends nothing.
        let all = server.requests.map { $0.headText + $0.bodyText }.joined()
        for place in Self.received { #expect(all.contains(Self.value(place)), "\(place) was not received") }
        let basic = Data("me:\(Self.value("Basic authentication"))".utf8).base64EncodedString()
        #expect(all.contains("Basic \(basic)") && all.contains("Authorization: Digest username=\"me\""))
        for file in ["work/sent.har", "work/kept.har"] {
            #expect(try String(contentsOfFile: sortie.home.path(file), encoding: .utf8).contains("/echo"))
        }
    }

    @Test func `secrets written with --show-secrets are found, which proves that the search works`() async throws {
        let canary = try #require(Self.canaries.first)
        let basic = Self.value("Basic authentication")
        _ = try await sortie.run(
            [
                "send", "\(server.url)/x", "-H", "X-Api-Key: \(canary.value)", "-u", "me:\(basic)", "--show-secrets", "--capture", "shown.har",
                "--no-history",
            ], environment: environment)
        let leaks = try sortie.leaks(of: Self.canaries, own: Self.own) { _, _ in false }
        #expect(
            leaks.contains("\(canary.place) is in work/shown.har, plain")
                && leaks.contains { $0.hasPrefix("Basic authentication is in work/shown.har, Base64") },
            "\(leaks)")
    }
}
