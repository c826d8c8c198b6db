internal import CCompression

/// Decodes brotli (RFC 7932), whose window is at most 16 MiB.
final class BrotliStage: DecodingStage {
    private let state: OpaquePointer
    private var hasBegun = false
    private var hasEnded = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    var mayEnd: Bool { hasEnded || !hasBegun }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if hasEnded {
            return DecodingStep(consumed: 0, produced: 0, failure: input.isEmpty ? nil : "other data follows its end")
        }
        guard hasBegun || !input.isEmpty else { return DecodingStep(consumed: 0, produced: 0) }
        hasBegun = true
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
        var step = DecodingStep(consumed: input.count - available, produced: output.count - room)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
        case BROTLI_DECODER_RESULT_ERROR:
            step.failure = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map { String(cString: $0) } ?? "the data is damaged"
        default: break
        }
        return step
    }
}
