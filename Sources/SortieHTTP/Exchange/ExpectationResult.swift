/// How a response compares with what its endpoint expects.
public struct ExpectationResult: Hashable, Sendable {
    /// What is not as expected, in the order of the contract; empty where all is.
    public var failures: [StepFailure]
    /// Whether the expectation judges the body itself, so that a refusal by business rules (`envelope:`, `errorFilter`) is what it expects.
    public var coversRefusal: Bool

    /// A result.
    public init(failures: [StepFailure], coversRefusal: Bool = false) {
        self.failures = failures
        self.coversRefusal = coversRefusal
    }
}
