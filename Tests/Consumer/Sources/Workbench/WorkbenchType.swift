/// A type of a user's own module `Workbench`, which the package sortie must not have.
public struct WorkbenchType: Sendable {
    /// Creates a value.
    public init() {}
}
