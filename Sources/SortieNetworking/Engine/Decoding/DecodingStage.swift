/// The decoder of one content coding.
///
/// It takes input in pieces and uses bounded memory.
///
/// Used on the engine's thread only.
protocol DecodingStage: AnyObject {
    /// Decodes as much of `input` as fits into `output`.
    ///
    /// With an empty `input` it returns output that it still holds.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether the encoded data may end here: at the end of a stream, or before the first byte.
    var mayEnd: Bool { get }
}

/// The result of one call of a ``DecodingStage``.
struct DecodingStep {
    /// The number of input bytes used.
    var consumed: Int
    /// The number of output bytes.
    ///
    /// They are valid even when `failure` is set.
    var produced: Int
    /// Why decoding cannot continue.
    var failure: String?
}
