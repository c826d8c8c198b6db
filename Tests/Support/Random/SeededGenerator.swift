internal import SortieBase

/// A random number generator that gives the same numbers for the same seed.
///
/// A random test takes its seed as an argument, so that the message of a failure has it.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Creates a generator.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// The next number.
    public mutating func next() -> UInt64 { generator.next() }
}
