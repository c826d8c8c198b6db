package import WorkspaceModel

/// A request to the downloads that run in separate processes.
package enum DetachedDownloadRequest: Hashable, Sendable {
    /// List them.
    case list
    /// End the process of one, which keeps its part.
    case stop(Int)
    /// Remove one that has ended from the list; its files stay.
    case forget(Int)
}

/// The result of a ``DetachedDownloadRequest``.
package struct DetachedDownloadListing: Hashable, Sendable {
    /// The downloads by number.
    package var downloads: [DetachedDownloadProgress]
    /// Why the request was not performed.
    package var problem: String?

    /// Creates a result.
    package init(_ downloads: [DetachedDownloadProgress], problem: String? = nil) {
        (self.downloads, self.problem) = (downloads, problem)
    }
}
