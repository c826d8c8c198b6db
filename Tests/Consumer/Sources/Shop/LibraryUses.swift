import FoundationEssentials
import SortieNetworking

/// The uses of the library that its guide describes.
///
/// They are compiled against its public declarations, and not run.
enum LibraryUses {
    static func requests(_ client: Client, _ text: String) async throws {
        let url = try HTTPURL(parsing: text)
        var request = Request(method: .put, url: url, headers: [HeaderField("Accept", "application/json")], body: .form([("a", "1")]))
        request.options.timeouts.total = .seconds(5)
        request.options.retry = RetryPolicy(limit: 2)
        request.options.proxy = try Proxy("http://proxy.example:8080", except: ProxyException.list("localhost"))
        request.options.environmentProxies = EnvironmentProxies(["https_proxy": "http://proxy.example:8080"])
        request.options.proxy?.authentication = .any
        request.options.proxy?.exceptions.append(.port(8080, of: .domain("example.com")))
        request.options.trust = TrustPolicy(certificateAuthorityFile: "/etc/ca.pem")
        request.options.trust.pinFiles = ["/etc/server.pem"]
        request.options.trust.pinMatch = .certificate
        request.options.priority = .high
        request.options.serviceType = ServiceType.allCases.first { $0.trafficClass == 0x20 } ?? .background
        request.options.credential = .bearer(token: "…")
        request.options.credential = .awsSigV4(
            AWSCredential(region: "eu-central-1", service: "execute-api", accessKey: "…", secretKey: "…", sessionToken: "…"))
        request.options.credential = .jwt(JWTCredential(algorithm: .es256, key: "…", claims: #"{"sub": "me"}"#, lifetime: "1m"))
        var oauth2 = OAuth2(grant: .authorizationCode, tokenURL: "https://auth.example/token", clientID: "shop")
        (oauth2.authorizationURL, oauth2.issuer) = ("https://auth.example/authorize", "https://auth.example")
        request.options.credential = .oauth2(oauth2)
        request.options.credential = .digest(user: "me", password: "…")
        (oauth2.clientAuthentication, oauth2.clientKey, oauth2.clientKeyID, oauth2.clientAlgorithm) = (.privateKeyJwt, "…", "k1", .es256)
        (oauth2.grant, oauth2.subjectToken, oauth2.subjectTokenType) = (.tokenExchange, "…", "urn:ietf:params:oauth:token-type:jwt")
        (oauth2.parURL, oauth2.parameters, oauth2.tokenField) = ("https://auth.example/par", #"{"resource": "r"}"#, "id_token")
        request.options.credential = .ntlm(NTLMCredential(user: #"SHOP\me"#, password: "…"))
        request.options.credential = .ntlm(NTLMCredential(user: "me", password: "…", permitsOthers: true))
        request.options.credential = .signature(SignatureCredential(.hawk, ["id": "shop", "key": "…"]))
        request.options.credential = .negotiate
        request.options.credential = .apiKey(APIKey(name: "X-API-Key", value: "…", in: .query))
        print(request.options.$maximumRedirects ?? 0, request.options.timeouts.$connect == .seconds(10), request.options.credential == .none)
        for await event in client.events(request) {
            switch event {
            case .progressed(let progress): print(progress.received, progress.receivedTotal ?? 0)
            case .decided(let decision): print(decision.subject, decision.text)
            case .reported(let report): print(report.text)
            case .finished(let exchange): print(exchange.attempts.map(\.status), exchange.duration, exchange.error?.hint ?? "")
            default: break
            }
        }
        let response = try await client.send(request)
        print(response.headers["Content-Type"] ?? "", response.text ?? "", response.body.count)
        let value = try JSONValue(parsing: response.body)
        print(try JSONPath("$.orders[0].id").first(in: value)?.text ?? "")
        print(try JSONSchema(shape: ["id": "integer"]).failures(in: value).map { "\($0.path) \($0.keyword) \($0.expected) \($0.actual)" })
    }

    static func conversions(_ client: Client, _ text: String, _ url: URL) async -> String {
        // One type of error, without a cast.
        do {
            var request = try Request(text, method: .post, query: [("page", "1")], headers: ["Accept": "text/plain"], body: .json(encoding: [1]))
            request.url = try Request(url: url).url
            let response = try await client.send(request)
            let orders: [Int] = try response.decoded(charset: "gbk")
            print(try response.text(charset: "gbk"), try response.utf8Body(charset: "gbk").count, URL(request.url)?.absoluteString ?? "", orders)
            let settings = CallSettings(acceptedStatuses: 200..<500, decoder: JSONDecoder(), charset: "gbk")
            print(try await client.get(text, with: settings, as: [Int].self), try await client.get(text).status)
            try await client.delete(text)
            try await client.patch(text, json: 1)
            return try await client.send(request, as: .text(charset: "gbk"))
        } catch {
            return error.isCancellation ? "cancelled" : error.message
        }
    }

    static func urls(_ url: URL) throws -> HTTPURL { try HTTPURL(url) }

    static func services(_ server: String) throws -> Client {
        let token = CredentialStore { _ in Credential.Token("new", expiresIn: .seconds(60)) }
        var shop = ServiceConfiguration(servers: ["live": [server]], plugins: [TokenPlugin(token)])
        shop.envelope = Envelope(codePath: try JSONPath("$.code"), success: ["0"])
        shop.encryption = { _ async throws(NetworkError) in try AESGCMEncryptor(key: "00112233445566778899aabbccddeeff", files: .encrypted) }
        shop.serverSwitch = ServerSwitchRule(after: 5)
        (shop.limits.connections, shop.limits.downloads, shop.limits.resources) = (6, 2, 4)
        shop.filter = { $0 }
        shop.reformer = { _, value in value ?? .null }
        shop.options.answer.schema = try JSONSchema(parsing: #"{"required": ["id"]}"#)
        shop.options.answer.reform = try Reform(paths: [("id", "$.id")])
        var configuration = ClientConfiguration(services: ["shop": shop], environment: "live", parking: OfflineQueue())
        configuration.options.timeouts.idle = .seconds(20)
        configuration.options.excludedNetworks = [.cellular, .metered, .interface("wlan0")]
        configuration.plugins = [DebugLogPlugin { print($0) }]
        configuration.standardFields = StandardFields(application: "Shop", version: "2.1", languages: StandardFields.preferredLanguages)
        print(configuration.standardFields.userAgent, configuration.standardFields.acceptLanguage ?? "")
        configuration.cacheFolder = ClientConfiguration.defaultCacheFolder
        return Client(configuration)
    }

    static func several(_ client: Client, _ request: Request) async throws {
        let batch = Batch<Exchange>(policy: .collectAll, concurrency: 2)
        try batch.add(identity: request) { await client.exchange(request) }
        print(try await batch.run { print($0.finished, $0.total) }.isSuccess)
        let chain = Chain<Exchange>()
        try chain.add { _ in await client.exchange(request) }
        print(await chain.run(), chain.results.count)
        let pager = Pager<Int> { _, _ in Pager.Page(items: [1], total: 1) }
        print(try await pager.refresh())
    }

    static func downloads(_ client: Client, _ request: Request) async throws {
        var download = Download(request, to: .file("/tmp/orders.json"))
        download.collision = .keepBoth
        let file = client.downloads.start(download, destination: { location, response in location + "-\(response?.status ?? 0)" })
        let uploads = UploadBatch([request], with: client, removesConfirmedFiles: true)
        print(try await uploads.run(), uploads.outcomes.map(\.isConfirmed))
        for await event in file.events {
            if case .progressed(let progress) = event { print(progress.rate, progress.segments.count) }
        }
        let result = await file.result
        print(result.state.text, result.digest?.hexadecimal ?? "", Downloads.left(of: result.file)?.received ?? 0)
    }

    static func streams(_ client: Client, _ request: Request, _ chunks: AsyncStream<[UInt8]>) async throws {
        let response = try await client.stream(request) { event in
            if case .progressed(let progress) = event { print(progress.received) }
        }
        for try await chunk in response.body { print(response.head.status, chunk.count) }
        for try await value in try await client.stream(request, body: chunks, length: 10).body.jsonLines() { print(value.text) }
        print(try await client.send(request, body: chunks).status)
        for try await event in client.serverSentEvents(request, lastEventID: "7") { print(event.type, event.data, event.id) }
        print(await response.exchange.duration)
    }

    static func observation(_ client: Client) {
        client.observeAttempts { print($0.isInsecure, $0.notices) }
        Task { for await change in Reachability.system.changes() { print(change.kinds.contains(.cellular)) } }
        print(Reachability.system.kinds.map(\NetworkKind.rawValue), client.monitor.snapshot().networks)
        client.observeCalls { print($0.exchange.id, $0.file ?? "") }
        for service in client.monitor.snapshot().services { print(service.name ?? "", service.traffic.p95, service.servers.count) }
    }

    static func withoutClient(_ shop: ServiceConfiguration, _ text: String) async throws {
        try Client.configureShared(.init(services: ["shop": shop], environment: "live"))
        var request = try Request(url: HTTPURL(parsing: text))
        request[parameter: "page"] = "2"
        request.body = .multipart([.file("photo", path: "/tmp/photo.jpg", fileName: "a.jpg")])
        request.body = .data([0, 1])
        print(try await Client.shared.send(request).status)
        let settings = CallSettings(filter: Envelope.results.filter, plugins: [AttemptNumber()])
        let orders: [Int] = try await Client.shared.put("/orders", json: ["id": 7], through: "shop", with: settings)
        print(orders, try await Client.shared.head("/orders", through: "shop").headers)
    }

    /// An endpoint with a value for the program's own use.
    struct Ping: TypedEndpoint, Encodable {
        typealias Output = Response
        var path: String { "/ping" }
        var tag: RequestTag? { RequestTag("ping") }
    }

    static func stages(_ client: Client, _ download: Download, _ batch: Batch<Int>) async throws {
        let file = client.downloads.start(download)
        print(file.state, batch.members)
        for await case .memberEnded(let index, let outcome) in batch.events() { print(index, outcome.value ?? 0) }
        print(try await batch.run().error ?? "", try await client.send(Ping()).status)
        let chain = Chain<Int>(restartLimit: 2)
        for await case .progressed(let progress) in chain.events() { print(progress.finished, progress.total) }
        print(await chain.run(), chain.steps, chain.restarts)
        let call = client.start(download.request)
        call.suspend()
        call.resume()
        print(call.state, await call.result)
    }

    static func names(_ request: ClientRequest, _ response: ClientResponse, _ cookie: ClientCookie) {
        print(request.url, response.status, cookie.name)
    }

    static func protocols(_ client: Client) async throws {
        let socket = try await client.webSocket(Request("https://shop.example/prices"), maximumMessageBytes: 1 << 20)
        print(socket.subprotocol ?? "", socket.exchange.duration)
        try await socket.send(.binary([1]))
        try socket.close(code: 1001, reason: "done")
        socket.cancel()
        var request = try Request("https://shop.example", method: .post, body: .json(encoding: ["id": 7]))
        request.options.grpc = GRPCCall(method: "shop.Orders/Get", schema: .file(path: "/etc/orders.binpb", folder: "/etc"))
        let status = try await client.send(request).grpcStatus
        print(status?.code ?? 0, status?.message ?? "")
    }
}
