internal import SortieBase

extension DownloadManifest {
    /// The record of one segment.
    ///
    /// Like the manifest it counts only bytes that are durable on the disk.
    package struct Segment: Hashable, Sendable {
        /// The segment; `received` is the number of durable bytes.
        package var stretch: DownloadSegment
        /// SHA-256 of its last durable bytes, at most ``DownloadManifest/tailLength`` of them; nil when there are
        /// none.
        package var tailHash: String?

        /// Creates a record.
        package init(_ stretch: DownloadSegment, tailHash: String?) {
            self.stretch = stretch
            self.tailHash = tailHash
        }

        package init?(_ value: JSONValue) {
            guard let start = value.integer("start"), let end = value.integer("end"), let committed = value.integer("committed"),
                start >= 0, start < end, 0...(end - start) ~= committed
            else { return nil }
            self.init(DownloadSegment(start: start, end: end, received: committed), tailHash: value.text("tailHash"))
        }

        package var value: JSONValue {
            [
                "start": .integer(stretch.start), "end": .integer(stretch.end), "committed": .integer(stretch.received),
                "tailHash": .optional(tailHash),
            ]
        }
    }

    /// The number of durable bytes of all segments.
    package var safeBytes: Int64 {
        segments.isEmpty ? committed : segments.reduce(0) { $0 + $1.stretch.received }
    }

    /// Parses the segments; nil when they have gaps, do not cover the file, or contradict `committed`.
    package static func segments(in object: JSONValue, committed: Int64, total: Int64?) -> [Segment]? {
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
    /// The number of bytes received from the start of the file without a gap.
    ///
    /// - Parameter segments: The segments of a file in order.
    package static func prefix(_ segments: [DownloadSegment]) -> Int64 {
        (segments.first { $0.remaining > 0 } ?? segments.last)?.position ?? 0
    }
}
