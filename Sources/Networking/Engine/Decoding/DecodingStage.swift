/// The decoder of one content coding, fed piece by piece with bounded memory.
///
/// Used on the engine's thread only.
protocol DecodingStage: AnyObject {
    /// Decodes as much of `input` as `output` has room for.
    ///
    /// With an empty `input` it gives what it still holds.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether the encoded data may end after what was decoded: at the end of a stream, or before the first byte.
    var mayEnd: Bool { get }
}

/// What one call of a ``DecodingStage`` did.
struct DecodingStep {
    /// How many bytes of the input were used.
    var consumed: Int
    /// How many bytes of output were made; they are valid although there is a failure.
    var produced: Int
    /// Why nothing more can be decoded.
    var failure: String?
}
