internal import SortieNetworking

/// A file of a stub transport that is served in ranges, for downloads that continue (RFC 9110 §14).
///
/// ```swift
/// let file = StubFile(bytes, entityTag: "\"v1\"")
/// stub.on(
///     .get, "/big.iso", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 1000) },  // the first connection breaks
///     { file.response(to: $0) })  // the next one continues
/// ```
public struct StubFile: Sendable {
    /// The content.
    public var bytes: [UInt8]
    /// The value of `ETag`, with its quotation marks; nil for none.
    public var entityTag: String?
    /// The value of `Content-Type`.
    public var contentType = "application/octet-stream"
    /// Whether ranges are served; otherwise every response is the whole file.
    public var servesRanges = true

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - entityTag: The value of `ETag`, with its quotation marks; nil for none.
    public init(_ bytes: [UInt8], entityTag: String? = "\"stub\"") {
        self.bytes = bytes
        self.entityTag = entityTag
    }

    /// The response to a request: 206 for a range, 416 for a range beyond the end, 200 for the whole file, and where `If-Range` has another tag.
    ///
    /// - Parameter request: The request, with a `Range` of one part, such as `bytes=100-` or `bytes=100-199`.
    public func response(to request: RecordedRequest) -> StubResponse {
        var headers: Headers = [HeaderField("Content-Type", contentType)]
        if let entityTag { headers.append("ETag", entityTag) }
        headers.append("Accept-Ranges", servesRanges ? "bytes" : "none")
        let isCurrent = request["If-Range"].map { $0 == entityTag } ?? true
        guard servesRanges, isCurrent, let range = request["Range"].flatMap(parse) else {
            return StubResponse(headers: headers, body: bytes)
        }
        guard range.lowerBound < bytes.count else {
            headers.append("Content-Range", "bytes */\(bytes.count)")
            return StubResponse(status: 416, headers: headers)
        }
        let part = range.clamped(to: 0..<bytes.count)
        headers.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)")
        return StubResponse(status: 206, headers: headers, body: Array(bytes[part]))
    }

    /// The range of a field; nil for one that is not understood, which a server ignores.
    private func parse(_ field: String) -> Range<Int>? {
        guard field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return Int(ends[1]).map { max(0, bytes.count - max(0, $0))..<bytes.count } }
        guard let first = Int(ends[0]) else { return nil }
        guard !ends[1].isEmpty else { return first..<max(first, bytes.count) }
        guard let last = Int(ends[1]), last >= first, last < .max else { return nil }
        return first..<last + 1
    }
}
