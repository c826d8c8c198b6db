/// The download settings of an endpoint's file.
public struct DownloadSettings: Hashable, Sendable {
    /// The destination, relative to the endpoint's file; nil for the default folder.
    ///
    /// `~` is the user's home folder. A path names a folder when it ends in `/` or a folder exists there.
    public var to: String?

    /// The maximum number of concurrent connections; nil for one.
    public var connections: Int?

    /// Creates settings.
    public init(to: String? = nil, connections: Int? = nil) {
        self.to = to
        self.connections = connections
    }
}
