import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests that options are merged field by field: client, service, server, endpoint, call (S3.6, S4.3).
@Suite(.fewAtOnce)
struct OptionLayerTests {
    private typealias Change = @Sendable (inout RequestOptions) -> Void

    /// A value of each field other than the default, and the default.
    private static let fields: [(field: String, other: Change, standard: Change)] = [
        ("requiresTLS", { $0.requiresTLS = true }, { $0.requiresTLS = false }),
        ("tlsPorts", { $0.tlsPorts = [80: 443] }, { $0.tlsPorts = [:] }),
        ("timeouts", { $0.timeouts.idle = .seconds(1) }, { $0.timeouts.idle = .seconds(30) }),
        ("maximumRedirects", { $0.maximumRedirects = 0 }, { $0.maximumRedirects = 20 }),
        ("removedFields", { $0.removedFields = ["accept"] }, { $0.removedFields = [] }),
        ("version", { $0.version = .http1 }, { $0.version = .automatic }),
        ("decompresses", { $0.decompresses = false }, { $0.decompresses = true }),
        ("maximumBodyBytes", { $0.maximumBodyBytes = nil }, { $0.maximumBodyBytes = 20 << 30 }),
        ("maximumUploadRate", { $0.maximumUploadRate = 9 }, { $0.maximumUploadRate = nil }),
        ("trust", { $0.trust.pins = ["sha256//x"] }, { $0.trust.pins = [] }),
        ("addresses", { $0.addresses = IPAddress("127.0.0.9").map { [$0] } ?? [] }, { $0.addresses = [] }),
        ("firstAddress", { $0.firstAddress = IPAddress("127.0.0.9") }, { $0.firstAddress = nil }),
        ("resolution", { $0.resolution.further = IPAddress("127.0.0.9").map { [$0] } ?? [] }, { $0.resolution.further = [] }),
        (
            "proxyScript", { $0.proxyScript = CopyOnWrite(wrappedValue: ProxyScript(.file("/proxy.pac"))) }, { $0.proxyScript = nil }
        ),
        ("environmentProxies", { $0.environmentProxies = EnvironmentProxies(["all_proxy": "a"]) }, { $0.environmentProxies = nil }),
        ("proxy", { $0.proxy = try? Proxy("http://127.0.0.1:1") }, { $0.proxy = nil }),
        ("unixSocket", { $0.unixSocket = "/nowhere" }, { $0.unixSocket = nil }),
        ("credential", { $0.credential = .digest(user: "u", password: "p") }, { $0.credential = .none }),
        ("grpc", { $0.grpc = GRPCCall(method: "a.B/C") }, { $0.grpc = nil }),
        ("cacheLifetime", { $0.cacheLifetime = .seconds(5) }, { $0.cacheLifetime = nil }),
        ("cachedMethods", { $0.cachedMethods = [.post] }, { $0.cachedMethods = [.get, .head] }),
        ("cachePolicy", { $0.cachePolicy = .reload }, { $0.cachePolicy = .use }),
        ("cachesOnDisk", { $0.cachesOnDisk = true }, { $0.cachesOnDisk = false }),
        ("cacheTag", { $0.cacheTag = "a" }, { $0.cacheTag = nil }),
        ("retry", { $0.retry = RetryPolicy(limit: 2) }, { $0.retry = nil }),
        ("priority", { $0.priority = .high }, { $0.priority = .normal }),
        ("traffic", { $0.traffic = .background }, { $0.traffic = .refresh }),
        ("serviceType", { $0.serviceType = .video }, { $0.serviceType = .standard }),
        ("interface", { $0.interface = "lo" }, { $0.interface = nil }),
        ("excludedNetworks", { $0.excludedNetworks = [.metered] }, { $0.excludedNetworks = [] }),
        ("usesCookies", { $0.usesCookies = false }, { $0.usesCookies = true }),
        ("parameterRules", { $0.parameterRules = [ParameterRule("a", isRequired: true)] }, { $0.parameterRules = [] }),
        ("answer", { $0.answer.contentTypes = ["a/b"] }, { $0.answer.contentTypes = nil }),
        ("texts", { $0.texts = .simplifiedChinese }, { $0.texts = .english }),
        ("suppressesUI", { $0.suppressesUI = true }, { $0.suppressesUI = false }),
        ("bypassesPlugins", { $0.bypassesPlugins = true }, { $0.bypassesPlugins = false }),
        ("inheritsPlugins", { $0.inheritsPlugins = false }, { $0.inheritsPlugins = true }),
    ]

    private static func options(_ change: Change?) -> RequestOptions {
        var options = RequestOptions()
        change?(&options)
        return options
    }

    private struct Get: TypedEndpoint {
        typealias Output = Response
        var options: RequestOptions
        var path: String { "/" }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    /// The options of a call whose layers, from the client to the call, have these changes; nothing is sent.
    private func resolved(_ layers: [Change?]) async throws -> RequestOptions {
        let folder = try TemporaryFolder()
        let seen = Watched<[RequestOptions]>([])
        let url = "https://127.0.0.1:1"
        var configuration = ClientConfiguration(spoolFolder: folder.path, plugins: [Observer(seen: seen)], environment: "live")
        configuration.options = Self.options(layers[0])
        configuration.services = ["shop": ServiceConfiguration(servers: ["live": [url]], options: Self.options(layers[1]), plugins: [Stop()])]
        let client = Client(configuration)
        var server = try client.server(of: "shop")
        var own = server.options
        layers[2]?(&own)
        server.options = own
        let (endpoint, call) = (Get(options: Self.options(layers[3])), Self.options(layers[4]))
        let target = server
        await #expect(throws: NetworkError.self) {
            try await withDeadline(.seconds(300), "the call to end") {
                try await client.send(endpoint, to: target, plugins: [Observer(seen: seen), Stop()], options: call)
            }
        }
        var result = try #require(seen.current.last)
        result.answer.statuses = nil
        return result
    }

    /// Keeps the options of calls.
    private struct Observer: Plugin {
        let seen: Watched<[RequestOptions]>
        func didFinish(_ exchange: Exchange, in context: PluginContext) { seen.change { $0.append(exchange.request.options) } }
    }

    /// Ends calls before they are sent.
    private struct Stop: Plugin {
        func willPrepare(_ request: inout Request, in context: PluginContext) throws { throw NetworkError(.cancelled, "not sent") }
    }

    @Test func `every stored property of the options is in the table`() {
        let names = Mirror(reflecting: RequestOptions()).children.compactMap(\.label).map { String($0.drop { $0 == "_" }) }
        // The library sets the owner of the tunnel, and that credentials are in the message, for one request; no layer has them.
        #expect(Set(names).subtracting(["tunnelOwner", "hasPlacedCredential"]) == Set(Self.fields.map(\.field)))
    }

    @Test func `a value that no layer sets is nil, also where it has a standard value`() {
        var options = RequestOptions()
        #expect(options.$maximumRedirects == nil && options.maximumRedirects == 20 && options.isUnset)
        options.maximumRedirects = 20
        #expect(options.$maximumRedirects == 20 && !options.isUnset && options == RequestOptions())
        #expect(TrustPolicy().$pins == nil && TrustPolicy(pins: []).$pins == [] && TrustPolicy.system.$pins == [])
        #expect(Timeouts().$connect == nil && Timeouts(connect: .seconds(10)).$connect == .seconds(10))
        options = RequestOptions()
        options.timeouts.total = nil
        #expect(options.timeouts.$total == .some(nil) && options.timeouts.$connect == nil && !options.isUnset)
    }

    @Test func `layers of which one sets nothing share the storage of the other`() {
        let (empty, full) = (CopyOnWrite(wrappedValue: RequestOptions()), CopyOnWrite(wrappedValue: Self.options { $0.trust.pins = ["sha256//x"] }))
        #expect(full.overlaid(with: empty).box === full.box && empty.overlaid(with: full).box === full.box)
        #expect(full.overlaid(with: CopyOnWrite(wrappedValue: Self.options { $0.cacheTag = nil })).box !== full.box)
    }

    @Test(arguments: 0..<5) func `S3.6 a field of each layer is used, and no other field changes`(layer: Int) async throws {
        for (field, other, _) in Self.fields {
            var layers = [Change?](repeating: nil, count: 5)
            layers[layer] = other
            #expect(Self.options(other) != RequestOptions(), "\(field)")
            #expect(try await resolved(layers) == Self.options(other), "\(field)")
        }
    }

    @Test(arguments: 1..<5) func `S3.6 a field of a layer takes precedence over the layers below, also with the default`(layer: Int) async throws {
        for (field, other, standard) in Self.fields where field != "credential" {
            var layers = [Change?](repeating: nil, count: 5)
            (layers[layer - 1], layers[layer]) = (other, standard)
            #expect(try await resolved(layers) == RequestOptions(), "\(field) is reset")
            (layers[layer - 1], layers[layer]) = (standard, other)
            #expect(try await resolved(layers) == Self.options(other), "\(field) is set")
        }
    }

    @Test(arguments: 1..<5) func `credentials of a layer replace those of the layers below, and inherit takes them`(layer: Int) async throws {
        let lower: Change = { $0.credential = .digest(user: "u", password: "p") }
        let cases: [(upper: Change, expected: Auth)] = [
            ({ $0.credential = .inherit }, .digest(user: "u", password: "p")), ({ $0.credential = .none }, .none),
            ({ $0.credential = .negotiate }, .negotiate),
        ]
        for (upper, expected) in cases {
            var layers = [Change?](repeating: nil, count: 5)
            (layers[layer - 1], layers[layer]) = (lower, upper)
            #expect(try await resolved(layers).credential == expected)
        }
    }

    @Test func `S3.6 trust, time limits, name resolution and rules are merged field by field`() async throws {
        let lower: Change = {
            $0.trust = TrustPolicy(
                certificateAuthorityFile: "a", clientCertificateFile: "b", clientKeyFile: "c", clientKeyPassphrase: "d", pins: ["sha256//x"],
                pinScope: .chain, pinsExpire: 1, minimumTLS: .tls13, isInsecure: true)
            $0.timeouts = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
            $0.resolution = NameResolution(server: try? HTTPURL(parsing: "https://dns.test/"), further: [], hosts: ["a": HostAddresses()])
            $0.answer = ResponseRules(
                contentTypes: ["a/b"], format: .xml, schema: nil, messages: ["1": "one"], reform: Reform([]))
        }
        let anything = try JSONSchema(shape: "any")
        // A client certificate and pins are replaced with what belongs to them.
        let changes: [(name: String, change: Change)] = [
            ("authority", { $0.trust.certificateAuthorityFile = "A" }), ("certificate", { $0.trust.clientCertificateFile = "B" }),
            ("key", { $0.trust.clientKeyFile = "C" }), ("passphrase", { $0.trust.clientKeyPassphrase = nil }), ("pins", { $0.trust.pins = [] }),
            ("files", { $0.trust.pinFiles = ["f"] }),
            ("scope", { $0.trust.pinScope = .leaf }), ("expiry", { $0.trust.pinsExpire = nil }), ("TLS", { $0.trust.minimumTLS = .usual }),
            ("insecure", { $0.trust.isInsecure = false }), ("connect", { $0.timeouts.connect = .seconds(10) }),
            ("idle", { $0.timeouts.idle = .seconds(30) }), ("total", { $0.timeouts.total = nil }), ("server", { $0.resolution.server = nil }),
            ("further", { $0.resolution.further = IPAddress("::1").map { [$0] } ?? [] }), ("hosts", { $0.resolution.hosts = [:] }),
            ("types", { $0.answer.contentTypes = nil }), ("format", { $0.answer.format = nil }), ("schema", { $0.answer.schema = anything }),
            ("messages", { $0.answer.messages = [:] }), ("reform", { $0.answer.reform = nil }),
        ]
        for (name, change) in changes {
            var expected = Self.options(lower)
            if ["certificate", "key"].contains(name) {
                (expected.trust.clientCertificateFile, expected.trust.clientKeyFile, expected.trust.clientKeyPassphrase) = (nil, nil, nil)
            }
            if ["pins", "files"].contains(name) { (expected.trust.pins, expected.trust.pinScope, expected.trust.pinsExpire) = ([], .leaf, nil) }
            change(&expected)
            #expect(try await resolved([lower, nil, nil, change, nil]) == expected, "\(name)")
            #expect(try await resolved([nil, change, nil, lower, nil]) == Self.options(lower) || name == "schema", "\(name) below")
        }
        #expect(try await resolved([lower, nil, nil, { $0.trust = .system }, nil]).trust == .system, "the complete policy is replaced")
    }

    @Test func `S2.19 a custom request inherits how its server is reached, and no settings of the message`() async throws {
        let lower: Change = {
            $0.trust.pins = ["sha256//x"]
            $0.interface = "lo"
            $0.timeouts.idle = .seconds(1)
            $0.cacheLifetime = .seconds(1)
        }
        let options = try await resolved([nil, lower, nil, { $0.bypassesPlugins = true }, nil])
        #expect(options.trust.pins == ["sha256//x"])
        #expect(options.interface == nil && options.timeouts == Timeouts() && options.cacheLifetime == nil)
    }

    private struct Accepting: TypedEndpoint {
        typealias Output = Response
        var options = RequestOptions()
        var acceptedStatuses = 200..<300
        var path: String { "/" }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    @Test func `S0.14 S3.6 the accepted statuses are those of the call, the endpoint, its requirement, the service, or 200-299`() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer(answering: .status(404))
        func accepts(service: [ClosedRange<Int>]? = nil, requirement: Range<Int> = 200..<300, endpoint: [ClosedRange<Int>]? = nil) async -> Bool {
            var shop = ServiceConfiguration(servers: ["live": [server.url]])
            if let service { shop.options.answer.statuses = service }
            let client = Client(.init(spoolFolder: folder.path, services: ["shop": shop], environment: "live"))
            var target = Accepting(acceptedStatuses: requirement)
            if let endpoint { target.options.answer.statuses = endpoint }
            do {
                return try await client.send(target, through: "shop").status == 404
            } catch {
                #expect(error.code == .status)
                return false
            }
        }
        #expect(await accepts() == false)
        #expect(await accepts(service: [404...404]))
        #expect(await accepts(service: [200...200], requirement: 200..<405))
        #expect(await accepts(service: [404...404], requirement: 200..<201) == false)
        #expect(await accepts(requirement: 200..<201, endpoint: [404...404]))
        #expect(await accepts(requirement: 200..<405, endpoint: [200...200]) == false)
    }
}
