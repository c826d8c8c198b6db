internal import Model

/// One send and what is known of it so far.
struct Call: Sendable {
    /// How far it is; each case holds what exists then.
    enum Phase: Hashable, Sendable {
        /// Something may still come.
        case sending
        /// The person stopped it; its end has not arrived yet.
        case cancelling
        /// It ended: with a response, an error, or both.
        case finished(Exchange)
        /// It never was sent.
        case notSent(Problem)
    }

    /// How many decisions are kept.
    static let decisionLimit = 500

    let id: CallID
    let target: String
    let name: String
    let method: HTTPMethod
    let kind: Endpoint.Kind
    var phase = Phase.sending
    /// The first tick after the start, in seconds.
    var startedAt: Double?
    /// Seconds since `startedAt`, as of the last tick.
    var elapsed = 0.0
    var progress = Progress()
    /// When it is sent again after a failure, in seconds since `startedAt`.
    var retriesAt: Double?
    /// Why it waits in the queue of its service; nil when it does not.
    var queuedBecause: String?
    var meter = RateMeter()
    var decisions: [Decision] = []
    /// Status and headers, as soon as they are there.
    var response: Response?
    var body: BodyView?
    var isIndexing = false
    /// Whether the person lets it stand still.
    var isSuspended = false

    init(_ id: CallID, _ endpoint: Endpoint) {
        self.id = id
        target = endpoint.target
        name = endpoint.name
        method = endpoint.method
        kind = endpoint.kind
    }

    var isInFlight: Bool {
        switch phase {
        case .sending, .cancelling: true
        case .finished, .notSent: false
        }
    }

    var exchange: Exchange? {
        if case .finished(let exchange) = phase { return exchange }
        return nil
    }

    var error: NetworkError? { exchange?.error }

    var isCancelled: Bool { error.map { $0.code == .cancelled || $0.code == .superseded } ?? false }

    /// The response as far as it is known.
    var knownResponse: Response? { exchange?.response ?? response }

    /// Whether cookies were sent or set.
    var hasCookies: Bool {
        let attempts = exchange?.attempts ?? []
        return knownResponse?.headers.contains("Set-Cookie") == true
            || attempts.contains { !$0.sentCookies.isEmpty || !$0.setCookies.isEmpty }
    }

    /// Seconds it took, or takes so far.
    var duration: Double {
        exchange?.duration ?? elapsed
    }

    /// Whether it belongs on the board of transfers.
    var isTransfer: Bool {
        let threshold: Int64 = 256_000
        return kind != .data
            || max(progress.sent, progress.received, progress.sentTotal ?? 0, progress.receivedTotal ?? 0) >= threshold
    }

    /// Whether bytes go up rather than down just now.
    var isUploading: Bool {
        if kind == .upload { return progress.received == 0 || progress.sent < (progress.sentTotal ?? .max) && response == nil }
        return response == nil && progress.sent > 0 && progress.received == 0
    }
}

/// Bytes per second, smoothed, from samples at ticks.
struct RateMeter: Hashable, Sendable {
    private(set) var rate: Double?
    private var lastTime: Double?
    private var lastBytes: Int64 = 0

    /// Takes note of how many bytes there are at a moment; samples closer than a fifth of a second are skipped.
    mutating func sample(_ bytes: Int64, at now: Double) {
        guard let lastTime else {
            self.lastTime = now
            lastBytes = bytes
            return
        }
        let seconds = now - lastTime
        guard seconds >= 0.2 else { return }
        let measured = Double(max(0, bytes - lastBytes)) / seconds
        rate = rate.map { $0 * 0.6 + measured * 0.4 } ?? measured
        self.lastTime = now
        lastBytes = bytes
    }
}
