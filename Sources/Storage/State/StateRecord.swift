/// A record of a state file: the stored form of a value.
///
/// Its keys belong to the version of the format; they do not follow from the types of the model.
protocol StateRecord: Codable {
    associatedtype Value: Sendable

    /// The format of the file.
    static var format: StateFormat { get }

    init(_ value: Value)

    /// The value; nil where nothing of it can be used.
    ///
    /// - Parameter problems: Receives what of the record cannot be read.
    func value(_ problems: inout [String]) -> Value?
}

/// The content of a state file of the current version; a record that cannot be decoded does not affect the others.
struct StateFileContent<Record: StateRecord>: Codable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var records: [StoredPart<Record>]

    init(_ values: [Record.Value]) {
        records = values.map { StoredPart(Record($0)) }
    }

    init(from decoder: any Decoder) throws {
        records = try decoder.container(keyedBy: Key.self).decode([StoredPart<Record>].self, forKey: Key(stringValue: Record.format.key))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Record.format.version, forKey: Key(stringValue: "version"))
        try container.encode(records, forKey: Key(stringValue: Record.format.key))
    }
}
