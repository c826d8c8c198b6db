internal import CCurl
internal import Model

/// One attempt that libcurl works on.
@Engine
final class Transfer {
    /// What a transfer tells while it runs.
    enum Event: Sendable {
        case responded(Response)
        case progressed(Progress)
        case grew(BodyBytes)
        /// It waits for a connection, and why; nil when it has one.
        case queued(because: String?)
    }

    nonisolated let spec: TransferSpec
    let handle: EasyHandle
    let sink: TransferSink
    /// When libcurl got it, monotonic nanoseconds.
    let startedAt = MonotonicClock.now
    /// Why it was stopped from outside.
    private(set) var abortReason: NetworkError?
    /// When the whole call must be over, monotonic nanoseconds; later when the transfer waited for a connection.
    private(set) var deadline: UInt64?
    /// Whether its observer knows that it waits for a connection.
    private var isQueueReported = false
    /// How libcurl ended it while it was held.
    var heldResult: CURLcode?
    private var heldSince: UInt64 = 0
    /// How long it was held while it waited for a connection, nanoseconds.
    private var heldInQueue: UInt64 = 0
    private let observer: (@Sendable (Event) -> Void)?
    private var hasReportedResponse = false
    /// What the header says of the body; nil before the header is complete.
    private var bodyFraming: BodyFraming?
    private var lastReport: UInt64 = 0
    private var shownBytes = 0
    private var reportedProgress: Progress?
    /// What was told of the bytes that went out.
    private var sentBytes: Int64 = 0
    private var finish: ((TransferOutcome) -> Void)?

    /// Whether somebody is told what happens.
    var isObserved: Bool { observer != nil }

    /// How long reports of one transfer are collected before they are told.
    static let reportInterval: UInt64 = 40_000_000

    init(
        spec: TransferSpec, handle: EasyHandle, sink: TransferSink, observer: (@Sendable (Event) -> Void)?,
        finish: @escaping (TransferOutcome) -> Void
    ) {
        self.spec = spec
        deadline = spec.deadline
        self.handle = handle
        self.sink = sink
        self.observer = observer
        self.finish = finish
    }

    /// When the transfer is to be looked at if nothing happens until then: the end of the idle time, or of the collection of reports.
    var nextLook: UInt64 {
        guard !sink.isHeld else { return .max }
        if awaitsConnection { return observer == nil || isQueueReported ? .max : startedAt &+ Self.queueReportDelay }
        let idle = sink.isPaused || sink.isDecoding || sink.awaitsInput ? UInt64.max : idleDeadline
        let total = deadline ?? .max
        let report = observer != nil && sink.isDirty ? lastReport + Self.reportInterval : .max
        return min(idle, total, report, min(sink.tcpDeadline ?? .max, sink.redirectDeadline ?? .max))
    }

    /// Whether it is time to ask whether bytes that are on their way arrived.
    func awaitsAcknowledgements(at now: UInt64) -> Bool { sink.awaitsAcknowledgement && now >= idleDeadline }

    /// When it is idle for too long, or is asked whether bytes that are on their way arrived meanwhile.
    private var idleDeadline: UInt64 {
        let limit = spec.options.timeouts.idle.nanoseconds
        let end = sink.lastActivity &+ limit
        return sink.awaitsAcknowledgement ? min(end, sink.acknowledgementsAskedAt &+ limit / 4) : end
    }

    /// Whether libcurl has no connection for it yet, because their number is limited; no limit of time runs.
    var awaitsConnection: Bool { spec.pool != nil && sink.begunAt == nil }

    /// How long it waited for a connection, nanoseconds.
    func queuedTime(at now: UInt64) -> UInt64 {
        guard spec.pool != nil else { return 0 }
        let end = sink.begunAt ?? now
        let time = end - min(end, startedAt &+ heldInQueue)
        // What libcurl needs to look for a connection is not waiting.
        return time < Self.leastQueuedTime ? 0 : time
    }

    /// Notes that it has a connection.
    func begin() {
        let queued = queuedTime(at: startedAt)
        deadline = deadline.map { $0 &+ queued }
        guard isQueueReported else { return }
        isQueueReported = false
        observer?(.queued(because: nil))
    }

    /// Reports that it waits for a connection.
    func reportQueue(at now: UInt64) {
        guard awaitsConnection, let observer, let pool = spec.pool, !isQueueReported, now >= startedAt &+ Self.queueReportDelay else { return }
        isQueueReported = true
        observer(.queued(because: "\(pool.limit) of \(pool.limit) connections of the service are in use"))
    }

    private static let leastQueuedTime: UInt64 = 1_000_000
    /// A shorter wait is not worth a report.
    private static let queueReportDelay: UInt64 = 20_000_000

    /// Notes that it stands still: no limit of time runs.
    func hold(at now: UInt64) {
        sink.isHeld = true
        heldSince = now
    }

    /// Notes that it goes on; the time between does not count.
    func release(at now: UInt64) {
        if awaitsConnection { heldInQueue += now - heldSince }
        sink.isHeld = false
        sink.lastActivity = now
        deadline = deadline.map { $0 &+ (now - heldSince) }
    }

    /// Notes why the transfer ends; the engine then takes it from libcurl.
    func abort(_ reason: NetworkError) {
        if abortReason == nil { abortReason = reason }
    }

    /// Reports the end of what was sent, so that the observer sees all of it.
    func reportSent() {
        guard let observer, sink.supply.sent > sentBytes else { return }
        sentBytes = sink.supply.sent
        observer(.progressed(progress()))
    }

    /// Tells what happened since the last report, unless that was a moment ago.
    func report(now: UInt64) {
        guard let observer, sink.isDirty, now >= lastReport + Self.reportInterval else { return }
        sink.isDirty = false
        lastReport = now
        sink.noteAcknowledgements(at: now)
        sentBytes = sink.supply.sent
        guard !sink.isRedirect else { return }
        if !hasReportedResponse, sink.header.isComplete, sink.header.status != 401 || spec.options.digest == nil {
            hasReportedResponse = true
            observer(.responded(sink.header.block.response))
        }
        let progress = progress()
        if progress != reportedProgress {
            reportedProgress = progress
            observer(.progressed(progress))
        }
        let view = sink.body.view
        // While it arrives, a large body shows what is on the disk; the rest follows within one chunk. When a body moves from memory to the disk,
        // that is less than was shown before for a moment.
        if view.count > 0, view.count >= shownBytes {
            shownBytes = view.count
            observer(.grew(view))
        }
        // What the disk takes later is shown later, although nothing more may come from the server for a long time.
        if sink.body.isBehind || sink.awaitsAcknowledgement { sink.isDirty = true }
    }

    private func progress() -> Progress {
        if bodyFraming == nil, sink.header.isComplete { bodyFraming = BodyFraming(sink.header.block.headers) }
        return Progress(sent: sink.supply.sent, sentTotal: sink.supply.total, received: sink.received, receivedTotal: bodyFraming?.length)
    }

    /// Hands over the outcome, once.
    func end(_ outcome: TransferOutcome) {
        finish?(outcome)
        finish = nil
    }
}

/// What a header says of the bytes of its body.
private struct BodyFraming {
    /// How many bytes come over the wire; nil when it does not say.
    let length: Int64?

    init(_ headers: Headers) {
        length = headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
