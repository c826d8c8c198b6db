/// A type of a user's own module `Guide`, which the package sortie must not have.
public struct GuideType: Sendable {
    /// Creates a value.
    public init() {}
}
