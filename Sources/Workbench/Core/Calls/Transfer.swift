internal import SortieBase
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

    init(_ id: CallID, _ queuedTransfer: QueuedTransfer, phase: Phase = .queued) {
        self.id = id
        order = queuedTransfer
        self.phase = phase
        progress = DownloadProgress(received: queuedTransfer.bytes, total: queuedTransfer.total)
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

    /// Whether a separate process can continue it; a replay needs the stored exchange, and an upload starts again.
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

/// Changes of a transfer by its events.
extension Transfer {
    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent) {
        switch event {
        case .changed(let state): note(state)
        case .placed(let file): order.file = file
        case .saved(let bytes): saved = bytes
        case .progressed(let progress): self.progress = progress
        case .decided(let decision): note(decision)
        case .finished(let result): take(result)
        }
    }

    /// Applies an event of an upload.
    mutating func receive(_ event: CallEvent) {
        switch event {
        case .progressed(let progress):
            self.progress.received = progress.sent
            self.progress.total = progress.sentTotal
        case .decided(let decision): note(decision)
        case .queued(let reason): queuedBecause = reason
        case .retrying(let seconds): retries(in: seconds)
        case .finished(let exchange):
            response = exchange.response
            progress.received = max(progress.received, exchange.sentBodyBytes)
        case .responded, .grew, .logged, .signalled, .parked: break
        }
    }

    /// The folder of the file.
    var folder: String? {
        if let file { return FilePath.folder(of: file) }
        return order.destination.map { FilePath.namesFolder($0) ? $0 : FilePath.folder(of: $0) }
    }

    /// Records the result of a download.
    private mutating func take(_ result: DownloadResult) {
        self.result = result
        restarts = result.restarts
        progress.received = result.bytes
        if result.state == .done { progress.total = result.bytes }
    }
}

extension Transfer.End {
    /// Creates the result of a download.
    init(_ result: DownloadResult) {
        switch result.state {
        case .cancelled(let keepsPart): self = .cancelled(keepsPart: keepsPart)
        case .superseded: self = .superseded
        case .failed(let error, let isResumable): self = .failed(error.message, isResumable: isResumable)
        default: self = .done
        }
    }

    /// Creates the result of an upload.
    init(_ exchange: Exchange) {
        guard let error = exchange.error else {
            let isRefused = exchange.response.map { $0.status >= 400 } ?? false
            self = isRefused ? .failed(exchange.response.map { StatusText.line($0) } ?? "", isResumable: false) : .done
            return
        }
        switch error.code {
        case .cancelled: self = .cancelled(keepsPart: false)
        case .superseded: self = .superseded
        default: self = .failed(error.message, isResumable: false)
        }
    }
}

/// The folders that paths of downloads are relative to.
package struct TransferFolders: Hashable, Sendable {
    /// The user's home, which `~` expands to.
    package var home: String
    /// The working directory, which typed paths are relative to.
    package var current: String
    /// The default destination of downloads.
    package var downloads: String
    /// The user's folder for downloads, whether it exists or not; workspaces may download into it without a permission.
    package var userDownloads: String

    /// Creates folders from absolute paths.
    package init(home: String = "/", current: String = "/", downloads: String = "/", userDownloads: String? = nil) {
        self.home = home
        self.current = current
        self.downloads = downloads
        self.userDownloads = userDownloads ?? home + "/Downloads"
    }

    /// Makes a path absolute: `~` is the home, other relative paths are relative to `folder`, and a trailing `/` stays.
    func path(_ text: String, from folder: String) -> String {
        let path = FilePath.joining(folder, FilePath.expanding(text, home: home))
        return FilePath.namesFolder(text) && path != "/" ? path + "/" : path
    }
}

/// The order of the transfers tab; the transfers themselves are in ``Operations``.
struct TransferOrder: Hashable, Sendable {
    /// The maximum number of ended transfers, and of ended calls with large bodies.
    static let endedLimit = 30
    /// The limits that the user can choose.
    static let limits = [1, 2, 3, 4, 6, 8, 12, 16]

    /// The maximum number of running transfers.
    var limit = 4
    /// The transfers that have not ended, in the order of the queue.
    var active: [CallID] = []
    /// The ended transfers, the newest first.
    private(set) var ended: [CallID] = []
    /// The ended calls with large bodies, the newest first.
    private(set) var endedCalls: [CallID] = []

    /// Whether a call is a row of the transfers tab after its end.
    func showsEnded(_ id: CallID) -> Bool { ended.contains(id) || endedCalls.contains(id) }

    /// Adds an ended transfer, and returns the one beyond the limit.
    mutating func end(_ id: CallID) -> CallID? {
        active.removeAll { $0 == id }
        return Self.insert(id, in: &ended)
    }

    /// Adds an ended call with a large body, and returns the one beyond the limit.
    mutating func endCall(_ id: CallID) -> CallID? { Self.insert(id, in: &endedCalls) }

    /// Removes a row.
    mutating func remove(_ id: CallID) {
        active.removeAll { $0 == id }
        ended.removeAll { $0 == id }
        endedCalls.removeAll { $0 == id }
    }

    private static func insert(_ id: CallID, in list: inout [CallID]) -> CallID? {
        list.insert(id, at: 0)
        return list.count > endedLimit ? list.removeLast() : nil
    }
}
