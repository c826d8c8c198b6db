internal import Model

/// One request of an upload.
struct UploadItem: Sendable {
    /// The file as it was named on the command line; several in one body have their number.
    let name: String
    /// The file; nil where the request's body is several.
    let file: String?
    /// What is sent.
    let request: Request
    /// How many bytes go out; nil when not known before.
    let count: Int64?
}
