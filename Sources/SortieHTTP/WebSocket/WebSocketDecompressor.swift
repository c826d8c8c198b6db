/// Decompresses the messages of one connection (RFC 7692 §7.2.2).
package protocol WebSocketDecompressor: AnyObject {
    /// Decompresses a part of a message and appends the result to `message`.
    ///
    /// - Parameters:
    ///   - part: The next bytes of the payload of the message.
    ///   - isLast: Whether the part ends the message.
    ///   - message: The decompressed bytes so far.
    ///   - limit: The largest accepted size of `message`.
    /// - Throws: `compressedData` for invalid data, and `messageLimit` before the message becomes larger than the limit.
    func decompress(_ part: ArraySlice<UInt8>, isLast: Bool, into message: inout [UInt8], limit: Int) throws(WebSocketError)
}
