import Support
import Testing

@testable import SortieNetworking

/// Tests the limits of a service (S4.6): `requests` limits requests, `connections` limits sockets, and transfers leave room for requests.
@Suite(.fewAtOnce) struct ConnectionLimitTests {
    private static let file = ServedFile(300_000)

    /// A server that stops in the body on its first `count` connections, and responds immediately on the others.
    private static func server(holding gate: Gate, on count: Int) throws -> ScriptedServer {
        let held = Script(
            .readRequest, .send(file.whole.headBytes), .send(Array(file.bytes.prefix(1000))), .wait(for: gate),
            .send(Array(file.bytes.dropFirst(1000))))
        return try ScriptedServer(
            Array(repeating: held, count: count) + [.answering { $0.target.hasPrefix("/file") ? file.answer($0) : .ok("quick") }])
    }

    private func download(_ url: String, _ caller: Caller, number: Int) throws -> DownloadTask {
        caller.client.downloads.start(Download(try .to(url), to: .file(caller.folder.path("out\(number)"))))
    }

    @Test(arguments: ["connections", "requests"])
    func `downloads leave slots for requests of their service`(kind: String) async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate, on: 3)
        let caller = try Caller(limits: kind == "requests" ? [server.url: 4] : [:], connections: kind == "connections" ? [server.url: 4] : [:])
        let downloads = try (0..<4).map { try download("\(server.url)/file\($0)", caller, number: $0) }
        try await gate.waitUntilReached(3)
        let exchange = try await caller.get("\(server.url)/quick") { $0.priority = .high }
        #expect(exchange.text == "quick")
        #expect(gate.arrivals == 3, "the fourth download waits")
        #expect(server.acceptedConnections <= 4)
        gate.open()
        for download in downloads { #expect(await download.result.error == nil) }
    }

    @Test func `S3.14 downloads with a separate session neither take the places of requests nor exceed their capacity`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate, on: 2)
        let folder = try TemporaryFolder()
        let limits = RequestLimits(requests: 1, connections: 1, downloads: 2)
        let client = Client(.init(spoolFolder: folder.path("spool"), limits: [server.url: limits]))
        let downloads = try (0..<3).map { number in
            client.downloads.start(Download(try .to("\(server.url)/file\(number)"), to: .file(folder.path("out\(number)"))))
        }
        try await gate.waitUntilReached(2)
        let response = try await withDeadline(.seconds(300), "the request to end") { try await client.send(try .to("\(server.url)/quick")) }
        #expect(response.status == 200, "the only place of requests is free")
        #expect(gate.arrivals == 2, "the third download waits")
        #expect(server.acceptedConnections == 3)
        gate.open()
        for download in downloads { #expect(await download.result.error == nil) }
    }

    @Test func `S3.14 images with a separate session neither take the places of requests nor exceed their capacity`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate, on: 2)
        let folder = try TemporaryFolder()
        let limits = RequestLimits(requests: 1, connections: 1, resources: 2)
        let client = Client(.init(spoolFolder: folder.path("spool"), limits: [server.url: limits]))
        let images = try (0..<3).map { number in
            let request = try Request.to("\(server.url)/file\(number)") { $0.traffic = .resource }
            return Task { try await client.send(request).status }
        }
        try await gate.waitUntilReached(2)
        let response = try await withDeadline(.seconds(300), "the request to end") { try await client.send(try .to("\(server.url)/quick")) }
        #expect(response.status == 200, "the only place of requests is free")
        #expect(gate.arrivals == 2, "the third image waits")
        #expect(server.acceptedConnections == 3)
        gate.open()
        for image in images { #expect(try await image.value == 200) }
    }

    @Test func `a download that waits in the queue reports it, and its total limit ends the wait`() async throws {
        try await growing(from: .milliseconds(500)) { limit -> Void? in
            let gate = Gate()
            let server = try Self.server(holding: gate, on: 1)
            let caller = try Caller(connections: [server.url: 1])
            let first = try download("\(server.url)/file0", caller, number: 0)
            try await gate.waitUntilReached()
            var request = try Request.to("\(server.url)/file1")
            request.options.timeouts.total = limit
            let second = caller.client.downloads.start(Download(request, to: .file(caller.folder.path("out1"))))
            let states = Watched<[TransferState]>([])
            let reader = Task {
                for await event in second.events { if case .changed(let state) = event { states.change { $0.append(state) } } }
            }
            #expect(await second.result.error?.timeLimit == .total)
            await reader.value
            gate.open()
            #expect(await first.result.error == nil)
            // The download must have reached the queue within the limit.
            guard states.current.contains(.queued(because: "1 of 1 connections of the service are in use; 0 wait")) else { return nil }
            return ()
        }
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `the total limit ends the wait for a connection of HTTP 2`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok().with("Connection", "close"))))
        let nginx = try nginx(before: server, streams: 1)
        let caller = try Caller(connections: ["shop": 1])
        // The server's protocol is known in advance, so that both requests start at once.
        #expect(try await caller.exchange(request(nginx, "/serial")).response?.httpVersion == "2")
        let first = caller.begin(try request(nginx, "/pass"))
        try await gate.waitUntilReached()
        var limited = try request(nginx, "/pass")
        limited.options.timeouts.total = .milliseconds(500)
        #expect(try await caller.exchange(limited).error?.timeLimit == .total)
        #expect(gate.arrivals == 1)
        gate.open()
        #expect(try await first.end().end?.response?.status == 200)
    }

    @Test func `plain HTTP has no more concurrent requests than connections`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())])))
        let caller = try Caller(connections: [server.url: 2])
        let first = try (0..<2).map { _ in caller.begin(try .to(server.url)) }
        // Calls that begin at the same time may be admitted in another order.
        try await gate.waitUntilReached(2)
        let others = try (0..<4).map { _ in caller.begin(try .to(server.url)) }
        for call in others { try await call.waitForDecision(.admission) }
        #expect(server.acceptedConnections == 2)
        gate.open()
        for call in first + others { #expect(try await call.end().end?.response?.status == 200) }
        #expect(server.acceptedConnections == 2)
    }

    @Test func `idle connections count, and are closed for others`() async throws {
        let (first, second) = (try ScriptedServer(answering: .ok("a")), try ScriptedServer(answering: .ok("b")))
        let caller = try Caller(connections: ["shop": 1])
        func get(_ server: ScriptedServer) async throws -> String? {
            var request = try Request.to(server.url)
            request.service = "shop"
            return try await caller.exchange(request).text
        }
        #expect(try await get(first) == "a")
        #expect(try await get(first) == "a")
        #expect(first.acceptedConnections == 1, "the connection is reused")
        #expect(try await get(second) == "b")
        try await first.waitForConnections(open: 0)
        #expect(try await get(first) == "a")
        try await second.waitForConnections(open: 0)
    }

    @Test func `a limited service does not limit another one`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())])))
        let caller = try Caller(connections: ["small": 1])
        func begin(_ service: String) throws -> RunningCall {
            var request = try Request.to(server.url)
            request.service = service
            return caller.begin(request)
        }
        let calls = try [begin("small"), begin("large"), begin("large"), begin("large")]
        try await gate.waitUntilReached(4)
        gate.open()
        for call in calls { #expect(try await call.end().end?.error == nil) }
    }

    @Test func `connections of a released client are closed`() async throws {
        let server = try ScriptedServer(answering: .ok())
        do {
            let caller = try Caller(connections: [server.url: 2])
            #expect(try await caller.get(server.url).error == nil)
        }
        try await server.waitForConnections(open: 0)
    }

    // MARK: HTTP/2

    /// An nginx that forwards requests to a server that responds once all requests have arrived.
    private func nginx(before server: ScriptedServer, isHTTP2: Bool = true, streams: Int = 128) throws -> Nginx {
        var options = Nginx.Options()
        options.offersHTTP2 = isHTTP2
        options.directives = """
            http2_max_concurrent_streams \(streams);
            location /pass { proxy_pass \(server.url); }
            location = /serial { default_type text/plain; return 200 "$connection"; }
            """
        return try Nginx.start(options)
    }

    private func request(_ nginx: Nginx, _ path: String) throws -> Request {
        var request = try Request.to(nginx.httpsURL + path) { $0.trust.certificateAuthorityFile = nginx.certificateAuthority }
        request.service = "shop"
        return request
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `HTTP 2 requests share connections, so more than the limit are concurrent`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok().with("Connection", "close"))))
        let nginx = try nginx(before: server)
        let caller = try Caller(connections: ["shop": 2])
        let calls = try (0..<8).map { _ in caller.begin(try request(nginx, "/pass")) }
        try await gate.waitUntilReached(8)
        gate.open()
        for call in calls {
            let exchange = try await call.end().end
            #expect(exchange?.response?.status == 200 && exchange?.response?.httpVersion == "2")
        }
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `no further connection is opened while all streams are in use`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok().with("Connection", "close"))))
        let clock = try ScriptedServer([.readRequest, .pause(.milliseconds(900)), .send(HTTPAnswer.ok())])
        let nginx = try nginx(before: server, streams: 1)
        let caller = try Caller(connections: ["shop": 2])
        // The server's protocol is known in advance, so that all requests start at once.
        #expect(try await caller.exchange(request(nginx, "/serial")).response?.httpVersion == "2")
        let calls = try (0..<3).map { _ in
            caller.begin(try request(nginx, "/pass"))
        }
        try await gate.waitUntilReached(2)
        #expect(try await caller.get(clock.url).error == nil)
        #expect(gate.arrivals == 2, "the third waits for a connection")
        gate.open()
        // Whether the third request waits for a connection or for a stream depends on when the second connection's SETTINGS arrive.
        for call in calls { #expect(try await call.end().end?.response?.status == 200) }
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `a server without HTTP 2 is limited as well`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok().with("Connection", "close"))))
        let nginx = try nginx(before: server, isHTTP2: false)
        let caller = try Caller(connections: ["shop": 2])
        let calls = try (0..<5).map { _ in caller.begin(try request(nginx, "/pass")) }
        try await gate.waitUntilReached(2)
        gate.open()
        for call in calls { #expect(try await call.end().end?.response?.httpVersion == "1.1") }
    }

    @Test func `a request needs a separate connection where it cannot share one`() throws {
        let channel = RequestQueue(limit: 64, connections: 2)
        func needsConnection(_ url: String, _ version: RequestOptions.Version = .automatic, body: RequestBody = .none) throws -> Bool {
            var request = try Request.to(url, .post, body: body)
            request.options.version = version
            return channel.demand(of: request, isTransfer: false).needsConnection
        }
        #expect(try needsConnection("http://a.test/"))
        #expect(try needsConnection("https://a.test/", .http1))
        #expect(try needsConnection("https://a.test/", body: .file(path: "/f", contentType: nil)), "large uploads speak HTTP/1.1")
        #expect(try !needsConnection("http://a.test/", .http2))
        #expect(try !needsConnection("https://a.test/"), "nobody knows yet")
        channel.note(version: "1.1", of: try HTTPURL(parsing: "https://a.test/"))
        #expect(try needsConnection("https://a.test/x"))
        #expect(try !needsConnection("https://b.test/"))
        channel.note(version: "2", of: try HTTPURL(parsing: "https://a.test/"))
        #expect(try !needsConnection("https://a.test/"))
    }
}
