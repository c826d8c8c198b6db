public import SortieBase

/// A declared reformer: names with the paths of the values in a JSON body that make the result.
public struct Reform: Hashable, Sendable {
    /// One value of the result.
    public struct Member: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its place in the body, or in the result of the service's envelope.
        public var path: JSONPath

        /// Creates a member.
        public init(name: String, path: JSONPath) {
            self.name = name
            self.path = path
        }
    }

    /// The values, in order.
    public var members: [Member]

    /// Creates a reformer.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// Creates a reformer from the texts of paths.
    ///
    /// - Throws: A `JSONPathError` for the first path that is invalid.
    public init(paths: [(name: String, path: String)]) throws(JSONPathError) {
        var members: [Member] = []
        for pair in paths { members.append(Member(name: pair.name, path: try JSONPath(pair.path))) }
        self.members = members
    }
}
