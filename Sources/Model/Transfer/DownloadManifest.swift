/// What is noted about a part on the disk, so that the download can go on after anything that happens (S2.33, S2.34): `FILE.part.json`.
///
/// One JSON object whose last field is a checksum of the others. Fields that this version does not know are kept. It only ever names bytes that were
/// on the disk before it was.
public struct DownloadManifest: Hashable, Sendable {
    /// How far the download is.
    public enum Stage: String, Hashable, Sendable {
        /// Bytes are missing.
        case loading
        /// All are there; the file is about to get its name.
        case finalising
    }

    /// The version of the format.
    public static let version = 1

    /// Which download it is: request and destination, as a digest.
    public var key: String
    /// The URL as ``shown(_:)`` has it.
    public var url: String
    /// The URL after redirects, as ``shown(_:)`` has it.
    public var finalURL: String?
    /// The path of the finished file.
    ///
    /// It is checked against the download's own folder and name before it is used: the file may have been written by another program.
    public var destination: String
    /// `ETag` as it came.
    public var entityTag: String?
    /// `Last-Modified` as it came.
    public var lastModified: String?
    /// `Date` of the answer that the bytes are from.
    public var date: String?
    /// How many bytes the file has, where that is known.
    public var total: Int64?
    /// How many bytes of the part are safely on the disk, from the first one on without a hole.
    public var committed: Int64 = 0
    /// What is safe of each stretch where several connections fetch the file; in their order, without holes between them, empty for one stream.
    public var segments: [Segment] = []
    /// SHA-256 of the last bytes before `committed`, at most ``tailLength`` of them.
    public var tailHash: String?
    /// The digest that the finished file must have, as `sha-256=HEX`.
    public var expectedDigest: String?
    /// Whether the rest can be asked for: not where the server encoded the file.
    public var isResumable = true
    /// Whether this server is known to send the whole file only.
    public var ignoresRanges = false
    /// How far it is.
    public var stage = Stage.loading
    /// How many attempts were made.
    public var attempts = 0
    /// How often it began again.
    public var restarts = 0
    /// When it began, in seconds since 1970.
    public var createdAt: Int64
    /// When it was written, in seconds since 1970.
    public var updatedAt: Int64
    /// Fields of other versions.
    private var others: [JSONValue.Member] = []

    /// How many bytes ``tailHash`` is of.
    public static let tailLength: Int64 = 64 << 10

    /// A download that has nothing yet.
    public init(key: String, url: String, destination: String, now: Int64) {
        self.key = key
        self.url = url
        self.destination = destination
        createdAt = now
        updatedAt = now
    }

    /// A URL as it may be kept: without its query, in which signatures and tokens are.
    ///
    /// The key tells two queries apart.
    public static func shown(_ url: HTTPURL) -> String {
        var url = url
        url.query = nil
        return url.description
    }

    /// By what the file is recognized.
    public var validator: EntityValidator {
        var headers = Headers()
        if let entityTag { headers.append("ETag", entityTag) }
        if let lastModified { headers.append("Last-Modified", lastModified) }
        if let date { headers.append("Date", date) }
        return EntityValidator(headers)
    }

    /// Notes what an answer says of the file of which it brings bytes.
    public mutating func take(_ headers: Headers, total: Int64?) {
        entityTag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        date = headers["Date"]
        self.total = total
        isResumable = !ResumeAnswer.isEncoded(headers)
    }

    // MARK: Text

    /// Reads what ``text`` wrote; nil when it is not that, or not as it was written.
    public init?(reading bytes: [UInt8]) {
        let object: JSONValue
        do { object = try JSONValue(parsing: bytes) } catch { return nil }
        guard case .object(let members) = object, members.last?.key == "crc32", case .string(let checksum)? = members.last?.value,
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
        date = object.text("date")
        total = object.integer("total")
        self.committed = committed
        self.segments = segments
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

    /// One line of JSON.
    public var text: String {
        let body = knownMembers + others
        return JSONValue.object(body + [.init("crc32", .string(Self.checksum(.object(body))))]).text + "\n"
    }

    private var knownMembers: [JSONValue.Member] {
        func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
        return [
            .init("v", .integer(Self.version)), .init("key", .string(key)), .init("method", "GET"), .init("url", .string(url)),
            .init("finalURL", .optional(finalURL)), .init("dest", .string(destination)), .init("etag", .optional(entityTag)),
            .init("etagWeak", .bool(entityTag.map { !EntityValidator.isStrong($0) } ?? false)),
            .init("lastModified", .optional(lastModified)), .init("date", .optional(date)), .init("total", number(total)),
            .init("committed", .integer(committed)), .init("tailHash", .optional(tailHash)),
            .init("segments", segments.isEmpty ? .null : .array(segments.map(\.value))),
            .init("expectedDigest", .optional(expectedDigest)), .init("resumable", .bool(isResumable)),
            .init("noRange", .bool(ignoresRanges)), .init("state", .string(stage.rawValue)), .init("attempts", .integer(attempts)),
            .init("restarts", .integer(restarts)), .init("createdAt", .integer(createdAt)), .init("updatedAt", .integer(updatedAt)),
        ]
    }

    /// A count that can be added to, whatever the file says.
    private static func count(_ value: Int64?) -> Int { Int(min(max(value ?? 0, 0), 1 << 31)) }

    private static func checksum(_ value: JSONValue) -> String {
        let digits = String(Checksum.crc32(value.text.utf8), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension JSONValue {
    func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    func integer(_ key: String) -> Int64? {
        if case .number(let text)? = self[key] { Int64(text) } else { nil }
    }
}
