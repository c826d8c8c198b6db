internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The part of a download or an upload in the queue of transfers; its state is that of its call.
struct Transfer: Sendable {
    /// The number of rate samples that are drawn.
    static let rateCount = 10
    /// The interval between rate samples in seconds.
    static let rateInterval = 0.5

    var order: QueuedTransfer
    /// Whether an earlier session left it, so that it waits for the user.
    let isUnfinished: Bool
    var progress: DownloadProgress
    /// The last rate samples, the newest last.
    private(set) var rates: [Double] = []
    /// The rate meter of an upload; a download reports its rate.
    private var rate: TransferRate?
    /// The offset in bytes at which the download resumed; 0 for a download from the start.
    private(set) var resumedAt: Int64 = 0
    private(set) var restart: RestartReason?
    private(set) var restarts = 0
    /// The number of bytes synced to the disk.
    private(set) var saved: Int64 = 0
    /// The running time in seconds, as of the last tick.
    private(set) var elapsed = 0.0
    private var lastTick: Double?
    private var lastRateAt = 0.0
    /// The result of a download.
    private(set) var result: DownloadResult?

    init(_ queuedTransfer: QueuedTransfer, isUnfinished: Bool = false) {
        order = queuedTransfer
        self.isUnfinished = isUnfinished
        progress = DownloadProgress(received: queuedTransfer.bytes, total: queuedTransfer.total)
    }

    var endpoint: EndpointID { order.endpoint.id }
    var name: String { order.endpoint.name }
    var isUpload: Bool { order.isUpload }

    /// The file, once it is known.
    var file: String? { result?.file ?? order.file }

    /// The folder of the file.
    var folder: String? {
        if let file { return FilePath.folder(of: file) }
        return order.destination.map { FilePath.namesFolder($0) ? $0 : FilePath.folder(of: $0) }
    }

    /// Takes the file and the progress of an earlier transfer to the same file.
    mutating func continues(_ earlier: Transfer) {
        order.file = earlier.order.file
        progress = earlier.progress
    }

    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent) {
        switch event {
        case .changed(.requesting(let offset)) where restarts == 0: resumedAt = max(resumedAt, offset)
        case .changed(.restarting(let reason)):
            restart = reason
            restarts += 1
            resumedAt = 0
        case .placed(let file): order.file = file
        case .saved(let bytes): saved = bytes
        case .progressed(let progress): self.progress = progress
        case .finished(let result):
            self.result = result
            restarts = result.restarts
            progress.received = result.bytes
            if result.state == .done { progress.total = result.bytes }
        case .changed, .decided: break
        }
    }

    /// Applies an event of an upload.
    mutating func receive(_ event: CallEvent) {
        switch event {
        case .progressed(let progress):
            self.progress.received = progress.sent
            self.progress.total = progress.sentTotal
        case .finished(let exchange): progress.received = max(progress.received, exchange.sentBodyBytes)
        default: break
        }
    }

    /// Updates the running time, which excludes pauses.
    mutating func tick(_ now: Double, isRunning: Bool) {
        defer { lastTick = isRunning ? now : nil }
        guard isRunning, let lastTick else { return }
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

/// A call with its part in the queue of transfers.
struct QueuedCall: Sendable {
    let call: Call
    let transfer: Transfer

    /// The transfer of an operation; nil for a call that is not queued.
    init?(_ operation: Operation?) {
        guard let operation, let transfer = operation.transfer else { return nil }
        (call, self.transfer) = (operation.call, transfer)
    }

    var id: CallID { call.id }
    var state: TransferState { call.machine.state }
    var command: TransferCommand { call.machine.command }
    var isEnded: Bool { call.machine.isEnded }
    var isCancelling: Bool { call.isCancelling }

    /// Whether it occupies one of the limited slots.
    var hasPlace: Bool { call.machine.hasPlace }

    /// Whether it runs, and no command ends it.
    var isRunning: Bool { hasPlace && !isCancelling }

    /// Whether it runs and does not wait for its next attempt or its turn, so that its rate is the current one.
    var isMoving: Bool {
        switch state {
        case .waiting, .queued: false
        default: isRunning
        }
    }

    /// Whether a separate process can continue it; a replay needs the stored exchange, and an upload starts again.
    var canBeLeft: Bool { !transfer.isUpload && transfer.order.replays == nil && !isEnded && (command == .run || command == .wait) }

    /// The transfer as stored for the next session; nil when it need not be offered again.
    var stored: QueuedTransfer? {
        switch state {
        case .failed(_, isResumable: true): transfer.order
        default: isEnded || isCancelling ? nil : transfer.order
        }
    }
}

extension TransferMachine {
    /// Whether a transfer occupies one of the limited slots.
    var hasPlace: Bool { !isEnded && (command == .run || isEnding) }
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
