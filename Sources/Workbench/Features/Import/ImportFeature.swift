internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// Importing files of other tools with a preview, and pasted commands and URLs.
struct ImportFeature: Feature {
    let stacks: [[Context]] = [[.importPreview, .reading]]

    var bindings: [Binding] {
        [
            Binding(.importPreview, [.enter], .importNow, "Import", "Import what the preview shows; it can be undone", hint: 1),
            Binding(
                .everywhere, [], .importFile, "Import…", "Import a file or folder of another tool into the workspace, after a preview"
            ).alsoKnownAs("curl", "Collection", "OpenAPI", "Postman", "Insomnia", "HAR", "Bruno", "http", "proto"),
            Binding(
                .everywhere, [], .importServices, "Import gRPC services…", "Add the methods that a gRPC server describes, after a preview"
            ).alsoKnownAs("gRPC", "reflection"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .importFile: return Self.chooseFile(&state)
        case .importServices: return Self.enterServer(&state)
        case .importNow: return Self.performImport(&state)
        default: return nil
        }
    }

    func pasted(_ text: String, in contexts: [Context], _ state: inout AppState) -> [Effect]? {
        let isInURL = state.typedText?.place == .url
        if state.popups.isEmpty, !contexts.contains(.field), let url = PastedCommand.url(text) {
            return Self.open(url, &state)
        }
        guard isInURL || state.popups.isEmpty && !contexts.contains(.field), PastedCommand.isCommand(text) else { return nil }
        return Self.read(text, &state)
    }

    /// Reads commands as new requests.
    static func read(_ text: String, _ state: inout AppState) -> [Effect] {
        state.toast = Toast("Reading \(PastedCommand.kind(of: text)?.title ?? "the command")…")
        return state.start(ReadCommandsJob(text: text))
    }

    // MARK: Files

    private static func chooseFile(_ state: inout AppState) -> [Effect] {
        state.stopEditing()
        state.stopTyping()
        return FilePickerFeature.open(in: state.folders.current, wanted: nil, for: .importing, &state) { path, state in
            plan(path, named: FilePath.name(of: path), &state)
        }
    }

    private static func plan(_ source: String, named name: String, server: String? = nil, _ state: inout AppState) -> [Effect] {
        state.start(PlanImportJob(source: source, server: server), showing: "Reading \(name)…")
    }

    private static func enterServer(_ state: inout AppState) -> [Effect] {
        state.stopEditing()
        state.stopTyping()
        state.popups.show(serverPrompt(""))
        return []
    }

    fileprivate static func serverPrompt(_ text: String, problem: String? = nil) -> Prompt {
        var prompt = Prompt(
            "gRPC server", text, placeholder: "127.0.0.1:50051 or grpcs://shop.example",
            message: "The server describes its services by reflection; it is asked without credentials."
        ) { prompt, state in
            let text = prompt.text.trimmingEnd
            guard !text.isEmpty else { return [] }
            state.popups.pop()
            let source = serverSource(text)
            return plan(source, named: source, server: text, &state)
        }
        prompt.problem = problem
        prompt.guideAddress = "grpc"
        return prompt
    }

    /// The source of a typed server; without TLS where no scheme is typed.
    private static func serverSource(_ text: String) -> String {
        for (scheme, source) in ["grpc://": "grpc://", "grpcs://": "grpcs://", "http://": "grpc://", "https://": "grpcs://"]
        where text.hasPrefix(scheme) { return source + text.dropFirst(scheme.count) }
        return "grpc://\(text)"
    }

    private static func performImport(_ state: inout AppState) -> [Effect] {
        guard let preview = (state.popup as? ImportPopup)?.preview else { return [] }
        state.popups.pop()
        guard !preview.changes.changes.isEmpty else {
            state.notify("Nothing was changed: the workspace has it already")
            return []
        }
        for line in preview.report where ![.imported, .unchanged].contains(line.kind) {
            state.log.append(LogEntry(line.kind == .omitted ? .warning : .info, source: "import", "\(line.kind.rawValue): \(line.text)"))
        }
        let text = "Imported \(FilePath.name(of: preview.source)): \(preview.counts)"
        // As every change of the files, it is refused where a file changed since the preview, and can be undone.
        return ItemsFeature.start(.init(edit: .apply(preview.changes), text: text), &state)
    }
}

extension Context {
    /// The preview of an import.
    static let importPreview = Context("Import")
}

extension Command {
    static let importFile = Command.named("importFile")
    static let importServices = Command.named("importServices")
    static let importNow = Command.named("importNow", isInPalette: false)
}

/// Determining what an import would change.
package struct PlanImportJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The import was cancelled; nothing was written"

    /// The file, the folder or the server.
    package let source: String
    /// The address of the gRPC server as it was typed; nil for another source.
    let server: String?

    func finish(_ outcome: ImportPreview.Outcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .failed(let sentence):
            guard let server, state.mayOpen("The address of the server") else {
                state.notify("Not imported: \(sentence)", .error)
                return []
            }
            state.toast = nil
            state.popups.show(ImportFeature.serverPrompt(server, problem: sentence))
        case .done(let preview):
            guard state.mayOpen("The preview of the import") else { return [] }
            state.popups.show(ImportPopup(preview: preview))
        }
        return []
    }
}

/// Reading pasted commands.
package struct ReadCommandsJob: WorkJob {
    static let isReplaced = true

    package let text: String

    func finish(_ commands: PastedCommands, _ state: inout AppState) -> [Effect] {
        ImportFeature.take(commands, from: (PastedCommand.kind(of: text) ?? .curl).name, &state)
    }
}

/// What an import would create, change and omit, in a popup.
struct ImportPopup: ReadingPopup {
    var preview: ImportPreview
    var position = ReadingPosition()

    var contexts: [Context] { position.entry == nil ? [.importPreview, .reading] : Context.typingSearch }
    var guideAddress: String? { "import#import" }
    var name: String { "the preview" }

    /// A line, indented behind its first word.
    private struct Row {
        var head = ""
        var text: String
        var style = Style.text
    }

    private func rows(_ state: AppState) -> [Row] {
        let keys = "\(state.key(.importNow, in: .importPreview)) imports; \(state.key(.close, in: .reading)) writes nothing"
        var rows = [Row(text: preview.changes.changes.isEmpty ? "The workspace has all of it already." : keys, style: .info), Row(text: "")]
        rows.append(Row(text: "Items of the source: \(preview.counts)", style: .strong))
        rows += preview.report.map { Row(head: $0.kind.rawValue, text: $0.text, style: $0.kind.style) }
        rows += [Row(text: ""), Row(text: "Files of the workspace", style: .strong)]
        rows += preview.files.map { Row(head: $0.kind.rawValue, text: $0.text, style: $0.kind.style) }
        return rows
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "Import", subtitle: "\(preview.source) · \(preview.format)", lines: rows(state).flatMap { lines(of: $0, width, state) })
    }

    private func lines(of row: Row, _ width: Int, _ state: AppState) -> [[Span]] {
        let text = state.redaction.masked(row.text)
        guard !row.head.isEmpty else { return (text.isEmpty ? [""] : WrappedText.lines(text, width: max(10, width))).map { [Span($0, row.style)] } }
        let indentation = 11
        return WrappedText.lines(text, width: max(10, width - indentation)).enumerated().map { index, line in
            [Span(ColumnText.padded(index == 0 ? row.head : "", to: indentation), row.style), Span(line)]
        }
    }

    func plainText(_ state: AppState) -> String {
        rows(state).dropFirst(2).map { state.redaction.masked($0.head.isEmpty ? $0.text : "\($0.head): \($0.text)") }.joined(separator: "\n")
    }
}

extension ImportPreview.Kind {
    fileprivate var style: Style {
        switch self {
        case .created, .updated, .imported: .success
        case .unchanged: .muted
        case .changed: .info
        case .kept, .omitted: .warning
        }
    }
}

/// Pasted commands and URLs as unsaved endpoints.
extension ImportFeature {
    /// An endpoint that requests a URL, with the name of the last component of its path, else of its host.
    static func endpoint(for url: String) -> Endpoint {
        let name = Endpoint.fileName(ofPath: String(url.prefix { $0 != "?" && $0 != "#" }))
        var endpoint = Endpoint(target: name, name: name, path: "")
        endpoint.setURL(url)
        return endpoint
    }

    /// Makes drafts of pasted requests.
    ///
    /// - Parameter source: What they were made of, for messages.
    fileprivate static func take(_ commands: PastedCommands, from source: String, _ state: inout AppState) -> [Effect] {
        switch commands {
        case .failed(let sentence):
            state.notify("Not a command of \(source) that can be read: \(sentence)", .error)
        case .done(let endpoints, let notes):
            for note in notes { state.log.append(LogEntry(.warning, source: source, note)) }
            var credentials = ClearCredentials(
                taken: state.secretNamesTaken, ignoring: state.workspace.publicValues, secrets: state.knownSecrets)
            for endpoint in endpoints { credentials.add(endpoint) }
            guard !credentials.isEmpty else { return take(endpoints, source, notes, nil, &state) }
            // The values reach neither a draft on the disk nor a file, unless they cannot be stored.
            let found = credentials
            return SecretsFeature.store(
                found, &state,
                otherwise: { state in
                    let reason = state.toast?.text ?? "The change failed"
                    return take(endpoints, source, ["credentials stay in clear text: \(reason)"] + notes, nil, &state)
                }, then: { state in take(endpoints, source, notes, found, &state) })
        }
        return []
    }

    /// Makes drafts of pasted commands.
    ///
    /// - Parameter credentials: What is stored on this machine and becomes templates, as a separate undo step; nil for nothing.
    private static func take(
        _ endpoints: [Endpoint], _ source: String, _ notes: [String], _ credentials: ClearCredentials?, _ state: inout AppState
    ) -> [Effect] {
        state.stopEditing()
        state.popups.removeAll()
        guard let first = endpoints.first else { return [] }
        if endpoints.count == 1, let open = state.openEndpoint, open == Endpoint(empty: open) {
            state.change { $0 = Endpoint(first, named: open) }
            if let credentials { state.change { $0 = credentials.replaced(in: $0) } }
            report(first, source, 1, 1, notes, credentials, &state)
            return []
        }
        guard !state.workspace.services.isEmpty else {
            // A draft belongs to a service; the form creates it with the endpoint.
            ItemsFeature.saveAs(credentials?.replaced(in: first) ?? first, service: "", file: FilePath.name(of: first.target), replacing: nil, &state)
            report(first, source, endpoints.count, 1, notes, credentials, &state)
            return []
        }
        let made = endpoints.map { addDraft($0, credentials, &state) }
        state.services.rebuild(state.workspace)
        made.first.map { ServicesFeature.select(.endpoint($0), &state) }
        state.focus(.request)
        report(first, source, endpoints.count, endpoints.count, notes, credentials, &state)
        return []
    }

    private static func report(
        _ endpoint: Endpoint, _ source: String, _ count: Int, _ taken: Int, _ notes: [String], _ credentials: ClearCredentials?,
        _ state: inout AppState
    ) {
        let name = count == 1 || taken == 1 ? "\(endpoint.method) \(endpoint.name)" : "\(count) requests"
        let left = taken < count ? ", \(count - taken) of \(count) omitted: there is no service yet" : ""
        let names = credentials?.secretNames.map { "{{\($0)}}" }.joined(separator: ", ")
        let stored = names.map { "; \($0) stored on this machine, \(state.key(.undo)) takes back" } ?? ""
        let save = "; \(state.key(.send)) sends, \(state.key(.save)) saves \(taken == 1 ? "it" : "each")"
        let details = notes.isEmpty ? "" : "; \(notes.count == 1 ? notes[0] : "\(notes.count) parts were changed or omitted: \(notes[0])…")"
        state.notify("New from \(source): \(name)\(stored)\(left)\(details)\(save)", notes.isEmpty && left.isEmpty ? .info : .warning)
    }

    /// Adds an unsaved endpoint with a complete URL, to the service of its server, else to the service of the open endpoint.
    ///
    /// - Parameter endpoint: The endpoint; its target has the name of a file.
    /// - Returns: The endpoint's new ID.
    private static func addDraft(_ endpoint: Endpoint, _ credentials: ClearCredentials?, _ state: inout AppState) -> EndpointID {
        let made = RequestBuilder(workspace: state.workspace, environment: state.environment)
            .placed(endpoint, home: ItemsFeature.currentService(state)) { [state] target in
                state.endpoint(EndpointID(target)) != nil || state.workspace.problem(of: .endpoint(EndpointID(target))) != nil
            }
        var draft = Draft(Endpoint(target: made.target, name: made.name, path: ""))
        draft.isFileGone = true
        draft.change { $0 = made }
        if let credentials { draft.change { $0 = credentials.replaced(in: $0) } }
        state.drafts[made.id] = draft
        DraftsFeature.insertNew(draft, &state)
        return made.id
    }

    /// Opens a URL as a new request, as if it had been pasted.
    static func open(_ url: String, _ state: inout AppState) -> [Effect] {
        take(.done([endpoint(for: TypedURL.completed(url))], notes: []), from: "a URL", &state)
    }
}

extension Endpoint {
    /// The content of an endpoint with the names of another one.
    init(_ content: Endpoint, named other: Endpoint) {
        self = content
        (target, name, location) = (other.target, other.name, other.location)
    }
}

/// What importing a file of another tool would change.
package struct ImportPreview: Hashable, Sendable {
    /// What happens to a file of the workspace, or to an item of the source.
    package enum Kind: String, Hashable, Sendable {
        case created, updated, unchanged, kept
        case imported, changed, omitted
    }

    /// A file or an item.
    package struct Line: Hashable, Sendable {
        /// What happens.
        package var kind: Kind
        /// The name, and the reason where there is one.
        package var text: String

        /// Creates a line.
        package init(_ kind: Kind, _ text: String) {
            (self.kind, self.text) = (kind, text)
        }
    }

    /// The result of reading the source.
    package enum Outcome: Hashable, Sendable {
        /// It can be imported.
        case done(ImportPreview)
        /// It cannot be imported. The text is the reason, with the place in the source.
        case failed(String)
    }

    /// The path of the source.
    package var source: String
    /// The title of its format.
    package var format: String
    /// The files of the workspace.
    package var files: [Line]
    /// The items of the source and their parts.
    package var report: [Line]
    /// The changes of the files.
    package var changes: FileChanges

    /// Creates a preview.
    package init(source: String, format: String, files: [Line], report: [Line], changes: FileChanges) {
        (self.source, self.format, self.files, self.report, self.changes) = (source, format, files, report, changes)
    }

    /// The numbers of the items with an outcome, such as `3 imported, 1 omitted`.
    package var counts: String {
        let kinds: [Kind] = [.imported, .unchanged, .changed, .omitted]
        let words = kinds.compactMap { kind in
            let count = report.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        return words.isEmpty ? "nothing imported" : words.joined(separator: ", ")
    }
}

/// The result of reading pasted commands.
package enum PastedCommands: Hashable, Sendable {
    /// The endpoints with complete URLs, whose targets have the name of a file only; and what was changed or omitted, with the reasons.
    case done([Endpoint], notes: [String])
    /// Nothing was read. The text is the reason.
    case failed(String)
}
