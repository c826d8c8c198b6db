import Support
import Testing

@testable import SortieNetworking

/// Tests HTTP/2 with nginx, and HTTP/1.1 where it is requested.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct HTTP2Tests {
    private let nginx: Nginx
    private let caller: Caller
    private static let large = [UInt8](repeating: 66, count: 12 << 20)

    init() throws {
        caller = try Caller()
        var options = Nginx.Options()
        options.directives = """
            listen unix:\(caller.folder.path("plain-h2")) http2;
            location = /serial { default_type text/plain; return 200 "$connection"; }
            """
        nginx = try Nginx.start(files: ["large.bin": Self.large], options)
    }

    private func request(_ path: String, _ version: RequestOptions.Version = .automatic) throws -> Request {
        try .to(nginx.httpsURL + path) {
            $0.trust.certificateAuthorityFile = nginx.certificateAuthority
            $0.version = version
        }
    }

    @Test func `TLS negotiates HTTP 2 by default`() async throws {
        let exchange = try await caller.exchange(request("/echo?x=%20y"))
        #expect(exchange.response?.httpVersion == "2")
        #expect(exchange.response?.reason == "")
        #expect(exchange.text == "HTTP/2.0 GET /echo?x=%20y localhost")
    }

    @Test func `a request for HTTP 1 uses that version, also beside a connection with HTTP 2`() async throws {
        #expect(try await caller.exchange(request("/echo")).response?.httpVersion == "2")
        let exchange = try await caller.exchange(request("/echo", .http1))
        #expect(exchange.response?.httpVersion == "1.1")
        #expect(exchange.text == "HTTP/1.1 GET /echo localhost")
    }

    @Test func `a TLS connection of HTTP 1 is used again, although the server sends session tickets`() async throws {
        let first = try await caller.exchange(request("/serial", .http1)).text
        let second = try await caller.exchange(request("/serial", .http1)).text
        #expect(first != nil && first == second)
    }

    @Test func `a server without HTTP 2 is used with HTTP 1`() async throws {
        var options = Nginx.Options()
        options.offersHTTP2 = false
        let nginx = try Nginx.start(options)
        let exchange = try await caller.get("\(nginx.httpsURL)/small") {
            $0.trust.certificateAuthorityFile = nginx.certificateAuthority
        }
        #expect(exchange.response?.httpVersion == "1.1")
    }

    @Test func `a burst of requests shares one connection`() async throws {
        let request = try request("/serial")
        let serials = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<30 { group.addTask { try await caller.exchange(request).text } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(serials.count == 1)
        #expect(!serials.contains(nil))
    }

    @Test func `large bodies of several concurrent streams are exact`() async throws {
        let request = try request("/files/large.bin")
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let body = try await caller.exchange(request).response?.body
                    return body?.withUnsafeBytes { bytes in bytes.lazy.filter { $0 == 66 }.count } ?? -1
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: Self.large.count, count: 3))
    }

    @Test func `a small POST is sent completely, and one without a body on a separate connection`() async throws {
        var post = try request("/echo")
        post.method = .post
        post.body = .bytes([UInt8](repeating: 1, count: 60_000), contentType: nil)
        let exchange = try await caller.exchange(post)
        #expect(exchange.response?.httpVersion == "2")
        #expect(exchange.sentBodyBytes == 60_000)
        post.body = .none
        #expect(try await caller.exchange(post).text == "HTTP/2.0 POST /echo localhost")
    }

    @Test func `a large upload uses HTTP 1, because an early response to it would hang libcurl`() async throws {
        var post = try request("/echo")
        post.method = .post
        post.body = .bytes([UInt8](repeating: 1, count: 200_000), contentType: nil)
        #expect(try await caller.exchange(post).text == "HTTP/1.1 POST /echo localhost")
        let path = try caller.folder.write("large", [UInt8](repeating: 1, count: 200_000))
        post.body = .file(path: path, contentType: nil)
        #expect(try await caller.exchange(post).text == "HTTP/1.1 POST /echo localhost")
    }

    @Test func `a cancelled stream does not affect other streams of the connection`() async throws {
        let before = try await caller.exchange(request("/serial")).text
        let call = caller.begin(try request("/files/large.bin"))
        try await call.waitForDecision(.address)
        await call.cancel()
        _ = try await call.end()
        #expect(try await caller.exchange(request("/serial")).text == before)
    }

    @Test func `HTTP 2 without TLS uses prior knowledge, here through a Unix socket`() async throws {
        let exchange = try await caller.get("http://anything.test/echo") {
            $0.version = .http2
            $0.unixSocket = caller.folder.path("plain-h2")
        }
        #expect(exchange.response?.httpVersion == "2")
        #expect(exchange.text == "HTTP/2.0 GET /echo anything.test")
    }

    @Test func `a server that does not support HTTP 2 gives an error and does not hang`() async throws {
        let exchange = try await caller.get("\(nginx.httpURL)/small") { $0.version = .http2 }
        #expect(exchange.error?.errorClass == .transport)
    }

    @Test func `concurrent POSTs beyond the number that a connection accepts are sent on other ones, each of them once`() async throws {
        var options = Nginx.Options()
        options.directives = "keepalive_requests 20;"
        let nginx = try Nginx.start(options)
        let caller = try Caller()
        let post = { @Sendable (number: Int) in
            var request = try Request.to("\(nginx.httpsURL)/read?n=\(number)", .post, body: .text("pay \(number)", contentType: nil))
            request.options.trust.certificateAuthorityFile = nginx.certificateAuthority
            return request
        }
        // All others use this connection, too.
        #expect(try await caller.exchange(post(0)).response?.httpVersion == "2")
        let errors = try await withThrowingTaskGroup(of: NetworkError?.self) { group in
            for number in 1...60 { group.addTask { try await caller.exchange(post(number)).error } }
            return try await group.reduce(into: [NetworkError]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.isEmpty)
        let processed = try await nginx.accessLog(containing: "/read?n=", count: 61).map { $0.split(separator: " ")[1] }
        #expect(processed.count == 61 && Set(processed).count == 61)
    }
}
