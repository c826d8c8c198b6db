/// A JSON path visits more values than it may.
public struct JSONPathLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as text.
    public let path: String
    /// How many values it may visit.
    public let limit: Int

    /// The description of the problem and its remedy.
    public var description: String { "the JSON path \(path) visits more than \(limit) values; name the members instead of using .. repeatedly" }
}
