import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the cached responses on disk, which later runs of a program use, and the policies of the cache (S2.11, S2.61).
@Suite(.fewAtOnce)
struct DiskCacheTests {
    private let folder: TemporaryFolder
    private let server: ScriptedServer
    private var cacheFolder: String { folder.path("cache") }

    init() throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer { request in
            switch request.target {
            case "/no-store": .ok("fresh").with("Cache-Control", "no-store")
            case "/cookie": .ok("fresh").with("Set-Cookie", "sid=s3cret")
            case "/token": .json(#"{"access_token": "s3cret-value"}"#)
            case "/etag": request["If-None-Match"] == "\"v1\"" ? .status(304) : .ok("tagged").with("ETag", "\"v1\"")
            default: .ok("body of \(request.target)")
            }
        }
    }

    /// A client as a new run of the program has it.
    private func client(limit: Int = 20 << 20) -> Client {
        var configuration = ClientConfiguration(spoolFolder: folder.path("spool"))
        configuration.cacheFolder = cacheFolder
        configuration.cacheLimit = limit
        return Client(configuration)
    }

    private func request(
        _ path: String, _ policy: RequestOptions.CachePolicy = .use, configure: (inout Request) -> Void = { _ in }
    ) throws -> Request {
        var request = try Request.to(server.url + path) {
            $0.cacheLifetime = .seconds(60)
            $0.cachesOnDisk = true
            $0.cachePolicy = policy
        }
        configure(&request)
        return request
    }

    private func send(_ request: Request, with client: Client? = nil) async throws -> Exchange {
        let client = client ?? self.client()
        return try await withDeadline(.seconds(300), "the call to end") { await client.exchange(request) }
    }

    private func files() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: cacheFolder)?.allObjects as? [String] ?? []
        return all.map { "\(cacheFolder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    @Test func `S2.61 the next client uses a response on disk without a request`() async throws {
        #expect(try await send(request("/a")).response?.isFromCache == false)
        let second = try await send(request("/a"))
        #expect(second.response?.isFromCache == true && second.text == "body of /a")
        #expect(second.attempts.isEmpty && server.requests.count == 1)
    }

    @Test func `a response without cachesOnDisk is not on disk`() async throws {
        _ = try await send(request("/a") { $0.options.cachesOnDisk = false })
        #expect(try files().isEmpty)
        #expect(try await send(request("/a")).response?.isFromCache == false)
    }

    @Test func `files are private, and no temporary file is left`() async throws {
        _ = try await send(request("/a"))
        let file = try #require(try files().first)
        #expect(try files().count == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: cacheFolder)[.posixPermissions] as? Int == 0o700)
    }

    @Test func `S2.61 a response with credentials, or whose request has some, is never on disk`() async throws {
        let requests = [
            try request("/a") { $0.headers["Authorization"] = "Bearer s3cret-value" },
            try request("/b") { $0.headers["Cookie"] = "sid=s3cret-value" },
            try request("/c?access_token=s3cret-value"),
            try request("/d") { request in
                request.method = .post
                request.options.cachedMethods.insert(.post)
                request.body = .text(#"{"password": "s3cret-value"}"#, contentType: "application/json")
            },
            try request("/e") { $0.secrets.values = ["body of /e"] },
            try request("/cookie"), try request("/token"), try request("/no-store"),
        ]
        let client = client()
        _ = try await send(requests[0], with: client)
        #expect(try await send(requests[0], with: client).response?.isFromCache == true, "it is kept in memory")
        for request in requests {
            let exchange = try await send(request, with: client)
            #expect(exchange.error == nil)
            #expect(try files().isEmpty, "\(request.url)")
        }
    }

    @Test func `the decrypted bodies of a service with encryption are never on disk`() async throws {
        let key = try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff")
        let secret = try key.encrypt(Array("plain".utf8), contentType: "text/plain")
        let server = try ScriptedServer { _ in HTTPAnswer(status: 200, headers: [("Content-Type", secret.contentType ?? "")], body: secret.bytes) }
        var configuration = ClientConfiguration(spoolFolder: folder.path("spool"), services: ["shop": .init(encryptor: key)])
        configuration.cacheFolder = cacheFolder
        let exchange = try await send(
            request("/a") {
                $0.service = "shop"
                $0.url = HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: "/a")
            }, with: Client(configuration))
        #expect(exchange.text == "plain")
        #expect(try files().isEmpty)
    }

    @Test func `a truncated or changed file is removed and named, and the request is sent`() async throws {
        for damage in ["truncated", "changed", "other"] {
            _ = try await send(request("/\(damage)"))
            let file = try #require(try files().first)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            switch damage {
            case "truncated": bytes.removeLast(3)
            case "changed": bytes[bytes.count - 1] ^= 1
            default: bytes = Data("nonsense".utf8)
            }
            try bytes.write(to: URL(fileURLWithPath: file))
            let client = client()
            let events = Watched<[String]>([])
            let exchange = await client.exchange(try request("/\(damage)", .use)) { event in
                if case .decided(let decision) = event { events.change { $0.append(decision.text) } }
            }
            #expect(exchange.response?.isFromCache == false)
            let texts = events.change { $0 }
            #expect(texts.contains { $0.contains("a damaged cache entry was removed, \(file): ") }, "\(texts)")
            await client.cache.removeAll()
        }
    }

    @Test func `S1.24 the least recently used files are removed above the limit`() async throws {
        for path in ["/1", "/2"] { _ = try await send(request(path)) }
        let stored = try files()
        let limit = try stored.reduce(10) { try $0 + Data(contentsOf: URL(fileURLWithPath: $1)).count }
        // The times of the last use could be equal otherwise.
        for file in stored { try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: file) }
        #expect(try await send(request("/1"), with: client(limit: limit)).response?.isFromCache == true)
        _ = try await send(request("/3"), with: client(limit: limit))
        #expect(Set(await client().cache.entries().entries.map(\.url.path)) == ["/1", "/3"])
    }

    @Test func `a write removes the responses of its URL from the disk, also those of another client`() async throws {
        _ = try await send(request("/a"))
        _ = try await send(request("/b"))
        _ = try await send(.to(server.url + "/a", .put))
        #expect(try files().count == 1)
        #expect(try await send(request("/a")).response?.isFromCache == false)
        #expect(try await send(request("/b")).response?.isFromCache == true)
    }

    @Test func `an expired response on disk is revalidated, and its file becomes fresh`() async throws {
        _ = try await send(request("/etag") { $0.options.cacheLifetime = .milliseconds(1) })
        let second = try await send(request("/etag") { $0.options.cacheLifetime = .milliseconds(1) })
        #expect(second.response?.isFromCache == true && second.text == "tagged")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
    }

    @Test func `a folder that others can change is not used`() async throws {
        try FileManager.default.createDirectory(atPath: cacheFolder, withIntermediateDirectories: true)
        chmod(cacheFolder, 0o777)
        let exchange = try await send(request("/a"))
        #expect(exchange.error == nil)
        #expect(try files().isEmpty)
    }

    // MARK: Policies

    @Test func `S2.11 revalidate asks the server although the response is fresh`() async throws {
        let client = client()
        for _ in 0..<2 { _ = try await send(request("/etag", .revalidate), with: client) }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
    }

    @Test func `S2.61 reload ignores what is stored and replaces it`() async throws {
        let client = client()
        _ = try await send(request("/etag"), with: client)
        #expect(try await send(request("/etag", .reload), with: client).response?.isFromCache == false)
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil])
        #expect(try await send(request("/etag"), with: client).response?.isFromCache == true)
    }

    @Test(arguments: [RequestOptions.CachePolicy.cacheElseLoad, .cacheOnly])
    func `S2.61 an expired response is used where the policy ignores its age`(policy: RequestOptions.CachePolicy) async throws {
        _ = try await send(request("/a") { $0.options.cacheLifetime = .milliseconds(1) })
        let second = try await send(request("/a", policy) { $0.options.cacheLifetime = .milliseconds(1) })
        #expect(second.response?.isFromCache == true)
        #expect(server.requests.count == 1)
    }

    @Test func `S2.61 cacheElseLoad sends the request where nothing is stored`() async throws {
        #expect(try await send(request("/a", .cacheElseLoad)).response?.isFromCache == false)
    }

    @Test func `S2.61 cacheOnly fails as notCached and sends nothing where nothing is stored`() async throws {
        let exchange = try await send(request("/a", .cacheOnly))
        #expect(exchange.error?.code == .notCached)
        #expect(server.requests.isEmpty)
    }

    // MARK: The cache of a program

    @Test func `S1.43 a program reads, fills and clears the cache`() async throws {
        let client = client()
        let (one, two) = (try request("/1") { $0.service = "shop" }, try request("/2") { $0.options.cachesOnDisk = false })
        #expect(try await client.cache.response(to: one) == nil)
        try await client.cache.store(Response(status: 200, body: BodyBytes(Array("mine".utf8))), for: one)
        try await client.cache.store(Response(status: 200, body: BodyBytes(Array("other".utf8))), for: two)
        #expect(try await client.cache.response(to: one)?.body.prefix(9) == Array("mine".utf8))
        #expect(try await send(one, with: client).text == "mine")
        #expect(server.requests.isEmpty)

        let entries = await client.cache.entries().entries
        #expect(Set(entries.map(\.url.path)) == ["/1", "/2"])
        #expect(entries.filter(\.isOnDisk).map(\.url.path) == ["/1"])
        #expect(entries.allSatisfy { $0.size > 0 && $0.isFresh(at: $0.storedAt) })
        #expect(await client.cache.removeAll(ofService: "shop") == 1)
        #expect(try files().isEmpty)
        let id = try #require(await client.cache.entries().entries.first?.id)
        #expect(await client.cache.remove(id))
        #expect(await client.cache.removeAll() == 0)
    }

    @Test func `S1.43 a response that may not be stored is refused with the reason`() async throws {
        let client = client()
        var plain = try request("/1")
        plain.options.cacheLifetime = nil
        await #expect(throws: NetworkError.self) { try await client.cache.store(Response(status: 200), for: plain) }
        let error = await #expect(throws: NetworkError.self) { try await client.cache.store(Response(status: 500), for: try request("/1")) }
        #expect(error?.message == "a response with status 500 is not stored")
    }
}
