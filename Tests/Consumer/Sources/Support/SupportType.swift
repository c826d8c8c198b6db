/// A type of a user's own module `Support`, which the package sortie must not have.
public struct SupportType: Sendable {
    /// Creates a value.
    public init() {}
}
