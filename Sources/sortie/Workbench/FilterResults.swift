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

    /// Creates results; the ones that they continue are not continued again, because both may share a file.
    init(_ buffer: BodyBuffer, count: Int, end: Int) { (self.buffer, self.count, self.end) = (buffer, count, end) }

    /// No results, before the first message; large ones will be stored in a folder.
    convenience init(folder: String) { self.init(BodyBuffer(folder: folder, limit: Self.limit), count: 0, end: 0) }
}
