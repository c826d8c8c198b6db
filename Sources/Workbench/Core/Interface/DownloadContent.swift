package import SortieHTTP

/// The content of a downloaded file that the response pane shows.
package enum DownloadContent: Hashable, Sendable {
    /// The bytes of the file.
    case bytes(BodyBytes)
    /// Why the file cannot be read.
    case unreadable(String)

    /// The size of the largest file that is shown, in bytes.
    package static let limit: Int64 = 16 << 20
}
