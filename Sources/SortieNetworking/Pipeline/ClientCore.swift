internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// The parts of a client that calls share, and the stages of one call; a call runs on the task of its caller.
final class ClientCore: Sendable {
    let configuration: ClientConfiguration
    /// The transport of the configuration; nil for the engine, which calls use directly.
    let transport: (any Transport)?
    let resolver: Resolver
    /// The counts of all calls.
    let monitor: Monitor
    /// The responses that may be used again.
    let cache: ResponseCache
    let strictTransport = StrictTransport()
    /// The access tokens of requests with OAuth 2 settings.
    let oauth2: OAuth2Sessions
    /// The types of the messages of gRPC calls.
    let schemas = SharedReadings<GRPCSchemaKey, ProtobufSchema>(lifetime: .seconds(60))
    /// The scripts that choose proxies.
    let proxyScripts = SharedReadings<ProxyScriptKey, JavaScriptScript>(lifetime: .seconds(300))
    /// The calls and downloads under way.
    let table = CallTable()
    /// The servers in use.
    let rings: ServerRings
    /// The simulated network conditions.
    let conditions: ConditionsTable
    /// Receives every exchange when an attempt of it has ended.
    let recorder = ExchangeObserver<Exchange>()
    /// Receives every call that has ended.
    let archive = ExchangeObserver<CompletedCall>()
    /// The source of random delays and of the time, for retries.
    let retrySource: Retry.Source
    /// Returns the time in monotonic nanoseconds, for the time limits of calls.
    private let clock: @Sendable () -> UInt64
    /// The passphrases of client keys.
    private let clientKeys: ClientKeyring
    /// The options of every request; nil where the client sets none.
    private let options: CopyOnWrite<RequestOptions>?
    /// The declarations of services; each call keeps those that hold when it starts.
    private let services: Mutex<[String: ServiceDeclaration]>
    let queues = RequestQueues()
    /// Limits the requests of all services and origins together; nil without such a limit.
    let overallQueue: RequestQueue?

    init(
        configuration: ClientConfiguration, resolver: Resolver, retrySource: Retry.Source, conditions: ConditionsTable,
        clock: @escaping @Sendable () -> UInt64
    ) {
        (self.conditions, self.clock, self.retrySource, self.configuration) = (conditions, clock, retrySource, configuration)
        oauth2 = OAuth2Sessions(presenter: configuration.signIn, archive: configuration.tokens)
        transport = configuration.transport is EngineTransport ? nil : configuration.transport
        self.resolver = resolver
        cache = ResponseCache(limit: configuration.cacheLimit, folder: configuration.cacheFolder)
        clientKeys = ClientKeyring(asking: configuration.clientKeyQuestion)
        monitor = Monitor(scores: resolver.scores)
        rings = ServerRings(monitor: monitor)
        options = configuration.options.isUnset ? nil : configuration.sharedOptions
        services = Mutex(configuration.services.mapValues { ServiceDeclaration($0, over: configuration.sharedOptions) })
        overallQueue = configuration.maximumRequests.map { RequestQueue(limit: $0, owner: "the client") }
    }

    // MARK: Services

    /// Replaces the declarations of services for calls that start from now on.
    func use(_ services: [String: ServiceConfiguration]) {
        let services = services.mapValues { ServiceDeclaration($0, over: configuration.sharedOptions) }
        self.services.withLock { $0 = services }
    }

    /// The current declaration of a service.
    func declaration(of name: String) -> ServiceDeclaration? {
        services.withLock { $0[name] }
    }

    /// The current declaration of a request: that of its service, or the variant for this request.
    func service(of request: Request) -> ServiceDeclaration {
        guard let service = request.service.flatMap({ declaration(of: $0) }) else { return .plain }
        return service.configuration.variant?(request).map { ServiceDeclaration($0) } ?? service
    }

    /// The request with the options of the client and its service below its own, moved to TLS where they require that.
    func layered(_ request: Request) -> Request {
        var request = request
        let declared = request.service.flatMap { declaration(of: $0) }
        if let lower = declared?.options ?? options { request.sharedOptions = lower.overlaid(with: request.sharedOptions) }
        if request.options.requiresTLS { request.moveToTLS(by: request.options.tlsPorts) }
        return request
    }

    /// The request of a call: with the options of all layers, and with constant credentials in its message.
    func resolved(_ request: Request) -> Request {
        var request = layered(request)
        request.placeCredential()
        return request
    }

    /// Identifies the requests that share limits and order: those of a service, or of an origin where there is no service.
    func lane(of request: Request) -> String {
        request.service ?? request.url.origin
    }

    /// The queue of a request's service; for a download and for a resource the separate one, where its service has a limit of them.
    func queue(for request: Request, isDownload: Bool = false) -> RequestQueue {
        let ofService = request.service.flatMap { declaration(of: $0) }?.configuration.limits ?? RequestLimits()
        // A function, because most requests find their queue without a name for their origin.
        func limits() -> RequestLimits { configuration.limits[lane(of: request)]?.over(ofService) ?? ofService }
        var (key, separate) = (RequestQueueKey(request), Int?.none)
        if isDownload {
            separate = limits().downloads
            if separate != nil { key = .downloads(key) }
        } else if request.options.traffic == .resource {
            separate = limits().resources
            if separate != nil { key = .resources(key) }
        }
        return queues.queue(key) { [separate] in
            if let separate { return RequestQueue(limit: separate, connections: separate, isSeparate: true) }
            let limits = limits()
            return RequestQueue(limit: limits.requests ?? RequestQueue.defaultLimit, connections: limits.connections)
        }
    }

    // MARK: Calls

    /// Creates a call and adds it to the table before anything of it starts, so that it can be cancelled from its first moment.
    func register(
        _ id: RequestID, _ request: Request, parked: ParkingNotice? = nil, reading: Call.Reading? = nil,
        makeSink: (@Sendable (HTTPURL) -> any BodySink)? = nil, pipe: ResponsePipe? = nil, demand: BodyDemand? = nil,
        webSocket: WebSocketChannel? = nil, isRecorded: Bool = true,
        observer: (@Sendable (CallSignal) -> Void)?
    ) -> Call {
        var request = resolved(request)
        if pipe != nil || webSocket != nil { request.prepareForStreaming() }
        let call = Call(
            id: id, request: request, parked: parked, reading: reading, makeSink: makeSink, pipe: pipe,
            demand: demand, webSocket: webSocket, transport: transport, isRecorded: isRecorded, clock: clock,
            observer: observer)
        if !table.insert(call) { call.abort(.clientShutDown) }
        // A parked call enters its queue here, so that the order of the queue is that of these calls.
        if parked != nil {
            do throws(NetworkError) { try configuration.parking?.enter(id, lane: lane(of: request), bytes: 0) } catch { call.abort(error) }
        }
        return call
    }

    /// The plugins of a call: those of the client, then those of the service, then its own.
    func plugins(of call: Call, _ service: ServiceDeclaration, _ own: [any Plugin]) -> PluginChain {
        let inherited = call.request.options.inheritsPlugins ? configuration.plugins.overlaid(with: service.configuration.plugins) : []
        return PluginChain(
            plugins: inherited.overlaid(with: own), context: PluginContext(call: call), bypassesPlugins: call.request.options.bypassesPlugins)
    }

    /// The cookies of a call, from the jar of its environment: that of the client for a request without one.
    func cookies(of call: Call) -> AttemptCookies {
        guard call.request.options.usesCookies else { return AttemptCookies(call: call, jar: nil) }
        return AttemptCookies(call: call, jar: configuration.cookies[call.request.environment ?? configuration.environment])
    }

    /// Encrypts the body where the service requires it; the key may have to be waited for.
    func encrypt(_ request: inout Request, with encryption: ServiceConfiguration.Encryption?, of call: Call) async throws(NetworkError) {
        guard let encryption, !request.options.bypassesPlugins else { return }
        let encryptor = try await call.encryptor(encryption, of: request)
        try request.encrypt(with: encryptor, call.files)
    }

    /// The request with the passphrase of its client key, where it may use TLS with a key that can be read.
    ///
    /// - Parameter call: The call that waits while the user is asked for the passphrase; nil does not ask.
    func unlockingClientKey(of request: Request, for call: Call?) async throws(NetworkError) -> Request {
        guard request.options.trust.clientCertificateFile != nil else { return request }
        let urls = [request.url] + request.otherServers
        guard urls.contains(where: { $0.scheme == .https || strictTransport.upgraded($0) != nil }) else { return request }
        var unlocked = request
        try await clientKeys.unlock(&unlocked, for: call)
        return unlocked
    }

    /// Runs a call, which is aborted when the task is cancelled.
    func runCancellably(_ call: Call, _ own: CallAdditions = CallAdditions()) async -> Exchange {
        await withTaskCancellationHandler {
            await run(call, own)
        } onCancel: {
            call.abort(.cancelledByCaller)
        }
    }

    /// Runs a call of the table to its end, with exactly one `finished` event.
    ///
    /// - Parameter own: What the call adds to its service.
    func run(_ call: Call, _ own: CallAdditions = CallAdditions()) async -> Exchange {
        var exchange = Exchange(id: call.id, request: call.request, startedAt: Date())
        var service = service(of: call.request)
        if let encryptor = own.encryptor { service = ServiceDeclaration(service.configuration, encryptor: encryptor) }
        let plugins = plugins(of: call, service, own.plugins)
        var cached: CacheTransaction?
        call.pipe?.use(ResponseHeadCheck(call.request, service).check)
        do throws(NetworkError) {
            if call.isSuspended { try await call.passSuspension() }
            try await load(call, service, plugins, &cached, &exchange)
            if let pipe = call.pipe, !pipe.isCommitted, let response = exchange.response { try pipe.check(response) }
            if call.makeSink == nil { try await ResponseReading(service: service, call: call).read(&exchange) }
            if call.isOverdueAtEnd { throw .total(call.totalLimit) }
        } catch {
            exchange.error = error
            if let last = exchange.attempts.last {
                exchange.error?.attempt = exchange.attempts.count
                exchange.error?.timing = last.timing
            }
        }
        exchange.note(end: call)
        let hasFailed = exchange.error != nil
        if !plugins.isEmpty { await plugins.process(&exchange) }
        if !hasFailed, exchange.error == nil, call.isOverdueAtEnd { exchange.error = .total(call.totalLimit) }
        // Only a response that every stage accepted is stored.
        if exchange.error == nil, !hasFailed, !exchange.endsAtRedirect { await cached?.store(exchange) }
        if hasFailed, exchange.error == nil, let response = exchange.response {
            do throws(NetworkError) { try await ResponseReading(service: service, call: call).pass(response) } catch { exchange.error = error }
        }
        // Here, so that the history and observers of calls have the same error as the caller.
        if exchange.error == nil, let channel = call.webSocket { exchange.error = exchange.refusedHandshake(channel) }
        exchange.note(end: call)
        if exchange.error != nil { exchange.error?.response = exchange.response }
        if !plugins.isEmpty { await plugins.didFinish(exchange) }
        let waiters = table.remove(call)
        defer { for waiter in waiters { waiter.resume() } }
        call.end()
        // The calls of a download are reported together when it ends, and a WebSocket connection is when it is closed, with the attempts to open it
        // again.
        let isOfOpenConnection = call.webSocket.map { exchange.isOpenWebSocket || !$0.isFirst } ?? false
        if archive.isOn, call.isRecorded, call.makeSink == nil, !isOfOpenConnection {
            archive.note(CompletedCall(exchange, kind: call.recordedKind))
        }
        call.report(.finished(exchange))
        return exchange
    }

    /// Prepares the request of a call, and takes the response from the cache or sends the request.
    private func load(
        _ call: Call, _ service: ServiceDeclaration, _ plugins: PluginChain, _ cached: inout CacheTransaction?, _ exchange: inout Exchange
    ) async throws(NetworkError) {
        var request = call.request
        if !plugins.isEmpty {
            try await plugins.willPrepare(&request)
            // What a plugin put into the request here is in it at every redirect.
            request.secrets.formUnion(call.addedSecrets)
        }
        // Before the lookup in the cache, because a response depends on the language.
        configuration.standardFields.add(to: &request)
        try RequestCheck.checkSecrets(request)
        try RequestCheck.checkParameters(request)
        let plain = request
        let isEncrypted = service.configuration.encryption != nil && !request.options.bypassesPlugins
        if isEncrypted { try await encrypt(&request, with: service.configuration.encryption, of: call) }
        let messages = request.options.grpc == nil ? nil : try await encodeMessages(of: &request, for: call, isEncrypted: isEncrypted)
        try RequestCheck.check(request)
        let cookies = cookies(of: call)
        let context = CallContext(
            core: self, call: call, service: service, plugins: plugins, cookies: cookies,
            plainBody: service.configuration.encryption == nil && messages == nil ? nil : plain.body, messages: messages)
        // A streamed body is not stored.
        guard call.pipe == nil, request.options.cacheLifetime != nil, let rules = CacheRules(request.options) else {
            return try await context.send(request, &exchange)
        }
        let unconditional = request
        let transaction = CacheTransaction(
            cache: cache, request: plain, rules: rules, identity: try await plugins.identity() + cookies.identity(of: request),
            isEncrypted: service.configuration.encryption != nil, call: call)
        cached = transaction
        if let fresh = try await transaction.begin(&request) {
            exchange.response = fresh
            // A response from the disk has none.
            if fresh.url == nil { exchange.response?.url = plain.url }
            return
        }
        try await context.send(request, &exchange)
        if try await transaction.confirm(&exchange) == .askAgain { try await context.send(unconditional, &exchange) }
    }
}

extension Request {
    /// Selects an HTTP version whose body can be paused: HTTP/1.1, or HTTP/2 where the request demands it, which then has a separate connection.
    fileprivate mutating func prepareForStreaming() {
        if options.version == .automatic { options.version = .http1 }
        options.cacheLifetime = nil
    }
}

extension Call {
    /// Whether the deadline has passed before the caller has the response; false for one that was delivered while it arrived.
    fileprivate var isOverdueAtEnd: Bool { makeSink == nil && webSocket == nil && isOverdue }

    /// The kind of the call in the record of it.
    fileprivate var recordedKind: RequestKind {
        webSocket != nil ? .webSocket : request.options.grpc != nil ? .grpc : request.kind == .upload ? .upload : .data
    }
}

extension Exchange {
    /// Whether a handshake has opened a WebSocket connection.
    var isOpenWebSocket: Bool { error == nil && response?.isWebSocket == true }

    /// The error of a handshake that opened no WebSocket connection; nil where it opened one.
    fileprivate func refusedHandshake(_ channel: WebSocketChannel) -> NetworkError? {
        guard channel.connection == nil, !isOpenWebSocket else { return nil }
        return NetworkError(
            .status, "the server responded with \(response?.status ?? 0) to the WebSocket handshake, which needs 101 (RFC 6455 §4.1)",
            hint: "check the path, the credentials and the subprotocol; the path may not be that of a WebSocket connection")
    }

    /// Whether the response is a redirect that was not followed because of a secret; its body was not read.
    fileprivate var endsAtRedirect: Bool {
        guard let response, !notices.isEmpty, request.options.maximumRedirects > 0 else { return false }
        return RedirectLocation.location(status: response.status, headers: response.headers) != nil
    }

    /// Records the duration of a call up to now.
    fileprivate mutating func note(end call: Call) {
        otherQueued += call.takeQueued()
        duration = MonotonicClock.seconds(from: call.startedAt)
    }
}

extension NetworkError {
    static let cancelledByCaller = NetworkError(.cancelled, "the request was cancelled")
    /// An error for a status that is not accepted.
    static func status(of response: Response) -> NetworkError {
        let reason = response.reason.isEmpty ? "" : " \(response.reason)"
        return NetworkError(.status, "the server responded with \(response.status)\(reason)")
    }

    static let clientShutDown = NetworkError(.shutDown, "the client was shut down")

    /// The error for a call that did not end within its total time limit.
    ///
    /// - Parameter wait: What the call was waiting for then, such as a token; nil for the response.
    static func total(_ limit: Duration?, waitingFor wait: String? = nil) -> NetworkError {
        let reason = wait.map { ": it was still waiting for \($0)" } ?? ""
        return NetworkError(
            .timedOut, "no complete response within \(limit?.spoken ?? "the time limit")\(reason)",
            remedy: .totalTimeout, timeLimit: .total)
    }

    /// The error for an attempt without a byte for the idle time limit.
    static func idle(_ limit: Duration, from authority: String) -> NetworkError {
        NetworkError(.timedOut, "no data arrived from \(authority) for \(limit.spoken)", remedy: .idleTimeout, timeLimit: .idle)
    }
}

extension ClientCore {
    /// Converts the body of a gRPC call to messages, and returns what converts those of the response; nil for another request.
    ///
    /// It follows the plugins, which therefore read and change the JSON.
    func encodeMessages(of request: inout Request, for call: Call, isEncrypted: Bool) async throws(NetworkError) -> GRPCMessages? {
        guard let grpc = request.options.grpc else { return nil }
        guard !isEncrypted else {
            throw NetworkError(
                .invalidOption, "messages of gRPC cannot be encrypted by the service",
                hint: "set bypassesPlugins of the options to send them in clear text")
        }
        guard let path = GRPCMethodPath(grpc.method) else {
            throw NetworkError(.invalidOption, "“\(grpc.method)” is not the name of a gRPC method", hint: "write it as package.Service/Method")
        }
        guard request.options.version != .http1 else {
            throw NetworkError(.invalidOption, "gRPC needs HTTP/2", hint: "permit HTTP/2")
        }
        let text: [UInt8]
        switch request.body {
        case .none: text = []
        case .bytes(let bytes, _): text = bytes
        case .file, .multipart: throw NetworkError(.invalidOption, "the message of a gRPC call is JSON text", hint: "give it as bytes")
        }
        GRPCRequest.prepare(&request, path, secondsLeft: call.secondsLeft)
        let schema = try await schema(of: path, grpc.schema, for: request, call)
        do throws(ProtobufError) {
            let messages = try GRPCMessages(path, in: schema)
            request.body = .bytes(try messages.requestBody(text), contentType: nil)
            return messages
        } catch { throw NetworkError(.invalidOption, "\(path): \(error)") }
    }

    /// Prepares the request of a dry run, whose body stays JSON, because the types of the messages may have to be fetched.
    func foreseeMessages(in request: inout Request, of call: Call) {
        guard let grpc = request.options.grpc, let path = GRPCMethodPath(grpc.method) else { return }
        GRPCRequest.prepare(&request, path, secondsLeft: request.options.timeouts.total.map { Double($0.nanoseconds) / 1e9 })
        let source = if case .file(let path, _) = grpc.schema { "of \(path)" } else { "that the server describes" }
        call.decided(.body, "the JSON would be sent as a message of Protocol Buffers, with the types \(source)")
    }

    /// The schema with a method, from a file or from the server.
    private func schema(
        of path: GRPCMethodPath, _ source: GRPCCall.Schema, for request: Request, _ call: Call
    ) async throws(NetworkError) -> ProtobufSchema {
        let compiler = configuration.protobufCompiler
        let key: GRPCSchemaKey
        let read: @Sendable () async throws(NetworkError) -> ProtobufSchema
        switch source {
        case .file(let file, let folder):
            key = GRPCSchemaKey(source: source, server: "", service: "")
            read = { () async throws(NetworkError) in try await GRPCSchemaFile(path: file, folder: folder).schema(compiler) }
        case .reflection:
            key = GRPCSchemaKey(source: source, server: request.url.origin, service: path.service)
            let reader = reflection(like: request, path)
            read = { () async throws(NetworkError) in try await reader.schema(of: path.service) }
        }
        do {
            let (schema, isNew) = try await call.stage("the schema of its messages") { [schemas] in try await schemas.value(key, read: read) }
            if isNew, source == .reflection {
                call.decided(.body, "the messages are described by the server (reflection, \(schema.files.count) files)")
            }
            return schema
        } catch { throw error as? NetworkError ?? .cancelledByCaller }
    }

    /// Reads the services of the server of a request, with the fields and options of that request.
    func reflection(like request: Request, _ path: GRPCMethodPath?) -> ServerReflectionReader {
        var request = request
        request.options.grpc = nil
        request.options.answer = ResponseRules()
        request.options.maximumRedirects = 0
        request.options.tunnelOwner = request.service.map { TunnelOwner(service: $0, isAtOrigin: true) }
        request.service = nil
        request.options.inheritsPlugins = false
        let plain = request
        return ServerReflectionReader(request: plain, method: path) { [weak self] request throws(NetworkError) in
            guard let self else { throw .clientShutDown }
            let call = register(RequestIDs.ofTokenRequests.next(), request, isRecorded: false, observer: nil)
            let exchange = await run(call)
            if let error = exchange.error { throw error }
            guard let response = exchange.response else { throw NetworkError(.emptyResponse, "the server sent no response") }
            return response
        }
    }
}
