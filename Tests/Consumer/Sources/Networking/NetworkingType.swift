/// A type of a user's own module `Networking`, which the package sortie must not have.
public struct NetworkingType: Sendable {
    /// Creates a value.
    public init() {}
}
