/// A type of a user's own module `Storage`, which the package sortie must not have.
public struct StorageType: Sendable {
    /// Creates a value.
    public init() {}
}
