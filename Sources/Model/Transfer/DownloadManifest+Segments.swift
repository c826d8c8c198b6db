extension DownloadManifest {
    /// What is noted of one segment: as of the whole, only bytes that were on the disk before.
    public struct Segment: Hashable, Sendable {
        /// The stretch of the file; `received` is what is safe of it.
        public var stretch: DownloadSegment
        /// SHA-256 of its last safe bytes, at most ``DownloadManifest/tailLength`` of them; nil where it has none.
        public var tailHash: String?

        /// A note.
        public init(_ stretch: DownloadSegment, tailHash: String?) {
            self.stretch = stretch
            self.tailHash = tailHash
        }

        init?(_ value: JSONValue) {
            guard let start = value.integer("start"), let end = value.integer("end"), let committed = value.integer("committed"),
                start >= 0, start < end, 0...(end - start) ~= committed
            else { return nil }
            self.init(DownloadSegment(start: start, end: end, received: committed), tailHash: value.text("tailHash"))
        }

        var value: JSONValue {
            [
                "start": .integer(stretch.start), "end": .integer(stretch.end), "committed": .integer(stretch.received),
                "tailHash": .optional(tailHash),
            ]
        }
    }

    /// How many bytes are safe, those of all segments together.
    public var safeBytes: Int64 {
        segments.isEmpty ? committed : segments.reduce(0) { $0 + $1.stretch.received }
    }

    /// Reads the segments; nil when they are not one file without holes, whose first bytes are those that are noted as safe.
    static func segments(in object: JSONValue, committed: Int64, total: Int64?) -> [Segment]? {
        guard let value = object["segments"], value != .null else { return [] }
        guard case .array(let values) = value else { return nil }
        let segments = values.compactMap { Segment($0) }
        guard segments.count == values.count else { return nil }
        guard let first = segments.first, let last = segments.last else { return [] }
        let isWhole = first.stretch.start == 0 && last.stretch.end == total
        let hasNoHole = zip(segments, segments.dropFirst()).allSatisfy { $0.stretch.end == $1.stretch.start }
        return isWhole && hasNoHole && DownloadSegment.prefix(segments.map(\.stretch)) == committed ? segments : nil
    }
}

extension DownloadSegment {
    /// How many bytes are here from the file's first one on, without a hole.
    ///
    /// - Parameter segments: those of a file, in their order.
    public static func prefix(_ segments: [DownloadSegment]) -> Int64 {
        (segments.first { $0.remaining > 0 } ?? segments.last)?.position ?? 0
    }
}
