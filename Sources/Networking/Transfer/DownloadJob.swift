internal import Foundation
internal import Model

/// One download from its beginning to its end: attempts of the engine, until the file is whole (§5.6).
struct DownloadJob {
    /// Why it ends before the file is whole.
    enum Stop: Error {
        case failed(NetworkError, keepsPart: Bool)
        case cancelled(keepsPart: Bool)
        case superseded
    }

    let download: Download
    let id: RequestID
    let core: ClientCore
    let control: DownloadControl
    let reporter: DownloadReporter
    /// Those of this download and of all.
    let limiters: [RateLimiter]
    let probe: DiskProbe
    /// Gives further connections' calls an identity of their own.
    let nextID: @Sendable () -> RequestID

    /// What the first connection does now.
    struct Lead: Sendable {
        let call: Call
        let segment: SegmentMap.ID
    }

    let lead = Latest<Lead>()
    /// The total time limit; nil without one.
    let limit: DownloadLimit?
    /// Whose changes end the wait before another attempt.
    let reachability: Reachability
    /// When it was made, monotonic nanoseconds.
    private let createdAt = MonotonicClock.now
    /// The other connections; nil before the part was found.
    var crew: SegmentCrew?
    /// Where the bytes go; nil before that is known.
    var place: DownloadPlace?
    var writer: DownloadWriter?
    /// The last request, and all attempts.
    var exchange: Exchange
    var resumedAt: Int64 = 0
    var restarts = 0
    /// The digest of the whole file, where it was computed.
    var digest: FileDigest?
    var isLengthUnverified = false
    /// How many attempts failed since the last one that brought progress.
    var failures = 0
    /// The most bytes that were here at a failure; fewer after a new beginning are no progress.
    var furthest: Int64 = 0
    /// Whether anything of the file ever came, so that the server is known to be there.
    var hasMetServer = false
    /// Whether the rest is asked for without `If-Range`.
    var asksWithoutCondition = false
    /// Whether it was asked for so, once.
    var mayAskAgain = true
    var redoneForDigest = false

    init(
        download: Download, id: RequestID, core: ClientCore, control: DownloadControl, reporter: DownloadReporter, limiters: [RateLimiter],
        probe: @escaping DiskProbe, reachability: Reachability, nextID: @escaping @Sendable () -> RequestID
    ) {
        self.reachability = reachability
        self.download = download
        self.id = id
        self.core = core
        self.control = control
        self.reporter = reporter
        self.limiters = limiters
        self.probe = probe
        self.nextID = nextID
        limit = DownloadLimit(download.request.options.timeouts) { control.want(.expire) }
        exchange = Exchange(id: id, request: download.request, startedAt: Date())
    }

    /// Runs it; the result's state is what it ended with.
    mutating func run() async -> DownloadResult {
        limit?.start()
        defer { limit?.stop() }
        do throws(Stop) {
            try obeyFinalWish()
            reporter.move(to: .preparing)
            if try await prepare() {
                repeat { try await load() } while try await !verify()
                try await finalise()
            }
            reporter.move(to: .done)
        } catch {
            await end(error)
        }
        return result
    }

    private var result: DownloadResult {
        var exchange = exchange
        var result = DownloadResult(
            state: reporter.current, file: writer?.manifest.destination ?? place?.file ?? "", bytes: writer?.received ?? 0, resumedAt: resumedAt,
            restarts: restarts, digest: digest, isLengthUnverified: isLengthUnverified, exchange: exchange)
        exchange.error = result.error
        exchange.duration = MonotonicClock.seconds(from: createdAt)
        result.exchange = exchange
        return result
    }

    /// Leaves the disk as the end asks for it.
    private mutating func end(_ stop: Stop) async {
        let keepsPart: Bool
        var state: DownloadState
        switch stop {
        case .failed(let error, let keeps):
            keepsPart = keeps
            state = .failed(error, isResumable: keeps && isResumable)
        case .cancelled(let keeps): (keepsPart, state) = (keeps, .cancelled(keepsPart: keeps))
        case .superseded: (keepsPart, state) = (true, .superseded)
        }
        if let place, let writer {
            await writer.stopSaving()
            do throws(NetworkError) {
                // Nothing is kept of a download that brought nothing.
                if keepsPart, writer.received > 0 {
                    try await writer.save(givesUpBytes: true)
                } else {
                    writer.part.remove()
                    try ManifestFile(path: place.manifest, probe: probe).remove()
                }
            } catch {
                reporter.decided(.body, "what came could not be kept: \(error.message)")
                if case .failed(let first, true) = state {
                    state = .failed(first, isResumable: writer.manifest.committed > 0 && writer.part.damage == nil)
                }
            }
        }
        // A download that never began has no state from which it could fail.
        if reporter.current == .idle { reporter.move(to: .preparing) }
        reporter.move(to: state)
    }

    private var isResumable: Bool {
        guard let writer, writer.received > 0 else { return false }
        let manifest = writer.manifest
        return manifest.isResumable && (manifest.validator != .none || download.allowsUnvalidated)
    }

    // MARK: Wishes

    /// Ends the download when that is wanted.
    func obeyFinalWish() throws(Stop) {
        switch control.wish {
        case .cancel(let keepsPart): throw .cancelled(keepsPart: keepsPart)
        case .giveWay: throw .superseded
        case .expire: throw .failed(limit?.error ?? .total(nil), keepsPart: true)
        case .run, .pause: return
        }
    }

    /// Ends the download, or waits while it is paused.
    func obey() async throws(Stop) {
        try obeyFinalWish()
        while control.wish == .pause {
            if reporter.current != .paused { reporter.move(to: .paused) }
            limit?.stop()
            await control.wait(while: .pause)
            limit?.start()
            try obeyFinalWish()
        }
    }

    // MARK: Beginning again

    /// Drops what is here and begins with the first byte, where that is still allowed.
    mutating func restart(_ reason: RestartReason) async throws(Stop) {
        try countRestart(reason)
        await crew?.stop()
        reporter.move(to: .restarting(reason))
        try await disk { writer throws(NetworkError) in try await writer.beginAfresh { $0.restarts += 1 } }
        resumedAt = 0
    }

    /// Counts a new beginning.
    mutating func countRestart(_ reason: RestartReason) throws(Stop) {
        reporter.decided(.body, "begins again with the first byte: \(reason.text)")
        guard restarts < Download.mostRestarts else {
            let words = "the download began again \(restarts) times, and would again: \(reason.text)"
            throw .failed(NetworkError(.badResponse, words, hint: reason.hint), keepsPart: false)
        }
        restarts += 1
    }

    /// Does something with the disk; its failure ends the download, which can go on later.
    func disk(_ work: (DownloadWriter) async throws(NetworkError) -> Void) async throws(Stop) {
        guard let writer else { return }
        do throws(NetworkError) { try await work(writer) } catch { throw .failed(error, keepsPart: true) }
    }
}
