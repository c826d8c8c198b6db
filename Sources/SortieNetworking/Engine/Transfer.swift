internal import CCurl
internal import SortieHTTP

/// One attempt that libcurl performs.
@Engine
final class Transfer {
    /// What a transfer reports while it runs.
    enum Event: Sendable {
        case responded(Response)
        case progressed(CallProgress)
        case grew(BodyBytes)
        /// The transfer waits for a connection, or has one after such a wait.
        case changed(TransferState)
    }

    nonisolated let spec: TransferRequest
    let handle: EasyHandle
    let sink: TransferSink
    /// When the transfer was added to libcurl (monotonic nanoseconds).
    let startedAt = MonotonicClock.now
    /// Why the caller stopped the transfer.
    private(set) var abortReason: NetworkError?
    /// The deadline of the whole request (monotonic nanoseconds).
    private(set) var deadline: UInt64?
    /// Whether the observer was notified that the transfer waits for a connection.
    private var isQueueReported = false
    /// libcurl's result, where the transfer ended while it was held.
    var heldResult: CURLcode?
    private var heldSince: UInt64 = 0
    /// How long the transfer was held while it waited for a connection, in nanoseconds.
    private var heldInQueue: UInt64 = 0
    private let observer: (@Sendable (Event) -> Void)?
    private var hasReportedResponse = false
    /// The body length that the header declares; nil before the header is complete.
    private var bodyFraming: BodyFraming?
    private var lastReport: UInt64 = 0
    private var shownBytes = 0
    private var reportedProgress: CallProgress?
    /// The number of sent bytes that was last reported.
    private var sentBytes: Int64 = 0
    private var finish: ((consuming TransferOutcome) -> Void)?

    var isObserved: Bool { observer != nil }

    /// The minimum time between two reports of a transfer, in nanoseconds.
    static let reportInterval: UInt64 = 40_000_000

    init(
        spec: TransferRequest, handle: EasyHandle, sink: TransferSink, observer: (@Sendable (Event) -> Void)?,
        finish: @escaping (consuming TransferOutcome) -> Void
    ) {
        self.spec = spec
        deadline = spec.deadline
        (self.handle, self.sink, self.observer, self.finish) = (handle, sink, observer, finish)
    }

    /// When the transfer must be examined if no event occurs before: the earliest of its timeouts and of its next report.
    var nextLook: UInt64 {
        guard !sink.isHeld else { return .max }
        let total = deadline ?? .max
        if awaitsConnection { return observer == nil || isQueueReported ? total : min(total, startedAt &+ Self.queueReportDelay) }
        let idle = sink.isPaused || sink.isDecoding || sink.awaitsInput ? UInt64.max : idleDeadline
        let report = observer != nil && sink.isDirty ? lastReport + Self.reportInterval : .max
        return min(idle, total, report, min(sink.tcpDeadline ?? .max, sink.redirectDeadline ?? .max))
    }

    /// Whether to query how many of the sent bytes the peer acknowledged.
    func awaitsAcknowledgements(at now: UInt64) -> Bool { sink.awaitsAcknowledgement && now >= idleDeadline }

    /// The end of the idle timeout, or the earlier time of the next query for acknowledged bytes.
    private var idleDeadline: UInt64 {
        let limit = spec.idleTime
        let end = sink.lastActivity &+ limit
        return sink.awaitsAcknowledgement ? min(end, sink.acknowledgementsAskedAt &+ limit / 4) : end
    }

    /// The error of the time limit that has passed; nil where the transfer continues.
    func expiry(at now: UInt64) -> NetworkError? {
        if let deadline, now >= deadline { return .total(self) }
        guard !awaitsConnection else { return nil }
        if sink.isTooLateToConnect(at: now) { return .connectTimeout(self, limit: spec.tcpTimeout.map { .nanoseconds($0) }) }
        guard !sink.isPaused, !sink.isDecoding, !sink.awaitsInput, now >= sink.lastActivity &+ spec.idleTime else { return nil }
        guard !awaitsAnyConnection else {
            sink.lastActivity = now
            return nil
        }
        return .idle(self)
    }

    /// Whether the transfer waits for one of a limited number of connections.
    ///
    /// Of the timeouts, only that of the whole request runs meanwhile.
    var awaitsConnection: Bool { sharesPool && sink.begunAt == nil }

    /// Whether a transfer without a pool has no connection yet: libcurl holds it while ``MultiHandle`` has all its connections in use.
    ///
    /// The idle limit does not run meanwhile.
    var awaitsAnyConnection: Bool { spec.pool == nil && sink.begunAt == nil }

    /// Whether other calls may use the connections of its pool; the only connection of ``ConnectionPool/isOneStream`` is free at each attempt.
    private var sharesPool: Bool { spec.pool?.isOneStream == false }

    /// How long the transfer waited for a connection, in nanoseconds.
    func queuedTime(at now: UInt64) -> UInt64 {
        guard sharesPool else { return 0 }
        let end = sink.begunAt ?? now
        let time = end - min(end, startedAt &+ heldInQueue)
        // The time that libcurl needs to find a connection does not count as waiting.
        return time < Self.leastQueuedTime ? 0 : time
    }

    /// Records that the transfer has a connection.
    func begin() {
        guard isQueueReported else { return }
        isQueueReported = false
        observer?(.changed(.sending))
    }

    /// Reports that the transfer waits for a connection.
    func reportQueue(at now: UInt64) {
        guard awaitsConnection, let observer, let pool = spec.pool, !isQueueReported, now >= startedAt &+ Self.queueReportDelay else { return }
        isQueueReported = true
        observer(.changed(.queued(because: "\(pool.limit) of \(pool.limit) connections of the service are in use")))
    }

    private static let leastQueuedTime: UInt64 = 1_000_000
    /// A shorter wait is not reported.
    private static let queueReportDelay: UInt64 = 20_000_000

    /// Suspends the transfer.
    ///
    /// No timeout runs while it is held.
    func hold(at now: UInt64) {
        sink.isHeld = true
        heldSince = now
    }

    /// Resumes the transfer and extends its deadline by the time it was held.
    func release(at now: UInt64) {
        if awaitsConnection { heldInQueue += now - heldSince }
        sink.isHeld = false
        sink.lastActivity = now
        deadline = deadline.map { $0 &+ (now - heldSince) }
    }

    /// Records why the transfer ends.
    ///
    /// The engine then removes it from libcurl.
    func abort(_ reason: NetworkError) {
        if abortReason == nil { abortReason = reason }
    }

    /// Reports the final numbers of bytes where an earlier report had fewer.
    func reportEnd() {
        guard let observer else { return }
        let hasReceived = !sink.isRedirect && sink.received > reportedProgress?.received ?? 0
        guard sink.supply.sent > sentBytes || hasReceived else { return }
        sentBytes = sink.supply.sent
        observer(.progressed(progress()))
    }

    /// Reports what happened since the last report, at most once per ``reportInterval``.
    func report(now: UInt64) {
        guard let observer, sink.isDirty, now >= lastReport + Self.reportInterval else { return }
        sink.isDirty = false
        lastReport = now
        sink.noteAcknowledgements(at: now)
        sentBytes = sink.supply.sent
        guard !sink.isRedirect else { return }
        if !hasReportedResponse, sink.header.isComplete, sink.header.status != 401 || spec.options.credential.login == nil {
            hasReportedResponse = true
            observer(.responded(sink.header.response))
        }
        let progress = progress()
        if progress != reportedProgress {
            reportedProgress = progress
            observer(.progressed(progress))
        }
        // Before the view, which otherwise lacks bytes that the disk accepts in between, and no report would follow.
        let isBehind = sink.body.isBehind
        let view = sink.body.view
        // While a large body arrives, the view contains only bytes that are on the disk; the rest follows within one
        // chunk. When a body moves from memory to the disk, the view is briefly smaller than before.
        if view.count > 0, view.count >= shownBytes {
            shownBytes = view.count
            observer(.grew(view))
        }
        // The disk may accept data later although the server sends nothing more for a long time, so another report
        // follows.
        if isBehind || sink.awaitsAcknowledgement { sink.isDirty = true }
    }

    private func progress() -> CallProgress {
        if bodyFraming == nil, sink.header.isComplete { bodyFraming = BodyFraming(sink.header.block.headers) }
        return CallProgress(sent: sink.supply.sent, sentTotal: sink.supply.total, received: sink.received, receivedTotal: bodyFraming?.length)
    }

    /// Delivers the outcome.
    ///
    /// Later calls have no effect.
    func end(_ outcome: consuming TransferOutcome) {
        finish?(consume outcome)
        finish = nil
    }
}

/// The body length that a header declares.
private struct BodyFraming {
    /// The number of body bytes on the wire; nil when the header declares none.
    let length: Int64?

    init(_ headers: Headers) {
        length = headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
