public import Model
internal import Synchronization

/// The downloads of a client: they go on where they were, after a failure, a pause, or the end of the program.
///
/// A part that has not ended is beside the file that it becomes: `FILE.part`, with `FILE.part.json` that tells what it is. Of two downloads of the same
/// URL to the same place the newer takes over (S2.35).
public final class Downloads: Sendable {
    private let core: ClientCore
    private let ids = RequestIDs()
    private let probe: DiskProbe
    private let limiter = RateLimiter(limit: nil)

    /// Those that run in this process, by what they are.
    private static let running = Mutex<[String: RunningDownload]>([:])

    private let reachability: Reachability

    init(core: ClientCore, probe: @escaping DiskProbe = { _ in 0 }, reachability: Reachability = .system) {
        self.reachability = reachability
        self.core = core
        self.probe = probe
    }

    /// The most bytes a second for all downloads of this client together; nil for no limit.
    public func limitRate(_ bytesPerSecond: Int64?) {
        limiter.setLimit(bytesPerSecond)
    }

    /// Begins a download, or goes on with one.
    ///
    /// It runs until it has ended, whether anybody listens or not. An earlier one of the same file ends as superseded, and this one goes on with its part.
    public func start(_ download: Download, id: RequestID? = nil) -> RunningDownload {
        let running = RunningDownload(id: id ?? ids.next())
        core.begin(running)
        let key = Self.key(of: download)
        let earlier = key.flatMap { key in Self.running.withLock { $0.updateValue(running, forKey: key) } }
        earlier?.giveWay()
        var job = DownloadJob(
            download: download, id: running.id, core: core, control: running.control, reporter: running.reporter,
            limiters: [RateLimiter(limit: download.rateLimit), limiter], probe: probe, reachability: reachability, nextID: { [self] in ids.next() })
        Task { [core] in
            _ = await earlier?.result
            let result = await job.run()
            // Its lock goes with its part, before anybody hears of the end.
            job.writer?.part.unlock()
            job.writer = nil
            job.crew = nil
            if let key {
                Self.running.withLock { if $0[key] === running { $0[key] = nil } }
            }
            if core.keeper.isOn {
                var exchange = result.exchange
                exchange.error = exchange.error ?? result.error
                core.keeper.note(FinishedCall(exchange, kind: .download, file: result.file, fileBytes: result.bytes))
            }
            running.end(result)
            core.end(running)
        }
        return running
    }

    /// How much of a file is safe in its part, and how much there is in all; nil where there is no part that could go on.
    ///
    /// - Parameter file: the path that ``DownloadEvent/placed(_:)`` told.
    public static func left(of file: String) -> DownloadProgress? {
        let path = file + ".part.json"
        do throws(NetworkError) {
            guard case .manifest(let manifest) = try ManifestFile(path: path, probe: { _ in 0 }).load() else { return nil }
            return DownloadProgress(received: manifest.safeBytes, total: manifest.total, segments: manifest.segments.map(\.stretch))
        } catch {
            // The download itself will say so, with the reason.
            return nil
        }
    }

    /// Removes what there is of a file that no download is writing.
    ///
    /// - Parameter file: the path that ``DownloadEvent/placed(_:)`` told.
    public static func discard(_ file: String) throws(NetworkError) {
        let probe: DiskProbe = { _ in 0 }
        guard let part = try PartFile.open(file + ".part", creates: false, probe: probe) else { return }
        defer { part.unlock() }
        part.remove()
        try ManifestFile(path: file + ".part.json", probe: probe).remove()
    }

    private static func key(of download: Download) -> String? {
        do { return try DownloadPlace(download).key } catch {
            // It will end with this error when it looks for its place itself.
            return nil
        }
    }
}
