internal import Foundation
internal import SortieHTTP

/// Runs one download: sends requests through the engine until the file is complete (`DownloadingFiles.md`, states).
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
    /// The content coding of the bytes that are saved; nil for none.
    var coding: String?
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
        (self.reachability, self.download, self.destination, self.id, self.core) = (reachability, download, destination, id, core)
        (self.control, self.reporter, self.limiters, self.probe, self.nextID) = (control, reporter, limiters, probe, nextID)
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
            state: control.current, file: writer?.manifest.destination ?? place?.file ?? "", bytes: writer?.received ?? 0, resumedAt: resumedAt,
            restarts: restarts, digest: digest, isLengthUnverified: isLengthUnverified, canResume: isResumable, exchange: exchange)
        exchange.error = result.error
        exchange.duration = MonotonicClock.seconds(from: createdAt)
        result.exchange = exchange
        return result
    }

    /// Saves or removes the part as `stop` requires, and reports the final state.
    private mutating func end(_ stop: Stop) async {
        let keepsPart: Bool
        var state: TransferState
        switch stop {
        case .failed(var error, let keeps):
            keepsPart = keeps
            if error.response == nil, error.code == .status { error.response = exchange.response }
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
        if control.current == .idle { reporter.move(to: .preparing) }
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
        case .wait, .run, .pause: return
        }
    }

    /// Throws when the current command ends the download; waits while the download is paused or waits for a place.
    func obey() async throws(Stop) {
        try obeyFinalCommand()
        while case let command = control.command, command == .pause || command == .wait {
            if control.current != .paused { reporter.move(to: .paused) }
            limit?.stop()
            await control.wait(while: command)
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

extension DownloadJob {
    /// Finds and locks the part, and repairs the state that a crash may have left; returns whether the download has work left.
    mutating func prepare() async throws(Stop) -> Bool {
        do throws(NetworkError) { return try await find() } catch { throw .failed(error, keepsPart: true) }
    }

    private mutating func find() async throws(NetworkError) -> Bool {
        var place = try DownloadPlace(download)
        // Another download into the same folder may use the name.
        for number in 1...DownloadPlace.mostNumbers {
            if try await take(place) { break }
            guard number < DownloadPlace.mostNumbers else {
                throw NetworkError(.storage, "\(place.folder) has a thousand partial files of that name")
            }
            place = try DownloadPlace(download).numbered(number)
        }
        self.place = place
        reporter.placed(place.file)
        guard let writer else { return false }
        let manifest = writer.manifest
        if manifest.stage == .loading, collision(at: place) == .fail, place.isChosen, DownloadPlace.isTaken(place.file) {
            throw NetworkError(.storage, "\(place.file) already exists", remedy: .existingFile)
        }
        return try await !isFinished(place)
    }

    /// Opens the part of `place`; returns false when it belongs to another download and the name is not chosen by the user.
    private mutating func take(_ place: DownloadPlace) async throws(NetworkError) -> Bool {
        let file = ManifestFile(path: place.manifest, probe: probe)
        if !place.isChosen, case .manifest(let known) = try file.load(), known.key != place.key { return false }
        let found = try PartFile.open(place.part, creates: false, probe: probe)
        let content = try file.load()
        var reason: RestartReason?
        var isNoted = false
        var manifest = DownloadManifest(
            key: place.key, url: DownloadManifest.shown(download.request.url), destination: place.file, now: SystemClock.seconds)
        switch content {
        case .none:
            // A crash before the first manifest leaves an empty part.
            if let found, found.size > 0, !download.beginsAfresh {
                throw NetworkError(
                    .storage, "\(place.part) exists without a manifest, so its download is unknown",
                    remedy: .unknownPart)
            }
        case .damaged: reason = .damagedManifest
        case .manifest(let known) where known.key != place.key: reason = .otherDownload
        case .manifest(let known) where place.name(in: known) == nil: reason = .otherDestination
        case .manifest(let known): (manifest, isNoted) = (known, true)
        }
        if download.beginsAfresh, found != nil { reason = .asked }
        // The file was renamed already; only the manifest remains.
        let isRenamed =
            found == nil && reason == nil && manifest.stage == .finalising && DownloadPlace.size(of: manifest.destination) == manifest.committed
        var opened = found
        if opened == nil { opened = try PartFile.open(place.part, creates: true, probe: probe) }
        guard let part = opened else { return false }
        if reason == nil, !isRenamed { reason = try problem(of: part, manifest) }
        if let reason {
            reporter.decided(.body, "starts from the first byte: \(reason.text)")
            manifest = DownloadManifest(key: place.key, url: manifest.url, destination: place.file, now: SystemClock.seconds)
        }
        if !isRenamed {
            // The manifest is stored before the part is truncated to the bytes that it counts.
            if !isNoted || reason != nil { try file.store(manifest) }
            let end: Int64 = manifest.segments.last { $0.stretch.received > 0 }?.stretch.position ?? manifest.committed
            if part.size > end { try part.truncate(to: end) }
        }
        let wantsDigest = download.wantsDigest || download.expectedDigest != nil || manifest.expectedDigest != nil
        let writer = DownloadWriter(
            part: part, file: file, manifest: manifest, computesDigest: wantsDigest, onBytes: { [reporter] in reporter.bytesCame() },
            onSave: { [reporter] in reporter.saved($0) })
        reporter.follow { [weak writer] in writer?.progress }
        use(writer, at: place)
        resumedAt = manifest.safeBytes
        furthest = manifest.safeBytes
        return true
    }

    private mutating func use(_ writer: DownloadWriter, at place: DownloadPlace) {
        self.writer = writer
        let setup = SegmentSetup(
            id: id, place: place, core: core, writer: writer, reporter: reporter, limiters: limiters, download: download, nextID: nextID)
        workers = SegmentedDownload(setup, most: min(download.connections, Download.mostConnections) - 1) { [lead, control] in
            // The first connection stops when another one has taken over its segment, or when the file is complete.
            if let now = lead.value, writer.isComplete || !writer.has(now.segment) { now.abort() }
            control.wake()
        }
    }

    /// Why the part cannot be continued; nil when it can, or when it is empty.
    private func problem(of part: PartFile, _ manifest: DownloadManifest) throws(NetworkError) -> RestartReason? {
        guard manifest.safeBytes > 0 else { return nil }
        guard part.size >= manifest.committed, try part.tailHash(before: manifest.committed) == manifest.tailHash else { return .damagedPart }
        for note in manifest.segments where note.stretch.received > 0 {
            let safe = note.stretch.start..<note.stretch.position
            guard part.size >= safe.upperBound, try part.tailHash(of: safe) == note.tailHash else { return .damagedPart }
        }
        if manifest.stage == .finalising || manifest.total == manifest.committed { return nil }
        if !manifest.isResumable { return .encoded }
        if !manifest.segments.isEmpty, !manifest.validator.isStrong { return .damagedManifest }
        if manifest.validator == .none, !download.allowsUnvalidated { return .noValidator }
        return nil
    }

    /// Whether an earlier run crashed after the rename.
    private func isFinished(_ place: DownloadPlace) async throws(NetworkError) -> Bool {
        guard let writer, writer.manifest.stage == .finalising, writer.part.size == 0, writer.manifest.committed > 0 else { return false }
        reporter.decided(.body, "the file already exists and is complete")
        writer.part.remove()
        try ManifestFile(path: place.manifest, probe: probe).remove()
        return true
    }
}

extension DownloadJob {
    /// Waits before the next attempt.
    ///
    /// - Throws: The failure when the error is permanent, the retry limit is reached, or the wait would exceed an hour.
    mutating func retry(_ error: NetworkError, after wanted: Double?) async throws(Stop) {
        let manifest = writer?.manifest
        let received = writer?.received ?? 0
        guard error.mayPass(hasMetServer: hasMetServer || received > 0) else { throw .failed(error, keepsPart: true) }
        // Progress since the last failure resets the count: a megabyte, or a hundredth of a small file. A file that is sent from its first byte
        // again makes no progress until it exceeds the previous maximum.
        let progress = received - furthest
        if progress >= min(1 << 20, max(1, (manifest?.total ?? .max) / 100)) { failures = 0 }
        furthest = max(furthest, received)
        failures += 1
        guard failures <= download.retryLimit else { throw .failed(error, keepsPart: true) }
        let pause = max(wanted ?? 0, Self.pause(failures: failures, first: download.retryPause))
        guard pause <= 3600 else { throw .failed(error, keepsPart: true) }
        if received > 0, let manifest, manifest.validator == .none || !manifest.isResumable, !download.allowsUnvalidated {
            try await restart(manifest.isResumable ? .noValidator : .encoded)
        }
        reporter.decided(.retry, "retrying in \(Int(pause.rounded(.up))) s, because \(error.message)")
        control.prepareWait()
        let cameOnline = LockedValue<Bool>()
        // Before the wait is reported, so that a network that is restored then is noticed.
        let watch = reachability.observe { [control] change in
            guard change.cameOnline else { return }
            cameOnline.value = true
            control.wake()
        }
        // The state stays unchanged while other connections receive bytes.
        if workers?.isAtWork != true { reporter.move(to: .waiting(seconds: pause, because: error.code.rawValue)) }
        await control.wait(while: .run, until: MonotonicClock.now &+ UInt64(pause * 1e9))
        reachability.end(watch)
        // A failure without a network does not count against the server.
        if cameOnline.value == true { failures -= 1 }
    }

    static func pause(failures: Int, first: Duration) -> Double {
        let doubled = first * (1 << min(failures - 1, 10))
        return Double(min(doubled, Download.longestPause).nanoseconds) / 1e9
    }
}

extension RestartReason {
    /// The remedy when this reason keeps a download from completing.
    var remedy: NetworkError.Remedy {
        switch self {
        case .rangesIgnored, .encoded, .noValidator:
            .text("the connection is lost before the file is complete, and this server cannot send only the rest")
        case .damagedPart: .sharedPart
        default: .text("the server sends a different file each time")
        }
    }

    /// Whether further requests should omit `Range`.
    var blamesRanges: Bool {
        switch self {
        case .badRange, .encoded, .laterStart, .conditionRefused, .unsatisfiable: true
        default: false
        }
    }
}

extension NetworkError {
    static func status(_ status: Int) -> NetworkError {
        NetworkError(.status, "the server responded with \(status)")
    }

    /// The remedy where a later run starts from the first byte.
    var remedyOfRestart: Remedy? {
        switch (remedy, code) {
        case (.downloadTimeout, _): .totalTimeout
        case (.diskSpace, _): .text("free some space and start the download again")
        case (_, .connectionLost), (_, .emptyResponse), (_, .truncatedBody): RestartReason.rangesIgnored.remedy
        default: remedy
        }
    }

    /// Whether a later attempt may succeed.
    ///
    /// - Parameter hasMetServer: Whether the server responded before, so that its name, its port and its responses are known to be correct.
    fileprivate func mayPass(hasMetServer: Bool) -> Bool {
        switch code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .proxyFailed, .tlsFailed, .badResponse: hasMetServer
        case .offline, .timedOut, .connectionLost, .emptyResponse, .truncatedBody, .status: true
        default: false
        }
    }
}
