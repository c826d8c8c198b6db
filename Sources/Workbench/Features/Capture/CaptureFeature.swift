internal import SortieBase
internal import SortieTerminal

/// A recording in a HAR file; its result is a series of ``CaptureUpdate``.
struct CaptureJob: Job {}

/// Recording exchanges in a HAR file.
struct CaptureFeature: Feature {
    private static let words = (masked: "masked", whole: "shown")

    var bindings: [Binding] {
        [
            Binding(.everywhere, [], .capture, "Record", "Record exchanges in a HAR file, or stop recording").alsoKnownAs(
                "Record traffic", "Sniff", "Trace to a file")
        ]
    }

    /// Opens the form for a capture, or ends the running one.
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .capture else { return nil }
        if let running = state.capture.running {
            guard !running.isEnding else { return [] }
            state.capture.running?.isEnding = true
            return [.stopCapture(running.id)]
        }
        state.stopEditing()
        let rows: [Form.Row] = [
            .init("File", state.capture.lastPath, placeholder: "an existing HAR file is extended"),
            .init("Secrets", Self.words.masked, of: [Self.words.masked, Self.words.whole]),
        ]
        state.popups.show(
            Form("Record exchanges in a HAR file", rows, guide: "history#har-and-recordings") { form, state throws(FormProblem) in
                try Self.start(form, &state)
            })
        return []
    }

    private static func start(_ form: Form, _ state: inout AppState) throws(FormProblem) -> [Effect] {
        let path = form.text("File")
        guard !path.isEmpty else { throw FormProblem("enter a file", at: "File") }
        state.popups.pop()
        state.capture.lastPath = path
        let showsSecrets = form.text("Secrets") == words.whole
        let id = state.nextJob(CaptureJob())
        state.capture.running = RunningCapture(id: id, path: path, showsSecrets: showsSecrets, form: form)
        return [.startCapture(id, to: path, showsSecrets: showsSecrets)]
    }

    /// Handles an event of the capture; events of an earlier one are dropped.
    static func captured(_ id: JobID, _ update: CaptureUpdate, _ state: inout AppState) {
        guard let capture = state.capture.running, capture.id == id else { return }
        switch update {
        case .began(let count):
            state.capture.running?.count = count
            let before = count > 0 ? ", which had \(ItemCount.text(count, "request"))" : ""
            state.notify("What passes is recorded in \(capture.path)\(before)")
        case .recorded(let count): state.capture.running?.count = count
        case .failed(let sentence):
            end(id, &state)
            state.notify(sentence, .error)
            guard capture.count == nil, !state.isOccupied else { return }
            var form = capture.form
            form.problem = sentence
            state.popups.show(form)
        case .ended(let count):
            end(id, &state)
            state.notify("\(ItemCount.text(count, "request")) recorded in \(capture.path)")
        }
    }

    private static func end(_ id: JobID, _ state: inout AppState) {
        state.capture.running = nil
        state.jobs[id] = nil
    }

    func alert(_ state: AppState) -> Span? {
        state.capture.running.map { Span($0.text, $0.showsSecrets ? .warning : .info) }
    }
}

extension Command {
    static let capture = Command.named("capture")
}
