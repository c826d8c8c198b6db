import Support
import Testing

@testable import SortieNetworking

/// Tests streamed responses over TLS and HTTP/2 with nginx: trust, and backpressure on a connection that libcurl cannot pause.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct SecureStreamTests {
    private let nginx: Nginx
    private let caller: Caller
    private static let large = [UInt8](repeating: 67, count: 96 << 20)

    init() throws {
        caller = try Caller()
        var options = Nginx.Options()
        options.directives = "location = /serial { default_type text/plain; return 200 \"$connection\"; }"
        nginx = try Nginx.start(files: ["large.bin": Self.large], options)
    }

    private func request(_ path: String, _ version: RequestOptions.Version = .automatic) throws -> Request {
        try .to(nginx.httpsURL + path) {
            $0.trust.certificateAuthorityFile = nginx.certificateAuthority
            $0.version = version
        }
    }

    private func stream(_ request: Request) async throws -> StreamedResponse {
        try await withDeadline(.seconds(300), "the head to arrive") { [client = caller.client] in try await client.stream(request) }
    }

    @Test func `a wrong pin ends a stream before its head`() async throws {
        let certificates = try Certificates.shared()
        for (pin, isRight) in [
            (try Certificates.pin(of: certificates.localhost.certificate), true), (try Certificates.pin(of: certificates.expired.certificate), false),
        ] {
            var request = try request("/small")
            request.options.trust.pins = [pin]
            do {
                #expect(try await stream(request).head.status == 200)
                #expect(isRight)
            } catch let error as NetworkError {
                #expect(error.code == .pinMismatch && !isRight)
            }
        }
    }

    @Test func `an unknown authority ends a stream before its head`() async throws {
        var request = try request("/small")
        request.options.trust.certificateAuthorityFile = nil
        let sent = request
        let error = await #expect(throws: NetworkError.self) { try await stream(sent) }
        #expect(error?.code == .untrustedCertificate)
    }

    @Test func `the default version is HTTP 1, which can be paused, also where the server offers HTTP 2`() async throws {
        #expect(try await stream(request("/small")).head.httpVersion == "1.1")
        #expect(try await stream(request("/small", .http2)).head.httpVersion == "2")
    }

    @Test(arguments: [RequestOptions.Version.automatic, .http2])
    func `a slow consumer holds little, and does not disturb requests to the server`(version: RequestOptions.Version) async throws {
        let response = try await stream(request("/files/large.bin", version))
        let other = try request("/serial")
        let (largest, received) = try await withDeadline(.seconds(300), "the body to end") { [client = caller.client] in
            var iterator = response.body.makeAsyncIterator()
            var (largest, received, reads) = (0, 0, 0)
            while let bytes = try await iterator.next() {
                received += bytes.count
                largest = max(largest, bytes.count)
                reads += 1
                // The engine and the server have time to send far more than the consumer takes.
                if reads <= 10 {
                    for _ in 0..<20 { _ = try await client.send(other) }
                }
            }
            return (largest, received)
        }
        #expect(received == Self.large.count)
        #expect(largest < 1 << 20)
        #expect(try caller.folder.names.isEmpty, "nothing is written to the disk")
    }

    // libcurl reads the beginning of such a response before it waits for the socket of the connection, in about one of four requests.
    @Test func `a body on a connection that is used again is whole, although its consumer is slow`() async throws {
        let nginx = try Nginx.start(files: ["large": [UInt8](repeating: 65, count: 4 << 20)])
        let caller = try Caller()
        for _ in 0..<40 {
            #expect(try await caller.get(nginx.httpURL + "/small").text == "small")
            let count = try await withDeadline(.seconds(300), "the body to end") {
                var count = 0
                for try await chunk in try await caller.client.stream(Request.to(nginx.httpURL + "/files/large")).body {
                    // The request takes the time in which the next bytes arrive.
                    if count < 2 << 20 { _ = try await caller.client.stream(Request.to(nginx.httpURL + "/small")).body.collect(upTo: 100) }
                    count += chunk.count
                }
                return count
            }
            #expect(count == 4 << 20)
        }
    }

    @Test func `a stream over HTTP 2 has a separate connection`() async throws {
        let serial = try await caller.exchange(request("/serial", .http2)).text
        let streamed = try await stream(request("/serial", .http2)).body.collect(upTo: 100)
        #expect(serial != nil && serial != String(decoding: streamed, as: UTF8.self))
        #expect(try await caller.exchange(request("/serial", .http2)).text == serial, "the connection of requests stays in use")
    }

    @Test func `a compressed body over HTTP 2 is decoded while the consumer is slow`() async throws {
        let plain = String(repeating: "line of text\n", count: 1 << 20)
        let nginx = try Nginx.start(files: ["lines.txt": Array(plain.utf8)], Nginx.Options())
        var request = try Request.to(nginx.httpsURL + "/files/lines.txt")
        request.options.trust.certificateAuthorityFile = nginx.certificateAuthority
        request.options.version = .http2
        let other = try self.request("/small", .http2)
        let response = try await stream(request)
        #expect(response.head.headers["Content-Encoding"] == "gzip")
        let received = try await withDeadline(.seconds(300), "the body to end") { [client = caller.client] in
            var received = 0
            for try await chunk in response.body {
                received += chunk.count
                if received < 4 << 20 { _ = try await client.send(other) }
            }
            return received
        }
        #expect(received == plain.utf8.count)
    }

    @Test(arguments: [true, false]) func `a body that is far ahead of its consumer waits for it, over HTTP 2 as well`(offersHTTP2: Bool) async throws
    {
        var options = Nginx.Options()
        options.offersHTTP2 = offersHTTP2
        let nginx = try Nginx.start(files: ["large.bin": Self.large], options)
        var large = try Request.to(nginx.httpsURL + "/files/large.bin")
        large.options.trust.certificateAuthorityFile = nginx.certificateAuthority
        let (request, other) = (large, try self.request("/small"))
        let demand = BodyDemand(window: 1 << 20)
        demand.begin()
        let (largest, received) = (Watched(0), Watched<Int64>(0))
        let call = Task { [client = caller.client] in
            var result: Exchange?
            for await event in client.events(request, demand: demand) {
                if case .grew(let view) = event { largest.change { $0 = view.count } }
                if case .progressed(let progress) = event { received.change { $0 = progress.received } }
                if case .finished(let exchange) = event { result = exchange }
            }
            return result
        }
        _ = try await largest.wait("the beginning of the body", within: .seconds(300)) { $0 > 0 ? true : nil }
        // The engine and the server have time to send all of it.
        for _ in 0..<400 { _ = try await caller.exchange(other) }
        #expect(largest.current < 4 << 20)
        // Also libcurl has not taken more, such as the window of a stream of HTTP/2.
        #expect(received.current > 0 && received.current < 4 << 20)
        demand.end()
        let exchange = try await withDeadline(.seconds(300), "the body to end") { await call.value }
        #expect(exchange?.response?.httpVersion == (offersHTTP2 ? "2" : "1.1"))
        #expect(exchange?.error == nil)
        #expect(exchange?.response?.body.count == Self.large.count)
    }

    @Test func `a stream over HTTP 2 that is suspended while its consumer reads continues`() async throws {
        let response = try await stream(request("/files/large.bin", .http2))
        caller.client.suspend(response.id)
        #expect(caller.client.state(of: response.id) == .suspended)
        _ = try await caller.exchange(request("/small"))
        caller.client.resume(response.id)
        let body = try await withDeadline(.seconds(300), "the body to end") { try await response.body.collect(upTo: 200 << 20) }
        #expect(body.count == Self.large.count)
    }

    @Test func `cancelling a stream over HTTP 2 that is not read ends it`() async throws {
        let response = try await stream(request("/files/large.bin", .http2))
        for _ in 0..<20 { _ = try await caller.exchange(request("/small")) }
        caller.client.cancel(response.id)
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await response.exchange }
        #expect(exchange.error?.code == .cancelled)
    }
}
