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
