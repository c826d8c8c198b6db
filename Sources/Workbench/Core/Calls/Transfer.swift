internal import SortieHTTP
internal import WorkspaceModel

/// A download or upload on the transfers tab.
struct Transfer: Sendable {
    /// The phase in the queue; ``state`` has the state of the download itself.
    enum Phase: Hashable, Sendable {
        /// An earlier session left it unfinished; it waits for the user.
        case unfinished
        /// It waits for its turn.
        case queued
        case running
        /// The user paused it.
        case paused
        /// The user cancelled it; its end has not arrived yet.
        case cancelling
        case ended(End)
    }

    /// The result of a transfer.
    enum End: Hashable, Sendable {
        case done
        case cancelled(keepsPart: Bool)
        /// A newer transfer to the same file replaced it.
        case superseded
        case failed(String, isResumable: Bool)
    }

    /// The number of rate samples that are drawn.
    static let rateCount = 10
    /// The interval between rate samples in seconds.
    static let rateInterval = 0.5

    let id: CallID
    var order: QueuedTransfer
    var phase: Phase
    /// Whether it was started, so that it is resumed instead of started.
    var hasBegun = false
    /// The state of the download.
    var state = DownloadState.idle
    var progress: DownloadProgress
    /// The last rate samples, the newest last.
    private(set) var rates: [Double] = []
    /// The rate meter of an upload; a download reports its rate.
    private var rate: TransferRate?
    /// The decisions, with times since the start.
    private(set) var decisions: [Decision] = []
    /// The offset in bytes at which the download resumed; 0 for a download from the start.
    var resumedAt: Int64 = 0
    var restart: RestartReason?
    var restarts = 0
    /// The number of bytes synced to the disk.
    var saved: Int64 = 0
    /// The running time in seconds, as of the last tick.
    private(set) var elapsed = 0.0
    private var lastTick: Double?
    private var lastRateAt = 0.0
    /// The time of the next attempt, in seconds of ``elapsed``, and its reason.
    private(set) var retry: (at: Double, because: String)?
    /// The reason why an upload waits in the queue of its service; nil when it does not.
    var queuedBecause: String?
    /// The result of a download.
    var result: DownloadResult?
    /// The response to an upload.
    var response: Response?

    init(_ id: CallID, _ order: QueuedTransfer, phase: Phase = .queued) {
        self.id = id
        self.order = order
        self.phase = phase
        progress = DownloadProgress(received: order.bytes, total: order.total)
    }

    var endpoint: EndpointID { order.endpoint.id }
    var name: String { order.endpoint.name }
    var isUpload: Bool { order.isUpload }
    var priority: RequestOptions.Priority { order.endpoint.priority }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Whether it occupies one of the limited slots.
    var hasPlace: Bool { phase == .running || phase == .cancelling }

    /// Whether a process of its own can continue it; a replay needs the stored exchange, and an upload starts again.
    var canBeLeft: Bool { !isUpload && order.replays == nil && (phase == .running || phase == .queued) }

    /// The file, once it is known.
    var file: String? { result?.file ?? order.file }

    /// The transfer as stored for the next session; nil when it need not be offered again.
    var kept: QueuedTransfer? {
        switch phase {
        case .ended(.failed(_, isResumable: true)): break
        case .ended, .cancelling: return nil
        case .unfinished, .queued, .running, .paused: break
        }
        return order
    }

    /// Adds a decision, and drops the oldest beyond the limit.
    mutating func note(_ decision: Decision) {
        decisions.append(decision)
        if decisions.count > Call.decisionLimit { decisions.removeFirst(decisions.count - Call.decisionLimit) }
    }

    /// Updates the state of the download.
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

    /// Records that an upload is retried after this number of seconds; 0 when it is being sent again.
    mutating func retries(in seconds: Double) {
        retry = seconds > 0 ? (elapsed + seconds, "") : nil
    }

    /// Updates the running time, which excludes pauses.
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
