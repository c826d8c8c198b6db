/// An enumeration.
package struct ProtobufEnum: Hashable, Sendable {
    /// A name and its number.
    package struct Value: Hashable, Sendable {
        package var name = ""
        package var number: Int32 = 0
    }

    /// The full name.
    package var name = ""
    /// The values in the order of the `.proto` file; several names may have one number.
    package var values: [Value] = []
}
