internal import SortieBase

/// The messages of a gRPC body: each follows a flag for compression and its length (gRPC over HTTP/2, “Length-Prefixed-Message”).
package struct GRPCFrames: Sendable {
    /// The size of what precedes a message.
    private static let prefix = 5
    /// The largest accepted message in bytes.
    package let limit: Int
    private var bytes: [UInt8] = []

    package init(limit: Int) { self.limit = limit }

    /// A message with its prefix, not compressed.
    package static func frame(_ message: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0]
        withUnsafeBytes(of: UInt32(message.count).bigEndian) { bytes += $0 }
        return bytes + message
    }

    /// Whether a message has begun and not ended.
    package var hasRest: Bool { !bytes.isEmpty }

    /// Adds received bytes and returns the messages that are complete.
    ///
    /// - Throws: An error for a compressed message, because none was requested, and for one above the limit. Nothing can be added afterwards.
    package mutating func append(_ new: some Sequence<UInt8>) throws(ProtobufError) -> [ArraySlice<UInt8>] {
        bytes += new
        var messages: [ArraySlice<UInt8>] = []
        var start = 0
        while bytes.count - start >= Self.prefix {
            guard bytes[start] == 0 else { throw ProtobufError("the server compressed a message, which was not requested") }
            let length = bytes[(start + 1)..<(start + Self.prefix)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= limit else { throw ProtobufError("a message has \(ByteCount(length).text), the limit is \(ByteCount(limit).text)") }
            let end = start + Self.prefix + length
            guard bytes.count >= end else { break }
            messages.append(bytes[(start + Self.prefix)..<end])
            start = end
        }
        bytes.removeFirst(start)
        return messages
    }
}
