/// A type of a user's own module `Model`, which the package sortie must not have.
public struct ModelType: Sendable {
    /// Creates a value.
    public init() {}
}
