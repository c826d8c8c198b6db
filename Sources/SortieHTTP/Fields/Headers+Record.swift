package import SortieBase

extension Headers {
    /// The fields as a record for JSON: an array of pairs of a name and a value, in order.
    package var record: JSONValue { .array(fields.map { .array([.string($0.name), .string($0.value)]) }) }
}
