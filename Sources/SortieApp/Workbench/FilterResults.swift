internal import SortieBase
internal import SortieNetworking

/// The results of a filter of the messages that have arrived, to which those of later messages are added.
final class FilterResults: Sendable {
    /// The maximum size, in bytes; large results are in a file without a name.
    private static let limit: Int64 = 1 << 30

    let buffer: BodyBuffer
    /// The number of results.
    let count: Int
    /// The offset after the messages that were filtered.
    let end: Int
    /// The last bytes before ``end``, by which another body is recognized, as after a retry.
    private let tail: [UInt8]

    /// Creates results; the ones that they continue are not continued again, because both may share a file.
    init(_ buffer: BodyBuffer, count: Int, end: Int, of body: BodyBytes) {
        (self.buffer, self.count, self.end) = (buffer, count, end)
        tail = Self.tail(of: body, before: end)
    }

    /// No results, before the first message; large ones are stored in a file of a folder.
    convenience init(folder: String) { self.init(BodyBuffer(folder: folder, limit: Self.limit), count: 0, end: 0, of: .empty) }

    private static func tail(of body: BodyBytes, before end: Int) -> [UInt8] { body.bytes(in: max(0, end - 256)..<end) }

    /// Whether a body begins with the messages that were filtered.
    func areOf(_ body: BodyBytes) -> Bool { body.count >= end && Self.tail(of: body, before: end) == tail }
}
