internal import SortieBase
internal import SortieHTTP

/// Copying requests in the format of another tool, or writing them to a file.
struct ExportFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .exportAs, "Export as…", "Copy or write the selected endpoint, service, run or exchanges as curl or another format",
                unless: Self.nothingToExport
            ).alsoKnownAs(
                "Export", "Copy as", "Copy as curl", "Share", "Code", "Snippet", "curl", "OpenAPI", "Postman", "HAR", "http", "Python", "Swift",
                "Locust")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .exportAs else { return nil }
        if let subject = state.focusedPane.exportSubject(state) { Self.offer(subject, copying: nil, &state) }
        return []
    }

    private static func nothingToExport(_ state: AppState) -> String? {
        if state.states[ExportState.self].choices.isEmpty { return "There is no format to export to" }
        return state.focusedPane.exportSubject(state) == nil ? "Select an endpoint, a service, a run or an exchange first" : nil
    }

    // MARK: Formats

    /// Shows what can be copied: a value first, then the formats.
    ///
    /// - Parameter value: The value that a copy without a format has, such as the URL, with its name.
    static func offer(_ subject: ExportSubject, copying value: (name: String, text: String)?, _ state: inout AppState) {
        let choices = state.states[ExportState.self].choices
        var items: [ListPopup.Item] = []
        if let value {
            let detail = state.redaction.masked(value.text)
            items.append(.init(label: "Copy \(value.name)", detail: detail, isCurrent: true) { $0.copy(value.text, value.name) })
        }
        items += choices.map { choice in
            .init(name: choice.name, label: "Copy as \(choice.title)") { export(subject, as: choice, toFile: false, &$0) }
        }
        items += choices.map { choice in
            .init(name: choice.name, label: "Write \(choice.title) to a file") { export(subject, as: choice, toFile: true, &$0) }
        }
        state.show(
            ListPopup(title: "Copy or export", items: items, filter: TextField(), guideAddress: "import#export", emptyText: "No format matches."))
    }

    /// Shows what can be copied, or copies the value where there are no formats.
    static func copy(_ value: (name: String, text: String)?, _ state: inout AppState) -> [Effect]? {
        guard let subject = state.focusedPane.exportSubject(state), !state.states[ExportState.self].choices.isEmpty else {
            return value.map { state.copy($0.text, $0.name) }
        }
        offer(subject, copying: value, &state)
        return []
    }

    private static func export(_ subject: ExportSubject, as choice: ExportChoice, toFile: Bool, _ state: inout AppState) -> [Effect] {
        state.start(ExportJob(subject: subject, choice: choice, environment: state.environment, isForFile: toFile), showing: "Exporting…")
    }

    fileprivate static func askForFile(_ text: String, _ job: ExportJob, _ state: inout AppState) {
        let use = PathUse(key: "export \(job.choice.name)", content: "the \(job.choice.title)")
        let name = "\(job.subject.fileName).\(job.choice.fileExtension)"
        state.askForPath("Write \(job.choice.title) to", use, suggesting: name) { prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            return state.start(SaveFileJob(content: .body(BodyBytes(Array(text.utf8))), prompt: prompt))
        }
    }
}

extension ExportSubject {
    /// The name of the file without its ending.
    fileprivate var fileName: String {
        switch self {
        case .endpoints(let path, _): FilePath.name(of: path)
        case .run(let name): name
        case .exchanges(let numbers): numbers.count == 1 ? "history-\(numbers[0])" : "history"
        }
    }
}

extension Command {
    static let exportAs = Command.named("exportAs")
}

/// The formats of exports.
struct ExportState: FeatureState {
    var choices: [ExportChoice] = []

    init() {}
}

/// Making the text of an export.
package struct ExportJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The export was cancelled"

    package let subject: ExportSubject
    package let choice: ExportChoice
    package let environment: String?
    let isForFile: Bool

    func finish(_ outcome: ExportOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .failed(let sentence):
            state.notify("Not exported: \(sentence)", .error)
            return []
        case .text(let text):
            guard isForFile else { return state.copy(text, choice.title) }
            guard state.mayOpen("The export") else { return [] }
            ExportFeature.askForFile(text, self, &state)
            return []
        }
    }
}
