/// A value behind one reference that is copied when it changes: keeps a struct of many fields cheap to pass on and to compare.
@propertyWrapper
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        package let value: Value

        package init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    /// A value in a box of its own.
    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// The box itself, to keep the value without a copy.
    public var projectedValue: Boxed { self }

    /// Whether the values are equal; those in one box are without a look.
    public static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    /// Feeds the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.value)
    }
}
