import Support
import Testing

@testable import SortieNetworking

/// Tests Digest credentials (RFC 7616), including challenges.
@Suite(.fewAtOnce)
struct DigestTests {
    private static let challenge = "Digest realm=\"a realm\", qop=\"auth\", nonce=\"abc123\", opaque=\"o\", algorithm=MD5"

    private let server: ScriptedServer
    private let caller: Caller

    init() throws {
        caller = try Caller()
        server = try ScriptedServer { Self.answer($0) }
    }

    private static func answer(_ request: ReceivedRequest) -> HTTPAnswer {
        let isAnswered = request["Authorization"]?.contains("username=\"anna\"") == true
        return isAnswered ? .ok("in") : .status(401, "who?", headers: [("WWW-Authenticate", challenge)])
    }

    private func request(_ user: String, _ method: HTTPMethod = .get, body: RequestBody = .none) throws -> Request {
        var request = try Request.to("\(server.url)/private?x=1", method, body: body)
        request.options.credential = .digest(user: user, password: "secret word")
        return request
    }

    private func md5(_ text: String) async throws -> String {
        String(try await ProcessRun.run("/usr/bin/md5sum", input: text).output.prefix(32))
    }

    /// The parameters of an `Authorization` field.
    private func parameters(_ field: String) -> [String: String] {
        var result: [String: String] = [:]
        for part in field.dropFirst("Digest ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            if pair.count == 2 { result[String(pair[0])] = String(pair[1].filter { $0 != "\"" }) }
        }
        return result
    }

    private func isRight(_ sent: ReceivedRequest) async throws -> Bool {
        let fields = parameters(try #require(sent["Authorization"]))
        let user = try await md5("anna:a realm:secret word")
        let target = try await md5("\(sent.method):\(sent.target)")
        let middle = ["nc", "cnonce", "qop"].map { fields[$0] ?? "" }.joined(separator: ":")
        let expected = try await md5("\(user):abc123:\(middle):\(target)")
        return fields["response"] == expected && fields["uri"] == sent.target && fields["opaque"] == "o"
    }

    @Test func `a challenge is answered with the right hash, and the next response is the result`() async throws {
        let exchange = try await caller.exchange(request("anna"))
        #expect(exchange.text == "in")
        #expect(exchange.response?.status == 200)
        #expect(exchange.response?.headers["WWW-Authenticate"] == nil)
        #expect(server.requests.count == 2)
        #expect(server.requests.first?["Authorization"] == nil)
        #expect(try await isRight(#require(server.requests.last)))
        #expect(server.requests.allSatisfy { !$0.headText.contains("secret word") })
    }

    @Test(arguments: [false, true])
    func `a POST is authenticated, and its body is received completely`(_ isFile: Bool) async throws {
        let path = try caller.folder.write("body.txt", "the whole body")
        let body: RequestBody =
            isFile ? .file(path: path, contentType: "text/plain") : .text("the whole body", contentType: "text/plain")
        let exchange = try await caller.exchange(request("anna", .post, body: body))
        #expect(exchange.text == "in")
        let last = try #require(server.requests.last)
        #expect(last.bodyText == "the whole body")
        #expect(last["Content-Type"] == "text/plain")
        #expect(try await isRight(last))
        #expect(server.requests.count == 2)
    }

    @Test func `a multipart POST is authenticated`() async throws {
        let exchange = try await caller.exchange(
            request("anna", .post, body: .multipart([.init(name: "a", content: .bytes([49]))])))
        #expect(exchange.text == "in")
        #expect(server.requests.last?.bodyText.contains("name=\"a\"") == true)
    }

    @Test func `rejected credentials give the 401 as a response, without another attempt`() async throws {
        let exchange = try await caller.exchange(request("somebody else"))
        #expect(exchange.response?.status == 401)
        #expect(exchange.text == "who?")
        #expect(exchange.error == nil)
        #expect(server.requests.count == 2)
    }

    @Test func `only the final response is reported as an event`() async throws {
        let events = try await caller.events(request("anna"))
        for case .responded(let response) in events { #expect(response.status == 200) }
        #expect(events.views.allSatisfy { $0.string(in: 0..<$0.count) != "who?" })
        #expect(events.end?.text == "in")
    }

    @Test func `a request without credentials receives the 401`() async throws {
        let exchange = try await caller.get("\(server.url)/private")
        #expect(exchange.response?.status == 401)
        #expect(server.requests.count == 1)
    }

    @Test func `another server with the same credentials sends its own challenge first`() async throws {
        let (first, other) = try onOnePort(ScriptedServer { Self.answer($0) }) {
            try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.status(401, "other")))
        }
        let known = try await caller.get("\(first.url)/private") { $0.credential = .digest(user: "anna", password: "secret word") }
        #expect(known.text == "in")
        let exchange = try await caller.get("http://127.0.0.2:\(other.port)/") {
            $0.credential = .digest(user: "anna", password: "secret word")
        }
        #expect(exchange.response?.status == 401)
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func `the credentials are not used for another request`() async throws {
        _ = try await caller.exchange(request("anna"))
        #expect(try await caller.get("\(server.url)/private").response?.status == 401)
        #expect(server.requests.last?["Authorization"] == nil)
    }

    @Test(arguments: [
        (["Digest realm=\"a, b\", nonce=\"n\", algorithm=SHA-512, qop=\"auth\""], "SHA-512"),
        (["Basic realm=\"x\", Digest realm=\"r\", nonce=\"n\", algorithm=\"UNKNOWN\""], "UNKNOWN"),
        (["Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\""], "auth-int"),
        (["Basic realm=\"x\"", "Bearer"], "Basic and Bearer"),
    ])
    func `an unsupported challenge is reported, and the 401 is kept`(_ challenges: [String], _ word: String) async throws {
        let fields = challenges.map { ("WWW-Authenticate", $0) }
        let server = try ScriptedServer(answering: HTTPAnswer(status: 401, headers: fields, body: Array("no".utf8)))
        var request = try Request.to(server.url)
        request.method = .post
        request.body = .bytes(Array("body".utf8), contentType: nil)
        request.options.credential = .digest(user: "anna", password: "secret word")
        let exchange = try await caller.exchange(request)
        #expect(exchange.error?.code == .status)
        #expect(exchange.error?.message.contains(word) == true, "\(String(describing: exchange.error))")
        #expect(exchange.response?.status == 401)
        #expect(exchange.text == "no")
    }

    @Test(arguments: [["Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256, qop=\"auth\""], []])
    func `rejected credentials and a 401 without a challenge are responses`(_ challenges: [String]) async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 401, headers: challenges.map { ("WWW-Authenticate", $0) }))
        var request = try Request.to(server.url)
        request.options.credential = .digest(user: "anna", password: "wrong")
        let exchange = try await caller.exchange(request)
        #expect(exchange.error == nil)
        #expect(exchange.response?.status == 401)
    }

    @Test func `challenges are separated at the commas that also separate parameters`() {
        let all = AuthChallenge.all(in: [
            HeaderField("WWW-Authenticate", "Basic realm=\"a, \\\"b\", Negotiate, Digest algorithm=MD5 , nonce=\"x=y, z\""),
            HeaderField("WWW-Authenticate", "Bearer realm=\"\u{301}a, b\""),
        ])
        #expect(all.map(\.scheme) == ["Basic", "Negotiate", "Digest", "Bearer"])
        #expect(all[2].parameters == ["algorithm": "MD5", "nonce": "x=y, z"])
    }
}
