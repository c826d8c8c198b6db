/// The result of comparing a response with the expectation of its endpoint.
package struct ExpectationResult: Hashable, Sendable {
    /// The failed expectations, in the order of the contract; empty where all hold.
    package var failures: [StepFailure]
    /// Whether the expectation covers the body, so that a refusal by business rules (`envelope:`, `errorFilter`) counts as expected.
    package var coversRefusal: Bool

    /// Creates a result.
    package init(failures: [StepFailure], coversRefusal: Bool = false) {
        self.failures = failures
        self.coversRefusal = coversRefusal
    }
}
