/// A type of a user's own module `DemoServer`, which the package sortie must not have.
public struct DemoServerType: Sendable {
    /// Creates a value.
    public init() {}
}
