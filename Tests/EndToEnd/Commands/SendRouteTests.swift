import Foundation
import Support
import Testing

/// Tests the routing of requests: redirects, versions, addresses, sockets, proxies.
@Suite(.serialized)
struct SendRouteTests {
    @Test func `redirects are followed`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/redirect/3")
        #expect(try EchoRecord(run).path == "/echo")
    }

    @Test func `--max-redirects permits exactly that many redirects`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/redirect/3", "--max-redirects", "3")
        #expect(run.status == .exited(0), "\(run)")
    }

    @Test func `one redirect more than --max-redirects is an error`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/redirect/3", "--max-redirects", "2")
        #expect(run.failed(4, "tooManyRedirects"), "\(run)")
        #expect(run.hint.contains("--max-redirects"))
    }

    @Test func `a redirect loop ends`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/redirect/loop")
        #expect(run.failed(4, "tooManyRedirects"), "\(run)")
    }

    @Test(arguments: [["--no-redirects"], ["--max-redirects", "0"]]) func `the redirect response itself can be requested`(
        options: [String]
    ) async throws {
        let run = try await Sortie().run(["send", "\(DemoProcess.shared.url)/redirect/1", "--json"] + options)
        let response = try #require(try ExchangeRecord(run).response)
        #expect(response.status == 302)
        #expect(response.values(of: "Location") == ["/echo"])
        #expect(run.status == .exited(0))
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `--http1.1 asks for HTTP/1.1 where HTTP/2 is offered`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/echo", "--cacert", nginx.certificateAuthority, "--http1.1")
        #expect(run.output == "HTTP/1.1 GET /echo localhost")
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `--http2 asks for HTTP/2`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/echo", "--cacert", nginx.certificateAuthority, "--http2")
        #expect(run.output == "HTTP/2.0 GET /echo localhost")
    }

    @Test func `S1.8 --server sends to that server of the ring only`() async throws {
        let (first, second) = (try ScriptedServer(answering: .ok("one")), try ScriptedServer(answering: .ok("two")))
        let dead = try DeadPort(.refusing)
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("shop/service.yaml", "servers: {dev: [\"\(first.url)\", \"\(second.url)\", \"\(dead.url)\"]}\n")
        try sortie.write("shop/a.yaml", "path: /\n")
        #expect(try await sortie.run("send", "shop/a").output == "one")
        #expect(try await sortie.run("send", "shop/a", "--server", "2").output == "two")
        #expect(try await sortie.run("send", "shop/a", "--server", "3").failed(4, "connectionRefused"))
        let run = try await sortie.run("send", "shop/a", "--server", "4")
        #expect(run.failed(2, "usage") && run.hint.contains("from 1 to 3"), "\(run)")
        #expect(try await sortie.run("send", first.url, "--server", "1").failed(2, "usage"))
    }

    @Test func `--resolve connects to the address and keeps the host's name`() async throws {
        let server = try ScriptedServer(answering: .ok("here"))
        let run = try await Sortie().run(
            "send", "http://shop.invalid:\(server.port)/", "--resolve", "shop.invalid:127.0.0.1", "--json")
        let record = try ExchangeRecord(run)
        #expect(record.response?.body == "here")
        #expect(record.attempts.first?.address == "127.0.0.1")
        #expect(server.requests.first?["Host"] == "shop.invalid:\(server.port)")
    }

    @Test func `the next of several addresses is tried when one refuses the connection`() async throws {
        let (server, dead) = try onOnePort(ScriptedServer(address: "127.0.0.3", .answering(.ok("here")))) {
            try DeadPort(.refusing, address: "127.0.0.2", port: $0)
        }
        let run = try await Sortie().run(
            "send", "http://shop.invalid:\(server.port)/", "--resolve", "shop.invalid:127.0.0.2,127.0.0.3", "--json")
        let record = try ExchangeRecord(run)
        #expect(record.response?.body == "here")
        #expect(record.attempts.map(\.address) == ["127.0.0.2", "127.0.0.3"])
        #expect(record.attempts.first?.error == "connectionRefused")
        withExtendedLifetime(dead) {}
    }

    @Test(arguments: ["b\u{fc}cher.invalid", "B\u{dc}CHER.invalid", "xn--bcher-kva.invalid"])
    func `--resolve finds a name in both of its forms`(_ name: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().run("send", "http://b\u{fc}cher.invalid:\(server.port)/", "--resolve", "\(name):127.0.0.1")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.first?["Host"] == "xn--bcher-kva.invalid:\(server.port)")
    }

    @Test(arguments: ["shop.invalid:PORT:127.0.0.1", "+shop.invalid:PORT:127.0.0.1", "*:PORT:[127.0.0.1]", "Shop.Invalid:PORT:[::1],127.0.0.1"])
    func `--resolve has the forms of curl with a port`(_ form: String) async throws {
        let server = try ScriptedServer(answering: .ok("here"))
        let value = form.replacingOccurrences(of: "PORT", with: "\(server.port)")
        #expect(try await Sortie().run("send", "http://shop.invalid:\(server.port)/", "--resolve", value).output == "here")
    }

    @Test(arguments: ["[2001:DB8::0:1]:PORT:127.0.0.1", "+[2001:db8::1]:127.0.0.1"])
    func `--resolve finds an IPv6 address in brackets`(_ form: String) async throws {
        let server = try ScriptedServer(answering: .ok("here"))
        let value = form.replacingOccurrences(of: "PORT", with: "\(server.port)")
        #expect(try await Sortie().run("send", "http://[2001:db8::1]:\(server.port)/", "--resolve", value).output == "here")
    }

    @Test func `--resolve for one port applies to it only, also after a redirect`() async throws {
        let target = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(302, to: "http://shop.invalid:\(target.port)/"))
        let run = try await Sortie().run(
            "send", "http://shop.invalid:\(server.port)/", "--resolve", "shop.invalid:\(server.port):127.0.0.1", "--resolve",
            "shop.invalid:\(target.port):127.0.0.1", "--json")
        #expect(try ExchangeRecord(run).response?.body == "there")
        let other = try await Sortie().run("send", "http://shop.invalid:\(server.port)/", "--resolve", "shop.invalid:1:127.0.0.1")
        #expect(other.failed(4, "hostNotFound"), "\(other)")
    }

    @Test func `--resolve of another host changes nothing`() async throws {
        let server = try ScriptedServer(answering: .ok("here"))
        let run = try await Sortie().run("send", server.url, "--resolve", "other.invalid:127.0.0.9")
        #expect(run.output == "here")
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `--unix-socket connects to the socket and keeps the host`() async throws {
        let sortie = try Sortie()
        var options = Nginx.Options()
        options.directives = "listen unix:\(sortie.home.path("s"));"
        let nginx = try Nginx.start(options)
        let run = try await sortie.run("send", "http://docker/echo", "--unix-socket", sortie.home.path("s"))
        #expect(run.output == "HTTP/1.1 GET /echo docker", "\(run)")
        _ = nginx
    }

    @Test func `a missing Unix socket is reported by name`() async throws {
        let run = try await Sortie().run("send", "http://docker/echo", "--unix-socket", "/nonexistent/socket")
        #expect(run.status == .exited(4), "\(run)")
        #expect(run.errorOutput.contains("/nonexistent/socket"))
    }

    @Test func `--proxy sends through the proxy`() async throws {
        let proxy = try ScriptedServer(answering: .ok("by proxy"))
        let run = try await Sortie().run("send", "http://shop.invalid/x", "--proxy", proxy.url)
        #expect(run.output == "by proxy", "\(run)")
        #expect(proxy.requests.first?.target == "http://shop.invalid/x")
    }

    @Test func `the proxy of the environment is used, and -v names its variable`() async throws {
        let proxy = try ScriptedServer(answering: .ok("by proxy"))
        let run = try await Sortie().run("send", "http://shop.invalid/x", "-v", environment: ["http_proxy": proxy.url])
        #expect(run.output == "by proxy" && run.errorOutput.contains("(http_proxy), which resolves shop.invalid"), "\(run)")
        let dry = try await Sortie().run("send", "http://shop.invalid/x", "--dry-run", environment: ["http_proxy": proxy.url])
        #expect(dry.output.contains("* address: through the proxy http://127.0.0.1:\(proxy.port) (http_proxy)"), "\(dry)")
        #expect(proxy.requests.map(\.target) == ["http://shop.invalid/x"])
    }

    @Test(arguments: [["--no-proxy", "*"], ["--proxy", ""], ["-w", "ws"]])
    func `--no-proxy, an empty --proxy and proxy: none exclude the proxy of the environment`(options: [String]) async throws {
        let (proxy, server) = (try ScriptedServer(answering: .ok("by proxy")), try ScriptedServer(answering: .ok("directly")))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "proxy: none\n")
        let run = try await sortie.run(["send", server.url, "-v"] + options, environment: ["http_proxy": proxy.url])
        #expect(run.output == "directly" && run.errorOutput.contains("http_proxy"), "\(run)")
        #expect(proxy.acceptedConnections == 0)
    }

    @Test func `a failure through the proxy of the environment, and one without it, names the variable`() async throws {
        let dead = try DeadPort(.refusing)
        let through = try await Sortie().run("send", "http://shop.invalid/x", environment: ["http_proxy": "http://127.0.0.1:\(dead.port)"])
        #expect(through.failed(4, "proxyFailed") && through.hint.contains("http_proxy") && through.hint.contains("--no-proxy"), "\(through)")
        let variables = ["http_proxy": "http://127.0.0.1:\(dead.port)", "NO_PROXY": "shop.invalid"]
        let direct = try await Sortie().run("send", "http://shop.invalid/x", environment: variables)
        #expect(direct.failed(4, "hostNotFound") && direct.hint.contains("http_proxy"), "\(direct)")
    }

    @Test func `an http proxy gets a Digest response to its challenge with --proxy-auth`() async throws {
        let proxy = try ScriptedServer { request in
            request["Proxy-Authorization"]?.hasPrefix("Digest username=\"me\"") == true
                ? .ok("in") : .status(407, headers: [("Proxy-Authenticate", "Digest realm=\"r\", qop=\"auth\", nonce=\"n\", algorithm=MD5")])
        }
        let url = "http://me:s3cret@127.0.0.1:\(proxy.port)"
        for scheme in ["digest", "any"] {
            let run = try await Sortie().run("send", "http://shop.invalid/x", "--proxy", url, "--proxy-auth", scheme)
            #expect(run.output == "in", "\(run)")
        }
        #expect(!proxy.requests.contains { $0.headText.contains("s3cret") || $0.headText.contains("Basic") })
    }

    @Test func `a script chooses the proxy, and the next route where that does not connect`() async throws {
        let (proxy, dead) = (try ScriptedServer(answering: .ok("by proxy")), try DeadPort(.refusing))
        let script = "function FindProxyForURL(url, host) { return 'PROXY 127.0.0.1:\(dead.port); PROXY 127.0.0.1:\(proxy.port)' }"
        let scripts = try ScriptedServer(answering: .ok(script))
        let sortie = try Sortie()
        let address = "\(scripts.url)/proxy.pac"
        try sortie.write("workspace.yaml", "environments: {dev: {}}\nproxy: {pac: \"\(address)\"}\n")
        try sortie.write("shop/service.yaml", "servers: {dev: [http://shop.invalid]}\n")
        try sortie.write("shop/a.yaml", "path: /a\n")
        let run = try await sortie.run("send", "shop/a", "-v", environment: ["http_proxy": dead.url])
        #expect(run.output == "by proxy" && proxy.requests.map(\.target) == ["http://shop.invalid/a"], "\(run)")
        #expect(run.errorOutput.contains("PROXY 127.0.0.1:\(proxy.port) by \(address)"), "\(run)")
        #expect(scripts.requests.map(\.target) == ["/proxy.pac"])
        let dry = try await sortie.run("send", "shop/a", "--dry-run")
        #expect(dry.output.contains("* address: PROXY 127.0.0.1:\(dead.port) by \(address)"), "\(dry)")
        // The nearer layer decides.
        #expect(try await sortie.run("send", "shop/a", "--proxy", proxy.url).output == "by proxy")
        #expect(try await sortie.run("send", "shop/a", "--no-proxy", "*").failed(4, "hostNotFound"))
        #expect(try await sortie.run("send", "shop/a", "--proxy", "", environment: ["http_proxy": proxy.url]).failed(4, "hostNotFound"))
        try sortie.write("shop/service.yaml", "servers: {dev: [http://shop.invalid]}\nproxy: none\n")
        #expect(try await sortie.run("send", "shop/a", environment: ["http_proxy": proxy.url]).failed(4, "hostNotFound"))
        #expect(proxy.requests.count == 2)
    }

    @Test func `a script of the workspace needs permission for its content, and what it cannot do is named with its line`() async throws {
        let proxy = try ScriptedServer(answering: .ok("by proxy"))
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("workspace.yaml", "environments: {dev: {}}\n")
        try sortie.write("shop/service.yaml", "servers: {dev: [http://shop.invalid]}\nproxy: {pac: ../proxy.pac}\n")
        try sortie.write("shop/a.yaml", "path: /a\n")
        try sortie.write("proxy.pac", "function FindProxyForURL(url, host) {\n  return 'PROXY 127.0.0.1:\(proxy.port)';\n}\n")
        let refused = try await sortie.run("send", "shop/a")
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("proxy.pac  (sha256:"), "\(refused)")
        #expect(try await sortie.run("trust", ".", "--allow").succeeded)
        #expect(try await sortie.run("send", "shop/a").output == "by proxy")
        try sortie.write("proxy.pac", "function FindProxyForURL(url, host) {\n  return fetch(host);\n}\n")
        #expect(try await sortie.run("send", "shop/a").errorOutput.contains("notTrusted"))
        let unknown = try await sortie.run("send", "shop/a", "--trust")
        #expect(unknown.failed(4, "proxyFailed") && unknown.errorOutput.contains("proxy.pac:2:3: “fetch” is not defined"), "\(unknown)")
        try sortie.write("shop/service.yaml", "servers: {dev: [http://shop.invalid]}\nproxy: {pac: none.pac}\n")
        let missing = try await sortie.run("send", "shop/a", "--trust")
        #expect(missing.status != .exited(0) && missing.errorOutput.contains("none.pac cannot be read"), "\(missing)")
        #expect(proxy.requests.count == 1)
    }

    @Test func `an IPv6 address in a URL works`() async throws {
        let server = try ScriptedServer(address: "::1", .answering(.ok("six")))
        let run = try await Sortie().run("send", server.url)
        #expect(run.output == "six", "\(run)")
    }
}
