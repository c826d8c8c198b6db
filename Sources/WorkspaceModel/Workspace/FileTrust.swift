package import SortieHTTP

/// The trust of a file, which is equal to another one where both also set the same values.
///
/// Policies alone are equal where they have the same values. A service that sets `insecure: false` differs from one that sets nothing, because the
/// environment may set `insecure: true`.
@propertyWrapper
package struct FileTrust: Hashable, Sendable {
    /// The policy.
    package var wrappedValue: TrustPolicy

    /// The trust itself, whose comparison regards values that are those of a policy without any.
    package var projectedValue: FileTrust {
        get { self }
        set { self = newValue }
    }

    /// Creates the trust of a file.
    package init(wrappedValue: TrustPolicy) { self.wrappedValue = wrappedValue }

    /// Whether the policies are equal, and neither has a value that the other one takes from a layer below.
    package static func == (left: FileTrust, right: FileTrust) -> Bool {
        left.wrappedValue == right.wrappedValue && !left.takesValue(of: right) && !right.takesValue(of: left)
    }

    /// Feeds the policy into the hasher.
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    private func takesValue(of lower: FileTrust) -> Bool {
        var (policy, merge) = (wrappedValue, LayerMerge())
        policy.inherit(from: lower.wrappedValue, &merge)
        return merge.usesLower
    }
}
