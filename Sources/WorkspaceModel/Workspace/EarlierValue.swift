/// A value of the response of another endpoint, which a template uses outside of runs.
package struct EarlierValue: Hashable, Sendable {
    /// The endpoint that captures it.
    package var target: String
    /// The name under `capture:`.
    package var capture: String

    /// Creates a reference.
    package init(target: String, capture: String) {
        self.target = target
        self.capture = capture
    }
}
