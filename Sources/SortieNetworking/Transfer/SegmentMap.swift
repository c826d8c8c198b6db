internal import SortieHTTP

/// The segments of a file being downloaded: the position of each, and whether a connection has claimed it (`ResumeRules.md` 5.7).
///
/// The segments are contiguous. A file that one connection fetches has one segment.
struct SegmentMap: Sendable {
    /// The identity of a segment, which changes when another connection takes it over.
    struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// A contiguous range of the file.
    struct Segment: Sendable {
        fileprivate(set) var id: ID
        fileprivate(set) var start: Int64
        /// The offset after the last byte; nil while the length of the file is unknown.
        fileprivate(set) var end: Int64?
        /// The offset of the first missing byte.
        fileprivate(set) var position: Int64
        /// The end of the bytes that are being written; these are not assigned to another connection.
        fileprivate var reserved: Int64
        fileprivate var isClaimed = false
        /// The time of the claim or of the last bytes, in monotonic nanoseconds.
        fileprivate var touchedAt: UInt64 = 0

        var isComplete: Bool { position == end }
        /// The segment in the form for events and manifests.
        var stretch: DownloadSegment { DownloadSegment(start: start, end: end ?? .max, received: position - start) }
    }

    /// The minimum bytes to take from another connection, because a request has a cost.
    static let leastShare: Int64 = 1 << 20
    /// The nanoseconds without a byte after which another connection takes over a segment.
    static let silence: UInt64 = 5_000_000_000

    private(set) var segments: [Segment] = []
    private var lastNumber = 0

    /// Creates the segments that a manifest counts as safe.
    init(_ manifest: DownloadManifest) {
        if manifest.segments.isEmpty {
            add(from: 0, to: manifest.total, position: manifest.committed)
        } else {
            for note in manifest.segments { add(from: note.stretch.start, to: note.stretch.end, position: note.stretch.position) }
        }
        merge()
    }

    private mutating func add(from start: Int64, to end: Int64?, position: Int64) {
        segments.append(Segment(id: nextID(), start: start, end: end, position: position, reserved: position))
    }

    private mutating func nextID() -> ID {
        lastNumber += 1
        return ID(number: lastNumber)
    }

    // MARK: Received bytes

    /// The number of received bytes.
    var received: Int64 { segments.reduce(0) { $0 + $1.position - $1.start } }
    /// The number of received bytes from the first one on, without a gap.
    var prefix: Int64 { (segments.first { !$0.isComplete } ?? segments.last)?.position ?? 0 }
    /// Whether nothing is missing.
    var isComplete: Bool { segments.allSatisfy(\.isComplete) }
    /// The segments where there are several; empty for one connection.
    var stretches: [DownloadSegment] { segments.count > 1 ? segments.map(\.stretch) : [] }

    subscript(id: ID) -> Segment? { segments.first { $0.id == id } }

    private func index(of id: ID) -> Int? { segments.firstIndex { $0.id == id } }

    /// The offset after the last received byte.
    var end: Int64 { segments.last { $0.position > $0.start }?.position ?? 0 }

    // MARK: Bytes

    /// Records that bytes of a segment up to `end` are being written; returns its previous state, nil when the segment no longer exists.
    mutating func reserve(_ id: ID, until end: Int64) -> Segment? {
        guard let index = index(of: id) else { return nil }
        segments[index].reserved = max(segments[index].position, min(end, segments[index].end ?? .max))
        return segments[index]
    }

    /// The segment that begins where `id` ends; nil where none does.
    func segment(after id: ID) -> Segment? {
        index(of: id).flatMap { $0 + 1 < segments.count ? segments[$0 + 1] : nil }
    }

    /// Records that the reserved bytes are written.
    mutating func fill(_ id: ID, now: UInt64) {
        guard let index = index(of: id) else { return }
        segments[index].position = segments[index].reserved
        segments[index].touchedAt = now
    }

    /// Sets the length of the file.
    mutating func setTotal(_ total: Int64) {
        guard let last = segments.indices.last, segments[last].position <= total else { return }
        segments[last].end = total
    }

    /// Drops the last bytes of a file with one segment, as far as they come after `safe`; call this between attempts only.
    ///
    /// - Returns: False where fewer bytes exist.
    mutating func giveUp(_ bytes: Int64, after safe: Int64) -> Bool {
        guard bytes > 0 else { return true }
        guard segments.count == 1, segments[0].position - bytes >= max(safe, 1) else { return false }
        segments[0].position -= bytes
        segments[0].reserved = segments[0].position
        return true
    }

    // MARK: Assignment

    /// Assigns a segment: an unclaimed one; else, where `sharing`, half of the one with the most missing bytes, or all of a stalled one.
    mutating func claim(sharing: Bool, now: UInt64) -> Segment? {
        if let index = segments.firstIndex(where: { !$0.isClaimed && !$0.isComplete }) { return take(index, now) }
        let missing = segments.indices.filter { segments[$0].end != nil && !segments[$0].isComplete }
        guard sharing, let index = missing.max(by: { remaining($0) < remaining($1) }) else { return nil }
        if remaining(index) >= 2 * Self.leastShare { return split(index, now) }
        guard let silent = missing.first(where: { now >= segments[$0].touchedAt + Self.silence }) else { return nil }
        segments[silent].id = nextID()
        return take(silent, now)
    }

    private func remaining(_ index: Int) -> Int64 { (segments[index].end ?? 0) - segments[index].reserved }

    private mutating func take(_ index: Int, _ now: UInt64) -> Segment {
        segments[index].isClaimed = true
        segments[index].touchedAt = now
        return segments[index]
    }

    private mutating func split(_ index: Int, _ now: UInt64) -> Segment? {
        guard let end = segments[index].end else { return nil }
        let middle = end - remaining(index) / 2
        segments[index].end = middle
        segments.insert(Segment(id: nextID(), start: middle, end: end, position: middle, reserved: middle), at: index + 1)
        return take(index + 1, now)
    }

    /// Marks a segment as unclaimed.
    mutating func release(_ id: ID) {
        guard let index = index(of: id) else { return }
        segments[index].isClaimed = false
        giveBack(index)
        merge()
    }

    /// Merges an untouched segment into the preceding one, whose connection may reach it without another request.
    private mutating func giveBack(_ index: Int) {
        guard index > 0, segments[index].position == segments[index].start, !segments[index - 1].isComplete else { return }
        segments[index - 1].end = segments[index].end
        segments.remove(at: index)
    }

    /// Merges complete segments with the following ones.
    private mutating func merge() {
        var index = 0
        while index + 1 < segments.count {
            if segments[index].isComplete, !segments[index].isClaimed {
                segments[index + 1].start = segments[index].start
                segments.remove(at: index)
            } else {
                index += 1
            }
        }
    }

    // MARK: One connection

    /// Merges all segments into one with the bytes before the first gap; bytes after the gap no longer count.
    ///
    /// - Parameter id: The segment whose identity is kept; nil for the first incomplete one.
    mutating func collapse(to id: ID? = nil) {
        guard let last = segments.last, let heir = id.flatMap({ self[$0] }) ?? segments.first(where: { !$0.isComplete }) ?? segments.last else {
            return
        }
        // Bytes being written for the kept segment stay reserved where they follow the first gap.
        let reserved = heir.position == prefix ? heir.reserved : prefix
        var one = heir
        (one.start, one.end, one.position, one.reserved) = (0, last.end, prefix, reserved)
        segments = [one]
    }

    /// Drops all bytes; the segment `id` becomes the whole file.
    mutating func beginAfresh(for id: ID?, total: Int64?) {
        let isClaimed = id.map { self[$0] != nil } ?? false
        segments = [Segment(id: (isClaimed ? id : nil) ?? nextID(), start: 0, end: total, position: 0, reserved: 0, isClaimed: isClaimed)]
    }
}
