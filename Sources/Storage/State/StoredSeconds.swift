/// A length of time in a file of ours, in seconds: one that the program can compute with.
///
/// A number that Sortie never writes makes the value unreadable; converting it to milliseconds would end the program.
struct StoredSeconds: Codable, Hashable {
    /// What is written: thirty years, in seconds, are more than anything takes.
    static let range = -1e9...1e9

    let value: Double

    /// What is no number is written as 0, because JSON has no word for it.
    init(_ value: Double) {
        self.value = value.isFinite ? min(max(value, Self.range.lowerBound), Self.range.upperBound) : 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Double.self)
        guard Self.range.contains(value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no length of time")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
