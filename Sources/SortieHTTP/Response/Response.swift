public import SortieBase

/// The response of a server.
///
/// A 4xx or 5xx status is a response, not an error. Copies share their storage until one of them changes.
public struct Response: Hashable, Sendable {
    /// The properties, which are documented at those of the response.
    @usableFromInline
    struct Storage: Hashable, Sendable {
        @usableFromInline var status: Int
        @usableFromInline var reason: String
        @usableFromInline var httpVersion: String
        @usableFromInline var headers: Headers
        @usableFromInline var trailers: Headers
        @usableFromInline var informational: [InformationalResponse] = []
        @usableFromInline var body: BodyBytes
        @usableFromInline var truncation: String?
        @usableFromInline var wireBytes: Int64
        @usableFromInline var remoteAddress: String?
        @usableFromInline var isFromCache: Bool
        @usableFromInline var url: HTTPURL?
    }

    @usableFromInline var storage: CopyOnWrite<Storage>

    /// The status code.
    public var status: Int {
        @inlinable _read { yield storage.wrappedValue.status }
        @inlinable _modify { yield &storage.wrappedValue.status }
    }
    /// The reason phrase; empty in HTTP/2.
    public var reason: String {
        @inlinable _read { yield storage.wrappedValue.reason }
        @inlinable _modify { yield &storage.wrappedValue.reason }
    }
    /// `1.0`, `1.1` or `2`.
    public var httpVersion: String {
        @inlinable _read { yield storage.wrappedValue.httpVersion }
        @inlinable _modify { yield &storage.wrappedValue.httpVersion }
    }
    /// The header fields in the order of arrival.
    public var headers: Headers {
        @inlinable _read { yield storage.wrappedValue.headers }
        @inlinable _modify { yield &storage.wrappedValue.headers }
    }
    /// The trailer fields.
    public var trailers: Headers {
        @inlinable _read { yield storage.wrappedValue.trailers }
        @inlinable _modify { yield &storage.wrappedValue.trailers }
    }
    /// The informational responses that preceded this one, such as 103 with links (RFC 8297), in their order; without 100, and at most 16.
    package var informational: [InformationalResponse] {
        @inlinable _read { yield storage.wrappedValue.informational }
        @inlinable _modify { yield &storage.wrappedValue.informational }
    }
    /// The decoded body.
    public var body: BodyBytes {
        @inlinable _read { yield storage.wrappedValue.body }
        @inlinable _modify { yield &storage.wrappedValue.body }
    }
    /// Why the body is incomplete, as a sentence; nil when it is complete.
    public var truncation: String? {
        @inlinable _read { yield storage.wrappedValue.truncation }
        @inlinable _modify { yield &storage.wrappedValue.truncation }
    }
    /// The number of body bytes received, before decoding.
    public var wireBytes: Int64 {
        @inlinable _read { yield storage.wrappedValue.wireBytes }
        @inlinable _modify { yield &storage.wrappedValue.wireBytes }
    }
    /// The address and port of the server, such as `127.0.0.1:8080`.
    public var remoteAddress: String? {
        @inlinable _read { yield storage.wrappedValue.remoteAddress }
        @inlinable _modify { yield &storage.wrappedValue.remoteAddress }
    }
    /// Whether the response came from the cache.
    public var isFromCache: Bool {
        @inlinable _read { yield storage.wrappedValue.isFromCache }
        @inlinable _modify { yield &storage.wrappedValue.isFromCache }
    }
    /// The URL of the request to which the server responded, after redirects; nil for a response that the program made.
    public var url: HTTPURL? {
        @inlinable _read { yield storage.wrappedValue.url }
        @inlinable _modify { yield &storage.wrappedValue.url }
    }

    /// Creates a response.
    public init(
        status: Int, reason: String = "", httpVersion: String = "1.1", headers: Headers = [], trailers: Headers = [],
        body: BodyBytes = .empty, truncation: String? = nil, wireBytes: Int64 = 0, remoteAddress: String? = nil,
        isFromCache: Bool = false
    ) {
        storage = CopyOnWrite(
            wrappedValue: Storage(
                status: status, reason: reason, httpVersion: httpVersion, headers: headers, trailers: trailers, body: body, truncation: truncation,
                wireBytes: wireBytes, remoteAddress: remoteAddress, isFromCache: isFromCache))
    }

    /// The status line and the fields, without the body.
    public var head: Response {
        var head = self
        head.body = .empty
        return head
    }

    /// The media type of the body: the value of `Content-Type`, and for an opened WebSocket connection that of the recorded messages.
    public var contentType: String? { isWebSocket ? Self.webSocketRecordType : headers["Content-Type"] }

    /// Whether the response opens a WebSocket connection (RFC 6455 §4.2.2).
    package var isWebSocket: Bool { status == 101 && headers["Upgrade"]?.lowercased() == "websocket" }

    /// The media type of recorded messages: lines of JSON.
    package static let webSocketRecordType = "application/vnd.sortie.websocket+jsonl"

    /// Whether the status means success (200–299).
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// A response with a status from 102 to 199, which precedes the final one (RFC 9110 §15.2).
@usableFromInline
package struct InformationalResponse: Hashable, Sendable {
    /// The status code.
    package var status: Int
    /// The reason phrase; empty in HTTP/2.
    package var reason: String
    /// The header fields in the order of arrival.
    package var headers: Headers

    /// Creates an informational response.
    package init(status: Int, reason: String = "", headers: Headers = []) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }
}

extension Response {
    /// The body in UTF-8, decoded from a charset, whatever the response declares.
    ///
    /// Bytes that are invalid in the charset become U+FFFD.
    ///
    /// - Parameter charset: A label such as `gbk` or `iso-8859-1`, case-insensitive (WHATWG Encoding §4.2).
    /// - Throws: `invalidOption` for a charset that this machine does not support.
    public func utf8Body(charset: String) throws(NetworkError) -> BodyBytes {
        guard let encoding = TextEncoding(label: charset) else { throw .unknownCharset(charset) }
        guard encoding != .utf8 else { return body }
        guard let decoder = DecodedText(encoding, skipping: encoding.lengthOfMark(in: body)) else { throw .unknownCharset(charset) }
        return decoder.advance(over: body, to: body.count, isFinal: true).text
    }

    /// The body as text, decoded from a charset, whatever the response declares.
    ///
    /// - Parameter charset: A label such as `gbk` or `iso-8859-1`, case-insensitive (WHATWG Encoding §4.2).
    /// - Throws: `invalidOption` for a charset that this machine does not support.
    public func text(charset: String) throws(NetworkError) -> String {
        let bytes = try utf8Body(charset: charset)
        return bytes.string(in: 0..<bytes.count)
    }
}

extension NetworkError {
    fileprivate static func unknownCharset(_ charset: String) -> NetworkError {
        NetworkError(.invalidOption, "the charset “\(charset)” is not supported")
    }
}

extension Response {
    /// The format that the `Content-Type` declares; nil for a type that is none of them.
    public var format: ResponseFormat? {
        guard let type = contentType.flatMap(MediaType.init) else { return nil }
        if type.isJSON { return .json }
        if type.essence == "application/x-plist" || type.essence.hasSuffix("+plist") { return .plist }
        if type.essence == "application/xml" || type.essence == "text/xml" || type.essence.hasSuffix("+xml") { return .xml }
        return type.essence.hasPrefix("text/") ? .text : nil
    }

    /// The body as a value for JSON paths.
    ///
    /// - Parameter format: The format of the body; nil for the declared one, where that is XML or a property list, and otherwise JSON.
    /// - Throws: A `BodyProblem` with the position of the error, for a body that does not have the format.
    public func value(as format: ResponseFormat? = nil) throws(BodyProblem) -> JSONValue {
        let declared = self.format
        switch format ?? (declared == .xml || declared == .plist ? declared : .json) {
        case .text: return .string(try readText())
        case .xml: return try XMLTree(parsing: utf8Body).json
        case .plist: return try XMLTree(parsing: utf8Body).propertyList()
        case .json, nil: return try JSONValue(parsing: utf8Body)
        }
    }

    /// The text of the body in its charset.
    ///
    /// - Throws: A `BodyProblem` for a binary body.
    public func readText() throws(BodyProblem) -> String {
        guard !body.isEmpty else { return "" }
        guard let text else { throw BodyProblem(message: "not text: the body is binary", line: 1, column: 1, byte: 0) }
        return text
    }
}

extension Response {
    /// The announced size of the body in bytes, before decoding (RFC 9110 §8.6); nil where the length is not announced.
    package var announcedBytes: Int64? {
        guard !headers.contains("Transfer-Encoding"), let length = headers["Content-Length"] else { return nil }
        return Int64(length).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// How much of an incomplete body arrived, such as `12 of 100 bytes`; nil for a complete body.
    ///
    /// A body with a content coding is measured before decoding, as its announced size is.
    package var receivedShare: String? {
        guard truncation != nil else { return nil }
        let isCoded = headers.contains("Content-Encoding")
        let received = isCoded ? max(wireBytes, 0) : max(wireBytes, Int64(body.count))
        guard let total = announcedBytes, total > received || total == received && received > 0 else {
            return received == 0 ? nil : "\(Self.text(received)) of an unknown number"
        }
        return total < 10_000 ? "\(received) of \(total) bytes" : "\(ByteCount(received).text) of \(ByteCount(total).text)"
    }

    private static func text(_ count: Int64) -> String {
        count < 10_000 ? ItemCount.text(count, "byte") : ByteCount(count).text
    }
}

/// The text of a body, decoded from its declared encoding.
package struct DecodedBody: Sendable {
    /// The name of the encoding, such as `UTF-8` or `GBK`.
    package let charset: String
    /// The text in UTF-8; the body itself where that is its encoding.
    package let utf8: BodyBytes
    /// The number of invalid sequences; each one is U+FFFD in the text.
    package let invalidSequences: Int

    /// Decodes a body; nil when the body is binary.
    ///
    /// A body in UTF-8 is neither decoded nor checked: ``utf8`` is the body, and ``invalidSequences`` is 0.
    ///
    /// - Parameter isCut: Whether more bytes follow, so that the last character may be incomplete.
    package init?(_ body: BodyBytes, contentType: String?, isCut: Bool = false) {
        let (kind, encoding) = BodyKind.detect(ContentType(contentType), body, isFinal: !isCut)
        guard kind != .binary else { return nil }
        charset = encoding.name
        guard encoding != .utf8, let decoder = DecodedText(encoding, skipping: encoding.lengthOfMark(in: body)) else {
            utf8 = body
            invalidSequences = 0
            return
        }
        let decoded = decoder.advance(over: body, to: body.count, isFinal: true)
        utf8 = decoded.text
        invalidSequences = decoded.invalidSequences
    }

    /// The text.
    package var text: String { utf8.string(in: 0..<utf8.count) }
}

extension Response {
    /// The body as text in the encoding declared by `Content-Type`, a byte order mark or the document, else in UTF-8; nil for a binary body.
    ///
    /// Bytes that are invalid in the encoding become U+FFFD. ``body`` keeps the bytes.
    public var text: String? { DecodedBody(body, contentType: contentType)?.text }

    /// The body in UTF-8, for parsers: decoded where another encoding is declared, unchanged where it is UTF-8 or binary.
    public var utf8Body: BodyBytes { DecodedBody(body, contentType: contentType)?.utf8 ?? body }
}
