internal import Crypto
internal import Dispatch
internal import Model
internal import Synchronization

/// Puts the bytes of a download on the disk, those of each stretch in order, on threads of its own: a slow disk must not stop the engine (§5.5).
///
/// Bytes that are here already are compared with those that come again. While more is written, what was written before is made safe and noted in the
/// manifest, so that a crash costs only what came since.
final class DownloadWriter: Sendable {
    /// What a sender does after it handed over a chunk.
    enum Demand {
        /// It goes on.
        case more
        /// It waits until it is called.
        case later
        /// It stops: what follows is somebody else's, or nobody's.
        case enough
    }

    /// How many chunks may wait for the disk before the sender has to: 2 MiB.
    private static let mostChunks = 8
    private static let fewChunks = 2

    struct State {
        var manifest: DownloadManifest
        var map: SegmentMap
        /// How many bytes were safe at the last save.
        var safe: Int64
        var failure: NetworkError?
        /// Why what is here cannot be continued.
        var objection: RestartReason?
        var isSaving = false
        var isSaveSet = false
        /// Whether the download has ended.
        var isStopped = false
        var savedAt = MonotonicClock.now
        /// After how many nanoseconds what came is made safe; shorter for the first time.
        var saveInterval = DownloadWriter.firstSaveInterval
        fileprivate var waiting = 0
        fileprivate var free: [Chunk] = []
        fileprivate var whenDrained: [@Sendable () -> Void] = []
    }

    /// The digest of what was written, as far as it was from the first byte on.
    struct Digest {
        var hash = SHA256()
        var count: Int64 = 0
    }

    let part: PartFile
    let file: ManifestFile
    let onSave: @Sendable (Int64) -> Void
    let queue = DispatchQueue(label: "sortie.download")
    let saving = DispatchQueue(label: "sortie.download.save")
    let state: Mutex<State>
    let digest = Mutex(Digest())
    private let computesDigest: Bool
    private let onBytes: @Sendable () -> Void

    /// A writer that goes on after what `manifest` notes as safe.
    ///
    /// - Parameters:
    ///   - onBytes: called after bytes were written, on no particular thread.
    ///   - onSave: called with the number of all bytes that are safe.
    init(
        part: PartFile, file: ManifestFile, manifest: DownloadManifest, computesDigest: Bool, onBytes: @escaping @Sendable () -> Void,
        onSave: @escaping @Sendable (Int64) -> Void
    ) {
        self.part = part
        self.file = file
        self.computesDigest = computesDigest
        self.onBytes = onBytes
        self.onSave = onSave
        state = Mutex(State(manifest: manifest, map: SegmentMap(manifest), safe: manifest.safeBytes))
    }

    /// What is noted about the download.
    var manifest: DownloadManifest { state.withLock { $0.manifest } }
    /// How many bytes of the part are right.
    var received: Int64 { state.withLock { $0.map.received } }
    /// Whether all bytes of the file are here; never of a file of which nothing came.
    var isComplete: Bool { state.withLock { $0.map.received > 0 && $0.map.isComplete } }
    /// Whether more came than is safe.
    var hasUnsafeBytes: Bool { state.withLock { $0.map.received > $0.safe } }
    /// Why nothing more can be written.
    var failure: NetworkError? { state.withLock { $0.failure } }
    /// Why what is here cannot be continued: bytes that came again were others, or another program cut the part.
    var objection: RestartReason? { state.withLock { $0.objection } }
    /// Whether bytes wait for the disk.
    var isBehind: Bool { state.withLock { $0.waiting > 0 } }
    /// How far it is.
    var progress: DownloadProgress {
        state.withLock { DownloadProgress(received: $0.map.received, total: $0.manifest.total, segments: $0.map.stretches) }
    }

    /// Changes what is noted; it is on the disk with the next save.
    func note(_ change: @Sendable (inout DownloadManifest) -> Void) {
        state.withLock { change(&$0.manifest) }
    }

    /// Notes how many bytes the file has.
    func setTotal(_ total: Int64) {
        state.withLock { state in
            state.manifest.total = total
            state.map.setTotal(total)
        }
    }

    // MARK: Stretches

    /// Gives a connection something to fetch, with what is known of the file at that moment; nil when there is nothing for it now.
    func claim(sharing: Bool) -> (segment: SegmentMap.Segment, manifest: DownloadManifest)? {
        let now = MonotonicClock.now
        return state.withLock { state in state.map.claim(sharing: sharing, now: now).map { ($0, state.manifest) } }
    }

    /// Whether a connection still has that stretch.
    func has(_ segment: SegmentMap.ID) -> Bool { state.withLock { $0.map[segment] != nil } }

    /// How far a stretch is; nil when no connection has it any more.
    func position(of segment: SegmentMap.ID) -> Int64? { state.withLock { $0.map[segment]?.position } }

    /// A connection gives up its stretch, whole or not; between attempts only.
    func release(_ segment: SegmentMap.ID) {
        state.withLock { $0.map.release(segment) }
    }

    // MARK: Bytes, from the engine's thread

    /// The body that comes is the whole file, and another one than that which is here; it belongs to `segment`.
    func replace(_ headers: Headers, total: Int64?, for segment: SegmentMap.ID, _ change: (inout DownloadManifest) -> Void) {
        forget(for: segment) {
            $0.take(headers, total: total)
            change(&$0)
        }
        queue.async { [self] in
            attempt {
                () throws(NetworkError) in
                try clear()
                if let total { try part.reserve(total) }
            }
        }
    }

    /// Only one connection goes on, after what is here without a hole; bytes that come later for another stretch are dropped.
    ///
    /// - Parameter segment: whose stretch the file becomes; nil for that of the connection which fetches what comes next.
    func collapse(to segment: SegmentMap.ID? = nil) {
        state.withLock { state in
            state.map.collapse(to: segment)
            // What is noted on the disk has stretches that do not count any more, so all of it is to be noted anew.
            state.safe = 0
        }
    }

    /// Does something when what was ordered before is done.
    func afterwards(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// An empty chunk for bytes that belong there, where possible one that was written.
    func chunk(at place: Chunk.Place) -> Chunk {
        let chunk = state.withLock { $0.free.popLast() } ?? Chunk()
        chunk.begin(at: place)
        return chunk
    }

    /// Takes a chunk; where the sender is to wait, `whenDrained` is called later, on no particular thread.
    func write(_ chunk: Chunk, whenDrained: @escaping @Sendable () -> Void) -> Demand {
        guard let place = chunk.place else { return .more }
        let end = place.offset + Int64(chunk.count)
        let demand = state.withLock { state -> Demand in
            state.waiting += 1
            guard let segment = state.map[place.segment], end < segment.end ?? .max else { return .enough }
            guard state.waiting >= Self.mostChunks else { return .more }
            state.whenDrained.append(whenDrained)
            return .later
        }
        queue.async { self.put(chunk) }
        return demand
    }

    // MARK: The queue

    private func put(_ chunk: Chunk) {
        chunk.empty { bytes, place in attempt { () throws(NetworkError) in try put(bytes, at: place) } }
        let whenDrained = state.withLock { state -> [@Sendable () -> Void] in
            state.waiting -= 1
            state.free.append(chunk)
            guard state.waiting <= Self.fewChunks || state.failure != nil else { return [] }
            defer { state.whenDrained = [] }
            return state.whenDrained
        }
        for call in whenDrained { call() }
        saveIfDue()
        onBytes()
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at place: Chunk.Place) throws(NetworkError) {
        let last = place.offset + Int64(bytes.count)
        guard let segment = state.withLock({ $0.map.reserve(place.segment, until: last) }), place.offset <= segment.position else { return }
        // What comes before the stretch is another's; what is here of it already is compared.
        let from = max(place.offset, segment.start)
        let known = min(last, segment.position)
        if from < known, try !part.matches(slice(bytes, at: place.offset, from..<known), at: from) {
            state.withLock { $0.objection = .overlapDiffers }
            throw NetworkError(.badResponse, "bytes that came twice differ: the file on the server is another one now")
        }
        let end = min(last, segment.end ?? .max)
        guard segment.position < end else { return }
        let fresh = slice(bytes, at: place.offset, segment.position..<end)
        try checkPart()
        try part.write(fresh, at: segment.position)
        if computesDigest {
            digest.withLock { digest in
                guard digest.count == segment.position else { return }
                digest.hash.update(bufferPointer: fresh)
                digest.count = end
            }
        }
        let now = MonotonicClock.now
        state.withLock { $0.map.fill(place.segment, now: now) }
    }

    /// Refuses to go on with a part that another program cut or removed.
    func checkPart() throws(NetworkError) {
        guard let damage = part.damage else { return }
        if damage == .cut { state.withLock { $0.objection = .damagedPart } }
        throw part.error(of: damage)
    }

    /// The bytes of `range` of the file, of those that begin with its byte `offset`.
    private func slice(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ range: Range<Int64>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound - offset)..<Int(range.upperBound - offset)])
    }

    /// Does something that may fail; the first failure stays, and nothing is done after it.
    func attempt(_ work: () throws(NetworkError) -> Void) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(NetworkError) { try work() } catch { state.withLock { $0.failure = error } }
    }
}
