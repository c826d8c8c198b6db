internal import SortieHTTP

/// Decompresses the messages of a WebSocket connection with zlib.
///
/// It uses memory from the first compressed message on; where the server compresses each message alone, only during a message. Used on the engine's
/// thread only.
final class WebSocketInflater: WebSocketDecompressor {
    private let parameters: WebSocketCompression
    private var stage: InflatingStage?

    /// What a sender removes from the end of a message (RFC 7692 §7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xff, 0xff]
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    init(_ parameters: WebSocketCompression) {
        self.parameters = parameters
    }

    deinit { output.deallocate() }

    func decompress(_ part: ArraySlice<UInt8>, isLast: Bool, into message: inout [UInt8], limit: Int) throws(WebSocketError) {
        guard let stage = stage ?? InflatingStage(.raw) else { throw WebSocketError(.compressedData, "no memory to decompress it") }
        self.stage = stage
        try inflate(part, with: stage, into: &message, limit)
        guard isLast else { return }
        // A final block needs no tail.
        if !stage.hasEnded { try inflate(Self.tail[...], with: stage, into: &message, limit) }
        guard stage.isBetweenBlocks else { throw WebSocketError(.compressedData, "the message ends within its data") }
        if parameters.serverForgetsMessages { self.stage = nil }
    }

    private func inflate(
        _ input: ArraySlice<UInt8>, with stage: InflatingStage, into message: inout [UInt8], _ limit: Int
    ) throws(WebSocketError) {
        try input.withUnsafeBufferPointer { (input) throws(WebSocketError) in
            var rest = UnsafeRawBufferPointer(input)
            // After the end of the input, output may be left only where it filled the buffer.
            var mayHaveMore = false
            while !rest.isEmpty || mayHaveMore {
                let step = stage.decode(rest, into: output)
                guard message.count + step.produced <= limit else {
                    throw WebSocketError(.messageLimit, "the decompressed message has more than \(limit) bytes")
                }
                message.append(contentsOf: output[..<step.produced])
                if let failure = step.failure { throw WebSocketError(.compressedData, failure) }
                if step.consumed == 0, step.produced == 0, !rest.isEmpty { throw WebSocketError(.compressedData, "the decoder makes no progress") }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
                mayHaveMore = step.produced == output.count
            }
        }
    }
}
