internal import FoundationEssentials
internal import SortieHTTP

/// An entry of the disk cache in the form of its file: a line with the format and the digest, a line with JSON, and the body.
///
/// Only ``DiskCache`` writes these files; ``CacheSecrets`` decides which responses they may contain.
struct StoredResponse: Codable {
    /// Why a file is not an entry, as a sentence.
    struct Damage: Error {
        let reason: String
    }

    /// The first word of a file, with the version of the format.
    private static let format = "sortie-cache-1"

    var target: String
    var question: String
    var method: String
    var url: String
    var service: String?
    var status: Int
    var reason: String
    var httpVersion: String
    var headers: [[String]]
    var trailers: [[String]]
    var wireBytes: Int64
    var remoteAddress: String?
    var storedAt: Int64
    var lifetime: Int64
    var tag: String?
    var variant: String
    var bodyBytes: Int

    init(_ entry: CachedResponse) {
        let response = entry.response
        (target, question) = (entry.key.target.hex, entry.key.question.hex)
        (method, url, service) = (entry.method.rawValue, entry.url.description, entry.service)
        (status, reason, httpVersion) = (response.status, response.reason, response.httpVersion)
        (headers, trailers) = (Self.pairs(response.headers), Self.pairs(response.trailers))
        (wireBytes, remoteAddress) = (response.wireBytes, response.remoteAddress)
        storedAt = Int64((entry.date.timeIntervalSince1970 * 1000).rounded())
        lifetime = Int64(entry.lifetime / .milliseconds(1))
        // The tag may name a user.
        tag = entry.tag.map { Fingerprint([$0]).hex }
        variant = entry.variant
        bodyBytes = response.body.count
    }

    /// The bytes of the file.
    func bytes(body: BodyBytes) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var content = Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        content += body.prefix(body.count)
        return Array("\(Self.format) \(Fingerprint(of: content).hex)\n".utf8) + content
    }

    /// Reads a file.
    ///
    /// - Throws: ``Damage`` for a file that is truncated, changed, or of another version.
    static func reading(_ bytes: [UInt8]) throws(Damage) -> (head: StoredResponse, body: [UInt8]) {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw Damage(reason: "it is not a cache entry") }
        let words = String(decoding: bytes[..<first], as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == format else { throw Damage(reason: "it has another format") }
        let content = Array(bytes[(first + 1)...])
        guard Fingerprint(of: content).hex == words[1] else { throw Damage(reason: "its content was changed or is incomplete") }
        guard let second = content.firstIndex(of: UInt8(ascii: "\n")) else { throw Damage(reason: "it is incomplete") }
        let head: StoredResponse
        do { head = try JSONDecoder().decode(StoredResponse.self, from: Data(content[..<second])) } catch {
            throw Damage(reason: "its head cannot be read")
        }
        let body = Array(content[(second + 1)...])
        guard body.count == head.bodyBytes else { throw Damage(reason: "its body has another length") }
        let times: ClosedRange<Int64> = 0...1 << 50
        guard times.contains(head.storedAt), times.contains(head.lifetime) else { throw Damage(reason: "its times are not valid") }
        return (head, body)
    }

    /// The response, marked as one from the cache.
    func response(body: [UInt8]) -> Response {
        Response(
            status: status, reason: reason, httpVersion: httpVersion, headers: Self.headers(headers), trailers: Self.headers(trailers),
            body: BodyBytes(body), wireBytes: wireBytes, remoteAddress: remoteAddress, isFromCache: true)
    }

    private static func pairs(_ headers: Headers) -> [[String]] { headers.fields.map { [$0.name, $0.value] } }

    private static func headers(_ pairs: [[String]]) -> Headers {
        Headers(pairs.compactMap { $0.count == 2 ? HeaderField($0[0], $0[1]) : nil })
    }

    /// When the response was stored.
    var date: Date { Date(timeIntervalSince1970: Double(storedAt) / 1000) }
}

/// A cached response with the data that determines whether it may be used.
struct CachedResponse: Sendable {
    /// The key of the request.
    let key: CacheKey
    /// The method of the request.
    let method: HTTPMethod
    /// The URL of the request.
    let url: HTTPURL
    /// The service of the request.
    let service: String?
    /// The response, marked as one from the cache.
    var response: Response
    /// When the response was stored or last validated.
    var storedAt: ContinuousClock.Instant
    /// ``storedAt`` in wall-clock time, for the disk and for display, in whole milliseconds.
    var date: Date
    /// How long the response is fresh.
    var lifetime: Duration
    /// A value on which the response depends beside the request.
    var tag: String?
    /// A hash of the request's values of the fields that the response's `Vary` names (RFC 9111 §4.1).
    var variant: String
    /// Identifies the write that created the entry: a late validation must not replace a newer response.
    var generation: UInt64
    /// Whether the entry is on disk.
    var isOnDisk = false

    /// The entry for programs and users.
    var entry: CacheEntry {
        CacheEntry(
            id: key.id, method: method, url: url, service: service, response: response, storedAt: date, lifetime: lifetime, isOnDisk: isOnDisk,
            size: cost)
    }

    /// The size of the entry in bytes: body, fields, and a fixed overhead.
    var cost: Int { Self.cost(of: response) }

    static func cost(of response: Response) -> Int {
        let fields = response.headers.fields + response.trailers.fields
        return response.body.count + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } + overhead
    }

    /// The overhead for key, index and fixed fields, so that many empty responses also stay within the limit.
    static let overhead = 512

    /// The conditional fields with which the server can validate the response (RFC 9110 §13.1); empty when it has no
    /// validator.
    var validators: Headers {
        var headers = Headers()
        if let tag = response.headers["ETag"] { headers.append("If-None-Match", tag) }
        if let date = response.headers["Last-Modified"] { headers.append("If-Modified-Since", date) }
        return headers
    }

    /// A hash of the values of `request` in the fields named by `Vary`; nil for `Vary: *`, which matches no request.
    static func variant(of request: Request, for response: Response) -> String? {
        let names = response.headers.tokens(of: "Vary")
        guard !names.contains("*") else { return nil }
        return Fingerprint(names.sorted().flatMap { [$0, request.headers.values(of: $0).joined(separator: ",")] }).hex
    }
}

/// A SHA-256 hash of a list of strings.
///
/// It is used to compare values that are secret or too long to be stored.
struct Fingerprint: Hashable, Sendable {
    private let digest: [UInt8]

    /// Hashes `parts` in order.
    ///
    /// The length of each part is hashed too, so that moving a byte from one part to the next changes the result.
    init(_ parts: [String]) {
        var message = MessageDigest(.sha256)
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { message.update($0) }
            message.update(part.utf8)
        }
        digest = message.digest
    }

    /// Hashes bytes.
    init(of bytes: [UInt8]) {
        digest = HashFunction.sha256.digest(of: bytes)
    }

    /// The hash as 64 lower-case hexadecimal digits.
    var hex: String { HexDigits.text(digest) }
}
