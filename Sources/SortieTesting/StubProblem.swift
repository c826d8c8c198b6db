/// Why a check of a ``StubTransport`` failed, or why a fixture cannot be used.
public struct StubProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as sentences.
    public let description: String

    init(_ description: String) { self.description = description }
}
