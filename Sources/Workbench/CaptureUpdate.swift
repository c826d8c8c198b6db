internal import Model

/// What happens to a recording of what passes.
public enum CaptureUpdate: Hashable, Sendable {
    /// The file is open; it has so many entries already.
    case began(Int)
    /// So many entries are in the file.
    case recorded(Int)
    /// Nothing more is written, for this reason.
    case failed(String)
    /// It was ended; so many entries are in the file.
    case ended(Int)
}

/// A recording while it runs.
struct CaptureState: Hashable, Sendable {
    let id: JobID
    let path: String
    let showsSecrets: Bool
    /// What was filled in, to be corrected where the file cannot be used.
    let form: Form
    /// How many entries the file has; nil until it is open.
    var count: Int?
    var isEnding = false

    /// What the footer says of it, all the time.
    var text: String { "● capture\(count.map { " \($0)" } ?? "")\(showsSecrets ? ", with secrets" : "")" }
}
