/// A type of a user's own module `Benchmarks`, which the package sortie must not have.
public struct BenchmarksType: Sendable {
    /// Creates a value.
    public init() {}
}
