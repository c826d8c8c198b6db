/// A copy-on-write value behind one reference, which makes a struct with many fields cheap to pass and to compare.
@propertyWrapper
public struct CopyOnWrite<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        package let value: Value

        package init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    /// Creates a new box.
    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// The value.
    public var wrappedValue: Value {
        _read { yield box.value }
        set { box = Box(newValue) }
    }

    /// The box, which is shared without a copy of the value.
    public var projectedValue: CopyOnWrite { self }

    /// Whether the values are equal; values in the same box are equal without a comparison.
    public static func == (left: CopyOnWrite, right: CopyOnWrite) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    /// Feeds the value into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.value)
    }
}
