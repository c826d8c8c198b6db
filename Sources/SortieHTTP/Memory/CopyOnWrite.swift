/// A copy-on-write value behind one reference, which makes a struct with many fields cheap to pass and to compare.
///
/// The accessors are inlinable, so that other modules read one field without a copy of the others.
@propertyWrapper
@frozen
@usableFromInline
package struct CopyOnWrite<Value: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline
    final class Box: Sendable {
        // Changed only by the one struct that refers to the box. That struct is accessed exclusively, so the box needs no check.
        @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var value: Value

        @usableFromInline
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline var box: Box

    /// Creates a new box.
    @inlinable
    package init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// The value.
    @inlinable package var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }

    /// The box, which is shared without a copy of the value.
    @inlinable package var projectedValue: CopyOnWrite { self }

    /// Whether the values are equal; values in the same box are equal without a comparison.
    @inlinable
    package static func == (left: CopyOnWrite, right: CopyOnWrite) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    /// Feeds the value into the hasher.
    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.value)
    }
}
