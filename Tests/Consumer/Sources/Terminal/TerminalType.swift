/// A type of a user's own module `Terminal`, which the package sortie must not have.
public struct TerminalType: Sendable {
    /// Creates a value.
    public init() {}
}
