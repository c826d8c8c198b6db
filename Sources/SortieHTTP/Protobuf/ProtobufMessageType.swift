/// A message type: the structure of messages.
package struct ProtobufMessageType: Hashable, Sendable {
    /// The full name, such as `shop.Order`.
    package var name = ""
    /// The fields in the order of the `.proto` file.
    package var fields: [ProtobufField] = []
    /// Whether it is the entry of a map, with the fields `key` and `value`.
    package var isMapEntry = false

    /// The field with a name of the `.proto` file or of JSON.
    package func field(named name: String) -> ProtobufField? { fields.first { $0.jsonName == name || $0.name == name } }

    /// The field with a number.
    func field(_ number: Int) -> ProtobufField? { fields.first { $0.number == number } }
}
