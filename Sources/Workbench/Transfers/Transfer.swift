internal import Model

/// One download or upload on the board: how it stands, and everything that is known of it.
struct Transfer: Sendable {
    /// How it stands in the queue; how far the download itself is, is in ``state``.
    enum Phase: Hashable, Sendable {
        /// An earlier program left it; nothing happens before the person wants it.
        case unfinished
        /// It waits for its turn.
        case queued
        case running
        /// The person stopped it for now.
        case paused
        /// The person ended it; its end has not arrived yet.
        case cancelling
        case ended(End)
    }

    /// What became of it.
    enum End: Hashable, Sendable {
        case done
        case cancelled(keepsPart: Bool)
        /// A newer one of the same file took over (S2.35).
        case superseded
        case failed(String, isResumable: Bool)
    }

    /// How many measurements of the rate are drawn.
    static let rateCount = 10
    /// How far they are apart, in seconds.
    static let rateInterval = 0.5

    let id: CallID
    var order: QueuedTransfer
    var phase: Phase
    /// Whether it was started and may be resumed; one that was not is started.
    var hasBegun = false
    /// Where a download is in its life.
    var state = DownloadState.idle
    var progress: DownloadProgress
    /// The rates of the last seconds, the newest last.
    private(set) var rates: [Double] = []
    /// Of an upload; a download tells its own.
    private var rate: TransferRate?
    /// Decisions, each with its time since the beginning.
    private(set) var decisions: [Decision] = []
    /// From which byte on it went on; 0 where it began afresh.
    var resumedAt: Int64 = 0
    var restart: RestartReason?
    var restarts = 0
    /// Bytes that are safe on the disk.
    var saved: Int64 = 0
    /// Seconds during which it ran, as of the last tick.
    private(set) var elapsed = 0.0
    private var lastTick: Double?
    private var lastRateAt = 0.0
    /// When the next attempt is, in seconds of ``elapsed``, and why there is another.
    private(set) var retry: (at: Double, because: String)?
    /// Why an upload waits in the queue of its service; nil when it does not.
    var queuedBecause: String?
    /// What came of a download.
    var result: DownloadResult?
    /// The answer to an upload.
    var response: Response?

    init(_ id: CallID, _ order: QueuedTransfer, phase: Phase = .queued) {
        self.id = id
        self.order = order
        self.phase = phase
        progress = DownloadProgress(received: order.bytes, total: order.total)
    }

    var target: String { order.endpoint.target }
    var name: String { order.endpoint.name }
    var isUpload: Bool { order.isUpload }
    var priority: RequestOptions.Priority { order.endpoint.priority }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Whether it has one of the places that are limited.
    var hasPlace: Bool { phase == .running || phase == .cancelling }

    /// The file as far as it is known.
    var file: String? { result?.file ?? order.file }

    /// The transfer as it is kept until it has ended; nil for one that need not be offered again.
    var kept: QueuedTransfer? {
        switch phase {
        case .ended(.failed(_, isResumable: true)): break
        case .ended, .cancelling: return nil
        case .unfinished, .queued, .running, .paused: break
        }
        return order
    }

    /// Takes note of a decision; the oldest go where there are very many.
    mutating func note(_ decision: Decision) {
        decisions.append(decision)
        if decisions.count > Call.decisionLimit { decisions.removeFirst(decisions.count - Call.decisionLimit) }
    }

    /// Takes note of where the download is.
    mutating func note(_ state: DownloadState) {
        self.state = state
        retry = nil
        switch state {
        case .requesting(let offset) where restarts == 0: resumedAt = max(resumedAt, offset)
        case .restarting(let reason):
            restart = reason
            restarts += 1
            resumedAt = 0
        case .waiting(let seconds, let reason): retry = (elapsed + seconds, reason)
        default: break
        }
    }

    /// Takes note that an upload is sent again after so many seconds; 0 when it is under way again.
    mutating func retries(in seconds: Double) {
        retry = seconds > 0 ? (elapsed + seconds, "") : nil
    }

    /// Takes note of the time; what stands still is not counted.
    mutating func tick(_ now: Double) {
        defer { lastTick = hasPlace ? now : nil }
        guard hasPlace, let lastTick else { return }
        elapsed += max(0, now - lastTick)
        if isUpload {
            if rate == nil { rate = TransferRate(bytes: progress.received, time: elapsed) }
            rate?.note(bytes: progress.received, time: elapsed)
            progress.rate = rate?.now ?? 0
            progress.average = rate?.average ?? 0
            progress.remaining = rate?.remaining(of: progress.total)
        }
        guard elapsed - lastRateAt >= Transfer.rateInterval else { return }
        lastRateAt = elapsed
        rates.append(progress.rate)
        if rates.count > Transfer.rateCount { rates.removeFirst() }
    }
}
