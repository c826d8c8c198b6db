internal import Model

/// Recording exchanges in a HAR file (S3.3).
extension AppState {
    static let captureWords = (masked: "masked", whole: "as they are")

    /// Opens the form for a capture, or ends the running one.
    mutating func toggleCapture() -> [Effect] {
        if let capture {
            guard !capture.isEnding else { return [] }
            self.capture?.isEnding = true
            return [.stopCapture(capture.id)]
        }
        leaveEditing()
        popup = .form(
            Form(
                title: "Record what passes into a HAR file", purpose: .capture,
                rows: [
                    .init("File", lastCapturePath, placeholder: "one that is there goes on"),
                    .init("Secrets", Self.captureWords.masked, of: [Self.captureWords.masked, Self.captureWords.whole]),
                ]))
        return []
    }

    mutating func startCapture(_ form: Form) throws(FormProblem) -> [Effect] {
        let path = form.text("File")
        guard !path.isEmpty else { throw FormProblem("name a file", at: "File") }
        popup = nil
        lastCapturePath = path
        let showsSecrets = form.text("Secrets") == Self.captureWords.whole
        let id = nextJob(.capture)
        capture = CaptureState(id: id, path: path, showsSecrets: showsSecrets, form: form)
        return [.startCapture(id, to: path, showsSecrets: showsSecrets)]
    }

    /// Handles an event of the capture; events of an earlier one are dropped.
    mutating func captured(_ id: JobID, _ update: CaptureUpdate) {
        guard let capture, capture.id == id else { return }
        switch update {
        case .began(let count):
            self.capture?.count = count
            notify("What passes is recorded in \(capture.path)\(count > 0 ? ", which had \(NumberText.count(count, "request"))" : "")")
        case .recorded(let count): self.capture?.count = count
        case .failed(let sentence):
            end(id)
            notify(sentence, .error)
            guard capture.count == nil, !isOccupied else { return }
            var form = capture.form
            form.problem = sentence
            popup = .form(form)
        case .ended(let count):
            end(id)
            notify("\(NumberText.count(count, "request")) recorded in \(capture.path)")
        }
    }

    private mutating func end(_ id: JobID) {
        capture = nil
        jobs[id] = nil
    }
}
