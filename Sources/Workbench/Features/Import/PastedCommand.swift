internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Recognizes curl command lines in pasted text.
enum PastedCommand {
    /// Whether a text begins with a curl command, after a prompt where one was copied.
    static func isCommand(_ text: String) -> Bool {
        var words = text.split(maxSplits: 2) { $0 == " " || $0.isNewline || $0 == "\t" }[...]
        if let first = words.first, ["$", "%", ">", "#"].contains(first) { words.removeFirst() }
        guard words.count > 1, let word = words.first, !word.contains(":"), let program = word.split(separator: "/").last else { return false }
        return program == "curl" || program == "curl.exe"
    }
}

/// Pasted curl command lines as unsaved endpoints.
extension ImportFeature {
    static func read(_ id: JobID, _ commands: PastedCommands, _ state: inout AppState) -> [Effect] {
        guard state.finishJob(id, ReadCommandsJob.self) != nil else { return [] }
        switch commands {
        case .failed(let sentence):
            state.notify("Not a curl command that can be read: \(sentence)", .error)
        case .done(let endpoints, let notes):
            for note in notes { state.log.append(LogEntry(.warning, source: "curl", note)) }
            state.stopEditing()
            state.popups.removeAll()
            guard let first = endpoints.first else { return [] }
            if endpoints.count == 1, let open = state.openEndpoint, open == Endpoint(empty: open) {
                state.change { $0 = Endpoint(first, named: open) }
                report(first, 1, 1, notes, &state)
                return []
            }
            guard !state.workspace.services.isEmpty else {
                // A draft belongs to a service; the form creates it with the endpoint.
                ItemsFeature.saveAs(first, service: "", file: FilePath.name(of: first.target), replacing: nil, &state)
                report(first, endpoints.count, 1, notes, &state)
                return []
            }
            let made = endpoints.map { addDraft($0, &state) }
            state.services.rebuild(state.workspace)
            made.first.map { ServicesFeature.select(.endpoint($0), &state) }
            state.focus(.request)
            report(first, endpoints.count, endpoints.count, notes, &state)
        }
        return []
    }

    private static func report(_ endpoint: Endpoint, _ count: Int, _ taken: Int, _ notes: [String], _ state: inout AppState) {
        let name = count == 1 || taken == 1 ? "\(endpoint.method) \(endpoint.name)" : "\(count) requests"
        let left = taken < count ? ", \(count - taken) of \(count) omitted: there is no service yet" : ""
        let save = "; \(state.key(.save)) saves \(taken == 1 ? "it" : "each")"
        let details = notes.isEmpty ? "" : "; \(notes.count == 1 ? notes[0] : "\(notes.count) parts were changed or omitted: \(notes[0])…")"
        state.notify("New from curl: \(name)\(left)\(details)\(save)", notes.isEmpty && left.isEmpty ? .info : .warning)
    }

    /// Adds an unsaved endpoint with a complete URL, to the service of its server, else to the service of the open endpoint.
    ///
    /// - Parameter endpoint: The endpoint; its target has the name of a file.
    /// - Returns: The endpoint's new ID.
    private static func addDraft(_ endpoint: Endpoint, _ state: inout AppState) -> EndpointID {
        var made = endpoint
        let home = ItemsFeature.currentService(state)
        let others = state.workspace.services.map(\.folder).filter { $0 != home }
        let service = ([home] + others).first { folder in
            made.removeServer(of: state.serverURLs(of: folder))
            return made.path != endpoint.path
        }
        // A request to another server does not get the fields and the credentials of the service.
        if service == nil { made.inherits = false }
        made.target = freeTarget(for: FilePath.name(of: endpoint.target), in: service ?? home, state)
        made.location = nil
        var draft = Draft(Endpoint(target: made.target, name: made.name, path: ""))
        draft.isFileGone = true
        draft.change { $0 = made }
        state.drafts[made.id] = draft
        DraftsFeature.insertNew(draft, &state)
        return made.id
    }

    /// A target that neither a file nor an unsaved endpoint has.
    private static func freeTarget(for name: String, in service: String, _ state: AppState) -> String {
        let targets = ["\(service)/\(name)"] + (2...999).map { "\(service)/\(name)-\($0)" }
        return targets.first { state.endpoint(EndpointID($0)) == nil && state.workspace.problem(of: .endpoint(EndpointID($0))) == nil } ?? targets[0]
    }
}

extension Endpoint {
    /// An endpoint without a URL and other content, with the names of another one.
    fileprivate init(empty other: Endpoint) {
        self.init(target: other.target, name: other.name, path: "")
        location = other.location
    }

    /// The content of an endpoint with the names of another one.
    fileprivate init(_ content: Endpoint, named other: Endpoint) {
        self = content
        (target, name, location) = (other.target, other.name, other.location)
    }
}
