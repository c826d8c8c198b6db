/// A value of a layer of options: its own, or the standard one where the layer below decides.
///
/// The projected value, such as `$maximumRedirects` of ``RequestOptions``, is nil for a layer that does not set the value.
@propertyWrapper
public struct Layered<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value of this layer, or the standard one; assigning it sets the value in this layer, also where it equals the standard one.
    public var wrappedValue: Value { didSet { isOwn = true } }
    private var isOwn = false

    /// Creates a layer that does not set the value.
    ///
    /// - Parameter wrappedValue: The standard value, which applies where no layer has one.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The layer's own value; nil where the layer below decides.
    public var projectedValue: Value? { isOwn ? wrappedValue : nil }

    /// Takes the value of the layer below where this layer has none.
    package mutating func inherit(_ lower: Layered, _ merge: inout LayerMerge) {
        if isOwn {
            merge.usesUpper = true
        } else if lower.isOwn {
            self = lower
            merge.usesLower = true
        }
    }

    /// Sets the current value in this layer, so that the layers below do not decide.
    mutating func fix() { isOwn = true }

    /// Whether the values are equal, whether they are the layers' own or not.
    public static func == (left: Layered, right: Layered) -> Bool { left.wrappedValue == right.wrappedValue }

    /// Feeds the value into the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// Which of two layers set values when they were merged.
package struct LayerMerge {
    /// Whether the upper layer sets a value.
    package var usesUpper = false
    /// Whether a value of the lower layer applies.
    package var usesLower = false

    /// Creates a merge of nothing.
    package init() {}
}
