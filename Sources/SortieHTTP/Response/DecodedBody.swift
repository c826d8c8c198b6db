internal import SortieBase

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
    package init?(_ body: BodyBytes, contentType: String?) {
        let (kind, encoding) = BodyKind.detect(ContentType(contentType), body, isFinal: true)
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
