public import SortieHTTP
internal import Synchronization

/// The downloads of a client, which continue after a failure, a pause, or the end of the program.
///
/// An incomplete file is stored next to its destination as `FILE.part`, with its manifest `FILE.part.json`. Of two downloads of the same
/// URL to the same path, the newer supersedes the older.
public final class Downloads: Sendable {
    private let core: ClientCore
    private let ids = RequestIDs()
    private let probe: DiskProbe
    private let limiter = RateLimiter(limit: nil)
    /// The default actor of callbacks.
    package let callbackQueue = CallbackQueue()

    /// The running downloads of this process by their identity.
    private static let running = Mutex<[String: DownloadTask]>([:])

    private let reachability: @Sendable () -> Reachability

    init(core: ClientCore, probe: @escaping DiskProbe = { _ in 0 }, reachability: @escaping @Sendable () -> Reachability = { .system }) {
        (self.reachability, self.core, self.probe) = (reachability, core, probe)
    }

    /// Limits the rate of all downloads of this client together, in bytes per second; nil removes the limit.
    public func limitRate(_ bytesPerSecond: Int64?) {
        limiter.setLimit(bytesPerSecond)
    }

    /// Starts or continues a download.
    ///
    /// The download runs to its end even when its events are not read. An earlier download of the same file ends as superseded, and the new one
    /// continues with its part.
    ///
    /// - Parameters:
    ///   - download: The download.
    ///   - id: The identity of the download; nil for a new one.
    ///   - destination: Returns the path of the finished file; nil for the destination of the download.
    public func start(_ download: Download, id: RequestID? = nil, destination: DownloadDestination? = nil) -> DownloadTask {
        start(download, id: id, destination: destination, deliver: nil)
    }

    /// Starts or continues a download.
    ///
    /// - Parameter deliver: Receives the identity and the events of the download; nil for none. The download has its result after it has returned.
    package func start(
        _ download: Download, id: RequestID?, destination: DownloadDestination?,
        deliver: (@Sendable (RequestID, AsyncStream<DownloadEvent>) async -> Void)?
    ) -> DownloadTask {
        let id = id ?? ids.next()
        var download = download
        download.request = core.layered(download.request)
        let running = DownloadTask(id: id, deliver: deliver)
        core.table.insertDownload(running.id) { running.cancel() }
        let key = Self.key(of: download)
        let earlier = key.flatMap { key in Self.running.withLock { $0.updateValue(running, forKey: key) } }
        earlier?.follow(.supersede)
        var job = DownloadJob(
            download: download, destination: destination, id: running.id, core: core, control: running.control, reporter: running.reporter,
            limiters: [RateLimiter(limit: download.rateLimit), limiter], probe: probe, reachability: reachability(), nextID: { [self] in ids.next() })
        // The job reads, writes and syncs files between its requests.
        Task(executorPreference: BlockingExecutor.shared) { [core] in
            _ = await earlier?.result
            let result = await job.run()
            // The part is unlocked before the end is reported, so that a successor can open it.
            job.writer?.part.unlock()
            job.writer = nil
            job.workers = nil
            if let key {
                Self.running.withLock { if $0[key] === running { $0[key] = nil } }
            }
            if core.archive.isOn {
                var exchange = result.exchange
                exchange.error = exchange.error ?? result.error
                core.archive.note(CompletedCall(exchange, kind: .download, file: result.file, fileBytes: result.bytes))
            }
            await running.end(result)
            core.table.removeDownload(running.id)
        }
        return running
    }

    /// The progress saved in the part of a file; nil where no part can be continued.
    ///
    /// - Parameter file: The path that `DownloadEvent.placed(_:)` reported.
    public static func left(of file: String) -> DownloadProgress? {
        let path = DownloadName.part(of: file) + ".json"
        do throws(NetworkError) {
            guard case .manifest(let manifest) = try ManifestFile(path: path, probe: { _ in 0 }).load() else { return nil }
            return DownloadProgress(received: manifest.safeBytes, total: manifest.total, segments: manifest.segments.map(\.stretch))
        } catch {
            // A later download reports this error itself.
            return nil
        }
    }

    /// Removes the part and the manifest of a file that no download is writing.
    ///
    /// - Parameter file: The path that `DownloadEvent.placed(_:)` reported.
    /// - Throws: `storage` when another download has locked the part, or when it cannot be removed.
    public static func discard(_ file: String) throws(NetworkError) {
        let probe: DiskProbe = { _ in 0 }
        guard let part = try PartFile.open(DownloadName.part(of: file), creates: false, probe: probe) else { return }
        defer { part.unlock() }
        part.remove()
        try ManifestFile(path: DownloadName.part(of: file) + ".json", probe: probe).remove()
    }

    /// Removes the parts and manifests of all downloads in a folder, apart from those that are running.
    ///
    /// Only a part with a readable manifest is removed, so that no other file with such a name is lost.
    ///
    /// - Returns: The files whose parts were removed, and an error for each part that could not be removed.
    /// - Throws: `storage` when the folder cannot be read.
    public static func discardAll(in folder: String) throws(NetworkError) -> (discarded: [String], failures: [NetworkError]) {
        var (discarded, failures): ([String], [NetworkError]) = ([], [])
        let ending = ".part.json"
        for name in try FolderNames.of(folder).sorted() where name.hasSuffix(ending) && name.utf8.count > ending.utf8.count {
            let file = FilePath.joining(folder, String(name.dropLast(ending.count)))
            guard left(of: file) != nil else { continue }
            do throws(NetworkError) {
                try discard(file)
                // Without a part, the manifest alone is left.
                try ManifestFile(path: file + ending, probe: { _ in 0 }).remove()
                discarded.append(file)
            } catch { failures.append(error) }
        }
        return (discarded, failures)
    }

    private static func key(of download: Download) -> String? {
        do { return try DownloadPlace(download).key } catch {
            // The job reports this error when it resolves the destination itself.
            return nil
        }
    }
}
