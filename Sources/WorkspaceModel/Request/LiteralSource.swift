package import SortieHTTP

/// Where the value of a run's step comes from: a captured value, or a text or a list with secrets and captured values.
package struct LiteralSource: Hashable, Sendable {
    /// The values of earlier responses in it.
    package var captures: [RequestSecrets.Captured] = []
    /// The secrets, environment variables and files in it.
    package var uses: Set<RequestSecrets.Use> = []

    var isEmpty: Bool { captures.isEmpty && uses.isEmpty }

    mutating func formUnion(_ other: LiteralSource) {
        captures += other.captures.filter { !captures.contains($0) }
        uses.formUnion(other.uses)
    }
}
