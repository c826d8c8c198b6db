internal import SortieBase

/// A limit of bytes per second, as it is typed.
enum RateText {
    /// The text of a rate, which means the same when it is parsed.
    static func text(_ rate: Int64) -> String {
        let text = ByteCount(rate).text
        return ByteCount(parsing: text)?.bytes == rate ? text : String(rate)
    }

    /// The rate of a text such as 2MB; nil where it is not a positive number of bytes.
    static func rate(_ text: String) -> Int64? { ByteCount(parsing: text).flatMap { $0.bytes > 0 ? $0.bytes : nil } }
}
