/// The purpose of sending a request.
public enum RequestKind: String, Hashable, Sendable, CaseIterable {
    /// A response is shown.
    case data
    /// A file is downloaded, and the download can be resumed.
    case download
    /// A file is uploaded.
    case upload
}
