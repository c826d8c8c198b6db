internal import CCompression
internal import SortieHTTP

/// Compresses the messages of a WebSocket connection with zlib (RFC 7692 §7.2.1).
///
/// Used on the engine's thread only.
final class WebSocketDeflater {
    private let parameters: WebSocketCompression
    // Allocated, because zlib requires that the address does not change.
    private let stream: UnsafeMutablePointer<z_stream>

    /// The largest message that is compressed, in bytes; larger ones are sent as they are, because the engine's thread compresses them, and other
    /// transfers wait meanwhile.
    static let largestMessage = 1 << 20
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 << 10)

    /// Whether messages can be compressed.
    ///
    /// They are sent as they are where memory is short, and for a window of 256 bytes, which zlib does not support; an agreement permits it
    /// (RFC 7692 §6).
    private let isAvailable: Bool

    init(_ parameters: WebSocketCompression) {
        self.parameters = parameters
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isAvailable = parameters.clientWindowBits > 8 && ccompression_deflate_init(stream, -Int32(parameters.clientWindowBits)) == Z_OK
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// The compressed payload; nil where the message is sent as it is.
    func compress(_ message: [UInt8]) -> [UInt8]? {
        guard isAvailable, !message.isEmpty, message.count <= Self.largestMessage else { return nil }
        var compressed: [UInt8] = []
        message.withUnsafeBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                deflate(stream, Z_SYNC_FLUSH)
                compressed.append(contentsOf: output[..<(output.count - Int(stream.pointee.avail_out))])
            } while stream.pointee.avail_out == 0
        }
        if parameters.clientForgetsMessages { deflateReset(stream) }
        // The flush ends with an empty block, of which the receiver adds the last four bytes.
        compressed.removeLast(4)
        return compressed
    }
}
