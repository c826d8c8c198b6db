/// A type of a user's own module `Base`, which the package sortie must not have.
public struct BaseType: Sendable {
    /// Creates a value.
    public init() {}
}
