internal import Foundation
internal import SortieHTTP

/// Runs one download: sends requests through the engine until the file is complete (`ResumeRules.md` 5.6).
struct DownloadJob {
    /// Why the download ends before the file is complete.
    enum Stop: Error {
        case failed(NetworkError, keepsPart: Bool)
        case cancelled(keepsPart: Bool)
        case superseded
    }

    let download: Download
    /// Returns the path of the finished file; nil for that of the download.
    let destination: DownloadDestination?
    let id: RequestID
    let core: ClientCore
    let control: DownloadControl
    let reporter: DownloadReporter
    /// The limiter of this download and the limiter of all downloads.
    let limiters: [RateLimiter]
    let probe: DiskProbe
    /// Creates identities for the requests of further connections.
    let nextID: @Sendable () -> RequestID

    /// The current request of the first connection.
    let lead = LockedValue<SegmentWorker.Fetch>()
    /// The total time limit; nil without one.
    let limit: DownloadLimit?
    /// Reports when the network returns, which ends the wait before the next attempt.
    let reachability: Reachability
    /// The creation time, in monotonic nanoseconds.
    private let createdAt = MonotonicClock.now
    /// The connections; nil until the part is open.
    var workers: SegmentedDownload?
    /// The paths of the part and the file; nil until they are known.
    var place: DownloadPlace?
    var writer: DownloadWriter?
    /// The last exchange, with the attempts of all exchanges.
    var exchange: Exchange
    var resumedAt: Int64 = 0
    var restarts = 0
    /// The digest of the whole file; nil where it was not computed.
    var digest: FileDigest?
    var isLengthUnverified = false
    /// The number of failed attempts since the last one that made progress.
    var failures = 0
    /// The maximum of received bytes at any failure; fewer bytes after a restart are no progress.
    var furthest: Int64 = 0
    /// Whether the server has ever sent a part of the file, so that it is known to exist.
    var hasMetServer = false
    /// Whether the rest is requested without `If-Range`.
    var asksWithoutCondition = false
    /// Whether one request without `If-Range` is still allowed.
    var mayAskAgain = true
    var redoneForDigest = false

    init(
        download: Download, destination: DownloadDestination?, id: RequestID, core: ClientCore, control: DownloadControl, reporter: DownloadReporter,
        limiters: [RateLimiter],
        probe: @escaping DiskProbe, reachability: Reachability, nextID: @escaping @Sendable () -> RequestID
    ) {
        self.reachability = reachability
        self.download = download
        self.destination = destination
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

    /// Runs the download; the state of the result is the final state.
    mutating func run() async -> DownloadResult {
        limit?.start()
        defer { limit?.stop() }
        do throws(Stop) {
            try obeyFinalCommand()
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
            restarts: restarts, digest: digest, isLengthUnverified: isLengthUnverified, canResume: isResumable, exchange: exchange)
        exchange.error = result.error
        exchange.duration = MonotonicClock.seconds(from: createdAt)
        result.exchange = exchange
        return result
    }

    /// Saves or removes the part as `stop` requires, and reports the final state.
    private mutating func end(_ stop: Stop) async {
        let keepsPart: Bool
        var state: DownloadState
        switch stop {
        case .failed(var error, let keeps):
            keepsPart = keeps
            if keeps, !isResumable, (writer?.received ?? 0) > 0 { error.remedy = error.remedyOfRestart }
            state = .failed(error, isResumable: keeps && isResumable)
        case .cancelled(let keeps): (keepsPart, state) = (keeps, .cancelled(keepsPart: keeps))
        case .superseded: (keepsPart, state) = (true, .superseded)
        }
        if let place, let writer {
            await writer.stopSaving()
            do throws(NetworkError) {
                // A download that received nothing leaves no files.
                if keepsPart, writer.received > 0 {
                    try await writer.save(givesUpBytes: true)
                } else {
                    writer.part.remove()
                    try ManifestFile(path: place.manifest, probe: probe).remove()
                }
            } catch {
                reporter.decided(.body, "the received bytes could not be stored: \(error.message)")
                if case .failed(let first, true) = state {
                    state = .failed(first, isResumable: writer.manifest.committed > 0 && writer.part.damage == nil)
                }
            }
        }
        // The state machine allows no failure from the idle state.
        if reporter.current == .idle { reporter.move(to: .preparing) }
        reporter.move(to: state)
    }

    private var isResumable: Bool {
        guard let writer, writer.received > 0 else { return false }
        let manifest = writer.manifest
        return manifest.isResumable && !manifest.ignoresRanges && (manifest.validator != .none || download.allowsUnvalidated)
    }

    // MARK: Commands

    /// Throws when the current command ends the download.
    func obeyFinalCommand() throws(Stop) {
        switch control.command {
        case .cancel(let keepsPart): throw .cancelled(keepsPart: keepsPart)
        case .supersede: throw .superseded
        case .expire: throw .failed(limit?.error ?? .total(nil), keepsPart: true)
        case .run, .pause: return
        }
    }

    /// Throws when the current command ends the download; waits while the download is paused.
    func obey() async throws(Stop) {
        try obeyFinalCommand()
        while control.command == .pause {
            if reporter.current != .paused { reporter.move(to: .paused) }
            limit?.stop()
            await control.wait(while: .pause)
            limit?.start()
            try obeyFinalCommand()
        }
    }

    // MARK: Restarting

    /// Drops all received bytes and starts from the first byte, where the limit of restarts allows it.
    mutating func restart(_ reason: RestartReason) async throws(Stop) {
        try countRestart(reason)
        await workers?.stop()
        reporter.move(to: .restarting(reason))
        try await disk { writer throws(NetworkError) in try await writer.beginAfresh { $0.restarts += 1 } }
        resumedAt = 0
    }

    /// Counts a restart.
    ///
    /// - Throws: A failure when the limit of restarts is reached.
    mutating func countRestart(_ reason: RestartReason) throws(Stop) {
        reporter.decided(.body, "restarts from the first byte: \(reason.text)")
        guard restarts < Download.mostRestarts else {
            let words = "the download restarted \(restarts) times and would restart again: \(reason.text)"
            throw .failed(NetworkError(.badResponse, words, remedy: reason.remedy), keepsPart: false)
        }
        restarts += 1
    }

    /// Performs a disk operation; its failure ends the download and keeps the part.
    func disk(_ work: (DownloadWriter) async throws(NetworkError) -> Void) async throws(Stop) {
        guard let writer else { return }
        do throws(NetworkError) { try await work(writer) } catch { throw .failed(error, keepsPart: true) }
    }
}
