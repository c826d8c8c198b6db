internal import Synchronization
package import WorkspaceModel

/// Stores the unsaved edits of a workspace, so that a crash or a closed terminal does not lose them (`CONTRIBUTING.md`, rule 7).
///
/// There is one file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when no edit is unsaved. Programs that have the same
/// workspace open share it: each one changes only its own drafts, and of two drafts of an endpoint the one that was edited last is stored.
package final class DraftStore: Sendable {
    private let file: StateFile<StoredDraft>
    /// The drafts that this program read or wrote last.
    private let known = Mutex<[UnsavedEdit]>([])

    /// Creates the store of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: the folder for the state of programs.
    package init(workspace folder: String, stateFolder: String) {
        file = StateFile(StateFolder.path(in: "\(stateFolder)/sortie/drafts", of: folder, ending: ".json"))
    }

    /// The stored drafts; empty when no edit is unsaved.
    ///
    /// - Returns: The drafts, and what of them cannot be read; the file as it was is then kept beside the one that replaces it.
    /// - Throws: When the file exists but is no file of drafts, or one of a newer version; it is not changed.
    package func load() throws(WorkspaceError) -> (
        drafts: [EndpointDraft], services: [ServiceDraft], forms: [FormDraft], problems: [WorkspaceError]
    ) {
        let content = try file.load()
        let drafts = content?.values ?? []
        known.withLock { $0 = drafts }
        let services = drafts.compactMap { if case .service(let draft) = $0 { draft } else { nil } }
        let forms = drafts.compactMap { if case .form(let draft) = $0 { draft } else { nil } }
        return (drafts.compactMap { if case .endpoint(let draft) = $0 { draft } else { nil } }, services, forms, content?.problems ?? [])
    }

    /// Stores the drafts of this program; drafts that only other programs have stay.
    ///
    /// - Returns: The names of those whose drafts of another program were replaced by newer ones.
    /// - Throws: also when the file is one of a newer version, which is not replaced.
    @discardableResult
    package func save(_ drafts: [EndpointDraft], services: [ServiceDraft] = [], forms: [FormDraft] = []) throws(WorkspaceError) -> [String] {
        let drafts = drafts.map(UnsavedEdit.endpoint) + services.map { UnsavedEdit.service($0).asStored } + forms.map(UnsavedEdit.form)
        let lock = try file.lock(within: 10)
        defer { lock.remove() }
        let stored = storedDrafts()
        let merge = known.withLock { DraftMerge(stored: stored, known: $0, own: drafts) }
        try file.save(merge.drafts.isEmpty ? nil : merge.drafts)
        known.withLock { $0 = drafts }
        return merge.replaced
    }

    /// The drafts in the file; empty for a file that cannot be read, which writing keeps under another name or rejects.
    private func storedDrafts() -> [UnsavedEdit] {
        do throws(WorkspaceError) { return try file.load()?.values ?? [] } catch { return [] }
    }
}

/// An endpoint, a service or a form with unsaved changes.
enum UnsavedEdit: Hashable, Sendable {
    case endpoint(EndpointDraft)
    case service(ServiceDraft)
    case form(FormDraft)

    /// The draft as it is read back, so that it does not differ from that in the file by what the file does not express.
    var asStored: UnsavedEdit {
        var problems: [String] = []
        return StoredDraft(self).value(&problems) ?? self
    }

    /// The target of the endpoint, the folder of the service, of which no target has the name, or what the form is about.
    var name: String {
        switch self {
        case .endpoint(let draft): draft.edited.id.path
        case .service(let draft): draft.edited.folder
        case .form(let draft): "the form: " + ([draft.kind] + draft.subject).joined(separator: " ")
        }
    }
}

/// The drafts that a program stores in a file that it shares with other programs.
struct DraftMerge {
    /// The drafts to store: those of the file in their order, then the new ones.
    let drafts: [UnsavedEdit]
    /// The names of those whose drafts of another program were replaced by newer ones.
    let replaced: [String]

    /// Merges drafts by endpoint, service and form.
    ///
    /// - Parameters:
    ///   - stored: The drafts in the file.
    ///   - known: The drafts that this program read or wrote last.
    ///   - own: The drafts that this program has now. A draft that changed since is newer than that of the file; one that did not change is stored only
    ///     where the file has none.
    init(stored: [UnsavedEdit], known: [UnsavedEdit], own: [UnsavedEdit]) {
        let before = Dictionary(known.map { ($0.name, $0) }) { $1 }
        let now = Dictionary(own.map { ($0.name, $0) }) { $1 }
        var drafts: [UnsavedEdit] = []
        var replaced: [String] = []
        for draft in stored {
            let id = draft.name
            guard let ours = now[id] else {
                // A draft that this program does not know, or that another program changed since, belongs to the other program.
                if before[id] == nil || before[id] != draft { drafts.append(draft) }
                continue
            }
            guard ours != before[id] else {
                drafts.append(draft)
                continue
            }
            if draft != before[id], draft != ours { replaced.append(id) }
            drafts.append(ours)
        }
        let known = Set(stored.map(\.name))
        self.drafts = drafts + own.filter { !known.contains($0.name) }
        self.replaced = replaced
    }
}

/// A draft as it is stored.
struct StoredDraft: StateRecord {
    static let format = StateFormat(key: "drafts", content: "the unsaved edits", version: 2)

    /// The endpoint; nil for another draft.
    var edited: StoredEndpoint?
    /// The endpoint in its file when the edits began; absent where that is not known.
    var original: StoredPart<StoredEndpoint>?
    /// The service; nil for another draft.
    var service: StoredService?
    /// The service in its file when the edits began.
    var originalService: StoredPart<StoredService>?
    /// The texts that cannot be read, by their keys with dots between the names.
    var unreadable: [String: String]?
    /// The form; nil for another draft.
    var form: FormDraft?

    init(_ edit: UnsavedEdit) {
        switch edit {
        case .endpoint(let draft):
            edited = StoredEndpoint(draft.edited)
            original = draft.original.map { StoredPart(StoredEndpoint($0)) }
        case .service(let draft):
            service = StoredService(draft.edited)
            originalService = draft.original.map { StoredPart(StoredService($0)) }
            unreadable = Dictionary(draft.unreadable.map { ($0.key.joined(separator: "."), $0.value) }) { $1 }
        case .form(let draft): form = draft
        }
    }

    func value(_ problems: inout [String]) -> UnsavedEdit? {
        if let problem = original?.problem ?? originalService?.problem { problems.append("what the file had: \(problem)") }
        if let form { return .form(form) }
        if let service {
            guard let edited = service.service(&problems) else { return nil }
            let unreadable = (unreadable ?? [:]).map { ($0.key.split(separator: ".").map(String.init), $0.value) }
            let original = originalService?.value?.service(&problems)
            return .service(ServiceDraft(original: original, edited: edited, unreadable: Dictionary(unreadable) { $1 }))
        }
        guard let stored = edited else {
            problems.append("the key edited is missing")
            return nil
        }
        guard let edited = stored.endpoint(&problems) else { return nil }
        return .endpoint(EndpointDraft(original: original?.value?.endpoint(&problems), edited: edited))
    }
}
