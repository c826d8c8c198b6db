package import SortieHTTP

/// The download settings of an endpoint's file.
package struct DownloadSettings: Hashable, Sendable {
    /// The destination, relative to the endpoint's file; nil for the default folder.
    ///
    /// A template; `~` is the user's home folder. A path names a folder when it ends in `/` or a folder exists there.
    package var to: String?

    /// The maximum number of concurrent connections; nil for one.
    package var connections: Int?

    /// The maximum rate in bytes per second; nil for none.
    package var rateLimit: Int64?

    /// The digest that the file must have.
    package var digest: FileDigest?

    /// How to handle an existing file of the same name; nil keeps both.
    package var collision: Download.Collision?

    /// Creates settings.
    package init(to: String? = nil, connections: Int? = nil) {
        (self.to, self.connections) = (to, connections)
    }

    /// Applies the settings to a download, apart from its destination.
    package func apply(to download: inout Download) {
        download.connections = connections ?? download.connections
        download.rateLimit = rateLimit ?? download.rateLimit
        download.expectedDigest = digest ?? download.expectedDigest
        download.collision = collision ?? download.collision
    }
}
