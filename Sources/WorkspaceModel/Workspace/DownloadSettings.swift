/// The download settings of an endpoint's file.
package struct DownloadSettings: Hashable, Codable, Sendable {
    /// The destination, relative to the endpoint's file; nil for the default folder.
    ///
    /// `~` is the user's home folder. A path names a folder when it ends in `/` or a folder exists there.
    package var to: String?

    /// The maximum number of concurrent connections; nil for one.
    package var connections: Int?

    /// Creates settings.
    package init(to: String? = nil, connections: Int? = nil) {
        self.to = to
        self.connections = connections
    }
}
