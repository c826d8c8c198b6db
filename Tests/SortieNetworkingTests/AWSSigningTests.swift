import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests requests as they are sent with an AWS credential.
@Suite(.fewAtOnce)
struct AWSSigningTests {
    private let caller: Caller

    init() throws { caller = try Caller() }

    private static func credential(_ service: String = "demo", token: String = "") -> AWSCredential {
        AWSCredential(region: "eu-central-1", service: service, accessKey: "AKID", secretKey: "SECRET", sessionToken: token)
    }

    private func signature(_ request: ReceivedRequest?) -> String? {
        request?["Authorization"]?.split(separator: "Signature=").last.map(String.init)
    }

    @Test(
        .enabled(if: Botocore.isAvailable),
        arguments: [("demo", "/a/b%20c?z=1&a=b%20c&a=%2F"), ("s3", "/a//b%20c/%C3%BC?list-type=2"), ("execute-api", "/")])
    func `botocore computes the same signature`(service: String, target: String) async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        var request = try Request.to(
            server.url + target, .post, Headers([HeaderField("X-Custom", "a   b"), HeaderField("User-Agent", "test")]),
            body: .bytes(Array("{\"a\": 1}".utf8), contentType: "application/json"))
        request.options.credential = .awsSigV4(Self.credential(service))
        #expect(try await caller.exchange(request).response?.status == 200)
        let received = try #require(server.requests.first)
        // The query of botocore's input is that of a client that encodes and sorts it itself.
        let sorted = target == "/a/b%20c?z=1&a=b%20c&a=%2F" ? "/a/b%20c?a=%2F&a=b%20c&z=1" : target
        #expect(try await Botocore.signature(of: received, url: server.url + sorted, service: service) == signature(received))
    }

    @Test func `the signed fields are those that are sent`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        var request = try Request.to(server.url + "/", .post, body: .bytes(Array("x".utf8), contentType: "text/plain"))
        request.options.credential = .awsSigV4(Self.credential(token: "session"))
        _ = try await caller.exchange(request)
        let received = try #require(server.requests.first)
        let names = try #require(received["Authorization"]?.split(separator: "SignedHeaders=").last?.split(separator: ",").first)
        for name in names.split(separator: ";") { #expect(received[String(name)] != nil, "\(name)") }
        #expect(names.contains("host;x-amz-date;x-amz-security-token") && received["X-Amz-Security-Token"] == "session")
    }

    @Test func `each attempt is signed anew`() async throws {
        let count = Watched(0)
        let server = try ScriptedServer { _ in
            var number = 0
            count.change {
                $0 += 1
                number = $0
            }
            return number == 1 ? .status(503) : .ok("in")
        }
        var request = try Request.to(server.url + "/")
        request.options.credential = .awsSigV4(Self.credential())
        request.options.retry = RetryPolicy(limit: 1)
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(server.requests.count == 2)
        for received in server.requests { #expect(received.values(of: "Authorization").count == 1 && received.values(of: "X-Amz-Date").count == 1) }
    }

    @Test func `a redirect to the same origin is signed for its own path`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(to: "/there") : .ok("in") }
        var request = try Request.to(server.url + "/")
        request.options.credential = .awsSigV4(Self.credential())
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(server.requests.count == 2)
        #expect(signature(server.requests.first) != signature(server.requests.last) && signature(server.requests.last)?.count == 64)
    }

    @Test func `a redirect to another origin is not signed`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(to: other.url + "/there"))
        var request = try Request.to(server.url + "/")
        request.options.credential = .awsSigV4(Self.credential(token: "session"))
        let exchange = try await caller.exchange(request)
        #expect(exchange.response?.status == 200)
        let received = try #require(other.requests.first)
        #expect(received["Authorization"] == nil && received["X-Amz-Security-Token"] == nil && received["X-Amz-Date"] == nil)
        #expect(exchange.notices.contains { $0.contains("the AWS signature") }, "\(exchange.notices)")
    }

    @Test func `a file is signed by its content`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let folder = try TemporaryFolder()
        let path = folder.path("body")
        let bytes = [UInt8](repeating: 7, count: (1 << 20) + 3)
        try folder.write("body", bytes)
        var request = try Request.to(server.url + "/", .put, body: .file(path: path, contentType: nil))
        request.options.credential = .awsSigV4(Self.credential("s3"))
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(server.requests.first?["x-amz-content-sha256"] == HexDigits.text(SigningInput.digest(of: bytes)))
    }

    @Test func `an Authorization field of the caller takes precedence`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        var request = try Request.to(server.url + "/", .get, Headers([HeaderField("Authorization", "Own")]))
        request.options.credential = .awsSigV4(Self.credential())
        _ = try await caller.exchange(request)
        #expect(server.requests.first?["Authorization"] == "Own" && server.requests.first?["X-Amz-Date"] == nil)
    }

    @Test func `a multipart body and an incomplete credential are errors`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        var multipart = try Request.to(server.url + "/", .post, body: .multipart([.init(name: "a", content: .bytes([1]))]))
        multipart.options.credential = .awsSigV4(Self.credential())
        var incomplete = try Request.to(server.url + "/")
        incomplete.options.credential = .awsSigV4(.empty)
        for request in [multipart, incomplete] {
            let exchange = try await caller.exchange(request)
            #expect(exchange.error?.code == .invalidOption, "\(String(describing: exchange.error))")
        }
        #expect(server.requests.isEmpty)
    }
}
