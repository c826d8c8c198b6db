/// What an endpoint's file says of its download.
public struct DownloadPlan: Hashable, Codable, Sendable {
    /// Where it goes, relative to the endpoint's file (`~` is the person's home, a folder ends in `/` or is there); nil for the usual folder.
    public var to: String?

    /// How many connections may fetch it at once; nil for one.
    public var connections: Int?

    /// A plan.
    public init(to: String? = nil, connections: Int? = nil) {
        self.to = to
        self.connections = connections
    }
}
