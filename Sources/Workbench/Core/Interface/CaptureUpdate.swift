internal import Model

/// An event of a HAR capture.
public enum CaptureUpdate: Hashable, Sendable {
    /// The file is open and has this number of entries.
    case began(Int)
    /// The file now has this number of entries.
    case recorded(Int)
    /// The capture failed for this reason, and nothing more is written.
    case failed(String)
    /// The capture ended; the file has this number of entries.
    case ended(Int)
}

/// A running capture.
struct CaptureState: Hashable, Sendable {
    let id: JobID
    let path: String
    let showsSecrets: Bool
    /// The form that started the capture, shown again when the file cannot be used.
    let form: Form
    /// The number of entries in the file; nil until it is open.
    var count: Int?
    var isEnding = false

    /// The indicator in the footer.
    var text: String { "● capture\(count.map { " \($0)" } ?? "")\(showsSecrets ? ", with secrets" : "")" }
}
