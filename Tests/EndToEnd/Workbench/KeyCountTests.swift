import Foundation
import Support
import Testing

/// Tests how many keys everyday tasks need.
///
/// The characters of names, values and URLs are not counted; every other key is.
@Suite(.serialized)
struct KeyCountTests {
    /// Presses keys and counts them.
    private final class Hand {
        let bench: Bench
        private(set) var count = 0

        init(_ bench: Bench) { self.bench = bench }

        /// Presses keys of the task, each of which counts.
        func press(_ keys: TerminalKey...) {
            for key in keys { bench.terminal.press(key) }
            count += keys.count
        }

        /// Types a name or a value, which does not count.
        func type(_ text: String) { bench.terminal.type(text) }
    }

    private static let workspace = """
        name: Trial
        environment: dev
        environments: {dev: {}, live: {}}

        """

    private func echo() throws -> ScriptedServer {
        try ScriptedServer { .json(#"{"session": {"token": "tok-7"}, "target": "\#($0.target)"}"#) }
    }

    /// Opens a workspace with a service of two endpoints.
    private func open(_ server: ScriptedServer) async throws -> Hand {
        Hand(
            try await Bench.open([
                "workspace.yaml": Self.workspace, "api/service.yaml": "name: Api\nservers: {dev: [\"\(server.url)\"]}\n",
                "api/login.yaml": "path: /login\n", "api/orders.yaml": "path: /orders\n",
            ]))
    }

    private func text(_ file: String, _ hand: Hand) throws -> String { String(decoding: try hand.bench.sortie.read("ws/\(file)"), as: UTF8.self) }

    @Test func `a response in an empty folder needs 1 key, and a POST with JSON, a header and a token 13`() async throws {
        let server = try echo()
        let sortie = try Sortie()
        let hand = Hand(Bench(terminal: try await sortie.open(size: (80, 24)), sortie: sortie))
        try await hand.bench.see("type a URL")
        hand.type("\(server.url)/hello")
        hand.press(.enter)
        try await hand.bench.see("200 OK")
        #expect(hand.count == 1)

        let other = try Sortie()
        let post = Hand(Bench(terminal: try await other.open(size: (80, 24)), sortie: other))
        try await post.bench.see("type a URL")
        post.type("\(server.url)/things")
        post.press(.tab, .character("]"), .character("a"))
        post.type("X-Trace")
        post.press(.tab)
        post.type("77")
        post.press(.enter, .character("]"), .enter, .enter)
        try await post.bench.see("{}", "Esc Leave")
        post.type("\"a\": 1")
        post.press(.escape)
        try await post.bench.seeNoMore("Esc Leave")
        post.press(.character("]"), .enter, .enter)
        try await post.bench.see("Token")
        post.type("tok-8")
        post.press(.control("r"))
        try await post.bench.see("200 OK")
        let request = try #require(server.requests.last)
        #expect(request.method == "POST" && String(decoding: request.body, as: UTF8.self) == "{\"a\": 1}", "\(request)")
        #expect(request["X-Trace"] == "77" && request["Authorization"] == "Bearer tok-8")
        #expect(post.count == 13)
    }

    @Test func `an environment with two variables needs 8 keys, and a secret 2`() async throws {
        let hand = try await open(try echo())
        hand.press(.control("e"), .character("n"), .enter)
        try await hand.bench.see("such as test")
        hand.type("stage")
        hand.press(.enter)
        try await hand.bench.see("Variables", "No variables yet")
        hand.press(.character("a"))
        try await hand.bench.see("used as {{name}}")
        hand.type("who=ann")
        hand.press(.enter)
        try await hand.bench.see("1 variable")
        hand.press(.character("a"))
        try await hand.bench.see("used as {{name}}")
        hand.type("page=https://a.test/p4ssw0rt")
        hand.press(.enter)
        try await hand.bench.see("2 variables")
        #expect(try text("workspace.yaml", hand).contains("stage: {variables: {who: ann, page: https://a.test/p4ssw0rt}}"))
        #expect(hand.count == 8)
        // The value of the first row becomes a secret.
        hand.press(.character("s"))
        try await hand.bench.see("Make page a secret")
        hand.press(.enter)
        try await hand.bench.see("on this machine")
        #expect(hand.count == 10)
        #expect(try !text("workspace.yaml", hand).contains("p4ssw0rt"))
    }

    @Test func `a run of two steps with a captured value needs 12 keys`() async throws {
        let server = try echo()
        let hand = try await open(server)
        hand.press(.control("r"))
        try await hand.bench.see("200 OK", "tok-7")
        hand.press(.space, .down, .space, .up, .character("r"))
        try await hand.bench.see("New run of 2 endpoints")
        hand.press(.enter)
        try await hand.bench.see("not started")
        hand.press(.character("3"), .character("/"))
        hand.type("tok-7")
        hand.press(.enter)
        try await hand.bench.see("match 1 of 1")
        hand.press(.character("v"))
        try await hand.bench.see("Capture for later steps", "orders: Bearer token")
        hand.press(.enter)
        try await hand.bench.see("is used by orders: Bearer token; saved to")
        #expect(hand.count == 12)
        #expect(try text("runs/login-orders.yaml", hand) == "chain:\n  - send: api/login\n  - send: api/orders\n")
        let run = try await hand.bench.sortie.run("run", "login-orders", "-w", "ws")
        #expect(run.succeeded && server.requests.last?["Authorization"] == "Bearer tok-7", "\(run)")
    }

    @Test func `a service with two servers in each of two environments needs 13 keys`() async throws {
        let hand = try await open(try echo())
        hand.press(.character("a"), .character("s"))
        try await hand.bench.see("New service")
        hand.type("bill")
        hand.press(.enter)
        try await hand.bench.see("Created bill")
        hand.press(.enter)
        try await hand.bench.see("service bill", "dev", "live")
        for (environment, isLast) in [("dev", false), ("live", true)] {
            hand.press(.enter)
            hand.type("http://a.\(environment).test")
            hand.press(.enter)
            try await hand.bench.see("http://a.\(environment).test")
            hand.press(.character("a"))
            hand.type("http://b.\(environment).test")
            hand.press(.enter)
            try await hand.bench.see("http://b.\(environment).test")
            if !isLast { hand.press(.down) }
        }
        try await hand.bench.see("Saved bill/service.yaml")
        let expected = "servers: {dev: [http://a.dev.test, http://b.dev.test], live: [http://a.live.test, http://b.live.test]}"
        // The change of the last row is written after its field is left.
        try await hand.bench.quit()
        #expect(try text("bill/service.yaml", hand).contains(expected))
        #expect(hand.count == 13)
    }
}
