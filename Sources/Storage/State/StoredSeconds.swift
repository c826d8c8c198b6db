/// A duration in a stored file, in seconds, limited to a range that is safe for calculations.
///
/// A number outside the range makes the value unreadable, because converting it to milliseconds would trap.
struct StoredSeconds: Codable, Hashable {
    /// The range of written values: thirty years in seconds exceed every duration.
    static let range = -1e9...1e9

    let value: Double

    /// A value that is not a number is written as 0, because JSON cannot represent it.
    init(_ value: Double) {
        self.value = value.isFinite ? min(max(value, Self.range.lowerBound), Self.range.upperBound) : 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Double.self)
        guard Self.range.contains(value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a duration")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
