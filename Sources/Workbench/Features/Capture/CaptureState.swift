/// The state of the capture.
struct CaptureState: FeatureState {
    /// The running capture; nil when there is none.
    var running: RunningCapture?
    /// The file of the last capture.
    var lastPath = "capture.har"
}

extension AppState {
    /// The state of the capture.
    var capture: CaptureState {
        get { states[CaptureState.self] }
        _modify { yield &states[CaptureState.self] }
    }
}

/// A running capture.
struct RunningCapture: Sendable {
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
