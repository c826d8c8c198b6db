internal import BodyViews
internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// A call of an endpoint, or the replay of an exchange, and its state.
struct Call: Sendable {
    /// How a call ended.
    enum Outcome: Hashable, Sendable {
        /// With a response, an error, or both.
        case finished(Exchange)
        /// The call was not sent.
        case notSent(Diagnostic)
    }

    /// The maximum number of stored decisions.
    static let decisionLimit = 500

    let id: CallID
    /// The endpoint; for a replay that of the exchange, which the workspace need not have.
    var endpoint: EndpointID?
    let name: String
    let method: HTTPMethod
    let kind: Endpoint.Kind
    /// What the user entered for the prompts of the request, by label; it may be secret, and is only in memory.
    var promptValues: [String: String] = [:]
    /// The state, and the command of the user.
    private(set) var machine = TransferMachine()
    /// How it ended; nil while it is in flight.
    var outcome: Outcome?
    /// The time of the first tick after the start, in seconds.
    var startedAt: Double?
    /// Seconds since `startedAt`, as of the last tick.
    var elapsed = 0.0
    var progress = CallProgress()
    /// The end of the last wait before an attempt, in seconds since `startedAt`.
    private var waitEnd = 0.0
    var meter = RateMeter()
    var decisions: [Decision] = []
    /// Whether an attempt has begun; before the first one, hooks run and a tunnel is opened.
    var isAttempted = false
    /// The status and headers, once they have arrived.
    var response: Response?
    var body: BodyView?
    var isIndexing = false

    init(_ id: CallID, _ endpoint: Endpoint) {
        self.id = id
        self.endpoint = endpoint.id
        name = endpoint.name
        method = endpoint.shownMethod
        kind = endpoint.opensWebSocket ? .webSocket : endpoint.kind
        promptValues = endpoint.promptValues
    }

    /// Creates a call for a stored exchange.
    init(_ id: CallID, _ item: HistoryItem) {
        self.id = id
        endpoint = item.target.map { EndpointID($0) }
        name = item.target ?? item.url
        method = item.shownMethod
        kind = item.kind
    }

    /// The subject in the log: the endpoint, or the URL of an exchange without one.
    var source: String { endpoint?.path ?? name }

    var isInFlight: Bool { !machine.isEnded }

    /// Whether the user cancelled the call, or a newer one replaced it, and its end has not arrived yet.
    var isCancelling: Bool { machine.isEnding }

    /// Whether the call is in flight, and is not being cancelled.
    var isSending: Bool { isInFlight && !isCancelling }

    /// Whether the user suspended the call.
    var isSuspended: Bool { isInFlight && machine.command == .pause }

    /// The time of the next retry, in seconds since `startedAt`; nil when it does not wait for one.
    var retriesAt: Double? {
        if case .waiting = machine.state { waitEnd } else { nil }
    }

    /// The reason why it waits in the queue of its service; nil when it does not.
    var queuedBecause: String? {
        if case .queued(let reason) = machine.state { reason } else { nil }
    }

    var exchange: Exchange? {
        if case .finished(let exchange) = outcome { return exchange }
        return nil
    }

    var error: NetworkError? { exchange?.error }

    var isCancelled: Bool { error.map { $0.code == .cancelled || $0.code == .superseded } ?? false }

    /// Whether its WebSocket connection is open, so that messages can be sent.
    var isOpenWebSocket: Bool { kind == .webSocket && isSending && response?.isWebSocket == true }

    /// What cancelling does, as a verb.
    var cancelVerb: String { isOpenWebSocket ? "disconnects" : "cancels" }

    /// The response, as far as it has arrived.
    var knownResponse: Response? { exchange?.response ?? response }

    /// Whether cookies were sent or set.
    var hasCookies: Bool {
        let attempts = exchange?.attempts ?? []
        return knownResponse?.headers.contains("Set-Cookie") == true
            || attempts.contains { !$0.sentCookies.isEmpty || !$0.setCookies.isEmpty }
    }

    /// The duration in seconds, so far when the call is running.
    var duration: Double {
        exchange?.duration ?? elapsed
    }

    /// Whether the call is shown on the transfers tab.
    var isTransfer: Bool {
        let threshold: Int64 = 256_000
        return isFile
            || kind != .webSocket && max(progress.sent, progress.received, progress.sentTotal ?? 0, progress.receivedTotal ?? 0) >= threshold
    }

    /// Whether a file is transferred rather than a body shown.
    var isFile: Bool { kind == .download || kind == .upload }

    /// Whether it sends more than it receives.
    var isMostlyUpload: Bool { kind == .upload || progress.sent > progress.received }

    /// Whether the call is sending rather than receiving its body.
    var isUploading: Bool {
        if kind == .upload { return progress.received == 0 || progress.sent < (progress.sentTotal ?? .max) && response == nil }
        return response == nil && progress.sent > 0 && progress.received == 0
    }
}

/// Bytes per second, smoothed, sampled at ticks.
struct RateMeter: Hashable, Sendable {
    private(set) var rate: Double?
    private var lastTime: Double?
    private var lastBytes: Int64 = 0

    /// Adds a sample of the total byte count; samples closer than 0.2 s to the previous one are skipped.
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

/// Changes of the state of a call.
extension Call {
    /// Makes the call a transfer that waits for its turn; one of an earlier session waits for the user.
    mutating func queue(isUnfinished: Bool = false) { machine = TransferMachine(isUnfinished ? .pause : .wait) }

    /// Starts or resumes a transfer whose turn it is.
    mutating func start() {
        machine.apply(.commanded(.run))
        machine.apply(.entered(.preparing))
    }

    /// Gives the call a command; false where it has no effect, such as after the end.
    mutating func follow(_ command: TransferCommand) -> Bool { machine.apply(.commanded(command)) }

    /// Records that the call has entered a state.
    mutating func enter(_ next: TransferState) {
        guard machine.apply(.reported(next)), case .waiting(let seconds, _) = next else { return }
        waitEnd = elapsed + seconds
    }

    mutating func finish(_ exchange: Exchange) { finish(exchange, TransferState(exchange, isUpload: kind == .upload)) }

    /// Ends a call that was not sent.
    mutating func fail(_ problem: Diagnostic) {
        enter(.failed(NetworkError(.invalidTemplate, problem.messageWithLocation), isResumable: false))
        outcome = .notSent(problem)
    }

    private mutating func finish(_ exchange: Exchange, _ end: TransferState) {
        if let response = exchange.response {
            progress.received = max(progress.received, response.wireBytes)
        }
        progress.sent = max(progress.sent, exchange.sentBodyBytes)
        enter(end)
        outcome = .finished(exchange)
    }
}

extension TransferState {
    /// The last state of a call; a server that refuses an upload has not stored it.
    init(_ exchange: Exchange, isUpload: Bool) {
        switch exchange.error {
        case nil:
            let refusal = exchange.response.flatMap { isUpload && $0.status >= 400 ? NetworkError(.status, StatusText.line($0)) : nil }
            self = refusal.map { .failed($0, isResumable: false) } ?? .done
        case let error? where error.code == .cancelled: self = .cancelled(keepsPart: false)
        case let error? where error.code == .superseded: self = .superseded
        case let error?: self = .failed(error, isResumable: false)
        }
    }
}

/// Changes of a call by its events.
extension Call {
    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent) {
        switch event {
        // The result follows the last state.
        case .changed(let state): if !state.isTerminal { enter(state) }
        case .progressed(let progress): self.progress = CallProgress(received: progress.received, receivedTotal: progress.total)
        case .decided(let decision): note(decision)
        case .finished(let result): finish(result.exchange, result.state)
        case .placed, .saved: break
        }
    }

    /// Applies an event, apart from the growth of the body.
    mutating func receive(_ event: CallEvent) {
        switch event {
        case .decided(let decision): note(decision)
        case .responded(let response): self.response = response
        case .progressed(let progress):
            self.progress = progress
            isAttempted = true
            if machine.state == .idle || machine.state == .preparing { enter(.sending) }
        case .reported(let report): if report.record != nil { isAttempted = true }
        case .changed(let state): enter(state)
        case .finished(let exchange): finish(exchange)
        case .grew, .parked: break
        }
    }

    /// Adds a decision, and drops the oldest beyond the limit.
    mutating func note(_ decision: Decision) {
        decisions.append(decision)
        if decisions.count > Call.decisionLimit { decisions.removeFirst(decisions.count - Call.decisionLimit) }
    }

    mutating func grow(to bytes: BodyBytes, isFinal: Bool, mode: BodyView.Mode?) {
        // A body shorter than the shown one is another body, as after a retry.
        guard var view = body, bytes.count >= view.bytes.count else {
            var view = BodyView.make(bytes: bytes, contentType: knownResponse?.contentType, isFinal: isFinal, foldsMessages: true)
            if let mode { view.show(mode) }
            body = view
            return
        }
        view.grow(to: bytes, isFinal: isFinal)
        body = view
    }

    /// Updates the elapsed time and the rate.
    mutating func tick(_ now: Double) {
        let start = startedAt ?? now
        startedAt = start
        elapsed = max(0, now - start)
        meter.sample(isUploading ? progress.sent : progress.received, at: now)
    }
}

/// What the response pane shows.
enum CallKey: Hashable, Sendable {
    /// The latest call of an endpoint, if there is one.
    case endpoint(EndpointID)
    /// A stored exchange, or a replay that is not the latest call of an endpoint.
    case call(CallID)
}
