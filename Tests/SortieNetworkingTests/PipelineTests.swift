import FoundationEssentials
import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests the stages of a call around its transfers: encryption, cache, envelope, token and signature, in their order (X3).
@Suite(.fewAtOnce)
struct PipelineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func client(plugins: [any Plugin] = [], shop: ServiceConfiguration = .init()) -> Client {
        Client(.init(spoolFolder: folder.path, plugins: plugins, services: ["shop": shop]))
    }

    private func send(_ client: Client, _ url: String, _ change: (inout Request) -> Void = { _ in }) async throws -> Exchange {
        var request = Request(url: try HTTPURL(parsing: url), service: "shop")
        change(&request)
        return try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
    }

    private func envelope() throws -> Envelope {
        try Envelope(
            codePath: JSONPath("$.code"), success: [.number("200")], messagePath: JSONPath("$.message"), resultPath: JSONPath("$.result"))
    }

    // MARK: Envelope

    @Test func `S2.28 the envelope's result is the value`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"code": 200, "result": [1, 2]}"#))
        let exchange = try await send(client(shop: .init(envelope: envelope())), server.url)
        #expect(exchange.error == nil)
        #expect(exchange.value == .array([.number("1"), .number("2")]))
    }

    @Test func `S2.28 another code is a business error with the server's message, and the response is kept`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"code": 301, "message": "sold out"}"#))
        let exchange = try await send(client(shop: .init(envelope: envelope())), server.url)
        #expect(exchange.error?.errorClass == .business)
        #expect(exchange.error?.message == "sold out")
        #expect(exchange.response?.status == 200)
    }

    @Test func `a body that is not JSON is not searched for an envelope`() async throws {
        let server = try ScriptedServer(answering: .ok("plain"))
        #expect(try await send(client(shop: .init(envelope: envelope())), server.url).error == nil)
    }

    @Test func `invalid JSON where an envelope is expected is reported with the position`() async throws {
        let server = try ScriptedServer(answering: .json("{\"code\": }"))
        let error = try await send(client(shop: .init(envelope: envelope())), server.url).error
        #expect(error?.code == .badBody)
        #expect(error?.message.contains("line 1") == true)
    }

    // MARK: Cache

    @Test func `S1.26 a fresh response is served without a request`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let client = client()
        let first = try await send(client, server.url) { $0.options.cacheLifetime = .seconds(60) }
        let second = try await send(client, server.url) { $0.options.cacheLifetime = .seconds(60) }
        #expect(first.response?.isFromCache == false)
        #expect(second.response?.isFromCache == true)
        #expect(second.attempts.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test func `S1.26 a response that the envelope rejects is not cached`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"code": 301}"#))
        let client = client(shop: .init(envelope: try envelope()))
        for _ in 0..<2 { _ = try await send(client, server.url) { $0.options.cacheLifetime = .seconds(60) } }
        #expect(server.requests.count == 2)
    }

    @Test func `S2.11 an expired response is revalidated with its validator`() async throws {
        let server = try ScriptedServer { request in
            request["If-None-Match"] == "\"v1\"" ? .status(304) : .json(#"{"n": 1}"#).with("ETag", "\"v1\"")
        }
        let client = client()
        let first = try await send(client, server.url) { $0.options.cacheLifetime = .nanoseconds(1) }
        let second = try await send(client, server.url) { $0.options.cacheLifetime = .nanoseconds(1) }
        #expect(first.response?.status == 200)
        #expect(second.response?.status == 200)
        #expect(second.response?.isFromCache == true)
        #expect(second.response.map { $0.body.string(in: 0..<$0.body.count) } == #"{"n": 1}"#)
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
    }

    @Test func `S1.25 different credentials have a separate cache entry`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let client = client()
        for user in ["a", "b"] {
            _ = try await send(client, server.url) {
                $0.options.cacheLifetime = .seconds(60)
                $0.headers["Authorization"] = "Bearer \(user)"
            }
        }
        #expect(server.requests.count == 2)
    }

    @Test func `S1.25 a response to one token is not served to another`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let store = CredentialStore(token: .init("a")) { _ in .init("never") }
        let client = client(plugins: [TokenPlugin(store)])
        for token in ["a", "a", "b"] {
            store.replace(with: .init(token))
            _ = try await send(client, server.url) { $0.options.cacheLifetime = .seconds(60) }
        }
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer a", "Bearer b"])
    }

    // MARK: Encryption

    @Test func `S4.9 bodies are encrypted when sent and decrypted when received, those of errors, too`() async throws {
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff")
        let secret = try key.encrypt(Array(#"{"error": "no"}"#.utf8), contentType: "application/json")
        let server = try ScriptedServer { _ in
            HTTPAnswer(status: 500, headers: [("Content-Type", secret.contentType ?? "")], body: secret.bytes)
        }
        let exchange = try await send(client(shop: .init(encryptor: key)), server.url) {
            $0.method = .post
            $0.body = .text("plain words", contentType: "text/plain")
        }
        let sent = try #require(server.requests.first)
        #expect(!sent.body.isEmpty && !sent.bodyText.contains("plain words"))
        #expect(exchange.response?.status == 500)
        #expect(exchange.response.map { $0.body.string(in: 0..<$0.body.count) } == #"{"error": "no"}"#)
        #expect(exchange.response?.contentType == "application/json")
    }

    @Test(arguments: ["file", "multipart"])
    func `S4.9 a body that cannot be encrypted is rejected, and nothing is sent`(kind: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let path = try folder.write("secret.txt", "secret")
        let client = client(shop: .init(encryptor: try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff")))
        let exchange = try await send(client, server.url) {
            $0.method = .post
            $0.body =
                switch kind {
                case "file": .file(path: path, contentType: "text/plain")
                default: .multipart([.init(name: "a", content: .file(path: path))])
                }
        }
        #expect(exchange.error?.code == .invalidOption)
        #expect(exchange.error?.message.contains("cannot be encrypted; nothing was sent") == true)
        #expect(exchange.error?.remedy == .encryptableBody)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: EncryptedFiles.allCases.filter { $0 != .refused })
    func `S4.18 the fields of a multipart body are encrypted, and its file only where asked`(files: EncryptedFiles) async throws {
        let server = try ScriptedServer(answering: .ok())
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff", files: files)
        let content = String(repeating: "content of the file ", count: 20_000)
        let path = try folder.write("a.txt", content)
        let exchange = try await send(client(shop: .init(encryptor: key)), server.url) {
            $0.method = .post
            $0.body = .multipart([.init(name: "user", content: .bytes(Array("demo".utf8))), .file("data", path: path)])
        }
        #expect(exchange.error == nil)
        let parts = try Self.parts(of: try #require(server.requests.first))
        #expect(parts.map(\.name) == ["user", "data"])
        #expect(try key.decrypt(parts[0].bytes, contentType: parts[0].type).bytes == Array("demo".utf8))
        if files == .plain {
            #expect(parts[1].bytes == Array(content.utf8) && parts[1].type == "text/plain")
        } else {
            let opened = try key.decrypt(parts[1].bytes, contentType: parts[1].type)
            #expect(opened.bytes == Array(content.utf8) && opened.contentType == "text/plain")
        }
    }

    @Test func `S4.18 a file as the body is encrypted while it is sent, and the same bytes are sent again`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(307, to: "/again") : .ok() }
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff", files: .encrypted)
        // Several reads, and a length that is no multiple of a block.
        let content = Array(String(repeating: "0123456789", count: 30_000).utf8) + [0x0a]
        let path = try folder.write("a.txt", String(decoding: content, as: UTF8.self))
        let exchange = try await send(client(shop: .init(encryptor: key)), server.url) {
            $0.method = .post
            $0.body = .file(path: path, contentType: "text/plain")
        }
        #expect(exchange.error == nil)
        #expect(server.requests.count == 2 && server.requests[0].body == server.requests[1].body)
        let sent = try #require(server.requests.first)
        #expect(sent["Content-Length"] == "\(content.count + 28)")
        let opened = try key.decrypt(sent.body, contentType: sent["Content-Type"])
        #expect(opened.bytes == content && opened.contentType == "text/plain")
    }

    /// The parts of a multipart body with the text of their headers.
    private static func parts(of request: ReceivedRequest) throws -> [(name: String, type: String?, bytes: [UInt8])] {
        let type = try #require(request["Content-Type"])
        let boundary = Array("--\(type.split(separator: "boundary=")[1])".utf8)
        let lineBreak = Array("\r\n".utf8)
        var parts: [(name: String, type: String?, bytes: [UInt8])] = []
        var rest = request.body[...]
        while let line = rest.firstRange(of: boundary), let head = rest[line.upperBound...].firstRange(of: lineBreak + lineBreak),
            let next = rest[head.upperBound...].firstRange(of: lineBreak + boundary)
        {
            let fields = String(decoding: rest[line.upperBound..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let name = fields.first { $0.contains("name=\"") }?.split(separator: "name=\"")[1].prefix { $0 != "\"" }
            let contentType = fields.first { $0.hasPrefix("Content-Type: ") }.map { String($0.dropFirst("Content-Type: ".count)) }
            parts.append((String(name ?? ""), contentType, Array(rest[head.upperBound..<next.lowerBound])))
            rest = rest[next.lowerBound...].dropFirst(lineBreak.count)
        }
        return parts
    }

    /// The encrypted query of a request.
    private func query(of request: ReceivedRequest, _ key: AESGCMEncryptor) throws -> String {
        let target = try HTTPURL(parsing: "http://h\(request.target)")
        let value = try #require(target.query?.split(separator: "&").first { $0.hasPrefix("data=") }).dropFirst("data=".count)
        #expect(value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        let base64 = value.replacing("-", with: "+").replacing("_", with: "/")
        let bytes = try #require(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
        return String(decoding: try key.decrypt(Array(bytes), contentType: "application/vnd.sortie.aes-gcm").bytes, as: UTF8.self)
    }

    @Test func `S4.9 the query is encrypted with its public parameters before it is signed, for every attempt`() async throws {
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff")
        let server = try ScriptedServer { $0.target.contains("data=") && !$0.target.hasPrefix("/new") ? .redirect(to: "/new?page=2") : .ok() }
        let plugins: [any Plugin] = [
            PublicParametersPlugin { _ in [("appId", "7")] }, EncryptParametersPlugin(parameter: "data") { _ in key },
            SignPlugin(parameter: "sign") { _ in MD5Signer(secret: "s") },
        ]
        let exchange = try await send(client(shop: .init(plugins: plugins)), server.url + "/old?card=4111%201111")
        #expect(exchange.response?.status == 200)
        let (first, second) = (try #require(server.requests.first), try #require(server.requests.last))
        #expect(!first.headText.contains("4111") && !first.headText.contains("appId"))
        #expect(first.target.contains("&sign="))
        #expect(try query(of: first, key) == "appId=7&card=4111%201111")
        #expect(try query(of: second, key) == "appId=7&page=2")
    }

    @Test func `S4.9 a parameter with the name of the encrypted query is rejected, and a redirect with it is followed unchanged`() async throws {
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff")
        let server = try ScriptedServer { $0.target.hasPrefix("/new") ? .ok() : .redirect(to: "/new?data=theirs") }
        let client = client(shop: .init(plugins: [EncryptParametersPlugin(parameter: "data") { _ in key }]))
        let refused = try await send(client, server.url + "/?data=1&card=2")
        #expect(refused.error?.code == .invalidOption && refused.error?.message.contains("“data”") == true)
        #expect(server.requests.isEmpty)
        _ = try await send(client, server.url + "/?card=2")
        #expect(server.requests.last?.target == "/new?data=theirs")
        _ = try await send(client, server.url + "/new")
        #expect(server.requests.last?.target == "/new", "there is nothing to encrypt")
    }

    // MARK: Token and signature

    @Test func `S0.26 a rejected token is renewed once for all calls, which are sent again`() async throws {
        let server = try ScriptedServer { request in request["Authorization"] == "Bearer new" ? .ok("in") : .status(401) }
        let refreshes = Atomic<Int>(0)
        let store = CredentialStore(token: .init("old")) { _ in
            refreshes.add(1, ordering: .relaxed)
            return .init("new")
        }
        let client = client(plugins: [TokenPlugin(store)])
        let url = server.url
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<5 { group.addTask { try await send(client, url).response?.status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
        #expect(refreshes.load(ordering: .relaxed) == 1)
    }

    @Test func `a token is not sent to another origin after a redirect`() async throws {
        let other = try ScriptedServer(answering: .ok())
        let server = try ScriptedServer(answering: .redirect(to: other.url))
        let store = CredentialStore(token: .init("secret")) { _ in .init("secret") }
        _ = try await send(client(plugins: [TokenPlugin(store)]), server.url)
        #expect(server.requests.first?["Authorization"] == "Bearer secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?["Authorization"] == nil)
    }

    @Test func `S0.30 the golden request is signed as printed in the document`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let signing = SignPlugin(MD5Signer(secret: "eiifs9wesdfsjes"))
        let query =
            "appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603"
            + "&bizContent=%7B%22UserId%22%3A0%7D&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"
        _ = try await send(client(plugins: [signing]), "\(server.url)/gateway?\(query)") {
            $0.headers["Authorization"] = "Bearer dskjjjjdj3dsjs"
        }
        #expect(server.requests.first?.target == "/gateway?\(query)&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7")
    }
}
