internal import SortieBase

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
