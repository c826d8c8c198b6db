/// The fields of a value that were assigned; the other ones have their defaults.
///
/// Options of several layers are merged by it. It takes no part in comparisons: two values are equal when their fields are.
package struct AssignedFields<Field: RawRepresentable<UInt8> & CaseIterable>: Hashable, Sendable {
    private var bits: UInt64

    /// Creates a set without fields.
    package init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    /// A set of all fields.
    package static var all: AssignedFields { AssignedFields(bits: Field.allCases.reduce(0) { $0 | 1 << UInt64($1.rawValue) }) }

    /// Whether no field was assigned.
    package var isEmpty: Bool { bits == 0 }

    /// Adds a field.
    package mutating func insert(_ field: Field) { bits |= 1 << UInt64(field.rawValue) }

    /// Whether a field was assigned.
    package func contains(_ field: Field) -> Bool { bits & 1 << UInt64(field.rawValue) != 0 }

    /// True.
    package static func == (left: AssignedFields, right: AssignedFields) -> Bool { true }

    /// Adds nothing to the hash.
    package func hash(into hasher: inout Hasher) {}
}
