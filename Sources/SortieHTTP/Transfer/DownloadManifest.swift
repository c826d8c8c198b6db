internal import SortieBase

/// The checkpoint of a partial file, from which a download resumes after any interruption:
/// `FILE.part.json`.
///
/// One JSON object whose last field is a checksum of the others. Unknown fields are preserved. A manifest is written
/// only after the bytes that it records are on the disk.
package struct DownloadManifest: Hashable, Sendable {
    /// The stage of the download.
    package enum Stage: String, Hashable, Sendable {
        /// Bytes are missing.
        case loading
        /// All bytes are present; the file is about to be renamed.
        case finalising
    }

    /// The version of the format.
    package static let version = 1

    /// A digest that identifies the download by request and destination.
    package var key: String
    /// The URL in the form of ``shown(_:)``.
    package var url: String
    /// The URL after redirects, in the form of ``shown(_:)``.
    package var finalURL: String?
    /// The path of the finished file.
    ///
    /// It is compared with the folder and name of the download before use, because another program may have written
    /// the manifest.
    package var destination: String
    /// The `ETag` field value.
    package var entityTag: String?
    /// The `Last-Modified` field value.
    package var lastModified: String?
    /// The `Content-Type` field value.
    package var contentType: String?
    /// The `Date` field value of the response that the bytes come from.
    package var date: String?
    /// The size of the file in bytes, where it is known.
    package var total: Int64?
    /// The number of durable bytes from the start of the file without a gap.
    package var committed: Int64 = 0
    /// The durable bytes of each segment, where several connections fetch the file: in order, without gaps; empty for
    /// one connection.
    package var segments: [Segment] = []
    /// SHA-256 of the last bytes before `committed`, at most ``tailLength`` of them.
    package var tailHash: String?
    /// The expected digest of the finished file, as `sha-256=HEX`.
    package var expectedDigest: String?
    /// Whether the download can resume; false where the server encoded the file.
    package var isResumable = true
    /// Whether this server is known to ignore ranges.
    package var ignoresRanges = false
    /// The stage.
    package var stage = Stage.loading
    /// The number of attempts.
    package var attempts = 0
    /// The number of restarts.
    package var restarts = 0
    /// When the download started, in seconds since 1970.
    package var createdAt: Int64
    /// When the manifest was written, in seconds since 1970.
    package var updatedAt: Int64
    /// Unknown fields.
    private var others: [JSONValue.Member] = []

    /// The largest number of bytes that ``tailHash`` covers.
    package static let tailLength: Int64 = 64 << 10

    /// Creates the manifest of a download without any bytes.
    package init(key: String, url: String, destination: String, now: Int64) {
        (self.key, self.url, self.destination) = (key, url, destination)
        createdAt = now
        updatedAt = now
    }

    /// The URL in the form that may be stored: without its query, which may contain signatures and tokens.
    ///
    /// The key distinguishes queries.
    package static func shown(_ url: HTTPURL) -> String {
        var url = url
        url.query = nil
        return url.description
    }

    /// The validator of the file.
    package var validator: EntityValidator {
        var headers = Headers()
        if let entityTag { headers.append("ETag", entityTag) }
        if let lastModified { headers.append("Last-Modified", lastModified) }
        if let date { headers.append("Date", date) }
        return EntityValidator(headers)
    }

    /// Records the metadata of a response whose bytes are stored.
    package mutating func take(_ headers: Headers, total: Int64?) {
        entityTag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        contentType = headers["Content-Type"]
        date = headers["Date"]
        self.total = total
        isResumable = !RangeDecision.isEncoded(headers)
    }

    // MARK: Text

    /// Parses the output of ``text``; nil when the format or the checksum is wrong.
    package init?(reading bytes: [UInt8]) {
        guard let object = JSONValue(ifValid: bytes), case .object(let members) = object,
            members.last?.key == "crc32", case .string(let checksum)? = members.last?.value,
            checksum == Self.checksum(.object(members.dropLast())), object.integer("v") == Int64(Self.version),
            let key = object.text("key"), let url = object.text("url"),
            let destination = object.text("dest"), let committed = object.integer("committed"), committed >= 0,
            let stage = object.text("state").flatMap({ Stage(rawValue: $0) }),
            object.integer("total").map({ $0 >= committed }) ?? true,
            let segments = Self.segments(in: object, committed: committed, total: object.integer("total"))
        else { return nil }
        self.init(key: key, url: url, destination: destination, now: object.integer("createdAt") ?? 0)
        finalURL = object.text("finalURL")
        entityTag = object.text("etag")
        lastModified = object.text("lastModified")
        contentType = object.text("contentType")
        date = object.text("date")
        total = object.integer("total")
        (self.committed, self.segments) = (committed, segments)
        tailHash = object.text("tailHash")
        expectedDigest = object.text("expectedDigest")
        isResumable = object["resumable"] != .bool(false)
        ignoresRanges = object["noRange"] == .bool(true)
        self.stage = stage
        attempts = Self.count(object.integer("attempts"))
        restarts = Self.count(object.integer("restarts"))
        updatedAt = object.integer("updatedAt") ?? 0
        let known = Set(knownMembers.map(\.key) + ["crc32"])
        others = members.filter { !known.contains($0.key) }
    }

    /// The manifest as one line of JSON.
    package var text: String {
        let body = knownMembers + others
        return JSONValue.object(body + [.init("crc32", .string(Self.checksum(.object(body))))]).text + "\n"
    }

    private var knownMembers: [JSONValue.Member] {
        func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
        return [
            .init("v", .integer(Self.version)), .init("key", .string(key)), .init("method", "GET"), .init("url", .string(url)),
            .init("finalURL", .optional(finalURL)), .init("dest", .string(destination)), .init("etag", .optional(entityTag)),
            .init("etagWeak", .bool(entityTag.map { !EntityValidator.isStrong($0) } ?? false)),
            .init("lastModified", .optional(lastModified)), .init("contentType", .optional(contentType)), .init("date", .optional(date)),
            .init("total", number(total)),
            .init("committed", .integer(committed)), .init("tailHash", .optional(tailHash)),
            .init("segments", segments.isEmpty ? .null : .array(segments.map(\.value))),
            .init("expectedDigest", .optional(expectedDigest)), .init("resumable", .bool(isResumable)),
            .init("noRange", .bool(ignoresRanges)), .init("state", .string(stage.rawValue)), .init("attempts", .integer(attempts)),
            .init("restarts", .integer(restarts)), .init("createdAt", .integer(createdAt)), .init("updatedAt", .integer(updatedAt)),
        ]
    }

    /// A count from the file, clamped so that it can be incremented.
    private static func count(_ value: Int64?) -> Int { Int(min(max(value ?? 0, 0), 1 << 31)) }

    private static func checksum(_ value: JSONValue) -> String {
        HexDigits.text(of: Checksum.crc32(value.text.utf8), digits: 8)
    }
}

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
            (self.stretch, self.tailHash) = (stretch, tailHash)
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

/// A range of a file that one of several connections fetches (`ResumeRules.md` 5.7).
public struct DownloadSegment: Hashable, Sendable {
    /// The offset of the first byte in the file.
    public var start: Int64
    /// The offset after the last byte.
    public var end: Int64
    /// The number of received bytes from the start of the segment.
    public var received: Int64

    /// Creates a segment.
    public init(start: Int64, end: Int64, received: Int64 = 0) {
        (self.start, self.end, self.received) = (start, end, received)
    }

    /// The offset of the first missing byte.
    public var position: Int64 { start + received }
    /// The number of missing bytes.
    public var remaining: Int64 { end - position }
}
