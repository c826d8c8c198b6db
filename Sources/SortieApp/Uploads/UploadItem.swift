internal import SortieHTTP

/// A request of an upload.
struct UploadItem: Sendable {
    /// The file as named on the command line; for several files in one body, their number.
    let name: String
    /// The path of the file; nil when the body has several files.
    let file: String?
    /// The request.
    let request: Request
    /// The size of the body in bytes; nil when unknown.
    let count: Int64?
}
