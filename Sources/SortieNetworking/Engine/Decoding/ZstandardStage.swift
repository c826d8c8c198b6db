internal import CCompression

/// Decodes zstd with any number of frames (RFC 8878 §3.1).
final class ZstandardStage: DecodingStage {
    /// The largest window, as a power of two.
    ///
    /// A server may use at most 8 MiB (RFC 9659 §3).
    private static let windowLimit: Int32 = 23

    private let context: OpaquePointer
    private var isBetweenFrames = true
    /// The beginning of the current frame, at most its magic number.
    private var magic: [UInt8] = []

    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLimit)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    var mayEnd: Bool { isBetweenFrames }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        guard !input.isEmpty || !isBetweenFrames else { return DecodingStep(consumed: 0, produced: 0) }
        let beginning = magic + input.prefix(4 - magic.count)
        guard Self.isMagicNumber(beginning) else { return DecodingStep(consumed: 0, produced: 0, failure: "Unknown frame descriptor") }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(context, &target, &source)
        var step = DecodingStep(consumed: source.pos, produced: target.pos)
        if ZSTD_isError(result) != 0 {
            step.failure = String(cString: ZSTD_getErrorName(result))
        } else {
            isBetweenFrames = result == 0
            magic = isBetweenFrames ? [] : beginning
        }
        return step
    }

    /// Whether a frame of RFC 8878 may begin so.
    ///
    /// libzstd also decodes formats before version 0.8, and after their errors counts bytes that it has not written: those of an earlier body.
    private static func isMagicNumber(_ beginning: [UInt8]) -> Bool {
        let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
        let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18]
        return frame.starts(with: beginning) || skippable.starts(with: beginning) { $1 & ($0 == 0x50 ? 0xf0 : 0xff) == $0 }
    }
}
